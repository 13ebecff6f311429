"""Proving that documents are what was written: the log gives the text, and sections fit it."""

from collections import Counter
from collections.abc import Callable, Iterator

import msgspec

from strata.base.errors import StrataError, TooOld
from strata.documents.log import entries_of, find_head, load
from strata.documents.markdown import sections
from strata.documents.records import (
    BEHIND,
    DOCUMENT,
    SECTION,
    SNAPSHOT,
    SPACE,
    TEXT,
    find_card,
    text_hash,
)
from strata.documents.sections import cut, stored_pieces
from strata.documents.text import Replica
from strata.documents.writing import is_behind
from strata.sql import Read
from strata.store import GONE, TRIMMED, Snapshot, Store
from strata.upkeep import Problem, Progress


def document_problems(store: Store, progress: Progress, *, limit: int | None) -> Iterator[Problem]:
    """Yield what is wrong with documents: of the newest ones, or without a limit of all.

    Without a limit the whole log of each is replayed too, so that snapshots are proved by it.
    """
    found = list(_newest(store))
    checked = found[:limit]
    for done, (version, document, snapshot) in enumerate(checked, 1):
        with store.connection().together(_reads_of(snapshot, document)):
            reasons = list(_reasons(snapshot, document, is_full=limit is None))
        place = f"on branch {snapshot.branch!r}"
        for reason in reasons:
            yield Problem("document", f"Document {document} {place}: {reason}", version)
        progress("documents", done, len(checked))


def _reads_of(snapshot: Snapshot, document: str) -> Iterator[Read]:
    """Yield what is read of a document to check it, but for its rows."""
    kinds = (DOCUMENT, TEXT, SNAPSHOT, BEHIND)
    yield from snapshot.reads_of((SPACE, kind, document) for kind in kinds)
    yield from snapshot.reads_of_items(SPACE, SECTION, [f"{document}/"])


def _newest(store: Store) -> list[tuple[int, str, Snapshot]]:
    """Return every text that a branch shows, each once, the newest first."""
    found: dict[int, tuple[int, str, Snapshot]] = {}
    for branch in store.catalog.all():
        # One that was forked after this check began is not to be seen here.
        if branch.deleted is None and store.catalog.find(branch.name, store.connection()):
            snapshot = Snapshot(store, branch.name)
            for document, version in snapshot.keys(SPACE, TEXT):
                found.setdefault(version, (version, document, snapshot))
    return [found[version] for version in sorted(found, reverse=True)]


def _reasons(snapshot: Snapshot, document: str, *, is_full: bool) -> Iterator[str]:
    """Yield what is wrong with one document, as far as it can be read."""
    checks: list[Callable[[Snapshot, str], str | None]] = [_card, _text, _sections]
    for check in [*checks, _replay] if is_full else checks:
        try:
            reason = check(snapshot, document)
        except TooOld:
            reason = None  # retention has dropped it, as it was told to
        except StrataError as error:
            reason = error.message
        except (msgspec.MsgspecError, ValueError, KeyError, TypeError) as error:
            reason = f"something cannot be read: {error}"
        if reason is not None:
            yield reason


def _card(snapshot: Snapshot, document: str) -> str | None:
    return None if find_card(snapshot, document) else "there is a text, but no title."


def _text(snapshot: Snapshot, document: str) -> str | None:
    head, text = find_head(snapshot, document), load(snapshot, document).text.encode()
    assert head is not None, "a text that is listed has a newest row"
    same = head.hash == text_hash(text) and head.bytes == len(text)
    return None if same else "its log does not give the text that was written."


def _sections(snapshot: Snapshot, document: str) -> str | None:
    if is_behind(snapshot, document):
        return None  # written live: what follows from it is yet to come
    text = load(snapshot, document).text
    expected = Counter((piece.path, piece.text) for piece in cut(text, sections(text))[1])
    stored = Counter((piece.path, piece.text) for piece in stored_pieces(snapshot, document))
    return None if stored == expected else "what search knows of it does not fit its text."


def _replay(snapshot: Snapshot, document: str) -> str | None:
    """Compare a text with what its rows give from the very first; some may be trimmed."""
    rows = snapshot.history(SPACE, TEXT, document)
    gone = next((index for index, row in enumerate(rows) if row[2] & GONE), len(rows))
    life = rows[:gone]
    if any(row[2] & TRIMMED for row in life):
        return None
    replica = Replica(entry.update for row in reversed(life) for entry in entries_of(row))
    same = replica.text == load(snapshot, document).text
    return None if same else "a snapshot is not what the rows below it give."
