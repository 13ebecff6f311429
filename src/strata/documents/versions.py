"""The past of a document: its versions, what changed between them, and who wrote what."""

import re
from collections.abc import Iterable, Iterator
from difflib import unified_diff

import msgspec

from strata.base import limits
from strata.base.errors import InvalidArgument, NotFound
from strata.base.results import TimedResult
from strata.base.values import encode
from strata.documents.log import authors, entries_of, find_head, head_of, load
from strata.documents.records import NAMED, SPACE, TEXT
from strata.documents.text import clocks_of
from strata.store import (
    GONE,
    NOW,
    TRIMMED,
    Record,
    Remembered,
    Snapshot,
    StagedChange,
    Store,
    check_name,
    value_of,
)

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_NO_END = "\n\\ No newline at end of text\n"


class DocumentVersion(TimedResult, frozen=True, kw_only=True):
    """A state that a document has had. `authors` are ids; `name` is given by users.

    What was typed live without a pause is one version; `edits` counts the commits it came in.
    """

    version: int
    timestamp: int
    authors: tuple[str, ...]
    via: tuple[str, ...]
    operation: str
    bytes: int
    name: str | None = None
    edits: int = 1
    started: int = 0


class BlamedLine(TimedResult, frozen=True):
    """A line of the text, and who last wrote something of it."""

    text: str
    author: str
    via: str | None
    timestamp: int


class CharacterOrigin(TimedResult, frozen=True):
    """The version in which a character came into a text, its author, and the agent that wrote."""

    version: int
    author: str
    via: str | None
    timestamp: int


class RecentTexts:
    """Texts that were read last, by version: what a version shows never changes."""

    def __init__(self, store: Store) -> None:
        self._texts: Remembered[int, str] = Remembered(
            store, size=len, size_max=limits.TEXTS_CHARACTERS_MAX
        )

    def read(self, snapshot: Snapshot, document: str) -> tuple[int, str] | None:
        """Return version and text of a document of a snapshot, or None."""
        epoch = self.epoch
        with snapshot.reading():
            head = find_head(snapshot, document)
            if head is None:
                return None
            text = self._texts.get(head.version)
            if text is None:
                text = load(snapshot, document).text
                if head.version:  # none is known yet of what a transaction has staged
                    self.keep(head.version, text, epoch)
        return head.version, text

    @property
    def epoch(self) -> int:
        """How often all of them were dropped: what was read before is not kept any more."""
        return self._texts.epoch

    def keep(self, version: int, text: str, epoch: int) -> None:
        """Remember what a version shows, unless values were erased since it was read."""
        self._texts.keep(version, text, epoch)


def history(
    snapshot: Snapshot, document: str, *, limit: int, before: int | None = None
) -> list[DocumentVersion]:
    """Return the versions of a document, newest first; those that come before one, if named."""
    names = {version: name for name, version in named(snapshot, document).items()}
    if before is not None:
        bound = min(before, snapshot.bound)
        snapshot = Snapshot(snapshot.store, snapshot.branch, bound, branch_id=snapshot.branch_id)
    page = min(limit + 1, NOW)
    while True:
        rows = snapshot.history(SPACE, TEXT, document, limit=page)
        readable = (row for row in rows if not row[2] & (GONE | TRIMMED))
        versions = (_version_of(row, names.get(row[0])) for row in readable)
        # The one that is named may have been typed live, in rows that belong to it.
        found = [one for one in _joined(versions) if one.version != before]
        # The last one may go on in rows that were not read.
        if len(found) > limit or len(rows) < page:
            return found[:limit]
        page = min(8 * page + 1, NOW)


def _joined(shown: Iterable[DocumentVersion]) -> Iterator[DocumentVersion]:
    """Join what was typed live without a pause; the newest of it gives the number."""
    last: DocumentVersion | None = None
    for one in shown:
        if last is not None and _goes_on(one, last):
            last = msgspec.structs.replace(
                last,
                authors=tuple(dict.fromkeys((*last.authors, *one.authors))),
                via=tuple(dict.fromkeys((*last.via, *one.via))),
                edits=last.edits + one.edits,
                started=one.started,
            )
            continue
        if last is not None:
            yield last
        last = one
    if last is not None:
        yield last


