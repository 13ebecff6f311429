"""Checks of arguments that several packages need."""

from collections.abc import Iterable
from typing import TypeVar, cast

from strata.base.errors import InvalidArgument, LimitExceeded

T = TypeVar("T")


def check_number(value: object, *, name: str, least: int = 1, most: int | None = None) -> int:
    """Return a whole number within its bounds, or raise InvalidArgument or LimitExceeded."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InvalidArgument(
            f"{name} must be a whole number from {least} on, not {value!r}.", parameter=name
        )
    if most is not None and value > most:
        raise LimitExceeded(
            f"{name} may be {most:,} at most, not {value:,}.", limit=most, size=value
        )
    return value


def is_text(value: object) -> bool:
    """Whether a value is text that UTF-8 can hold."""
    if not isinstance(value, str):
        return False
    return value.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in value)


def check_text(value: object, *, name: str) -> str:
    """Return well-formed text, or raise InvalidArgument."""
    if not is_text(value):
        raise InvalidArgument(f"{name} must be well-formed text, not {value!r}.", parameter=name)
    return str(value)


def check_many(values: Iterable[T], *, name: str) -> list[T]:
    """Return several values as a list; one text is not several."""
    given = cast("object", values)  # what the types promise is what is checked here
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise InvalidArgument(f"{name} must be a list, not {values!r}.", parameter=name)
    return list(values)
