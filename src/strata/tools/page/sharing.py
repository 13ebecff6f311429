"""Who sees a document and through what, and the links that let others in."""

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from strata.base import clock, limits
from strata.tools.documents.group import DocumentId
from strata.tools.page.group import PageAnswer, iso, page, require_person
from strata.tools.page.teams import TeamId
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.access import NewShareLink, ShareLink
    from strata.workspace import Workspace

_EXAMPLE = "doc_01K2Z9"
LinkRole = Annotated[Literal["viewer", "commenter", "editor"], "What it lets others do"]
LinkDays = Annotated[
    int, Meta(description="How long it is good", ge=1, le=limits.SHARE_LINK_DAYS_MAX)
]
LinkUses = Annotated[
    int, Meta(description="How many may use it", ge=1, le=limits.SHARE_LINK_USES_MAX)
]
Newcomers = Annotated[bool, "Let in who has no user yet; takes an admin"]


class SharingReader(PageAnswer, frozen=True):
    """A user who sees the document: through its folder, a share, the open link, or a team."""

    id: str
    name: str
    email: str
    role: str
    through: Literal["folder", "share", "link", "team"]
    # Of the team.
    team: str | None


class SharingInvitation(PageAnswer, frozen=True):
    """An email that the document is shared with, and that no user has yet."""

    email: str
    role: str


class SharingLink(PageAnswer, frozen=True):
    """A link that lets others in; its address is not shown again."""

    id: str
    kind: Literal["invitation", "open"]
    role: str
    newcomers: bool
    by: str
    created: str
    expires: str | None
    most_uses: int | None
    uses: int
    # Whether it was used up, or its time is over.
    ended: bool


class SharingPage(PageAnswer, frozen=True):
    """Who sees a document; its links where the user may share it."""

    folder: str
    people: list[SharingReader]
    invited: list[SharingInvitation]
    # Whether the user may share it, and let new people in.
    manages: bool
    admits: bool
    links: list[SharingLink]


class TeamLinks(PageAnswer, frozen=True):
    """The links that let others into a team; `admits` is whether new people may come too."""

    admits: bool
    links: list[SharingLink]


class MadeLink(PageAnswer, frozen=True):
    """A link that was made, with its address below that of the server."""

    link: SharingLink
    path: str


class LinkGone(PageAnswer, frozen=True):
    """The link that was taken back."""

    link_id: str


@page.reads(needs="core", example={"documentId": _EXAMPLE})
def sharing(call: Call, *, document_id: DocumentId) -> SharingPage:
    """Show who sees a document and through what.

    A user who may share it sees emails, invitations and links too.
    """
    here = call.db
    here.documents.get(document_id)
    audience = here.rights.audience(document_id)
    manages = here.rights.may_manage(document_id) and here.rights.cap.reason is None
    names, now = here.users.names(), clock.now_us()
    found = here.share_links.of(document_id) if manages else []
    people = [
        SharingReader(
            id=one.id,
            name=one.name,
            email=one.email if manages or one.id == here.rights.user.id else "",
            role=one.role,
            through=one.through if one.through in ("folder", "share", "link") else "team",
            team=None if one.through in ("folder", "share", "link") else one.through,
        )
        for one in audience.people
    ]
    return SharingPage(
        folder=audience.folder_name,
        people=people,
        invited=[
            SharingInvitation(email=one.email, role=one.role) for one in audience.pending if manages
        ],
        manages=manages,
        admits=_admits(here),
        links=[_link(one, names, now) for one in found],
    )


@page.writes(needs="core", example={"documentId": _EXAMPLE, "role": "viewer"})
def make_link(
    call: Call,
    *,
    document_id: DocumentId,
    role: LinkRole,
    kind: Annotated[
        Literal["invitation", "open"], "open: what it gives ends with it; no editors"
    ] = "invitation",
    days: LinkDays = limits.SHARE_LINK_DAYS,
    uses: LinkUses = 1,
    newcomers: Newcomers = False,
) -> MadeLink:
    """Make a link that lets others into a document: an invitation, or its open link."""
    here = call.db
    here.documents.get(document_id)
    links = here.share_links
    made = (
        links.open(document_id, role)
        if kind == "open"
        else links.invite(document_id, role, days=days, uses=uses, newcomers=newcomers)
    )
    return _made(here, made)


@page.reads(example={"teamId": "workspace"})
def team_links(call: Call, *, team_id: TeamId) -> TeamLinks:
    """List the links that let others into a team; for an admin of the team."""
    here = call.anywhere
    names, now = here.users.names(), clock.now_us()
    found = here.share_links.of(here.teams.require(team_id).id)
    return TeamLinks(admits=_admits(here), links=[_link(one, names, now) for one in found])


@page.writes(example={"teamId": "workspace", "role": "editor"})
def make_team_link(
    call: Call,
    *,
    team_id: TeamId,
    role: LinkRole,
    days: LinkDays = limits.SHARE_LINK_DAYS,
    uses: LinkUses = 1,
    newcomers: Newcomers = False,
) -> MadeLink:
    """Make a link that lets others into a team; for an admin of the team."""
    require_person(call)
    here = call.anywhere
    team = here.teams.require(team_id).id
    return _made(
        here, here.share_links.invite(team, role, days=days, uses=uses, newcomers=newcomers)
    )


@page.writes(needs="core", destructive=True, example={"linkId": "link_01K2Z9"})
def revoke_link(call: Call, *, link_id: Annotated[str, "link_…"]) -> LinkGone:
    """Take a link back; what an open link gave ends with it."""
    return LinkGone(link_id=call.db.share_links.revoke(link_id).id)


def _admits(here: "Workspace") -> bool:
    """Tell whether a user may let new people into the workspace."""
    return here.rights.team_roles().get(here.teams.root().id) == "admin"


def _made(here: "Workspace", made: "NewShareLink") -> MadeLink:
    return MadeLink(link=_link(made.link, here.users.names(), clock.now_us()), path=made.path)


def _link(link: "ShareLink", names: dict[str, str], now: int) -> SharingLink:
    return SharingLink(
        id=link.id,
        kind=link.kind,
        role=link.role,
        newcomers=link.newcomers,
        by=names.get(link.user, link.user),
        created=iso(link.created),
        expires=None if link.expires is None else iso(link.expires),
        most_uses=link.most_uses,
        uses=link.uses,
        ended=not link.is_good(now),
    )
