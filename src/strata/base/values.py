"""JSON values: the type, the one encoding, equality and content digests."""

import math
from typing import Any, NamedTuple, TypeAlias, cast

import msgspec

from strata.base import limits
from strata.base.errors import LimitExceeded, WrongType

# Members are Any, not Json: a caller's `dict[str, int]` would be no `dict[str, Json]`.
Json: TypeAlias = str | int | float | bool | None | list[Any] | dict[str, Any]

decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode
_encode_sorted = msgspec.json.Encoder(order="deterministic").encode


def encode(value: Json, *, what: str = "value") -> bytes:
    """Encode a JSON value as compact UTF-8, members in the order given.

    Raises WrongType when reading it back would not give the same value (bytes, dates,
    NaN, keys that are not text), naming the place, and LimitExceeded when it is too large.
    """
    try:
        data = _encode(value)
        # The encoder would turn NaN into null and a date into text without a word.
        is_same = type(value) is str or decode(data) == value
    except (TypeError, ValueError, OverflowError, RecursionError):
        _check(value, _Place(what))
        raise
    is_long = len(data) > limits.VALUE_DEPTH_MAX  # a shorter one cannot be too deep
    if not is_same or (is_long and type(value) is not str and _may_be_deep(data)):
        _check(value, _Place(what))
    if len(data) > limits.VALUE_BYTES_MAX:
        raise LimitExceeded(
            f"The {what} is {len(data):,} bytes; the limit is {limits.VALUE_BYTES_MAX:,}.",
            hint="Split it over several keys, or keep a reference to a file.",
            limit=limits.VALUE_BYTES_MAX,
            size=len(data),
        )
    return data


def _may_be_deep(data: bytes) -> bool:
    """Whether there are enough brackets for a value to be nested too deeply."""
    return data.count(b"[") + data.count(b"{") > limits.VALUE_DEPTH_MAX


def same(a: bytes, b: bytes) -> bool:
    """Tell whether two results of `encode` hold equal values, whatever the order of their members.

    Only the order can differ then, so those of equal values are equally long.
    """
    return a == b or (len(a) == len(b) and equal(decode(a), decode(b)))


def equal(a: Json, b: Json) -> bool:
    """Tell whether two values are the same JSON: 1 is neither True nor 1.0."""
    # Python's == takes 1, 1.0 and True for the same, so its "no" is final and its "yes" is not.
    return a == b and _encode_sorted(a) == _encode_sorted(b)


class _Place(NamedTuple):
    """A place in a value, for the error that refuses it."""

    what: str
    path: str = "$"
    depth: int = 0

    def inside(self, step: str) -> "_Place":
        return _Place(self.what, self.path + step, self.depth + 1)


def _check(value: object, place: _Place) -> None:
    """Raise WrongType for the first part of a value that JSON cannot hold."""
    if place.depth > limits.VALUE_DEPTH_MAX:
        raise LimitExceeded(
            f"The {place.what} is nested deeper than {limits.VALUE_DEPTH_MAX} levels.",
            limit=limits.VALUE_DEPTH_MAX,
            size=place.depth,
        )
    if isinstance(value, dict):
        for name, member in cast("dict[object, object]", value).items():
            if not isinstance(name, str):
                raise _unfit(name, place, "is a key, and keys must be text")
            _check_text(name, place)
            _check(member, place.inside(f".{name}"))
    elif isinstance(value, (list, tuple)):
        for index, member in enumerate(cast("list[object]", value)):
            _check(member, place.inside(f"[{index}]"))
    else:
        _check_scalar(value, place)


def _check_scalar(value: object, place: _Place) -> None:
    if isinstance(value, str):
        _check_text(value, place)
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise _unfit(value, place, "is not a JSON number")
    elif value is not None and not isinstance(value, int):
        kind = type(value).__name__
        raise _unfit(value, place, f"is of type {kind}, which JSON cannot hold")


def _check_text(text: str, place: _Place) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise _unfit(text, place, "holds half a surrogate pair") from None


def _unfit(value: object, place: _Place, reason: str) -> WrongType:
    return WrongType(
        f"The {place.what} cannot be stored: at {place.path}, {repr(value)[:60]} {reason}.",
        hint="Use text, numbers, true, false, null, lists and objects with text keys.",
        parameter=place.what,
        place=place.path,
    )
