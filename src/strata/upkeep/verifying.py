"""Verify: walking every hash chain and recomputing what can be recomputed.

Everything is read from the file itself, in one snapshot: what a process remembers of
branches and keyspaces may be older, or may hide the very damage that is looked for.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

import msgspec

from strata.base.digests import digest
from strata.base.errors import Damaged, NotAStore
from strata.base.results import Result
from strata.base.values import decode
from strata.sql import Connection, Read, Row, declared, read_of_declared
from strata.store import (
    BINARY,
    COMPRESSED,
    DEFAULT_BRANCH,
    DELETED,
    ERASED,
    EVENT,
    NO_HASH,
    NOW,
    TRIMMED,
    Header,
    Point,
    Store,
    branch_rows,
    commit_body,
    commit_hash,
    commit_rows,
    decompress,
    event_hash,
    event_key,
    hash_entry,
    lineage_rows,
    onward,
    read_of_version_rows,
    read_of_visible,
    row_digest,
    setting_rows,
    tag_rows,
    tip_row,
    version_rows,
    visible_record,
    wrong_checkpoints,
)
from strata.upkeep.reindexing import EntryOf
from strata.upkeep.retention import Progress

_PAGE = 1000
# So many commits are read at once, unless they have more versions than that.
_AT_ONCE = 100
_VERSIONS_AT_ONCE = 1000
_GONE = ERASED | TRIMMED
_FLAGS = DELETED | TRIMMED | ERASED | COMPRESSED | BINARY
# The kinds whose values are not JSON.
_BINARY_KINDS = frozenset({"vector", "text", "snapshot"})
_EITHER_KINDS = frozenset({"blob"})  # bytes, or where they are
# What reading a damaged row may raise: SQLite's own finding, text that is no UTF-8, JSON
# that cannot be read, a number where text was. NotAStore is what a broken header gives.
_UNREADABLE = (Damaged, NotAStore, msgspec.MsgspecError, ValueError)
# Wrong entries of the text index that are named one by one.
_NAMED_MAX = 20
_REINDEX = "Nothing is lost: `strata reindex` makes it anew from the values."


class Problem(Result, frozen=True):
    """Something that is not as it was written; `version` is 0 where none can be named."""

    kind: str
    message: str
    version: int = 0


class Verification(Result, frozen=True):
    """The result of a full check, and what it covered."""

    ok: bool
    problems: tuple[Problem, ...]
    commits: int
    versions: int
    erased: int
    trimmed: int


class _Branch(msgspec.Struct, frozen=True, array_like=True):
    id: int
    name: str
    parent: int | None
    fork_version: int | None
    created: int
    deleted: int | None
    actor: str | None
    metadata: str | None
    digest: bytes


class _Tag(msgspec.Struct, frozen=True, array_like=True):
    name: str
    branch: int
    version: int
    timestamp: int
    actor: str | None
    message: str | None
    digest: bytes


class _Setting(msgspec.Struct, frozen=True, array_like=True):
    name: str
    value: str
    digest: bytes


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


class _Version(msgspec.Struct, frozen=True, array_like=True):
    version: int
    timestamp: int
    flags: int
    value: bytes | None
    meta: bytes | None
    branch: int
    keyspace: int
    key: str
    digest: bytes


class _Before(msgspec.Struct, frozen=True, array_like=True):
    version: int
    timestamp: int
    flags: int
    value: bytes | None
    meta: bytes | None


class _Walk:
    """Counts and problems so far, and what the file says of branches and keyspaces."""

    def __init__(self, store: Store, connection: Connection, progress: Progress | None) -> None:
        self.entry: EntryOf | None = None
        self.store = store
        self.queries = store.queries
        self.connection = connection
        self.progress: Progress = progress or (lambda _stage, _done, _total: None)
        self.problems: list[Problem] = []
        self.commits = self.versions = self.erased = self.trimmed = 0
        self.total = self.declared = 0
        # Words of the texts, as far as they were read.
        self.words: set[str] = set()
        self.branches: dict[int, _Branch] = {}
        self.lineages: dict[int, list[tuple[int, int]]] = {}
        self.keyspaces: dict[int, tuple[str, str]] = {}

    def report(self, kind: str, message: str, version: int = 0) -> None:
        """Note a problem."""
        self.problems.append(Problem(kind, message, version))

    def advance(self) -> None:
        """Count a commit and report progress."""
        self.commits += 1
        if self.commits % 500 == 0 or self.commits == self.total:
            self.progress("commits", self.commits, self.total)

    def tip(self, branch: int, bound: int) -> tuple[int, int, bytes]:
        """Return version, time and hash of the newest commit visible at a point."""
        for ancestor, upto in self.lineages.get(branch, []):
            found = tip_row(self.store, ancestor, min(upto, bound))
            if found is not None:
                return msgspec.convert(found, tuple[int, int, bytes])
        return 0, 0, NO_HASH


def verify(
    store: Store,
    *,
    entry: EntryOf | None = None,
    more: Callable[[Progress], Iterable[Problem]] | None = None,
    progress: Progress | None = None,
) -> Verification:
    """Check the file, every commit's hash, every value's digest and every event chain.

    With `entry` also the text index: what it holds of a version must be what its value gives.
    `more` are checks of packages that know what values mean, made where these can be read.
    """
    with store.database.reading() as connection:
        walk = _Walk(store, connection, progress)
        walk.entry = entry
        for check in _CHECKS if entry is None else (*_CHECKS, _check_index):
            _guarded(walk, check)
        # Damaged data may crash code that interprets it.
        if more is not None and all(one.kind in ("index", "table") for one in walk.problems):
            _guarded(walk, lambda walk: walk.problems.extend(more(walk.progress)))
    return Verification(
        ok=not walk.problems,
        problems=tuple(walk.problems),
        commits=walk.commits,
        versions=walk.versions,
        erased=walk.erased,
        trimmed=walk.trimmed,
    )


def _guarded(walk: _Walk, check: Callable[[_Walk], None]) -> None:
    """Run a check; what it cannot read is a problem, not the end of the verification."""
    try:
        check(walk)
    except _UNREADABLE as error:
        reason = getattr(error, "message", None) or f"A row cannot be read: {error}."
        walk.report("file", reason)


def _check_file(walk: _Walk) -> None:
    walk.progress("file", 0, 1)
    for finding in walk.store.database.problems():
        walk.report("file", finding)
    walk.progress("file", 1, 1)


def _load(walk: _Walk) -> None:
    store = walk.store
    walk.total = _count(walk, walk.queries.count_commits)
    keyspaces = store.catalog.all_keyspaces(walk.connection)
    for number, space, kind in msgspec.convert(keyspaces, list[tuple[int, str, str]]):
        walk.keyspaces[number] = (space, kind)
    for branch in msgspec.convert(branch_rows(store), list[_Branch]):
        walk.branches[branch.id] = branch
        lineage = lineage_rows(store, branch.id)
        walk.lineages[branch.id] = msgspec.convert(lineage, list[tuple[int, int]])


def _check_branches(walk: _Walk) -> None:
    names = {branch.name for branch in walk.branches.values() if branch.deleted is None}
    if DEFAULT_BRANCH not in names:
        walk.report("branch", f"The branch {DEFAULT_BRANCH!r} is missing.")
    for branch in walk.branches.values():
        _check_row(walk, branch, ("branch", branch.name))
        _check_lineage(walk, branch)
        _guarded(walk, lambda walk, branch=branch: _check_history(walk, branch))


def _check_history(walk: _Walk, branch: _Branch) -> None:
    previous, time = NO_HASH, 0
    if branch.parent is not None:
        _version, time, previous = walk.tip(branch.parent, branch.fork_version or 0)
    for commits in _groups(_commits(walk, branch.id)):
        together = walk.connection.together
        with together(_reads_of(walk, commits)), together(_reads_of_chains(walk, commits)):
            for commit in commits:
                _check_commit(walk, commit, previous, later_than=time)
                previous, time = commit.hash, commit.timestamp


def _groups(commits: Iterable[_Commit]) -> Iterator[list[_Commit]]:
    """Yield commits by groups, each of which a database sends at once."""
    group: list[_Commit] = []
    versions = 0
    for commit in commits:
        versions += commit.version - commit.first + 1
        if group and (len(group) == _AT_ONCE or versions > _VERSIONS_AT_ONCE):
            yield group
            group, versions = [], commit.version - commit.first + 1
        group.append(commit)
    if group:
        yield group


def _reads_of(walk: _Walk, commits: Iterable[_Commit]) -> Iterator[Read]:
    """Yield what is read of commits to check them."""
    for commit in commits:
        yield read_of_version_rows(walk.store, commit.first, commit.version)
        yield read_of_declared(walk.connection.dialect, commit.first, commit.version)
        yield walk.queries.declared_digest, (commit.version,)


def _reads_of_chains(walk: _Walk, commits: Iterable[_Commit]) -> Iterator[Read]:
    """Yield what is read of the events before those of commits, whose versions have come."""
    for commit in commits:
        for row in version_rows(walk.store, commit.first, commit.version):
            branch, keyspace, key = row[5:8]
            is_event = walk.keyspaces.get(keyspace, ("", ""))[1] == EVENT and key.isdecimal()
            if is_event and not row[2] & DELETED and int(key) > 1:
                place = (keyspace, event_key(int(key) - 1))
                yield read_of_visible(walk.store, Point(branch, row[0]), place)


def _check_lineage(walk: _Walk, branch: _Branch) -> None:
    """A branch sees itself whole, and of its ancestors what its parent saw at the fork."""
    expected = [(branch.id, NOW)]
    if branch.parent is not None:
        bound = branch.fork_version or 0
        seen = walk.lineages.get(branch.parent, [])
        expected += [(ancestor, min(upto, bound)) for ancestor, upto in seen]
    if walk.lineages.get(branch.id) != expected:
        walk.report("lineage", f"The ancestors of branch {branch.name!r} are wrong.")


def _commits(walk: _Walk, branch: int) -> Iterator[_Commit]:
    after = 0
    while True:
        rows = commit_rows(walk.store, branch, after=after, most=_PAGE)
        page = msgspec.convert(rows, list[_Commit])
        yield from page
        if len(page) < _PAGE:
            return
        after = onward(page[-1].version, after)


def _check_commit(walk: _Walk, commit: _Commit, previous: bytes, *, later_than: int) -> None:
    if commit.timestamp <= later_than:
        message = f"Commit {commit.version} is not later than the one before."
        walk.report("commit", message, commit.version)
    rows = version_rows(walk.store, commit.first, commit.version)
    versions = msgspec.convert(rows, list[_Version])
    if len(versions) != commit.version - commit.first + 1:
        walk.report("commit", f"Commit {commit.version} misses versions.", commit.version)
    entries = [_check_version(walk, version, commit) for version in versions]
    header = Header(commit.operation, commit.actor, commit.message)
    body = commit_body(header, commit.second_hash or NO_HASH, entries)
    if commit_hash(previous, commit.timestamp, body) != commit.hash:
        message = f"Commit {commit.version} does not have the hash it was written with."
        walk.report("commit", message, commit.version)
    _check_second_parent(walk, commit)
    _check_declared(walk, commit)
    walk.advance()


def _check_declared(walk: _Walk, commit: _Commit) -> None:
    """Tags, attributes and links are covered by a digest beside the commit's hash."""
    count, found = declared(walk.connection, commit.first, commit.version)
    walk.declared += count
    stored = walk.connection.row(walk.queries.declared_digest, (commit.version,))
    if stored is None or found != stored[0]:
        message = (
            f"The rows of commit {commit.version} in the tables 'attributes', 'item_tags' or "
            "'links' are not what was written."
        )
        walk.report("table", message, commit.version)


