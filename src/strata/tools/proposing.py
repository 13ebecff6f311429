"""The calls of callers whose changes wait for a user: where they write, and what they read."""

from typing import TYPE_CHECKING

from strata.base.errors import NotAllowed

if TYPE_CHECKING:
    from strata.tools.session import Call, Session


def branch_of_proposals(session: "Session", named: str | None) -> str:
    """Return the branch of proposals that a caller's write goes to, made or brought up to date.

    `named` is the branch that the call names. A caller that names its own branch of proposals means
    the branch that these are for.
    """
    from strata.store import PROPOSALS  # noqa: PLC0415  (seldom needed)

    base = session.branch if named is None else named
    if base.startswith(PROPOSALS):
        own = session.bound().proposals.base_of(base)
        if own is None:
            raise NotAllowed(
                f"{base!r} holds proposals of another caller, or none any more.",
                hint="Leave out the branch: the change is proposed for the current one.",
            )
        base = own
    return session.bound(base).proposals.branch()


def waiting_note(call: "Call", space: str, key: str) -> str | None:
    """Say to a proposing caller that a change of theirs to a fact waits; None otherwise."""
    if call.session.at is not None:
        return None
    waits = call.db.proposals.own_version(space, "kv", key)
    return None if waits is None else f"Your change to it (version {waits}) waits for a user."
