"""What an import from MAMA, and the way back, tell about what they did."""

from pathlib import Path

import msgspec

from strata.decisions import LinkType


class RowWarning(msgspec.Struct, frozen=True):
    """Something in a row that could not be taken as it is, by the row's id."""

    table: str
    id: str
    what: str


class SplitTopic(msgspec.Struct, frozen=True):
    """A topic with more than one current decision."""

    topic: str
    ids: tuple[str, ...]


class FoundSecret(msgspec.Struct, frozen=True):
    """The place of something that looks like a secret; never the secret itself."""

    id: str
    path: str
    kind: str


class LinkCount(msgspec.Struct, frozen=True):
    """How many links of a type there are: from the file, and found by the backfill."""

    link_type: LinkType
    links: int = 0
    suggestions: int = 0
    backfilled: int = 0
    backfilled_suggestions: int = 0


class MamaImport(msgspec.Struct, frozen=True, kw_only=True):
    """What was taken in, or with `preview` would be.

    `rows` counts what the file holds by table; every row that can be read became a memory or
    a link, or is named in `warnings`. `written` counts memories and links that were new or
    changed. `conflicts` are topics with two current decisions, `same_topics` spellings that
    mean one topic. `clashes` were changed here and in the file; here they stay as they are.
    `not_taken` are tables of other kinds.
    """

    path: Path
    schema_version: int
    digest: str
    branch: str
    import_branch: str
    backfill: str
    preview: bool
    rows: dict[str, int]
    memories: dict[str, int]
    links: tuple[LinkCount, ...]
    vectors: int
    written: int
    unchanged: int
    commits: int
    version: int | None
    warnings: tuple[RowWarning, ...]
    conflicts: tuple[SplitTopic, ...]
    same_topics: tuple[tuple[str, ...], ...]
    clashes: tuple[str, ...]
    not_taken: dict[str, int]
    secrets: tuple[FoundSecret, ...]


class LeftBehind(msgspec.Struct, frozen=True):
    """Something that MAMA 1.0 has no place for."""

    id: str
    what: str


class MamaExport(msgspec.Struct, frozen=True, kw_only=True):
    """What was written: rows by table, and what MAMA 1.0 will not show."""

    path: Path
    branch: str
    version: int
    rows: dict[str, int]
    left_behind: tuple[LeftBehind, ...]
