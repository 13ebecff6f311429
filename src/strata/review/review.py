"""`db.review`: comments and suggestions on documents."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias, TypeVar

from msgspec.structs import replace

from strata.access import Permissions, Role, missing_document
from strata.base import limits
from strata.base.checks import check_number, check_text
from strata.base.errors import InvalidArgument, NotAllowed
from strata.base.ids import new_id
from strata.base.results import Result
from strata.documents import (
    COMMENT,
    SPACE,
    SUGGESTION,
    Author,
    Documents,
    DocumentTransaction,
    Severity,
    Suggestion,
    anchor,
    change_of_suggestion,
    find_card,
    find_head,
    load,
    replacing,
    suggest,
    suggestions_of,
)
from strata.review.comments import (
    Comment,
    Status,
    change_of_comment,
    check_length,
    check_words,
    comments_of,
    find_comment,
)
from strata.review.inbox import ReviewInbox, review_inbox
from strata.review.places import paths_at, surroundings
from strata.review.proposals import Proposal, aims, proposals
from strata.review.quotes import Hint, find_words
from strata.review.refusals import (
    check_confidence,
    check_severity,
    check_status,
    decided_already,
    missing_comment,
    require_comment,
    require_suggestion,
    stale,
)
from strata.review.threads import Thread, threads_of
from strata.store import View

T = TypeVar("T")
_Closed: TypeAlias = Literal["accepted", "rejected", "withdrawn"]


class WaitingDocument(Result, frozen=True, kw_only=True):
    """A document with open review: its active threads and pending suggestions."""

    document: str
    title: str
    comments: int
    suggestions: int


class CommentResult(Result, frozen=True, kw_only=True):
    """What became of a comment. `status` is its thread's; `unchanged` tells that it was so."""

    comment: Comment
    status: Status
    unchanged: bool = False
    repeated: bool = False


class SuggestionResult(Result, frozen=True, kw_only=True):
    """What became of a suggestion; `version` is that of the text, `edited` whether it changed."""

    suggestion: Suggestion
    version: int
    edited: bool = False
    unchanged: bool = False
    repeated: bool = False


