"""What the tools of review have in common: names, whom they act for, what errors say."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import UNSET, UnsetType

from strata.base.errors import NotFound, StrataError
from strata.tools.declare import HIDDEN, Surface
from strata.tools.documents.advice import advise as advise_on_documents
from strata.tools.documents.results import TRASHED
from strata.tools.documents.surface import seen
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.review import Review

# What to call where something is not there, by what the error names.
_HINTS = {
    "comment": 'manage_comments with action "list" gives the IDs of those there are.',
    "suggestion": 'manage_suggestions with action "list" gives the IDs of pending ones.',
}


def advise(error: StrataError) -> Mapping[str, Any]:
    """Return what is told instead of an error's own words for people in a terminal."""
    told = dict(advise_on_documents(error))
    about = next((name for name in _HINTS if name in error.details), None)
    if isinstance(error, NotFound) and about is not None:
        told["hint"] = _HINTS[about]
    return told


comments = Surface("comments", case="camel", advise=advise)

Headings = Annotated[
    list[str] | None, 'Headings above it, if it occurs several times: ["Goals","Dates"]'
]
# A page knows where somebody points at; a model does not.
Start = Annotated[int | None, "Where it begins, in UTF-16", HIDDEN]
Request = Annotated[str | None, "The same again: done once"]


def told(call: Call, document: str, hint: str | UnsetType = UNSET) -> str | UnsetType:
    """Return the hint of an answer; about a document in the trash it says so."""
    is_trashed = seen(call).documents.get(document).trashed
    return " ".join(one for one in (hint, TRASHED if is_trashed else "") if one) or UNSET


def room(call: Call, request: str | None = None) -> "Review":
    """Return the review to write to; what has the same request's key is done once."""
    review = seen(call).review
    return review if request is None else review.with_request(request)
