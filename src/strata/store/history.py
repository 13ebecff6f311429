"""Commits of a branch, and turning a time into a version."""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from itertools import islice

import msgspec

from strata.base import clock, limits
from strata.base.checks import check_number
from strata.base.errors import CommitNotFound, InvalidTime, TagNotFound
from strata.base.results import Result, TimedResult
from strata.sql import Read
from strata.store.branch import Ancestry, Point, has_unmerged_work
from strata.store.commit import visible_tip
from strata.store.record import NOW, Address, onward
from strata.store.rows import commit_rows, tag_row, tip_row
from strata.store.signature import Signature, read_signature
from strata.store.store import Store
from strata.store.visibility import (
    FOLLOWING,
    FOLLOWING_OPERATION,
    GUARDED,
    WHOLE,
    Visibility,
    is_change,
)

# Commits that are looked through at once where not all of them are seen.
_PAGE = 200
# Commits that are looked through at once for one that mostly is among the first.
_NEAR = 10
# How many keys of a commit are named, and how many of its rows are looked at for them.
_KEYS_SHOWN, _KEYS_LOOKED_AT = 10, 50
# An operation on more commits than fit is shown with their number.
_OPERATION_SHOWN = 60
# Kinds that name nothing a user wrote: what follows from other changes, the mark of an empty
# commit, and links of memories.
_MARK = "mark"
_NAMELESS = FOLLOWING | {_MARK, "link"}


class Instant(TimedResult, frozen=True, omit_defaults=True):
    """A point in a branch's history: the last version there, and its time.

    Before the first version the time is the one that was asked for. `ahead_us` tells by how much
    the newest commit is dated after the machine's clock; then times cannot be relied on.
    """

    version: int
    timestamp: int
    ahead_us: int = 0

    @property
    def warning(self) -> str | None:
        """Why the state may be another one than was meant, or None."""
        return clock_warning(self.ahead_us)


