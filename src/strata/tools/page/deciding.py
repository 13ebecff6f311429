"""Deciding about suggestions where they wait, and taking a decision back."""

from typing import Annotated, Literal

from strata.tools.documents.group import DocumentId
from strata.tools.page.group import PageAnswer, page
from strata.tools.session import Call

SuggestionId = Annotated[str, "Id of the suggestion"]


class Decided(PageAnswer, frozen=True):
    """What became of a suggestion; `version` is that of the text."""

    status: str
    version: int


class ReversedDecision(PageAnswer, frozen=True):
    """The commit that took a decision back; null where there was none to take back."""

    version: int | None


@page.writes(
    needs="comments",
    example={
        "documentId": "doc_01JABCDEFGHJKMNPQRSTVWXYZ0",
        "suggestionId": "sug_01JABCDEFGHJKMNPQRSTVWXYZ0",
        "decision": "reject",
    },
)
def decide(
    call: Call,
    *,
    document_id: DocumentId,
    suggestion_id: SuggestionId,
    decision: Annotated[Literal["accept", "reject"], "What becomes of it"],
    words: Annotated[str | None, "Accept: write these over what is there now"] = None,
) -> Decided:
    """Accept or reject a suggestion.

    One whose words have changed since is accepted with `words`: its own, or others.
    """
    review = call.db.review
    if decision == "reject":
        done = review.reject(document_id, suggestion_id)
    else:
        done = review.accept(document_id, suggestion_id, words=words)
    return Decided(status=done.suggestion.status, version=done.version)


@page.writes(
    needs="comments",
    example={
        "documentId": "doc_01JABCDEFGHJKMNPQRSTVWXYZ0",
        "suggestionId": "sug_01JABCDEFGHJKMNPQRSTVWXYZ0",
    },
)
def reverse_decision(
    call: Call, *, document_id: DocumentId, suggestion_id: SuggestionId
) -> ReversedDecision:
    """Take back what was decided about a suggestion, and the edit with it, by a new commit.

    It waits again then. Where the words were changed since, nothing is done.
    """
    here = call.db
    version = here.review.decided_version(document_id, suggestion_id)
    done = None if version is None else here.revert(version)
    return ReversedDecision(version=None if done is None else done.commit)
