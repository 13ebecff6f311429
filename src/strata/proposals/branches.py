"""Branches of proposals: one for each proposer and each branch that changes are proposed for."""

from typing import cast

import msgspec

from strata.base import limits
from strata.base.errors import AlreadyExists, BranchNotFound, InvalidArgument, MergeConflict
from strata.store import (
    NOW,
    PROPOSALS,
    Ancestry,
    BranchRow,
    Point,
    Signature,
    Store,
    check_name,
    create,
    merge_branch,
    visible_tip,
)

# What a branch of proposals is called where the name of its actor cannot be part of one.
_UNNAMED = "agent"
# Names that are tried while another proposer's branch has the first one.
_NAMES_MAX = 1000


class Proposer(msgspec.Struct, frozen=True):
    """Who proposes: the user by id, if one is known, and the agent that acts for them."""

    person: str | None = None
    agent: str | None = None


def proposer_of(signature: Signature) -> Proposer:
    """Return who proposes what a commit with this signature writes."""
    return Proposer(signature.person, signature.agent)


def as_proposer(row: BranchRow) -> Proposer | None:
    """Return whose proposals a branch holds; None for a branch of another kind."""
    notes = row.metadata
    if row.deleted is not None or row.parent is None or not row.name.startswith(PROPOSALS):
        return None
    if not isinstance(notes, dict) or not isinstance(notes.get("proposer"), dict):
        return None
    found = cast("dict[str, object]", notes["proposer"])
    person, agent = (
        value if isinstance(value, str) else None
        for value in (found.get("person"), found.get("agent"))
    )
    return Proposer(person, agent)


def base_of(store: Store, name: str, proposer: Proposer) -> str | None:
    """Return the branch that a proposer's own branch of proposals is for; None for all others."""
    row = store.catalog.find(name, store.connection())
    if row is None or row.parent is None or as_proposer(row) != proposer:
        return None
    return store.catalog.by_id(row.parent).name


def branches_for(store: Store, base: str) -> list[tuple[BranchRow, Proposer]]:
    """Return the branches of proposals for a branch, with their proposers, oldest first."""
    parent = store.catalog.require(base, store.connection()).id
    rows = (row for row in store.catalog.active() if row.parent == parent)
    found = ((row, as_proposer(row)) for row in rows)
    return sorted(
        ((row, by) for row, by in found if by is not None), key=lambda one: one[0].created
    )


def find_branch(store: Store, base: str, proposer: Proposer) -> BranchRow | None:
    """Return the branch that a proposer has for a branch, or None."""
    return next((row for row, by in branches_for(store, base) if by == proposer), None)


def prepared_branch(store: Store, base: str, proposer: Proposer) -> str:
    """Return the branch that a proposer writes to, made or caught up with `base` as needed."""
    for attempt in range(limits.COMMIT_ATTEMPTS):
        found = find_branch(store, base, proposer)
        try:
            if found is None:
                return _made(store, base, proposer)
            _catch_up(store, found, base)
        except (AlreadyExists, BranchNotFound):
            # Another process has made it, or a user has decided about the last of its changes.
            if attempt == limits.COMMIT_ATTEMPTS - 1:
                raise
        else:
            return found.name
    raise AssertionError("the last attempt returns or raises")


def _made(store: Store, base: str, proposer: Proposer) -> str:
    notes = {"proposer": msgspec.to_builtins(proposer)}
    name = _free_name(store, proposer.agent or _UNNAMED)
    return create(store, name, source=base, metadata=notes, actor=proposer.agent).name


def _free_name(store: Store, agent: str) -> str:
    """Return a name that no branch has: the agent's, with a number where that is taken."""
    try:
        first = check_name(f"{PROPOSALS}{agent}", what="branch")
    except InvalidArgument:
        first = f"{PROPOSALS}{_UNNAMED}"
    room = limits.NAME_CHARACTERS_MAX - len(f"-{_NAMES_MAX}")
    names = [first, *(f"{first[:room]}-{number}" for number in range(2, _NAMES_MAX))]
    return next((name for name in names if store.catalog.known(name) is None), names[-1])


def _catch_up(store: Store, row: BranchRow, base: str) -> None:
    """Bring a branch of proposals up to what its base shows now, so that changes build on that.

    Where one of its changes conflicts with the base, it stays as it is until a user has decided
    about it: a merge would let the conflict be forgotten. It also stays where too much has changed.
    """
    parent = store.catalog.require(base, store.connection()).id
    newest = visible_tip(store, parent, NOW)[0]
    known = Ancestry(store).reach(Point(row.id, NOW)).get(parent, 0)
    if not known < newest <= known + limits.PROPOSALS_CATCH_UP_VERSIONS:
        return
    try:
        merge_branch(
            store,
            base,
            target=row.name,
            strategy="strict",
            preview=False,
            actor=None,
            message=f"catch up with {base}",
            choices={},
        )
    except MergeConflict:
        return
