"""What writers said they had made durable, and whether the store agrees.

A writer says so on its standard output, after the call returned and before the next one
begins. What reached the pipe before the writer was killed counts; half a line does not.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from strata.base import limits
from strata.base.values import Json
from strata.workspace import Workspace

CELL = "turn"  # the cell that all writers compare and set
DOCUMENT_END = "끝."  # the end of every document, once


class Acknowledgement(msgspec.Struct, frozen=True, array_like=True):
    """One line of a writer: a fact that the store must show from now on.

    `what` is put, event, cell, word of a document, person, token, fork, or leave: what a branch
    held is on another one now, and the branch may go. `number` is a version, a sequence or a
    counter; 0 claims none.
    """

    what: str
    branch: str
    key: str = ""
    value: Any = None  # JSON; msgspec cannot check a recursive alias
    number: int = 0


def encoded(facts: list[Acknowledgement]) -> bytes:
    """Return facts as lines."""
    return b"".join(msgspec.json.encode(fact) + b"\n" for fact in facts)


def decoded(line: bytes) -> Acknowledgement | None:
    """Return the fact of a line, or None for one that was cut off by the kill."""
    return msgspec.json.decode(line, type=Acknowledgement) if line.endswith(b"\n") else None


class Ledger:
    """Everything acknowledged for one store by writers that are dead by now."""

    def __init__(self) -> None:
        self.facts = 0
        self._puts: dict[str, dict[str, Acknowledgement]] = {}
        self._events: dict[int, Acknowledgement] = {}
        self._cells: dict[int, Acknowledgement] = {}
        self._words: dict[str, list[str]] = {}
        self._users: dict[str, str] = {}
        self._tokens: dict[str, Json] = {}

    def enter(self, fact: Acknowledgement) -> None:
        """Take a fact down."""
        self.facts += 1
        match fact.what:
            case "put":
                self._puts.setdefault(fact.branch, {})[fact.key] = fact
            case "event":
                self._events[fact.number] = fact
            case "cell":
                self._cells[fact.number] = fact
            case "word":
                self._words.setdefault(fact.key, []).append(fact.value)
            case "person":
                self._users[fact.key] = fact.value
            case "token":
                self._tokens[fact.key] = fact.value
            case "fork":
                self._puts.setdefault(fact.branch, {})
            case _:
                self._puts.pop(fact.branch, None)

    def missing(self, db: Workspace, *, unheard: int | None = None) -> list[str]:
        """Say what was acknowledged and is not there, or not as it was acknowledged.

        `unheard` is how many events may be there beyond: one for each kill, which may have
        come between a commit and its acknowledgement. None while other writers live.
        """
        chain = list(_chain(db))
        faults = [
            *self._missing_puts(db),
            *self._missing_events(chain),
            *self._missing_cells(db),
            *self._missing_words(db),
            *self._missing_users(db),
        ]
        if unheard is not None and len(chain) > len(self._events) + unheard:
            faults.append(f"{len(chain)} events are there, {len(self._events)} were acknowledged")
        return faults

    def _missing_puts(self, db: Workspace) -> Iterator[str]:
        for branch, facts in self._puts.items():
            if not db.branches.exists(branch):
                yield f"branch {branch} with {len(facts)} values"
                continue
            shown = dict(db.on(branch).kv.scan())
            for key, fact in facts.items():
                found = shown.get(key)
                if found is None or found.value != fact.value:
                    yield f"{branch}/{key}: {fact.value!r}, not {found and found.value!r}"
                elif fact.number not in (0, found.version):
                    yield f"{branch}/{key}: version {fact.number}, not {found.version}"

    def _missing_events(self, chain: list[tuple[int, Json]]) -> Iterator[str]:
        if [number for number, _payload in chain] != list(range(1, len(chain) + 1)):
            yield "the chain of events has a gap"
        shown = dict(chain)
        for number, fact in self._events.items():
            if shown.get(number) != fact.value:
                yield f"event {number}: {fact.value!r}, not {shown.get(number)!r}"

    def _missing_cells(self, db: Workspace) -> Iterator[str]:
        shown = {cell.counter: cell.value for cell in db.state.history(CELL)}
        if sorted(shown) != list(range(1, len(shown) + 1)):
            yield "the counters of the cell have a gap"
        for number, fact in self._cells.items():
            if shown.get(number) != fact.value:
                yield f"turn {number}: {fact.value!r}, not {shown.get(number)!r}"

    def _missing_words(self, db: Workspace) -> Iterator[str]:
        for document, words in self._words.items():
            shown = Counter(db.documents.text(document).split())
            for word in words:
                # The title holds the word that a document was made with, and nothing twice.
                if shown[word] != 1:
                    yield f"document {document}: {word} is there {shown[word]} times"

    def _missing_users(self, db: Workspace) -> Iterator[str]:
        users = {user.id: user.name for user in db.users.list()}
        tokens = {token.id: [token.label, token.read_only] for token in db.tokens.list()}
        for what, expected, shown in (
            ("person", self._users, users),
            ("token", self._tokens, tokens),
        ):
            for id_, value in expected.items():
                if shown.get(id_) != value:
                    yield f"{what} {id_}: {value!r}, not {shown.get(id_)!r}"


def _chain(db: Workspace) -> Iterator[tuple[int, Json]]:
    """Yield number and payload of every event, in order."""
    after = 0
    while page := db.events.list(after=after, limit=limits.PAGE_ITEMS_MAX):
        yield from ((event.sequence, event.payload) for event in page)
        after = page[-1].sequence
