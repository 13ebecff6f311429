"""`db.documents`: texts that users and agents write together."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar

import msgspec

from strata.access import Audience, Folder, Permissions, Share, Shares, missing_document
from strata.base import limits
from strata.base.checks import check_number, check_text
from strata.base.errors import Conflict, InvalidArgument, NotFound
from strata.base.ids import new_id
from strata.base.page import ResultPage, cut_page
from strata.documents import quotes, templates, versions
from strata.documents.commits import DocumentCommits
from strata.documents.editor import StaleEdits, TextEditor, fewer
from strata.documents.files import (
    AttachedPicture,
    Image,
    Storage,
    find_image,
    image_changes,
    images_of,
    is_drawing,
    png_of,
    read_blob,
)
from strata.documents.finding import (
    DocumentFinder,
    DocumentGraph,
    FoundDocuments,
    Request,
    VisibleDocumentsCache,
)
from strata.documents.live import LiveLog
from strata.documents.log import find_head, load
from strata.documents.maintenance import hide, is_published
from strata.documents.markdown import Section, normal_title, sections
from strata.documents.records import (
    DOCUMENT,
    SPACE,
    Card,
    Document,
    change_of_card,
    check_title,
    find_card,
)
from strata.documents.replicas import EditingReplica, Replicas
from strata.documents.sections import Piece, pieces_of
from strata.documents.suggestions import Suggestion, suggestions_of
from strata.documents.text import Replica, Splice, splices
from strata.documents.versions import BlamedLine, DocumentVersion, RecentTexts
from strata.documents.writing import ArrivedUpdate, Author, DocumentTransaction, WriteResult
from strata.search import Search
from strata.store import NOW, Snapshot, Store, View

T = TypeVar("T")
# Enough of an image's id to tell it from the others of a document.
_BEGINNING = re.compile(r"[0-9a-f]{4,63}", re.ASCII)


class NewDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A document to be made; without a folder it is its author's own."""

    title: str
    content: str = ""
    folder: str | None = None
    origin: dict[str, Any] = {}


class SharedState:
    """What all views of a store share: what is loaded already, and the search."""

    def __init__(self, store: Store, search: Search, storage: Callable[[], Storage]) -> None:
        # Where images are kept depends on settings that may change.
        self.storage = storage
        self.replicas = Replicas(store)
        self.texts = RecentTexts(store)
        self.cache = VisibleDocumentsCache(store)
        self.search = search


