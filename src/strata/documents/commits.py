"""Commits of documents: each request with a key is done once, however often it comes."""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar, cast

from strata.access import User, role_read
from strata.documents.records import BEHIND, DOCUMENT, SPACE, TEXT
from strata.documents.replicas import Replicas
from strata.documents.requests import DocumentRequest, Requests, hash_arguments
from strata.documents.versions import RecentTexts
from strata.documents.writing import Author, DocumentTransaction, DocumentWriter, WriteResult
from strata.sql import Read
from strata.store import Signature, View

T = TypeVar("T")
# What most writes answer.
_WRITTEN = WriteResult | list[WriteResult]


class DocumentCommits:
    """Commits what one user does to documents; `request` is the key of the next write."""

    def __init__(
        self,
        view: View,
        user: User,
        *,
        replicas: Replicas,
        texts: RecentTexts,
        request: str | None,
    ) -> None:
        self._view = view
        self._user = user
        self._replicas = replicas
        self._texts = texts
        self._request = request
        self.author = Author(user.id, view.actor)
        self._by = Signature(person=user.id, name=user.name)

    @property
    def now(self) -> int:
        """The time of what is written now, in microseconds."""
        return self._view.store.clock()

    def commit(
        self,
        operation: str,
        work: Callable[[DocumentTransaction], T],
        *,
        about: str = "",
        author: Author | None = None,
    ) -> T:
        """Do something as one commit, each time it is asked for.

        `about` is the document that it changes, which is read with the begin of the transaction.
        """
        if about and "\0" not in about and self._view.store.database.foresees:
            self._view.store.connection().foresee(self._reads_of(about))
        writer = DocumentWriter(
            self._view, self._replicas, self._texts, author=author or self.author
        )
        with writer.transaction(operation, by=self._by) as writing:
            return work(writing)

    # Any: `answers` is the type of what the work returns, which may be a union.
    def once(
        self,
        operation: str,
        work: Callable[[DocumentTransaction], T],
        *,
        about: str = "",
        given: object = None,
        answers: Any = _WRITTEN,
        author: Author | None = None,
    ) -> T:
        """Do something as one commit; with a request's key, once however often it is asked for.

        `about` is the document that a request changes, `given` are its other arguments. `answers`
        is the type of what the work returns, by which a kept answer is read.
        """
        if self._request is None:
            return self.commit(operation, work, about=about, author=author)
        requests = Requests(self._view.store, self._user.id, self._request)

        def work_once(writing: DocumentTransaction) -> tuple[DocumentRequest | None, T]:
            arguments = hash_arguments(given)
            asked = DocumentRequest(operation, about, writing.transaction.branch_id, arguments)
            known = requests.answer(asked, answers)
            if known is not None:
                return None, cast("T", known)
            done = work(writing)
            if not writing.transaction.staged:
                return asked, done
            requests.note(asked, done)
            return None, done

        unnoted, done = self.commit(operation, work_once, about=about, author=author)
        if unnoted is not None:
            # A transaction without changes leaves nothing behind, but the answer counts.
            requests.note_alone(unnoted, done)
        return done

    def _reads_of(self, document: str) -> Iterator[Read]:
        """Yield what is read of a document before it is changed."""
        yield role_read(self._view.store, self._user.id, document)
        kinds = (TEXT, BEHIND, DOCUMENT)
        yield from self._view.snapshot.reads_of((SPACE, kind, document) for kind in kinds)
