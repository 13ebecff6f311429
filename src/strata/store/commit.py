"""The only place that writes versions: one commit, its hash, and the projections."""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any

import msgspec

from strata.base import limits
from strata.base.checks import check_text
from strata.base.digests import digest
from strata.base.errors import LimitExceeded
from strata.sql import Row, digest_of_rows
from strata.store.record import DELETED, NOW, Address, StagedChange, packed
from strata.store.store import Store

NO_HASH = b""


class Header(msgspec.Struct, frozen=True):
    """Who did what and why. `actor` is the text of a Signature.

    `second` is the point a merge took in: (branch, version). An imported commit has only the hash
    of that point, which is not in this store.
    """

    operation: str
    actor: str | None = None
    message: str | None = None
    second: tuple[int, int] | None = None
    second_hash: bytes | None = None


class Slot(msgspec.Struct, frozen=True):
    """Where the next commit of a branch goes, read under the write lock."""

    branch: int
    first: int
    timestamp: int
    previous_hash: bytes


class Receipt(msgspec.Struct, frozen=True):
    """A commit that is on its way: its versions are first..version, in staged order."""

    version: int
    first: int
    timestamp: int
    hash: bytes
    keyspaces: tuple[tuple[str, str], ...] = ()  # those the catalog has not cached yet
    new_words: frozenset[str] = frozenset()
    epoch: int = 0  # of the indexer, when it was asked for the words


class Tips(msgspec.Struct):
    """The newest commits as one connection saw them, so that a put need not look again.

    Kept on the connection, and right in the state that is remembered with them.
    """

    state: int
    version: int
    by_branch: dict[int, tuple[int, bytes]]
    # Whether no other process wrote between our last two commits. While others do, a put that tries
    # its luck without the lock would mostly wait for it twice.
    is_calm: bool = False


def open_slot(store: Store, branch: int) -> Slot:
    """Find number, time and previous hash for the next commit; the lock must be held."""
    connection = store.connection()
    tips = connection.memo
    if not isinstance(tips, Tips) or tips.state != connection.state():
        version = connection.look().version
        tips = connection.memo = Tips(connection.state(), version, {})
    else:
        tips.is_calm = True
    if branch not in tips.by_branch:
        tips.by_branch[branch] = visible_tip(store, branch, NOW)[1:]
    return _next_slot(store, tips, branch)


def _next_slot(store: Store, tips: Tips, branch: int) -> Slot:
    time, hash_ = tips.by_branch[branch]
    # Strictly growing times on a branch let a time be turned into a version by bisection.
    return Slot(branch, tips.version + 1, max(store.clock(), time + 1), hash_)


def write_alone(
    store: Store, branch: int, change: StagedChange, *, header: Header
) -> Receipt | None:
    """Commit one plain change by one statement, if nothing has moved since we last looked.

    The statement guards itself: the number it takes is free only while no other process has
    written, and it writes nothing when branches have changed. None means that the caller
    must take the lock and look again. Measured: two thirds of a locked put.
    """
    if store.database.appends:
        return _append(store, branch, change, header=header)
    connection = store.connection()
    # Read before anything is compared with it: every purge moves it, and the statement asks.
    generation = store.catalog.generation
    tips = connection.memo
    if not isinstance(tips, Tips) or not tips.is_calm or branch not in tips.by_branch:
        return None
    # A keyspace is made under the lock only; two processes might make the same one.
    if connection.in_transaction or (change.space, change.kind) not in store.catalog.keyspaces:
        return None
    if change.kind in store.projected:
        return None
    slot = _next_slot(store, tips, branch)
    if not store.knows_words(change):
        return None
    rows, entries, _keyspaces = _rows(store, slot, (change,))
    hash_ = commit_hash(slot.previous_hash, slot.timestamp, commit_body(header, NO_HASH, entries))
    row = (*rows[0], header.actor, header.operation, header.message, hash_, generation)
    if store.database.write_alone(store.queries.insert_lone_version, row) is None:
        tips.is_calm = False
        return None
    receipt = Receipt(slot.first, slot.first, slot.timestamp, hash_)
    connection.seen = connection.state()
    _remember(store, receipt, branch)
    return receipt


