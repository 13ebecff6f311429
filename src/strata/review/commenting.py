"""Commenting on documents: threads that are begun, answered, resolved and reopened."""

from collections.abc import Sequence

from msgspec.structs import replace

from strata.base.checks import check_text
from strata.base.errors import NotAllowed
from strata.base.ids import new_id
from strata.base.results import Result
from strata.documents import DocumentTransaction, anchor, load
from strata.review.acting import Acting
from strata.review.comments import (
    Comment,
    Status,
    change_of_comment,
    check_length,
    check_words,
    comments_of,
    find_comment,
    removal_of_comment,
)
from strata.review.places import paths_at, surroundings
from strata.review.refusals import check_status, require_comment
from strata.review.threads import Thread, threads_of
from strata.review.wording import Hint, find_words


class Commented(Result, frozen=True, kw_only=True):
    """What became of a comment. `status` is its thread's; `unchanged` tells that it was so."""

    comment: Comment
    status: Status
    unchanged: bool = False
    repeated: bool = False


class Commenting(Acting):
    """Comments, as one person may see and make them."""

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
    ) -> Commented:
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

        def work(writing: DocumentTransaction) -> Commented:
            self._require(writing, document, "commenter", what="comment on")
            made = self._new(document, body)
            if quote is not None:
                made = self._anchored(writing, made, quote, hint=Hint(under, near))
            return self._keep(writing, made)

        given = (body, quote, list(under), near)
        return self._write("comment", work, about=document, given=given, answers=Commented)

    def _new(self, document: str, body: str) -> Comment:
        return Comment(
            id=new_id("cmt"), document=document, body=self._clean(body, "body"),
            author=self.rights.person.id, via=self._view.actor, created=self._now(),
        )  # fmt: skip

    def _anchored(
        self, writing: DocumentTransaction, comment: Comment, quote: str, *, hint: Hint
    ) -> Comment:
        """Return a comment on words, with anchors that follow these."""
        desk = writing.open(comment.document)
        text = desk.replica.text
        span = find_words(text, quote, hint, parameter="quote")
        start, end = anchor(desk.replica, *span)
        writing.splice(desk, ())
        [path] = paths_at(text, span[:1])
        return replace(
            comment, quote=quote, start=start, end=end, heading=path,
            around=surroundings(text, span),
        )  # fmt: skip

    def reply(self, document: str, comment: str, body: str) -> Commented:
        """Reply to a comment; what replies to a reply joins the same thread.

        >>> made = db.documents.create("Plan")
        >>> asked = db.review.comment(made.document, "왜?").comment
        >>> db.review.reply(made.document, asked.id, "Because.").comment.parent == asked.id
        True
        """
        check_words(body, "body")

        def work(writing: DocumentTransaction) -> Commented:
            self._require(writing, document, "commenter", what="comment on")
            to = self._root(writing, document, comment, parameter="parent")
            made = replace(self._new(document, body), parent=to.id)
            return self._keep(writing, made, to.status)

        given = (comment, body)
        return self._write("reply", work, about=document, given=given, answers=Commented)

    def resolve(self, document: str, comment: str) -> Commented:
        """Mark a thread as done; whoever may comment may.

        >>> made = db.documents.create("Plan")
        >>> asked = db.review.comment(made.document, "왜?").comment
        >>> db.review.resolve(made.document, asked.id).comment.status
        'resolved'
        """
        return self._turn(document, comment, "resolved")

    def reopen(self, document: str, comment: str) -> Commented:
        """Make a resolved thread active again.

        >>> made = db.documents.create("Plan")
        >>> asked = db.review.comment(made.document, "왜?").comment
        >>> _ = db.review.resolve(made.document, asked.id)
        >>> db.review.reopen(made.document, asked.id).comment.status
        'active'
        """
        return self._turn(document, comment, "active")

    def _turn(self, document: str, comment: str, status: Status) -> Commented:
        operation = "resolve" if status == "resolved" else "reopen"

        def work(writing: DocumentTransaction) -> Commented:
            self._require(writing, document, "commenter", what=f"{operation} comments on")
            found = self._root(writing, document, comment, parameter="comment")
            if found.status == status:
                return Commented(comment=found, status=status, unchanged=True)
            who = self.rights.person.id
            turned = replace(found, status=status, decided_by=who, decided_at=self._now())
            return self._keep(writing, turned, status)

        return self._write(operation, work, about=document, given=comment, answers=Commented)

    def delete(self, document: str, comment: str) -> Commented:
        """Take back a comment of one's own, with the replies to it; the past keeps it.

        What others have replied to, and what others wrote, only those who manage the document
        may take away.

        >>> made = db.documents.create("Plan")
        >>> asked = db.review.comment(made.document, "왜?").comment
        >>> _ = db.review.delete(made.document, asked.id)
        >>> db.review.comments(made.document)
        []
        """

        def work(writing: DocumentTransaction) -> Commented:
            self._require(writing, document, "commenter", what="delete comments on")
            found = require_comment(writing.transaction, document, comment, parameter="comment")
            known = comments_of(writing.transaction, document)
            gone = [found, *(one for one in known if one.parent == found.id)]
            strangers = [one for one in gone if one.author != self.rights.person.id]
            if strangers and not self.rights.may_manage(document):
                raise NotAllowed(
                    "Others wrote this, or have replied to it.",
                    hint="Resolve it, or ask whoever manages the document.",
                )
            for one in gone:
                writing.transaction.stage(removal_of_comment(one, by=self.rights.person.id))
            return Commented(comment=found, status=found.status)

        return self._write("delete comment", work, about=document, given=comment, answers=Commented)

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
    ) -> Commented:
        writing.transaction.stage(change_of_comment(comment))
        return Commented(comment=comment, status=status)
