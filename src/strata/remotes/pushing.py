"""Pushing to a shelf: what no store there has yet, as packs in our own part."""

import tempfile
from collections.abc import Iterable
from pathlib import Path

import msgspec

from strata.base.errors import Conflict
from strata.base.results import Result
from strata.remotes.manifest import StoreManifest, encode_manifest
from strata.remotes.offering import manifest_of, packs_for
from strata.remotes.pulling import lacks_any, read_manifest
from strata.remotes.shelves import MANIFEST, Shelf
from strata.store import Store
from strata.upkeep import PackInfo, Progress


class Push(Result, frozen=True):
    """What a push sent. `branches` are those that moved there."""

    remote: str
    commits: int
    versions: int
    size_bytes: int
    branches: tuple[str, ...] = ()
    merged: tuple[str, ...] = ()
    erased: int = 0


def push_to_shelf(
    store: Store,
    shelf: Shelf,
    *,
    remote: str,
    only: Iterable[str] = (),
    full: bool = False,
    progress: Progress | None = None,
) -> Push:
    """Write what the stores on a shelf lack to our own part of it.

    The manifest comes last, so that others see all of it or nothing. A pack is named by its
    digest: what an earlier push that was cut off has sent is not sent again.
    """
    stores = shelf.stores()
    manifests = {name: read_manifest(shelf, name) for name in stores}
    own = manifests.pop(store.id, None)
    if own is not None and lacks_any(store, own):
        raise Conflict(
            f"Another copy of this store has pushed to {shelf.display}.",
            hint="Pull first: `db.remotes.pull()` merges what it wrote. Then push again.",
        )
    offered = manifest_of(store, only=only)
    if only and own is not None:
        offered = msgspec.structs.replace(offered, branches={**own.branches, **offered.branches})
    # What was purged must leave the packs that were written before. Written anew they hold all
    # commits of this store: others may count on the ones that go.
    is_anew = full or (own is not None and own.erased != offered.erased)
    if own is not None and msgspec.structs.replace(own, packs=()) == offered and not is_anew:
        return Push(remote, 0, 0, 0)
    before = () if own is None or is_anew else own.packs
    known = [] if is_anew else [one for one in (*manifests.values(), own) if one is not None]
    with tempfile.TemporaryDirectory(prefix="strata-push-") as folder:
        sent = _send(store, shelf, offered, others=known, folder=Path(folder))
        finished = msgspec.structs.replace(offered, packs=(*before, *sent))
        file = Path(folder) / MANIFEST
        file.write_bytes(encode_manifest(finished))
        shelf.put(store.id, MANIFEST, file)
    if is_anew or own is None:
        # Also what pushes that were cut off have left: it may hold what was purged since.
        kept = {MANIFEST, *(pack.name for pack in finished.packs)}
        for name in shelf.names(store.id):
            if name not in kept:
                shelf.remove(store.id, name)
    shelf.finish()
    if progress is not None:
        progress("packs", len(sent), len(sent))
    return _result(remote, sent, own=own, offered=offered)


def _send(
    store: Store,
    shelf: Shelf,
    offered: StoreManifest,
    *,
    others: Iterable[StoreManifest],
    folder: Path,
) -> list[PackInfo]:
    known = [tip for one in others for tip in one.branches.values()]
    sent: list[PackInfo] = []
    file = folder / "pack"
    for info, _last in packs_for(store, file, wanted=offered.branches.values(), known=known):
        if not shelf.has(store.id, info.name):
            shelf.put(store.id, info.name, file)
        sent.append(info)
    return sent


def _result(
    remote: str, sent: list[PackInfo], *, own: StoreManifest | None, offered: StoreManifest
) -> Push:
    before = {} if own is None else own.branches
    moved = tuple(name for name, tip in offered.branches.items() if before.get(name) != tip)
    erased = len(set(offered.erased) - set(() if own is None else own.erased))
    return Push(
        remote,
        sum(pack.commits for pack in sent),
        sum(pack.versions for pack in sent),
        sum(pack.size_bytes for pack in sent),
        moved,
        erased=erased,
    )