def _check_second_parent(walk: _Walk, commit: _Commit) -> None:
    """A merge names the point it took in; an imported one knows only its hash."""
    branch, version = commit.second_branch, commit.second_version
    if branch is None and version is None:
        return
    found, _time, sealed = walk.tip(branch or 0, version or 0)
    if (found, sealed) != (version, commit.second_hash or NO_HASH):
        message = f"Commit {commit.version} names another second parent than it merged."
        walk.report("commit", message, commit.version)


def _check_version(walk: _Walk, version: _Version, commit: _Commit) -> bytes:
    """Check one version; return what the commit's hash covers of it."""
    walk.versions += 1
    walk.erased += bool(version.flags & ERASED)
    walk.trimmed += bool(version.flags & TRIMMED)
    if version.branch != commit.branch or version.timestamp != commit.timestamp:
        message = f"Version {version.version} does not fit its commit."
        walk.report("version", message, version.version)
    space, kind = walk.keyspaces.get(version.keyspace, ("", ""))
    if not kind:
        message = f"Version {version.version} has a space and kind that do not exist."
        walk.report("version", message, version.version)
    _check_marks(walk, version, kind)
    if not version.flags & _GONE:
        _check_value(walk, version, (space, kind))
    return hash_entry((space, kind, version.key), version.flags, version.digest)


