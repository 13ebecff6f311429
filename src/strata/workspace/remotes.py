"""Remotes as the SDK shows them: other places that hold the same memory."""

import os
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path

from strata.base import limits
from strata.base.errors import Conflict, Locked, MergeConflict, StrataError, Unavailable
from strata.base.folder_lock import holding
from strata.base.results import Result
from strata.remotes import (
    Accepted,
    Erasing,
    FetchRequest,
    HttpRemote,
    Offer,
    Pull,
    PulledBranch,
    PullSettings,
    Push,
    Remote,
    Shelf,
    StoreManifest,
    apply_erasures,
    check_address,
    check_options,
    check_remote_name,
    clean_label,
    contains,
    drop_remote,
    forget_token,
    is_pack,
    keep_remote,
    keep_token,
    kind_of,
    manifest_of,
    merge_arrival,
    merge_arrivals,
    note_on_remote,
    open_remote,
    packs_for,
    push_to_shelf,
    receive_offers,
    remotes_of,
    require_remote,
    shelf_offers,
    spooling,
    token_for,
)
from strata.store import NOW, Merge, Point, Strategy, View, would_change
from strata.upkeep import (
    ErasedContent,
    Progress,
    ReceivedBranch,
    damaged_bundle,
    versions_erased_by,
)
from strata.workspace.own_folder import user_folder
from strata.workspace.trust_notes import require_trust

_SYNC_TRIES = 3
# Seconds between two looks at the own store while watching.
_LOOK_S = 1.0
# Seconds between two looks whether another process has ended its sync.
_TURN_LOOK_S = 0.05


class RemoteInfo(Result, frozen=True):
    """A remote. `kind` is server, folder, bucket or git; times are microseconds."""

    name: str
    address: str
    kind: str
    pulled: int | None = None
    pushed: int | None = None


class Sync(Result, frozen=True):
    """What a pull brought and the push behind it sent."""

    pull: Pull
    push: Push


class _Rehearsed(Exception):
    """Ends a preview inside its transaction, which is rolled back."""

    def __init__(self, branches: "list[PulledBranch]") -> None:
        super().__init__()
        self.branches = branches


