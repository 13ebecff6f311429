"""Branch: work in isolation, compare, take over, take back."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from strata.base import clock
from strata.base.counts import plural
from strata.base.errors import (
    AlreadyExists,
    BranchNotFound,
    ConflictEntry,
    InvalidArgument,
    NotFound,
    TransactionOpen,
)
from strata.base.values import Json
from strata.tools.budget import skip_listed
from strata.tools.declare import HIDDEN, When
from strata.tools.memory.group import memory
from strata.tools.memory.past import LINK, differing, readable
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.store import Branch, Choice, Commit, LaterChange, Merge, ShownChange

DEFAULT_BRANCH = "default"
Limit = Annotated[int, Meta(description="Most entries", le=1000), HIDDEN]
Name = Annotated[str, "Branch name"]
Preview = Annotated[bool, "Only show it"]
NewName = Annotated[str | None, "Branch name"]
Strategy = Literal["strict", "source_wins", "target_wins", "newest"]


_NOTHING_SEEN = (
    "Nothing that you can see was changed: it is there already, or it cannot be taken back "
    "(events stay)."
)
_LEFT_OUT = "Left out: changes by users who may no longer make them. Documents: "


class BranchAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What became of a branch; which members there are depends on the action."""

    branch: str
    version: int | UnsetType = UNSET
    timestamp: Annotated[str | UnsetType, HIDDEN] = UNSET
    parent: Annotated[str | UnsetType, HIDDEN] = UNSET
    switched: Annotated[bool | UnsetType, HIDDEN] = UNSET
    # The branch of later calls, where this one has changed it.
    current: Annotated[str | UnsetType, HIDDEN] = UNSET
    deleted: Annotated[bool | UnsetType, HIDDEN] = UNSET
    source: Annotated[str | UnsetType, HIDDEN] = UNSET
    compare: Annotated[str | UnsetType, HIDDEN] = UNSET
    applied: int | UnsetType = UNSET
    preview: Annotated[bool, HIDDEN] = False
    summary: dict[str, int] | UnsetType = UNSET
    branches: list[Any] | UnsetType = UNSET
    changes: list[Any] | UnsetType = UNSET
    conflicts: list[Any] | UnsetType = UNSET
    resolved: list[Any] | UnsetType = UNSET
    # Edits of documents whose words both sides changed: the current branch's stay.
    suggestions: Annotated[list[Any] | UnsetType, HIDDEN] = UNSET
    # What a revert leaves as it is, because it was changed since.
    kept: Annotated[list[Any] | UnsetType, HIDDEN] = UNSET
    commits: list[Any] | UnsetType = UNSET
    hint: Annotated[str | UnsetType, HIDDEN] = UNSET


def _create(call: Call, *, name: NewName = None) -> BranchAnswer:
    return _made(call.anywhere.branches.create_empty(name))


def _fork(
    call: Call,
    *,
    name: NewName = None,
    source: Annotated[str | None, "To fork from, or to merge"] = None,
    at: Annotated[When | None, "Fork from then"] = None,
) -> BranchAnswer:
    return _made(call.db.branches.fork(name, source=source, at=at))


def _made(branch: "Branch") -> BranchAnswer:
    return BranchAnswer(
        branch=branch.name,
        version=branch.version,
        timestamp=clock.iso(branch.created_at),
        parent=branch.parent or UNSET,
        switched=False,
        hint=f'Work there with action "switch", or pass branch="{branch.name}".',
    )


def _switch(call: Call, *, name: Name) -> BranchAnswer:
    there = call.anywhere.on(name)
    if call.session.transaction is not None:
        raise TransactionOpen(
            f"A transaction is open on branch {call.session.transaction.branch!r}.",
            hint="End it first: strata_txn_commit or strata_txn_rollback.",
        )
    call.session.state.branch = there.branch
    return BranchAnswer(branch=there.branch, switched=True)


def _list(
    call: Call,
    *,
    deleted: Annotated[bool, "Those that restore can bring back", HIDDEN] = False,
    offset: Annotated[int, "Entries to skip", HIDDEN] = 0,
    limit: Limit = 100,
) -> BranchAnswer:
    found: list[Json] = [
        {
            "name": branch.name,
            "parent": branch.parent,
            "version": branch.version,
            "updated": branch.iso_time,
            "current": branch.name == call.branch,
        }
        for branch in call.anywhere.branches.list(deleted=deleted)
    ]
    return BranchAnswer(branch=call.branch, branches=found[offset : offset + limit + 1])


