"""Comments and suggestions on documents, which follow the words they are about."""

from strata.review.comments import Comment
from strata.review.places import Spot
from strata.review.proposals import Proposal
from strata.review.review import Commented, Decided, Review, WaitingDocument
from strata.review.rivals import comment_prevails, suggestion_prevails
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
