"""Deciding about what agents propose, and taking a decision back."""

from typing import TYPE_CHECKING, Annotated, Literal

from strata.base.errors import Conflict, NotAllowed, NotFound
from strata.tools.page.group import PageAnswer, page
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.proposals import ProposalVerdict

# What a proposal was refused for, if it is not a conflict.
_ERRORS = {kind.code: kind for kind in (NotFound, NotAllowed)}
_EXAMPLE = "prop_0123456789ab"


class DecidedProposal(PageAnswer, frozen=True):
    """What a decision did: commits here and where the proposal waited, and documents it made."""

    commits: tuple[int, ...]
    cleared: tuple[int, ...]
    documents: tuple[str, ...] = ()


@page.writes(needs="memory", example={"proposalId": _EXAMPLE, "decision": "reject"})
def decide_proposal(
    call: Call,
    *,
    proposal_id: Annotated[str, "Id of the proposal"],
    decision: Annotated[Literal["accept", "reject"], "What becomes of it"],
    words: Annotated[str | None, "Accept: this text in place of the proposed one"] = None,
    force: Annotated[bool, "Accept: also where the branch has changed since"] = False,
) -> DecidedProposal:
    """Accept or reject a change that an agent proposed."""
    proposals = call.db.proposals
    if decision == "reject":
        done = proposals.reject(proposal_id)
    elif words is not None:
        done = proposals.reword(proposal_id, words, force=force)
    else:
        done = proposals.accept(proposal_id, force=force)
    _require_decided(done)
    return DecidedProposal(commits=done.commits, cleared=done.cleared, documents=done.documents)


def _require_decided(done: "ProposalVerdict") -> None:
    if done.refused:
        refused = done.refused[0]
        kind = _ERRORS.get(refused.code, Conflict)
        raise kind(refused.message, hint=refused.hint)


@page.writes(needs="memory", example={"commits": [], "cleared": [12]})
def reopen_proposal(
    call: Call,
    *,
    commits: Annotated[list[int], "Commits of the decision on the branch"],
    cleared: Annotated[list[int], "Commits of the decision where the proposal waited"],
    documents: Annotated[tuple[str, ...], "Documents that the decision made"] = (),
) -> DecidedProposal:
    """Take a decision about a proposal back: it waits again."""
    from strata.proposals import ProposalVerdict  # noqa: PLC0415  (seldom needed)

    verdict = ProposalVerdict((), tuple(commits), (), tuple(cleared), tuple(documents))
    call.db.proposals.reopen(verdict)
    return DecidedProposal(commits=(), cleared=())
