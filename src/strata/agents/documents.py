"""Documents as an agent has read them, by the tools that everybody has."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from strata.agents.instructions import Instruction, read_instruction
from strata.agents.prose import TextSpan, paragraphs, shielded
from strata.agents.running import TaskRun, ToolRefused
from strata.agents.words import AgentWords, words_for
from strata.base import limits
from strata.base.errors import InvalidArgument
from strata.documents import Section, aliases_of, frontmatter, normal_title, sections

if TYPE_CHECKING:
    from strata.access import Audience

# A page of find, and so long a text that reading never gives an outline instead.
_PAGE = limits.FIND_ITEMS_MAX
_WHOLE = 2**32 - 1


class AgentDocument(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One document: what it is called, what it says, and what one may do with it."""

    id: str
    title: str
    text: str
    role: str
    status: str
    updated: str
    folder: str | None = None

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What others may call it: its title, and the aliases in its fields."""
        return (self.title, *aliases_of(frontmatter(self.text).values))

    @cached_property
    def sections(self) -> list[Section]:
        """Its headings and what is below them."""
        return sections(self.text)

    @cached_property
    def shields(self) -> list[TextSpan]:
        """What of it is no prose."""
        return shielded(self.text, self.sections)

    @cached_property
    def paragraphs(self) -> list[TextSpan]:
        """Its paragraphs of prose."""
        return paragraphs(self.text, self.shields)

    def heading_at(self, place: int) -> list[str]:
        """Return the headings above a place."""
        path: Sequence[str] = ()
        for section in self.sections:
            if section.start <= place:
                path = section.path
        return list(path)

    @cached_property
    def words(self) -> AgentWords:
        """What agents say in its language."""
        return words_for([self.text, self.title])

    @property
    def may_comment(self) -> bool:
        """Whether the caller may leave comments and suggestions there."""
        return self.role != "viewer"


class AgentDocuments:
    """What the caller sees, as far as the task is about it."""

    def __init__(self, run: TaskRun) -> None:
        self.run = run
        self.wanted: Instruction = read_instruction(run.task.instruction)
        self._audiences: dict[str, Audience] = {}
        # The texts that were read in each language.
        self._read: Counter[AgentWords] = Counter()

    @property
    def words(self) -> AgentWords:
        """What agents say in the language of the instruction, or else of what was read."""
        instruction = self.run.task.instruction
        if instruction.strip():
            return words_for([instruction])
        return max(self._read, key=self._read.__getitem__, default=words_for(()))

    def targets(self) -> list[str]:
        """Return the documents that the task is about, by id: one, or all in the scope."""
        if self.run.task.document is not None:
            return [self.run.task.document]
        return self.listed()

    @property
    def scope(self) -> dict[str, str]:
        """Where to look, for find."""
        name = self.wanted.folder
        return {"type": "all"} if name is None else {"type": "folder", "id": self._folder(name)}

    def _folder(self, name: str) -> str:
        found = self.run.call("find", intent="list", scope={"type": "folders"}, limit=_PAGE)
        wanted = normal_title(name)
        for item in found["items"]:
            if name == item["id"] or normal_title(item["title"]) == wanted:
                return item["id"]
        known = ", ".join(repr(item["title"]) for item in found["items"][:10])
        raise InvalidArgument(f"You see no folder {name!r}.", hint=f"There are {known}.")

    def listed(self, scope: dict[str, str] | None = None) -> list[str]:
        """Return the ids of all documents in a scope, the one that changed last first."""
        where = scope or self.scope
        found = self._pages(intent="list", scope=where)
        return [item["id"] for item in found if item["status"] != "template"]

    def titled(self, title: str) -> list[str]:
        """Return the ids of documents of a title."""
        found = self._pages(intent="list", scope={"type": "all"})
        return [item["id"] for item in found if item["title"] == title]

    def recent(self, days: int) -> list[str]:
        """Return what has changed within some days, newest first."""
        found = self._pages(intent="recent", scope=self.scope, filters={"sinceDays": days})
        return list(dict.fromkeys(item["id"] for item in found if item["type"] == "document"))

    def _pages(self, **asked: Any) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = []
        token: dict[str, str] = {}
        while len(items) < limits.AGENT_DOCUMENTS_MAX:
            page = self.run.call("find", limit=_PAGE, **asked, **token)
            items += page["items"]
            if not page.get("nextToken"):
                break
            token = {"nextToken": page["nextToken"]}
        return items[: limits.AGENT_DOCUMENTS_MAX]

    def read(self, document: str, **more: Any) -> AgentDocument | None:
        """Return a document; None when it has gone meanwhile."""
        try:
            found = self.run.call("read_document", documentId=document, maxTokens=_WHOLE, **more)
        except ToolRefused as error:
            if error.value.get("code") in ("not_found", "history_trimmed"):
                return None
            raise
        note = AgentDocument(
            id=document,
            title=found["title"],
            text=found.get("content", ""),
            role=found["role"],
            status=found["status"],
            updated=found["updated"],
            folder=found.get("folderId"),
        )
        self._read[note.words] += 1
        return note

    def notes(self, ids: Sequence[str]) -> Iterator[AgentDocument]:
        """Yield documents that are still there."""
        if len(ids) > 1:
            self.run.recorder.note(f"There are {len(ids):,} documents to read.")
        for document in ids:
            note = self.read(document)
            if note is not None:
                yield note

    def may_name(self, source: AgentDocument, target: AgentDocument) -> bool:
        """Tell whether all who read one document may know of another.

        A link or a comment shows a title. So everybody who reads the source, invited people
        too, has to see the target. A team's folder is read by users who join the team later, so
        the target has to be that team's too; and what is published is read by all.
        """
        if source.status == "published" and target.status != "published":
            return False
        here, there = self._audience(source.id), self._audience(target.id)
        if here.team is not None and here.team != there.team:
            return False
        return _readers(here) <= _readers(there)

    def _audience(self, document: str) -> "Audience":
        if document not in self._audiences:
            self._audiences[document] = self.run.audience(document)
        return self._audiences[document]


def _readers(audience: "Audience") -> frozenset[str]:
    invited = (share.email for share in audience.pending)
    return frozenset([*(reader.email for reader in audience.people), *invited])
