"""Published pages of a user: what is shown, what has changed since, and the user's profile."""

from itertools import islice
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from strata.base.errors import NotFound
from strata.tools.documents.group import DocumentId
from strata.tools.page.group import Limit, PageAnswer, iso, page
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.publishing import Profile, Publication, PublishedVersion, PublishStatus

_LOOK = "look at published versions of"
_EXAMPLE = {"documentId": "doc_01JABCDEFGHJKMNPQRSTVWXYZ0"}
VersionNumber = Annotated[int, Meta(description="Number of the published version", ge=1)]


class PublishedLine(PageAnswer, frozen=True):
    """A document that was published; `number` is the version shown, or the newest while none is."""

    document_id: str
    title: str
    is_public: bool
    number: int | None
    versions: int
    # Whether its text, title or images differ from that version; None where it is not on the branch
    has_changes: bool | None
    is_pinned: bool
    path: str
    url: str
    published: str | None


class PublishedList(PageAnswer, frozen=True):
    """Published documents, those changed last first; `next` is what to send as `after`."""

    pages: list[PublishedLine]
    next: str | None


class FrozenVersion(PageAnswer, frozen=True):
    """A version as it was published."""

    number: int
    title: str
    summary: str
    published: str
    # Who published it, and through which agent.
    person: str | None
    agent: str | None
    is_shown: bool


class FrozenVersions(PageAnswer, frozen=True):
    """The published versions of a document, newest first; `next` is what to send as `before`."""

    versions: list[FrozenVersion]
    next: int | None


class FrozenText(PageAnswer, frozen=True):
    """The markdown of a version, and of the one that visitors read now."""

    title: str
    text: str
    shown: str | None


class ProfileView(PageAnswer, frozen=True):
    """The public profile of the user. `name` is the part of its address."""

    name: str
    title: str
    about: str
    path: str
    url: str


@page.reads(needs="publishing", example={"limit": 20})
def published(
    call: Call,
    *,
    after: Annotated[str | None, "Only those behind this document"] = None,
    limit: Limit = 30,
) -> PublishedList:
    """List published documents that the user manages: addresses, and what has changed since."""
    here = call.db
    listed = here.publishing.list()
    places = {one.document: place for place, one in enumerate(listed)}
    start = 0 if after is None else places.get(after, -1) + 1
    managed = (one for one in listed[start:] if here.rights.may_manage(one.document))
    found = list(islice(managed, limit + 1))
    return PublishedList(
        pages=[_line(call, one) for one in found[:limit]],
        next=found[limit - 1].document if len(found) > limit else None,
    )


@page.reads(needs="publishing", example=_EXAMPLE)
def published_versions(
    call: Call,
    *,
    document_id: DocumentId,
    before: Annotated[int | None, "Only versions before this number"] = None,
    limit: Limit = 30,
) -> FrozenVersions:
    """List the versions of a document that were published, newest first."""
    here = call.db
    here.rights.require_manage(document_id, what=_LOOK)
    found = [
        one
        for one in here.publishing.versions(document_id)
        if before is None or one.number < before
    ]
    names = here.users.names()
    lines = [_version(one, names.get(one.user)) for one in found[:limit]]
    return FrozenVersions(versions=lines, next=lines[-1].number if len(found) > limit else None)


@page.reads(needs="publishing", example={**_EXAMPLE, "number": 1})
def published_text(call: Call, *, document_id: DocumentId, number: VersionNumber) -> FrozenText:
    """Read a version as it was published, beside the one that visitors read now."""
    call.db.rights.require_manage(document_id, what=_LOOK)
    here = call.db.publishing
    versions = {one.number: one for one in here.versions(document_id)}
    text = here.text(document_id, number)
    shown = next((one.number for one in versions.values() if one.is_shown), None)
    return FrozenText(
        title=versions[number].title,
        text=text,
        shown=None if shown is None else here.text(document_id, shown),
    )


@page.writes(needs="publishing", idempotent=True, example={**_EXAMPLE, "number": 1})
def rollback(call: Call, *, document_id: DocumentId, number: VersionNumber) -> PublishedLine:
    """Show an earlier version of a published document to visitors; its text stays as it is."""
    call.db.publishing.rollback(document_id, number)
    return _of_document(call, document_id)


@page.writes(needs="publishing", idempotent=True, example={**_EXAMPLE, "isPinned": False})
def pin(
    call: Call,
    *,
    document_id: DocumentId,
    is_pinned: Annotated[bool, "First on the profile, or no longer"],
) -> PublishedLine:
    """Put a published document first on its profile, or back among the others."""
    call.db.publishing.pin(document_id, is_pinned=is_pinned)
    return _of_document(call, document_id)


@page.reads(needs="publishing", example={})
def profile(call: Call) -> ProfileView:
    """Show the public profile of the user."""
    return _profile(call, call.db.publishing.profile())


@page.writes(needs="publishing", idempotent=True, example={"title": "소연", "about": "글"})
def set_profile(
    call: Call,
    *,
    profile_name: Annotated[str | None, "The part of its address; old ones go on leading here"] = (
        None
    ),
    title: Annotated[str | None, "What it is headed"] = None,
    about: Annotated[str | None, "A few lines about the user"] = None,
) -> ProfileView:
    """Change the public profile of the user; what is left out stays."""
    changed = call.db.publishing.set_profile(name=profile_name, title=title, about=about)
    return _profile(call, changed)


def _of_document(call: Call, document: str) -> PublishedLine:
    return next(_line(call, one) for one in call.db.publishing.list() if one.document == document)


def _line(call: Call, one: "Publication") -> PublishedLine:
    here = call.db
    try:
        status: PublishStatus | None = here.publishing.status(one.document)
    except NotFound:  # published from another branch
        status = None
    is_public = one.number is not None if status is None else status.state == "published"
    return PublishedLine(
        document_id=one.document,
        title=one.title if status is None else status.title,
        is_public=is_public,
        number=one.number if status is None else status.number,
        versions=(one.number or 0) if status is None else status.versions,
        has_changes=None if status is None else status.has_changes,
        is_pinned=one.is_pinned,
        path=one.path,
        url=here.public_address(one.path, server=call.session.host.pages_at),
        published=iso(status.published) if status and status.published else None,
    )


def _version(one: "PublishedVersion", person: str | None) -> FrozenVersion:
    return FrozenVersion(
        number=one.number,
        title=one.title,
        summary=one.summary,
        published=iso(one.created),
        person=person,
        agent=one.via,
        is_shown=one.is_shown,
    )


def _profile(call: Call, found: "Profile") -> ProfileView:
    return ProfileView(
        name=found.name,
        title=found.title,
        about=found.about,
        path=found.path,
        url=call.db.public_address(found.path, server=call.session.host.pages_at),
    )