def _append(store: Store, branch: int, change: StagedChange, *, header: Header) -> Receipt | None:
    """Commit one plain change by one statement, which numbers, dates and chains it.

    None means that branches or what is known of words have changed, and that the caller must take
    the lock and look again.
    """
    connection = store.connection()
    generation, text = store.catalog.generation, change.text
    is_known = (change.space, change.kind) in store.catalog.keyspaces
    if connection.in_transaction or not is_known or change.kind in store.projected:
        return None
    if not store.is_current_on_words(change):
        return None
    rows, entries, _keyspaces = _rows(store, Slot(branch, 0, store.clock(), NO_HASH), (change,))
    words = frozenset[str]() if text is None else frozenset(text.new_words)
    values = (
        *rows[0][1:],
        header.actor,
        header.operation,
        header.message,
        commit_body(header, NO_HASH, entries),
        generation,
        msgspec.json.encode(sorted(words)).decode(),
    )
    state = connection.state()
    written = store.database.write_alone(store.queries.append_version, values)
    if written is None:
        return None
    if connection.seen == state and connection.state() == state + 1:
        connection.seen = state + 1  # no other commit came in between
    version, timestamp, hash_ = written
    connection.memo = Tips(connection.state(), version, {branch: (timestamp, hash_)})
    if words and store.indexer is not None:
        store.indexer.remember(words, 0 if text is None else text.epoch)
    if store.after_commit is not None:
        store.after_commit()
    return Receipt(version, version, timestamp, hash_)


def visible_tip(store: Store, branch: int, bound: int) -> tuple[int, int, bytes]:
    """Return version, time and hash of the newest commit visible at a point."""
    row = store.connection().row(store.queries.visible_tip, (branch, bound))
    return (0, 0, NO_HASH) if row is None else (row[0], row[1], row[2])


def write_commit(
    store: Store,
    slot: Slot,
    *,
    changes: Sequence[StagedChange],
    header: Header,
    seal: bytes | None = None,
) -> Receipt:
    """Write versions, projections and the commit row; the caller commits.

    An imported commit brings the hash that it was checked against as its `seal`.
    """
    if header.actor is not None or header.message is not None:
        check_header(header)
    assert changes, "a commit writes at least one version"
    if len(changes) > limits.ITEMS_MAX:
        raise LimitExceeded(
            f"One commit may hold {limits.ITEMS_MAX:,} changes; this one has {len(changes):,}.",
            hint="Write in several calls.",
            limit=limits.ITEMS_MAX,
            size=len(changes),
        )
    store.forget_removed_words()
    changes = store.all_indexed(changes)
    rows, entries, keyspaces = _rows(store, slot, changes)
    declared = None
    if any(change.tags or change.attributes or change.links for change in changes):
        declared = _write_projections(store, changes, rows)
    second_branch, second_version = header.second or (None, None)
    hash_ = seal or commit_hash(
        slot.previous_hash,
        slot.timestamp,
        commit_body(header, header.second_hash or NO_HASH, entries),
    )
    words = frozenset(
        word for change in changes if change.text is not None for word in change.text.new_words
    )
    if words:
        insert_words(store, words)
    noted = (header.actor, header.operation, header.message)
    second = (second_branch, second_version, header.second_hash)
    insert_versions(store, rows, (slot.first, *noted, *second, hash_, declared))
    if store.projector is not None and slot.branch == store.default_branch:
        shown = [change for change in changes if change.kind in store.projected]
        if shown:
            store.projector.project(store, shown)
    if store.database.hints is not None and store.joiner is not None:
        # Pages that show a document wait for it.
        kinds = store.joiner.shows
        if any(one.kind in kinds for one in changes):
            store.connection().hint()
    epoch = 0 if store.indexer is None else store.indexer.epoch
    last = slot.first + len(rows) - 1
    return Receipt(last, slot.first, slot.timestamp, hash_, keyspaces, words, epoch)


def insert_versions(store: Store, rows: Sequence[Row], commit: Row) -> None:
    """Write the rows of a commit; what is noted of the commit itself is in its last row."""
    connection, statement = store.connection(), store.queries.insert_version
    last = (*rows[-1], *commit)
    if len(rows) == 1:
        connection.run(statement, last)
    else:
        blank = (None,) * len(commit)
        padded = [(*row, *blank) for row in rows[:-1]]
        connection.write_versions(statement, [*padded, last])


def _rows(
    store: Store, slot: Slot, changes: Sequence[StagedChange]
) -> tuple[list[tuple[Any, ...]], list[bytes], tuple[tuple[str, str], ...]]:
    """Build the rows of `versions` and what the commit's hash covers of each."""
    rows: list[tuple[Any, ...]] = []
    entries: list[bytes] = []
    known = store.catalog.keyspaces
    unknown: dict[tuple[str, str], int] = {}
    branch, timestamp, number = slot.branch, slot.timestamp, slot.first
    for change in changes:
        space, kind, key, data, flags, meta = (
            change.space,
            change.kind,
            change.key,
            change.data,
            change.flags,
            change.meta,
        )
        keyspace = known.get((space, kind)) or unknown.get((space, kind))
        if keyspace is None:
            keyspace = unknown[space, kind] = keyspace_for(store, space, kind)
        content = digest(data, meta)
        if len(data) >= limits.COMPRESS_BYTES_MIN:
            flags, data = packed(data, flags)
        stored = None if flags & DELETED else data
        text = None if change.text is None else change.text.data
        rows.append((number, branch, keyspace, key, flags, timestamp, meta, content, stored, text))
        entries.append(hash_entry((space, kind, key), flags, content))
        number += 1
    return rows, entries, tuple(unknown)


