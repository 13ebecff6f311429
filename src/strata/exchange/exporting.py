"""Writing a branch to a file: complete under its name, or not there at all."""

import os
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from strata.base import clock
from strata.base.errors import Damaged, InvalidArgument, SpaceNotFound
from strata.exchange.markdown import MarkdownWriter
from strata.exchange.outcome import Export, MissingValue
from strata.exchange.place import pinned, view_of, whole_file
from strata.exchange.records import (
    FORMAT,
    FORMAT_VERSION,
    KINDS,
    HeaderRecord,
    Record,
    as_json,
    kind_of,
)
from strata.exchange.source import JSONL, MARKDOWN
from strata.exchange.walk import ExportSelection, count_present, present, readable, versions
from strata.store import GUARDED, View
from strata.upkeep import Progress
from strata.workspace import Workspace

_REPORT_EVERY = 500
_MARKDOWN_ENDINGS = (".md", ".markdown")


def format_of(path: Path | None) -> str:
    """Return the format that the ending of a name chooses."""
    is_markdown = path is not None and path.suffix.lower() in _MARKDOWN_ENDINGS
    return MARKDOWN if is_markdown else JSONL


def export_jsonl(
    db: Workspace,
    path: str | os.PathLike[str] | BinaryIO,
    *,
    history: bool = False,
    space: str | None = None,
    prefix: str = "",
    kinds: Iterable[str] = (),
    force: bool = False,
    skip_damaged: bool = False,
    progress: Progress | None = None,
) -> Export:
    """Write facts, documents, cells and events as JSON Lines, to a file or an open stream.

    The first line is a header, every other line one record. It is the state that the
    workspace shows, of one space or all; with `history` every version of it, commit by
    commit. `prefix` chooses keys, `kinds` some of kv, json, state and event. The texts of
    `db.documents` are not among them: those have rights, and a folder of files suits them.
    With `skip_damaged` values that are not what was written are left out, and the result lists
    them, instead of failing.

    >>> from strata.exchange import export_jsonl
    >>> _ = db.kv.put("greeting", "안녕", tags=["demo"])
    >>> export_jsonl(db, folder / "all.jsonl").records
    {'kv': 1}
    """
    wanted = _selection(db, space=space, prefix=prefix, kinds=kinds)
    writer = _JsonLines([] if skip_damaged else None)
    return _export(db, path, wanted, writer=writer, history=history, force=force, report=progress)


def export_markdown(
    db: Workspace,
    path: str | os.PathLike[str] | BinaryIO,
    *,
    history: bool = False,
    space: str | None = None,
    prefix: str = "",
    kinds: Iterable[str] = (),
    force: bool = False,
    skip_damaged: bool = False,
    progress: Progress | None = None,
) -> Export:
    """Write the same as `export_jsonl` for people to read; it can be imported all the same.

    >>> from strata.exchange import export_markdown
    >>> _ = db.kv.put("greeting", "안녕")
    >>> export_markdown(db, folder / "all.md").records
    {'kv': 1}
    """
    wanted = _selection(db, space=space, prefix=prefix, kinds=kinds)
    writer = _Markdown([] if skip_damaged else None)
    return _export(db, path, wanted, writer=writer, history=history, force=force, report=progress)


class _JsonLines:
    """One line a record; `damaged` gathers what cannot be one."""

    format = JSONL

    def __init__(self, damaged: list[MissingValue] | None) -> None:
        self.damaged = damaged

    def header(self, header: HeaderRecord) -> bytes:
        """Return the first line."""
        return as_json(header) + b"\n"

    def record(self, record: Record) -> bytes:
        """Return a line."""
        return as_json(record) + b"\n"


class _Markdown:
    """Headings, notes and fences."""

    format = MARKDOWN

    def __init__(self, damaged: list[MissingValue] | None) -> None:
        self.damaged = damaged
        self._writer = MarkdownWriter()

    def header(self, header: HeaderRecord) -> bytes:
        """Return the beginning."""
        return self._writer.header(header).encode()

    def record(self, record: Record) -> bytes:
        """Return the exported form of a record."""
        return self._writer.record(record).encode()


