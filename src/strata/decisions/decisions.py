"""`db.decisions`: what was decided on a branch, found again, and linked."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

import msgspec

from strata.base import limits
from strata.base.checks import check_number
from strata.base.errors import NotFound
from strata.base.page import ResultPage
from strata.base.validity import caveat_of, has_expired, read_members
from strata.decisions import finding
from strata.decisions.counting import Stats, Topic, count
from strata.decisions.evolving import the_decision
from strata.decisions.finding import Find, RankedMemory, TopicHistory
from strata.decisions.graph import Direction, Graphs, Walk, WalkStep, evolution
from strata.decisions.linking.linker import Linker, LinkingResult, LinkingStatus
from strata.decisions.linking.pruning import PrunedLinks, prune
from strata.decisions.linking.rules import Rule, check_rule
from strata.decisions.links import LinkType
from strata.decisions.news import Digest, News, digest_of, news_after
from strata.decisions.reader import MemoryReader
from strata.decisions.records import MEMORY, SPACE, Memory, Type, topic_key
from strata.decisions.topics import newest_topics, topics_called
from strata.decisions.transaction import TransactionDecisions, check_topic, check_types
from strata.store import View
from strata.upkeep import Progress

# Gives what links by a rule, or by the store's own one.
LinkerOf: TypeAlias = Callable[[Rule | None], Linker]

# What is asked about the decisions of a topic that hold.
Status: TypeAlias = Literal["open", "overdue", "disputed"]

# Links that say something about what memories mean.
_TELLING: tuple[LinkType, ...] = ("evolution", "implementation", "association")


class Decisions(TransactionDecisions):
    """What was decided, why, and what came of it. Reached as `db.decisions`."""

    def __init__(self, view: View, find: Find, graphs: Graphs, *, linker: LinkerOf) -> None:
        super().__init__(view)
        self._find = find
        self._graphs = graphs
        self._linker = linker

    # Reading.

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

    def called(self, name: str) -> Memory:
        """Return the memory that has this id, or the present decision on this topic.

        >>> _ = db.decisions.save("auth", "Use sessions", "Simple")
        >>> db.decisions.called("Auth").content
        'Use sessions'
        """
        found = self.get(name)
        if found is not None:
            return found
        topic = check_topic(name)
        if self._reader.of_topic(topic):
            return the_decision(self._reader, id_=None, topic=topic)
        near = list(self._near(topic))
        hint = "`db.decisions.recent()` lists what there is."
        if near:
            hint = (
                f"There is {', '.join(map(repr, near))}; `db.decisions.search(QUERY)` finds more."
            )
        message = f"There is no memory and no topic {name!r} on branch {self._view.branch!r}."
        raise NotFound(message, hint=hint, topics=near)

    def on_topic(self, topic: str) -> TopicHistory:
        """Return how the decisions on a topic evolved, oldest first, and what is related.

        >>> _ = db.decisions.save("auth", "Use sessions", "Simple")
        >>> _ = db.decisions.save("auth", "Use tokens", "Mobile")
        >>> [memory.content for memory in db.decisions.on_topic("Auth").chain]
        ['Use sessions', 'Use tokens']
        """
        reader = self._reader
        with reader.by_one_look():
            found = finding.history_of(reader, check_topic(topic))
            if found.chain:
                related = tuple(self._related(reader, found))
                return msgspec.structs.replace(found, related=related)
        return msgspec.structs.replace(found, near_topics=tuple(self._near(topic)))

    def _related(self, reader: MemoryReader, found: TopicHistory) -> Iterator[RankedMemory]:
        """Yield what links lead to from the decisions of a topic that hold, the surest first."""
        known = {memory.id for memory in found.chain}
        walks = self._walks(found.heads or [found.chain[-1].id], Walk(depth=3))
        steps = itertools.chain.from_iterable(walks.values())
        others = {step.id: step for step in steps if step.id not in known}
        best = sorted(others.values(), key=lambda step: -step.strength)[: limits.RELATED_MAX]
        with reader.ahead(step.id for step in best):
            for step in best:
                memory = reader.get(step.id)
                if memory is not None and memory.outcome_of not in known:
                    via = step.link.relationship
                    yield RankedMemory(memory=memory, score=step.strength, via=via)

    def _near(self, topic: str) -> Iterable[str]:
        hits = self._find(topic, 4 * limits.SIMILAR_MAX)
        about = [one.memory.topic for one in finding.ranked(self._reader, hits)]
        topics = [*finding.spelled_like(self._reader, topic), *filter(None, about)]
        unique = {topic_key(found): found for found in reversed(topics)}
        return list(reversed(unique.values()))[: limits.SIMILAR_MAX]

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        types: Sequence[Type] = (),
        min_confidence: float = 0.0,
        strict: bool = True,
        expired: bool = False,
    ) -> list[RankedMemory]:
        """Return what answers a question best, and what is linked to that.

        Where nothing is relevant, the list is empty; without `strict` it holds what comes nearest.
        What said until when it holds is left out after that, unless `expired` asks for it.

        >>> _ = db.decisions.save("cache", "Cache prices for a minute", "The supplier limits us")
        >>> [one.memory.topic for one in db.decisions.search("how long are prices cached?")]
        ['cache']
        """
        check_number(limit, name="limit", most=limits.SEARCH_RESULTS_MAX)
        check_types(types)
        reader = self._reader
        with reader.by_one_look():
            hits = self._find(query, 4 * limit, strict=strict)
            found = finding.ranked(reader, hits, types=types)
            whole = finding.expanded(reader, found, self._meaningful_walks, most=limit)
            return [
                one
                for one in whole
                if (not types or one.memory.type in types)
                and (expired or not self._has_expired(one.memory))
                and (one.memory.type != "decision" or one.memory.confidence >= min_confidence)
            ]

    def _meaningful_walks(self, ids: Sequence[str]) -> dict[str, list[WalkStep]]:
        return self._walks(ids, Walk(depth=limits.GRAPH_DEPTH_MAX, types=_TELLING, least=0.3))

    def _walks(self, ids: Sequence[str], walk: Walk) -> dict[str, list[WalkStep]]:
        return self._graphs.walks(self._view.snapshot, ids, walk, now_ms=self._now_ms)

    def _has_expired(self, memory: Memory) -> bool:
        now, zone = self._now_ms * 1000, self._view.store.zone()
        return has_expired(read_members(memory.metadata), now=now, zone=zone)

    def caveat(self, memory: Memory) -> str:
        """Return what to know before relying on a memory: that it was replaced, failed or expired.

        Empty for what holds.

        >>> first = db.decisions.save("cache", "Cache for an hour", "Speed").memory
        >>> _ = db.decisions.outcome("failed", id=first.id, reason="가격이 틀렸다")
        >>> db.decisions.caveat(db.decisions.require(first.id))
        'FAILED: 가격이 틀렸다'
        """
        current = [one.id for one in self._reader.successors(memory)]
        parts = [f"replaced by {' and '.join(current)}"] if current else []
        now, zone = self._now_ms * 1000, self._view.store.zone()
        when = caveat_of(read_members(memory.metadata), now=now, zone=zone)
        return "; ".join(filter(None, [*parts, memory.trouble, when]))

    def similar(self, id: str) -> list[RankedMemory]:
        """Return at most three memories that are like one and still hold.

        >>> saved = db.decisions.save("cache", "Cache prices", "Speed").memory
        >>> db.decisions.similar(saved.id)
        []
        """
        reader = self._reader
        with reader.by_one_look():
            return finding.similar(reader, self._find, reader.require(id))

    def evolution(self, id: str) -> list[Memory]:
        """Return what a decision grew from and what came after it, oldest first.

        >>> first = db.decisions.save("auth", "Use sessions", "Simple").memory
        >>> _ = db.decisions.save("auth", "Use tokens", "Mobile")
        >>> [memory.content for memory in db.decisions.evolution(first.id)]
        ['Use sessions', 'Use tokens']
        """
        return evolution(self._reader, self._reader.require(id))

    def is_overdue(self, memory: Memory) -> bool:
        """Tell whether a decision holds and has had no outcome for 30 days.

        >>> saved = db.decisions.save("auth", "Use sessions", "Simple").memory
        >>> db.decisions.is_overdue(saved)
        False
        """
        age_ms = self._now_ms - memory.created_at
        is_open = memory.type == "decision" and memory.outcome is None
        is_old = age_ms > limits.OUTCOME_DUE_DAYS * limits.DAY_MS
        return is_open and is_old and not self._reader.superseded_by(memory)

    def overdue(self, limit: int = 20) -> list[Memory]:
        """Return decisions that hold and have had no outcome for 30 days, newest first.

        >>> _ = db.decisions.save("auth", "Use sessions", "Simple")
        >>> db.decisions.overdue()
        []
        """
        check_number(limit, name="limit", most=limits.PAGE_ITEMS_MAX)
        due_ms = self._now_ms - limits.OUTCOME_DUE_DAYS * limits.DAY_MS
        old = itertools.islice(self._reader.newest(below_ms=due_ms), limits.OVERDUE_LOOKED_AT)
        return list(itertools.islice(filter(self.is_overdue, old), limit))

    def versions(self, id: str) -> list[int]:
        """Return the versions of a memory, the newest first: the last one is that of its save.

        >>> saved = db.decisions.save("auth", "Use sessions", "Simple").memory
        >>> db.decisions.versions(saved.id) == [saved.version]
        True
        """
        found = self._view.snapshot.history(SPACE, MEMORY, self._reader.require(id).id)
        return [record[0] for record in found]

    # Evolving.

    def topics(
        self,
        containing: str = "",
        *,
        status: Status | None = None,
        after: str | None = None,
        limit: int = 100,
    ) -> ResultPage[Topic, str]:
        """Return topics, the one with the newest decision first, at most `limit`.

        With `containing`, those with this part in their name. With `status`, those where a
        decision that holds has no outcome, has had none for 30 days, or is not the only one.

        A page ends early when many decisions were looked at; `next` of the result leads on.

        >>> _ = db.decisions.save("auth", "Use sessions", "Simple")
        >>> _ = db.decisions.save("배포", "매일", "빠르다")
        >>> [topic.name for topic in db.decisions.topics()]
        ['배포', 'auth']
        """
        check_number(limit, name="limit", most=limits.PAGE_ITEMS_MAX)

        def fits(topic: Topic) -> bool:
            return status is None or self._is_so(topic, status)

        if containing.strip():
            return topics_called(self._reader, containing, fits, after=after, limit=limit)
        return newest_topics(self._reader, fits, before=after, limit=limit)

    def _is_so(self, topic: Topic, status: Status) -> bool:
        if status == "disputed":
            return topic.has_conflict
        current = [self._reader.require(id_) for id_ in topic.current]
        if status == "open":
            return any(one.outcome is None for one in current)
        return any(map(self.is_overdue, current))

    def stats(self) -> Stats:
        """Count memories and links; topics with the newest decision come first.

        >>> _ = db.decisions.save("auth", "Use sessions", "Simple")
        >>> _ = db.decisions.save("auth", "토큰을 쓴다", "모바일")
        >>> stats = db.decisions.stats()
        >>> stats.types["decision"], stats.outcomes["PENDING"], stats.topics[0].decisions
        (2, 2, 2)
        """
        return count(list(self._reader.all()), list(self._reader.all_links()))

    # Links.

    def walk(
        self,
        id: str,
        *,
        depth: int = 2,
        types: Sequence[LinkType] = (),
        least: float = 0.0,
        direction: Direction = "both",
        suggestions: bool = False,
    ) -> list[WalkStep]:
        """Return what links lead to from a memory, nearest first, at most five steps away.

        Links that were made because of the time of a save are followed if `types` has "temporal".

        >>> a = db.decisions.insight("a").memory.id; b = db.decisions.insight("b").memory.id
        >>> _ = db.decisions.link(b, a, "supports")
        >>> a in {step.id for step in db.decisions.walk(b)}
        True
        """
        check_number(depth, name="depth", most=limits.PAGE_ITEMS_MAX)
        walk = Walk(
            depth=min(depth, limits.GRAPH_DEPTH_MAX),
            types=tuple(types),
            least=least,
            direction=direction,
            with_suggestions=suggestions,
        )
        reader = self._reader
        with reader.by_one_look():
            start = reader.require(id).id
            return self._walks([start], walk)[start]

    # Automatic links.

    def linking(self) -> LinkingStatus:
        """Return by which rule memories are linked by meaning, and how many wait for it.

        >>> db.decisions.linking()
        LinkingStatus(rule='signal', pending=0)
        """
        return self._linker(None).status()

    def relink(
        self, *, rule: Rule | None = None, progress: Progress | None = None
    ) -> LinkingResult:
        """Link the memories of this branch by meaning now, as far as their vectors are made.

        It is done in the background anyway, for what is new. What was linked or removed before
        stays as it is. `rule` is signal, seed or off, and else as the setting `linking` says;
        `progress` is called with "linking", the number of memories done and the number of all.

        >>> _ = db.decisions.insight("Caches hide slow queries")
        >>> db.decisions.relink().links
        0
        """
        self._view.check_writable()
        chosen = None if rule is None else check_rule(rule)
        return self._linker(chosen).relink(self._view.branch, progress)

    def prune(self, *, preview: bool = False) -> PrunedLinks:
        """Remove automatic links that have faded, in one commit of the actor `system`.

        With `preview` they are only told. What a user or a model named stays.
        `db.undo(actor="system")` brings them back.

        >>> db.decisions.prune(preview=True).count
        0
        """
        return prune(self._view, now_ms=self._now_ms, preview=preview)
