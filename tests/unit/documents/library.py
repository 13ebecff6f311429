"""A workspace with people, folders and documents, whose clock the test moves."""

from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self, cast

import msgspec

from strata.access import (
    FULL,
    DocumentSpaces,
    Folder,
    Folders,
    Permissions,
    Shares,
    Teams,
    User,
    Users,
    owner_of,
)
from strata.base.ids import new_id
from strata.documents.finding import (
    DocumentFinder,
    DocumentGraph,
    Filters,
    FoundDocuments,
    Request,
    Scope,
    VisibleDocumentsCache,
)
from strata.documents.records import SECTION, SPACE, TEXT, Card, change_of_card, find_card
from strata.documents.sections import Piece, change_of
from strata.search import Embeddings, Follower, Search, TextIndexer, Texts, text_of_row
from strata.sql import Row
from strata.store import BINARY, DELETED, Instant, Record, StagedChange, Store, View
from strata.workspace.meaning import Loaders, StoreMeaning
from tests.databases import database_at
from tests.opened import workspace_over
from tests.unit.search.embedders import Words, run

DAY = 86_400_000_000
BEGIN = 1_700_000_000_000_000


class Library:
    """Stages documents as the room does, and asks for them as one person or another."""

    def __init__(self) -> None:
        self.us = BEGIN
        self.store = Store(database_at(None), now=lambda: self.us, indexer=TextIndexer())
        self.db = workspace_over(self.store)
        self.search = Search(self.store)
        self.cache = VisibleDocumentsCache(self.store)
        self.owner = owner_of(self.store)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.db.close()

    # Users and places.

    def rights(self, user: User | None = None) -> Permissions:
        return Permissions(self.store, user or self.owner, FULL)

    def user(self, email: str) -> User:
        return Users(self.store, self.rights()).add(email, email.partition("@")[0])

    def team(self, name: str, **members: str) -> str:
        teams = Teams(self.store, self.rights())
        team = teams.add(name)
        for id_, role in members.items():
            teams.set_member(team.id, id_, role)
        return team.id

    def folder(self, name: str, user: User | None = None, **more: Any) -> Folder:
        return Folders(self.store, self.rights(user)).add(name, **more)

    def home(self, user: User) -> Folder:
        return Folders(self.store, self.rights(user)).personal(user)

    def share(self, document: str, email: str, role: str = "viewer") -> None:
        Shares(self.store, self.rights()).share(document, email, role)

    def space(self, name: str, *documents: str, **more: Any) -> str:
        spaces = DocumentSpaces(self.store, self.rights())
        made = spaces.add(name, **more)
        for document in documents:
            spaces.put(made.id, document)
        return made.id

    # Documents.

    def view(self, branch: str = "default", at: int | None = None) -> View:
        instant = None if at is None else Instant(at, self.us)
        return View(self.store, branch=branch, space="default", instant=instant)

    def add(
        self,
        title: str,
        *texts: str,
        by: User | None = None,
        folder: Folder | None = None,
        branch: str = "default",
        id_: str | None = None,
        aliases: Sequence[str] = (),
    ) -> str:
        """Make a document whose every text is a piece; the first line's heading is its path."""
        author = by or self.owner
        document = id_ or new_id("doc")
        card = Card(title=title, created=self.us, created_by=author.id, aliases=tuple(aliases))
        with self.view(branch).writing("create") as transaction:
            transaction.stage(change_of_card(document, card))
            for number, text in enumerate(texts):
                piece = Piece(f"chunk_{number}", _path(text), text)
                transaction.stage(change_of(document, piece))
            transaction.stage(_row(document, sum(len(text.encode()) for text in texts)))
            self.rights(author).place(document, folder)
        return document

    def edit(self, document: str, text: str, *, piece: int = 0, branch: str = "default") -> None:
        with self.view(branch).writing("edit") as transaction:
            transaction.stage(change_of(document, Piece(f"chunk_{piece}", _path(text), text)))
            transaction.stage(_row(document, len(text.encode())))

    def change(self, document: str, *, branch: str = "default", **fields: Any) -> None:
        """Write the card anew: a title, the trash."""
        with self.view(branch).writing("rename") as transaction:
            card = find_card(transaction, document)
            assert card is not None
            transaction.stage(change_of_card(document, msgspec.structs.replace(card, **fields)))

    def remove(self, document: str, *, branch: str = "default") -> None:
        """Take a document out of a branch altogether, as a merge may do."""
        with self.view(branch).writing("remove") as transaction:
            for key, _version in transaction.keys(SPACE, SECTION, f"{document}/"):
                transaction.stage(StagedChange(SPACE, SECTION, key, flags=DELETED))
            for kind in ("document", TEXT):
                transaction.stage(StagedChange(SPACE, kind, document, flags=DELETED))

    def embed(self) -> None:
        """Give every text its vectors, and search by them from now on."""
        words, embeddings = Words(), Embeddings(self.store)

        def text(row: Row) -> str:
            return text_of_row(self.store.keyspace_name(row[6])[1], cast("Record", row[:5]))

        getters = {"main": lambda _model: words}
        run(Follower(embeddings, getters, texts=Texts(text), leases=self.db.leases))
        loaders = Loaders(embeddings)
        loaders.give(words)
        meaning = StoreMeaning(
            embeddings, loaders, add=lambda _role: None, on_question=lambda: None
        )
        self.search = Search(self.store, meaning)

    # Asking.

    def finding(
        self, user: User | None = None, *, branch: str = "default", at: int | None = None
    ) -> DocumentFinder:
        snapshot = self.view(branch, at).snapshot
        return DocumentFinder(snapshot, self.rights(user), self.search, cache=self.cache)

    def find(
        self,
        query: str | None = None,
        *,
        as_: User | None = None,
        branch: str = "default",
        at: int | None = None,
        **asked: Any,
    ) -> FoundDocuments:
        """Ask; `scope` is a pair of type and id, and filters are given by their names."""
        names = set(Filters.__struct_fields__)
        filters = Filters(**{name: asked.pop(name) for name in list(asked) if name in names})
        if "scope" in asked:
            given: Any = asked.pop("scope")
            parts: list[Any] = [given] if isinstance(given, str) else list(given)
            asked["scope"] = Scope(*parts)
        request = Request(query=query, filters=filters, **asked)
        return self.finding(as_, branch=branch, at=at).find(request)

    def graph(self, document: str, *, as_: User | None = None, **asked: Any) -> DocumentGraph:
        return self.finding(as_).graph(document, **asked)


def titles(found: FoundDocuments) -> list[str]:
    return [item.title for item in found.items]


def _row(document: str, size: int) -> StagedChange:
    notes = {"rows": 1, "pending": 1, "bytes": size, "hash": "", "op": "edit"}
    return StagedChange(SPACE, TEXT, document, b"\0", BINARY, msgspec.json.encode(notes))


def _path(text: str) -> tuple[str, ...]:
    first = text.partition("\n")[0]
    return (first.lstrip("# "),) if first.startswith("#") else ()
