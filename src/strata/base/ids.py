"""Names and ids for what the caller left unnamed."""

import os
import threading
import time

_FIRST = (
    "amber basalt birch brook cedar clay cobalt coral delta dune ember fern flint fjord "
    "garnet glade granite harbor hazel indigo ivory jade juniper larch linen lunar maple "
    "marble meadow mica moss ochre olive onyx opal pebble pine quartz reef river sable "
    "sage shale silver slate spruce summit tide topaz umber vale violet willow"
).split()
_SECOND = (
    "anchor arch bay beacon bend bluff bridge canyon cliff cove crest drift field ford "
    "gate grove haven hill hollow inlet island knoll lagoon lake ledge mesa mill narrows "
    "pass path peak plain point pond ridge rise shore spring steppe stone strait terrace "
    "trail valley view watch wharf wood"
).split()


def readable_name() -> str:
    """Return a name such as `cedar-harbor-4f2a`, unlikely to be taken."""
    dice = os.urandom(4)  # the module secrets would cost every start 7 ms
    first, second = _FIRST[dice[0] % len(_FIRST)], _SECOND[dice[1] % len(_SECOND)]
    return f"{first}-{second}-{dice[2:].hex()}"


def hash_of_key(key: str) -> str:
    """Return what is kept of an idempotency key: it only has to be recognised when it returns.

    A caller may have put a secret into it, which must not get into the store.
    """
    from hashlib import sha256  # noqa: PLC0415  (milliseconds before the first reply)

    return f"sha256:{sha256(key.encode(errors='surrogatepass')).hexdigest()}"


def token() -> str:
    """Return an unguessable id for a process or a lease."""
    return os.urandom(8).hex()


_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


_last = (0, 0)
_lock = threading.Lock()


def new_id(prefix: str) -> str:
    """Return a unique id that sorts behind all that this process has made before: `doc_01JD…`."""
    global _last  # noqa: PLW0603  (what comes next depends on what came last)
    with _lock:
        now = time.time_ns() // 1_000_000
        time_ms, tail = _last
        # Within a millisecond, or with a clock set back, the random part counts on.
        _last = (time_ms, tail + 1) if now <= time_ms else (now, int.from_bytes(os.urandom(9)))
        number = _last[0] << 80 | _last[1]
    return f"{prefix}_{''.join(_CROCKFORD[number >> shift & 31] for shift in range(125, -1, -5))}"


def _begin_anew() -> None:
    """Count from another number in a forked process, or both would make the same ids."""
    global _last, _lock
    _last, _lock = (0, 0), threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)