class Review:
    """Comments and suggestions as one user may see and make them. Reached as `db.review`.

    A user who reads a document reads both. Commenters make both, and resolve and reopen comments.
    Editors accept and reject suggestions. Both follow the words that they are about, on each
    branch and in the past, as the text does.
    """

    def __init__(self, view: View, documents: Documents) -> None:
        self._view = view
        self._documents = documents

    @property
    def rights(self) -> Permissions:
        """What the acting user may do."""
        return self._documents.rights

    def with_request(self, key: str | None) -> "Review":
        """Return the same review; a write with this key is done once, however often it comes.

        >>> made = db.documents.create("Plan", "Ship in May")
        >>> once = db.review.with_request("req-1")
        >>> first = once.comment(made.document, "왜?"); again = once.comment(made.document, "왜?")
        >>> again.comment.id == first.comment.id, again.repeated
        (True, True)
        """
        return Review(self._view, self._documents.with_request(key))

    def waiting(self) -> list[WaitingDocument]:
        """Return the documents that one may read and that have something to look at, by title.

        >>> made = db.documents.create("Plan", "Ship in May")
        >>> _ = db.review.comment(made.document, "왜?")
        >>> [(one.title, one.comments, one.suggestions) for one in db.review.waiting()]
        [('Plan', 1, 0)]
        """
        snapshot, visible = self._view.snapshot, self.rights.visible()
        threads, pending = (
            Counter(
                key.partition("/")[0]
                for key in snapshot.by_attribute(SPACE, kind, "status", value=status)
            )
            for kind, status in ((COMMENT, "active"), (SUGGESTION, "pending"))
        )
        found: list[WaitingDocument] = []
        for document in {*threads, *pending} & visible.keys():
            card = find_card(snapshot, document)
            if card is not None and not card.trashed:
                found.append(
                    WaitingDocument(
                        document=document,
                        title=card.title,
                        comments=threads[document],
                        suggestions=pending[document],
                    )
                )
        return sorted(found, key=lambda one: (one.title, one.document))

    def inbox(self, limit: int = 50) -> ReviewInbox:
        """Return what waits for the acting user: suggestions that they may decide about, and
        comments that are meant for them, each newest first.

        A comment is meant for a user who is named in it behind an @, took part in its thread, or
        made its document, until they answer or the thread is resolved.

        >>> made = db.documents.create("Plan", "Ship in May")
        >>> _ = db.review.propose(made.document, "May", "유월")
        >>> [one.suggestion.replacement for one in db.review.inbox().suggestions]
        ['유월']
        """
        check_number(limit, name="limit", most=limits.PAGE_ITEMS_MAX)
        return review_inbox(self._view.snapshot, self.rights, limit)

    # Comments.

    def comments(self, document: str, *, status: str | None = None) -> list[Thread]:
        """Return the threads on a document, oldest first: all, active or resolved ones.

        >>> made = db.documents.create("Plan", "Ship in May")
        >>> _ = db.review.comment(made.document, "왜 5월?", quote="May")
        >>> [thread] = db.review.comments(made.document, status="active")
        >>> thread.comment.body, thread.spot.text, thread.spot.line
        ('왜 5월?', 'May', 1)
        """
        check_status(status)
        self._documents.get(document)
        snapshot = self._view.snapshot
        found = comments_of(snapshot, document)
        if status is not None:
            wanted = {one.id for one in found if one.parent is None and one.status == status}
            found = [one for one in found if (one.parent or one.id) in wanted]
        is_quoting = any(one.quote is not None for one in found)
        return threads_of(found, load(snapshot, document) if is_quoting else None)

    def comment(
        self,
        document: str,
        body: str,
        *,
        quote: str | None = None,
        under: Sequence[str] = (),
        near: int | None = None,
    ) -> CommentResult:
        """Say something about a document, or about words of it, which `quote` gives exactly.

        Where these occur several times, `under` names headings above the ones that are meant,
        or `near` an offset: the UTF-16 that pages count.

        >>> made = db.documents.create("Plan", "# Now\\n\\nShip\\n\\n# Later\\n\\nShip\\n")
        >>> done = db.review.comment(made.document, "언제?", quote="Ship", under=["Later"])
        >>> done.comment.heading
        ('Later',)
        """
        check_words(body, "body")
        if quote is not None:
            check_length(check_text(quote, name="quote"), "quote")

        def work(writing: DocumentTransaction) -> CommentResult:
            self._require(writing, document, "commenter", what="comment on")
            made = self._new(document, body)
            if quote is not None:
                made = self._anchored(writing, made, quote, hint=Hint(under, near))
            return self._keep(writing, made)

        given = (body, quote, list(under), near)
        return self._write("comment", work, about=document, given=given, answers=CommentResult)

    def _new(self, document: str, body: str) -> Comment:
        return Comment(
            id=new_id("cmt"),
            document=document,
            body=self._clean(body, "body"),
            author=self.rights.user.id,
            via=self._view.actor,
            created=self._now(),
        )

    def _anchored(
        self, writing: DocumentTransaction, comment: Comment, quote: str, *, hint: Hint
    ) -> Comment:
        """Return a comment on words, with anchors that follow these."""
        editing = writing.open(comment.document)
        text = editing.replica.text
        span = find_words(text, quote, hint, parameter="quote")
        start, end = anchor(editing.replica, *span)
        writing.splice(editing, ())
        [path] = paths_at(text, span[:1])
        return replace(
            comment,
            quote=quote,
            start=start,
            end=end,
            heading=path,
            around=surroundings(text, span),
        )

    def reply(self, document: str, comment: str, body: str) -> CommentResult:
        """Reply to a comment; what replies to a reply joins the same thread.

        >>> made = db.documents.create("Plan")
        >>> asked = db.review.comment(made.document, "왜?").comment
        >>> db.review.reply(made.document, asked.id, "Because.").comment.parent == asked.id
        True
        """
        check_words(body, "body")

        def work(writing: DocumentTransaction) -> CommentResult:
            self._require(writing, document, "commenter", what="comment on")
            to = self._root(writing, document, comment, parameter="parent")
            made = replace(self._new(document, body), parent=to.id)
            return self._keep(writing, made, to.status)

        given = (comment, body)
        return self._write("reply", work, about=document, given=given, answers=CommentResult)

    def resolve(self, document: str, comment: str) -> CommentResult:
        """Mark a thread as done, as every commenter may.

        >>> made = db.documents.create("Plan")
        >>> asked = db.review.comment(made.document, "왜?").comment
        >>> db.review.resolve(made.document, asked.id).comment.status
        'resolved'
        """
        return self._turn(document, comment, "resolved")

    def reopen(self, document: str, comment: str) -> CommentResult:
        """Make a resolved thread active again.

        >>> made = db.documents.create("Plan")
        >>> asked = db.review.comment(made.document, "왜?").comment
        >>> _ = db.review.resolve(made.document, asked.id)
        >>> db.review.reopen(made.document, asked.id).comment.status
        'active'
        """
        return self._turn(document, comment, "active")

    def _turn(self, document: str, comment: str, status: Status) -> CommentResult:
        operation = "resolve" if status == "resolved" else "reopen"

        def work(writing: DocumentTransaction) -> CommentResult:
            self._require(writing, document, "commenter", what=f"{operation} comments on")
            found = self._root(writing, document, comment, parameter="comment")
            if found.status == status:
                return CommentResult(comment=found, status=status, unchanged=True)
            who = self.rights.user.id
            turned = replace(found, status=status, decided_by=who, decided_at=self._now())
            return self._keep(writing, turned, status)

        return self._write(operation, work, about=document, given=comment, answers=CommentResult)

    def edit(self, document: str, comment: str, body: str) -> CommentResult:
        """Change what the user's own comment or reply says; the history keeps what it said.

        >>> made = db.documents.create("Plan")
        >>> asked = db.review.comment(made.document, "Wyh?").comment
        >>> done = db.review.edit(made.document, asked.id, "Why?").comment
        >>> done.body, done.edited is not None
        ('Why?', True)
        """
        check_words(body, "body")

        def work(writing: DocumentTransaction) -> CommentResult:
            self._require(writing, document, "commenter", what="edit comments on")
            found = self._live(writing, document, comment)
            if found.author != self.rights.user.id:
                raise NotAllowed(
                    "Another user wrote this comment; only its author edits it.",
                    hint="Reply to it, or resolve it.",
                )
            root = self._root(writing, document, found.id, parameter="comment")
            if found.body == body:
                return CommentResult(comment=found, status=root.status, unchanged=True)
            words = self._clean(body, "body", found.body)
            # The words are those of the user, or of the agent, that edits.
            changed = replace(found, body=words, via=self._view.actor, edited=self._now())
            return self._keep(writing, changed, root.status)

        return self._write(
            "edit comment", work, about=document, given=(comment, body), answers=CommentResult
        )

    def delete(self, document: str, comment: str) -> CommentResult:
        """Delete the user's own comment or reply; the history keeps it.

        Users who manage the document may delete what others wrote. A comment that others replied
        to leaves an empty place above their replies; otherwise its author's replies go with it.

        >>> made = db.documents.create("Plan")
        >>> asked = db.review.comment(made.document, "왜?").comment
        >>> _ = db.review.delete(made.document, asked.id)
        >>> db.review.comments(made.document)
        []
        """

        def work(writing: DocumentTransaction) -> CommentResult:
            self._require(writing, document, "commenter", what="delete comments on")
            found = self._live(writing, document, comment)
            if found.author != self.rights.user.id and not self.rights.may_manage(document):
                raise NotAllowed(
                    "Another user wrote this comment.",
                    hint="Resolve it, or ask a user who manages the document.",
                )
            root = self._root(writing, document, found.id, parameter="comment")
            self._empty(writing, found, root)
            return CommentResult(comment=found, status=root.status)

        return self._write(
            "delete comment", work, about=document, given=comment, answers=CommentResult
        )

    def _empty(self, writing: DocumentTransaction, found: Comment, root: Comment) -> None:
        """Empty a comment, and its thread where that has no words of another user left."""
        known = comments_of(writing.transaction, found.document)
        others = [one for one in known if one.parent == root.id and one.id != found.id]
        if found.id == root.id:
            is_kept = any(one.author != found.author for one in others)
            gone = [found] if is_kept else [found, *others]
        else:
            is_kept = root.deleted is None or bool(others)
            gone = [found] if is_kept else [found, root]
        who, now = self.rights.user.id, self._now()
        for one in gone:
            emptied = replace(one, body="", edited=None, deleted=now, deleted_by=who)
            writing.transaction.stage(change_of_comment(emptied, is_shown=is_kept))

    def _live(self, writing: DocumentTransaction, document: str, comment: str) -> Comment:
        """Return a comment that is not deleted."""
        found = require_comment(writing.transaction, document, comment, parameter="comment")
        if found.deleted is not None:
            raise missing_comment(found.id, "comment")
        return found

    def _root(
        self, writing: DocumentTransaction, document: str, comment: str, *, parameter: str
    ) -> Comment:
        """Return the comment that a thread began with."""
        found = require_comment(writing.transaction, document, comment, parameter=parameter)
        if found.parent is None:
            return found
        return find_comment(writing.transaction, document, found.parent) or found

    def _keep(
        self, writing: DocumentTransaction, comment: Comment, status: Status = "active"
    ) -> CommentResult:
        writing.transaction.stage(change_of_comment(comment))
        return CommentResult(comment=comment, status=status)

    # Suggestions.

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
    ) -> SuggestionResult:
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
                hint="Say what it should become.",
                parameter="replacement",
            )

        def work(writing: DocumentTransaction) -> SuggestionResult:
            self._require(writing, document, "commenter", what="suggest changes to")
            editing = writing.open(document)
            text = editing.replica.text
            span = find_words(text, original, Hint(under, near), parameter="original")
            made = suggest(
                editing.replica,
                span,
                self._clean(replacement, "text", text),
                document=document,
                author=self.rights.user.id,
                via=self._view.actor,
                reason="proposed",
                now=self._now(),
                base_version=editing.version,
                severity=severity,
                confidence=confidence,
                rationale=rationale and self._clean(rationale, "rationale"),
            )
            writing.transaction.stage(change_of_suggestion(made))
            return SuggestionResult(suggestion=made, version=writing.splice(editing, ()))

        given = (original, replacement, list(under), near, severity, confidence, rationale)
        return self._write("propose", work, about=document, given=given, answers=SuggestionResult)

    def accept(
        self, document: str, suggestion: str, *, words: str | None = None
    ) -> SuggestionResult:
        """Make the edit that a suggestion proposes, where its words stand now.

        The words are the proposer's in the text's history, the decision is the user's. Where they
        have changed since, nothing is done, and the error shows them. `words` are written in their
        place all the same, as the user's: the suggestion's own, or others.

        >>> made = db.documents.create("Plan", "Ship in May")
        >>> kept = db.review.propose(made.document, "May", "유월").suggestion
        >>> db.review.accept(made.document, kept.id).edited, db.documents.text(made.document)
        (True, 'Ship in 유월')
        """
        self.rights.require(document, "editor", what="accept suggestions on")
        known = require_suggestion(self._view.snapshot, document, suggestion)
        chosen = None if words is None else self._clean(words, "words", known.replacement)

        def work(writing: DocumentTransaction) -> SuggestionResult:
            version = self._require(writing, document, "editor", what="accept suggestions on")
            found = require_suggestion(writing.transaction, document, suggestion)
            if found.status == "accepted":
                return SuggestionResult(suggestion=found, version=version, unchanged=True)
            if found.status != "pending":
                raise decided_already(found)
            editing = writing.open(document)
            [aim] = aims(editing.replica, [found])
            taken = ("applies", "done") if chosen is None else ("applies", "done", "changed")
            if aim.span is None or aim.state not in taken:
                raise stale(found, aim, editing.replica.text)
            now = editing.replica.text[slice(*aim.span)]
            new = found.replacement if chosen is None else chosen
            places = aim.span[:1] if now != new else ()
            decided = self._decide(writing, found, "accepted")
            edits = replacing(places, now, new)
            version = writing.splice(editing, edits)
            return SuggestionResult(suggestion=decided, version=version, edited=bool(edits))

        return self._write(
            "accept",
            work,
            about=document,
            given=suggestion if words is None else (suggestion, words),
            answers=SuggestionResult,
            author=_author(known) if words is None else None,
        )

    def decided_version(self, document: str, suggestion: str) -> int | None:
        """Return the version by which a suggestion was accepted, rejected or withdrawn, if it was.

        `db.revert` takes it, and the edit with it, back.

        >>> made = db.documents.create("Plan", "Ship in May")
        >>> kept = db.review.propose(made.document, "May", "유월").suggestion
        >>> _ = db.review.accept(made.document, kept.id)
        >>> _ = db.revert(db.review.decided_version(made.document, kept.id))
        >>> db.documents.text(made.document), db.review.suggestion(made.document, kept.id).state
        ('Ship in May', 'applies')
        """
        self._documents.get(document)
        snapshot = self._view.snapshot
        if require_suggestion(snapshot, document, suggestion).status == "pending":
            return None
        record = snapshot.get(SPACE, SUGGESTION, f"{document}/{suggestion}")
        return None if record is None else record[0]

    def reject(self, document: str, suggestion: str) -> SuggestionResult:
        """Decline a suggestion; the text stays as it is.

        >>> made = db.documents.create("Plan", "Ship in May")
        >>> kept = db.review.propose(made.document, "May", "유월").suggestion
        >>> db.review.reject(made.document, kept.id).suggestion.status
        'rejected'
        """

        def work(writing: DocumentTransaction) -> SuggestionResult:
            version = self._require(writing, document, "editor", what="reject suggestions on")
            found = require_suggestion(writing.transaction, document, suggestion)
            return self._closed(writing, found, "rejected", version=version)

        return self._write(
            "reject", work, about=document, given=suggestion, answers=SuggestionResult
        )

    def withdraw(self, document: str, suggestion: str) -> SuggestionResult:
        """Withdraw a suggestion of the user, or of an agent that acts for the user.

        >>> made = db.documents.create("Plan", "Ship in May")
        >>> kept = db.review.propose(made.document, "May", "유월").suggestion
        >>> db.review.withdraw(made.document, kept.id).suggestion.status
        'withdrawn'
        """

        def work(writing: DocumentTransaction) -> SuggestionResult:
            version = self._require(writing, document, "commenter", what="withdraw suggestions on")
            found = require_suggestion(writing.transaction, document, suggestion)
            if found.author != self.rights.user.id:
                raise NotAllowed(
                    "This suggestion is not yours to withdraw.",
                    hint="An editor of the document may reject it.",
                )
            return self._closed(writing, found, "withdrawn", version=version)

        return self._write(
            "withdraw", work, about=document, given=suggestion, answers=SuggestionResult
        )

    def _closed(
        self, writing: DocumentTransaction, found: Suggestion, status: _Closed, *, version: int
    ) -> SuggestionResult:
        if found.status == status:
            return SuggestionResult(suggestion=found, version=version, unchanged=True)
        if found.status != "pending":
            raise decided_already(found)
        return SuggestionResult(suggestion=self._decide(writing, found, status), version=version)

    def _decide(
        self, writing: DocumentTransaction, found: Suggestion, status: _Closed
    ) -> Suggestion:
        who = self.rights.user.id
        decided = replace(found, status=status, decided_by=who, decided_at=self._now())
        writing.transaction.stage(change_of_suggestion(decided))
        return decided

    # What both need.

    def _require(
        self, writing: DocumentTransaction, document: str, need: Role, *, what: str
    ) -> int:
        """Return the version of a text; raise where one may not, or where it is not there."""
        self.rights.require(document, need, what=what)
        head = find_head(writing.transaction, document)
        if head is None:
            raise missing_document(document)
        return head.version

    def _write(
        self,
        operation: str,
        work: Callable[[DocumentTransaction], T],
        *,
        about: str,
        given: object,
        answers: type[T],
        author: Author | None = None,
    ) -> T:
        """Do something beside a text as one commit."""
        self._view.check_writable()
        return self._documents.transact(
            operation, work, about=about, given=given, answers=answers, author=author
        )

    def _now(self) -> int:
        return self._view.store.clock()

    def _clean(self, words: str, what: str, known: str | None = None) -> str:
        """Return words as they may be kept; secrets that are known already are no news."""
        return str(self._view.encoded(words, what=what, before=lambda: known)[0])


def _author(found: Suggestion) -> Author | None:
    """Return whose words an accepted suggestion brings; those of a merge are the decider's."""
    return None if found.reason == "merge" else Author(found.author, found.via)
