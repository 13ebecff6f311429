"""Bodies of requests: read within limits of size and time, and parsed where no other request waits
for it.

What arrives over sockets is held within the same bounds. Parsing holds the interpreter, in whatever
thread it is done. So the event loop parses short bodies only, and what is long is refused unread if
making its values would take more than a moment.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar, cast

import anyio
import msgspec
from starlette.requests import Request

from strata.base import limits
from strata.base.errors import InvalidArgument, LimitExceeded, Unavailable

T = TypeVar("T")
# Under these names a server's state has its bodies, and a socket's state what that socket holds
# and the function that sends several messages at once.
BODIES, HOLDING, SEND_AT_ONCE = "bodies", "holding", "send_at_once"
_DIGITS_MAX = 18
# More would only take memory: parsing is work for one core.
_THREADS = 2
# How much is looked through at once: other threads have their turn in between.
_LOOK_BYTES = 1024 * 1024


class Bodies:
    """Bytes of long bodies and messages that a server holds, bounded by caller and altogether."""

    def __init__(self) -> None:
        self._held: Counter[str] = Counter()
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="strata-parse")

    async def parse(self, work: Callable[[bytearray], T], body: bytearray) -> T:
        """Parse a long body in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, body)

    def close(self) -> None:
        """Let go of the threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def holding(self, who: str) -> "Holding":
        """Return what counts a body, or what arrives on a socket, for a caller."""
        return Holding(self._held, who)


class Holding:
    """What is held of one caller: let go of at the end of a `with` block, if not before."""

    def __init__(self, held: Counter[str], who: str) -> None:
        self._held = held
        self._who = who
        self._size = 0

    def __enter__(self) -> "Holding":
        """Begin with nothing held."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Let go of all of it."""
        self.shrink(0)

    def belong_to(self, who: str) -> None:
        """Count for another caller from now on: who sends it is known by now."""
        size = self._size
        self.shrink(0)
        self._who, self._size = who, size
        self._held[who] += size

    def grow(self, size: int) -> None:
        """Hold so many bytes, or raise Unavailable; short bodies are not counted."""
        more = size - self._size
        if size <= limits.SERVE_SHORT_BODY_BYTES or more <= 0:
            return
        if self._held[self._who] + more > limits.SERVE_BODIES_OF_ONE_BYTES:
            raise Unavailable(
                "Too many long requests of yours are being worked on.",
                hint="Send the next one after the answer to the last.",
            )
        if self._held.total() + more > limits.SERVE_BODIES_BYTES:
            raise Unavailable("The server has too much to do.", hint="Try again in a moment.")
        self._held[self._who] += more
        self._size = size

    def shrink(self, size: int) -> None:
        """Let go of what is beyond so many bytes."""
        less = self._size - (size if size > limits.SERVE_SHORT_BODY_BYTES else 0)
        if less <= 0:
            return
        self._size -= less
        self._held[self._who] -= less
        if not self._held[self._who]:
            del self._held[self._who]


async def gather_body(request: Request, most: int, holding: Holding | None = None) -> bytearray:
    """Return a whole body.

    Raises LimitExceeded, Unavailable for a caller who has too much under way, TimeoutError for
    one that is too slow, ClientDisconnect for one that has gone.
    """
    declared = request.headers.get("content-length", "0")
    if not declared.isascii() or not declared.isdigit() or len(declared) > _DIGITS_MAX:
        raise InvalidArgument("Content-Length is no number.")
    body = bytearray()
    with anyio.fail_after(limits.SERVE_BODY_S):
        _check_size(int(declared), most, holding)
        async for chunk in request.stream():
            body += chunk
            _check_size(len(body), most, holding)
    return body


def _check_size(size: int, most: int, holding: Holding | None) -> None:
    if size > most:
        raise LimitExceeded(f"A request may have {most:,} bytes at most.", limit=most, size=size)
    if holding is not None:
        holding.grow(size)


def body_bytes_max(most: int, *, read_only: bool) -> int:
    """Return how long a body may be: who only reads has little to say."""
    return min(most, limits.SERVE_READER_BODY_BYTES_MAX) if read_only else most


def is_short(body: bytearray) -> bool:
    """Tell whether a body may be parsed in the event loop."""
    return len(body) <= limits.SERVE_SHORT_BODY_BYTES


def parse_object(body: bytearray) -> dict[str, Any]:
    """Return the JSON object that a body is, or raise InvalidArgument or LimitExceeded."""
    _check_shape(body)
    try:
        return msgspec.json.decode(body or b"{}", type=dict[str, Any])
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise InvalidArgument(f"The request is no JSON object: {error}.") from error


def _check_shape(body: bytearray) -> None:
    """Refuse JSON of so many values that making them takes long; text that looks so counts too."""
    bounds = (
        (b"[{", limits.JSON_CONTAINERS_MAX, "lists and objects"),
        (b",", limits.JSON_VALUES_MAX, "values"),
    )
    for marks, most, what in bounds:
        count = 0
        for start in range(0, len(body), _LOOK_BYTES):
            count += sum(body.count(mark, start, start + _LOOK_BYTES) for mark in marks)
        if count > most:
            raise LimitExceeded(
                f"A request may hold {most:,} {what} at most; this one has {count:,}.",
                hint="Send it in several requests.",
                limit=most,
                size=count,
            )


class LiftedMessage(NamedTuple):
    """A message without the arguments of its tool, and these."""

    body: bytes
    arguments: dict[str, Any]


def lift_arguments(body: bytearray) -> LiftedMessage:
    """Take the arguments of a tool out of a long message of the protocol.

    The SDK parses and checks messages in the event loop, several times over. It gets the rest,
    which is short; the tool gets the arguments.
    """
    message = parse_object(body)
    params: object = message.get("params")
    arguments: object = None
    if isinstance(params, dict):
        named = cast("dict[str, Any]", params)
        arguments = named.get("arguments")
        message["params"] = named | {"arguments": {}}
    rest = msgspec.json.encode(message) if isinstance(arguments, dict) else body
    if not isinstance(arguments, dict) or len(rest) > limits.SERVE_SHORT_BODY_BYTES:
        most = limits.SERVE_SHORT_BODY_BYTES
        raise LimitExceeded(
            f"Without the arguments of a tool a message may have {most:,} bytes at most.",
            limit=most,
            size=len(rest),
        )
    return LiftedMessage(bytes(rest), cast("dict[str, Any]", arguments))
