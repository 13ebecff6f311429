"""Files and store brought together: by what each side changed since they last met.

| file | store | what is done |
|---|---|---|
| as before | as before | nothing, also where they differ |
| changed | as before | the store takes it |
| as before | changed | the file is written, before a commit |
| changed | changed alike | nothing |
| changed | changed otherwise | joined line by line, or told as a conflict; neither is touched |
"""

from collections.abc import Mapping
from contextlib import nullcontext, suppress
from pathlib import PurePosixPath

import msgspec

from strata.base import limits
from strata.base.checkout import Checkout
from strata.base.errors import NotFound, TransactionConflict
from strata.base.folder_lock import holding
from strata.base.git_branches import current_branch, default_branch
from strata.base.results import Result
from strata.exchange.gitfiles.baseline import Baseline, Meeting, read_baseline
from strata.exchange.gitfiles.committed import committed_texts
from strata.exchange.gitfiles.file_side import file_side, remove_file, write_file
from strata.exchange.gitfiles.item_files import SharedDecision, SharedFact, read_item
from strata.exchange.gitfiles.joining import joined_text
from strata.exchange.gitfiles.sharing import GitSharing
from strata.exchange.gitfiles.store_side import StoreChanges, store_side
from strata.exchange.outcome import NAMED_MAX
from strata.workspace import Workspace


class SharedProblem(Result, frozen=True):
    """A file that was left as it is, and why."""

    path: str
    reason: str


class GitSync(Result, frozen=True, kw_only=True):
    """What was done: paths taken into the store, deleted there, written and removed as files.

    `conflicts` were changed on both sides; neither was touched. `version` is the store's commit.
    """

    branch: str
    git_branch: str | None
    taken: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    joined: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    problems: tuple[SharedProblem, ...] = ()
    skipped: str | None = None
    version: int | None = None


class Settled(msgspec.Struct):
    """What is done about each path, while it is found out."""

    taken: list[str]
    deleted: list[str]
    written: list[str]
    removed: list[str]
    joined: list[str]
    conflicts: list[str]


def sync_files(
    db: Workspace,
    checkout: Checkout,
    sharing: GitSharing,
    *,
    writes: bool,
    prefer: Mapping[str, str] | None = None,
    deletes: bool = True,
    after_rebase: bool = False,
) -> GitSync:
    """Bring files and store together; without `writes` only the store is changed.

    `prefer` decides conflicts: "file" or "store" by path. Without `deletes`, a file that is gone
    takes nothing from the store. At the end of a rebase git's notes of it are still there.
    """
    git_branch = current_branch(checkout)
    reason = None if after_rebase else _reason_to_wait(checkout, git_branch)
    if git_branch is None or reason is not None:
        return GitSync(branch=db.branch, git_branch=git_branch, skipped=reason)
    # A process that reads the files before another one writes them would take that for a user's
    # change, so others wait.
    with holding(checkout.records, waits=True):
        for attempt in range(limits.COMMIT_ATTEMPTS):
            run = _Sync(db, checkout, sharing, git_branch=git_branch, prefer=prefer or {})
            run.deletes = deletes
            is_last = attempt + 1 == limits.COMMIT_ATTEMPTS
            with nullcontext() if is_last else suppress(TransactionConflict):
                return run.run(writes=writes)
    raise AssertionError("the last attempt returns or raises")


def _reason_to_wait(checkout: Checkout, git_branch: str | None) -> str | None:
    if git_branch is None:
        return "HEAD is detached: these files belong to no branch"
    if any((checkout.records / name).exists() for name in ("rebase-merge", "rebase-apply")):
        return "a rebase is under way"
    return None


