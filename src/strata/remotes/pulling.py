"""Pulling: settings in what another store offers, and merging it."""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Protocol, TypeAlias

import msgspec

from strata.base import limits
from strata.base.counts import plural
from strata.base.errors import DamagedBundle, InvalidArgument, MergeConflict
from strata.base.results import Result
from strata.remotes.manifest import StoreManifest, decode_manifest
from strata.remotes.shelves import MANIFEST, Shelf
from strata.store import (
    Ancestry,
    Merge,
    Point,
    Screen,
    Store,
    Strategy,
    Tag,
    find_shared_commit,
    insert_tag,
    merge_branch,
    tip_row,
)
from strata.upkeep import (
    PackedCommit,
    PackInfo,
    Progress,
    ReceivedBranch,
    ReceivedCommits,
    Receiver,
    damaged_bundle,
    erase,
    read_pack,
    receive_all,
    versions_erased_by,
)

Erasing: TypeAlias = Callable[[], AbstractContextManager[Callable[[Sequence[int]], object]]]


class PulledBranch(Result, frozen=True):
    """What became of a branch of a remote.

    `outcome` is "created", "forwarded", "merged" or "unchanged". A merge tells what it brought.
    """

    name: str
    outcome: str
    source: str
    merge: Merge | None = None


class Pull(Result, frozen=True):
    """What a pull brought. `erased` are values that were purged elsewhere, and now here too."""

    remote: str
    commits: int
    versions: int
    branches: tuple[PulledBranch, ...]
    tags: tuple[str, ...] = ()
    erased: int = 0
    preview: bool = False
    notes: tuple[str, ...] = ()


class PullSettings(msgspec.Struct, frozen=True):
    """How commits of other stores are received: the caller, the checks, and what follows."""

    store: Store
    screen: Screen | None
    settle: Callable[[int], object]
    spool: Path
    # The last pack that was taken from each store.
    taken: Mapping[str, str]
    progress: Progress | None = None


class ReceivedOffers(msgspec.Struct, frozen=True):
    """What one sender's commits became."""

    # With each the store that it came from.
    arrivals: tuple[tuple[str, ReceivedBranch], ...]
    commits: int
    versions: int
    tags: tuple[str, ...]
    notes: tuple[str, ...]


class Offer(Protocol):
    """One store that gives: what it has, and its packs."""

    manifest: StoreManifest
    source: str

    def packs(self, settings: PullSettings) -> Iterable[Path]:
        """Fetch the packs that this store lacks, and yield them in order."""
        ...


class ShelfOffer:
    """A store whose files are on a shelf."""

    def __init__(self, shelf: Shelf, manifest: StoreManifest) -> None:
        self._shelf = shelf
        self.manifest = manifest
        self.source = f"{shelf.display} ({manifest.label})"

    def packs(self, settings: PullSettings) -> Iterable[Path]:
        """Fetch the packs of the store behind the one that was taken last."""
        packs = list(self.manifest.packs)
        names = [pack.name for pack in packs]
        last = settings.taken.get(self.manifest.store)
        if last in names:
            packs = packs[names.index(last) + 1 :]
        for index, pack in enumerate(packs, 1):
            path = settings.spool / pack.name
            if not is_pack(path, pack):
                part = path.with_suffix(".part")
                self._shelf.fetch(self.manifest.store, pack.name, part)
                if not is_pack(part, pack):
                    part.unlink(missing_ok=True)
                    raise damaged_bundle(self.source, "a pack in it is cut off or was changed")
                part.replace(path)
            if settings.progress is not None:
                settings.progress("packs", index, len(packs))
            yield path


def is_pack(path: Path, pack: PackInfo) -> bool:
    """Tell whether a file is a pack that a manifest names: by its size and its digest."""
    if not path.is_file() or path.stat().st_size != pack.size_bytes:
        return False
    checksum = sha256()
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            checksum.update(chunk)
    return checksum.hexdigest() == pack.name


def shelf_offers(store: Store, shelf: Shelf) -> list[ShelfOffer]:
    """Return what the stores on a shelf offer; our own part counts if another copy wrote it."""
    found: list[ShelfOffer] = []
    for name in shelf.stores():
        manifest = read_manifest(shelf, name)
        if manifest is None:
            continue
        if name == store.id and not lacks_any(store, manifest):
            continue
        found.append(ShelfOffer(shelf, manifest))
    return found


def read_manifest(shelf: Shelf, store: str) -> StoreManifest | None:
    """Return the manifest of a store on a shelf; None where there is none."""
    data = shelf.read(store, MANIFEST, limits.REMOTE_MANIFEST_BYTES_MAX)
    if data is None:
        return None
    manifest = decode_manifest(data, source=shelf.display)
    if manifest.store != store:
        raise damaged_bundle(shelf.display, "a manifest in it belongs to another store")
    return manifest


def lacks_any(store: Store, manifest: StoreManifest) -> bool:
    """Tell whether a manifest names commits that the store does not have."""
    tips = manifest.branches.values()
    return any(find_shared_commit(store, bytes.fromhex(tip.hash), tip.time) is None for tip in tips)


