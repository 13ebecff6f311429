"""Taking over a store from before the first release, with all that it holds.

Tables are copied as they are. Commits get the hashes of today's format, one after the other, and
each is first compared with the hash that it had.
"""

import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import msgspec

from strata.base.errors import DamagedStore, NotAllowed
from strata.base.results import Result
from strata.exchange.place import view_of
from strata.sql import copy_tables, earlier_store, seal_tables
from strata.store import (
    NO_HASH,
    Header,
    Store,
    commit_body,
    commit_hash,
    damaged,
    hash_entry,
    insert_versions,
    onward,
    short_hash_of,
    visible_tip,
)
from strata.upkeep import Progress
from strata.workspace import Workspace

_PAGE = 1000


class StoreImport(Result, frozen=True):
    """What was taken over from an earlier store."""

    path: Path
    branches: int
    commits: int
    versions: int
    documents: int
    users: int


class _Commit(msgspec.Struct, frozen=True, array_like=True):
    version: int
    branch: int
    timestamp: int
    first: int
    actor: str | None
    operation: str
    message: str | None
    second_branch: int | None
    second_version: int | None
    second_hash: bytes | None
    hash: bytes
    declared: bytes | None


def import_store(
    db: Workspace, path: str | os.PathLike[str], *, progress: Progress | None = None
) -> StoreImport:
    """Take a store from before version 0.1.0 over into a new one: all of it, or nothing.

    History, branches, documents, users and their tokens come with it, under the same numbers.
    The earlier file is not changed. A damaged one is refused.
    """
    view = view_of(db)
    view.check_writable()
    store = view.store
    report: Progress = progress or (lambda _stage, _done, _total: None)
    with earlier_store(store.connection(), Path(path)), store.writing() as connection:
        row = connection.row(store.queries.is_untouched)
        if row is None or not row[0]:
            raise NotAllowed(
                "An earlier store can only be taken over into a new one, and this one is in use.",
                hint="Name a file that does not exist yet as the new store.",
            )
        copy_tables(connection)
        _HistoryImport(store, report).run()
        seal_tables(connection)
        _prove(db, progress)
    store.look()
    info = db.info()
    return StoreImport(
        path=Path(path),
        branches=info.branches,
        commits=info.commits,
        versions=info.versions,
        documents=info.documents,
        users=len(db.users.list()),
    )


def _prove(db: Workspace, progress: Progress | None) -> None:
    found = db.verify(progress=progress)
    if not found.ok:
        raise DamagedStore(
            f"The store is damaged: {found.problems[0].message}",
            hint="Nothing was taken over. Take over a backup instead.",
            problems=[problem.message for problem in found.problems[:20]],
        )


class _HistoryImport:
    """Writes the commits of the attached store anew, oldest first."""

    def __init__(self, store: Store, report: Progress) -> None:
        self._store = store
        self._connection = store.connection()
        self._queries = store.queries
        self._report = report
        keyspaces = store.catalog.all_keyspaces(self._connection)
        self._keyspaces = {number: (space, kind) for number, space, kind in keyspaces}
        # By branch: the hash of its newest commit so far, as it was and as it is now.
        self._tips: dict[int, tuple[bytes, bytes]] = {}
        # Some commits name another one by the beginning of its hash.
        rows = self._connection.rows(self._queries.earlier_references)
        self._named = {operation.partition(" ")[2] for (operation,) in rows}
        self._renamed: dict[str, str] = {}

    def run(self) -> None:
        """Write all commits."""
        row = self._connection.row(self._queries.earlier_last_version)
        total = (row[0] if row else 0) or 0
        for number, commit in enumerate(self._commits(), 1):
            self._write(commit)
            if number % 200 == 0 or commit.version == total:
                self._report("history", commit.version, total)

    def _commits(self) -> Iterator[_Commit]:
        after = 0
        while rows := self._connection.rows(self._queries.earlier_commits, (after, _PAGE)):
            after = onward(rows[-1][0], after)
            try:
                yield from msgspec.convert(rows, list[_Commit])
            except msgspec.ValidationError as error:
                raise damaged(after) from error

    def _write(self, commit: _Commit) -> None:
        span = (commit.first, commit.version)
        rows = self._connection.rows(self._queries.earlier_versions, span)
        was, previous = self._tips.get(commit.branch) or self._fork(commit.branch)
        entries = [
            hash_entry((*self._keyspaces.get(row[2], ("", "")), row[3]), row[4], row[7])
            for row in rows
        ]
        if not rows or _earlier_hash(was, commit, entries) != commit.hash:
            raise DamagedStore(
                f"Commit {commit.version} does not have the hash it was written with.",
                hint="Nothing was taken over. Take over a backup instead.",
                version=commit.version,
            )
        operation = self._operation(commit.operation)
        second_hash = commit.second_hash
        if commit.second_branch is not None and commit.second_version is not None:
            point = (commit.second_branch, commit.second_version)
            second_hash = visible_tip(self._store, *point)[2]
        header = Header(operation, commit.actor, commit.message)
        body = commit_body(header, second_hash or NO_HASH, entries)
        hash_ = commit_hash(previous, commit.timestamp, body)
        noted = (commit.actor, operation, commit.message)
        second = (commit.second_branch, commit.second_version, second_hash)
        insert_versions(self._store, rows, (commit.first, *noted, *second, hash_, commit.declared))
        self._tips[commit.branch] = (commit.hash, hash_)
        if short_hash_of(commit.hash) in self._named:
            self._renamed[short_hash_of(commit.hash)] = short_hash_of(hash_)

    def _fork(self, branch: int) -> tuple[bytes, bytes]:
        """Return the hashes that the first commit of a branch follows."""
        for place in self._store.lineage(branch)[1:]:
            row = self._connection.row(self._queries.earlier_tip, place)
            if row is not None:
                return row[0], visible_tip(self._store, *place)[2]
        return NO_HASH, NO_HASH

    def _operation(self, operation: str) -> str:
        verb, space, name = operation.partition(" ")
        return f"{verb}{space}{self._renamed.get(name, name)}"


def _earlier_hash(previous: bytes, commit: _Commit, entries: list[bytes]) -> bytes:
    """Return the hash that a commit had before the first release."""
    second = (commit.second_hash or NO_HASH).hex()
    head = (commit.timestamp, commit.actor, commit.operation, commit.message, second)
    return sha256(b"\n".join((previous, msgspec.json.encode(head), *entries))).digest()
