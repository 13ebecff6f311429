"""publish_document, unpublish_document and get_publish_status: public pages."""

from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import UNSET, UnsetType

from strata.tools.declare import HIDDEN, ToolGroup
from strata.tools.documents.group import DocumentId, advise, time_of, workspace_for
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.publishing import PublishStatus
    from strata.workspace import Workspace

publishing = ToolGroup("publishing", case="camel", advise=advise)
_EXAMPLE = {"documentId": "doc_01JABCDEFGHJKMNPQRSTVWXYZ0"}
_CHANGED = "The text has changed since: publish_document shows it as it is now."
_NO_SERVER = "The url works while `strata serve` runs."


class Publicity(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """Whether a document is public, where, and in which version."""

    document_id: Annotated[str, HIDDEN]
    title: Annotated[str, HIDDEN]
    state: str
    version_number: int | UnsetType = UNSET
    # Of the version shown; of the newest one while none is.
    has_unpublished_changes: bool | UnsetType = UNSET
    url: str | UnsetType = UNSET
    published_at: str | UnsetType = UNSET
    versions: Annotated[int, HIDDEN] = 0
    pinned: Annotated[bool | UnsetType, HIDDEN] = UNSET
    # publish_document: whether the text was shown as a new version; the same text again is not.
    new_version: Annotated[bool | UnsetType, HIDDEN] = UNSET
    branch: Annotated[str, HIDDEN]
    hint: Annotated[str | UnsetType, HIDDEN] = UNSET


@publishing.reads(example=_EXAMPLE)
def get_publish_status(call: Call, *, document_id: DocumentId) -> Publicity:
    """Check whether a document is published, where, and whether its text has changed since.

    Gives the public address too. To publish, call publish_document at once: what has not changed
    stays as it is. read_document says who may read a document inside the workspace.
    """
    here = workspace_for(call)
    return _publicity_of(call, here, here.publishing.status(document_id))


@publishing.writes(idempotent=True, example={**_EXAMPLE, "pinToProfile": True})
def publish_document(
    call: Call,
    *,
    document_id: DocumentId,
    pin_to_profile: Annotated[bool | None, "First on the profile, or no longer"] = None,
) -> Publicity:
    """Publish a document on the public profile: everyone can read it at the url.

    Only when the user asks for it. It shows a frozen copy of title, text and images as they are
    now; later edits stay unseen until it is published again. Unchanged text makes no new version.
    For certain people only: edit_document with action share. Back: unpublish_document.
    """
    here = workspace_for(call)
    done = here.publishing.publish(document_id, pin=pin_to_profile)
    return _publicity_of(call, here, done, is_new=done.is_new)


@publishing.writes(idempotent=True, example=_EXAMPLE)
def unpublish_document(call: Call, *, document_id: DocumentId) -> Publicity:
    """Take a published document back: its public address shows nothing any more.

    The document itself, its versions and its address are kept; publish_document shows it again.
    Copies that others made stay theirs.
    """
    here = workspace_for(call)
    return _publicity_of(call, here, here.publishing.unpublish(document_id))


def _publicity_of(
    call: Call, here: "Workspace", status: "PublishStatus", *, is_new: bool | None = None
) -> Publicity:
    is_public, path = status.state == "published", status.path
    url = here.public_address(path, server=call.session.host.pages_at) if path else UNSET
    is_bare = isinstance(url, str) and url.startswith("/")
    changed = is_public and status.has_changes
    return Publicity(
        document_id=status.document,
        title=status.title,
        state=status.state,
        version_number=UNSET if status.number is None else status.number,
        has_unpublished_changes=UNSET if status.number is None else status.has_changes,
        url=url,
        published_at=time_of(status.published),
        versions=status.versions,
        pinned=status.is_pinned if is_public else UNSET,
        new_version=UNSET if is_new is None else is_new,
        branch=call.branch,
        hint=_CHANGED if changed else _NO_SERVER if is_bare else UNSET,
    )


TOOL_GROUPS = (publishing,)