def _check_marks(walk: _Walk, version: _Version, kind: str) -> None:
    """Marks and bytes must agree: what is gone has no value, and only vectors are binary."""
    flags = version.flags
    is_empty = bool(flags & (DELETED | _GONE))
    is_binary = kind in _BINARY_KINDS and not is_empty
    agree = (
        not flags & ~_FLAGS
        and flags & _GONE != _GONE
        and is_empty == (version.value is None)
        and (is_empty or kind in _EITHER_KINDS or is_binary == bool(flags & BINARY))
    )
    if not agree:
        message = f"The marks of version {version.version} do not fit what it holds."
        walk.report("version", message, version.version)


def _check_value(walk: _Walk, version: _Version, place: tuple[str, str]) -> None:
    space, kind = place
    data = _plain(version)
    if data is None or digest(data, version.meta) != version.digest:
        message = (
            f"The value of version {version.version} ({space}/{kind}/{version.key}) "
            "is not what was written."
        )
        walk.report("value", message, version.version)
    elif kind == EVENT and not version.flags & DELETED:
        _check_event(walk, version, space, data=data)


def _plain(version: _Version) -> bytes | None:
    if version.flags & DELETED:
        return b""
    if version.value is None:
        return None
    try:
        return decompress(version.value) if version.flags & COMPRESSED else version.value
    except (ValueError, MemoryError):  # a damaged frame may claim any size
        return None


