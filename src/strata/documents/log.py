"""The update log of a document: one key whose every version is one row.

A row holds the updates that one commit brought, each with its author, so that a merge and a
batch of live edits are rows like any other. The history of the key, through the branch's
ancestors, is the log: a fork copies nothing, and any version can be read as of its time. What a
row shows depends on its own number only, because a reader who sees it sees all that is before it.
"""

from collections.abc import Iterable, Sequence
from typing import TypeVar

import msgspec

from strata.base import limits
from strata.documents.records import SNAPSHOT, SPACE, TEXT, text_hash
from strata.documents.text import AuthorRun, Replica, blame, blame_and_state
from strata.store import (
    BINARY,
    COMPRESSED,
    GONE,
    Record,
    Snapshot,
    StagedChange,
    Transaction,
    damaged,
    decompress,
    meta_of,
    packed,
    plain,
)

T = TypeVar("T")
# A follower of a log asks for its last rows again and again.
_FEW_ROWS = 16


class LogEntry(msgspec.Struct, frozen=True, array_like=True):
    """One update: who made it, through which agent, from which replica, and when."""

    update: bytes
    author: str
    via: str | None
    client: int
    time: int


class LogHead(msgspec.Struct, frozen=True):
    """What is noted beside the newest row. `rows` and `pending` count since the snapshot."""

    version: int
    timestamp: int
    rows: int
    pending: int
    bytes: int
    hash: str
    operation: str


class PreparedSnapshot(msgspec.Struct, frozen=True):
    """A snapshot that was made beside the commits, and the newest row whose text it holds."""

    head: LogHead
    change: StagedChange


class _State(msgspec.Struct, frozen=True, array_like=True):
    """A snapshot: the whole state, and who wrote what of its text."""

    update: bytes
    runs: list[AuthorRun]


def head_of(record: Record) -> LogHead:
    """Return what a row says about the text behind it."""
    meta = meta_of(record)
    try:
        return LogHead(
            record[0],
            record[1],
            meta["rows"],
            meta["pending"],
            meta["bytes"],
            meta["hash"],
            meta["op"],
        )
    except KeyError as error:
        raise damaged(record[0]) from error


def find_head(snapshot: Snapshot, document: str) -> LogHead | None:
    """Return the newest row's notes, or None for a document that is not on this branch."""
    record = snapshot.get(SPACE, TEXT, document)
    return None if record is None or record[2] & GONE else head_of(record)


def entries_of(record: Record) -> list[LogEntry]:
    """Return the updates of a row."""
    return _unpacked(record, list[LogEntry])


def rows_after(snapshot: Snapshot, document: str, version: int) -> list[Record]:
    """Return the rows newer than a version, oldest first; a removal is a row too."""
    page = _FEW_ROWS
    while True:
        rows = snapshot.history(SPACE, TEXT, document, limit=page)
        found = [row for row in rows if row[0] > version]
        if len(rows) < page or len(found) < len(rows):
            return found[::-1]
        page *= 8


def entries_after(snapshot: Snapshot, document: str, version: int) -> list[LogEntry]:
    """Return the updates newer than a version; of a document that came back, those since then."""
    rows = rows_after(snapshot, document, version)
    first = max((at for at, row in enumerate(rows, 1) if row[2] & GONE), default=0)
    return [entry for row in rows[first:] for entry in entries_of(row)]


def load(snapshot: Snapshot, document: str) -> Replica:
    """Return a replica of a document as a snapshot shows it."""
    base, rows = _parts(snapshot, document)
    updates = [entry.update for row in rows for entry in entries_of(row)]
    return Replica(updates, state=base.update if base else None)


def prove_snapshot(record: Record) -> None:
    """Check a snapshot from an untrusted source; raise for what is none.

    What this program has written is loaded without a look, so nothing else may be among it.
    """
    Replica([_unpacked(record, _State).update])


def authors(snapshot: Snapshot, document: str) -> list[AuthorRun]:
    """Return who wrote what of a document's text."""
    base, rows = _parts(snapshot, document)
    return _replayed(base, rows)


def prepare_snapshot(snapshot: Snapshot, document: str) -> PreparedSnapshot | None:
    """Make a snapshot for a row to come, which counts the rows behind `head`; None if too long."""
    base, rows = _parts(snapshot, document)
    if not rows:
        return None
    entries = [entry for row in rows for entry in entries_of(row)]
    runs, state = (base.runs, base.update) if base else ([], None)
    runs, state = blame_and_state(runs, state, entries)
    data = msgspec.msgpack.encode(_State(state, runs))
    if len(data) >= limits.VALUE_BYTES_MAX:
        return None
    return PreparedSnapshot(head_of(rows[-1]), _binary(SNAPSHOT, document, data))


