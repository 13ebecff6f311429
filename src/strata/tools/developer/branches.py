"""Category branch: lines of work, from an empty one to a merge."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta, Struct

from strata.base.errors import Conflict, ConflictEntry, MergeConflict, NotAllowed, TransactionOpen
from strata.base.values import Json
from strata.tools.budget import skip_listed
from strata.tools.declare import ToolGroup
from strata.tools.review_answers import filed_edit_fields
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.store import Branch, Diff, ShownChange

branch_tools = ToolGroup("developer", pattern="strata_branch_{}", shared=())

Name = Annotated[str, "Name of the branch"]


class BranchInfo(Struct, frozen=True, omit_defaults=True):
    """A branch. Its id and its parent's are their names; times are microseconds."""

    id: str
    status: str
    created_at: int
    updated_at: int
    parent_id: str | None
    version: int
    metadata: Json = None


class BranchSwitched(Struct, frozen=True):
    """The branch that later calls of this session use."""

    switched: bool
    branch: str


class ForkAnswer(Struct, frozen=True):
    """A fork. `keys_copied` counts the keys that it sees; nothing was copied."""

    source: str
    destination: str
    keys_copied: int


class KeyDifference(Struct, frozen=True, omit_defaults=True):
    """A key that branch_b changed: its value before and after, null where the key is absent.

    The key of an event is its sequence number.
    """

    key: str
    primitive: str
    space: str
    value_a: Json
    value_b: Json
    event_type: str | None = None


class SpaceDiff(Struct, frozen=True):
    """What differs in one space."""

    space: str
    added: list[KeyDifference]
    removed: list[KeyDifference]
    modified: list[KeyDifference]


class DiffSummary(Struct, frozen=True):
    """How many keys differ."""

    total_added: int
    total_removed: int
    total_modified: int


class BranchDiff(Struct, frozen=True):
    """What branch b changed since it parted from branch a; two-sided, all that differs."""

    branch_a: str
    branch_b: str
    summary: DiffSummary
    spaces: list[SpaceDiff]


class MergeConflictEntry(Struct, frozen=True):
    """A place that both branches changed since they parted."""

    key: str
    primitive: str
    space: str
    source_value: Json
    target_value: Json


class MergeAnswer(Struct, frozen=True):
    """What a merge did; `conflicts` lists what was decided for the source.

    `suggestions` are edits of documents whose words both sides changed: the target's stay.
    """

    keys_applied: int
    spaces_merged: int
    conflicts: list[MergeConflictEntry]
    suggestions: list[dict[str, Any]]


@branch_tools.writes(example={"branch_id": "scratch", "metadata": {"for": "실험"}})
def create(
    call: Call,
    *,
    branch_id: Annotated[str | None, "Its name; left out, a readable one is made up"] = None,
    metadata: Annotated[Json, "Anything to keep with the branch"] = None,
) -> BranchInfo:
    """Make an empty branch.

    It sees nothing of any other branch: to try something on the present state use
    strata_branch_fork. Does not switch to it.
    """
    return _info(call.anywhere.branches.create_empty(branch_id, metadata=metadata))


@branch_tools.reads(example={"branch": "default"})
def get(call: Call, *, branch: Name) -> BranchInfo | None:
    """Read what is known of a branch.

    Answers {result: null} when there is none of that name.
    """
    found = call.anywhere.branches.get(branch)
    return None if found is None else _info(found)


@branch_tools.reads(name="list", lists="branches", resume=skip_listed, example={"limit": 20})
def list_(
    call: Call,
    *,
    limit: Annotated[int | None, Meta(description="Branches at most", ge=1)] = None,
    offset: Annotated[int, Meta(description="Leave out so many of the first", ge=0)] = 0,
) -> list[BranchInfo]:
    """List branches by name.

    Answers {branches}.
    """
    found = call.anywhere.branches.list()[offset:]
    return [_info(one) for one in found[:limit]]


@branch_tools.reads(example={"branch": "try"})
def exists(call: Call, *, branch: Name) -> bool:
    """Tell whether a branch exists.

    Answers {result}.
    """
    return call.anywhere.branches.exists(branch)


@branch_tools.writes(destructive=True, example={"branch": "try"})
def delete(call: Call, *, branch: Name) -> None:
    """Delete a branch, merged or not.

    `default` and the branch in use are refused. For 30 days strata_branch with action restore
    brings it back.
    """
    if branch == call.session.branch:
        raise NotAllowed(
            f"The branch {branch!r} is in use here.", hint="Switch to another one first."
        )
    call.anywhere.branches.delete(branch, force=True)