def _check_event(walk: _Walk, version: _Version, space: str, *, data: bytes) -> None:
    """An event's hash continues the one before; its type and time are in its meta."""
    meta = _meta(version.meta)
    sequence, previous = int(version.key), ""
    if sequence > 1:
        point = Point(version.branch, version.version)
        found = visible_record(walk.store, point, (version.keyspace, event_key(sequence - 1)))
        before = msgspec.convert(found, _Before | None)
        previous = None if before is None else _meta(before.meta).get("hash")
        if before is not None and before.flags & DELETED:
            return  # its space was deleted; the commit's own hash still covers this event
    if previous is None or meta.get("hash") != event_hash(
        previous, data, type_=meta.get("type", ""), id_=meta.get("id", "")
    ):
        message = f"Event {sequence} in space {space!r} does not continue its chain."
        walk.report("event", message, version.version)


def _meta(data: bytes | None) -> dict[str, Any]:
    """Return what a kind noted beside a value; nothing where the bytes are no such note."""
    try:
        found = decode(data or b"{}")
    except msgspec.DecodeError:
        return {}
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def _check_totals(walk: _Walk) -> None:
    """Every version belongs to exactly one commit, and every lineage to a branch."""
    stored = _count(walk, walk.queries.count_versions)
    if stored != walk.versions:
        walk.report("version", f"{stored} versions are stored, {walk.versions} are in commits.")
    if stored != (newest := walk.store.last_version()):
        walk.report("version", f"{stored} versions are stored, and the newest is {newest}.")
    if walk.total != walk.commits:
        walk.report("commit", f"{walk.total} commits are stored, {walk.commits} are on branches.")


def _check_counts(walk: _Walk) -> None:
    """Numbers of keys and commits follow from the versions, where these are right."""
    if not walk.problems:
        for version in wrong_checkpoints(walk.store):
            tables = "'counts', 'count_checkpoints' or 'text_counts'"
            message = f"The numbers in {tables} are wrong at version {version}."
            walk.report("table", f"{message} {_REINDEX}")


