"""What Strata's own agents leave behind: suggestions, comments, and an output that names them."""

from typing import Any, cast

import msgspec

from strata.agents.documents import AgentDocument, AgentDocuments
from strata.agents.prose import TextSpan
from strata.agents.running import ToolRefused
from strata.agents.words import FindingKind
from strata.base import limits

# Words around a place that are taken along until they occur only once.
_AROUND = 160


class Findings:
    """Counts and names what was found, and leaves it where the caller may."""

    def __init__(self, documents: AgentDocuments, *, most: int = limits.AGENT_FINDINGS_MAX) -> None:
        self._run, self._documents = documents.run, documents
        asked = documents.wanted.most
        self._most = most if asked is None else min(asked, most)
        self._acts = self._run.may_write and not documents.wanted.tells_only
        self.left: list[str] = []
        self.told: list[str] = []
        self._pending: dict[str, str] = {}

    @property
    def is_full(self) -> bool:
        """Whether as much was found as was asked for."""
        return len(self.left) + len(self.told) >= self._most

    def propose(
        self,
        note: AgentDocument,
        place: TextSpan,
        replacement: str,
        *,
        line: str,
        rationale: str,
        confidence: float,
    ) -> bool:
        """Suggest other words for a place; False where it cannot be named or is suggested."""
        widened = unique(note.text, place)
        if widened is None:
            return False
        original = note.text[slice(*widened)]
        before, behind = note.text[widened.start : place.start], note.text[place.end : widened.end]
        new = f"{before}{replacement}{behind}"
        if replacement in self._waiting(note):
            return False
        return self._leave(
            note,
            line,
            "manage_suggestions",
            action="propose",
            documentId=note.id,
            originalText=original,
            replacementText=new,
            rationale=rationale,
            confidence=confidence,
            severity="info",
        )

    def comment(self, note: AgentDocument, place: TextSpan, body: str, *, line: str) -> bool:
        """Comment on a place; False where the same comment exists."""
        if body in self._waiting(note):
            return False
        quoted = unique(note.text, place) or place
        return self._leave(
            note,
            line,
            "manage_comments",
            action="create",
            documentId=note.id,
            body=body,
            quotedText=note.text[slice(*quoted)],
        )

    def _leave(self, note: AgentDocument, line: str, tool: str, **arguments: Any) -> bool:
        if not self._acts or not note.may_comment:
            self.told.append(line)
            return True
        try:
            self._run.call(tool, **arguments)
        except ToolRefused as error:
            if error.value.get("code") in ("not_allowed", "access_denied"):
                self.told.append(line)
                return True
            # The text has changed since it was read; the next run finds it as it is then.
            return False
        self.left.append(line)
        return True

    def _waiting(self, note: AgentDocument) -> str:
        """Return what is suggested and said there already, as one text to look into."""
        if note.id not in self._pending:
            found = [
                outcome.value
                for tool in ("manage_suggestions", "manage_comments")
                if not (
                    outcome := self._run.ask(tool, {"action": "list", "documentId": note.id})
                ).is_error
            ]
            self._pending[note.id] = "\n".join(_strings(found))
        return self._pending[note.id]

    def output(self, kind: FindingKind) -> str:
        """Return what to tell: how much, where, and what was understood."""
        words, wanted = self._documents.words, self._documents.wanted
        left, told = len(self.left), len(self.told)
        lines: list[str] = []
        if left or not told:
            lines += [words.left(kind, left), *_listed(self.left)]
        if told:
            said = words.only_found(kind, told, is_more=left > 0, is_asked=wanted.tells_only)
            lines += [said, *_listed(self.told)]
        if self._run.task.instruction.strip():
            lines.append(words.understood(wanted))
        return "\n".join(lines)


def _listed(lines: list[str]) -> list[str]:
    return [f"- {line}" for line in lines]


def unique(text: str, place: TextSpan) -> TextSpan | None:
    """Return a place with so many words around it that it occurs once, within its line."""
    line_start = text.rfind("\n", 0, place.start) + 1
    line_end = text.find("\n", place.end)
    line_end = len(text) if line_end < 0 else line_end
    start, end = place
    while text.count(text[start:end]) > 1:
        is_all = start <= line_start and end >= line_end
        if is_all or end - start > _AROUND + place.end - place.start:
            return None
        end = _next_blank(text, end, line_end)
        if text.count(text[start:end]) > 1:
            start = _blank_before(text, start, line_start)
    return TextSpan(start, end)


def _next_blank(text: str, at: int, end: int) -> int:
    found = text.find(" ", at + 1, end)
    return end if found < 0 else found


def _blank_before(text: str, at: int, start: int) -> int:
    found = text.rfind(" ", start, max(at - 1, start))
    return start if found < 0 else found + 1


def _strings(value: Any) -> list[str]:
    """Return every text inside an answer."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        value = list(cast("dict[str, Any]", value).values())
    if isinstance(value, (list, tuple)):
        return [text for inner in cast("list[Any]", value) for text in _strings(inner)]
    return []


class WordCount(msgspec.Struct, frozen=True):
    """How many documents hold a word."""

    documents: int
    total: int

    def is_rare(self, share: float, least: int = 3) -> bool:
        """Tell whether few documents hold it."""
        return self.documents <= max(least, share * self.total)
