"""Checks of what callers pass, where several rooms need the same one."""

from strata.base.errors import InvalidArgument, LimitExceeded


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