class _Sync:
    def __init__(
        self,
        db: Workspace,
        checkout: Checkout,
        sharing: GitSharing,
        *,
        git_branch: str,
        prefer: Mapping[str, str],
    ) -> None:
        self._db, self._checkout, self._sharing = db, checkout, sharing
        self._folder = checkout.folder / sharing.folder
        self._git_branch = git_branch
        self._prefer = prefer
        self.deletes = True
        self._problems: dict[str, str] = {}
        self._done = Settled([], [], [], [], [], [])

    def run(self, *, writes: bool) -> GitSync:
        """Do it; the files are written only after the store has committed."""
        files, store = file_side(self._folder), store_side(self._db, self._sharing)
        self._problems = {**files.problems, **store.withheld}
        base = read_baseline(self._checkout, self._git_branch)
        if base.is_new:
            self._begin(base, files.texts, store.texts)
        unknown = [path for path in self._prefer if path not in files.texts | store.texts]
        if unknown:
            raise NotFound(
                f"{unknown[0]} is no shared file.", hint="`strata git status` lists them."
            )
        paths = sorted({*files.texts, *store.texts, *base.entries} - self._problems.keys())
        changes = StoreChanges(self._db, f"git branch {self._git_branch}"[:200])
        writing: dict[str, str | None] = {}
        try:
            for path in paths:
                meeting = base.get(path)
                sides = Meeting(files.texts.get(path), store.texts.get(path))
                self._settle(path, meeting, sides, changes=changes, writing=writing)
            version = changes.commit()
        except BaseException:
            changes.drop()
            raise
        after = store_side(self._db, self._sharing).texts if version is not None else store.texts
        if writes:
            self._write({path: after.get(path) for path in writing})
        met = {path: Meeting(files.texts.get(path), after.get(path)) for path in paths}
        self._note(base, met, writing=set(writing) if writes else None)
        return self._report(version, writes=writes)

    # What is done about one path.

    def _settle(
        self,
        path: str,
        meeting: Meeting,
        sides: Meeting,
        *,
        changes: StoreChanges,
        writing: dict[str, str | None],
    ) -> None:
        file, store = sides.file, sides.store
        preferred = self._prefer.get(path)
        if file == store or (file, store) == (meeting.file, meeting.store):
            return
        if preferred == "store" or (preferred is None and file == meeting.file):
            writing[path] = store
            (self._done.removed if store is None else self._done.written).append(path)
        elif preferred == "file" or store == meeting.store:
            self._accept(path, file, changes, before=store)
        else:
            self._join(path, meeting, sides, changes=changes, writing=writing)

    def _accept(
        self, path: str, text: str | None, changes: StoreChanges, *, before: str | None
    ) -> bool:
        """Let the store have what a file says; tell whether it could."""
        try:
            if text is None:
                return self._delete(path, before, changes)
            item = self._read(path, text)
            changes.put(item)
        except ValueError as error:
            self._problems[path] = str(error)
            return False
        self._done.taken.append(path)
        return True

    def _read(self, path: str, text: str) -> SharedFact | SharedDecision:
        item = read_item(PurePosixPath(path), text)
        is_fact = isinstance(item, SharedFact)
        if is_fact and not self._sharing.covers(item.space, item.key):
            raise ValueError(f"{item.key!r} is under no shared prefix")
        if not is_fact and not self._sharing.decisions:
            raise ValueError("decisions are not shared here")
        return item

    def _delete(self, path: str, before: str | None, changes: StoreChanges) -> bool:
        item = None if before is None else read_item(PurePosixPath(path), before)
        if not isinstance(item, SharedFact) or not self.deletes:
            return False  # a decision is replaced, never deleted
        changes.delete(item)
        self._done.deleted.append(path)
        return True

    def _join(
        self,
        path: str,
        meeting: Meeting,
        sides: Meeting,
        *,
        changes: StoreChanges,
        writing: dict[str, str | None],
    ) -> None:
        """Join what both sides changed, if they changed different lines."""
        joined = None
        if sides.file is not None and sides.store is not None and meeting.file is not None:
            with suppress(ValueError):
                joined = joined_text(path, base=meeting.file, ours=sides.store, theirs=sides.file)
        if joined is None or not self._accept(path, joined, changes, before=sides.store):
            self._problems.pop(path, None)
            self._done.conflicts.append(path)
            return
        self._done.taken.remove(path)
        self._done.joined.append(path)
        writing[path] = joined

    # The beginning on a git branch.

    def _begin(self, base: Baseline, files: dict[str, str], store: dict[str, str]) -> None:
        """Begin on a git branch: what it has not changed since it left the default one counts as
        met, though the store may have another form of it by now."""
        default = default_branch(self._checkout)
        if default is None or default == self._git_branch:
            return
        known = read_baseline(self._checkout, default)
        if known.is_new:
            return
        before = committed_texts(self._checkout, self._sharing.folder, default)
        for path in {*before, *files, *store}:
            if files.get(path) == before.get(path):
                base.note(path, files.get(path), store.get(path))
            else:
                base.note(path, before.get(path), before.get(path))

    # Files, and what is noted.

    def _write(self, wanted: Mapping[str, str | None]) -> None:
        for path, text in sorted(wanted.items()):
            if text is None:
                remove_file(self._folder, path)
            else:
                write_file(self._folder, path, text)

    def _note(
        self, base: Baseline, met: Mapping[str, Meeting], *, writing: set[str] | None
    ) -> None:
        """Note how both sides met. What waits to be written, and conflicts, stay as they were."""
        kept = {*self._done.conflicts, *self._problems}
        waiting = {*self._done.written, *self._done.removed} if writing is None else set[str]()
        for path, now in met.items():
            if path in kept or path in waiting:
                continue
            is_written = path in (writing or ())
            # The store has more than a file that it was joined with: the next commit writes it.
            is_behind = writing is None and path in self._done.joined
            file = now.store if is_written else now.file
            base.note(path, file, now.file if is_behind else now.store)
        base.save()

    def _report(self, version: int | None, *, writes: bool) -> GitSync:
        done = self._done
        problems = sorted(self._problems.items())[:NAMED_MAX]
        return GitSync(
            branch=self._db.branch,
            git_branch=self._git_branch,
            taken=tuple(done.taken),
            deleted=tuple(done.deleted),
            written=tuple(done.written) if writes else (),
            removed=tuple(done.removed) if writes else (),
            joined=tuple(done.joined),
            conflicts=tuple(done.conflicts),
            problems=tuple(SharedProblem(path, reason) for path, reason in problems),
            version=version,
        )