class Remotes:
    """Places that hold the same memory. Reached as `db.remotes`.

    Commits keep their hashes wherever they go. What both sides wrote is merged as branches are:
    over the last state that both have.
    """

    def __init__(
        self,
        view: View,
        check: Callable[[], object],
        erasing: Erasing,
    ) -> None:
        self._view = view
        self._store = view.store
        # Raises for users who may not take everything out of a store or into it.
        self._check = check
        self._erasing = erasing

    def add(
        self,
        name: str,
        address: str | os.PathLike[str],
        *,
        token: str | None = None,
        endpoint: str | None = None,
        region: str | None = None,
    ) -> RemoteInfo:
        """Let the store know a remote under a name; one of that name is replaced.

        `address` is the URL of a `strata serve`, a folder, `s3://BUCKET/PREFIX`, or `git:REMOTE`
        with the name of a git remote or its URL. `token` is for a server, and is kept in a file of
        this user, never in the store. `endpoint` and `region` are for a bucket.

        >>> db.remotes.add("stick", folder / "stick").kind
        'folder'
        """
        self._check()
        require_trust(self._store, "The remote would not count")
        place = check_address(os.fspath(address))
        secret = check_options(place, token=token, endpoint=endpoint, region=region)
        made = Remote(
            check_remote_name(name),
            place,
            folder=str(Path.cwd()) if kind_of(place) == "git" else None,
            endpoint=endpoint,
            region=region,
        )
        replaced = remotes_of(self._store).get(made.name)
        keep_token(user_folder(), place, secret, store=self._store.id)
        keep_remote(self._store, made)
        if replaced is not None:
            self._forget_token(replaced.address)
        return _info_of(made)

    def _forget_token(self, address: str) -> None:
        """Forget the token for a place, unless a remote has the same address."""
        if all(remote.address != address for remote in remotes_of(self._store).values()):
            forget_token(user_folder(), address, store=self._store.id)

    def list(self) -> "list[RemoteInfo]":
        """Return the remotes of the store by name.

        >>> _ = db.remotes.add("stick", folder / "stick")
        >>> [remote.name for remote in db.remotes.list()]
        ['stick']
        """
        self._check()
        return [_info_of(remote) for _name, remote in sorted(remotes_of(self._store).items())]

    def remove(self, name: str) -> RemoteInfo:
        """Forget a remote, and the token for its server if no other remote of yours uses it.

        What came from it stays, and what is there stays there.

        >>> _ = db.remotes.add("stick", folder / "stick")
        >>> db.remotes.remove("stick").name, db.remotes.list()
        ('stick', [])
        """
        self._check()
        dropped = drop_remote(self._store, name)
        self._forget_token(dropped.address)
        return _info_of(dropped)

    def pull(
        self,
        name: str | None = None,
        *,
        branches: Iterable[str] = (),
        strategy: Strategy = "strict",
        preview: bool = False,
        erases: bool = True,
        progress: Progress | None = None,
    ) -> Pull:
        """Take in what a remote has and this store lacks, and merge it.

        A branch that ends where the remote goes on is moved forward; otherwise what came is on a
        branch that follows the remote, such as `origin/default`, and is merged. Conflicts are
        decided as in `db.branches.merge`: `strict` raises MergeConflict, and what came stays on
        that branch. `preview` changes nothing. What was purged there is purged here too, unless
        `erases` is False.

        >>> (folder / "stick").mkdir()
        >>> _ = db.remotes.add("stick", folder / "stick")
        >>> db.remotes.pull("stick").commits
        0
        """
        self._check()
        self._view.check_writable()
        remote, place = self._open(name)
        only, merge = tuple(branches), self._merging(strategy, preview=preview)
        with self._spool(remote.name) as spool:
            settings = self._pull_settings(spool, progress, taken=remote.taken)
            offers = self._offers(remote, place)
            if preview:
                found = _rehearsed(settings, offers, merge, only=only, source=remote.address)
                return Pull(remote.name, 0, 0, tuple(found), preview=True)
            came = receive_offers(settings, offers, only=only)
            manifests = [offer.manifest for offer, _follows in offers]
            erased = sum(
                apply_erasures(self._store, one, self._erasing) for one in manifests if erases
            )
            merged = merge_arrivals(came.arrivals, merge)
        taken = {one.store: one.packs[-1].name for one in manifests if one.packs}
        note_on_remote(
            self._store,
            remote.name,
            taken={**remote.taken, **taken},
            pulled=self._store.clock(),
        )
        return Pull(
            remote.name,
            came.commits,
            came.versions,
            tuple(merged),
            came.tags,
            erased,
            notes=came.notes,
        )

    def push(
        self,
        name: str | None = None,
        *,
        branches: Iterable[str] = (),
        full: bool = False,
        progress: Progress | None = None,
    ) -> Push:
        """Send what this store has and a remote lacks: all branches, or some of them.

        A server moves its branches forward, or merges; it refuses with Conflict when it has
        commits that are not here: pull first. Other remotes keep a part for each store, so a push
        is never in the way of another one. `full` writes our part of such a remote anew.

        >>> (folder / "stick").mkdir()
        >>> _ = db.remotes.add("stick", folder / "stick")
        >>> _ = db.kv.put("k", "값")
        >>> db.remotes.push("stick").commits, db.remotes.push("stick").commits
        (1, 0)
        """
        self._check()
        remote, place = self._open(name)
        only = tuple(branches)
        if isinstance(place, HttpRemote):
            done = place.push(self._store, remote=remote.name, only=only, progress=progress)
        else:
            # One process at a time: what an older push would name, a purge may have removed.
            with _alone(self.spool_folder(remote.name), remote.name):
                done = push_to_shelf(
                    self._store, place, remote=remote.name, only=only, full=full, progress=progress
                )
        note_on_remote(self._store, remote.name, pushed=self._store.clock())
        return done

    def sync(
        self,
        name: str | None = None,
        *,
        branches: Iterable[str] = (),
        strategy: Strategy = "strict",
        progress: Progress | None = None,
    ) -> Sync:
        """Pull and then push; again where others pushed in between.

        >>> (folder / "stick").mkdir()
        >>> _ = db.remotes.add("stick", folder / "stick")
        >>> _ = db.kv.put("k", "값")
        >>> db.remotes.sync("stick").push.commits
        1
        """
        only = tuple(branches)
        for tries_left in reversed(range(_SYNC_TRIES)):
            came = self.pull(name, branches=only, strategy=strategy, progress=progress)
            try:
                return Sync(came, self.push(name, branches=only, progress=progress))
            except Conflict:
                if not tries_left:
                    raise
        raise AssertionError("a sync is tried at least once")

    def watch(
        self,
        name: str | None = None,
        *,
        branches: Iterable[str] = (),
        strategy: Strategy = "strict",
        every_s: float = 30.0,
    ) -> "Iterator[Sync | StrataError]":
        """Sync without end: at once after own writes, and otherwise every so many seconds.

        A sync that fails is yielded as its error, and tried again at the next look.

        >>> (folder / "stick").mkdir()
        >>> _ = db.remotes.add("stick", folder / "stick")
        >>> _ = db.kv.put("k", "값")
        >>> next(db.remotes.watch("stick")).push.commits
        1
        """
        only = tuple(branches)
        require_remote(self._store, name)
        while True:
            try:
                yield self.sync(name, branches=only, strategy=strategy)
            except StrataError as error:
                yield error
            self._wait(every_s)

    def _wait(self, seconds: float) -> None:
        """Wait until the store was written, or for so long."""
        end, version = time.monotonic() + seconds, self._newest_version()
        while time.monotonic() < end:
            time.sleep(min(_LOOK_S, max(0.0, end - time.monotonic())))
            if self._newest_version() != version:
                return

    def _newest_version(self) -> int | None:
        """Return the newest version; None while the database of the store does not answer."""
        try:
            return self._store.last_version()
        except StrataError:
            return None

    # What a server of this store does for others.

    def offer(self) -> StoreManifest:
        """Return what the store offers to others.

        >>> _ = db.kv.put("k", 1)
        >>> list(db.remotes.offer().branches)
        ['default']
        """
        self._check()
        return manifest_of(self._store, known=True)

    def pack(self, request: FetchRequest, path: Path) -> int | None:
        """Write the next pack that another store asks for; return the version it ends with.

        >>> from strata.remotes import FetchRequest
        >>> db.remotes.pack(FetchRequest((), ()), folder / "pack") is None
        True
        """
        self._check()
        packs = packs_for(
            self._store, path, wanted=request.wanted, known=request.known, after=request.after
        )
        with closing(packs):
            return next((last for _info, last in packs), None)

    def spool_folder(self, name: str) -> Path:
        """Return the folder of this user for packs that are on their way from or to a place.

        >>> db.remotes.spool_folder("origin").name
        'origin'
        """
        return user_folder() / "sync" / self._store.id / name

    def accept(self, manifest: StoreManifest, folder: Path) -> Accepted:
        """Take in what another store pushes; its packs lie in a folder.

        A branch is moved forward or merged. Where this store has commits that the other one lacks
        it is refused with Conflict, and nothing is taken in.

        >>> db.remotes.accept(db.remotes.offer(), folder).commits
        0
        """
        self._check()
        self._view.check_writable()
        offer = _FolderOffer(manifest, folder)
        settings = self._pull_settings(folder, None, taken={})
        check = partial(self._refuse_unseen, manifest.erased)
        came = receive_offers(settings, [(offer, _peer(manifest))], check=check)
        erased = apply_erasures(self._store, manifest, self._erasing)
        done = merge_arrivals(came.arrivals, self._merge_pushed)
        _clear(folder, {pack.name for pack in manifest.packs})
        return Accepted(
            came.commits,
            came.versions,
            tuple(one.name for one in done if one.outcome != "unchanged"),
            tuple(one.name for one in done if one.outcome == "merged"),
            erased,
        )

    def _refuse_unseen(
        self, erased: Sequence[ErasedContent], arrivals: Sequence[ReceivedBranch]
    ) -> None:
        for one in arrivals:
            if one.outcome == "diverged" and not self._covers_branch(one, erased):
                raise _unseen(one.name)

    def _merge_pushed(self, one: ReceivedBranch) -> Merge:
        try:
            return self._merging("strict", preview=False)(one)
        except MergeConflict as error:
            # Another caller has written here since the check. What came need not come again.
            raise _unseen(one.name) from error

    def _covers_branch(self, one: ReceivedBranch, erased: Sequence[ErasedContent]) -> bool:
        """Tell whether what was pushed has all that the branch of its name holds here.

        A pull that brings no change makes no commit: what was pushed then does not contain the
        commits here, but has what they say. What was purged there is about to be purged here.
        """
        row = self._store.catalog.known(one.name)
        if row is None or contains(self._store, one.point, row.id):
            return True
        gone = {number for number, _kind in versions_erased_by(self._store, erased)}
        here = Point(row.id, NOW)
        return not would_change(self._store, here, into=one.point, erased=gone)

    # Inside.

    def _open(self, name: str | None) -> tuple[Remote, HttpRemote | Shelf]:
        remote = require_remote(self._store, name)
        require_trust(self._store, "The remote is not used")
        token = token_for(user_folder(), remote.address)
        return remote, open_remote(remote, token=token)

    def _offers(self, remote: Remote, place: HttpRemote | Shelf) -> "list[tuple[Offer, str]]":
        """Return what each store at a place offers, and what branches that follow it begin with."""
        if isinstance(place, HttpRemote):
            return [(place.offer(self._store), remote.name)]
        found = shelf_offers(self._store, place)
        return [(offer, f"{remote.name}/{_peer(offer.manifest)}") for offer in found]

    def _pull_settings(
        self, spool: Path, progress: Progress | None, *, taken: Mapping[str, str]
    ) -> PullSettings:
        settle = partial(_settle, self._view)
        return PullSettings(self._store, self._view.screen, settle, spool, taken, progress)

    def _merging(self, strategy: Strategy, *, preview: bool) -> Callable[[ReceivedBranch], Merge]:
        def merge(one: ReceivedBranch) -> Merge:
            return merge_arrival(
                self._store, one, strategy=strategy, preview=preview, actor=self._view.signature
            )

        return merge

    @contextmanager
    def _spool(self, name: str) -> Generator[Path]:
        """Give the folder for packs of a remote, to one process at a time."""
        folder = self.spool_folder(name)
        with _alone(folder, name), spooling(folder):
            yield folder


