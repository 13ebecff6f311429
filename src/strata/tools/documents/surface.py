"""What the six tools have in common: their names, and whose documents they see."""

from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET, UnsetType

from strata.base import clock
from strata.base.errors import NotAllowed
from strata.tools.declare import HIDDEN, Surface, When
from strata.tools.documents.advice import advise
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.access import Folder
    from strata.documents import Documents
    from strata.workspace import Workspace

core = Surface("core", case="camel", advise=advise)

DocumentId = Annotated[str, "doc_…"]
AsOf = Annotated[When | None, 'Past time: "2h ago", ISO 8601, version']
HiddenAsOf = Annotated[When | None, 'Past time: "2h ago", ISO 8601, version', HIDDEN]


def seen(call: Call, as_of: str | float | None = None) -> "Workspace":
    """Return the store as it is, or was, for whoever asks; raise where nobody is known to ask."""
    grant = call.session.grant
    if grant is not None and grant.user is None:
        raise NotAllowed(
            "Your token names nobody whom this workspace knows, so there are no documents for it.",
            hint="Whoever runs the workspace can add you: `strata user add EMAIL`.",
        )
    return call.db if as_of is None else call.db.at(as_of)


def room(call: Call, request: str | None = None) -> "Documents":
    """Return the documents to write to; what has the same request's key is done once."""
    documents = seen(call).documents
    return documents if request is None else documents.with_request(request)


def moment(here: "Workspace") -> str | UnsetType:
    """Return the past instant that a view shows, or nothing for the present."""
    return UNSET if here.as_of is None else here.as_of.iso_time


def time_of(microseconds: int | None) -> str | UnsetType:
    """Return a time as answers show it."""
    return UNSET if microseconds is None else clock.iso(microseconds)


def shown_folder(here: "Workspace", folder: "Folder") -> "tuple[str, str] | tuple[()]":
    """Return id and name of a folder, to those who see it."""
    return (folder.id, folder.name) if here.rights.place_role(folder) is not None else ()