def _write_projections(
    store: Store, changes: Sequence[StagedChange], rows: list[tuple[Any, ...]]
) -> bytes | None:
    """Write tags, attributes and links of the changes that declare any; return their digest."""
    queries, connection = store.queries, store.connection()
    pairs = [(change, row[0], row[2]) for change, row in zip(changes, rows, strict=True)]
    tags = [(tag, number) for change, number, _keyspace in pairs for tag in change.tags]
    attributes = [
        (keyspace, name, value, number)
        for change, number, keyspace in pairs
        for name, value in change.attributes
    ]
    links = [
        (number, type_, target)
        for change, number, _keyspace in pairs
        for type_, target in change.links
    ]
    for statement, declared in (
        (queries.insert_item_tag, tags),
        (queries.insert_attribute, attributes),
        (queries.insert_link, links),
    ):
        if declared:
            connection.run_many(statement, declared)
    return digest_of_rows(
        [
            *(("tag", number, 0, tag, "") for tag, number in tags),
            *(
                ("attribute", number, keyspace, name, value)
                for keyspace, name, value, number in attributes
            ),
            *(("link", number, 0, type_, target) for number, type_, target in links),
        ]
    )


def insert_words(store: Store, words: Iterable[str]) -> None:
    """Note words of texts that the store may not know yet."""
    store.connection().run_many(store.queries.insert_word, [(word,) for word in words])


def keyspace_for(store: Store, space: str, kind: str) -> int:
    """Return the number of a keyspace, making it at the first write."""
    connection = store.connection()
    keyspace = store.catalog.keyspace(space, kind, connection)
    if keyspace is None:
        row = connection.row(store.queries.insert_keyspace, (space, kind))
        assert row is not None, "INSERT … RETURNING gave no row"
        keyspace = row[0]
    return keyspace


def hash_entry(address: Address, flags: int, content: bytes) -> bytes:
    """Return what a commit's hash covers of one version.

    Only what survives trimming and erasure is in it, and nothing that is local to one
    store, so that a branch has the same hash wherever it is imported. NUL separates,
    because no name and no key holds one.
    """
    sign = "-" if flags & DELETED else "+"
    space, kind, key = address
    return f"{space}\0{kind}\0{key}\0{sign}".encode() + content


def commit_body(header: Header, second_hash: bytes, entries: Iterable[bytes]) -> bytes:
    """Return the digest of what a commit says, whenever it is made and whatever it follows."""
    head = msgspec.json.encode((header.actor, header.operation, header.message, second_hash.hex()))
    return sha256(b"\n".join((head, *entries))).digest()


def commit_hash(previous: bytes, timestamp: int, body: bytes) -> bytes:
    """Return the hash of a commit, which seals all commits before it on its branch.

    Time and previous hash come last, so that a database can number, date and chain a commit in
    one statement that takes the body as it is.
    """
    return sha256(previous + timestamp.to_bytes(8, "big", signed=True) + body).digest()


def check_header(header: Header) -> None:
    """Refuse an actor or message that is no text or too long."""
    _check_note("actor", header.actor, limits.SIGNATURE_CHARACTERS_MAX)
    _check_note("message", header.message, limits.MESSAGE_CHARACTERS_MAX)


def _check_note(name: str, text: object, limit: int) -> None:
    if text is not None:
        text = check_text(text, name=name)
        if len(text) > limit:
            raise LimitExceeded(
                f"The {name} has {len(text):,} characters; the limit is {limit:,}.",
                limit=limit,
                size=len(text),
            )


def finish(store: Store, receipt: Receipt, branch: int) -> None:
    """Make a written commit durable and remember it as the newest."""
    connection = store.connection()
    # Our own commit is noticed too. If there was no other since the last look, we know all there
    # is to know.
    is_known = connection.state() == connection.seen
    store.database.finish_writing(connection, keep=True)
    if is_known:
        connection.seen = connection.state()
    _remember(store, receipt, branch)
    if receipt.new_words and store.indexer is not None:
        store.indexer.remember(receipt.new_words, receipt.epoch)
    for space, kind in receipt.keyspaces:
        store.catalog.keyspace(space, kind, connection)


def _remember(store: Store, receipt: Receipt, branch: int) -> None:
    """Note a commit that was just made durable as the newest one, and tell who follows."""
    connection = store.connection()
    tips = connection.memo
    if isinstance(tips, Tips):
        tips.state = connection.state()
        tips.version = receipt.version
        tips.by_branch[branch] = (receipt.timestamp, receipt.hash)
    if store.after_commit is not None:
        store.after_commit()
