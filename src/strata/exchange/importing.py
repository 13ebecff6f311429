"""Importing a file into a branch."""

import os
from typing import BinaryIO

from strata.exchange.outcome import Import
from strata.exchange.place import view_of
from strata.exchange.record_import import (
    BranchMoved,
    ImportOptions,
    OnConflict,
    PreviewEnd,
    RecordImport,
    check_options,
)
from strata.exchange.source import Source, opened
from strata.store import View
from strata.upkeep import Progress
from strata.workspace import Workspace

_ATTEMPTS = 3


def import_file(
    db: Workspace,
    path: str | os.PathLike[str] | BinaryIO,
    *,
    space: str | None = None,
    on_conflict: OnConflict = "fail",
    preview: bool = False,
    lenient: bool = False,
    mask_secrets: bool = False,
    progress: Progress | None = None,
) -> Import:
    """Take a file into the branch of a workspace: all of it, or nothing.

    The content tells what it is: an export of Strata, the memory server's file or an export
    of mem0. What is here already is not written again. Keys that hold another value are
    refused, or with `on_conflict` left as they are ("skip") or written ("replace"). `lenient`
    leaves out lines that cannot be read and lists them; `preview` changes nothing. One commit
    takes 100,000 values; what is larger, and each step of a history, is a commit of its own.
    Secrets are listed, and kept unless `mask_secrets` is set.

    >>> from strata.exchange import export_jsonl, import_file
    >>> _ = db.kv.put("greeting", "안녕")
    >>> _ = export_jsonl(db, folder / "all.jsonl")
    >>> _ = db.branches.create_empty("copy")
    >>> import_file(db.on("copy"), folder / "all.jsonl").written
    {'kv': 1}
    >>> import_file(db.on("copy"), folder / "all.jsonl").unchanged
    1
    """
    options = ImportOptions(space, on_conflict, preview, lenient, mask_secrets)
    check_options(options)
    view = view_of(db)
    if not preview or db.as_of is not None:
        view.check_writable()
    with opened(path) as source:
        found = _import_source(view, source, options, progress=progress)
    if view.store.after_commit is not None and found.version:
        view.store.after_commit()
    return found


def _import_source(
    view: View, source: Source, options: ImportOptions, *, progress: Progress | None
) -> Import:
    """Import a file; where others keep writing, with the lock from the beginning."""
    for attempt in range(_ATTEMPTS):
        is_last = attempt == _ATTEMPTS - 1
        try:
            return RecordImport(view, source, options).run(progress, locked=is_last)
        except BranchMoved:
            continue
        except PreviewEnd as end:
            return end.found
    raise AssertionError("no other process writes while the lock is held")
