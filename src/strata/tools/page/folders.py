"""Folders and the documents in them, as a page shows them: a tree, a table, and moving."""

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from strata.base import limits
from strata.base.errors import LimitExceeded
from strata.tools.page.find import as_read
from strata.tools.page.group import Limit, PageAnswer, Who, iso, page
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.access import Folder, ReaderChange
    from strata.documents import DocumentRow, FoundDocuments, TableRequest
    from strata.workspace import Workspace

# Readers that a dialog names; of the rest it tells how many there are.
_READERS_SHOWN = 20
_FIND_MOST = limits.FIND_ITEMS_MAX
_SNIPPET_TOKENS = 60
# Roles that change what a folder, a Space or a document holds.
WRITING = ("editor", "admin", "owner")

FolderId = Annotated[str, "folder_…"]
SomeFolderId = Annotated[str | None, "folder_…"]
SomeSpaceId = Annotated[str | None, "space_…"]
FolderName = Annotated[str, "Name of the folder"]
DocumentIds = Annotated[
    list[str],
    Meta(description="doc_…", min_length=1, max_length=limits.DOCUMENTS_AT_ONCE_MAX),
]
Status = Literal["draft", "published", "template"]
Order = Literal["title", "changed", "created"]


def each_once(document_ids: list[str]) -> list[str]:
    """Return the documents of a request, each once, or raise LimitExceeded for too many."""
    found = list(dict.fromkeys(document_ids))
    if len(found) > limits.DOCUMENTS_AT_ONCE_MAX:
        raise LimitExceeded(
            f"{len(found)} documents are too many for one request.",
            hint=f"Send at most {limits.DOCUMENTS_AT_ONCE_MAX} at once.",
            limit=limits.DOCUMENTS_AT_ONCE_MAX,
            size=len(found),
        )
    return found


class TreeFolder(PageAnswer, frozen=True):
    """A folder that the user sees. `can_write`: put documents and folders into it."""

    id: str
    name: str
    parent: str | None
    team: str | None
    is_templates: bool
    can_write: bool
    # Rename, move and delete it.
    can_change: bool


class TreeTeam(PageAnswer, frozen=True):
    """A team of the user's. `can_write`: add folders and Spaces to it."""

    id: str
    name: str
    parent: str | None
    can_write: bool


class TreeSpace(PageAnswer, frozen=True):
    """A Space that the user sees."""

    id: str
    name: str
    description: str
    team: str | None
    can_change: bool


class FolderTree(PageAnswer, frozen=True):
    """Every place that the user sees; of very many folders some, and how many there are."""

    folders: list[TreeFolder]
    total: int
    teams: list[TreeTeam]
    spaces: list[TreeSpace]


@page.reads(needs="core", example={"folderId": "folder_01JABCDEFGHJKMNPQRSTVWXYZ0"})
def folders(
    call: Call,
    *,
    folder_id: Annotated[str | None, "Always with what is above and in this folder"] = None,
    query: Annotated[str, "Only folders with these words in their name"] = "",
    limit: Limit = 500,
) -> FolderTree:
    """List the folders, teams and Spaces that the user sees, personal folders first."""
    here = call.db
    rights = here.rights
    known = {folder.id: folder for folder in rights.folders()}
    shown = [id_ for id_, folder in known.items() if _is_named(folder.name, query)]
    wanted = [] if folder_id is None else _around(known, rights.folder(folder_id).id)
    roles = rights.team_roles()
    writes = {team for team, role in roles.items() if role in WRITING}
    chosen = dict.fromkeys([*wanted, *shown[:limit]])
    return FolderTree(
        folders=[_tree_folder(here, folder) for id_, folder in known.items() if id_ in chosen],
        total=len(shown),
        teams=[
            TreeTeam(id=one.id, name=one.name, parent=one.parent, can_write=one.id in writes)
            for one in rights.teams()
        ],
        spaces=[
            TreeSpace(
                id=one.id,
                name=one.name,
                description=one.description,
                team=one.team,
                can_change=rights.place_role(one) in WRITING,
            )
            for one in rights.spaces()
        ],
    )


def _is_named(name: str, query: str) -> bool:
    return all(word in name.casefold() for word in query.casefold().split())


def _around(known: "dict[str, Folder]", folder: str) -> list[str]:
    """Return a folder, those that it lies in, and those that lie in it."""
    found = [one.id for one in known.values() if one.parent == folder]
    here: str | None = folder
    while here is not None and here in known and here not in found:
        found.append(here)
        here = known[here].parent
    return found


def _tree_folder(here: "Workspace", folder: "Folder") -> TreeFolder:
    writes = here.rights.place_role(folder) in WRITING
    return TreeFolder(
        id=folder.id,
        name=folder.name,
        parent=folder.parent,
        team=folder.team,
        is_templates=folder.templates,
        can_write=writes,
        can_change=writes and not (folder.kind == "personal" and folder.parent is None),
    )


