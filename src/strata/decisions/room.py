"""The decisions of a branch, as the SDK offers them: save, load, search, evolve."""

import itertools
from collections.abc import Iterable, Sequence

import msgspec

from strata.base import limits
from strata.base.checks import check_many, check_number
from strata.base.errors import InvalidArgument
from strata.base.values import Json
from strata.decisions import evolving, finding, saving
from strata.decisions.finding import Find, Ranked, TopicHistory
from strata.decisions.graph import Graphs, evolution
from strata.decisions.linked import LinkerOf, WithLinks
from strata.decisions.links import Creator, LinkType
from strata.decisions.news import Digest, News, digest_of, news_after
from strata.decisions.records import TYPES, Memory, Type, topic_key
from strata.decisions.saving import Draft, Saved, WantedLink, check_confidence, check_field
from strata.decisions.shelf import Shelf
from strata.store import View

# Links that say something about what memories mean.
_TELLING: tuple[LinkType, ...] = ("evolution", "implementation", "association")


class Decisions(WithLinks):
    """What was decided, why, and what came of it. Reached as `db.decisions`."""

    def __init__(self, view: View, find: Find, graphs: Graphs, *, linker: LinkerOf) -> None:
        super().__init__(view, graphs, linker)
        self._find = find

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
    ) -> Saved:
        """Save a decision; the present one on the same topic is replaced by it.

        `supersedes` names another one to replace, or "none". `links` tie it to others by words
        such as "motivated_by". `decided_by` tells a person's choice from a program's, where that
        is worth knowing.

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
        draft = Draft(
            type="decision", topic=_topic(topic), metadata=metadata, by=by,
            content=check_field(decision, name="decision", most=limits.DECISION_CHARACTERS_MAX),
            supersedes=supersedes, implements=implements,
            links=tuple(check_many(links, name="links")), replaces_topic=True,
        )  # fmt: skip
        return self._save(draft)

    def checkpoint(
        self,
        summary: str,
        *,
        open_files: Iterable[str] = (),
        next_steps: str = "",
        status: str = "active",
        by: Creator = "user",
    ) -> Saved:
        """Save where the work stands, to go on from there another day.

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
            "open_files": [*files], "next_steps": steps, "status": status,
        }  # fmt: skip
        draft = Draft(
            type="checkpoint", metadata=metadata, by=by,
            content=check_field(summary, name="summary", most=limits.SUMMARY_CHARACTERS_MAX),
        )  # fmt: skip
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
    ) -> Saved:
        """Save a lesson learned.

        >>> db.decisions.insight("Caches hide slow queries", tags=["perf"]).memory.type
        'insight'
        """
        given: dict[str, Json] = {
            "category": category, "tags": [*check_many(tags, name="tags")], "source": source,
        }  # fmt: skip
        draft = Draft(
            type="insight", topic=None if topic is None else _topic(topic), by=by,
            content=check_field(insight, name="insight", most=limits.SUMMARY_CHARACTERS_MAX),
            metadata={name: value for name, value in given.items() if value},
            links=tuple(check_many(links, name="links")),
        )  # fmt: skip
        return self._save(draft)

    def _save(self, draft: Draft) -> Saved:
        with self._view.writing("save") as transaction:
            saved = saving.save(transaction, draft, now_ms=self._now_ms)
        return self._committed(saved)

    def _committed(self, saved: Saved) -> Saved:
        """Return what was saved with the version that the commit gave it."""
        return msgspec.structs.replace(saved, memory=self._shelf.require(saved.memory.id))

    # Reading.

    def get(self, id: str) -> Memory | None:
        """Return a memory, or None.

        >>> db.decisions.get("decision_nobody") is None
        True
        """
        return self._shelf.get(id)

    def require(self, id: str) -> Memory:
        """Return a memory, or raise NotFound.

        >>> db.decisions.require(db.decisions.insight("교훈").memory.id).content
        '교훈'
        """
        return self._shelf.require(id)

    def last_checkpoint(self) -> Memory | None:
        """Return the newest active checkpoint, or None.

        >>> db.decisions.last_checkpoint() is None
        True
        """
        found = self._shelf.of_type("checkpoint")
        active = [memory for memory in found if memory.metadata.get("status") != "archived"]
        return max(active, key=lambda memory: (memory.created_at, memory.version), default=None)

    def since(self, checkpoint: Memory) -> News:
        """Return what happened on this branch after a checkpoint.

        Memories count by their own time: what was imported since is no news.

        >>> saved = db.decisions.checkpoint("Half done")
        >>> _ = db.decisions.save("auth", "Use tokens", "Mobile"); _ = db.kv.put("배포", "blue")
        >>> news = db.decisions.since(saved.memory)
        >>> news.decisions, [(fact.key, fact.value) for fact in news.changed]
        (1, [('배포', 'blue')])
        """
        return news_after(self._view.snapshot, checkpoint)

    def digest(self, checkpoint: Memory | None = None) -> Digest | None:
        """Return where work stopped, what changed since, and what is open; None without one.

        From the newest active checkpoint, unless another one is given.

        >>> _ = db.decisions.save("auth", "Use tokens", "Mobile")
        >>> _ = db.decisions.checkpoint("절반을 했다")
        >>> digest = db.decisions.digest()
        >>> digest.checkpoint.content, [memory.topic for memory in digest.pending]
        ('절반을 했다', ['auth'])
        """
        found = self.last_checkpoint() if checkpoint is None else checkpoint
        return None if found is None else digest_of(self._view.snapshot, found)

    def recent(
        self,
        *,
        limit: int = 10,
        types: Sequence[Type] = (),
        since_ms: int = 0,
        topic: str | None = None,
    ) -> list[Memory]:
        """Return memories, newest first, of every topic or of one.

        >>> _ = db.decisions.insight("first"); _ = db.decisions.insight("둘째")
        >>> [memory.content for memory in db.decisions.recent(limit=1)]
        ['둘째']
        """
        check_number(limit, name="limit", most=limits.PAGE_ITEMS_MAX)
        _check_types(types)
        shelf = self._shelf
        found = shelf.newest(least_ms=since_ms) if topic is None else shelf.newest_of(topic)
        fitting = (
            memory
            for memory in found
            if (not types or memory.type in types) and memory.created_at >= since_ms
        )
        return list(itertools.islice(fitting, limit))

    def on_topic(self, topic: str) -> TopicHistory:
        """Return how the decisions on a topic evolved, oldest first, and what is related.

        >>> _ = db.decisions.save("auth", "Use sessions", "Simple")
        >>> _ = db.decisions.save("auth", "Use tokens", "Mobile")
        >>> [memory.content for memory in db.decisions.on_topic("Auth").chain]
        ['Use sessions', 'Use tokens']
        """
        shelf = self._shelf
        found = finding.history_of(shelf, _topic(topic))
        if not found.chain:
            return msgspec.structs.replace(found, near_topics=tuple(self._near(topic)))
        known = {memory.id for memory in found.chain}
        steps = (
            step
            for head in found.heads or (found.chain[-1].id,)
            for step in self.walk(head, depth=3)
        )
        related = {step.id: step for step in steps if step.id not in known}
        best = sorted(related.values(), key=lambda step: -step.strength)[: limits.RELATED_MAX]
        shown = (
            Ranked(memory=memory, score=step.strength, via=step.link.relationship)
            for step in best
            if (memory := shelf.get(step.id)) is not None and memory.outcome_of not in known
        )
        return msgspec.structs.replace(found, related=tuple(shown))

    def _near(self, topic: str) -> Iterable[str]:
        hits = self._find(topic, 4 * limits.SIMILAR_MAX)
        about = [one.memory.topic for one in finding.ranked(self._shelf, hits)]
        topics = [*finding.spelled_like(self._shelf, topic), *filter(None, about)]
        unique = {topic_key(found): found for found in reversed(topics)}
        return list(reversed(unique.values()))[: limits.SIMILAR_MAX]

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        types: Sequence[Type] = (),
        min_confidence: float = 0.0,
    ) -> list[Ranked]:
        """Return what answers a question best, and what is linked to that.

        >>> _ = db.decisions.save("cache", "Cache prices for a minute", "The supplier limits us")
        >>> [one.memory.topic for one in db.decisions.search("how long are prices cached?")]
        ['cache']
        """
        check_number(limit, name="limit", most=limits.SEARCH_RESULTS_MAX)
        _check_types(types)
        shelf = self._shelf
        found = finding.ranked(shelf, self._find(query, 4 * limit), types=types)
        whole = finding.expanded(
            shelf, found,
            lambda id_: self.walk(id_, depth=limits.GRAPH_DEPTH_MAX, types=_TELLING, least=0.3),
            most=limit,
        )  # fmt: skip
        return [
            one
            for one in whole
            if (not types or one.memory.type in types)
            and (one.memory.type != "decision" or one.memory.confidence >= min_confidence)
        ]

    def caveat(self, memory: Memory) -> str:
        """Return what to know before relying on a memory: that it was replaced, or failed.

        Empty for what holds.

        >>> first = db.decisions.save("cache", "Cache for an hour", "Speed").memory
        >>> _ = db.decisions.outcome("failed", id=first.id, reason="가격이 틀렸다")
        >>> db.decisions.caveat(db.decisions.require(first.id))
        'FAILED: 가격이 틀렸다'
        """
        current = [one.id for one in self._shelf.successors(memory)]
        parts = [f"replaced by {' and '.join(current)}"] if current else []
        if memory.outcome in ("FAILED", "PARTIAL"):
            reason = memory.outcome_reason or memory.metadata.get("limitation")
            parts.append(f"{memory.outcome}: {reason}" if reason else str(memory.outcome))
        return "; ".join(parts)

    def similar(self, id: str) -> list[Ranked]:
        """Return at most three memories that are like one and still hold.

        >>> saved = db.decisions.save("cache", "Cache prices", "Speed").memory
        >>> db.decisions.similar(saved.id)
        []
        """
        return finding.similar(self._shelf, self._find, self._shelf.require(id))

    def heads(self, topic: str) -> list[Memory]:
        """Return the present decisions on a topic: one, or more after a merge.

        >>> _ = db.decisions.save("auth", "Use sessions", "Simple")
        >>> [memory.content for memory in db.decisions.heads("auth")]
        ['Use sessions']
        """
        return self._shelf.heads(_topic(topic))

    def current(self, topic: str) -> list[Memory]:
        """Return the present decisions on a topic, or raise NotFound and say what replaced them.

        >>> _ = db.decisions.save("auth", "Use sessions", "Simple")
        >>> [memory.content for memory in db.decisions.current("auth")]
        ['Use sessions']
        """
        return self._shelf.require_heads(_topic(topic))

    def superseded_by(self, id: str) -> list[str]:
        """Return the memories that replace one; none if it still holds.

        >>> first = db.decisions.save("auth", "Use sessions", "Simple").memory
        >>> db.decisions.superseded_by(first.id)
        []
        """
        return self._shelf.superseded_by(self._shelf.require(id))

    def evolution(self, id: str) -> list[Memory]:
        """Return what a decision grew from and what came after it, oldest first.

        >>> first = db.decisions.save("auth", "Use sessions", "Simple").memory
        >>> _ = db.decisions.save("auth", "Use tokens", "Mobile")
        >>> [memory.content for memory in db.decisions.evolution(first.id)]
        ['Use sessions', 'Use tokens']
        """
        return evolution(self._shelf, self._shelf.require(id))

    # Evolving.

    def outcome(
        self,
        outcome: str,
        *,
        id: str | None = None,
        topic: str | None = None,
        reason: str | None = None,
        limitation: str | None = None,
        by: Creator = "user",
    ) -> evolving.Judged:
        """Tell how a decision turned out; a failure needs its reason.

        >>> _ = db.decisions.save("cache", "Cache for an hour", "Speed")
        >>> judged = db.decisions.outcome("failed", topic="cache", reason="가격이 틀렸다")
        >>> judged.memory.outcome
        'FAILED'
        """
        found = evolving.check_outcome(outcome)
        with self._view.writing("outcome") as transaction:
            decision = evolving.the_decision(Shelf(transaction), id_=id, topic=topic)
            judged = evolving.judge(
                transaction, decision, found, reason=reason, limitation=limitation,
                now_ms=self._now_ms, by=by,
            )  # fmt: skip
        shelf = self._shelf
        return evolving.Judged(
            shelf.require(judged.memory.id), shelf.require(judged.insight.id), judged.is_unchanged
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
    ) -> Saved:
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
            old = evolving.the_decision(Shelf(transaction), id_=id, topic=topic)
            saved = evolving.replace(
                transaction, old, decision=text, reasoning=why, confidence=sure,
                now_ms=self._now_ms, by=by,
            )  # fmt: skip
        return self._committed(saved)


def _topic(topic: object) -> str:
    return check_field(topic, name="topic", most=limits.TOPIC_CHARACTERS_MAX).strip()


def _check_types(types: Sequence[str]) -> None:
    for type_ in types:
        if type_ not in TYPES:
            raise InvalidArgument(
                f"{type_!r} is no type of memory.", hint=f"Use {', '.join(TYPES)}.",
                parameter="types",
            )  # fmt: skip