def _merge(
    call: Call,
    *,
    source: Annotated[str | None, "To fork from, or to merge"] = None,
    name: NewName = None,
    strategy: Annotated[Strategy, "strict: stop, list conflicts; others list resolved"] = "strict",
    preview: Preview = False,
    choices: Annotated[
        dict[str, Any] | None,
        'Decide conflicts by id or key: "ours", "theirs", "both" or {"value": …}',
        HIDDEN,
    ] = None,
) -> BranchAnswer:
    # Other actions call a branch `name`, and so do agents here.
    branch = source or name
    if branch is None or name not in (None, branch):
        raise InvalidArgument(
            "merge needs one branch to merge, as source.",
            hint='{"action": "merge", "source": "try-green"}',
            parameter="source",
        )
    done = call.db.branches.merge(
        branch,
        into=call.branch,
        strategy=strategy,
        preview=preview,
        choices=named_choices(choices or {}),
    )
    return _merged(done)


def named_choices(given: dict[str, Any]) -> "dict[str, Choice]":
    """Return choices as the SDK takes them; it refuses what is none."""
    from strata.store import EditedValue  # noqa: PLC0415  (not before the first reply)

    found: dict[str, Any] = dict(given)
    for name, one in given.items():
        if isinstance(one, dict) and "value" in one:
            found[name] = EditedValue(one["value"])
    return found


def _merged(done: "Merge") -> BranchAnswer:
    conflicts = [_conflict(entry) for entry in done.undecided]
    resolved = [_conflict(entry) for entry in done.conflicts if entry not in done.undecided]
    shown = [change for change in done.changes if change.kind != LINK]
    from strata.tools.review_answers import filed_edit_fields  # noqa: PLC0415  (not before the first reply)

    suggestions = [filed_edit_fields(one) for one in done.filed]
    resolved += [filed_edit_fields(one) for one in done.settled]
    is_empty = not (done.applied or done.conflicts or suggestions or done.preview)
    return BranchAnswer(
        branch=done.target,
        source=done.source,
        applied=len(shown),
        version=UNSET if done.commit is None else done.commit,
        preview=done.preview,
        conflicts=conflicts or UNSET,
        resolved=resolved or UNSET,
        suggestions=suggestions or UNSET,
        changes=[_change(change) for change in shown],
        hint=_hint(done, is_empty=is_empty),
    )


def _hint(done: "Merge", *, is_empty: bool) -> str | UnsetType:
    if done.left_out:
        return f"{_LEFT_OUT}{', '.join(done.left_out)}."
    if done.note is not None:
        return done.note
    return _NOTHING_SEEN if is_empty else UNSET


def _conflict(entry: ConflictEntry) -> dict[str, Any]:
    found = msgspec.to_builtins(entry)
    sides = {name: readable(entry.kind, found[name]) for name in ("base", "source", "target")}
    return {"namespace": found.pop("space"), **found, **differing(entry.kind, sides)}


def _diff(
    call: Call,
    *,
    compare: Annotated[str, "Branch to diff with"],
    two_sided: Annotated[
        bool, "Show also what current changed meanwhile, as undone", HIDDEN
    ] = False,
    namespace: Annotated[str | None, "Only changes of this namespace", HIDDEN] = None,
    offset: Annotated[int, "Entries to skip", HIDDEN] = 0,
    limit: Limit = 100,
) -> BranchAnswer:
    found = call.db.branches.diff(call.branch, compare, space=namespace, two_sided=two_sided)
    changes = [change for change in found.changes if change.kind != LINK]
    actions = [change.action for change in changes]
    return BranchAnswer(
        branch=call.branch,
        compare=compare,
        summary={action: actions.count(action) for action in ("added", "removed", "modified")},
        changes=[_change(change) for change in changes[offset : offset + limit + 1]],
        hint=UNSET if changes else _other_way(call, compare),
    )


def _other_way(call: Call, compare: str) -> str | UnsetType:
    """Say that the current branch is the one that changed, and how to see its changes."""
    mine = call.db.branches.diff(compare, call.branch).changes
    count = sum(change.kind != LINK for change in mine)
    if not count:
        return UNSET
    what = plural(count, "change")
    return (
        f"{compare!r} changed nothing since they parted; {call.branch!r} has {what}: "
        f"diff with branch {compare!r} and compare {call.branch!r} shows them."
    )


def _change(change: "ShownChange") -> Json:
    found: dict[str, Json] = {
        "action": change.action,
        "key": change.key,
        "namespace": change.space,
        "kind": change.kind,
        "before": readable(change.kind, change.before),
        "after": readable(change.kind, change.after),
    }
    return found if change.event_type is None else found | {"event": change.event_type}


