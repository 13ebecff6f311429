"""Reading a row's columns one by one: what fits is taken, what does not is kept and told."""

import base64
import math
from datetime import UTC, datetime
from typing import Any, cast

from strata.base.errors import StrataError
from strata.base.values import Json, decode, encode
from strata.exchange.mama.report import RowWarning
from strata.sql import BrokenText, ForeignRow

# Times below this, which is the first of January 2020 in milliseconds, are seconds.
_MILLISECONDS_MIN = 1_577_836_800_000
_LAST_MS = 253_402_300_799_999  # the end of the year 9999


class MamaNotes:
    """What was noticed so far; rows that could not be taken as they are, by id."""

    def __init__(self) -> None:
        self.warnings: list[RowWarning] = []

    def warn(self, table: str, id_: str, what: str) -> None:
        """Note something about a row."""
        self.warnings.append(RowWarning(table, id_, what))


class Fields:
    """The columns of one row. What was not read, or could not be read, is left for `rest`."""

    def __init__(self, table: str, id_: str, row: ForeignRow, *, notes: MamaNotes) -> None:
        self.table, self.id, self.notes = table, id_, notes
        self._values = row.values
        self._rest = dict(row.values)

    def pop(self, name: str) -> Any:
        """Return a column as it is, None where there is none; `rest` leaves it out."""
        self._rest.pop(name, None)
        return self._values.get(name)

    def peek(self, name: str) -> Any:
        """Return a column and leave it in the rest."""
        return self._values.get(name)

    def keep(self, name: str) -> None:
        """Leave a column among the rest after all."""
        self._rest[name] = self._values.get(name)

    def warn(self, what: str) -> None:
        """Note something about this row."""
        self.notes.warn(self.table, self.id, what)

    def text(self, name: str) -> str | None:
        """Return a text; what is none is spelled as one, and kept as it is too."""
        value = self.pop(name)
        if value is None or isinstance(value, str):
            return value
        self.keep(name)
        self.warn(f"{name} is no text; what can be read of it was taken")
        if isinstance(value, (bytes, BrokenText)):
            data = value if isinstance(value, bytes) else value.data
            return data.decode(errors="replace")
        return str(value)

    def time(self, name: str) -> int | None:
        """Return a time in milliseconds; one that cannot be read is kept and told."""
        value = self.pop(name)
        found = time_ms(value)
        if found is None and value is not None:
            self.keep(name)
            self.warn(f"{name} is no time: {quotable(value)}")
        return found

    def share(self, name: str) -> float | None:
        """Return a number between 0 and 1."""
        value = self.pop(name)
        if value is None:
            return None
        if isinstance(value, (int, float)) and 0 <= value <= 1:
            return float(value)
        self.keep(name)
        self.warn(f"{name} is no number between 0 and 1: {quotable(value)}")
        return None

    def json(self, name: str) -> Json:
        """Return the JSON of a column; other text is kept as it is and reported."""
        value = self.pop(name)
        if value is None or value == "":
            return None
        found = as_json_value(value)
        if found is None:
            self.keep(name)
            self.warn(f"{name} is no JSON; it is kept as it is")
        return found

    def rest(self, defaults: dict[str, object]) -> dict[str, Json]:
        """Return what has no place of its own, as JSON; defaults are left out."""
        return {
            name: plain(value)
            for name, value in self._rest.items()
            if not (name in defaults and defaults[name] == value)
        }


def time_ms(value: object) -> int | None:
    """Return milliseconds since 1970: numbers may be seconds, text may be ISO 8601."""
    if isinstance(value, str):
        return _time_of_text(value.strip())
    if not isinstance(value, (int, float)) or not math.isfinite(value) or value < 0:
        return None
    found = int(value * 1000) if value < _MILLISECONDS_MIN else int(value)
    return found if found <= _LAST_MS else None


def _time_of_text(text: str) -> int | None:
    try:
        return time_ms(float(text))
    except ValueError:
        pass
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    found = int(moment.timestamp() * 1000)
    return found if 0 <= found <= _LAST_MS else None


def as_json_value(text: object) -> Json:
    """Return the JSON that a text spells, or None for what cannot be kept as JSON."""
    if not isinstance(text, str):
        return None
    try:
        found = cast("Json", decode(text))
        encode(found)
    except (ValueError, OverflowError, RecursionError, StrataError):
        return None
    return found


def plain(value: object) -> Json:
    """Return a value of SQLite as JSON; bytes as base64."""
    if isinstance(value, (bytes, BrokenText)):
        data = value if isinstance(value, bytes) else value.data
        return {"base64": base64.b64encode(data).decode()}
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return cast("Json", value)


def quotable(value: object) -> str:
    """Return a value as a warning may quote it."""
    text = repr(value.data if isinstance(value, BrokenText) else value)
    return text if len(text) <= 60 else f"{text[:59]}…"
