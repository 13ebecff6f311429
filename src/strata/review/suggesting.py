"""Suggesting changes to documents, and deciding about what was suggested."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from msgspec.structs import replace

from strata.base.checks import check_text
from strata.base.errors import InvalidArgument, NotAllowed
from strata.base.results import Result
from strata.documents import (
    Author,
    DocumentTransaction,
    Severity,
    Suggestion,
    change_of_suggestion,
    load,
    replacing,
    suggest,
    suggestions_of,
)
from strata.review.acting import Acting
from strata.review.comments import check_words
from strata.review.proposals import Proposal, aims, proposals
from strata.review.refusals import (
    check_confidence,
    check_severity,
    decided_already,
    require_suggestion,
    stale,
)
from strata.review.wording import Hint, find_words

_Closed: TypeAlias = Literal["accepted", "rejected", "withdrawn"]


class Decided(Result, frozen=True, kw_only=True):
    """What became of a suggestion; `version` is that of the text, `edited` whether it changed."""

    suggestion: Suggestion
    version: int
    edited: bool = False
    unchanged: bool = False
    repeated: bool = False


class Suggesting(Acting):
    """Suggestions, as one person may see, make and decide them."""

    def suggestions(self, document: str, *, status: str | None = "pending") -> list[Proposal]:
        """Return suggestions on a document, oldest first, beside the text as it is now.

        >>> made = db.documents.create("Plan", "Ship in May")
        >>> _ = db.review.propose(made.document, "May", "June")
        >>> [found] = db.review.suggestions(made.document)
        >>> found.state, found.spot.text, found.suggestion.replacement
        ('applies', 'May', 'June')
        """
        self._documents.get(document)
        snapshot = self._view.snapshot
        found = suggestions_of(snapshot, document)
        wanted = [one for one in found if status is None or one.status == status]
        return proposals(load(snapshot, document), wanted) if wanted else []

    def suggestion(self, document: str, suggestion: str) -> Proposal:
        """Return one suggestion on a document, whatever became of it.

        >>> made = db.documents.create("Plan", "Ship in May")
        >>> kept = db.review.propose(made.document, "May", "June").suggestion
        >>> db.review.suggestion(made.document, kept.id).state
        'applies'
        """
        self._documents.get(document)
        snapshot = self._view.snapshot
        found = require_suggestion(snapshot, document, suggestion)
        return proposals(load(snapshot, document), [found])[0]

    def propose(
        self,
        document: str,
        original: str,
        replacement: str,
        *,
        under: Sequence[str] = (),
        near: int | None = None,
        severity: Severity = "info",
        confidence: float | None = None,
        rationale: str | None = None,
    ) -> Decided:
        """Suggest other words in the place of some, which `original` gives exactly.

        >>> made = db.documents.create("Plan", "Ship in May")
        >>> done = db.review.propose(made.document, "May", "유월", confidence=0.8)
        >>> done.suggestion.status, db.documents.text(made.document)
        ('pending', 'Ship in May')
        """
        check_text(original, name="original")
        check_text(replacement, name="replacement")
        check_severity(severity)
        check_confidence(confidence)
        if rationale is not None:
            check_words(rationale, "rationale")
        if original == replacement:
            raise InvalidArgument(
                "The text to replace and the suggested text are the same.",
                hint="Say what it should become.", parameter="replacement",
            )  # fmt: skip

        def work(writing: DocumentTransaction) -> Decided:
            self._require(writing, document, "commenter", what="suggest changes to")
            desk = writing.open(document)
            text = desk.replica.text
            span = find_words(text, original, Hint(under, near), parameter="original")
            made = suggest(
                desk.replica, span, self._clean(replacement, "text", text), document=document,
                author=self.rights.person.id, via=self._view.actor, reason="proposed",
                now=self._now(), base_version=desk.version, severity=severity,
                confidence=confidence, rationale=rationale and self._clean(rationale, "rationale"),
            )  # fmt: skip
            writing.transaction.stage(change_of_suggestion(made))
            return Decided(suggestion=made, version=writing.splice(desk, ()))

        given = (original, replacement, list(under), near, severity, confidence, rationale)
        return self._write("propose", work, about=document, given=given, answers=Decided)

    def accept(self, document: str, suggestion: str) -> Decided:
        """Make the edit that a suggestion proposes, where its words stand now.

        The words are the proposer's in the text's history, the decision one's own. Where they
        have changed since, nothing is done, and the error shows them.

        >>> made = db.documents.create("Plan", "Ship in May")
        >>> kept = db.review.propose(made.document, "May", "유월").suggestion
        >>> db.review.accept(made.document, kept.id).edited, db.documents.text(made.document)
        (True, 'Ship in 유월')
        """
        self.rights.require(document, "editor", what="accept suggestions on")
        known = require_suggestion(self._view.snapshot, document, suggestion)

        def work(writing: DocumentTransaction) -> Decided:
            version = self._require(writing, document, "editor", what="accept suggestions on")
            found = require_suggestion(writing.transaction, document, suggestion)
            if found.status == "accepted":
                return Decided(suggestion=found, version=version, unchanged=True)
            if found.status != "pending":
                raise decided_already(found)
            desk = writing.open(document)
            [aim] = aims(desk.replica, [found])
            if aim.span is None or aim.state not in ("applies", "done"):
                raise stale(found, aim, desk.replica.text)
            places = aim.span[:1] if aim.state == "applies" else ()
            decided = self._decide(writing, found, "accepted")
            edits = replacing(places, found.original, found.replacement)
            version = writing.splice(desk, edits)
            return Decided(suggestion=decided, version=version, edited=bool(edits))

        return self._write(
            "accept", work, about=document, given=suggestion, answers=Decided,
            author=_author(known),
        )  # fmt: skip

    def reject(self, document: str, suggestion: str) -> Decided:
        """Decline a suggestion; the text stays as it is.

        >>> made = db.documents.create("Plan", "Ship in May")
        >>> kept = db.review.propose(made.document, "May", "유월").suggestion
        >>> db.review.reject(made.document, kept.id).suggestion.status
        'rejected'
        """

        def work(writing: DocumentTransaction) -> Decided:
            version = self._require(writing, document, "editor", what="reject suggestions on")
            found = require_suggestion(writing.transaction, document, suggestion)
            return self._closed(writing, found, "rejected", version=version)

        return self._write("reject", work, about=document, given=suggestion, answers=Decided)

    def withdraw(self, document: str, suggestion: str) -> Decided:
        """Take back a suggestion of one's own, or of an agent that acts for one.

        >>> made = db.documents.create("Plan", "Ship in May")
        >>> kept = db.review.propose(made.document, "May", "유월").suggestion
        >>> db.review.withdraw(made.document, kept.id).suggestion.status
        'withdrawn'
        """

        def work(writing: DocumentTransaction) -> Decided:
            version = self._require(writing, document, "commenter", what="withdraw suggestions on")
            found = require_suggestion(writing.transaction, document, suggestion)
            if found.author != self.rights.person.id:
                raise NotAllowed(
                    "This suggestion is not yours to withdraw.",
                    hint="Whoever edits the document may reject it.",
                )
            return self._closed(writing, found, "withdrawn", version=version)

        return self._write("withdraw", work, about=document, given=suggestion, answers=Decided)

    def _closed(
        self, writing: DocumentTransaction, found: Suggestion, status: _Closed, *, version: int
    ) -> Decided:
        if found.status == status:
            return Decided(suggestion=found, version=version, unchanged=True)
        if found.status != "pending":
            raise decided_already(found)
        return Decided(suggestion=self._decide(writing, found, status), version=version)

    def _decide(
        self, writing: DocumentTransaction, found: Suggestion, status: _Closed
    ) -> Suggestion:
        who = self.rights.person.id
        decided = replace(found, status=status, decided_by=who, decided_at=self._now())
        writing.transaction.stage(change_of_suggestion(decided))
        return decided


def _author(found: Suggestion) -> Author | None:
    """Return whose words an accepted suggestion brings; those of a merge are the decider's."""
    return None if found.reason == "merge" else Author(found.author, found.via)