class _FolderOffer:
    """What another store has pushed: its packs lie in a folder."""

    def __init__(self, manifest: StoreManifest, folder: Path) -> None:
        self.manifest = manifest
        self.source = manifest.label
        self._folder = folder

    def packs(self, settings: PullSettings) -> Iterator[Path]:  # noqa: ARG002
        """Yield the packs, each checked against its name."""
        for pack in self.manifest.packs:
            path = self._folder / pack.name
            if not is_pack(path, pack):
                raise damaged_bundle(self.source, "a pack of it did not arrive whole")
            yield path


def _rehearsed(
    settings: PullSettings,
    offers: Sequence[tuple[Offer, str]],
    merge: Callable[[ReceivedBranch], Merge],
    *,
    only: Iterable[str],
    source: str,
) -> list[PulledBranch]:
    """Return what a pull would do: all of it is done in a transaction that is rolled back."""

    def show(arrivals: Sequence[ReceivedBranch]) -> None:
        raise _Rehearsed(merge_arrivals(((source, one) for one in arrivals), merge))

    try:
        receive_offers(settings, offers, forwards=False, check=show, only=only)
    except _Rehearsed as rehearsed:
        return rehearsed.branches
    raise AssertionError("the check ends the transaction")


def _unseen(branch: str) -> Conflict:
    return Conflict(
        f"The branch {branch!r} has commits that were not pulled yet.",
        hint="Pull first: `db.remotes.pull()` merges them. Then push again.",
        branch=branch,
    )