class DocumentLine(PageAnswer, frozen=True):
    """A document as a row of a table; `folder` is null where the user does not see the folder."""

    id: str
    title: str
    status: str
    role: str
    # Rename it and put it into the trash; move and share it.
    can_edit: bool
    can_manage: bool
    folder: str | None
    folder_name: str | None
    owner: str
    who: Who
    changed: str
    snippet: str


class DocumentPage(PageAnswer, frozen=True):
    """Rows of a table. A search has no total; its `next` is the `cursor` of the next call."""

    documents: list[DocumentLine]
    total: int | None
    next: str | None


@page.reads(needs="core", example={"folderId": "folder_01JABCDEFGHJKMNPQRSTVWXYZ0"})
def documents(
    call: Call,
    *,
    folder_id: SomeFolderId = None,
    space_id: SomeSpaceId = None,
    shared: Annotated[bool, "Only what reaches the user by a share alone"] = False,
    status: Annotated[list[Status] | None, "Only documents of these kinds"] = None,
    query: Annotated[str, "Search for this, also in folders below"] = "",
    order: Annotated[Order, "What the rows are sorted by"] = "changed",
    ascending: Annotated[bool, "Smallest or oldest first"] = False,
    offset: Annotated[int, "Rows to skip"] = 0,
    cursor: Annotated[str | None, "Go on here: `next` of the answer before"] = None,
    limit: Annotated[int, Meta(description="Most rows", ge=1, le=limits.TABLE_ROWS_MAX)] = 100,
) -> DocumentPage:
    """Show the documents of a folder or a Space, those shared with the user, or all.

    With a query, the best ones come first; otherwise they are sorted.
    """
    from strata.documents import (  # noqa: PLC0415  (not before it is needed)
        Filters,
        Request,
        Scope,
        TableRequest,
    )

    scope = Scope()
    if folder_id is not None:
        scope = Scope("folder", folder_id)
    elif space_id is not None:
        scope = Scope("space", space_id)
    elif shared:
        scope = Scope("shared")
    if query.strip():
        request = Request(
            scope=scope,
            query=query,
            filters=Filters(status=tuple(status or ())),
            limit=min(limit, _FIND_MOST),
            token_budget=_SNIPPET_TOKENS,
            next_token=cursor,
        )
        return _searched(call.db, call.db.documents.find(request))
    asked = TableRequest(
        scope=scope,
        status=tuple(status or ()),
        order=order,
        ascending=ascending,
        offset=offset,
        limit=limit,
    )
    return _table(call.db, asked)


def _searched(here: "Workspace", found: "FoundDocuments") -> DocumentPage:
    names = here.users.names()
    rows = here.documents.rows(found)
    return DocumentPage(
        documents=[document_line(row, names) for row in rows], total=None, next=found.next_token
    )


def _table(here: "Workspace", asked: "TableRequest") -> DocumentPage:
    names = here.users.names()
    found = here.documents.table(asked)
    lines = [document_line(row, names) for row in found.rows]
    return DocumentPage(documents=lines, total=found.total, next=None)


def document_line(row: "DocumentRow", names: dict[str, str]) -> DocumentLine:
    """Return a document as a table shows it; `names` are those of users, by id."""
    item = row.item
    return DocumentLine(
        id=item.id,
        title=item.title,
        status=item.status or "draft",
        role=item.role or "viewer",
        can_edit=item.role in WRITING,
        can_manage=row.manages,
        folder=item.folder_id,
        folder_name=item.folder_name,
        owner=item.owner_name or "",
        who=Who(person=names.get(row.user or ""), agent=row.agent),
        changed=iso(item.updated or 0),
        snippet=as_read(item.snippet, [])[0],
    )


class ReaderLine(PageAnswer, frozen=True):
    """A user for whom a move changes something: the roles, and in how many of the documents."""

    name: str
    is_me: bool
    before: str | None
    after: str | None
    documents: int


class MovePreview(PageAnswer, frozen=True):
    """What a move changes for users: some of them by name, and how many there are."""

    folder_name: str
    gaining: list[ReaderLine]
    gaining_total: int
    losing: list[ReaderLine]
    losing_total: int
    changing: list[ReaderLine]
    changing_total: int


@page.reads(
    needs="core",
    example={
        "documentIds": ["doc_01JABCDEFGHJKMNPQRSTVWXYZ0"],
        "folderId": "folder_01JABCDEFGHJKMNPQRSTVWXYZ0",
    },
)
def move_preview(call: Call, *, document_ids: DocumentIds, folder_id: FolderId) -> MovePreview:
    """Tell who would see documents in another folder, and who would not see them any more."""
    rights = call.db.rights
    effect = rights.preview_move(each_once(document_ids), folder_id)
    me = rights.user.id
    return MovePreview(
        folder_name=effect.folder_name,
        gaining=_readers(effect.gaining, me),
        gaining_total=_people(effect.gaining),
        losing=_readers(effect.losing, me),
        losing_total=_people(effect.losing),
        changing=_readers(effect.changing, me),
        changing_total=_people(effect.changing),
    )