def _goes_on(earlier: DocumentVersion, later: DocumentVersion) -> bool:
    """Tell whether a user typed on live without a pause."""
    is_live = earlier.operation == later.operation == "live" and earlier.name is None
    return is_live and later.started - earlier.timestamp < limits.LIVE_PAUSE_S * 1_000_000


def _version_of(row: Record, name: str | None) -> DocumentVersion:
    head, entries = head_of(row), entries_of(row)
    return DocumentVersion(
        version=row[0],
        timestamp=row[1],
        operation=head.operation,
        bytes=head.bytes,
        name=name,
        started=row[1],
        authors=tuple(dict.fromkeys(entry.author for entry in entries)),
        via=tuple(dict.fromkeys(entry.via for entry in entries if entry.via)),
    )


def at_version(snapshot: Snapshot, document: str, version: int | str) -> Snapshot:
    """Return where a document's version, by number or name, can be read."""
    number = named(snapshot, document).get(version) if isinstance(version, str) else version
    if isinstance(version, str) and number is None and version.isdigit():
        number = int(version)
    # Behind what a transaction has staged, which has no number yet.
    newest = max((row[0] for row in snapshot.history(SPACE, TEXT, document, limit=2)), default=0)
    if number is None or not 1 <= number <= newest:
        raise no_version(document, version)
    there = Snapshot(snapshot.store, snapshot.branch, number)
    if find_head(there, document) is None:
        raise no_version(document, version)
    return there


def no_version(document: str, version: int | str) -> NotFound:
    """Return the error for a version that a document does not have here."""
    return NotFound(
        f"The document {document!r} has no version {version!r} on this branch.",
        hint=f"`db.documents.history({document!r})` lists its versions.",
        version=version,
    )


def difference(a: str, b: str, *, names: tuple[str, str]) -> str:
    """Return what turns one text into another, line by line, as git shows it."""
    lines = unified_diff(_lines(a), _lines(b), *names, n=3)
    return "".join(line if line.endswith("\n") else f"{line}{_NO_END}" for line in lines)


def _lines(text: str) -> list[str]:
    """Return lines with their ends. Only a line feed ends one, whatever else Unicode has."""
    return _LINE.findall(text)


def blamed(snapshot: Snapshot, document: str, text: str) -> list[BlamedLine]:
    """Return the lines of a text, each with the last user who wrote in it."""
    lines: list[BlamedLine] = []
    runs = iter(authors(snapshot, document))
    run, left = next(runs, None), 0
    left = run.length if run else 0
    for line in _lines(text):
        needed, newest = len(line), None
        while needed and run is not None:
            newest = run if newest is None or run.time > newest.time else newest
            taken = min(needed, left)
            needed, left = needed - taken, left - taken
            if not left:
                run = next(runs, None)
                left = run.length if run else 0
        assert newest is not None, "the runs are as long as the text"
        lines.append(BlamedLine(line, newest.author, newest.via, newest.time))
    return lines


def origin_of(
    snapshot: Snapshot, document: str, *, client: int, clock: int
) -> CharacterOrigin | None:
    """Return where a character came from, by its Yjs id; None for one that never was here."""
    rows = snapshot.history(SPACE, TEXT, document, limit=NOW)
    # The first update that reaches so far brought it: later ones may repeat what is known.
    for row in (row for row in reversed(rows) if not row[2] & (GONE | TRIMMED)):
        for entry in entries_of(row):
            if clocks_of(entry.update).get(client, 0) > clock:
                return CharacterOrigin(row[0], entry.author, entry.via, entry.time)
    return None


def named(snapshot: Snapshot, document: str) -> dict[str, int]:
    """Return the versions that users have named."""
    prefix = f"{document}/"
    return {
        key.removeprefix(prefix): msgspec.convert(value_of(record), dict[str, int])["version"]
        for key, record in snapshot.items(SPACE, NAMED, prefix)
    }


def change_of_name(document: str, name: str, version: int) -> StagedChange:
    """Return the change that names a version."""
    check_name(name, what="version")
    if name.isdigit():
        raise InvalidArgument(
            "The name of a version cannot be a number.", hint="Add a word to it.", parameter="name"
        )
    return StagedChange(SPACE, NAMED, f"{document}/{name}", encode({"version": version}))
