"""Floor 5: comments and suggestions on documents, which follow the words they are about."""

from strata.review.commenting import Commented
from strata.review.comments import Comment
from strata.review.places import Spot
from strata.review.proposals import Proposal
from strata.review.rivals import comment_prevails, suggestion_prevails
from strata.review.room import Review, WaitingDocument
from strata.review.suggesting import Decided
from strata.review.threads import Thread

__all__ = [
    "Comment",
    "Commented",
    "Decided",
    "Proposal",
    "Review",
    "Spot",
    "Thread",
    "WaitingDocument",
    "comment_prevails",
    "suggestion_prevails",
]