class Documents:
    """Documents of a branch, as one user may see and change them. Reached as `db.documents`."""

    def __init__(
        self,
        view: View,
        rights: Callable[[], Permissions],
        shared: SharedState,
        *,
        request: str | None = None,
    ) -> None:
        self._view = view
        self._make_rights = rights
        self._shared = shared
        self._request = request

    @cached_property
    def rights(self) -> Permissions:
        """What the acting user may do."""
        return self._make_rights()

    @cached_property
    def _commits(self) -> DocumentCommits:
        shared = self._shared
        return DocumentCommits(
            self._view,
            self.rights.user,
            replicas=shared.replicas,
            texts=shared.texts,
            request=self._request,
        )

    @property
    def _snapshot(self) -> Snapshot:
        return self._view.snapshot

    def with_request(self, key: str | None) -> "Documents":
        """Return the same documents; a write with this key is done once, however often it comes.

        >>> once = db.documents.with_request("req-1")
        >>> made = once.create("Plan"); again = once.create("Plan")
        >>> again.document == made.document, again.repeated
        (True, True)
        """
        return Documents(self._view, lambda: self.rights, self._shared, request=key)

    # Reading.

    def get(self, document: str) -> Document:
        """Return a document without its text; raise NotFound where one may not read it.

        >>> made = db.documents.create("계획", "# 목표")
        >>> db.documents.get(made.document).title
        '계획'
        """
        role = self.rights.require(document)
        card, head = find_card(self._snapshot, document), find_head(self._snapshot, document)
        if card is None or head is None:
            raise missing_document(document)
        placed = self.rights.placement(document)
        folder = self.rights.folder_of(document)
        return Document(
            id=document,
            title=card.title,
            version=head.version,
            created=card.created,
            updated=head.timestamp,
            created_by=card.created_by,
            owner=placed.owner,
            folder=placed.folder,
            bytes=head.bytes,
            hash=head.hash,
            frontmatter=card.frontmatter,
            trashed=card.trashed,
            status=self._status(document, card, folder),
            role=role,
            aliases=card.aliases,
            origin=card.origin,
        )

    def text(self, document: str, *, version: int | str | None = None) -> str:
        """Return the text of a document, as it is or as a version had it.

        >>> made = db.documents.create("Plan", "Ship in May")
        >>> _ = db.documents.edit(made.document, "May", "June")
        >>> db.documents.text(made.document), db.documents.text(made.document, version=made.version)
        ('Ship in June', 'Ship in May')
        """
        self.rights.require(document)
        return self._read(document, version)[1]

    def _read(self, document: str, version: int | str | None = None) -> tuple[int, str]:
        there = self._snapshot
        if version is not None:
            there = versions.at_version(there, document, version)
        found = self._shared.texts.read(there, document)
        if found is None:
            raise missing_document(document)
        return found

    def sections(self, document: str) -> list[Section]:
        """Return the sections of a document: their headings, and where each begins and ends.

        >>> made = db.documents.create("Plan", "# Goals\\n\\nShip.\\n\\n## 일정\\n\\nMay.\\n")
        >>> [section.path for section in db.documents.sections(made.document)]
        [('Goals',), ('Goals', '일정')]
        """
        return sections(self.text(document))

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

    def graph(self, document: str, *, depth: int = 2, max_nodes: int = 50) -> DocumentGraph:
        """Return the documents around one, and how they are connected.

        >>> plan = db.documents.create("Plan", "See [[Budget]].")
        >>> _ = db.documents.create("Budget", "돈")
        >>> [edge.type for edge in db.documents.graph(plan.document).edges]
        ['wiki']
        """
        self._catch_up()
        return self._finding.graph(document, depth=depth, max_nodes=max_nodes)

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

    def create(
        self,
        title: str,
        content: str = "",
        *,
        folder: str | None = None,
        origin: dict[str, Any] | None = None,
    ) -> WriteResult:
        """Make a document in a folder; by default in the user's personal folder.

        >>> db.documents.create("회의록", "# 안건").status
        'applied'
        """
        new = NewDocument(title=title, content=content, folder=folder, origin=origin or {})
        return self._create_many([new], given=new)[0]

    def create_many(self, documents: Sequence[NewDocument]) -> list[WriteResult]:
        """Make several documents at once: all of them or none.

        >>> from strata.documents import NewDocument
        >>> made = db.documents.create_many([NewDocument(title="하나"), NewDocument(title="Two")])
        >>> [written.title for written in made]
        ['하나', 'Two']
        """
        return self._create_many(documents, given=documents)

    def _create_many(self, documents: Sequence[NewDocument], *, given: object) -> list[WriteResult]:
        for new in documents:
            check_title(new.title)
            self._view.check_name(new.title, "title")
            check_text(new.content, name="content")

        def work(writing: DocumentTransaction) -> list[WriteResult]:
            return [self._create(writing, new) for new in documents]

        return self._commits.once("create", work, given=given)

    def _create(self, writing: DocumentTransaction, new: NewDocument) -> WriteResult:
        rights = self.rights
        folder = rights.home(new.folder)
        id_ = new_id("doc")
        card = Card(
            title=new.title.strip(),
            created=self._commits.now,
            created_by=rights.user.id,
            origin=new.origin,
        )
        version = writing.create(id_, card, new.content)
        rights.place(id_, folder)
        return WriteResult(
            document=id_, title=card.title, version=version, status="applied", created=True
        )

    def create_from_template(
        self,
        template: str,
        title: str,
        *,
        variables: Mapping[str, object] | None = None,
        folder: str | None = None,
    ) -> WriteResult:
        """Make a document from a template, with the template's variables filled in.

        >>> home = db.folders.add("Templates", templates=True)
        >>> text = "---\\nvariables: [project]\\n---\\n# {{project}}\\n"
        >>> made = db.documents.create("Kickoff", text, folder=home.id)
        >>> new = db.documents.create_from_template(
        ...     made.document, "Kickoff of 한강", variables={"project": "한강"})
        >>> db.documents.text(new.document)
        '# 한강\\n'
        """
        found = self.get(template)
        if found.status != "template":
            raise InvalidArgument(
                f"The document {found.title!r} is no template: it lies in no templates folder.",
                hint="Templates are the documents in a templates folder.",
                parameter="template",
            )
        text = templates.fill(self.text(template), variables or {})
        new = NewDocument(title=title, content=text, folder=folder)
        # The request is the same one, whatever has become of the template since.
        return self._create_many([new], given=(template, title, variables, folder))[0]

    def edit(
        self,
        document: str,
        old: str,
        new: str,
        *,
        replace_all: bool = False,
        base_version: int | None = None,
    ) -> WriteResult:
        """Replace words of a document that occur once, or all of them.

        With `base_version` the words are found in the version that the caller has read, and what
        differs is changed where it is now. Where others have changed the same words since,
        theirs stay and the edit waits as a suggestion on them; `status` is `suggested`, or
        `partly` where the rest of the edit was applied.

        >>> made = db.documents.create("Plan", "Ship in May")
        >>> db.documents.edit(made.document, "in May", "지금").matches
        1
        """
        check_text(old, name="old")
        check_text(new, name="new")
        if old == new:
            raise InvalidArgument(
                "The text to replace and the new text are the same.",
                hint="Say what it should become.",
                parameter="new",
            )

        def work(writing: DocumentTransaction) -> WriteResult:
            proposes = self._only_proposes(document)
            editor = self._editor(writing, document)
            then = self._read_by(editor.edited, base_version)
            found = quotes.matches(then.text, old, replace_all=replace_all)
            if then is not editor.edited.replica:
                stale = StaleEdits(then, quotes.replacing(found, old, new), base_version)
                done = editor.merge(stale, proposes=proposes)
            elif proposes:
                done = editor.propose([Splice(at, at + len(old), new) for at in found])
            else:
                done = editor.apply(quotes.replacing(found, old, new))
            return msgspec.structs.replace(done, matches=len(found))

        given = (old, new, replace_all, base_version)
        return self._commits.once("edit", work, about=document, given=given)

    def write(self, document: str, content: str, *, base_version: int | None = None) -> WriteResult:
        """Replace the whole text; only what differs is changed, so that anchors stay.

        With `base_version`, what others have written since then is kept, as `edit` keeps it.

        >>> made = db.documents.create("Plan", "one\\ntwo\\n")
        >>> _ = db.documents.write(made.document, "하나\\ntwo\\n")
        >>> db.documents.text(made.document)
        '하나\\ntwo\\n'
        """
        check_text(content, name="text")
        quotes.check_size(content)

        def work(writing: DocumentTransaction) -> WriteResult:
            proposes = self._only_proposes(document)
            editor = self._editor(writing, document)
            then = self._read_by(editor.edited, base_version)
            edits = splices(then.text, content)
            if then is not editor.edited.replica:
                return editor.merge(StaleEdits(then, edits, base_version), proposes=proposes)
            if proposes:
                return editor.propose(fewer(then.text, edits))
            return editor.apply(edits)

        return self._commits.once("write", work, about=document, given=(content, base_version))

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

    # Beside the text: title, trash, images, places and users.

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

        If it is published from this branch, its public page disappears.

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
                change = change_of_card(document, renewed, by=self.rights.user.id)
                writing.transaction.stage(change)
            if renewed.trashed and not card.trashed:
                hide(self._view.store, document, writing.transaction.branch_id)

        self._commits.commit(operation, work)
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

        return self._commits.commit("attach", work)

    # Places and people.

    def move(self, document: str, folder: str) -> Audience:
        """Put a document into another folder, which decides who may read it.

        >>> made = db.documents.create("Plan")
        >>> team = db.teams.add("디자인")
        >>> shared = db.folders.add("SharedState", team=team.id)
        >>> db.documents.move(made.document, shared.id).kind
        'team'
        """
        self._present(document)
        return self.rights.move(document, folder)

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

    def _only_proposes(self, document: str) -> bool:
        """Tell whether edits are kept as suggestions here; raise where not even that is allowed."""
        if self.rights.cap.suggest_only:
            self.rights.require(document, "commenter", what="suggest changes to")
            return True
        role = self.rights.role(document)
        if role not in ("commenter", "editor", "admin", "owner"):
            self.rights.require(document, "editor", what="edit")
        return role == "commenter"

    def _editor(self, writing: DocumentTransaction, document: str) -> TextEditor:
        editing = writing.open(document)
        if editing.head is None:
            raise missing_document(document)
        return TextEditor(writing, editing)

    def _read_by(self, edited: EditingReplica, version: int | None) -> Replica:
        """Return the text that a caller has read: the one of a version, or the newest."""
        if version is None or version == edited.version:
            return edited.replica
        document = edited.key[1]
        return load(versions.at_version(self._snapshot, document, version), document)

    def _status(self, document: str, card: Card, folder: Folder | None) -> str:
        if card.trashed:
            return "trashed"
        if folder is not None and folder.templates:
            return "template"
        return "published" if is_published(self._view.store, document) else "draft"

    def _is_trashed(self, document: str) -> bool:
        card = find_card(self._snapshot, document)
        return card is not None and card.trashed

    def _present(self, document: str) -> None:
        """Raise NotFound for what is not on this branch, or not for this user."""
        self.rights.require(document)
        if find_head(self._snapshot, document) is None:
            raise missing_document(document)
