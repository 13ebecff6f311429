"""Times as integers, microseconds since 1970 in UTC, and how they are shown."""

from datetime import UTC, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NAIVE_EPOCH = EPOCH.replace(tzinfo=None)


def utc(us: int) -> datetime:
    """Return a time as an aware `datetime`.

    Raises OverflowError outside the years 1 to 9999.
    """
    return EPOCH + timedelta(0, 0, us)


def iso(us: int) -> str:
    """Spell a time as ISO 8601 in UTC, always with six digits and Z.

    Raises OverflowError outside the years 1 to 9999.
    """
    return (_NAIVE_EPOCH + timedelta(0, 0, us)).isoformat("T", "microseconds") + "Z"
