"""Changes that agents propose: on branches of their own, until a user accepts or rejects them."""

from typing import TYPE_CHECKING

from strata.base.lazy import lazily

if TYPE_CHECKING:
    from strata.proposals.proposals import Proposals
    from strata.proposals.records import (
        REJECTED,
        REJECTIONS,
        ProposalVerdict,
        ProposedChange,
        RefusedProposal,
        Twin,
    )

__all__ = [
    "REJECTED",
    "REJECTIONS",
    "ProposalVerdict",
    "Proposals",
    "ProposedChange",
    "RefusedProposal",
    "Twin",
]

__getattr__ = lazily(
    __name__,
    {
        "strata.proposals.proposals": "Proposals",
        "strata.proposals.records": (
            "REJECTED REJECTIONS ProposedChange ProposalVerdict RefusedProposal Twin"
        ),
    },
)
