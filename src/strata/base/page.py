"""Lists that end at their limit, and say so."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")
P = TypeVar("P", str, int)


class ResultPage(list[T], Generic[T, P]):
    """A list of at most as many results as were asked for.

    `more` tells whether there are others, and `next` is what to pass as `after` (or `before`,
    where the newest come first) to get them; None at the end. `all()` yields these results and
    all that follow.
    """

    def __init__(
        self,
        found: Iterable[T] = (),
        *,
        next: P | None = None,
        onward: "Callable[[P], ResultPage[T, P]] | None" = None,
    ) -> None:
        super().__init__(found)
        self.next = next
        self._onward = onward

    def __repr__(self) -> str:
        shown = super().__repr__()
        return f"<ResultPage {shown}, more after {self.next!r}>" if self.more else shown

    @property
    def more(self) -> bool:
        """Whether there are results behind this page."""
        return self.next is not None

    def all(self) -> Iterator[T]:
        """Yield these results and all behind them, page by page; nothing stays locked between.

        >>> _ = db.kv.put_many({f"n/{i}": i for i in range(5)})
        >>> page = db.kv.list("n/", limit=2)
        >>> len(page), len(list(page.all()))
        (2, 5)
        """
        page = self
        yield from page
        while page.next is not None and page._onward is not None:
            page = page._onward(page.next)
            yield from page


def cut_page(
    found: Sequence[T],
    limit: int,
    place: Callable[[T], P],
    *,
    onward: Callable[[P], ResultPage[T, P]],
) -> ResultPage[T, P]:
    """Return a page of what was found; one result beyond the limit shows that there is more.

    `place` tells of a result where the next page begins, and `onward` reads that page.
    """
    if len(found) <= limit:
        return ResultPage(found)
    kept = found[:limit]
    return ResultPage(kept, next=place(kept[-1]), onward=onward)
