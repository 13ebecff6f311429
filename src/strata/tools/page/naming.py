"""What changed things are called on a page, of which group they are, and where they are shown."""

from typing import TYPE_CHECKING, NamedTuple

from strata.base.errors import StrataError
from strata.base.values import Json
from strata.tools.memory.past import MEMORY

if TYPE_CHECKING:
    from strata.store import Address
    from strata.workspace import Workspace

_DOCUMENTS = "documents"
_GROUPS = {"kv": "fact", "json": "fact", "state": "fact", "event": "event", MEMORY: "decision"}
# What a title has of a decision's words.
_WORDS_CHARACTERS = 80


def group_of(space: str, kind: str) -> str:
    """Return the group that a page shows a thing in."""
    return "document" if space == _DOCUMENTS else _GROUPS.get(kind, "other")


def first_words(text: str) -> str:
    """Return how a text begins, in one line.

    >>> first_words("Use  JWT.\\nSessions were slow.")
    'Use JWT. Sessions were slow.'
    """
    line = " ".join(text.split())
    return line if len(line) <= _WORDS_CHARACTERS else f"{line[: _WORDS_CHARACTERS - 1].rstrip()}…"


class ChangedName(NamedTuple):
    """A changed thing: what it is called, and what the address of its screen needs."""

    title: str
    # A namespace and a key, or an id.
    id: str
    # The namespace of a fact or an event, the topic of a decision.
    place: str = ""


class ChangedNames:
    """Names of changed things as the user sees them on a branch, each looked up once."""

    def __init__(self, there: "Workspace") -> None:
        self.there = there
        self._titles: dict[str, str] = {}

    def of(self, address: "Address", value: Json = None) -> ChangedName:
        """Return what a changed thing is called; its value, if known, spares a look-up.

        Documents have their titles, as far as the user may read them; decisions their topic and
        first words, events their type and number, facts their key.
        """
        space, kind, key = address
        group = group_of(space, kind)
        if group == "document":
            document = key.partition("/")[0]
            return ChangedName(self._title(document), document)
        if group == "decision":
            return self._decision(key, value)
        if group == "event":
            return ChangedName(self._event(space, key), f"{space}/{key}", space)
        return ChangedName(key, f"{space}/{key}", space)

    def _title(self, document: str) -> str:
        if document not in self._titles:
            try:
                self._titles[document] = self.there.documents.get(document).title
            except StrataError:  # Deleted there, or not for this user.
                self._titles[document] = document
        return self._titles[document]

    def _decision(self, key: str, value: Json) -> ChangedName:
        if isinstance(value, dict):
            topic, content = str(value.get("topic") or ""), str(value.get("content") or "")
        else:
            found = self.there.decisions.get(key)
            topic, content = ("", "") if found is None else (found.topic or "", found.content)
        words = first_words(content)
        # What tells how a decision turned out begins with the topic itself.
        title = words if words.startswith(topic) else f"{topic}: {words}" if words else topic
        return ChangedName(title or key, key, topic)

    def _event(self, space: str, key: str) -> str:
        found = self.there.space(space).events.get(int(key)) if key.isdecimal() else None
        return f"#{key}" if found is None else f"{found.type} #{key}"
