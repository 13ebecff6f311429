"""get_presence: who has a document open now."""

from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import UNSET, UnsetType

from strata.base import limits
from strata.tools.collaboration.touching import agent_of
from strata.tools.declare import HIDDEN, Surface
from strata.tools.documents.advice import advise
from strata.tools.documents.surface import DocumentId, seen
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.presence import Present

collaboration = Surface("collaboration", case="camel", advise=advise)


class Collaborator(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """Somebody at a document: a person, or an agent that acts for them."""

    entity_type: str
    display_name: str
    # The agent's own name.
    via: str | UnsetType = UNSET
    status: str
    active_section: str | UnsetType = UNSET
    color: Annotated[str, HIDDEN]
    user_id: Annotated[str, HIDDEN]
    last_seen: Annotated[str, HIDDEN]


class Gathering(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """Who else is at a document on a branch, who was seen last first."""

    document_id: Annotated[str, HIDDEN]
    collaborators: list[Collaborator]
    # How many there are, where not all of them are listed.
    total: Annotated[int | UnsetType, HIDDEN] = UNSET
    branch: Annotated[str, HIDDEN]


@collaboration.reads(example={"documentId": "doc_01JABCDEFGHJKMNPQRSTVWXYZ0"})
def get_presence(call: Call, *, document_id: DocumentId) -> Gathering:
    """See who else is viewing or editing a document now: people, agents, in which section.

    Ask before a larger edit: leave a section alone that somebody is editing, or propose instead
    of editing (manage_suggestions). Who may see a document is not told here: read_document.
    """
    here = seen(call)
    me = (here.rights.person.id, agent_of(call.session))
    found = [one for one in here.presence.list(document_id) if (one.person, one.via) != me]
    most = limits.AUDIENCE_SHOWN
    return Gathering(
        document_id=document_id,
        collaborators=[_collaborator(one) for one in found[:most]],
        total=len(found) if len(found) > most else UNSET,
        branch=here.branch,
    )


def _collaborator(one: "Present") -> Collaborator:
    return Collaborator(
        entity_type=one.entity_type, display_name=one.name, via=one.via or UNSET,
        status=one.status, active_section=one.section or UNSET, color=one.colour,
        user_id=one.person, last_seen=one.iso_time,
    )  # fmt: skip


SURFACES = (collaboration,)
