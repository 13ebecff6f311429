"""JSON values: the type, the one encoding, equality and content digests."""

from hashlib import blake2b
from typing import Any, TypeAlias, cast

import msgspec

from strata.base import limits
from strata.base.errors import LimitExceeded, WrongType

# The recursive alias must be a string: a `type` statement needs Python 3.12.
Json: TypeAlias = "str | int | float | bool | None | list[Json] | dict[str, Json]"

# Sixteen bytes keep the store small; forging a second value for one still takes 2^128 steps.
DIGEST_BYTES = 16

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
        if type(value) is not str and decode(data) != value:
            _check(value, what, "$", 0)
    except (TypeError, ValueError, OverflowError, RecursionError):
        _check(value, what, "$", 0)
        raise
    if len(data) > limits.VALUE_BYTES_MAX:
        raise LimitExceeded(
            f"The {what} is {len(data):,} bytes; the limit is {limits.VALUE_BYTES_MAX:,}.",
            hint="Split it over several keys, or keep a reference to a file.",
            limit=limits.VALUE_BYTES_MAX,
            size=len(data),
        )
    return data


def same(a: bytes, b: bytes) -> bool:
    """Tell whether two encodings hold equal values, whatever the order of their members."""
    return a == b or _encode_sorted(decode(a)) == _encode_sorted(decode(b))


def equal(a: Json, b: Json) -> bool:
    """Tell whether two values are the same JSON: 1 is neither True nor 1.0."""
    return _encode_sorted(a) == _encode_sorted(b)


def digest(data: bytes, meta: bytes | None = None) -> bytes:
    """Return the content digest that a version keeps even when its value is erased."""
    plain = blake2b(data, digest_size=DIGEST_BYTES).digest()
    if meta is None:
        return plain
    return blake2b(plain + meta, digest_size=DIGEST_BYTES).digest()


def _check(value: object, what: str, place: str, depth: int) -> None:
    """Raise WrongType for the first part of a value that JSON cannot hold."""
    if depth > limits.VALUE_DEPTH_MAX:
        raise LimitExceeded(
            f"The {what} is nested deeper than {limits.VALUE_DEPTH_MAX} levels.",
            limit=limits.VALUE_DEPTH_MAX,
            size=depth,
        )
    if isinstance(value, dict):
        for name, member in cast(dict[object, object], value).items():
            if not isinstance(name, str):
                raise _unfit(name, what, place, "is a key, and keys must be text")
            _check_text(name, what, place)
            _check(member, what, f"{place}.{name}", depth + 1)
    elif isinstance(value, (list, tuple)):
        for index, member in enumerate(cast(list[object], value)):
            _check(member, what, f"{place}[{index}]", depth + 1)
    else:
        _check_scalar(value, what, place)


def _check_scalar(value: object, what: str, place: str) -> None:
    if isinstance(value, str):
        _check_text(value, what, place)
    elif isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            raise _unfit(value, what, place, "is not a JSON number")
    elif value is not None and not isinstance(value, int):
        kind = type(value).__name__
        raise _unfit(value, what, place, f"is of type {kind}, which JSON cannot hold")


def _check_text(text: str, what: str, place: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise _unfit(text, what, place, "holds half a surrogate pair") from None


def _unfit(value: object, what: str, place: str, reason: str) -> WrongType:
    shown: Any = repr(value)  # repr of a foreign type may be anything
    return WrongType(
        f"The {what} cannot be stored: at {place}, {shown[:60]} {reason}.",
        hint="Use text, numbers, true, false, null, lists and objects with text keys.",
        parameter=what,
        place=place,
    )
