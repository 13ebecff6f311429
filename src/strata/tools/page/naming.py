"""What changed things are called on a page, and of which group they are."""

from typing import TYPE_CHECKING

from strata.base.errors import StrataError
from strata.base.values import Json
from strata.tools.memory.past import MEMORY

if TYPE_CHECKING:
    from strata.workspace import Workspace

_DOCUMENTS = "documents"
_GROUPS = {"kv": "fact", "json": "fact", "state": "fact", "event": "event", MEMORY: "decision"}


def group_of(space: str, kind: str) -> str:
    """Return the group that a page shows a thing in."""
    return "document" if space == _DOCUMENTS else _GROUPS.get(kind, "other")


class ChangeTitles:
    """ChangeTitles of documents as the user sees them on a branch, each asked for once."""

    def __init__(self, there: "Workspace") -> None:
        self._there = there
        self._known: dict[str, str] = {}

    def of(self, space: str, key: str, value: Json) -> str:
        """Return what a changed thing is called."""
        if space == _DOCUMENTS:
            return self._document(key.partition("/")[0])
        if isinstance(value, dict) and "topic" in value:
            return str(value["topic"] or key)
        return key

    def _document(self, document: str) -> str:
        if document not in self._known:
            try:
                self._known[document] = self._there.documents.get(document).title
            except StrataError:  # Deleted there, or not for this user.
                self._known[document] = document
        return self._known[document]
