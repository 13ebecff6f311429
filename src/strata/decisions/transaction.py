"""Memories and links one by one: saved, read, judged and linked on the branch of a view."""

import itertools
from collections.abc import Iterable, Sequence

import msgspec

from strata.base import limits
from strata.base.checks import check_many, check_number, check_text
from strata.base.errors import InvalidArgument, NotFound
from strata.base.page import ResultPage, cut_page
from strata.base.validity import check_validity
from strata.base.values import Json
from strata.decisions import evolving, saving
from strata.decisions.links import LINK_TYPES, Creator, Link, LinkType
from strata.decisions.links import change_of as change_of_link
from strata.decisions.reader import MemoryReader, stage_removal
from strata.decisions.records import TYPES, Memory, Type
from strata.decisions.records import change_of as change_of_memory
from strata.decisions.saving import Draft, SavedMemory, WantedLink, check_confidence, check_field
from strata.store import View


class TransactionDecisions:
    """What was decided, record by record. Reached as `tx.decisions`, a part of `db.decisions`.

    Inside a transaction it is committed with the rest; a memory that another program saves
    before the commit is a TransactionConflict.

    >>> with db.transaction(message="옮긴다") as tx:
    ...     tx.kv["deploy/target"] = "green"
    ...     saved = tx.decisions.save("deploy", "Use green", "파란 쪽이 느리다")
    >>> commit, changes = db.show(db.decisions.require(saved.memory.id).version)
    >>> sorted(change.kind for change in changes), commit.message
    (['kv', 'memory'], '옮긴다')
    """

    def __init__(self, view: View) -> None:
        self._view = view

    @property
    def _reader(self) -> MemoryReader:
        return MemoryReader(self._view.snapshot)

    @property
    def _now_ms(self) -> int:
        """The time of the view: decay and age count from there."""
        instant = self._view.instant
        return (self._view.store.clock() if instant is None else instant.timestamp) // 1000

    # Saving.

    def save(
        self,
        topic: str,
        decision: str,
        reasoning: str,
        *,
        confidence: float = 0.7,
        supersedes: str | None = None,
        implements: str | None = None,
        links: Iterable[WantedLink] = (),
        outcome: str | None = None,
        decided_by: str | None = None,
        by: Creator = "user",
        since: str | None = None,
        until: str | None = None,
        review_by: str | None = None,
        sources: Iterable[str] = (),
    ) -> SavedMemory:
        """Save a decision; the present one on the same topic is replaced by it.

        `supersedes` names another one to replace, or "none". `links` tie it to others by words
        such as "motivated_by". `decided_by` tells a user's choice from a program's, where that
        is worth knowing.

        `since` and `until` are dates or times between which it holds: searches leave out what has
        expired. From `review_by` on, they say that it should be looked at again. `sources` tell
        where it comes from: turns of a conversation (`codex/01a1#12-15`), a document, a file, an
        address.

        >>> first = db.decisions.save("auth", "Use sessions", "Simple to revoke")
        >>> second = db.decisions.save("auth", "토큰을 쓴다", "모바일 앱이 생겼다")
        >>> second.superseded == (first.memory.id,)
        True
        """
        metadata: dict[str, Json] = {
            "reasoning": check_field(
                reasoning, name="reasoning", most=limits.REASONING_CHARACTERS_MAX
            ),
            "confidence": check_confidence(confidence),
            "outcome": None if outcome is None else evolving.check_outcome(outcome),
        }
        if decided_by is not None:
            metadata["decided_by"] = check_field(decided_by, name="decided_by", most=100)
        validity = check_validity(since=since, until=until, review_by=review_by, sources=sources)
        told: dict[str, Json] = {**validity._asdict(), "sources": list(validity.sources)}
        metadata |= {name: value for name, value in told.items() if value}
        draft = Draft(
            type="decision",
            topic=check_topic(topic),
            metadata=metadata,
            by=by,
            content=check_field(decision, name="decision", most=limits.DECISION_CHARACTERS_MAX),
            supersedes=supersedes,
            implements=implements,
            links=tuple(check_many(links, name="links")),
            replaces_topic=True,
        )
        return self._save(draft)

    def checkpoint(
        self,
        summary: str,
        *,
        open_files: Iterable[str] = (),
        next_steps: str = "",
        status: str = "active",
        by: Creator = "user",
    ) -> SavedMemory:
        """Save where work stopped, to continue from there another day.

        >>> saved = db.decisions.checkpoint("검색을 마쳤다", next_steps="Write the tests")
        >>> db.decisions.last_checkpoint().id == saved.memory.id
        True
        """
        files = check_many(open_files, name="open_files")
        check_number(len(files), name="open_files", least=0, most=limits.OPEN_FILES_MAX)
        if status not in ("active", "archived"):
            raise InvalidArgument(
                f"{status!r} is no status.", hint="Use active or archived.", parameter="status"
            )
        steps = check_field(
            next_steps, name="next_steps", most=limits.SUMMARY_CHARACTERS_MAX, empty=True
        )
        metadata: dict[str, Json] = {
            "open_files": [*files],
            "next_steps": steps,
            "status": status,
        }
        draft = Draft(
            type="checkpoint",
            metadata=metadata,
            by=by,
            content=check_field(summary, name="summary", most=limits.SUMMARY_CHARACTERS_MAX),
        )
        return self._save(draft)

    def insight(
        self,
        insight: str,
        *,
        category: str | None = None,
        tags: Iterable[str] = (),
        source: str | None = None,
        topic: str | None = None,
        links: Iterable[WantedLink] = (),
        by: Creator = "user",
    ) -> SavedMemory:
        """Save a lesson learned.

        >>> db.decisions.insight("Caches hide slow queries", tags=["perf"]).memory.type
        'insight'
        """
        given: dict[str, Json] = {
            "category": category,
            "tags": [*check_many(tags, name="tags")],
            "source": source,
        }
        draft = Draft(
            type="insight",
            topic=None if topic is None else check_topic(topic),
            by=by,
            content=check_field(insight, name="insight", most=limits.SUMMARY_CHARACTERS_MAX),
            metadata={name: value for name, value in given.items() if value},
            links=tuple(check_many(links, name="links")),
        )
        return self._save(draft)

    def _save(self, draft: Draft) -> SavedMemory:
        with self._view.writing("save") as transaction:
            saved = saving.save(transaction, draft, now_ms=self._now_ms)
        return self._committed(saved)

    def _committed(self, saved: SavedMemory) -> SavedMemory:
        """Return what was saved with the version that the commit gave it."""
        return msgspec.structs.replace(saved, memory=self._reader.require(saved.memory.id))

    def outcome(
        self,
        outcome: str,
        *,
        id: str | None = None,
        topic: str | None = None,
        reason: str | None = None,
        limitation: str | None = None,
        by: Creator = "user",
    ) -> evolving.RecordedOutcome:
        """Tell how a decision turned out; a failure needs its reason.

        >>> _ = db.decisions.save("cache", "Cache for an hour", "Speed")
        >>> judged = db.decisions.outcome("failed", topic="cache", reason="가격이 틀렸다")
        >>> judged.memory.outcome
        'FAILED'
        """
        found = evolving.check_outcome(outcome)
        with self._view.writing("outcome") as transaction:
            decision = evolving.the_decision(MemoryReader(transaction), id_=id, topic=topic)
            judged = evolving.judge(
                transaction,
                decision,
                found,
                reason=reason,
                limitation=limitation,
                now_ms=self._now_ms,
                by=by,
            )
        reader = self._reader
        return evolving.RecordedOutcome(
            reader.require(judged.memory.id), reader.require(judged.insight.id), judged.is_unchanged
        )

    def supersede(
        self,
        decision: str,
        reasoning: str,
        *,
        id: str | None = None,
        topic: str | None = None,
        confidence: float = 0.7,
        by: Creator = "user",
    ) -> SavedMemory:
        """Replace a decision by another one.

        One that was already replaced is refused with Conflict, which names the current decision.

        >>> _ = db.decisions.save("cache", "Cache for an hour", "Speed")
        >>> db.decisions.supersede("Cache for a minute", "Prices move", topic="cache").memory.topic
        'cache'
        """
        text = check_field(decision, name="decision", most=limits.DECISION_CHARACTERS_MAX)
        why = check_field(reasoning, name="reasoning", most=limits.REASONING_CHARACTERS_MAX)
        sure = check_confidence(confidence)
        with self._view.writing("supersede") as transaction:
            old = evolving.the_decision(MemoryReader(transaction), id_=id, topic=topic)
            saved = evolving.replace(
                transaction,
                old,
                decision=text,
                reasoning=why,
                confidence=sure,
                now_ms=self._now_ms,
                by=by,
            )
        return self._committed(saved)

    def review(self, id: str, *, by: str) -> Memory:
        """Say when a memory should be looked at again: from that day on, searches say so.

        >>> saved = db.decisions.save("cache", "Cache for an hour", "Speed").memory
        >>> _ = db.decisions.review(saved.id, by="2026-01-02")
        >>> db.decisions.caveat(db.decisions.require(saved.id))
        'review was due 2026-01-02'
        """
        validity = check_validity(review_by=by)
        with self._view.writing("review") as transaction:
            memory = MemoryReader(transaction).require(id)
            metadata = {**memory.metadata, "review_by": validity.review_by}
            marked = msgspec.structs.replace(memory, metadata=metadata, updated_at=self._now_ms)
            transaction.stage(change_of_memory(marked))
        return self._reader.require(id)

    # Reading.

    def get(self, id: str) -> Memory | None:
        """Return a memory, or None.

        >>> db.decisions.get("decision_nobody") is None
        True
        """
        return self._reader.get(id)

    def require(self, id: str) -> Memory:
        """Return a memory, or raise NotFound.

        >>> db.decisions.require(db.decisions.insight("교훈").memory.id).content
        '교훈'
        """
        return self._reader.require(id)

    def last_checkpoint(self) -> Memory | None:
        """Return the newest active checkpoint, or None.

        >>> db.decisions.last_checkpoint() is None
        True
        """
        found = self._reader.of_type("checkpoint")
        active = [memory for memory in found if memory.metadata.get("status") != "archived"]
        return max(active, key=lambda memory: (memory.created_at, memory.version), default=None)

    def recent(
        self,
        *,
        limit: int = 10,
        types: Sequence[Type] = (),
        since_ms: int = 0,
        topic: str | None = None,
        before: str | None = None,
    ) -> ResultPage[Memory, str]:
        """Return memories, newest first, of every topic or of one, at most `limit`.

        `more` of the result tells whether there are others, `next` is what to pass as `before`
        to get them, and `all()` yields them.

        >>> _ = db.decisions.insight("first"); _ = db.decisions.insight("둘째")
        >>> [memory.content for memory in db.decisions.recent(limit=1)]
        ['둘째']
        """
        check_number(limit, name="limit", most=limits.PAGE_ITEMS_MAX)
        check_types(types)
        reader = self._reader
        last = None if before is None else reader.require(check_text(before, name="before"))
        if topic is None:
            found = reader.newest(least_ms=since_ms, before=last)
        else:
            found = reader.newest_of(topic, before=last)
        fitting = (
            memory
            for memory in found
            if (not types or memory.type in types) and memory.created_at >= since_ms
        )
        return cut_page(
            list(itertools.islice(fitting, limit + 1)),
            limit,
            lambda memory: memory.id,
            onward=lambda before: self.recent(
                limit=limit, types=types, since_ms=since_ms, topic=topic, before=before
            ),
        )

    def heads(self, topic: str) -> list[Memory]:
        """Return the present decisions on a topic: one, or more after a merge.

        >>> _ = db.decisions.save("auth", "Use sessions", "Simple")
        >>> [memory.content for memory in db.decisions.heads("auth")]
        ['Use sessions']
        """
        return self._reader.heads(check_topic(topic))

    def current(self, topic: str) -> list[Memory]:
        """Return the present decisions on a topic, or raise NotFound and say what replaced them.

        >>> _ = db.decisions.save("auth", "Use sessions", "Simple")
        >>> [memory.content for memory in db.decisions.current("auth")]
        ['Use sessions']
        """
        return self._reader.require_heads(check_topic(topic))

    def superseded_by(self, id: str) -> list[str]:
        """Return the memories that replace one; none if it still holds.

        >>> first = db.decisions.save("auth", "Use sessions", "Simple").memory
        >>> db.decisions.superseded_by(first.id)
        []
        """
        return self._reader.superseded_by(self._reader.require(id))

    # Links.

    def link(
        self,
        from_id: str,
        to_id: str,
        relationship: str,
        *,
        link_type: LinkType | None = None,
        reason: str | None = None,
        by: Creator = "user",
    ) -> Link:
        """Tie two memories together by a word such as "motivated_by".

        >>> a = db.decisions.insight("a").memory.id; b = db.decisions.insight("b").memory.id
        >>> db.decisions.link(b, a, "영감을 받은").link_type
        'association'
        """
        if link_type is not None and link_type not in LINK_TYPES:
            raise InvalidArgument(
                f"{link_type!r} is no type of link.",
                hint=f"Use {', '.join(LINK_TYPES)}.",
                parameter="link_type",
            )
        wanted = WantedLink(to_id, relationship, link_type, reason)
        with self._view.writing("link") as transaction:
            reader = MemoryReader(transaction)
            ends = reader.require(from_id).id, reader.require(to_id).id
            made = saving.worded_link(*ends, wanted, now_ms=self._now_ms, by=by, may_replace=True)
            transaction.stage(change_of_link(made))
        return made

    def links(self, id: str | None = None, *, suggestions: bool = True) -> list[Link]:
        """Return the links of a memory, or all of them, the newest first.

        >>> a = db.decisions.insight("a").memory.id
        >>> db.decisions.links(a)
        []
        """
        reader = self._reader
        if id is None:
            found = list(reader.all_links())
        else:
            here = reader.require(id).id
            found = [*reader.links_of(here, end="from"), *reader.links_of(here, end="to")]
        kept = [link for link in found if suggestions or not link.is_suggestion]
        return sorted(kept, key=lambda link: (-link.created_at, link.id))

    def faded(self, link: Link) -> float:
        """Return how sure a link is by now, or was at the time of this view.

        >>> a = db.decisions.insight("a").memory.id; b = db.decisions.insight("b").memory.id
        >>> round(db.decisions.faded(db.decisions.link(b, a, "supports")), 2)
        0.8
        """
        return link.faded(self._now_ms)

    def confirm(self, link_id: str, *, by: Creator = "user") -> Link:
        """Take a suggested link for true.

        >>> a = db.decisions.insight("a").memory.id; b = db.decisions.insight("b").memory.id
        >>> link = db.decisions.link(b, a, "supports")
        >>> db.decisions.confirm(link.id).confidence
        1.0
        """
        with self._view.writing("confirm") as transaction:
            link = _required(MemoryReader(transaction), link_id)
            sure = msgspec.structs.replace(
                link,
                is_suggestion=False,
                confidence=1.0,
                created_by=by,
                metadata={**link.metadata, "confirmed_at": self._now_ms},
            )
            transaction.stage(change_of_link(sure))
        return sure

    def unlink(self, link_id: str) -> Link:
        """Remove a link; history keeps it.

        >>> a = db.decisions.insight("a").memory.id; b = db.decisions.insight("b").memory.id
        >>> _ = db.decisions.unlink(db.decisions.link(b, a, "supports").id)
        """
        with self._view.writing("unlink") as transaction:
            link = _required(MemoryReader(transaction), link_id)
            stage_removal(transaction, link)
        return link


def check_topic(topic: object) -> str:
    """Return a topic without the space around it, or raise InvalidArgument."""
    return check_field(topic, name="topic", most=limits.TOPIC_CHARACTERS_MAX).strip()


def check_types(types: Sequence[str]) -> None:
    """Refuse what is no type of memory."""
    for type_ in types:
        if type_ not in TYPES:
            raise InvalidArgument(
                f"{type_!r} is no type of memory.",
                hint=f"Use {', '.join(TYPES)}.",
                parameter="types",
            )


def _required(reader: MemoryReader, link_id: str) -> Link:
    found = reader.link(link_id)
    if found is None:
        raise NotFound(
            f"There is no link {link_id!r} on this branch.",
            hint="`db.decisions.links()` shows them.",
        )
    return found