def _settle(view: View, branch: int) -> None:
    from strata.documents import settle  # noqa: PLC0415  (seldom needed)

    settle(view.store, branch)


def _info_of(remote: Remote) -> RemoteInfo:
    return RemoteInfo(
        remote.name, remote.address, kind_of(remote.address), remote.pulled, remote.pushed
    )


def _peer(manifest: StoreManifest) -> str:
    """Return what branches that follow a store begin with: its machine and part of its id."""
    return f"{clean_label(manifest.label)}-{manifest.store[:6]}"


def _clear(folder: Path, names: set[str]) -> None:
    """Remove packs that were taken in, and those of pushes that were given up."""
    if not folder.is_dir():
        return
    for file in folder.iterdir():
        is_old = time.time() - file.stat().st_mtime > limits.REMOTE_PACK_KEPT_S
        if file.name in names or is_old:
            file.unlink(missing_ok=True)


@contextmanager
def _alone(folder: Path, name: str) -> Generator[None]:
    """Make the folder of a remote, and hold it against other processes that would sync with it."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise Unavailable(f"{folder} cannot be made: {error.strerror}.") from error
    end = time.monotonic() + limits.REMOTE_TURN_S
    with ExitStack() as lock:
        while not _try_to_hold(folder, lock):
            if time.monotonic() >= end:
                raise Locked(
                    f"Another process is syncing with {name!r} now.",
                    hint="Wait until it has ended, and try again.",
                )
            time.sleep(_TURN_LOOK_S)
        yield


def _try_to_hold(folder: Path, lock: ExitStack) -> bool:
    """Hold a folder until the lock is closed; False while another process holds it."""
    try:
        lock.enter_context(holding(folder, waits=False))
    except BlockingIOError:
        return False
    return True
