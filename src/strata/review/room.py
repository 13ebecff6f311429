"""The room `db.review`: comments and suggestions on documents."""

from collections import Counter

from strata.base.results import Result
from strata.documents import COMMENT, SPACE, SUGGESTION, find_card
from strata.review.commenting import Commenting
from strata.review.suggesting import Suggesting


class WaitingDocument(Result, frozen=True, kw_only=True):
    """A document with open review: its active threads and pending suggestions."""

    document: str
    title: str
    comments: int
    suggestions: int


class Review(Commenting, Suggesting):
    """Comments and suggestions as one person may see and make them. Reached as `db.review`.

    Whoever reads a document reads both; whoever comments on it makes both, and resolves and
    reopens comments; whoever edits it accepts and rejects suggestions. Both follow the words
    that they are about, and stand on branches and in the past as the text does.
    """

    def with_request(self, key: str | None) -> "Review":
        """Return the same room, where a write with this key counts once however often it comes.

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
                        document=document, title=card.title, comments=threads[document],
                        suggestions=pending[document],
                    )
                )  # fmt: skip
        return sorted(found, key=lambda one: (one.title, one.document))
