"""Finding and reading a database of MAMA, whatever its version."""

import os
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path

import msgspec

from strata.base.errors import NotFound, Unusable
from strata.sql import BrokenText, ForeignRow, ForeignTable, read_foreign

PROGRAM = "mama"
DECISIONS, EDGES, CHECKPOINTS = "decisions", "decision_edges", "checkpoints"
SESSIONS, PATTERNS, KEPT = "sessions", "error_patterns", "strata_kept"
VERSIONS = "schema_version"
VECTOR_ROWS, VECTOR_CHUNKS = "vss_memories_rowids", "vss_memories_vector_chunks00"
# What becomes a memory or a link. Any of them may be missing, but not all.
MEMORIES = (DECISIONS, CHECKPOINTS, SESSIONS, PATTERNS)
TABLES = (*MEMORIES, EDGES, KEPT, VERSIONS, VECTOR_ROWS, VECTOR_CHUNKS)
_INNER = ("sqlite_", "vss_memories")
_ENVIRONMENT = ("MAMA_DB_PATH", "MAMA_DATABASE_PATH")
_PLACES = ("~/.spinelift/memories.db", "~/.claude/mama-memory.db")


class MamaSource(msgspec.Struct, frozen=True):
    """The rows of one database as of one moment, and a digest of them."""

    path: Path
    tables: dict[str, ForeignTable]
    others: dict[str, int]
    digest: str

    def rows(self, table: str) -> tuple[ForeignRow, ...]:
        """Return the rows of a table; none where there is no such table."""
        found = self.tables.get(table)
        return found.rows if found is not None else ()

    @property
    def version(self) -> int:
        """The newest migration that the file has seen; 0 if it does not say."""
        numbers = [row.values.get("version") for row in self.rows(VERSIONS)]
        return max((number for number in numbers if isinstance(number, int)), default=0)

    @property
    def counts(self) -> dict[str, int]:
        """How many rows each table holds that becomes memories or links."""
        return {name: len(self.rows(name)) for name in (*MEMORIES, EDGES) if name in self.tables}


def find_mama(environment: Mapping[str, str] | None = None) -> Path:
    """Return the database that MAMA itself would open, or raise NotFound."""
    known = os.environ if environment is None else environment
    home = known.get("HOME") or str(Path.home())
    named = [known[name] for name in _ENVIRONMENT if known.get(name)]
    places = [
        Path(place.replace("${HOME}", home).replace("~", home, 1) if place[:1] in "~$" else place)
        for place in (*named, *_PLACES)
    ]
    for place in places:
        if place.is_file():
            return place
    raise NotFound(
        f"There is no database of MAMA at {', '.join(map(str, places))}.",
        hint="Name the file, or set MAMA_DB_PATH.",
        places=[str(place) for place in places],
    )


def read_source(path: Path) -> MamaSource:
    """Read everything at once; raise NotFound or Unusable for what is no database of MAMA."""
    if not path.exists():
        raise NotFound(f"There is no file {path}.", hint="Check the path.", path=str(path))
    found = read_foreign(path, TABLES, program=PROGRAM)
    if not found.tables.keys() & {DECISIONS, CHECKPOINTS}:
        raise Unusable(
            f"{path} is no database of MAMA: it has neither decisions nor checkpoints.",
            hint="Check the path; nothing was changed.",
            path=str(path),
        )
    others = {
        name: count for name, count in found.others.items() if count and not name.startswith(_INNER)
    }
    return MamaSource(path, found.tables, others, _digest(found.tables))


def _digest(tables: Mapping[str, ForeignTable]) -> str:
    """Return what tells two states of a database apart, wherever its pages lie."""
    total = blake2b(digest_size=16)
    for name in sorted(tables):
        table = tables[name]
        total.update(msgspec.msgpack.encode((name, table.columns)))
        for row in table.rows:
            total.update(msgspec.msgpack.encode((row.number, row.values), enc_hook=_bytes_of))
    return total.hexdigest()


def _bytes_of(value: object) -> bytes:
    assert isinstance(value, BrokenText), f"SQLite gave {type(value)}"
    return value.data
