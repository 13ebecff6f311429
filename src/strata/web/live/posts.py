"""Updates on their way into the store, taken in turn by author.

A commit takes a bounded amount of work, and the next update of every author before the second of
any: how much one author sends decides only how long that author waits. Long updates wait until
those before them have taken no more than a part of the time.
"""

from collections import OrderedDict, deque
from typing import NamedTuple

from strata.base import limits
from strata.documents import Author
from strata.web.live.document import LiveDocument
from strata.web.live.sockets import LiveSocket


class Post(NamedTuple):
    """An update on its way into the store.

    An early one was sent before its client had said what it has: it may build on that. A whole
    one is all that the client has and the store has not.
    """

    socket: LiveSocket
    live: LiveDocument
    update: bytes
    is_early: bool = False
    is_whole: bool = False

    @property
    def author(self) -> Author:
        """Whose it is."""
        return self.socket.guest.author


class Posts:
    """What waits for a commit. Each author's updates stay in their order."""

    def __init__(self) -> None:
        # Authors in the order of their turns, each with what they sent and its number.
        self._queues: OrderedDict[Author, deque[tuple[int, Post]]] = OrderedDict()
        self._bytes: dict[Author, int] = {}
        # Numbers of what was added and is not done, oldest first.
        self._open: dict[int, None] = {}
        self._added = 0

    def __bool__(self) -> bool:
        """Tell whether anything waits."""
        return bool(self._queues)

    def add(self, post: Post) -> None:
        """Let an update wait behind those of the same author."""
        self._added += 1
        self._open[self._added] = None
        self._queues.setdefault(post.author, deque()).append((self._added, post))
        self._bytes[post.author] = self._bytes.get(post.author, 0) + len(post.update)

    def is_full(self, author: Author) -> bool:
        """Tell whether so much of an author waits that no more should be read from them."""
        waiting = self._queues.get(author, ())
        return (
            len(waiting) >= limits.LIVE_GATHERED_MAX
            or self._bytes.get(author, 0) >= limits.LIVE_GATHERED_BYTES_MAX
        )

    @property
    def newest(self) -> int:
        """The number of what was added last."""
        return self._added

    def is_done(self, number: int) -> bool:
        """Tell whether everything up to a number is done."""
        return next(iter(self._open), number + 1) > number

    def done(self, numbers: list[int]) -> None:
        """Note what was committed or refused."""
        for number in numbers:
            self._open.pop(number, None)

    def has_next(self, *, with_long: bool) -> bool:
        """Tell whether the next commit would have anything to do."""
        return with_long or any(
            len(queue[0][1].update) <= limits.LIVE_LONG_BYTES for queue in self._queues.values()
        )

    def next_batch(self, *, with_long: bool) -> tuple[list[int], list[Post]]:
        """Remove what the next commit is made of, round by round; return its numbers too.

        It has one long update, if `with_long` allows any.
        """
        numbers: list[int] = []
        batch: list[Post] = []
        size, has_long, is_moving = 0, not with_long, True
        while is_moving and size < limits.LIVE_TURN_BYTES:
            is_moving = False
            for author in list(self._queues):
                length = len(self._queues[author][0][1].update)
                is_long = length > limits.LIVE_LONG_BYTES
                if is_long and has_long:
                    continue
                number, post = self._next(author, to_end=is_long)
                numbers.append(number)
                batch.append(post)
                size, has_long, is_moving = size + length, has_long or is_long, True
        return numbers, batch

    def _next(self, author: Author, *, to_end: bool) -> tuple[int, Post]:
        queue = self._queues[author]
        number, post = queue.popleft()
        self._bytes[author] -= len(post.update)
        if not queue:
            del self._queues[author], self._bytes[author]
        elif to_end:
            self._queues.move_to_end(author)
        return number, post
