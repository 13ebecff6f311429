"""What users and agents did on a branch, run by run, newest first."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TypeAlias

import msgspec

from strata.access import find_user
from strata.base import limits
from strata.base.results import Result, TimedResult
from strata.store import (
    FOLLOWING_OPERATION,
    CommitRow,
    Signature,
    Snapshot,
    Store,
    TouchedKey,
    Visibility,
    log,
    read_signature,
    reads_of_things,
    things_of,
)
from strata.workspace.titles import Titles

_LIVE = "document live"
_DOCUMENT = "document"
_PAGE = 200
# So many commits are read at once where a statement takes a round trip.
_AT_ONCE = 20
# Who did it, for what task, and the document that was typed in, if it was typed.
_RunKey: TypeAlias = tuple[str | None, str | None, str | None, str | None]
_Part: TypeAlias = tuple[Signature, list[TouchedKey]]
_CountWords: TypeAlias = Callable[[str, list[CommitRow]], tuple[int, int] | None]


class ActivityItem(Result, frozen=True, kw_only=True):
    """Something that a run changed, and in how many commits.

    Of a document the words that were added and removed, where that is known: no other author wrote
    in it between, and the text is not too long.
    """

    space: str
    kind: str
    key: str
    title: str | None
    changes: int
    words_added: int | None = None
    words_removed: int | None = None


class ActivityRun(TimedResult, frozen=True, kw_only=True):
    """What one author did without a long pause, or all of a task. `timestamp` is its end.

    `counts` has the number of things by kind, `touched` the first of them, `commits` the versions
    to revert, newest first. `is_typing` marks a sitting in one document. `cut` tells that it may go
    on before this page.
    """

    actor: str | None
    person: str | None
    person_name: str | None
    agent: str | None
    task: str | None
    started: int
    timestamp: int
    commits: tuple[int, ...]
    counts: dict[str, int]
    touched: tuple[ActivityItem, ...]
    message: str | None
    is_typing: bool
    cut: bool


class ActivityFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which commits count. Times are microseconds."""

    person: str | None = None
    agent: str | None = None
    task: str | None = None
    kinds: frozenset[str] | None = None
    since: int = 0

    def accepts(self, by: Signature) -> bool:
        """Tell whether what an author did counts."""
        wanted = (self.person, self.agent, self.task)
        return all(
            one in (None, had)
            for one, had in zip(wanted, (by.person, by.agent, by.task), strict=True)
        )

    def things(self, found: list[TouchedKey]) -> list[TouchedKey]:
        """Return what counts of the things that a commit changed."""
        return [one for one in found if self.kinds is None or one.kind in self.kinds]


class _Run:
    """A run as it grows, from its end to its beginning."""

    def __init__(self, by: Signature, commit: CommitRow, *, is_typing: bool) -> None:
        self.by = by
        self.is_typing = is_typing
        self.commits = [commit]
        self.things: dict[TouchedKey, list[CommitRow]] = {}

    def goes_on(self, earlier: int) -> bool:
        """Tell whether something that happened earlier belongs to it."""
        pause = self.commits[-1].timestamp - earlier
        return self.by.task is not None or pause <= limits.RUN_PAUSE_S * 1_000_000

    def add(self, commit: CommitRow, things: list[TouchedKey]) -> None:
        """Take an earlier commit in."""
        if self.commits[-1] is not commit:
            self.commits.append(commit)
        for one in dict.fromkeys(things):
            self.things.setdefault(one, []).append(commit)