def _replayed(base: _State | None, rows: Iterable[Record], *more: LogEntry) -> list[AuthorRun]:
    entries = [entry for row in rows for entry in entries_of(row)]
    runs, state = (base.runs, base.update) if base else ([], None)
    return blame(runs, state, [*entries, *more])


def _parts(snapshot: Snapshot, document: str) -> tuple[_State | None, list[Record]]:
    """Return the newest snapshot and the rows behind it, oldest first."""
    # A row that another process adds between these reads would push out the oldest one.
    with snapshot.reading():
        head = find_head(snapshot, document)
        if head is None:
            return None, []
        rows = snapshot.history(SPACE, TEXT, document, limit=max(head.rows, 1))
        record = snapshot.get(SPACE, SNAPSHOT, document)
    base = None if record is None or record[2] & GONE else _unpacked(record, _State)
    return base, rows[::-1]


def row_of(
    snapshot: Snapshot,
    document: str,
    entries: Sequence[LogEntry],
    *,
    before: LogHead | None,
    replica: Replica,
    operation: str,
    may_wait: bool = False,
    prepared: PreparedSnapshot | None = None,
) -> list[StagedChange]:
    """Return the changes that append a row: it comes last, after a snapshot if one is due.

    `before` is the newest row so far. `replica` has taken the entries over already. A snapshot that
    may wait is left to a later row. One that is prepared is written now; its row counts the rows
    that are not in it.
    """
    if isinstance(snapshot, Transaction) and snapshot.is_staged(SPACE, TEXT, document):
        before, earlier = _staged_before(snapshot, document)
        entries = [*earlier, *entries]
        # A snapshot comes ahead of its row, so it cannot follow one that is staged already.
        may_wait = True
    rows, pending = (before.rows, before.pending) if before else (0, 0)
    rows, pending = rows + 1, pending + sum(len(entry.update) for entry in entries)
    text = replica.data
    size = len(text)
    changes: list[StagedChange] = []
    if prepared is not None:
        changes.append(prepared.change)
        rows, pending = rows - prepared.head.rows, pending - prepared.head.pending
    elif not may_wait and _is_due(rows, pending, size=size):
        base, known = _parts(snapshot, document)
        state = msgspec.msgpack.encode(_State(replica.state(), _replayed(base, known, *entries)))
        if len(state) < limits.VALUE_BYTES_MAX:
            # Ahead of its row, so that a reader who sees the row sees the snapshot too.
            changes.append(_binary(SNAPSHOT, document, state))
            rows = pending = 0
    notes = {
        "rows": rows,
        "pending": pending,
        "bytes": size,
        "hash": text_hash(text),
        "op": operation,
    }
    # The owner of a client's id.
    clients = dict.fromkeys(("client", str(entry.client)) for entry in entries)
    row = msgspec.structs.replace(
        _binary(TEXT, document, msgspec.msgpack.encode(entries)),
        meta=msgspec.json.encode(notes),
        attributes=tuple(clients),
    )
    return [*changes, row]


def _staged_before(
    transaction: Transaction, document: str
) -> tuple[LogHead | None, list[LogEntry]]:
    """Return the newest row that is in the store, and what the transaction has written behind it.

    A commit writes one row: a transaction that edits a text again adds to the row it has staged.
    """
    staged, *stored = transaction.history(SPACE, TEXT, document, limit=2)
    begins = not stored or stored[0][2] & GONE or transaction.is_staged(SPACE, SNAPSHOT, document)
    return (None if begins else head_of(stored[0])), entries_of(staged)


def is_snapshot_due(head: LogHead, *, times: int = 1) -> bool:
    """Tell whether so much has gathered behind the snapshot, or so many times as much."""
    return _is_due(head.rows // times, head.pending // times, size=head.bytes)


def _is_due(rows: int, pending: int, *, size: int) -> bool:
    """Tell whether reading rows has become dearer than writing a snapshot."""
    few, many = limits.DOCUMENT_SNAPSHOT_ROWS_MIN, limits.DOCUMENT_SNAPSHOT_ROWS
    least = limits.DOCUMENT_SNAPSHOT_BYTES_MIN
    return rows >= many or (rows >= few and pending > max(least, size))


def _binary(kind: str, key: str, data: bytes) -> StagedChange:
    """Return a change whose bytes are no JSON; the first one tells whether they are packed."""
    flags, body = packed(data, 0)
    return StagedChange(SPACE, kind, key, bytes([flags & COMPRESSED]) + body, BINARY)


def _unpacked(record: Record, type_: type[T]) -> T:
    data = plain(record)
    try:
        body = decompress(data[1:]) if data[0] & COMPRESSED else data[1:]
        return msgspec.msgpack.decode(body, type=type_)
    except (ValueError, IndexError, msgspec.MsgspecError) as error:
        raise damaged(record[0]) from error
