"""get_presence, and noting after each call of an agent which document it is at."""

from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import UNSET, UnsetType

from strata.base import ids, limits
from strata.tools.declare import HIDDEN, ToolGroup
from strata.tools.documents.group import DocumentId, advise, workspace_for
from strata.tools.session import Call, Session

if TYPE_CHECKING:
    from strata.presence import PresenceEntry

collaboration = ToolGroup("collaboration", case="camel", advise=advise)


class Collaborator(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """A user at a document, or an agent that acts for them."""

    entity_type: str
    display_name: str
    # The agent's own name.
    via: str | UnsetType = UNSET
    status: str
    active_section: str | UnsetType = UNSET
    color: Annotated[str, HIDDEN]
    user_id: Annotated[str, HIDDEN]
    last_seen: Annotated[str, HIDDEN]


class PresenceAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """Who else is at a document on a branch, who was seen last first."""

    document_id: Annotated[str, HIDDEN]
    collaborators: list[Collaborator]
    # How many there are, where not all of them are listed.
    total: Annotated[int | UnsetType, HIDDEN] = UNSET
    branch: Annotated[str, HIDDEN]


@collaboration.reads(example={"documentId": "doc_01JABCDEFGHJKMNPQRSTVWXYZ0"})
def get_presence(call: Call, *, document_id: DocumentId) -> PresenceAnswer:
    """See who else is viewing or editing a document now: users, agents, in which section.

    Ask before a larger edit: leave a section alone that another author is editing, or propose
    instead of editing (manage_suggestions). Who may see a document is not told here: read_document.
    """
    here = workspace_for(call)
    me = (here.rights.user.id, agent_of(call.session))
    found = [one for one in here.presence.list(document_id) if (one.user, one.via) != me]
    most = limits.AUDIENCE_SHOWN
    return PresenceAnswer(
        document_id=document_id,
        collaborators=[_collaborator(one) for one in found[:most]],
        total=len(found) if len(found) > most else UNSET,
        branch=here.branch,
    )


def _collaborator(one: "PresenceEntry") -> Collaborator:
    return Collaborator(
        entity_type=one.entity_type,
        display_name=one.name,
        via=one.via or UNSET,
        status=one.status,
        active_section=one.section or UNSET,
        color=one.colour,
        user_id=one.user,
        last_seen=one.iso_time,
    )


TOOL_GROUPS = (collaboration,)


# What an agent is called that does not say its name.
_NAMELESS = "agent"
# Which actions change the text, by tool.
_EDITS = {
    "edit_document": {"create", "createFromTemplate", "edit", "write", "finalizeUpload"},
    "manage_suggestions": {"accept"},
}
# Arguments that quote what a call is about, the text that is there afterwards first.
_QUOTES = ("new_string", "quoted_text", "original_text", "replacement_text")
# What tells agents of one process without tokens from those of others.
_PROCESS = ids.token()


def agent_of(session: Session) -> str | None:
    """Return what the agent of a session is called; None where a person acts themself."""
    if session.creator != "llm":
        return None
    return session.client or _NAMELESS


def note_call(call: Call, tool: str, *, given: dict[str, Any], result: Any) -> None:
    """Note that an agent has used a document, if a call was about one."""
    via = agent_of(call.session)
    document = getattr(result, "document_id", None) or given.get("document_id")
    if via is None or not isinstance(document, str):
        return
    is_edit = given.get("action", "") in _EDITS.get(tool, ())
    quotes = (given.get(name) for name in _QUOTES)
    # What identifies one agent: its token, else its process.
    grant = call.session.grant
    principal = (grant.principal if grant is not None else "") or _PROCESS
    call.db.presence.touch_soon(
        document,
        session=f"{principal}:{via}",
        via=via,
        status="editing" if is_edit else "viewing",
        section=_section_of(result),
        quote=next((one for one in quotes if isinstance(one, str) and one.strip()), None),
    )


def _section_of(result: Any) -> str | None:
    path: Any = getattr(result, "heading_path", None) or ()
    named: Any = getattr(result, "sections", None) or ()
    return " > ".join(path) or next(iter(named), None)
