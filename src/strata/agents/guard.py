"""What a model has read must not reach users who may not read it.

A document may hold instructions of its author, and a model may follow them. It has the rights
of the user who asked, so it could copy a private text to where others read it. Therefore a run
remembers what it has read: it may write only where every reader may read all of that, and it may
write no address that it has not read itself, for an address carries away whatever is put into it.
"""

import re
from collections.abc import Iterator, Mapping
from html import unescape
from typing import Any, cast

from strata.access import Audience
from strata.agents.running import TaskRun
from strata.base.errors import NotAllowed, StrataError
from strata.tools import CallOutcome, plain, refusal, registry

_DOCUMENT = re.compile(r"\bdoc_[0-9A-Z]{26}\b")
_ADDRESS = re.compile(
    r"(?:\b[a-z][a-z0-9+.-]*:)?//[^\s<>\"')\]]+|\b(?:mailto|data|javascript):[^\s<>\"')\]]+"
    r"|\bwww\.[^\s<>\"')\]]+",
    re.IGNORECASE,
)
# More is not remembered; what is not remembered cannot be repeated.
_READ_MAX = 4 * 1024 * 1024


class Guard:
    """What a run has read, and whether it may write something."""

    def __init__(self, run: TaskRun, *, may_mix: bool = False) -> None:
        self._run = run
        self._may_mix = may_mix
        self._documents: set[str] = set()
        self._texts: list[str] = [run.task.instruction, run.agent.definition.instructions]
        self._size = 0
        self._audiences: dict[str, Audience | None] = {}

    def ask(self, name: str, arguments: Mapping[str, Any]) -> CallOutcome:
        """Call a tool for a model; what it may not do comes back as an error."""
        try:
            self._check(name, arguments)
        except StrataError as error:
            refused = refusal(error)
            self._run.recorder.call(name, arguments, refused)
            return refused
        outcome = self._run.ask(name, arguments)
        self._remember(outcome)
        return outcome

    def _check(self, name: str, arguments: Mapping[str, Any]) -> None:
        tool = registry().find(name)
        if tool is None or tool.reads_only:
            return
        action = self._run.permissions.action_of(tool, arguments)
        known = tool.actions.get(action or "")
        if known is not None and known.reads_only:
            return
        self._check_addresses(arguments)
        if not self._may_mix:
            self._check_readers(arguments)

    def _check_addresses(self, arguments: Mapping[str, Any]) -> None:
        written = (form for text in _texts(arguments) for form in _as_read(text))
        for address in (found[0] for text in written for found in _ADDRESS.finditer(text)):
            if not any(address in known for known in self._texts):
                raise NotAllowed(
                    "This agent may not write an address that it has not read.",
                    hint="Leave the link out, or link to a document: [[Title]].",
                )

    def _check_readers(self, arguments: Mapping[str, Any]) -> None:
        """Refuse to write for readers who may not read all that was read.

        What is written gets to the readers of the document and, when it is made in a folder or
        moved there, to the readers of the folder. A template is read by the call itself.
        """
        given = {plain(key): value for key, value in arguments.items() if isinstance(value, str)}
        target, template = given.get("documentid"), given.get("templatedocumentid")
        read = {*self._documents, *([template] if template else [])}
        places = [
            *([self._audience(target)] if target is not None else []),
            *([self._folder_audience(given["folderid"])] if "folderid" in given else []),
        ]
        for other in sorted(one for one in read if one != target):
            if not all(self._may_tell(place, other) for place in places if place is not None):
                raise NotAllowed(
                    "This agent has read documents that not everybody who reads this one may see, "
                    "so it may not write here.",
                    hint="Say in your answer what should be written; or begin anew and read only "
                    "what lies in the same folder.",
                )

    def _may_tell(self, place: Audience, other: str) -> bool:
        there = self._audience(other)
        if there is None:
            return True  # a document that is not there told nothing
        if place.team is not None and place.team != there.team:
            return False
        return _readers(place) <= _readers(there)

    def _audience(self, document: str) -> Audience | None:
        """Return who reads a document; None where it is not there, which the tool will say."""
        if document not in self._audiences:
            try:
                self._audiences[document] = self._run.audience(document)
            except StrataError:
                self._audiences[document] = None
        return self._audiences[document]

    def _folder_audience(self, folder: str) -> Audience | None:
        try:
            return self._run.folder_audience(folder)
        except StrataError:
            return None  # no such folder, which the tool will say

    def _remember(self, outcome: CallOutcome) -> None:
        for text in _texts(outcome.value):
            self._documents.update(_DOCUMENT.findall(text))
            if self._size < _READ_MAX:
                self._size += len(text)
                self._texts.append(text)


def _as_read(text: str) -> set[str]:
    """Return a text as markdown and browsers may read it: slashes can be written in many ways."""
    plain_text = unescape(unescape(text))
    return {plain_text, plain_text.replace("\\", ""), plain_text.replace("\\", "/")}


def _readers(audience: Audience) -> frozenset[str]:
    invited = (share.email for share in audience.pending)
    return frozenset([*(reader.email for reader in audience.people), *invited])


def _texts(value: Any) -> Iterator[str]:
    """Yield every text inside a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inner in cast("Mapping[str, Any]", value).items():
            yield key
            yield from _texts(inner)
    elif isinstance(value, (list, tuple)):
        for inner in cast("list[Any]", value):
            yield from _texts(inner)