def _selection(
    db: Workspace, *, space: str | None, prefix: str, kinds: Iterable[str]
) -> ExportSelection:
    chosen = tuple(dict.fromkeys(kinds))
    unknown = [kind for kind in chosen if kind not in KINDS]
    if unknown:
        raise InvalidArgument(
            f"{unknown[0]!r} is no kind that can be exported.",
            hint=f"Use {', '.join(KINDS)}.",
            parameter="kinds",
        )
    if space is not None and not db.spaces.exists(space):
        raise SpaceNotFound(
            f"There is no space {space!r}.", hint="`db.spaces.list()` lists them.", space=space
        )
    return ExportSelection(space, prefix, chosen)


def _export(
    db: Workspace,
    path: str | os.PathLike[str] | BinaryIO,
    wanted: ExportSelection,
    *,
    writer: _JsonLines | _Markdown,
    history: bool,
    force: bool,
    report: Progress | None,
) -> Export:
    here = pinned(db)
    view = view_of(here)
    place = Path(path) if isinstance(path, (str, os.PathLike)) else None
    counts: Counter[str] = Counter()
    with _target(path, force=force) as file:
        file.write(writer.header(_header(here, wanted, history=history)))
        records = _records(view, wanted, writer.damaged, history=history)
        for record in _with_progress(view, wanted, records, history=history, report=report):
            file.write(writer.record(record))
            counts[kind_of(record)] += 1
    assert here.as_of is not None, "a pinned view knows its moment"
    return Export(
        place,
        writer.format,
        here.branch,
        here.as_of.version,
        history,
        dict(counts),
        _left_out(view, wanted) if not writer.damaged else (),
        tuple(writer.damaged or ()),
    )


def _header(here: Workspace, wanted: ExportSelection, *, history: bool) -> HeaderRecord:
    assert here.as_of is not None, "a pinned view knows its moment"
    return HeaderRecord(
        FORMAT,
        FORMAT_VERSION,
        branch=here.branch,
        version=here.as_of.version,
        time=clock.iso(here.as_of.timestamp),
        history=history,
        space=wanted.space,
        prefix=wanted.prefix,
        kinds=wanted.kinds,
    )


def _records(
    view: View, wanted: ExportSelection, damaged: list[MissingValue] | None, *, history: bool
) -> Iterator[Record]:
    if history:
        return versions(view, wanted, damaged=damaged)
    return present(view, wanted) if damaged is None else readable(view, wanted, damaged)


def _with_progress(
    view: View,
    wanted: ExportSelection,
    records: Iterator[Record],
    *,
    history: bool,
    report: Progress | None,
) -> Iterator[Record]:
    """Yield the records, telling from time to time how far it is."""
    if report is None:
        yield from records
        return
    total = view.store.last_version() if history else _count(view, wanted)
    for count, record in enumerate(records, 1):
        yield record
        if count % _REPORT_EVERY == 0:
            done = record.version if history else count
            report("versions" if history else "records", done, total)


def _count(view: View, wanted: ExportSelection) -> int:
    try:
        return count_present(view, wanted)
    except Damaged:  # how far it is cannot be told then
        return 0


def _left_out(view: View, wanted: ExportSelection) -> tuple[str, ...]:
    here = (
        # Documents are made of several kinds, which mean nothing to a reader of this file.
        "documents" if kind in GUARDED else kind
        for space, kind in view.snapshot.kinds()
        if space and kind not in KINDS and wanted.space in (None, space)
    )
    return tuple(sorted(set(here))) if not wanted.kinds else ()


@contextmanager
def _target(path: str | os.PathLike[str] | BinaryIO, *, force: bool) -> Generator[BinaryIO]:
    """Give the stream itself, or a file that gets its name when it is complete."""
    if not isinstance(path, (str, os.PathLike)):
        yield path
        return
    with whole_file(Path(path), force=force) as part, part.open("r+b") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())