class ActivityReader:
    """Reads the runs of one view, a page at a time; a page looks at a bounded number of commits."""

    def __init__(
        self,
        snapshot: Snapshot,
        wanted: ActivityFilter,
        *,
        visibility: Visibility,
        count_words: _CountWords,
    ) -> None:
        self._snapshot = snapshot
        self._store: Store = snapshot.store
        self._wanted = wanted
        self._visibility = visibility
        self._count_words = count_words
        self._titles = Titles(snapshot)

    def page(self, bound: int, limit: int) -> tuple[list[ActivityRun], int | None]:
        """Return the newest runs up to a version, and up to where the next page begins."""
        runs: list[_Run] = []
        open_: dict[_RunKey, _Run] = {}
        earlier: CommitRow | None = None
        for looked, (commit, parts) in enumerate(self._looked_at(bound)):
            new = [part for part in parts if not self._continues(open_, commit, part)]
            if looked >= limits.ACTIVITY_COMMITS_MAX or len(runs) + len(new) > max(limit, len(new)):
                earlier = commit
                break
            for by, things in parts:
                key = _key_of(commit, by, things)
                run = open_.get(key)
                if run is None or not run.goes_on(commit.timestamp):
                    run = open_[key] = _Run(by, commit, is_typing=key[3] is not None)
                    runs.append(run)
                run.add(commit, things)
        shown = [self._as_run(run, earlier) for run in runs]
        return shown, None if earlier is None else earlier.version

    def _looked_at(self, bound: int) -> Iterator[tuple[CommitRow, list[_Part]]]:
        """Yield commits, newest first, each with who did what by it."""
        commits = self._commits(bound)
        at_once = _AT_ONCE if self._store.database.foresees else 1
        while group := list(islice(commits, at_once)):
            with self._store.connection().together(reads_of_things(self._store, group)):
                parts = [self._parts(commit) for commit in group]
            yield from zip(group, parts, strict=True)

    def _commits(self, bound: int) -> Iterator[CommitRow]:
        """Yield commits, newest first, as far as the time that was asked for."""
        branch = self._snapshot.current_branch()
        while page := log(self._store, branch, bound=bound, limit=_PAGE):
            for commit in page:
                if commit.timestamp < self._wanted.since:
                    return
                yield commit
            bound = page[-1].version - 1

    def _parts(self, commit: CommitRow) -> list[_Part]:
        """Return who did what by a commit, as far as it counts and the user sees it."""
        if commit.operation == FOLLOWING_OPERATION:
            return []
        things = things_of(self._store, commit, visibility=self._visibility)
        by = read_signature(commit.actor)
        parts = [(by, things)]
        if commit.operation == _LIVE:
            parts = self._typed(commit, by, things)
        return [
            (author, kept)
            for author, found in parts
            if self._wanted.accepts(author) and (kept := self._wanted.things(found))
        ]

    def _typed(self, commit: CommitRow, by: Signature, things: list[TouchedKey]) -> list[_Part]:
        """Return who typed in which document."""
        documents = {one.key: one for one in things if one.kind == _DOCUMENT}
        if by.person is not None:
            return [(by, [one]) for one in documents.values()]
        from strata.documents import typists  # noqa: PLC0415  (seldom needed)

        return [
            (self._author(author.user, author.via), [documents[key]])
            for key, authors in typists(self._store, commit).items()
            if key in documents
            for author in authors
        ]

    def _author(self, user: str, via: str | None) -> Signature:
        found = find_user(self._store, user)
        return Signature(via, user, None if found is None else found.name)

    def _continues(self, open_: dict[_RunKey, _Run], commit: CommitRow, part: _Part) -> bool:
        run = open_.get(_key_of(commit, *part))
        return run is not None and run.goes_on(commit.timestamp)

    def _as_run(self, run: _Run, earlier: CommitRow | None) -> ActivityRun:
        counts: dict[str, int] = {}
        for one in run.things:
            counts[one.kind] = counts.get(one.kind, 0) + 1
        kept = list(run.things.items())[: limits.ACTIVITY_THINGS_MAX]
        by = run.by
        return ActivityRun(
            actor=by.actor,
            person=by.person,
            person_name=by.name,
            agent=by.agent if by.person is not None else None,
            task=by.task,
            started=run.commits[-1].timestamp,
            timestamp=run.commits[0].timestamp,
            commits=tuple(commit.version for commit in run.commits),
            counts=counts,
            touched=tuple(self._item(one, commits) for one, commits in kept),
            message=next((commit.message for commit in run.commits if commit.message), None),
            is_typing=run.is_typing,
            cut=earlier is not None and run.goes_on(earlier.timestamp),
        )

    def _item(self, one: TouchedKey, commits: list[CommitRow]) -> ActivityItem:
        words = self._count_words(one.key, commits[::-1]) if one.kind == _DOCUMENT else None
        return ActivityItem(
            space=one.space,
            kind=one.kind,
            key=one.key,
            title=self._titles.at(one.kind, one.key),
            changes=len(commits),
            words_added=None if words is None else words[0],
            words_removed=None if words is None else words[1],
        )


def _key_of(commit: CommitRow, by: Signature, things: list[TouchedKey]) -> _RunKey:
    typed = things[0].key if commit.operation == _LIVE else None
    return (by.person, by.agent, by.task, typed)
