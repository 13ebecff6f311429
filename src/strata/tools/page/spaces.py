"""Spaces, as a page shows them: collections of documents that grant no permissions."""

from typing import TYPE_CHECKING, Annotated

from strata.tools.page.folders import WRITING, DocumentIds, each_once
from strata.tools.page.group import PageAnswer, page
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.access import DocumentSpace

SpaceId = Annotated[str, "space_…"]
SpaceName = Annotated[str, "Name of the Space"]
SpaceDescription = Annotated[str, "What the Space is for, up to 1,000 characters"]
_MEMBERS_SHOWN = 50


class SpaceMember(PageAnswer, frozen=True):
    """A user who sees a Space, and what they may do with it."""

    name: str
    role: str


class SpacePage(PageAnswer, frozen=True):
    """A Space: whose it is, and who sees it; of many members some, and how many there are."""

    id: str
    name: str
    description: str
    team: str | None
    team_name: str | None
    can_change: bool
    members: list[SpaceMember]
    total: int


@page.reads(needs="core", example={"spaceId": "space_01JABCDEFGHJKMNPQRSTVWXYZ0"})
def space(call: Call, *, space_id: SpaceId) -> SpacePage:
    """Show a Space and who sees it; the documents in it come with page_documents."""
    here = call.db
    found = here.rights.space(space_id)
    readers = here.rights.space_audience(found.id)
    names = {team.id: team.name for team in here.rights.teams()}
    return SpacePage(
        id=found.id,
        name=found.name,
        description=found.description,
        team=found.team,
        team_name=names.get(found.team or ""),
        can_change=here.rights.place_role(found) in WRITING,
        members=[SpaceMember(name=one.name, role=one.role) for one in readers[:_MEMBERS_SHOWN]],
        total=len(readers),
    )


class SpaceAnswer(PageAnswer, frozen=True):
    """The Space that was made, changed or deleted."""

    space_id: str
    name: str


class FilledSpace(PageAnswer, frozen=True):
    """How many documents came into a Space, or left it."""

    space_id: str
    name: str
    documents: int


def _answer(space: "DocumentSpace") -> SpaceAnswer:
    return SpaceAnswer(space_id=space.id, name=space.name)


@page.writes(needs="core", example={"name": "읽을거리"})
def add_space(
    call: Call,
    *,
    name: SpaceName,
    team_id: Annotated[str | None, "Team to make it for; default: the user's own"] = None,
    description: SpaceDescription = "",
) -> SpaceAnswer:
    """Make a Space of the user's own, or of a team."""
    made = call.db.document_spaces.add(name, team=team_id, description=description)
    return _answer(made)


@page.writes(
    needs="core", example={"spaceId": "space_01JABCDEFGHJKMNPQRSTVWXYZ0", "name": "읽을거리"}
)
def rename_space(call: Call, *, space_id: SpaceId, name: SpaceName) -> SpaceAnswer:
    """Give a Space another name; its address stays."""
    return _answer(call.db.document_spaces.rename(space_id, name))


@page.writes(
    needs="core",
    idempotent=True,
    example={"spaceId": "space_01JABCDEFGHJKMNPQRSTVWXYZ0", "description": "이번 분기에 읽을 글"},
)
def describe_space(call: Call, *, space_id: SpaceId, description: SpaceDescription) -> SpaceAnswer:
    """Say what a Space is for; an empty text removes the description."""
    return _answer(call.db.document_spaces.describe(space_id, description))


@page.writes(
    needs="core", destructive=True, example={"spaceId": "space_01JABCDEFGHJKMNPQRSTVWXYZ0"}
)
def delete_space(call: Call, *, space_id: SpaceId) -> SpaceAnswer:
    """Delete a Space; the documents in it stay in their folders."""
    return _answer(call.db.document_spaces.remove(space_id))


@page.writes(
    needs="core",
    example={
        "spaceId": "space_01JABCDEFGHJKMNPQRSTVWXYZ0",
        "documentIds": ["doc_01JABCDEFGHJKMNPQRSTVWXYZ0"],
    },
)
def put_in_space(call: Call, *, space_id: SpaceId, document_ids: DocumentIds) -> FilledSpace:
    """Put documents into a Space; they stay in their folders, and no user sees more of them."""
    spaces = call.db.document_spaces
    found = spaces.require(space_id)
    count = sum([spaces.put(found.id, document) for document in each_once(document_ids)])
    return FilledSpace(space_id=found.id, name=found.name, documents=count)


@page.writes(
    needs="core",
    example={
        "spaceId": "space_01JABCDEFGHJKMNPQRSTVWXYZ0",
        "documentIds": ["doc_01JABCDEFGHJKMNPQRSTVWXYZ0"],
    },
)
def remove_from_space(call: Call, *, space_id: SpaceId, document_ids: DocumentIds) -> FilledSpace:
    """Take documents out of a Space; they stay in their folders."""
    spaces = call.db.document_spaces
    found = spaces.require(space_id)
    count = sum(
        [spaces.remove_document(found.id, document) for document in each_once(document_ids)]
    )
    return FilledSpace(space_id=found.id, name=found.name, documents=count)
