"""Where a fact or a decision comes from: who wrote it, when and where, and from which sources."""

# Names in signatures would load their packages: a fact needs no decisions.
from __future__ import annotations

from typing import TYPE_CHECKING

from strata.base.errors import NotFound
from strata.base.results import Result
from strata.base.validity import Validity, caveat_of, read_members, read_tags
from strata.base.values import Json
from strata.conversations import ConversationTurn, read_citation
from strata.memory import keys_replaced_by, superseding
from strata.store import Commit, View

if TYPE_CHECKING:
    from collections.abc import Callable

    from strata.conversations import Conversations
    from strata.decisions import Decisions, Memory
    from strata.memory import Fact, Facts

# How the ids of documents begin.
_DOCUMENT = "doc_"
# How many earlier values it names.
_EARLIER_MAX = 20


class CitedSource(Result, frozen=True):
    """A source that something names: turns with what was said, a document, or a text."""

    source: str
    kind: str  # turn, document or text
    title: str = ""
    turns: tuple[ConversationTurn, ...] = ()


class EarlierValue(Result, frozen=True):
    """What was there before: its version, its value, and the commit that wrote it."""

    version: int
    value: Json
    commit: Commit


class Provenance(Result, frozen=True, kw_only=True):
    """Where something comes from.

    `commit` says who wrote it, when, on which branch and in which task. `sources` are what it
    names as its source, `earlier` what it held before, newest first, `replaces` and `replaced_by`
    the other facts or decisions, and `caveat` what to know before relying on it.
    """

    key: str
    kind: str
    space: str
    value: Json
    version: int
    commit: Commit
    sources: tuple[CitedSource, ...]
    earlier: tuple[EarlierValue, ...]
    replaces: tuple[str, ...]
    replaced_by: tuple[str, ...]
    since: str | None
    until: str | None
    review_by: str | None
    caveat: str


class ProvenanceReader:
    """Tells of what a view shows where it comes from."""

    def __init__(
        self,
        view: View,
        facts: Facts,
        *,
        decisions: Callable[[], Decisions],
        conversations: Callable[[], Conversations],
        commit: Callable[[int], Commit],
        title: Callable[[str], str],
    ) -> None:
        self._view = view
        self._facts = facts
        self._decisions = decisions
        self._conversations = conversations
        self._commit = commit
        self._title = title

    def read(self, name: str) -> Provenance:
        """Return where a fact, or a decision by its id or topic, comes from; raise NotFound."""
        fact = self._facts.recall(name)
        if fact is not None:
            return self._of_fact(fact)
        try:
            memory = self._decisions().called(name)
        except NotFound:
            raise NotFound(
                f"Nothing is known by the name {name!r} in the space {self._view.space!r}.",
                hint="Give the key of a fact, or the id or the topic of a decision.",
                name=name,
            ) from None
        return self._of_memory(memory)

    def _of_fact(self, fact: Fact) -> Provenance:
        held, validity = fact.held, read_tags(fact.held.tags)
        older = self._facts.history(fact.key, limit=_EARLIER_MAX + 1)[1:]
        newer = superseding(self._view.snapshot, fact.space, fact.key)
        when = self._caveat(validity)
        parts = [f"replaced by {' and '.join(newer)}"] if newer else []
        return Provenance(
            key=fact.key,
            kind=fact.kind,
            space=fact.space,
            value=held.value,
            version=held.version,
            commit=self._commit(held.version),
            earlier=tuple(
                EarlierValue(one.version, one.value, self._commit(one.version)) for one in older
            ),
            replaces=tuple(keys_replaced_by(fact)),
            replaced_by=tuple(newer),
            caveat="; ".join(filter(None, [*parts, when])),
            sources=self._sources(validity),
            since=validity.since,
            until=validity.until,
            review_by=validity.review_by,
        )

    def _of_memory(self, memory: Memory) -> Provenance:
        decisions, validity = self._decisions(), read_members(memory.metadata)
        _newest, *older = decisions.versions(memory.id)
        links = decisions.links(memory.id)
        replaces = [one.to_id for one in links if one.supersedes and one.from_id == memory.id]
        return Provenance(
            key=memory.id,
            kind="memory",
            space="decisions",
            value=memory.content,
            version=memory.version,
            commit=self._commit(memory.version),
            earlier=tuple(
                EarlierValue(one, None, self._commit(one)) for one in older[:_EARLIER_MAX]
            ),
            replaces=tuple(dict.fromkeys(replaces)),
            replaced_by=tuple(decisions.superseded_by(memory.id)),
            caveat=decisions.caveat(memory),
            sources=self._sources(validity),
            since=validity.since,
            until=validity.until,
            review_by=validity.review_by,
        )

    def _caveat(self, validity: Validity) -> str:
        store, instant = self._view.store, self._view.instant
        now = store.clock() if instant is None else instant.timestamp
        return caveat_of(validity, now=now, zone=store.zone())

    def _sources(self, validity: Validity) -> tuple[CitedSource, ...]:
        return tuple(map(self._source, validity.sources))

    def _source(self, source: str) -> CitedSource:
        if read_citation(source) is not None:
            turns = tuple(self._conversations().cited(source))
            # A citation of a conversation that is not here is a text like any other.
            if turns:
                return CitedSource(source, "turn", turns=turns)
        if title := self._title(source) if source.startswith(_DOCUMENT) else "":
            return CitedSource(source, "document", title)
        return CitedSource(source, "text")
