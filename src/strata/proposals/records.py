"""What a proposal is, and what became of some."""

from hashlib import blake2b
from typing import cast

from strata.base.results import Result, TimedResult
from strata.base.values import Json
from strata.documents import DRAFT
from strata.store import Address, BranchRow

# Where it is noted that a proposal was rejected: the space of the log, and the type of its events.
REJECTIONS = "proposals"
REJECTED = "proposal.rejected"
# Operations on a branch of proposals that decide, and others that propose nothing either: catching
# up with the base, and what reviewers do.
DECISIONS = ("accept", "reject")
BY_OTHERS = ("merge", "undo", "reword", *DECISIONS)


class Twin(Result, frozen=True):
    """Another fact that says nearly the same: its key, its value, and how much both share."""

    key: str
    value: Json
    likeness: float


class ProposedChange(TimedResult, frozen=True, kw_only=True):
    """A change that waits for a user.

    `before` is what the base branch holds now, and `after` what it would hold. With `conflict`,
    the base branch has changed there since the change was proposed. `reason` is the message of the
    commit, `sources` are what the new value names as its sources, `twins` the facts that say nearly
    the same. `id` is that of the change as it is: a change that is proposed anew has another one.
    """

    id: str
    branch: str
    base: str
    space: str
    kind: str
    key: str
    title: str
    action: str
    before: Json
    after: Json
    version: int
    timestamp: int
    actor: str | None = None
    person: str | None = None
    person_name: str | None = None
    agent: str | None = None
    task: str | None = None
    reason: str | None = None
    sources: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    twins: tuple[Twin, ...] = ()
    conflict: bool = False
    # What is written with it: the keys of the change itself, and of links that belong to it.
    addresses: tuple[Address, ...] = ()

    @property
    def words(self) -> Json:
        """What a reviewer may write otherwise: a fact's value, a decision's or document's text."""
        return self.words_of(self.after)

    def words_of(self, value: Json) -> Json:
        """Return of `before` or `after` what `words` are: of a decision or a document its text."""
        if self.kind in ("memory", DRAFT) and isinstance(value, dict):
            return cast("dict[str, Json]", value).get("content")
        return value

    @property
    def proposed_by(self) -> str:
        """Who proposed it, for readers: the agent, and the user whom it acted for."""
        names = [name for name in (self.agent, self.person_name) if name]
        return " for ".join(names) or self.actor or "a user"


class RefusedProposal(Result, frozen=True):
    """A proposal that could not be decided about, and why."""

    id: str
    title: str
    code: str
    message: str
    hint: str | None = None


class ProposalVerdict(Result, frozen=True):
    """What was decided: the proposals, the commits on the base branch, and what was refused.

    `cleared` are the commits that took the proposals out of the branches they waited on, and
    `documents` the ids of documents that were made.
    """

    decided: tuple[ProposedChange, ...]
    commits: tuple[int, ...] = ()
    refused: tuple[RefusedProposal, ...] = ()
    cleared: tuple[int, ...] = ()
    documents: tuple[str, ...] = ()


def id_of(row: BranchRow, address: Address, version: int) -> str:
    """Return the id of a change as it is now."""
    named = "\0".join((str(row.id), *address, str(version)))
    return f"prop_{blake2b(named.encode(errors='surrogatepass'), digest_size=6).hexdigest()}"