def clock_warning(ahead_us: int) -> str | None:
    """Return what to say where the newest commit is dated after the clock; None below a second."""
    if ahead_us < 1_000_000:
        return None
    ahead = str(timedelta(seconds=ahead_us // 1_000_000))
    return (
        f"the newest write is dated {ahead} after this machine's clock, so times are counted from"
        " it and states may be older than asked for; use versions"
    )


class TouchedKey(Result, frozen=True):
    """Something that a commit changed; of documents the document, with its title."""

    space: str
    kind: str
    key: str
    title: str | None = None


class Commit(TimedResult, frozen=True):
    """One atomic step of one branch, known by the last version it wrote.

    `keys` names the first few that it changed; an event is named by its number. `actor` is the one
    name for readers: of the agent, else of the person. `person` is the id of the user that it was
    made for and `person_name` their name then, `agent` the program that made it for them, `task`
    the task of an agent. `touched` lists what it changed, if that was asked for.
    """

    version: int
    branch: str
    timestamp: int
    actor: str | None
    operation: str
    message: str | None
    changes: int
    first_version: int
    second_parent: int | None
    hash: str
    keys: tuple[str, ...] = ()
    person: str | None = None
    person_name: str | None = None
    agent: str | None = None
    task: str | None = None
    touched: tuple[TouchedKey, ...] = ()


class CommitRow(msgspec.Struct, frozen=True):
    """A commit as the table has it."""

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
    # Where its last version is; not every statement tells.
    keyspace: int | None = None
    key: str = ""


def short_hash(commit: CommitRow) -> str:
    """Return the beginning of a commit's hash, by which other commits speak of it."""
    return short_hash_of(commit.hash)


def short_hash_of(hash_: bytes) -> str:
    """Return the beginning of a hash."""
    return hash_.hex()[:12]


def as_commit(store: Store, row: CommitRow, *, visibility: Visibility = WHOLE) -> Commit:
    """Return the public form of a commit; `changes` counts those that the user sees."""
    changes = row.version - row.first + 1
    if visibility is not WHOLE:
        changes = sum(is_change(at) and visibility.shows(at) for at in touched(store, row))
    by = read_signature(row.actor)
    return Commit(
        version=row.version,
        branch=store.catalog.by_id(row.branch).name,
        timestamp=row.timestamp,
        actor=by.agent or by.name,
        operation=row.operation
        if len(row.operation) <= _OPERATION_SHOWN
        else _shortened(row.operation),
        message=row.message,
        changes=changes,
        first_version=row.first,
        second_parent=row.second_version,
        hash=row.hash.hex(),
        keys=_named_keys(store, row, visibility),
        person=by.person,
        person_name=by.name,
        agent=by.agent if by.person is not None else None,
        task=by.task,
    )


def _shortened(operation: str) -> str:
    """Return an operation on many commits with their number, in place of their hashes."""
    verb, *commits = operation.split(" ")
    return f"{verb} {len(commits)} commits"


def _named_keys(store: Store, commit: CommitRow, visibility: Visibility) -> tuple[str, ...]:
    """Return the first keys that a commit changed; looks at a bounded number of its rows."""
    found = [
        str(int(key)) if kind == "event" and key.isdecimal() else key
        for space, kind, key in touched(store, commit, most=_KEYS_LOOKED_AT)
        if kind not in _NAMELESS and visibility.shows((space, kind, key))
    ]
    return tuple(dict.fromkeys(found))[:_KEYS_SHOWN]


def things_of(
    store: Store, commit: CommitRow, *, visibility: Visibility = WHOLE
) -> list[TouchedKey]:
    """Return what a commit changed as users know it; looks at a bounded number of its rows.

    Whatever belongs to a document is the document, but comments and suggestions are kept apart.
    """
    rows = touched(store, commit, most=limits.TOUCHED_ROWS_MAX)
    return [
        _as_thing(address)
        for address in rows
        if address[1] not in _NAMELESS and visibility.shows(address)
    ]


def reads_of_things(store: Store, commits: Iterable[CommitRow]) -> Iterator[Read]:
    """Yield what `things_of` reads of commits, for a caller that foresees it."""
    return (_read_of_places(store, commit, limits.TOUCHED_ROWS_MAX) for commit in commits)


def _as_thing(address: Address) -> TouchedKey:
    space, kind, key = address
    if kind in GUARDED:
        shown = kind if kind in ("comment", "suggestion", "file", "draft") else "document"
        return TouchedKey(space, shown, key.partition("/")[0])
    return TouchedKey(space, kind, str(int(key)) if kind == "event" and key.isdecimal() else key)


def touched(store: Store, commit: CommitRow, *, most: int = NOW) -> list[Address]:
    """Return the keys that a commit wrote, or the first of them."""
    if commit.keyspace is not None and commit.first == commit.version:
        return [(*store.keyspace_name(commit.keyspace), commit.key)]
    rows = store.connection().rows(*_read_of_places(store, commit, most))
    return [(*store.keyspace_name(keyspace), key) for keyspace, key in rows]


def _read_of_places(store: Store, commit: CommitRow, most: int) -> Read:
    values = (commit.first, min(commit.version, commit.first + most - 1))
    return store.queries.places_of_commit, values


def is_visible(store: Store, commit: CommitRow, visibility: Visibility) -> bool:
    """Tell whether the user sees anything of what a commit wrote."""
    if visibility is WHOLE:
        return True
    # Of a commit with many keys, the first few mostly tell.
    first = touched(store, commit, most=_KEYS_LOOKED_AT)
    if any(map(visibility.shows, first)) or len(first) > commit.version - commit.first:
        return any(map(visibility.shows, first))
    return any(map(visibility.shows, touched(store, commit)))


def is_work(store: Store, commit: CommitRow, visibility: Visibility = WHOLE) -> bool:
    """Tell whether a commit has something that a user or an agent did, and the user sees it."""
    return commit.operation != FOLLOWING_OPERATION and is_visible(store, commit, visibility)


def log(
    store: Store,
    branch: int,
    *,
    bound: int = NOW,
    after: int = 0,
    limit: int = NOW,
    visibility: Visibility = WHOLE,
) -> list[CommitRow]:
    """Return the commits that a branch can see in (after, bound], newest first.

    A commit that wrote nothing visible to the user does not exist for them.
    """
    if visibility is WHOLE:
        return _log(store, branch, bound=bound, after=after, limit=limit)
    found: list[CommitRow] = []
    while page := _log(store, branch, bound=bound, after=after, limit=_PAGE):
        visible = (row for row in page if is_visible(store, row, visibility))
        found += islice(visible, limit - len(found))
        if len(page) < _PAGE or len(found) >= limit:
            break
        bound = page[-1].version - 1
    return found


def _log(store: Store, branch: int, *, bound: int, after: int, limit: int) -> list[CommitRow]:
    connection = store.connection()
    found: list[CommitRow] = []
    for ancestor, upto in store.lineage(branch):
        values = (ancestor, min(upto, bound), after, limit - len(found))
        rows = connection.rows(store.queries.branch_commits, values)
        found += [CommitRow(*row) for row in rows]
        if len(found) >= limit:
            break
    return found


def commits_forward(store: Store, branch: int, *, bound: int = NOW) -> Iterator[CommitRow]:
    """Yield the commits that a branch can see up to a version, oldest first."""
    for ancestor, upto in reversed(store.lineage(branch)):
        yield from own_commits(store, ancestor, bound=min(upto, bound))


def own_commits(store: Store, branch: int, *, bound: int = NOW) -> Iterator[CommitRow]:
    """Yield the commits that a branch itself made up to a version, oldest first."""
    after = 0
    while True:
        rows = commit_rows(store, branch, after=after, upto=bound, most=_PAGE)
        yield from (CommitRow(*row) for row in rows)
        if len(rows) < _PAGE:
            return
        after = onward(rows[-1][0], after)


def has_visible_between(
    store: Store, branch: int, span: tuple[int, int], *, visibility: Visibility
) -> bool:
    """Tell whether the user sees work that a branch itself has committed in (after, upto]."""
    after, upto = span
    while upto > after:
        rows = store.connection().rows(store.queries.branch_commits, (branch, upto, after, _PAGE))
        page = [CommitRow(*row) for row in rows]
        if any(is_work(store, row, visibility) for row in page):
            return True
        upto = page[-1].version - 1 if len(page) == _PAGE else after
    return False


def newest_work(store: Store, branch: int, *, visibility: Visibility = WHOLE) -> CommitRow | None:
    """Return the newest commit that a branch sees in which a user or an agent did something."""
    bound = NOW
    while page := log(store, branch, bound=bound, limit=_NEAR, visibility=visibility):
        for row in page:
            if is_work(store, row):
                return row
        bound = page[-1].version - 1
    return None


def has_visible_work(store: Store, branch: int, *, visibility: Visibility) -> bool:
    """Tell whether a branch has work that no other has, as far as the user sees it."""
    row = newest_work(store, branch, visibility=visibility)
    if row is None or row.branch != branch:
        return False
    return has_unmerged_work(store, branch, upto=row.version)


def distance(
    store: Store, name: str, other: str, *, most: int, visibility: Visibility = WHOLE
) -> tuple[int, int]:
    """Return how many commits a branch has that another lacks, and the other way round.

    Neither counts beyond `most`. Only commits that the user sees count, and those that only index
    what was written before do not.
    """
    connection = store.connection()
    ends = [Point(store.catalog.readable(one, connection).id, NOW) for one in (name, other)]
    ancestry = Ancestry(store)
    reaches = [ancestry.reach(end) for end in ends]
    own, others = (
        _count_beyond(store, reach, known, most=most, visibility=visibility)
        for reach, known in (reaches, reversed(reaches))
    )
    return own, others


def _count_beyond(
    store: Store,
    reach: dict[int, int],
    known: dict[int, int],
    *,
    most: int,
    visibility: Visibility,
) -> int:
    """Count the commits that one side contains and the other does not."""
    count = 0
    for branch, upto in reach.items():
        # Behind every commit of typed words there may be one that only indexes them.
        rows = commit_rows(
            store, branch, after=known.get(branch, 0), upto=upto, most=2 * (most - count)
        )
        count += sum(is_work(store, CommitRow(*row), visibility) for row in rows)
        if count >= most:
            return most
    return count


def commits_after(store: Store, version: int, *, limit: int) -> list[CommitRow]:
    """Return the commits of all branches after a version, oldest first."""
    store.look()  # a branch may be another process's, and new
    rows = store.connection().rows(store.queries.commits_after, (version, limit))
    return [CommitRow(*row) for row in rows]


def visible_keys(
    store: Store, commit: CommitRow, *, most: int, visibility: Visibility
) -> list[Address]:
    """Return the keys that users wrote with a commit, as far as one sees them; looks at `most`."""
    written = touched(store, commit, most=most)
    return [at for at in written if is_change(at) and at[1] != _MARK and visibility.shows(at)]


def authors_of(store: Store, versions: Iterable[int]) -> dict[int, Signature]:
    """Return who signed the commits that wrote these versions."""
    connection, statement = store.connection(), store.queries.commit_of
    rows = ((version, connection.row(statement, (version,))) for version in versions)
    return {
        version: read_signature(CommitRow(*row).actor) for version, row in rows if row is not None
    }


def find_commit(store: Store, version: int, *, visibility: Visibility = WHOLE) -> CommitRow:
    """Return the commit that wrote a version, on whatever branch."""
    check_number(version, name="version", least=0)
    store.look()  # the branch may be another process's, and new
    row = store.connection().row(store.queries.commit_of, (min(version, NOW),))
    if row is None or not is_visible(store, CommitRow(*row), visibility):
        raise CommitNotFound(
            f"No commit wrote version {version}.",
            hint="`db.log()` lists the commits of a branch.",
            version=version,
        )
    return CommitRow(*row)


def resolve(store: Store, branch: int, moment: clock.Moment, *, ahead_us: int = 0) -> Instant:
    """Return the point of a branch's history that a moment means; the future is now."""
    if moment.version is not None:
        values = (branch, moment.version)
        row = store.connection().row(store.queries.tip_at_version, values)
        if row is not None:
            return Instant(row[0], row[1])
    with store.database.reading():
        bound = _bound(store, branch, moment)
        version, timestamp, _hash = visible_tip(store, branch, bound)
    if version == 0:
        timestamp = moment.timestamp or store.catalog.by_id(branch).created
    return Instant(version, timestamp, ahead_us)


def _bound(store: Store, branch: int, moment: clock.Moment) -> int:
    if moment.tag is not None:
        row = tag_row(store, moment.tag)
        if row is None:
            raise TagNotFound(
                f"There is no tag {moment.tag!r}.",
                hint="`db.tags.list()` lists them.",
                tag=moment.tag,
            )
        return row[2]
    if moment.version is not None:
        return _whole_commit(store, moment.version)
    assert moment.timestamp is not None
    return version_at(store, branch, moment.timestamp)


def _whole_commit(store: Store, version: int) -> int:
    """Return the end of the commit a version belongs to: no state ever lay inside one."""
    row = store.connection().row(store.queries.commit_of, (version,))
    if row is not None:
        return row[0]
    newest = store.last_version()
    if version > newest:
        raise InvalidTime(
            f"There is no version {version:,} yet; the newest is {newest:,}.",
            hint='For a time pass ISO 8601, "1h ago" or POSIX seconds (a number from '
            f"{clock.TIMESTAMP_MIN:,} on).",
            parameter="time",
        )
    return version


def version_at(store: Store, branch: int, timestamp: int) -> int:
    """Return the last version a branch showed at a time; 0 before its first."""
    connection = store.connection()
    for ancestor, upto in store.lineage(branch):
        oldest = connection.row(store.queries.branch_oldest, (ancestor, upto))
        if oldest is not None and oldest[1] <= timestamp:
            return _bisect(store, ancestor, low=oldest[0], upto=upto, timestamp=timestamp)
    return 0


def _bisect(store: Store, branch: int, *, low: int, upto: int, timestamp: int) -> int:
    """Return the newest commit in [low, upto] not later than a time; `low` is one.

    Times grow with versions, so halving the range of numbers finds it: about twenty seeks
    in a million commits, paid once when a past view is made.
    """
    newest = tip_row(store, branch, upto)
    assert newest is not None, "the branch's oldest commit was found, its newest was not"
    if newest[1] <= timestamp:
        return newest[0]
    high, best = newest[0], low
    while low < high - 1:
        middle = (low + high) // 2
        row = tip_row(store, branch, middle)
        assert row is not None, "there is a commit at or below low"
        if row[1] <= timestamp:
            low, best = middle, row[0]
        else:
            high = row[0]
    return best


def find_shared_commit(store: Store, hash_: bytes, timestamp: int) -> Point | None:
    """Return where this store has a commit that another store may have too, or None.

    A commit's hash covers all commits before it and nothing that is local to one store. There is
    no index of hashes, which every put would pay for: each branch is searched by the time.
    """
    for row in store.catalog.all():
        oldest = store.connection().row(store.queries.branch_oldest, (row.id, NOW))
        if oldest is None or oldest[1] > timestamp:
            continue
        version = _bisect(store, row.id, low=oldest[0], upto=NOW, timestamp=timestamp)
        found = tip_row(store, row.id, version)
        if found is not None and found[2] == hash_:
            return Point(row.id, version)
    return None


def time_range(
    store: Store, branch: int, *, visibility: Visibility = WHOLE
) -> tuple[int | None, int | None]:
    """Return the times of the oldest and the newest commit that a branch can see."""
    if visibility is not WHOLE:
        with store.database.reading():
            return _oldest_visible(store, branch, visibility), _newest_visible(
                store, branch, visibility
            )
    with store.database.reading() as connection:
        lineage = store.lineage(branch)
        oldest = (
            connection.row(store.queries.branch_oldest, (ancestor, upto))
            for ancestor, upto in reversed(lineage)
        )
        first = next((row for row in oldest if row is not None), None)
        if first is None:
            return None, None
        return first[1], visible_tip(store, branch, NOW)[1]


def _newest_visible(store: Store, branch: int, visibility: Visibility) -> int | None:
    return next((row.timestamp for row in log(store, branch, limit=1, visibility=visibility)), None)


def _oldest_visible(store: Store, branch: int, visibility: Visibility) -> int | None:
    seen = (row for row in commits_forward(store, branch) if is_visible(store, row, visibility))
    return next((row.timestamp for row in seen), None)
