"""Reading and staging memories and links of a view or a transaction."""

from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import chain, islice
from typing import TypeVar

from strata.base import limits
from strata.base.errors import NotFound
from strata.decisions import links, records
from strata.decisions.links import LINK, Link
from strata.decisions.records import MEMORY, SPACE, Memory, Type, as_attribute, topic_key
from strata.sql import Read
from strata.store import DELETED, GONE, Snapshot, StagedChange, Transaction, names_of_branches

T = TypeVar("T")
# So many memories are read at once where a statement takes a round trip.
_AT_ONCE = 20
# Later than any time that a memory can have.
_END = "9" * 15


class MemoryReader:
    """The memories and links that a snapshot shows; a transaction's own ones included."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def get(self, id_: str) -> Memory | None:
        """Return a memory by its id, or by an older name of it."""
        record = self._snapshot.get(SPACE, MEMORY, id_)
        if record is not None and not record[2] & GONE:
            return records.memory_of(id_, record)
        known = self._snapshot.by_attribute(SPACE, MEMORY, "alias", value=id_)
        return self.get(known[0]) if known and known[0] != id_ else None

    def has(self, id_: str) -> bool:
        """Tell whether there is a memory of this very id."""
        record = self._snapshot.get(SPACE, MEMORY, id_)
        return record is not None and not record[2] & GONE

    def require(self, id_: str) -> Memory:
        """Return a memory, or raise NotFound."""
        found = self.get(id_)
        if found is None:
            raise self._missing(id_)
        return found

    def _missing(self, id_: str) -> NotFound:
        """Say that a memory is not here, and on which branch it is, if it is on one."""
        message = f"There is no memory {id_!r} on this branch."
        place = self._elsewhere(id_)
        if place is None:
            hint = "Ids are in the answers of saves and searches; search by topic finds them."
            return NotFound(message, hint=hint, id=id_)
        hint = f"It is on the branch {place!r}: merge that first, or work there."
        return NotFound(message, hint=hint, id=id_, on_branch=place)

    def _elsewhere(self, id_: str) -> str | None:
        """Return another branch that has a memory; only some are looked at."""
        store = self._snapshot.store
        names = [name for name in names_of_branches(store) if name != self._snapshot.branch]
        for name in names[: limits.BRANCHES_LOOKED_AT]:
            record = Snapshot(store, name).get(SPACE, MEMORY, id_)
            if record is not None and not record[2] & GONE:
                return name
        return None

    def of_topic(self, topic: str, type_: Type | None = "decision") -> list[Memory]:
        """Return the memories of a topic, oldest first."""
        items = self._snapshot.items_by_attribute(SPACE, MEMORY, "topic", value=topic_key(topic))
        found = [records.memory_of(key, record) for key, record in items]
        kept = [memory for memory in found if type_ is None or memory.type == type_]
        return sorted(kept, key=lambda memory: (memory.created_at, memory.version))

    def latest_of_each(self, topics: Collection[str], limit: int) -> dict[str, list[Memory]]:
        """Return the memories that were written last of each topic, in no order.

        At most `limit` of each. The topics are in the form in which they are compared.
        """
        place = (SPACE, MEMORY)
        reads = self._snapshot.reads_of_newest(place, "topic", values=topics, limit=limit)
        with self._together(reads):
            keys = {
                topic: self._snapshot.newest_with(place, ("topic", topic), limit=limit)
                for topic in topics
            }
        with self.ahead(chain.from_iterable(keys.values())):
            return {topic: [self.require(key) for key in found] for topic, found in keys.items()}

    def topics(self, *, after: str = "", limit: int) -> list[str]:
        """Return topics of any branch in the form in which they are compared, in order."""
        return self._snapshot.attribute_values(SPACE, MEMORY, "topic", after=after, limit=limit)

    def of_type(self, type_: Type) -> list[Memory]:
        """Return all memories of a type, in no order."""
        items = self._snapshot.items_by_attribute(SPACE, MEMORY, "type", value=type_)
        return [records.memory_of(key, record) for key, record in items]

    def newest_of(self, topic: str, *, before: Memory | None = None) -> Iterator[Memory]:
        """Yield the memories of a topic, of every type, newest first; or those before one."""
        last = None if before is None else (before.created_at, before.version)
        for memory in reversed(self.of_topic(topic, None)):
            if last is None or (memory.created_at, memory.version) < last:
                yield memory

    def newest(
        self,
        *,
        least_ms: int = 0,
        below_ms: int | None = None,
        before: Memory | None = None,
        at_once: int = _AT_ONCE,
    ) -> Iterator[Memory]:
        """Yield memories, newest first, of a span of time; or those before one.

        `at_once` is how many are read with a round trip, where a statement takes one.
        """
        if before is not None:
            below_ms = before.created_at + 1
        below = _END if below_ms is None else as_attribute(below_ms)
        ids = self._snapshot.latest(
            SPACE, MEMORY, "created", below=below, least=as_attribute(least_ms)
        )
        for group in self.grouped(ids, at_once=at_once):
            with self.ahead(group):
                memories = [self.require(id_) for id_ in group]
            for memory in memories:
                # Those of one millisecond come in the order of their ids.
                if before is None or (memory.created_at, memory.id) < (
                    before.created_at,
                    before.id,
                ):
                    yield memory

    def grouped(self, things: Iterable[T], *, at_once: int = _AT_ONCE) -> Iterator[list[T]]:
        """Yield things in groups to be read at once; one by one without round trips."""
        left, most = iter(things), at_once if self._snapshot.store.database.foresees else 1
        while group := list(islice(left, most)):
            yield group

    def by_one_look(self) -> AbstractContextManager[None]:
        """Let a block of reads look at the store once, and read nothing again meanwhile."""
        return self._together(())

    def _together(self, reads: Iterable[Read]) -> AbstractContextManager[None]:
        return self._snapshot.store.connection().together(reads)

    def ahead(self, ids: Iterable[str]) -> AbstractContextManager[None]:
        """Let a block that looks memories up wait for them once."""
        return self._snapshot.ahead((SPACE, MEMORY, id_) for id_ in ids)

    def all(self) -> Iterator[Memory]:
        """Yield every memory, by id."""
        for key, record in self._snapshot.items(SPACE, MEMORY):
            yield records.memory_of(key, record)

    def all_links(self) -> Iterator[Link]:
        """Yield every link, by id."""
        for key, record in self._snapshot.items(SPACE, LINK):
            yield links.link_of(key, record)

    def link(self, id_: str) -> Link | None:
        """Return a link by its id."""
        record = self._snapshot.get(SPACE, LINK, id_)
        if record is None or record[2] & GONE:
            return None
        return links.link_of(id_, record)

    def ahead_of_links(self, ids: Iterable[str]) -> AbstractContextManager[None]:
        """Let a block that looks links up by their ids wait for them once."""
        return self._snapshot.ahead((SPACE, LINK, id_) for id_ in ids)

    def links_of(self, id_: str, *, end: str) -> list[Link]:
        """Return the links whose `from` or `to` end is a memory."""
        items = self._snapshot.items_by_attribute(SPACE, LINK, end, value=id_)
        return [links.link_of(key, record) for key, record in items]

    def links_ahead(self, *wanted: tuple[str, Iterable[str]]) -> AbstractContextManager[None]:
        """Let a block that reads the links at some ends of memories wait for them once."""
        reads = (
            self._snapshot.reads_by_attribute(SPACE, LINK, end, values=ids) for end, ids in wanted
        )
        return self._together(chain.from_iterable(reads))

    @contextmanager
    def superseding_ahead(self, ids: Sequence[str]) -> Generator[None]:
        """Let a block that asks what replaces memories wait for their links and what these name."""
        with self.links_ahead(("to", ids)):
            newer = (link.from_id for id_ in ids for link in self._replacing(id_))
            with self.ahead(newer):
                yield

    def superseded_by(self, memory: Memory) -> list[str]:
        """Return the live memories that replace one."""
        return self.superseding(memory.id)

    def superseding(self, id_: str) -> list[str]:
        """Return the live memories that replace the one of this very id."""
        return [link.from_id for link in self._replacing(id_) if self.has(link.from_id)]

    def _replacing(self, id_: str) -> Iterator[Link]:
        """Yield the links that replace a memory, by one that may have been erased."""
        return (link for link in self.links_of(id_, end="to") if link.supersedes)

    def replaced(self, memories: Iterable[Memory]) -> set[str]:
        """Return the ids of those memories that a live one replaces."""
        newer = self.superseding_each([memory.id for memory in memories])
        return {id_ for id_, found in newer.items() if found}

    def superseding_each(self, ids: Sequence[str]) -> dict[str, list[str]]:
        """Return the live memories that replace each one of some ids."""
        with self.superseding_ahead(ids):
            return {id_: self.superseding(id_) for id_ in ids}

    def successors(self, memory: Memory) -> list[Memory]:
        """Return the current decisions that replaced one, however many steps later."""
        passed, edge, found = {memory.id}, [memory], list[Memory]()
        while edge:
            following = {id_ for one in edge for id_ in self.superseded_by(one)} - passed
            passed |= following
            edge = [self.require(id_) for id_ in sorted(following)]
            replaced = self.replaced(edge)
            found += [one for one in edge if one.id not in replaced]
        return found

    def heads(self, topic: str) -> list[Memory]:
        """Return the decisions of a topic that nothing replaces: two after some merges."""
        found = self.of_topic(topic)
        replaced = self.replaced(found)
        return [memory for memory in found if memory.id not in replaced]

    def require_heads(self, topic: str) -> list[Memory]:
        """Return the current decisions on a topic, or raise NotFound and say where they went."""
        heads = self.heads(topic)
        if heads:
            return heads
        replaced = self.of_topic(topic)
        if not replaced:
            raise NotFound(
                f"There is no decision on {topic!r} on this branch.",
                hint="`db.decisions.search(QUERY)` finds decisions by what they are about.",
                topic=topic,
            )
        current = {one.id: one for old in replaced for one in self.successors(old)}
        places = ", ".join(f"{one.id} on {one.topic!r}" for one in current.values())
        raise NotFound(
            f"Every decision on {topic!r} was replaced; current: {places or 'none'}.",
            hint="Name the decision by its id.",
            topic=topic,
            ids=list(current),
        )


def stage(transaction: Transaction, memory: Memory, made: Iterable[Link] = ()) -> None:
    """Stage a memory and its links."""
    transaction.stage(records.change_of(memory))
    for link in made:
        transaction.stage(links.change_of(link))


def stage_removal(transaction: Transaction, link: Link) -> None:
    """Stage the end of a link; history keeps it."""
    transaction.stage(StagedChange(SPACE, LINK, link.id, flags=DELETED))
