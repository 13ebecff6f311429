"""What a workspace knows of its history: times, commits, and taking them back."""

from collections.abc import Iterator
from typing import Literal

from strata.base import clock
from strata.base.checks import check_number
from strata.base.errors import CommitNotFound
from strata.base.page import ResultPage, cut_page
from strata.decisions import SYSTEM
from strata.store import (
    NOW,
    WHOLE,
    BranchRow,
    Commit,
    Instant,
    Merge,
    Point,
    ShownChange,
    Strategy,
    View,
    Visibility,
    apply_commit,
    as_commit,
    changes_of_commit,
    changes_since,
    find_commit,
    is_seen,
    log,
    resolve,
    short_hash,
    visible_tip,
)
from strata.workspace.followers import Followers
from strata.workspace.rooms import Kinds
from strata.workspace.settings import Settings, zone_of


class WithPast(Kinds):
    """Reading and mending history."""

    def __init__(self, view: View, followers: Followers, *, timezone: str | None = None) -> None:
        super().__init__(view, followers.matrices)
        self._followers = followers
        self._store = view.store
        self._timezone = timezone

    def _sight(self) -> Visibility:
        """Return what is seen from here: all of it, for whoever has the file itself."""
        return WHOLE

    def _require_owner(self, what: str, *, why: str = "", hint: str = "") -> None:
        """Raise NotAllowed where somebody acts who must not reach the whole store."""

    def resolve(self, when: clock.When) -> Instant:
        """Return the point of this branch's history that a time means.

        >>> _ = db.kv.put("k", 1)
        >>> db.resolve("now").version
        1
        """
        return self._locate(when)[1]

    def time_of(self, when: clock.When) -> int:
        """Return a time in microseconds, whether or not there is any history of it.

        >>> db.time_of("2026-01-02T00:00:00Z")
        1767312000000000
        """
        moment, _ahead = self._moment(when)
        return self.resolve(when).timestamp if moment.timestamp is None else moment.timestamp

    def _locate(self, when: clock.When) -> tuple[BranchRow, Instant]:
        """Return branch and point that a time means; a past view's "now" is its own."""
        moment, ahead_us = self._moment(when)
        row = self._row_of(moment)
        if self._view.instant is not None and when == "now":
            return row, self._view.instant
        return row, resolve(self._store, row.id, moment, ahead_us=ahead_us)

    def _row_of(self, moment: clock.Moment) -> BranchRow:
        """Return the branch that a moment is about: this one, or a tag's own."""
        own = self._store.catalog.by_id(self._view.snapshot.current_branch())
        row = None
        if moment.tag is not None:
            row = self._store.connection().row(self._store.queries.tag, (moment.tag,))
        if row is None or any(
            row[1] == at and row[2] <= upto for at, upto in self._store.lineage(own.id)
        ):
            return own
        return self._store.catalog.by_id(row[1])

    def _resolve_on(self, branch: str, when: clock.When) -> Instant:
        row = self._store.catalog.require(branch, self._store.connection())
        moment, ahead_us = self._moment(when)
        return resolve(self._store, row.id, moment, ahead_us=ahead_us)

    def _moment(self, when: clock.When) -> tuple[clock.Moment, int]:
        """Return what a time means, and by how much the newest commit is after the clock."""
        now = self._store.clock()
        # The clock may be behind the newest commit; then that is what now means.
        newest = visible_tip(self._store, self._view.snapshot.current_branch(), NOW)[1]
        moment = clock.parse_time(when, now=max(now, newest), timezone=self._zone())
        is_time = moment.timestamp is not None
        return moment, max(newest - now, 0) if is_time else 0

    def _zone(self) -> str | None:
        return self._timezone or zone_of(Settings(self._store))

    def log(self, *, limit: int = 50, before: int | None = None) -> ResultPage[Commit, int]:
        """Return the commits this view can see, newest first, at most `limit`.

        `more` of the result tells whether there are others, `next` is what to pass as `before`
        to get them, and `all()` yields them.

        >>> _ = db.kv.put("k", 1)
        >>> [commit.operation for commit in db.log()]
        ['put']
        """
        check_number(limit, name="limit", most=NOW)
        bound = self._view.snapshot.bound
        if before is not None:
            bound = min(bound, check_number(before, name="before") - 1)
        branch, sight = self._view.snapshot.current_branch(), self._sight()
        rows = log(self._store, branch, bound=bound, limit=min(limit + 1, NOW), sight=sight)
        kept = rows[:limit]
        return ResultPage(
            (as_commit(self._store, row, sight=sight) for row in kept),
            next=kept[-1].version if len(rows) > limit else None,
            onward=lambda before: self.log(limit=limit, before=before),
        )

    def show(self, version: int) -> tuple[Commit, list[ShownChange]]:
        """Return the commit that wrote a version, and what it changed.

        >>> written = db.kv.put("k", {"a": 1}).version
        >>> commit, changes = db.show(written)
        >>> changes[0].key, changes[0].action
        ('k', 'added')
        """
        sight = self._sight()
        row = find_commit(self._store, version, sight=sight)
        shown = changes_of_commit(self._store, row, sight=sight)
        return as_commit(self._store, row, sight=sight), shown

    def changes(self, after: int, *, limit: int = 1000) -> ResultPage[ShownChange, int]:
        """Return what was written on this branch after a version, oldest first, at most `limit`.

        `more` of the result tells whether there are others, `next` is what to pass as `after`
        to get them, and `all()` yields them.

        >>> first = db.kv.put("a", 1).version
        >>> _ = db.kv.put("b", 2)
        >>> [change.key for change in db.changes(first)]
        ['b']
        """
        check_number(after, name="after", least=0, most=NOW)
        check_number(limit, name="limit", most=NOW)
        snapshot = self._view.snapshot
        point = Point(snapshot.current_branch(), snapshot.bound)
        found = changes_since(
            self._store, point, after=after, limit=min(limit + 1, NOW), sight=self._sight()
        )
        return cut_page(
            found, limit, lambda change: change.version,
            onward=lambda after: self.changes(after, limit=limit),
        )  # fmt: skip

    def revert(
        self, version: int, *, strategy: Strategy = "strict", message: str | None = None
    ) -> Merge:
        """Take one commit back by a new one; later changes to the same places conflict.

        >>> _ = db.kv.put("k", 1)
        >>> wrong = db.kv.put("k", 2).version
        >>> _ = db.revert(wrong)
        >>> db.kv.get("k").value
        1
        """
        return self._apply(version, "revert", strategy=strategy, message=message)

    def undo(self, *, actor: str | None = None, message: str | None = None) -> Merge:
        """Take back the newest commit here that was not undone yet, or an actor's newest.

        What the store did by itself is taken back when its actor, `system`, is named.

        >>> _ = db.kv.put("k", 1); _ = db.kv.put("k", 2)
        >>> _ = db.undo()
        >>> db.kv.get("k").value
        1
        """
        for version in self._not_undone(actor if actor is not None else self._view.actor):
            merge = self._apply(version, "undo", strategy="strict", message=message)
            # What changed nothing, or only appended events, must not stand in the way.
            if merge.commit is not None:
                return merge
        raise CommitNotFound("There is nothing to undo here.", hint="`db.log()` shows why.")

    def _not_undone(self, actor: str | None) -> Iterator[int]:
        """Yield the commits that can still be undone, newest first."""
        undone: set[str] = set()
        sight = self._sight()
        for row in log(self._store, self._view.snapshot.current_branch()):
            operation, _blank, commit = row.operation.partition(" ")
            if operation == "undo":
                undone.add(commit)
            elif short_hash(row) in undone or not _is_by(row.actor, actor):
                continue
            elif is_seen(self._store, row, sight):
                yield row.version

    def cherry_pick(
        self, version: int, *, strategy: Strategy = "strict", message: str | None = None
    ) -> Merge:
        """Take over what one commit changed, from whatever branch.

        >>> _ = db.branches.fork("try")
        >>> good = db.on("try").kv.put("k", "좋다").version
        >>> _ = db.cherry_pick(good)
        >>> db.kv.get("k").value
        '좋다'
        """
        return self._apply(version, "pick", strategy=strategy, message=message)

    def _apply(
        self,
        version: int,
        operation: Literal["revert", "undo", "pick"],
        *,
        strategy: Strategy,
        message: str | None,
    ) -> Merge:
        sight = self._sight()
        return apply_commit(
            self._store, find_commit(self._store, version, sight=sight), onto=self._view.branch,
            operation=operation, strategy=strategy, actor=self._view.actor,
            message=self._view.message(message), sight=sight,
        )  # fmt: skip


def _is_by(author: str | None, actor: str | None) -> bool:
    """Tell whether a commit is an actor's; without one, whether it is anybody's but ours."""
    return author == actor if actor is not None else author != SYSTEM