def _people(changes: "tuple[ReaderChange, ...]") -> int:
    return len({one.id for one in changes})


def _readers(changes: "tuple[ReaderChange, ...]", me: str) -> list[ReaderLine]:
    return [
        ReaderLine(
            name=one.name or one.email,
            is_me=one.id == me,
            before=one.before,
            after=one.after,
            documents=one.documents,
        )
        for one in changes[:_READERS_SHOWN]
    ]


class EarlierPlace(PageAnswer, frozen=True):
    """Documents that were in one folder before they were moved."""

    folder_id: str
    document_ids: list[str]


class MovedDocuments(PageAnswer, frozen=True):
    """Where the documents were; empty where the user may not move all of them back."""

    folder_name: str
    undo: list[EarlierPlace]


@page.writes(
    needs="core",
    example={
        "documentIds": ["doc_01JABCDEFGHJKMNPQRSTVWXYZ0"],
        "folderId": "folder_01JABCDEFGHJKMNPQRSTVWXYZ0",
    },
)
def move_documents(call: Call, *, document_ids: DocumentIds, folder_id: FolderId) -> MovedDocuments:
    """Put documents into another folder, which decides who sees them: all of them or none."""
    here = call.db
    before = here.documents.move_many(each_once(document_ids), folder_id)
    places: dict[str, list[str]] = {}
    for one in before:
        places.setdefault(one.folder, []).append(one.document)
    may_undo = all(map(here.rights.may_write_folder, places)) and all(
        map(here.rights.may_manage, document_ids)
    )
    undo = [EarlierPlace(folder_id=id_, document_ids=ids) for id_, ids in places.items()]
    return MovedDocuments(
        folder_name=here.rights.folder(folder_id).name, undo=undo if may_undo else []
    )


class TemplateVariable(PageAnswer, frozen=True):
    """What a template asks for; without a default it has to be filled in."""

    name: str
    description: str
    default: str | None


class TemplatePage(PageAnswer, frozen=True):
    """What a template says about itself."""

    title: str
    description: str
    variables: list[TemplateVariable]


@page.reads(needs="core", example={"documentId": "doc_01JABCDEFGHJKMNPQRSTVWXYZ0"})
def template(call: Call, *, document_id: Annotated[str, "doc_…"]) -> TemplatePage:
    """Tell what has to be filled in to make a document from a template."""
    here = call.db
    found = here.documents.template(document_id)
    return TemplatePage(
        title=here.documents.get(document_id).title,
        description=found.description,
        variables=[
            TemplateVariable(name=one.name, description=one.description, default=one.default)
            for one in found.variables
        ],
    )


class FolderAnswer(PageAnswer, frozen=True):
    """The folder that was made, changed or deleted."""

    folder_id: str
    name: str
    parent: str | None


def _answer(folder: "Folder") -> FolderAnswer:
    return FolderAnswer(folder_id=folder.id, name=folder.name, parent=folder.parent)


@page.writes(
    needs="core", example={"name": "초안", "parentId": "folder_01JABCDEFGHJKMNPQRSTVWXYZ0"}
)
def add_folder(
    call: Call,
    *,
    name: FolderName,
    parent_id: Annotated[str | None, "Folder to make it in"] = None,
    team_id: Annotated[str | None, "Team to make it for, beside its other folders"] = None,
    templates: Annotated[bool, "Whether its documents are templates"] = False,
) -> FolderAnswer:
    """Make a folder: in another one, of a team, or else in the personal folder."""
    made = call.db.folders.add(name, team=team_id, parent=parent_id, templates=templates)
    return _answer(made)


@page.writes(
    needs="core", example={"folderId": "folder_01JABCDEFGHJKMNPQRSTVWXYZ0", "name": "초안"}
)
def rename_folder(call: Call, *, folder_id: FolderId, name: FolderName) -> FolderAnswer:
    """Give a folder another name; its address stays."""
    return _answer(call.db.folders.rename(folder_id, name))


@page.writes(
    needs="core",
    example={
        "folderId": "folder_01JABCDEFGHJKMNPQRSTVWXYZ0",
        "parentId": "folder_01JABCDEFGHJKMNPQRSTVWXYZ1",
    },
)
def move_folder(
    call: Call, *, folder_id: FolderId, parent_id: Annotated[str, "Folder to put it into"]
) -> FolderAnswer:
    """Put a folder into another one of the same user or team; who sees it stays the same."""
    return _answer(call.db.folders.move(folder_id, parent_id))


@page.writes(
    needs="core", destructive=True, example={"folderId": "folder_01JABCDEFGHJKMNPQRSTVWXYZ0"}
)
def delete_folder(call: Call, *, folder_id: FolderId) -> FolderAnswer:
    """Delete an empty folder."""
    return _answer(call.db.folders.remove(folder_id))