@branch_tools.writes(shared=("branch",), example={"destination": "try"})
def fork(call: Call, *, destination: Annotated[str, "Name of the new branch"]) -> ForkAnswer:
    """Make a branch that starts from the current one as it is.

    Free at any size: nothing is copied, and keys_copied counts the keys that the fork sees. What an
    open transaction has not committed is not in it. Does not switch; pass `branch` in later calls
    or use strata_branch_switch. For an empty branch use strata_branch_create.
    """
    made = call.db.branches.fork(destination)
    return ForkAnswer(call.branch, made.name, call.db.on(made.name).info().keys)


@branch_tools.reads(example={"branch_a": "default", "branch_b": "try"})
def diff(
    call: Call,
    *,
    branch_a: Annotated[str, "Compare with this branch"],
    branch_b: Annotated[str, "the changes of this one"],
    two_sided: Annotated[bool, "Show all that turns branch_a into branch_b instead"] = False,
    space: Annotated[str | None, "Only changes of this space; left out, of all"] = None,
) -> BranchDiff:
    """Show what branch_b changed since it parted from branch_a.

    By space: what a merge of branch_b into branch_a would bring. What branch_a changed meanwhile is
    left out; with two_sided it is shown as undone.
    """
    found = call.anywhere.branches.diff(branch_a, branch_b, space=space, two_sided=two_sided)
    spaces = sorted({change.space for change in found.changes})
    summary = DiffSummary(len(found.added), len(found.removed), len(found.modified))
    return BranchDiff(branch_a, branch_b, summary, [_space_diff(one, found) for one in spaces])


@branch_tools.writes(shared=("branch",), example={"source": "try", "strategy": "strict"})
def merge(
    call: Call,
    *,
    source: Annotated[str, "Branch whose changes to take over"],
    strategy: Annotated[
        Literal["last_writer_wins", "strict"],
        "Where both changed something: take the source's value, or refuse and list the conflicts",
    ] = "last_writer_wins",
) -> MergeAnswer:
    """Merge a branch into the current one.

    Compares both with where they parted; different fields of a JSON document do not conflict. With
    `strict` a conflict changes nothing and is an error of code conflict that lists every place. All
    spaces are merged.
    strata_branch_diff shows beforehand what differs.
    """
    chosen = "strict" if strategy == "strict" else "source_wins"
    try:
        done = call.db.branches.merge(source, strategy=chosen)
    except MergeConflict as error:
        raise Conflict(
            error.message,
            hint='Nothing was changed. "last_writer_wins" takes the values of the source.',
            conflicts=[_conflict(one) for one in error.conflicts],
        ) from error
    spaces = {change.space for change in done.changes}
    return MergeAnswer(
        done.applied,
        len(spaces),
        [_conflict(one) for one in done.conflicts],
        [filed_edit_fields(one) for one in done.filed],
    )


@branch_tools.writes(idempotent=True, sets_session=True, example={"branch": "try"})
def switch(call: Call, *, branch: Name) -> BranchSwitched:
    """Use another branch in later calls of this session.

    It must exist. For one call alone pass `branch` to that call instead.
    """
    if call.session.transaction is not None:
        raise TransactionOpen(
            "A transaction is open on the current branch.",
            hint="End it first: strata_txn_commit or strata_txn_rollback.",
        )
    call.session.state.branch = call.anywhere.on(branch).branch
    return BranchSwitched(switched=True, branch=branch)


def _info(found: "Branch") -> BranchInfo:
    return BranchInfo(
        found.name,
        found.status,
        found.created_at,
        found.updated_at,
        found.parent,
        found.version,
        found.metadata,
    )


def _space_diff(space: str, found: "Diff") -> SpaceDiff:
    return SpaceDiff(
        space,
        _differing(space, found.added),
        _differing(space, found.removed),
        _differing(space, found.modified),
    )


def _differing(space: str, changes: "Sequence[ShownChange]") -> list[KeyDifference]:
    return [
        KeyDifference(
            change.key, change.kind, space, change.before, change.after, change.event_type
        )
        for change in changes
        if change.space == space
    ]


def _conflict(entry: ConflictEntry) -> MergeConflictEntry:
    # A conflict inside a document names its place there.
    key = entry.key if entry.path == "$" else f"{entry.key}{entry.path.removeprefix('$')}"
    return MergeConflictEntry(key, entry.kind, entry.space, entry.source, entry.target)
