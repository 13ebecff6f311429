"""Branch: work in isolation, compare, take over, take back."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from strata.base import clock
from strata.base.values import Json
from strata.tools.declare import HIDDEN, When
from strata.tools.memory.surface import memory
from strata.tools.reviewed.filed import shown_filed
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.store import Branch, ConflictEntry, Merge, ShownChange

Limit = Annotated[int, Meta(description="Most entries", le=1000), HIDDEN]
Name = Annotated[str, "Branch name"]
NewName = Annotated[str | None, "Branch name"]
Strategy = Literal["strict", "source_wins", "target_wins", "newest"]


_NOTHING_DONE = "Nothing was changed: it is there already, or it cannot be taken back (events stay)"


class Branching(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What became of a branch; which members there are depends on the action."""

    branch: str
    version: int | UnsetType = UNSET
    timestamp: str | UnsetType = UNSET
    parent: str | UnsetType = UNSET
    switched: Annotated[bool | UnsetType, HIDDEN] = UNSET
    deleted: Annotated[bool | UnsetType, HIDDEN] = UNSET
    source: Annotated[str | UnsetType, HIDDEN] = UNSET
    compare: Annotated[str | UnsetType, HIDDEN] = UNSET
    applied: int | UnsetType = UNSET
    preview: Annotated[bool, HIDDEN] = False
    summary: dict[str, int] | UnsetType = UNSET
    branches: list[Any] | UnsetType = UNSET
    changes: list[Any] | UnsetType = UNSET
    conflicts: list[Any] | UnsetType = UNSET
    resolved: Annotated[list[Any] | UnsetType, HIDDEN] = UNSET
    # Edits of documents whose words both sides changed: the current branch's stay.
    suggestions: Annotated[list[Any] | UnsetType, HIDDEN] = UNSET
    commits: list[Any] | UnsetType = UNSET
    hint: Annotated[str | UnsetType, HIDDEN] = UNSET


def _create(call: Call, *, name: NewName = None) -> Branching:
    made = call.db.branches.create(name)
    return _made(made)


def _fork(
    call: Call,
    *,
    name: NewName = None,
    source: Annotated[str | None, "Branch to fork from, or to merge"] = None,
    at: Annotated[When | None, "Fork from then"] = None,
) -> Branching:
    return _made(call.db.branches.fork(name, source=source, at=at))


def _made(branch: "Branch") -> Branching:
    return Branching(
        branch=branch.name, version=branch.version, timestamp=clock.iso(branch.created_at),
        parent=branch.parent or UNSET, switched=False,
        hint=f'Work there with action "switch", or pass branch="{branch.name}".',
    )  # fmt: skip


def _switch(call: Call, *, name: Name) -> Branching:
    there = call.db.on(name)
    call.session.branch = there.branch
    return Branching(branch=there.branch, switched=True)


def _list(call: Call, *, limit: Limit = 100) -> Branching:
    found: list[Json] = [
        {
            "name": branch.name, "parent": branch.parent, "version": branch.version,
            "updated": branch.time, "current": branch.name == call.branch,
        }
        for branch in call.db.branches.list()
    ]  # fmt: skip
    return Branching(branch=call.branch, branches=found[:limit])


def _merge(
    call: Call,
    *,
    source: Annotated[str, "Branch to fork from, or to merge"],
    strategy: Annotated[Strategy, "strict lists conflicts"] = "strict",
    preview: Annotated[bool, "Only show the merge"] = False,
) -> Branching:
    done = call.db.branches.merge(source, into=call.branch, strategy=strategy, preview=preview)
    return _merged(done)


def _merged(done: "Merge") -> Branching:
    conflicts = [_conflict(entry) for entry in done.conflicts]
    suggestions = [shown_filed(one) for one in done.filed]
    is_empty = not (done.applied or conflicts or suggestions or done.preview)
    return Branching(
        branch=done.target, source=done.source, applied=done.applied,
        version=UNSET if done.commit is None else done.commit, preview=done.preview,
        conflicts=conflicts if conflicts and done.strategy == "strict" else UNSET,
        resolved=conflicts if conflicts and done.strategy != "strict" else UNSET,
        suggestions=suggestions or UNSET,
        changes=[_change(change) for change in done.changes],
        hint=_NOTHING_DONE if is_empty else UNSET,
    )  # fmt: skip


def _conflict(entry: "ConflictEntry") -> dict[str, Any]:
    found = msgspec.to_builtins(entry)
    return {"namespace": found.pop("space"), **found}


def _diff(
    call: Call,
    *,
    compare: Annotated[str, "Branch to diff with"],
    two_sided: Annotated[
        bool, "Show also what current changed meanwhile, as undone", HIDDEN
    ] = False,
    offset: Annotated[int, "Changes to skip", HIDDEN] = 0,
    limit: Limit = 100,
) -> Branching:
    found = call.db.branches.diff(call.branch, compare, two_sided=two_sided)
    return Branching(
        branch=call.branch, compare=compare,
        summary={
            "added": len(found.added), "removed": len(found.removed),
            "modified": len(found.modified),
        },
        changes=[_change(change) for change in found.changes[offset : offset + limit + 1]],
    )  # fmt: skip


def _change(change: "ShownChange") -> Json:
    found: dict[str, Json] = {
        "action": change.action, "key": change.key, "namespace": change.space,
        "kind": change.kind, "before": change.before, "after": change.after,
    }  # fmt: skip
    return found if change.event_type is None else found | {"event": change.event_type}


def _delete(
    call: Call,
    *,
    name: Name,
    force: Annotated[bool, "Delete unmerged work too"] = False,
) -> Branching:
    gone = call.db.branches.delete(name, force=force)
    return Branching(
        branch=gone.name, deleted=True,
        hint="It can be brought back for 30 days: `strata branch --restore` in a terminal.",
    )  # fmt: skip


def _log(
    call: Call,
    *,
    version: Annotated[int | None, "Commit to revert; log: before it"] = None,
    limit: Limit = 100,
) -> Branching:
    commits: list[Json] = [
        {
            "version": commit.version, "timestamp": commit.time, "actor": commit.actor,
            "operation": commit.operation, "message": commit.message, "changes": commit.changes,
        }
        for commit in call.db.log(limit=limit + 1, before=version)
    ]  # fmt: skip
    return Branching(branch=call.branch, commits=commits)


def _revert(
    call: Call,
    *,
    version: Annotated[int, "Commit to revert; log: before it"],
) -> Branching:
    return _merged(call.db.revert(version))


def _go_on(arguments: dict[str, Any], kept: list[Any]) -> dict[str, Any] | None:
    """Return the arguments that go on where a list was cut."""
    if arguments["action"] == "log":
        return arguments | {"version": kept[-1]["version"]}
    if arguments["action"] != "diff":
        return None
    return arguments | {"offset": int(arguments.get("offset") or 0) + len(kept)}


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
        "log": _log,
        "revert": _revert,
    },
    summary="Work in isolation: try changes on a branch, then merge or discard them.",
    description=(
        "fork: new branch with this (or a past) state, copied for free. create: an empty one."
        " Neither switches. switch: later calls work there. merge: source into current."
        " diff: what compare changed since it left current. log: commits."
    ),
    setting=("switch",),
    reading=("list", "diff", "log"),
    example={"action": "fork", "name": "try-green"},
    output=Branching,
    resume=_go_on,
)
