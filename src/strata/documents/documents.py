"""`db.documents`: texts that users and agents write together."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from strata.access import Audience, Placement, Share, Shares, changing_as, missing_document
from strata.base import limits
from strata.base.checks import check_number
from strata.base.errors import Conflict, NotFound
from strata.base.page import ResultPage, cut_page
from strata.base.values import Json
from strata.documents import versions
from strata.documents.files import (
    AttachedFile,
    AttachedPicture,
    Image,
    blob_changes,
    check_file_size,
    file_changes,
    file_type,
    files_of,
    find_file,
    find_image,
    image_changes,
    image_id,
    images_of,
    is_drawing,
    markdown_of_file,
    png_of,
    read_blob,
    removal_of_file,
    title_of_file,
)
from strata.documents.finding import (
    BrokenLink,
    DocumentFinder,
    DocumentGraph,
    DocumentRow,
    DocumentRows,
    FoundDocuments,
    Request,
    TableRequest,
)
from strata.documents.live import LiveLog
from strata.documents.log import find_head
from strata.documents.markdown import normal_title
from strata.documents.records import (
    DOCUMENT,
    SPACE,
    find_card,
)
from strata.documents.sections import Piece, pieces_of
from strata.documents.suggestions import Suggestion, suggestions_of
from strata.documents.templates import Template
from strata.documents.templates import read as read_template
from strata.documents.text import splices
from strata.documents.transaction import NewDocument, TransactionDocuments
from strata.documents.versions import BlamedLine, CharacterOrigin, DocumentVersion
from strata.documents.writing import ArrivedUpdate, Author, DocumentTransaction, WriteResult
from strata.search import Hit
from strata.store import NOW

T = TypeVar("T")
# Enough of an image's id to tell it from the others of a document.
_BEGINNING = re.compile(r"[0-9a-f]{4,63}", re.ASCII)


class Documents(TransactionDocuments):
    """Documents of a branch, as one user may see and change them. Reached as `db.documents`."""

    def with_request(self, key: str | None) -> "Documents":
        """Return the same documents; a write with this key is done once, however often it comes.

        >>> once = db.documents.with_request("req-1")
        >>> made = once.create("Plan"); again = once.create("Plan")
        >>> again.document == made.document, again.repeated
        (True, True)
        """
        return Documents(self._view, lambda: self.rights, self._shared, request=key)

    # Reading.

    def pieces(self, document: str) -> list[Piece]:
        """Return the pieces of a text that search knows, with their ids, in order.

        >>> made = db.documents.create("Plan", "# Goals\\n\\nShip.\\n")
        >>> [piece.path for piece in db.documents.pieces(made.document)]
        [('Goals',)]
        """
        self._catch_up()
        return pieces_of(self._snapshot, document, self.text(document))

    def images(self, document: str) -> list[Image]:
        """Return the images that are kept with a document.

        >>> made = db.documents.create("Plan")
        >>> db.documents.images(made.document)
        []
        """
        self._present(document)
        return images_of(self._snapshot, document)

    def files(self, document: str) -> list[AttachedFile]:
        """Return the files that are kept with a document beside its images, by name.

        >>> made = db.documents.create("Plan")
        >>> db.documents.files(made.document)
        []
        """
        self._present(document)
        return files_of(self._snapshot, document)

    def file(self, document: str, file: str) -> tuple[AttachedFile, bytes]:
        """Return a file of a document, and its bytes.

        >>> import io, zipfile
        >>> word, space = io.BytesIO(), "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
        >>> with zipfile.ZipFile(word, "w") as parts:
        ...     parts.writestr("word/document.xml",
        ...         f"<w:document xmlns:w='{space}'><w:body><w:p><w:r><w:t>Ship in May</w:t></w:r>"
        ...         "</w:p></w:body></w:document>")
        >>> done, file = db.documents.import_file(word.getvalue(), name="plan.docx")
        >>> db.documents.file(done.document, file.id)[1] == word.getvalue()
        True
        """
        self._present(document)
        found = find_file(self._snapshot, document, file)
        return found, self._bytes(found.id)

    def image(
        self, document: str, image: str, *, max_width: int = limits.IMAGE_WIDTH
    ) -> AttachedPicture:
        """Return an image of a document as a PNG, at most so wide; the id may be cut short.

        >>> dot = bytes.fromhex("47494638396101000100800000ffffff00000021f90400000000002c00000000"
        ...                     "010001000002024401003b")
        >>> made = db.documents.create("Plan")
        >>> image = db.documents.attach_image(made.document, dot, name="점.gif")
        >>> db.documents.image(made.document, image.id).png[1:4]
        b'PNG'
        """
        found = self._image(document, image)
        return AttachedPicture(found, png_of(found.id, max_width, lambda: self._bytes(found.id)))

    def image_file(self, document: str, image: str) -> bytes:
        """Return an image of a document as the file that was attached.

        >>> drawing = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
        >>> made = db.documents.create("Plan")
        >>> image = db.documents.attach_image(made.document, drawing, name="점.svg")
        >>> db.documents.image_file(made.document, image.id) == drawing
        True
        """
        return self._bytes(self._image(document, image).id)

    def _image(self, document: str, image: str) -> Image:
        self._present(document)
        if _BEGINNING.fullmatch(image):
            known = [one for one in self.images(document) if one.id.startswith(image)]
            image = known[0].id if len(known) == 1 else image
        return find_image(self._snapshot, document, image)

    def _bytes(self, image: str) -> bytes:
        return read_blob(self._snapshot, image, self._shared.storage())

    # Finding.

    def find(self, request: Request) -> FoundDocuments:
        """Search, list or look around: what may be asked is in `strata.documents.Request`.

        >>> from strata.documents import Request
        >>> made = db.documents.create("배포 계획", "금요일에는 배포하지 않는다.")
        >>> [item.title for item in db.documents.find(Request(query="금요일 배포")).items]
        ['배포 계획']
        """
        self._catch_up()
        return self._finding.find(request)

    def table(self, request: TableRequest) -> DocumentRows:
        """Return rows of a table of the documents in one place, sorted, and how many there are.

        >>> from strata.documents import TableRequest
        >>> made = db.documents.create("나중"), db.documents.create("가장 먼저")
        >>> table = db.documents.table(TableRequest(order="title", ascending=True, limit=1))
        >>> table.rows[0].item.title, table.total
        ('가장 먼저', 2)
        """
        self._catch_up()
        return self._finding.table(request)

    def rows(self, found: FoundDocuments) -> list[DocumentRow]:
        """Return what `find` found as rows of a table, in its order.

        >>> from strata.documents import Request
        >>> made = db.documents.create("배포 계획", "금요일에는 배포하지 않는다.")
        >>> rows = db.documents.rows(db.documents.find(Request(query="금요일 배포")))
        >>> [(row.item.title, row.manages) for row in rows]
        [('배포 계획', True)]
        """
        return self._finding.rows(found.items)

    def template(self, document: str) -> Template:
        """Return what a document declares as a template: its name and its variables.

        >>> text = "---\\nvariables: [project]\\n---\\n# {{project}}"
        >>> made = db.documents.create("Kickoff", text)
        >>> [variable.name for variable in db.documents.template(made.document).variables]
        ['project']
        """
        return read_template(self.text(document))

    def findable(self) -> frozenset[str]:
        """Return the ids of the documents that a search may show the user.

        >>> made = db.documents.create("Plan", "안녕")
        >>> db.documents.findable() == {made.document}
        True
        """
        self._catch_up()
        return self._finding.findable()

    def as_document(self, hit: Hit) -> Hit:
        """Return a hit in a document's text or title as a hit of the document.

        `db.search` calls it.

        >>> made = db.documents.create("Plan", "# 배포\\n금요일은 쉰다")
        >>> [hit.value for hit in db.search("금요일")]
        [{'title': 'Plan', 'section': '배포'}]
        """
        id_, _slash, piece = hit.key.partition("/")
        found: Json = hit.value
        path: Any = found.get("path") if isinstance(found, dict) else None
        card = find_card(self._snapshot, id_)
        shown = {"title": "" if card is None else card.title}
        if piece:
            shown["section"] = " > ".join(map(str, path or ()))
        return replace(hit, key=id_, kind=DOCUMENT, value=shown)

    def graph(self, document: str, *, depth: int = 2, max_nodes: int = 50) -> DocumentGraph:
        """Return the documents around one, and how they are connected.

        >>> plan = db.documents.create("Plan", "See [[Budget]].")
        >>> _ = db.documents.create("Budget", "돈")
        >>> [edge.type for edge in db.documents.graph(plan.document).edges]
        ['wiki']
        """
        self._catch_up()
        return self._finding.graph(document, depth=depth, max_nodes=max_nodes)

    def broken_links(self) -> Iterator[BrokenLink]:
        """Yield the [[links]] in documents whose title no document has that the user may read.

        >>> plan = db.documents.create("Plan", "See [[Budget]] and [[비용]].")
        >>> _ = db.documents.create("Budget", "돈")
        >>> [link.title for link in db.documents.broken_links() if link.document == plan.document]
        ['비용']
        """
        self._catch_up()
        yield from self._finding.broken_links()

    @property
    def _finding(self) -> DocumentFinder:
        shared = self._shared
        return DocumentFinder(self._snapshot, self.rights, shared.search, cache=shared.cache)

    def live(self) -> LiveLog:
        """Return the logs of this branch's documents for a server of live pages.

        It checks no permissions: the server that uses it has done so.

        >>> made = db.documents.create("Plan", "안녕")
        >>> db.documents.live().version(made.document) == made.version
        True
        """
        return LiveLog(self._view, self._shared.replicas, self._shared.texts)

    def _catch_up(self) -> None:
        """Let search know what was typed live a moment ago; the past stays as it was."""
        if self._view.instant is None and not self._view.store.database.read_only:
            self.live().settle()

    def called(self, name: str) -> str:
        """Return the id of the one document that has this id, title or alias.

        >>> made = db.documents.create("Plan B")
        >>> db.documents.called("plan b") == made.document
        True
        """
        visible = self.rights.visible()
        if name in visible:
            return name
        wanted, found = normal_title(name), list[str]()
        for attribute in ("title", "alias"):
            keys = self._snapshot.by_attribute(SPACE, DOCUMENT, attribute, value=wanted)
            found += [key for key in keys if key in visible and key not in found]
        if len(found) > 1:  # what is in the trash is meant only where nothing else can be
            found = [key for key in found if not self._is_trashed(key)] or found
        if len(found) > 1:
            raise Conflict(
                f"{len(found)} documents are called {name!r}.",
                hint=f"Name one by its id: {', '.join(found[:5])}.",
                ids=found[:5],
            )
        if not found:
            raise NotFound(
                f"There is no document {name!r} here.",
                hint="`db.documents.find(REQUEST)` shows the documents that you see.",
            )
        return found[0]

    # The past.

    def history(
        self, document: str, *, limit: int = 50, before: int | None = None
    ) -> ResultPage[DocumentVersion, int]:
        """Return the versions of a document, newest first, at most `limit`.

        `more` of the result tells whether there are others, `next` is what to pass as `before`
        to get them, and `all()` yields them.

        >>> made = db.documents.create("Plan", "one")
        >>> _ = db.documents.edit(made.document, "one", "하나")
        >>> [version.operation for version in db.documents.history(made.document)]
        ['edit', 'create']
        """
        self._present(document)
        check_number(limit, name="limit", most=NOW)
        if before is not None:
            check_number(before, name="before")
        most = min(limit + 1, NOW)
        return cut_page(
            versions.history(self._snapshot, document, limit=most, before=before),
            limit,
            lambda one: one.version,
            onward=lambda before: self.history(document, limit=limit, before=before),
        )

    def diff(self, document: str, a: int | str, b: int | str | None = None) -> str:
        """Return what changed from one version to another, or to now, line by line.

        >>> made = db.documents.create("Plan", "one\\n")
        >>> _ = db.documents.edit(made.document, "one", "하나")
        >>> print(db.documents.diff(made.document, made.version).splitlines()[-1])
        +하나
        """
        self._present(document)
        before, after = self._read(document, a), self._read(document, b)
        names = (f"version {before[0]}", f"version {after[0]}")
        return versions.difference(before[1], after[1], names=names)

    def blame(self, document: str) -> list[BlamedLine]:
        """Return the lines of a document, each with the last user who wrote in it.

        >>> made = db.documents.create("Plan", "one\\n")
        >>> [line.text for line in db.documents.blame(made.document)]
        ['one\\n']
        """
        with self._snapshot.reading():
            return versions.blamed(self._snapshot, document, self.text(document))

    def origin(self, document: str, client: int, clock: int) -> CharacterOrigin:
        """Return in which version a character came into a text, and who wrote it.

        `client` and `clock` are its id in Yjs, which editors of the text know.

        >>> made = db.documents.create("Plan", "one")
        >>> db.documents.origin(made.document, 7, 0)  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        strata.base.errors.NotFound: No update on this branch has brought that character...
        """
        self._present(document)
        found = versions.origin_of(self._snapshot, document, client=client, clock=clock)
        if found is None:
            raise NotFound(
                "No update on this branch has brought that character.",
                hint="Its version may be trimmed, or not saved yet.",
            )
        return found

    def named(self, document: str) -> dict[str, int]:
        """Return the versions that have names.

        >>> made = db.documents.create("Plan", "one")
        >>> db.documents.named(made.document)
        {}
        """
        self._present(document)
        return versions.named(self._snapshot, document)

    def suggestions(self, document: str) -> list[Suggestion]:
        """Return the suggestions on a document, oldest first.

        >>> made = db.documents.create("Plan", "one")
        >>> db.documents.suggestions(made.document)
        []
        """
        self._present(document)
        return suggestions_of(self._snapshot, document)

    def audience(self, document: str) -> Audience:
        """Return who may read a document, and why.

        >>> made = db.documents.create("Plan")
        >>> db.documents.audience(made.document).kind
        'personal'
        """
        self._present(document)
        return self.rights.audience(document)

    # Writing.

    def receive(self, document: str, updates: Sequence[bytes]) -> WriteResult:
        """Take in updates of a replica elsewhere, such as a page with Yjs: one commit for all.

        An update that builds on something that is not here is refused, and all are with it.

        >>> from strata.documents.text import Replica, Splice
        >>> page = Replica(); update = page.splice([Splice(0, 0, "안녕")])
        >>> made = db.documents.create("Plan")
        >>> _ = db.documents.receive(made.document, [update])
        >>> db.documents.text(made.document)
        '안녕'
        """

        def work(writing: DocumentTransaction) -> WriteResult:
            self.rights.require(document, "editor", what="edit")
            editor = self._editor(writing, document)
            arrived = [ArrivedUpdate(update, self._commits.author) for update in updates]
            edited = editor.edited
            version = writing.receive(edited, arrived) if arrived else edited.version
            return editor.written(version, applied=bool(arrived))

        return self._commits.once("receive", work, about=document, given=updates)

    def restore(self, document: str, version: int | str) -> WriteResult:
        """Bring back the text of a version, as a new one.

        >>> made = db.documents.create("Plan", "first")
        >>> _ = db.documents.write(made.document, "두 번째")
        >>> _ = db.documents.restore(made.document, made.version)
        >>> db.documents.text(made.document)
        'first'
        """

        def work(writing: DocumentTransaction) -> WriteResult:
            self.rights.require(document, "editor", what="restore")
            editor = self._editor(writing, document)
            now, then = editor.edited.replica.text, self._read(document, version)[1]
            number = writing.splice(editor.edited, splices(now, then))
            return editor.written(number, applied=now != then)

        return self._commits.once("restore", work, about=document, given=version)

    def name_version(self, document: str, name: str, version: int | None = None) -> int:
        """Give a version a name, the newest one by default; return its number.

        >>> made = db.documents.create("Plan", "one")
        >>> db.documents.name_version(made.document, "초안") == made.version
        True
        """

        def work(writing: DocumentTransaction) -> int:
            self.rights.require(document, "editor", what="name versions of")
            number = self._read(document, version)[0]
            writing.transaction.stage(versions.change_of_name(document, name, number))
            return number

        return self._commits.commit("name", work)

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

        return self._commits.commit("attach", work)

    def attach_file(self, document: str, data: bytes, *, name: str) -> AttachedFile:
        """Keep a PDF or DOCX file with a document; its `markdown` is a link to it.

        Secrets in its text are refused: nothing can be masked in a file.

        >>> from strata.documents.files import FILE_TYPES
        >>> sorted(FILE_TYPES.values())
        ['.docx', '.pdf']
        """
        self._view.check_writable()
        self.rights.require(document, "editor", what="attach files to")
        self._read_file(data, name)
        file, record = file_changes(document, data, name)
        # Sending it elsewhere takes long: others must not wait for that.
        bytes_kept = blob_changes(self._snapshot, self._shared.storage(), data)

        def work(writing: DocumentTransaction) -> AttachedFile:
            self.rights.require(document, "editor", what="attach files to")
            if find_head(writing.transaction, document) is None:
                raise missing_document(document)
            for change in (record, *bytes_kept):
                writing.transaction.stage(change)
            return file

        return self._commits.commit("attach", work)

    def import_file(
        self, data: bytes, *, name: str, folder: str | None = None
    ) -> tuple[WriteResult, AttachedFile]:
        """Make a document of a PDF or DOCX file: its text, and the file itself beside it.

        The title is the first heading, or the name of the file.

        >>> import io, zipfile
        >>> word, space = io.BytesIO(), "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
        >>> with zipfile.ZipFile(word, "w") as parts:
        ...     parts.writestr("word/document.xml",
        ...         f"<w:document xmlns:w='{space}'><w:body><w:p><w:r><w:t>Ship in May</w:t></w:r>"
        ...         "</w:p></w:body></w:document>")
        >>> done, file = db.documents.import_file(word.getvalue(), name="plan.docx")
        >>> done.title, db.documents.text(done.document), file.name
        ('plan', 'Ship in May\\n', 'plan.docx')
        """
        self._view.check_writable()
        self.rights.home(folder)
        text = self._read_file(data, name)
        new = NewDocument(title=title_of_file(name, text), content=text, folder=folder)
        self._view.check_name(new.title, "title")
        bytes_kept = blob_changes(self._snapshot, self._shared.storage(), data)

        def work(writing: DocumentTransaction) -> WriteResult:
            made = self._create(writing, new)
            for change in (file_changes(made.document, data, name)[1], *bytes_kept):
                writing.transaction.stage(change)
            return made

        given = (name, folder, image_id(data))
        done = self._commits.once("import", work, given=given, answers=WriteResult)
        return done, find_file(self._snapshot, done.document, image_id(data))

    def _read_file(self, data: bytes, name: str) -> str:
        """Return the text of a file that may be kept; others must not wait while it is read."""
        self._view.check_name(name, "name of the file")
        check_file_size(data)
        text = markdown_of_file(data, file_type(data, name))
        self._view.check_name(text, "file")
        return text

    def detach_file(self, document: str, file: str) -> AttachedFile:
        """Take a file from a document; the past keeps it.

        >>> made = db.documents.create("Plan")
        >>> db.documents.files(made.document)
        []
        """
        self._view.check_writable()

        def work(writing: DocumentTransaction) -> AttachedFile:
            self.rights.require(document, "editor", what="take files from")
            found = find_file(writing.transaction, document, file)
            writing.transaction.stage(removal_of_file(found))
            return found

        return self._commits.commit("detach", work)

    # Places and users.

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

    def move_many(self, documents: Sequence[str], folder: str) -> list[Placement]:
        """Put documents into another folder, all of them or none; return where each was.

        >>> made = db.documents.create("Plan"); drafts = db.folders.add("초안")
        >>> [before] = db.documents.move_many([made.document], drafts.id)
        >>> before.folder == db.folders.personal().id
        True
        """
        for document in documents:
            self._present(document)
        with changing_as(self.rights):
            before = [self.rights.placement(document) for document in documents]
            for document in documents:
                self.rights.move(document, folder)
        return before

    def share(self, document: str, email: str, role: str) -> tuple[Share, Audience]:
        """Let a user read, comment or edit a document; an unknown email is invited.

        >>> made = db.documents.create("Plan")
        >>> share, audience = db.documents.share(made.document, "ann@example.com", "viewer")
        >>> share.pending
        True
        """
        self._present(document)
        share = Shares(self._view.store, self.rights).share(document, email, role)
        return share, self.rights.audience(document)

    def unshare(self, document: str, user: str) -> Audience:
        """Take a share back.

        >>> made = db.documents.create("Plan")
        >>> _ = db.documents.share(made.document, "ann@example.com", "viewer")
        >>> db.documents.unshare(made.document, "ann@example.com").pending
        ()
        """
        self._present(document)
        Shares(self._view.store, self.rights).unshare(document, user)
        return self.rights.audience(document)

    def transact(
        self,
        operation: str,
        work: Callable[[DocumentTransaction], T],
        *,
        about: str,
        given: object,
        answers: type[T],
        author: Author | None = None,
    ) -> T:
        """Do something to a document as one commit, for packages above this one.

        `given` are the arguments of the request, by which a repeated one is known. `answers` is
        what the work returns, `author` whose words it writes if not the user's own. The caller has
        asked `rights`, and asks again inside.

        >>> from strata.documents import DocumentTransaction, WriteResult
        >>> made = db.documents.create("Plan", "Ship")
        >>> def look(writing: DocumentTransaction) -> WriteResult:
        ...     version = writing.open(made.document).version
        ...     return WriteResult(
        ...         document=made.document, title="", version=version, status="applied")
        >>> done = db.documents.transact(
        ...     "look", look, about=made.document, given=(), answers=WriteResult)
        >>> done.version == made.version
        True
        """
        return self._commits.once(
            operation, work, about=about, given=given, answers=answers, author=author
        )

    # What all of these need.

    def _is_trashed(self, document: str) -> bool:
        card = find_card(self._snapshot, document)
        return card is not None and card.trashed

    def _present(self, document: str) -> None:
        """Raise NotFound for what is not on this branch, or not for this user."""
        self.rights.require(document)
        if find_head(self._snapshot, document) is None:
            raise missing_document(document)
