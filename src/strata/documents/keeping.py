"""What is kept beside a text: its title, the trash, its images, where it is and who reads it."""

import unicodedata
from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar, cast

import msgspec

from strata.access import Audience, Share, missing_document
from strata.base import limits
from strata.base.checks import check_text
from strata.base.errors import InvalidArgument
from strata.documents.care import hide
from strata.documents.files import Image, image_changes, is_drawing
from strata.documents.log import find_head
from strata.documents.reading import Reading
from strata.documents.records import Document, change_of_card, find_card
from strata.documents.requests import DocumentRequest, Requests, hash_arguments
from strata.documents.writing import Author, DocumentTransaction, DocumentWriter, Written

T = TypeVar("T")
# What the writes of this room answer.
_WRITTEN = Written | list[Written]
# What ends a line, or moves the cursor of a terminal, is in one of these categories.
_CONTROL = frozenset({"Cc", "Zl", "Zp"})


class Keeping(Reading):
    """Documents of a branch, where one may change what is kept beside their texts."""

    # The key of the request that the next write answers.
    _request: str | None = None

    @cached_property
    def _writer(self) -> DocumentWriter:
        return self._writing_as(Author(self.rights.person.id, self._view.actor))

    def _writing_as(self, author: Author) -> DocumentWriter:
        return DocumentWriter(self._view, self._shared.replicas, self._shared.texts, author=author)

    def rename(self, document: str, title: str) -> Document:
        """Give a document another title; its id and its links stay.

        >>> made = db.documents.create("Plan")
        >>> db.documents.rename(made.document, "계획").title
        '계획'
        """
        check_title(title)
        self._view.check_name(title, "title")
        return self._recard(document, "rename", title=title.strip())

    def trash(self, document: str) -> Document:
        """Put a document into the trash: it is not found any more, but nothing is lost.

        One that is published from this branch is shown to nobody any more.

        >>> made = db.documents.create("Old")
        >>> db.documents.trash(made.document).status
        'trashed'
        """
        return self._recard(document, "trash", trashed=True)

    def untrash(self, document: str) -> Document:
        """Take a document out of the trash.

        >>> made = db.documents.create("Old"); _ = db.documents.trash(made.document)
        >>> db.documents.untrash(made.document).status
        'draft'
        """
        return self._recard(document, "untrash", trashed=False)

    def set_origin(self, document: str, origin: dict[str, Any]) -> Document:
        """Note where an import found a document, for the next one and for the way back.

        >>> made = db.documents.create("Plan")
        >>> db.documents.set_origin(made.document, {"path": "계획/Plan.md"}).origin
        {'path': '계획/Plan.md'}
        """
        return self._recard(document, "import", origin=origin)

    def _recard(self, document: str, operation: str, **changed: Any) -> Document:
        def work(writing: DocumentTransaction) -> None:
            self.rights.require(document, "editor", what=operation)
            card = find_card(writing.transaction, document)
            if card is None:
                raise missing_document(document)
            renewed = msgspec.structs.replace(card, **changed)
            if renewed != card:
                change = change_of_card(document, renewed, by=self.rights.person.id)
                writing.transaction.stage(change)
            if renewed.trashed and not card.trashed:
                hide(self._view.store, document, writing.transaction.branch_id)

        self._write(operation, work, once=False)
        return self.get(document)

    def attach_image(self, document: str, data: bytes, *, name: str) -> Image:
        """Keep an image with a document; its `markdown` shows it where that is put into the text.

        >>> drawing = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
        >>> made = db.documents.create("Plan")
        >>> db.documents.attach_image(made.document, drawing, name="점.svg").media_type
        'image/svg+xml'
        """
        self._view.check_name(name, "name of the image")
        self._view.check_writable()
        self.rights.require(document, "editor", what="attach images to")
        if is_drawing(data):  # text, of which nothing can be masked without drawing otherwise
            self._view.check_name(data.decode("utf-8", "replace"), "drawing")
        # Decoding and sending it elsewhere take long: others must not wait for that.
        image, changes = image_changes(
            self._snapshot, self._shared.storage(), document=document, data=data, name=name
        )

        def work(writing: DocumentTransaction) -> Image:
            self.rights.require(document, "editor", what="attach images to")
            if find_head(writing.transaction, document) is None:
                raise missing_document(document)
            for change in changes:
                writing.transaction.stage(change)
            return image

        return self._write("attach", work, once=False)

    # Places and people.

    def move(self, document: str, folder: str) -> Audience:
        """Put a document into another folder, which decides who may read it.

        >>> made = db.documents.create("Plan")
        >>> team = db.teams.add("디자인")
        >>> shared = db.folders.add("Shared", team=team.id)
        >>> db.documents.move(made.document, shared.id).kind
        'team'
        """
        self._present(document)
        return self.rights.move(document, folder)

    def share(self, document: str, email: str, role: str) -> tuple[Share, Audience]:
        """Let somebody read, comment or edit a document; unknown people are invited.

        >>> made = db.documents.create("Plan")
        >>> share, audience = db.documents.share(made.document, "ann@example.com", "viewer")
        >>> share.pending
        True
        """
        self._present(document)
        share = self.rights.share(document, email, role)
        return share, self.rights.audience(document)

    def unshare(self, document: str, user: str) -> Audience:
        """Take a share back.

        >>> made = db.documents.create("Plan")
        >>> _ = db.documents.share(made.document, "ann@example.com", "viewer")
        >>> db.documents.unshare(made.document, "ann@example.com").pending
        ()
        """
        self._present(document)
        self.rights.unshare(document, user)
        return self.rights.audience(document)

    def transact(
        self, operation: str, work: Callable[[DocumentTransaction], T], *, about: str,
        given: object,
        answers: type[T], author: Author | None = None,
    ) -> T:  # fmt: skip
        """Do something to a document as one commit, for rooms that stand on this one.

        `given` are the arguments of the request, by which a repeated one is known. `answers` is
        what the work returns, `author` whose words it writes if not one's own. Who calls has asked
        `rights`, and asks again inside.

        >>> from strata.documents import DocumentTransaction, Written
        >>> made = db.documents.create("Plan", "Ship")
        >>> def look(writing: DocumentTransaction) -> Written:
        ...     version = writing.open(made.document).version
        ...     return Written(document=made.document, title="", version=version, status="applied")
        >>> done = db.documents.transact(
        ...     "look", look, about=made.document, given=(), answers=Written)
        >>> done.version == made.version
        True
        """
        writer = None if author is None else self._writing_as(author)
        return self._write(
            operation, work, about=about, given=given, answers=answers, writer=writer
        )

    def _write(
        self, operation: str, work: Callable[[DocumentTransaction], T], *, about: str = "",
        given: object = None, once: bool = True, answers: Any = _WRITTEN,
        writer: DocumentWriter | None = None,
    ) -> T:  # fmt: skip
        """Do something as one commit; with a request's key, do it once however often asked.

        `about` is the document that a request changes, `given` are its other arguments.
        """
        person, writer = self.rights.person, writer or self._writer
        if not once or self._request is None:
            with writer.transaction(operation, actor=person.name) as writing:
                return work(writing)
        requests = Requests(self._view.store, person.id, self._request)
        with writer.transaction(operation, actor=person.name) as writing:
            arguments = hash_arguments(given)
            asked = DocumentRequest(operation, about, writing.transaction.branch_id, arguments)
            known = requests.answer(asked, answers)
            if known is not None:
                return cast("T", known)
            done = work(writing)
            is_written = bool(writing.transaction.staged)
            if is_written:
                requests.note(asked, done)
        if not is_written:
            # A transaction without changes leaves nothing behind, but the answer counts.
            requests.note_alone(asked, done)
        return done


def can_be_title(text: str) -> bool:
    """Tell whether a text is one line that can be shown."""
    is_line = not _CONTROL.intersection(map(unicodedata.category, text))
    return is_line and 0 < len(text) <= limits.TITLE_CHARACTERS_MAX


def check_title(title: object) -> str:
    """Return a title, or raise InvalidArgument."""
    text = check_text(title, name="title").strip()
    if can_be_title(text):
        return text
    raise InvalidArgument(
        f"{text[:100]!r} cannot be a title.",
        hint=f"Use one line of 1 to {limits.TITLE_CHARACTERS_MAX} characters, no control codes.",
        parameter="title",
    )
