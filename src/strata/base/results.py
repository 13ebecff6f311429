"""What calls return: frozen structs that become plain JSON and know their time."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from os import PathLike
from typing import Any, ClassVar, cast

import msgspec

from strata.base.utc import iso, utc

# Fields that are times, and what their readable twin in JSON is called.
_TIMES = {
    "timestamp": "time",
    "created_at": "created_time",
    "updated_at": "updated_time",
    "oldest": "oldest_time",
    "latest": "latest_time",
}


class Result(msgspec.Struct, frozen=True):
    """What a call returns."""

    # How many microseconds one unit of the times in its fields has.
    TIME_UNIT_US: ClassVar[int] = 1

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON values; a time also as ISO 8601, in `time`."""
        return plain(self)


class TimedResult(Result, frozen=True):
    """What a call returns about one moment."""

    # The field that `time` shows.
    TIME: ClassVar[str] = "timestamp"

    @property
    def time(self) -> datetime:
        """The moment, in UTC."""
        return utc(self._time_us)

    @property
    def iso_time(self) -> str:
        """The moment as ISO 8601."""
        return iso(self._time_us)

    @property
    def _time_us(self) -> int:
        return getattr(self, self.TIME) * self.TIME_UNIT_US


def plain(value: object) -> Any:  # Any: whatever JSON can hold, to be built upon
    """Turn results into JSON values; a time gets its readable form beside it."""
    if isinstance(value, msgspec.Struct):
        return _members(value)
    if isinstance(value, Mapping):
        named = cast("Mapping[str, object]", value)
        return {name: plain(member) for name, member in named.items()}
    if isinstance(value, (list, tuple)):
        return [plain(member) for member in cast("Sequence[object]", value)]
    if isinstance(value, PathLike):
        return str(cast("PathLike[str]", value))
    return msgspec.to_builtins(value)


def _members(result: msgspec.Struct) -> dict[str, Any]:
    unit_us = result.TIME_UNIT_US if isinstance(result, Result) else 1
    members: dict[str, Any] = {}
    for name in result.__struct_fields__:
        member: Any = getattr(result, name)  # Any: fields of every type
        # Lists and objects in a result are the caller's values: they are JSON already.
        members[name] = member if type(member) in (list, dict) else plain(member)
        if name in _TIMES:
            members[_TIMES[name]] = None if member is None else iso(member * unit_us)
    if isinstance(result, TimedResult):
        members["time"] = result.iso_time
    return members
