"""Branches as the SDK shows them."""

from collections.abc import Callable, Iterable
from functools import partial

import msgspec

from strata.base import clock, limits
from strata.base.results import Result
from strata.base.values import Json
from strata.store import (
    NOW,
    Branch,
    Choice,
    Commit,
    Diff,
    EditedValue,
    Merge,
    NamedChoices,
    Point,
    Strategy,
    View,
    Visibility,
    as_commit,
    compare_branches,
    create,
    delete,
    distance,
    get,
    has_visible_work,
    listing,
    merge_branch,
    newest_work,
    rename,
    restore,
)
from strata.workspace.times import Times


class BranchDistance(Result, frozen=True):
    """How many commits a branch has that another lacks, and lacks that the other has.

    Neither is counted beyond `limit`.
    """

    ahead: int
    behind: int
    limit: int = limits.DISTANCE_MAX


class Branches:
    """Lines of work. Reached as `db.branches`; the current one is the default everywhere."""

    def __init__(
        self,
        view: View,
        times: Times,
        *,
        visibility: Callable[[], Visibility],
    ) -> None:
        self._view = view
        self._store = view.store
        self._times = times
        self._visibility = visibility

    def create_empty(self, name: str | None = None, *, metadata: Json = None) -> Branch:
        """Make a branch that sees nothing of any other; `fork` makes one from the present state.

        Without a name a readable one is made up.

        >>> db.branches.create_empty("blank").parent is None
        True
        """
        view = self._view
        view.check_name(name, "name of the branch")
        noted = view.screen_note(metadata, "metadata of the branch")
        return create(self._store, name, metadata=noted, actor=view.actor)

    def fork(
        self,
        name: str | None = None,
        *,
        source: str | None = None,
        at: clock.When | None = None,
        metadata: Json = None,
    ) -> Branch:
        """Make a branch that starts from another one as it is, or was `at` a time.

        Nothing is copied, whatever the size.

        >>> _ = db.kv.put("k", 1)
        >>> db.branches.fork("try", source="default").parent
        'default'
        >>> db.on("try").kv.get("k").value
        1
        """
        self._view.check_name(name, "name of the branch")
        noted = self._view.screen_note(metadata, "metadata of the branch")
        origin = source or self._view.branch
        bound = self._view.instant.version if self._view.instant and source is None else NOW
        start = None
        if at is not None and source is None:
            row, point = self._times.locate(at)  # a tag's own branch, even one that was deleted
            start = Point(row.id, point.version)
        elif at is not None:
            bound = self._times.on_branch(origin, at).version
        return create(
            self._store,
            name,
            source=origin,
            bound=bound,
            start=start,
            metadata=noted,
            actor=self._view.actor,
            visibility=self._visibility(),
        )

    def get(self, name: str) -> Branch | None:
        """Return a branch, or None.

        >>> db.branches.get("default").name
        'default'
        """
        return get(self._store, name) if self.exists(name) else None

    def exists(self, name: str) -> bool:
        """Tell whether there is a branch of that name.

        >>> db.branches.exists("default"), db.branches.exists("other")
        (True, False)
        """
        return self._store.catalog.find(name, self._store.connection()) is not None

    def list(self, *, deleted: bool = False) -> "list[Branch]":
        """Return the branches by name, or the deleted ones that can be brought back.

        >>> [branch.name for branch in db.branches.list()]
        ['default']
        """
        return listing(self._store, deleted=deleted)

    def distance(self, name: str, other: str) -> BranchDistance:
        """Return by how many commits a branch is ahead of another, and behind it.

        What was merged is in both. Only commits that the user sees count.

        >>> _ = db.branches.fork("try")
        >>> _ = db.on("try").kv.put("new", 1)
        >>> found = db.branches.distance("try", "default")
        >>> found.ahead, found.behind
        (1, 0)
        """
        own, others = distance(
            self._store, name, other, most=limits.DISTANCE_MAX, visibility=self._visibility()
        )
        return BranchDistance(own, others)

    def last_change(self, name: str) -> Commit | None:
        """Return the newest commit on a branch in which a user or an agent changed something.

        >>> _ = db.as_actor("소연").kv.put("k", 1)
        >>> db.branches.last_change("default").actor
        '소연'
        """
        branch = self._store.catalog.readable(name, self._store.connection()).id
        visibility = self._visibility()
        row = newest_work(self._store, branch, visibility=visibility)
        return None if row is None else as_commit(self._store, row, visibility=visibility)

    def delete(self, name: str, *, force: bool = False) -> Branch:
        """Delete a branch; `force` also one whose work is merged nowhere.

        >>> _ = db.branches.fork("done")
        >>> db.branches.delete("done").status
        'deleted'
        """
        has_work = partial(has_visible_work, self._store, visibility=self._visibility())
        return delete(self._store, name, force=force, has_work=has_work)

    def restore(self, name: str, *, as_name: str | None = None) -> Branch:
        """Bring back a branch that was deleted in the last 30 days.

        >>> _ = db.branches.fork("done"); _ = db.branches.delete("done")
        >>> db.branches.restore("done").status
        'active'
        """
        self._view.check_name(as_name, "name of the branch")
        return restore(self._store, name, as_name=as_name)

    def rename(self, old: str, new: str) -> Branch:
        """Give a branch another name.

        >>> _ = db.branches.fork("draft")
        >>> db.branches.rename("draft", "초안").name
        '초안'
        """
        self._view.check_name(new, "name of the branch")
        return rename(self._store, old, new)

    def diff(
        self,
        a: str,
        b: str,
        *,
        space: str | None = None,
        kinds: Iterable[str] | None = None,
        two_sided: bool = False,
    ) -> Diff:
        """Return what branch `b` changed since it parted from `a`: what a merge would bring.

        What `a` changed meanwhile is left out, unless `two_sided` asks for all that turns `a`
        into `b`.

        >>> _ = db.branches.fork("try")
        >>> _ = db.on("try").kv.put("new", 1)
        >>> _ = db.kv.put("meanwhile", 1)
        >>> [change.key for change in db.branches.diff("default", "try").changes]
        ['new']
        >>> [change.key for change in db.branches.diff("default", "try", two_sided=True).removed]
        ['meanwhile']
        """
        found = compare_branches(
            self._store, a, b, two_sided=two_sided, visibility=self._visibility()
        )
        return _narrowed(found, space, kinds) if space is not None or kinds is not None else found

    def merge(
        self,
        source: str,
        *,
        into: str | None = None,
        strategy: Strategy = "strict",
        preview: bool = False,
        message: str | None = None,
        choices: NamedChoices | None = None,
    ) -> Merge:
        """Merge a branch into another one, the current one by default.

        Keys that both sides changed are compared with where they parted; JSON objects are
        merged field by field. What is left conflicts: `strict` raises MergeConflict and
        changes nothing, the other strategies decide. `preview` only computes.

        `choices` decide single conflicts, by the `id` that a preview shows, or by the key: "ours",
        "theirs", "both" (of lists, and of passages in documents) or `EditedValue(value)`. Passages
        of documents without a choice become suggestions. A conflict that has changed since the
        preview has another id, and the merge is refused.

        >>> _ = db.branches.fork("try")
        >>> _ = db.on("try").kv.put("k", "새 값")
        >>> db.branches.merge("try", into="default").applied
        1
        >>> db.kv.get("k").value
        '새 값'
        >>> _ = db.kv.put("k", 1); _ = db.on("try").kv.put("k", 2)
        >>> [conflict] = db.branches.merge("try", into="default", preview=True).conflicts
        >>> _ = db.branches.merge("try", into="default", choices={conflict.id: "theirs"})
        >>> db.kv.get("k").value
        2
        """
        noted: dict[str, Choice] = {**(choices or {})}
        for name, choice in noted.items():
            if isinstance(choice, EditedValue):
                noted[name] = EditedValue(self._view.screen_note(choice.value, "choice"))
        return merge_branch(
            self._store,
            source,
            target=into or self._view.branch,
            strategy=strategy,
            preview=preview,
            actor=self._view.signature,
            message=self._view.message(message),
            choices=noted,
            visibility=self._visibility(),
        )


def _narrowed(found: Diff, space: str | None, kinds: Iterable[str] | None) -> Diff:
    wanted = None if kinds is None else set(kinds)
    narrowed = {
        action: tuple(
            change
            for change in getattr(found, action)
            if (space is None or change.space == space)
            and (wanted is None or change.kind in wanted)
        )
        for action in ("added", "removed", "modified")
    }
    return msgspec.structs.replace(found, **narrowed)
