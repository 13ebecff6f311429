"""What exports and imports tell about what they did."""

from pathlib import Path

import msgspec

from strata.exchange.lines import Flaw

# Reports name the first of many; the counts are whole.
NAMED_MAX = 100


class MissingValue(msgspec.Struct, frozen=True):
    """A value that could not be read and is not in an export; without a key if that is lost too."""

    reason: str
    version: int = 0
    space: str = ""
    kind: str = ""
    key: str = ""


class Export(msgspec.Struct, frozen=True):
    """What was written: how many records of each kind, and of which state."""

    path: Path | None
    format: str
    branch: str
    version: int
    history: bool
    records: dict[str, int]
    # Kinds that are there and that these formats do not hold.
    left_out: tuple[str, ...] = ()
    # What is damaged, and was skipped because the caller asked for that.
    damaged: tuple[MissingValue, ...] = ()


class Clash(msgspec.Struct, frozen=True):
    """A key that holds another value than the file."""

    line: int
    space: str
    kind: str
    key: str


class Secret(msgspec.Struct, frozen=True):
    """The place of something that looks like a secret; never the secret itself."""

    line: int
    space: str
    key: str
    path: str
    kind: str


class Import(msgspec.Struct, frozen=True):
    """What was taken in, or with `preview` would be.

    `written` counts by kind; `unchanged` was here already, `skipped` was left as it is here,
    `replaced` and `deleted` are part of what was written. The lists name the first hundred.
    """

    path: str
    format: str
    branch: str
    preview: bool
    commits: int
    version: int | None
    written: dict[str, int]
    unchanged: int
    replaced: int
    deleted: int
    skipped: int
    unreadable: int
    conflicts: tuple[Clash, ...]
    conflict_count: int
    flaws: tuple[Flaw, ...]
    flaw_count: int
    secrets: tuple[Secret, ...]
    secret_count: int