@contextmanager
def spooling(folder: Path) -> Generator[Path]:
    """Give a folder for packs that are fetched; it is emptied once they were taken in or refused.

    After a pull that was cut off they stay, and the next one goes on with them.
    """
    try:
        yield folder
    except (DamagedBundle, InvalidArgument):
        _empty(folder)
        raise
    _empty(folder)


def _empty(folder: Path) -> None:
    for file in folder.iterdir():
        if not file.name.startswith("."):
            file.unlink(missing_ok=True)


def receive_offers(
    settings: PullSettings,
    offers: Sequence[tuple[Offer, str]],
    *,
    forwards: bool = True,
    check: Callable[[Sequence[ReceivedBranch]], object] = lambda _arrivals: None,
    only: Iterable[str] = (),
) -> ReceivedOffers:
    """Take the commits of stores in, all of them or none.

    With each of them comes the beginning of the names of branches that follow it. `check` may
    refuse what came, before it counts.
    """
    store, wanted = settings.store, set(only)
    packs = [
        list(offer.packs(settings)) if lacks_any(store, offer.manifest) else []
        for offer, _follows in offers
    ]
    total = sum(
        pack.commits
        for (offer, _follows), files in zip(offers, packs, strict=True)
        for pack in offer.manifest.packs
        if files
    )
    with store.writing():
        into = ReceivedCommits(store)
        receivers = [
            Receiver(
                into,
                source=offer.source,
                remote=follows,
                branches={
                    name: tip
                    for name, tip in offer.manifest.branches.items()
                    if not wanted or name in wanted
                },
                forwards=forwards,
                screen=settings.screen,
            )
            for offer, follows in offers
        ]
        streams = [
            (receiver, _commits(files, receiver.source))
            for receiver, files in zip(receivers, packs, strict=True)
        ]
        receive_all(streams, progress=settings.progress, total=total)
        arrivals = [(one.source, arrival) for one in receivers for arrival in one.finish()]
        for branch in sorted(into.ends):
            settings.settle(branch)
        tags = [
            tag for offer, _follows in offers for tag in _receive_tags(store, into, offer.manifest)
        ]
        check([arrival for _source, arrival in arrivals])
    kept_out = into.writer.erased
    values = plural(kept_out, "value")
    purged = f"{values} that {'was' if kept_out == 1 else 'were'} purged here stayed out"
    notes = (purged,) if kept_out else ()
    return ReceivedOffers(tuple(arrivals), len(into.commits), into.versions, tuple(tags), notes)


def _commits(paths: Iterable[Path], source: str) -> Iterator[PackedCommit]:
    return chain.from_iterable(read_pack(path, source=source) for path in paths)


def _receive_tags(store: Store, into: ReceivedCommits, manifest: StoreManifest) -> Iterator[str]:
    for tag in manifest.tags:
        point = into.find(bytes.fromhex(tag.hash), tag.time)
        if point is not None:
            made = Tag(tag.name, "", point.version, tag.time, tag.message, tag.actor)
            if insert_tag(store, made, point):
                yield tag.name


def apply_erasures(store: Store, manifest: StoreManifest, erasing: Erasing) -> int:
    """Erase here what was purged in another store; return how many versions that were.

    `erasing` gives what takes out all that is derived of the values; it takes long to prepare.
    """
    # All of them: one that is known here may have come with a commit, and other versions with the
    # same value may be left.
    if not manifest.erased or not versions_erased_by(store, manifest.erased):
        return 0
    with erasing() as forget:
        done = erase(store, lambda: versions_erased_by(store, manifest.erased), forget=forget)
    return done.versions


def merge_arrivals(
    arrivals: Iterable[tuple[str, ReceivedBranch]], merge: Callable[[ReceivedBranch], Merge]
) -> list[PulledBranch]:
    """Merge what could not be taken by moving a branch forward."""
    done: list[PulledBranch] = []
    for source, one in arrivals:
        if one.outcome != "diverged":
            done.append(PulledBranch(one.name, one.outcome, source))
            continue
        merged = merge(one)
        is_new = merged.preview or merged.commit is not None
        done.append(PulledBranch(one.name, "merged" if is_new else "unchanged", source, merged))
    return done


def contains(store: Store, outer: Point, branch: int) -> bool:
    """Tell whether a state contains everything that a branch shows."""
    for ancestor, upto in store.lineage(branch):
        tip = tip_row(store, ancestor, upto)
        if tip is not None:
            return Ancestry(store).reach(outer).get(ancestor, 0) >= tip[0]
    return True


def merge_arrival(
    store: Store, one: ReceivedBranch, *, strategy: Strategy, preview: bool, actor: str | None
) -> Merge:
    """Merge what came from a remote; without changes it makes no commit."""
    source = one.follows or one.name
    try:
        return merge_branch(
            store,
            source,
            target=one.name,
            strategy=strategy,
            preview=preview,
            actor=actor,
            message=f"pull {source}",
            choices={},
            adds_history=False,
            at=one.point,
        )
    except MergeConflict as error:
        error.hint = (
            f"The branch {one.name!r} was not changed; what came is on {source!r}. Pull again with "
            "a strategy: source_wins takes the remote's, target_wins yours, newest the later one. "
            f"Or decide single conflicts with `strata merge {source} --choose KEY=theirs`."
        )
        raise