def _delete(
    call: Call,
    *,
    name: Name,
    force: Annotated[bool, "Unmerged work too"] = False,
) -> BranchAnswer:
    session = call.session
    is_current = session.branch == name
    if is_current and session.transaction is not None:
        raise TransactionOpen(
            f"A transaction is open on branch {name!r}.",
            hint="End it first: strata_txn_commit or strata_txn_rollback.",
        )
    gone = call.anywhere.branches.delete(name, force=force)
    if is_current:
        session.state.branch = _left_for(call, gone)
    moved = f" Later calls work on {session.branch!r}." if is_current else ""
    return BranchAnswer(
        branch=gone.name,
        deleted=True,
        current=session.branch if is_current else UNSET,
        hint=f'For 30 days action "restore" brings it back.{moved}',
    )


def _left_for(call: Call, gone: "Branch") -> str:
    """Return the branch that a session goes back to: the parent, if it is still there."""
    branches = call.anywhere.branches
    is_there = gone.parent is not None and branches.exists(gone.parent)
    return gone.parent if is_there and gone.parent else DEFAULT_BRANCH


def _restore(call: Call, *, name: Name) -> BranchAnswer:
    try:
        return _made(call.anywhere.branches.restore(name))
    except AlreadyExists as error:
        raise AlreadyExists(
            error.message,
            hint="Delete or merge that one first; then restore brings this back.",
            branch=name,
        ) from error
    except BranchNotFound as error:
        raise NotFound(
            error.message,
            hint='Action "list" with deleted true lists those that can come back.',
            branch=name,
        ) from error


def _log(
    call: Call,
    *,
    version: Annotated[int | None, "Commit to revert; log: before it"] = None,
    limit: Limit = 100,
) -> BranchAnswer:
    found = call.db.log(limit=limit + 1, before=version)
    return BranchAnswer(branch=call.branch, commits=[_commit(commit) for commit in found])


def _commit(commit: "Commit") -> Json:
    """Return what one needs to choose a commit by; what it has not got is left out."""
    shown: dict[str, Json] = {
        "version": commit.version,
        "timestamp": commit.iso_time,
        "operation": commit.operation,
        "actor": commit.actor,
        "person": commit.person_name if commit.agent is not None else None,
        "task": commit.task,
        "message": commit.message,
        "keys": list(commit.keys),
        "changes": commit.changes,
    }
    return {name: value for name, value in shown.items() if value not in (None, [])}


def _revert(
    call: Call,
    *,
    version: Annotated[int | None, "Commit to revert; log: before it"] = None,
    versions: Annotated[list[int] | None, "Commits to revert as one", HIDDEN] = None,
    strategy: Annotated[Strategy, "strict: stop, list conflicts; others list resolved"] = "strict",
    preview: Preview = False,
) -> BranchAnswer:
    wanted = [*([] if version is None else [version]), *(versions or [])]
    if not wanted:
        raise InvalidArgument(
            "revert needs a version, or versions.",
            hint="Action log lists the commits.",
            parameter="version",
        )
    done = call.db.revert(wanted, strategy=strategy, preview=preview)
    answer = _merged(done)
    kept = [_later_change(one) for one in done.kept]
    return msgspec.structs.replace(answer, kept=kept) if kept else answer


def _later_change(one: "LaterChange") -> dict[str, Any]:
    """Return what stays, and who changed it since."""
    shown = {
        "key": one.key,
        "title": one.title,
        "kind": one.kind,
        "actor": one.actor,
        "version": one.version,
        "timestamp": one.iso_time,
        "conflict": one.conflict,
    }
    return {name: value for name, value in shown.items() if value is not None}


def _go_on(arguments: dict[str, Any], kept: list[Any]) -> dict[str, Any] | None:
    """Return the arguments that go on where a list was cut."""
    if arguments["action"] == "log":
        return arguments | {"version": kept[-1]["version"]}
    if arguments["action"] not in ("diff", "list"):
        return None
    return skip_listed(arguments, kept)


memory.actions(
    "branch",
    {
        "create": _create,
        "fork": _fork,
        "switch": _switch,
        "list": _list,
        "merge": _merge,
        "diff": _diff,
        "delete": _delete,
        "restore": _restore,
        "log": _log,
        "revert": _revert,
    },
    summary="Work in isolation: try changes on a branch, then merge or discard them.",
    description=(
        "fork: new branch with this or a past state. create: an empty one."
        " Neither switches. switch: later calls work there. merge: source into current."
        " diff: what compare changed. log: commits and their keys. revert: undo some; later writes"
        " stay. restore: undelete."
    ),
    setting=("switch",),
    unshared=("create", "switch", "list", "delete", "restore"),
    reading=("list", "diff", "log"),
    example={"action": "fork", "name": "try-green"},
    output=BranchAnswer,
    resume=_go_on,
)
