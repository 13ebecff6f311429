"""Documents one by one: made, read, edited and renamed on the branch of a view."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

import msgspec

from strata.access import (
    Folder,
    Permissions,
    is_public,
    missing_document,
    read_of_public,
)
from strata.base.checks import check_text
from strata.base.errors import InvalidArgument
from strata.base.ids import new_id
from strata.documents import quotes, templates, versions
from strata.documents.commits import DocumentCommits
from strata.documents.editor import StaleEdits, TextEditor, fewer
from strata.documents.files import (
    Storage,
)
from strata.documents.finding import (
    VisibleDocumentsCache,
)
from strata.documents.log import find_head, load
from strata.documents.markdown import Section, sections
from strata.documents.records import (
    DOCUMENT,
    SPACE,
    TEXT,
    Card,
    Document,
    change_of_card,
    check_title,
    find_card,
)
from strata.documents.replicas import EditingReplica, Replicas
from strata.documents.text import Replica, Splice, splices
from strata.documents.versions import RecentTexts
from strata.documents.writing import DocumentTransaction, WriteResult
from strata.search import Search
from strata.sql import Read
from strata.store import Snapshot, Store, View


class NewDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A document to be made; without a folder it is its author's own."""

    title: str
    content: str = ""
    folder: str | None = None
    origin: dict[str, Any] = {}


class SharedState:
    """What all views of a store share: what is loaded already, and the search."""

    def __init__(
        self,
        store: Store,
        search: Search,
        *,
        storage: Callable[[], Storage],
        unpublish: Callable[[str, int], None],
    ) -> None:
        # Where images are kept depends on settings that may change.
        self.storage = storage
        # Called in the transaction that puts a document of a branch into the trash; handed in,
        # because publishing is in a higher layer.
        self.unpublish = unpublish
        self.replicas = Replicas(store)
        self.texts = RecentTexts(store)
        self.cache = VisibleDocumentsCache(store)
        self.search = search


class TransactionDocuments:
    """Documents and their texts, one by one. Reached as `tx.documents`, a part of `db.documents`.

    Inside a transaction they are committed with the rest, with the rights that the user has then;
    a document that another program changes before the commit is a TransactionConflict. Versions
    and times are 0 until then.

    >>> with db.transaction(message="옮긴다") as tx:
    ...     tx.kv["deploy/target"] = "green"
    ...     made = tx.documents.create("배포", "초록으로 옮긴다.")
    ...     _ = tx.documents.edit(made.document, "초록", "green ")
    >>> db.documents.text(made.document)
    'green 으로 옮긴다.'
    """

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

    # Reading.

    def get(self, document: str) -> Document:
        """Return a document without its text; raise NotFound where one may not read it.

        >>> made = db.documents.create("계획", "# 목표")
        >>> db.documents.get(made.document).title
        '계획'
        """
        with self._view.store.connection().together(self._reads_of(document)):
            role = self.rights.require(document)
            card, head = find_card(self._snapshot, document), find_head(self._snapshot, document)
            if card is None or head is None:
                raise missing_document(document)
            placed, folder = self.rights.located(document)
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

    def _reads_of(self, document: str) -> Iterator[Read]:
        """Yield what `get` reads of a document."""
        yield from self.rights.reads_of([document])
        yield read_of_public(self._view.store, document)
        yield from self._snapshot.reads_of((SPACE, kind, document) for kind in (DOCUMENT, TEXT))

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
        new = NewDocument(title=title, content=self.filled(template, variables), folder=folder)
        # The request is the same one, whatever has become of the template since.
        return self._create_many([new], given=(template, title, variables, folder))[0]

    def filled(self, template: str, variables: Mapping[str, object] | None = None) -> str:
        """Return the text of a template with its variables filled in.

        >>> home = db.folders.add("Templates", templates=True)
        >>> text = "---\\nvariables: [project]\\n---\\n# {{project}}\\n"
        >>> made = db.documents.create("Kickoff", text, folder=home.id)
        >>> db.documents.filled(made.document, {"project": "한강"})
        '# 한강\\n'
        """
        found = self.get(template)
        if found.status != "template":
            raise InvalidArgument(
                f"The document {found.title!r} is no template: it lies in no templates folder.",
                hint="Templates are the documents in a templates folder.",
                parameter="template",
            )
        return templates.fill(self.text(template), variables or {})

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

    # Beside the text: title, trash, where it came from.

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
                branch = writing.transaction.branch_id
                writing.transaction.on_commit(partial(self._shared.unpublish, document, branch))

        self._commits.commit(operation, work)
        return self.get(document)

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
        return "published" if is_public(self._view.store, document) else "draft"
