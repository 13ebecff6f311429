"""Comments and suggestions on documents, which follow the words they are about."""

from strata.review.comments import Comment
from strata.review.inbox import ReviewInbox, WaitingComment, WaitingSuggestion
from strata.review.merge_rules import joined_comment, suggestion_prevails
from strata.review.places import Spot
from strata.review.proposals import Proposal
from strata.review.review import CommentResult, Review, SuggestionResult, WaitingDocument
from strata.review.threads import Thread

__all__ = [
    "Comment",
    "CommentResult",
    "Proposal",
    "Review",
    "ReviewInbox",
    "Spot",
    "SuggestionResult",
    "Thread",
    "WaitingComment",
    "WaitingDocument",
    "WaitingSuggestion",
    "joined_comment",
    "suggestion_prevails",
]