def _check_rows(walk: _Walk) -> None:
    """What no commit covers is covered by the digests of whole tables."""
    walk.progress("tables", 0, 1)
    for name, found, stored in walk.store.database.wrong_tables():
        rows = "" if found == stored else f": {found:,} rows, and {stored:,} were written"
        walk.report("table", f"The table {name!r} is not what was written{rows}.")
    stored = _count(walk, walk.queries.count_declared)
    if stored != walk.declared:
        walk.report(
            "table",
            f"The tables 'attributes', 'item_tags' and 'links' have {stored:,} rows, and "
            f"{walk.declared:,} belong to commits.",
        )
    walk.progress("tables", 1, 1)


def _check_tags(walk: _Walk) -> None:
    """A tag names a commit that its branch shows, with the time of that commit."""
    for tag in msgspec.convert(tag_rows(walk.store), list[_Tag]):
        found, time, _hash = walk.tip(tag.branch, tag.version)
        if (found, time) != (tag.version, tag.timestamp):
            message = f"The tag {tag.name!r} does not name a commit of its branch."
            walk.report("tag", message, tag.version)
        _check_row(walk, tag, ("tag", tag.name))


def _check_settings(walk: _Walk) -> None:
    for setting in msgspec.convert(setting_rows(walk.store), list[_Setting]):
        _check_row(walk, setting, ("setting", setting.name))


def _check_index(walk: _Walk) -> None:
    """No commit covers the text index, but it follows from the values."""
    wrong = after = 0
    # Of a value that is damaged itself, nothing can be made anew.
    damaged = {problem.version for problem in walk.problems}
    while rows := walk.connection.rows(walk.queries.entries_after, (after, _PAGE)):
        after = onward(rows[-1][0], after)
        for row in rows:
            is_known = row[9] is None or row[0] in damaged
            if not is_known and not _is_entry(walk, row, row[9]):
                wrong += 1
                _report_entry(walk, row[0], wrong)
        walk.progress("text index", after, max(after, walk.versions))
    missing = walk.words.difference(row[0] for row in walk.connection.each(walk.queries.all_words))
    if missing:
        walk.report("index", f"The table 'words' lacks {len(missing):,} words of texts. {_REINDEX}")
    if wrong > _NAMED_MAX:
        walk.report("index", f"{wrong:,} entries of the text index are wrong. {_REINDEX}")


def _check_tables(walk: _Walk) -> None:
    """Nor does a commit cover the tables for SQL, but they follow from the values too.

    Only where these are right there is something to compare with.
    """
    projector = walk.store.projector
    if projector is not None and not walk.problems:
        for message in projector.problems(walk.store):
            walk.report("table", f"{message} {_REINDEX}")


def _report_entry(walk: _Walk, version: int, wrong: int) -> None:
    if wrong <= _NAMED_MAX:
        message = f"The text index of version {version} does not fit its value. {_REINDEX}"
        walk.report("index", message, version)


def _is_entry(walk: _Walk, row: Row, found: object) -> bool:
    """Whether an entry is what the value gives, or what an earlier edition made of it."""
    assert walk.entry is not None, "the index is checked where entries can be made"
    try:
        expected = walk.entry(row)
    except (*_UNREADABLE, AttributeError, TypeError):
        return True  # the value or its notes are damaged, and were reported
    if expected is None or not isinstance(found, bytes) or not found:
        return False
    walk.words.update(expected.new_words)
    return found == expected.data or 0 < found[0] < expected.data[0]


def _check_row(walk: _Walk, row: _Branch | _Tag | _Setting, named: tuple[str, str]) -> None:
    """What no commit covers has a digest of its own; a branch's number is not part of it."""
    columns = [getattr(row, column) for column in row.__struct_fields__]
    covered = columns[1:-1] if isinstance(row, _Branch) else columns[:-1]
    if row_digest(*covered) != row.digest:
        kind, name = named
        walk.report(kind, f"What is noted about the {kind} {name!r} is not what was written.")


def _count(walk: _Walk, statement: str) -> int:
    row = walk.connection.row(statement)
    return row[0] if row is not None else 0


_CHECKS = (
    _check_file,
    _load,
    _check_branches,
    _check_totals,
    _check_counts,
    _check_tags,
    _check_settings,
    _check_rows,
    _check_tables,
)
