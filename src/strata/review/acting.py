"""Acting on what stands beside a text: for whom, where, and as one commit."""

from collections.abc import Callable
from typing import TypeVar

from strata.access import Rights, Role, missing_document
from strata.documents import Author, Documents, DocumentTransaction, find_head
from strata.store import View

T = TypeVar("T")


class Acting:
    """Somebody at work beside the documents of a branch."""

    def __init__(self, view: View, documents: Documents) -> None:
        self._view = view
        self._documents = documents

    @property
    def rights(self) -> Rights:
        """What the acting person may do."""
        return self._documents.rights

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
        self, operation: str, work: Callable[[DocumentTransaction], T], *, about: str,
        given: object,
        answers: type[T], author: Author | None = None,
    ) -> T:  # fmt: skip
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
