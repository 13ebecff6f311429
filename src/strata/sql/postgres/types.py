"""How Python's values travel to PostgreSQL and back, so that both databases give equal rows.

SQLite has integers of one size, and no booleans.
"""

from typing import Any

from psycopg import Connection, adapt
from psycopg.pq import Format
from psycopg.types.numeric import Int8BinaryDumper, Int8Dumper, NumericBinaryLoader
from psycopg.types.string import StrDumperUnknown


class _Flag(adapt.Dumper):
    """Sends a boolean without a type: where a number is stored, as SQLite does, it is 1 or 0."""

    oid = 0

    def dump(self, obj: Any) -> bytes:
        return b"1" if obj else b"0"


class _Truth(adapt.Loader):
    """Reads a boolean as SQLite gives it: 1 or 0."""

    format = Format.BINARY

    def load(self, data: Any) -> int:
        return 1 if bytes(data) == b"\x01" else 0


class _Sum(NumericBinaryLoader):
    """Reads a sum: of whole numbers it is one, of others a float."""

    def load(self, data: Any) -> Any:
        number = super().load(data)
        return float(number) if number % 1 else int(number)


def adapt_types(connection: "Connection[Any]") -> None:
    """Let a connection send and read values as SQLite's does."""
    adapters = connection.adapters
    # The last one that is registered is used.
    adapters.register_dumper(int, Int8Dumper)
    adapters.register_dumper(int, Int8BinaryDumper)
    adapters.register_dumper(bool, _Flag)
    adapters.register_dumper(str, StrDumperUnknown)
    adapters.register_loader("bool", _Truth)
    adapters.register_loader("numeric", _Sum)
