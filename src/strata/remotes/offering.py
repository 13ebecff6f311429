"""What a store offers to others: its branches and tags, and the commits that they lack."""

import socket
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path

from strata.remotes.manifest import FORMAT, CommitName, RemoteTag, StoreManifest
from strata.store import (
    NOW,
    BranchRow,
    Point,
    Store,
    find_shared_commit,
    tag_rows,
    visible_tip,
)
from strata.upkeep import (
    BranchTip,
    Packer,
    PackInfo,
    all_erasures,
    missing_commits,
    reach_of,
)


def own_branches(store: Store, only: Iterable[str] = ()) -> list[BranchRow]:
    """Return the branches in use that follow no remote, or some of them by name."""
    store.look()
    wanted = set(only)
    for name in wanted:
        store.catalog.require(name, store.connection())
    return [
        row
        for row in store.catalog.active()
        if row.remote is None and (not wanted or row.name in wanted)
    ]


def manifest_of(store: Store, *, only: Iterable[str] = (), known: bool = False) -> StoreManifest:
    """Return what a store offers now; `known` adds the ends of all lines that it has."""
    with store.database.reading():
        rows = own_branches(store, only)
        tips = {row.name: (row.id, *visible_tip(store, row.id, NOW)) for row in rows}
        branches = {
            name: BranchTip(line, hash_.hex(), time)
            for name, (line, version, time, hash_) in sorted(tips.items())
            if version
        }
        return StoreManifest(
            FORMAT,
            store.id,
            clean_label(socket.gethostname()),
            branches,
            tags=tuple(_tags(store, {row.id for row in rows})),
            erased=tuple(sorted(all_erasures(store))),
            known=tuple(all_ends(store)) if known else (),
        )


def clean_label(text: str) -> str:
    """Return the name of a machine as it may be part of a branch's name."""
    return "".join(c if c.isalnum() or c in "-_." else "-" for c in text)[:40] or "store"


def _tags(store: Store, branches: set[int]) -> Iterable[RemoteTag]:
    for name, branch, version, _time, actor, message, _digest in tag_rows(store):
        found, time, hash_ = visible_tip(store, branch, version)
        if found == version and version and branch in branches:
            yield RemoteTag(name, hash_.hex(), time, actor, message)


def all_ends(store: Store) -> Iterator[CommitName]:
    """Yield the last commit of every line that the store has, as of the last look."""
    for row in store.catalog.all():
        version, time, hash_ = visible_tip(store, row.id, NOW)
        if version:
            yield CommitName(hash_.hex(), time)


def known_points(store: Store, commits: Iterable[CommitName | BranchTip]) -> list[Point]:
    """Return where the store has commits that another one names; those it lacks are left out."""
    found = (find_shared_commit(store, bytes.fromhex(one.hash), one.time) for one in commits)
    return [point for point in found if point is not None]


def packs_for(
    store: Store,
    path: Path,
    *,
    wanted: Iterable[CommitName | BranchTip],
    known: Iterable[CommitName | BranchTip],
    after: int = 0,
) -> Generator[tuple[PackInfo, int]]:
    """Write what another store lacks to a file, a pack at a time; yield each, and where it ends.

    `wanted` are the ends that it asked for, `known` is what it has, and `after` the version that
    the pack before ended with.
    """
    with store.database.reading():
        ends = reach_of(store, known_points(store, wanted))
        here = reach_of(store, known_points(store, known))
        commits = missing_commits(store, ends, here, after=after)
        packer = Packer(store)
        while (written := packer.write(path, commits)) is not None:
            yield written
