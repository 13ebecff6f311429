"""What became of the things that a search finds: replaced, failed, expired."""

# Names in signatures would load their packages, and a hook often finds no decision.
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec.structs import replace

from strata.base.succession import after_successors
from strata.base.validity import Validity, caveat_of, has_expired, read_members, read_tags
from strata.memory import replaced_keys, superseding
from strata.search import Hit, Place, hit_of
from strata.store import GONE, View

if TYPE_CHECKING:
    from strata.decisions import Decisions

_MEMORY, _FACT = "memory", "kv"


class Standing:
    """Says of hits, as a view shows them, whether they still hold. Made for one answer."""

    def __init__(self, view: View, decisions: Callable[[], Decisions]) -> None:
        self._view = view
        self._decisions = decisions
        self._newer: dict[Place, tuple[Place, ...]] = {}
        self._current: dict[Place, tuple[Place, ...]] = {}
        # What was left out of the answer because it has expired.
        self.expired: list[str] = []

    def settled(
        self,
        hits: Sequence[Hit],
        most: int,
        *,
        expired: bool = False,
        fits: Callable[[Hit], bool] = lambda _hit: True,
    ) -> tuple[Hit, ...]:
        """Return hits with what holds above what it replaces, and mark what no longer does.

        What holds instead of a hit is in the answer too, if it fits. What has expired is left out,
        unless `expired` asks for it.
        """
        if not expired:
            self.expired = [hit.key for hit in hits if self._has_expired(hit)]
            hits = [hit for hit in hits if not self._has_expired(hit)] if self.expired else hits
        found = {(hit.namespace, hit.kind, hit.key): hit for hit in hits}
        facts = {place: place[2] for place in found if place[1] == _FACT}
        replaced = replaced_keys(self._view.snapshot, facts.values())
        self._newer |= {place: () for place, key in facts.items() if key not in replaced}
        memories = [place for place in found if place[1] == _MEMORY]
        if memories:
            self._look_up(memories)
        if replaced or memories:
            # First raised, then cut: the one below may be what the cut leaves out.
            shown = self._raised(list(self._in_order(found, fits)))[:most]
        else:
            shown, self._current = hits[:most], {place: (place,) for place in found}
        with self._view.snapshot.ahead(memories):
            return tuple([self._marked(hit, rank) for rank, hit in enumerate(shown, 1)])

    def _look_up(self, memories: Sequence[Place]) -> None:
        """Learn at once what replaces each of some memories."""
        from strata.decisions import MemoryReader  # noqa: PLC0415  (seldom needed)

        newer = MemoryReader(self._view.snapshot).superseding_each([key for *_at, key in memories])
        for space, kind, key in memories:
            self._newer[space, kind, key] = tuple((space, kind, name) for name in newer[key])

    def _in_order(self, found: dict[Place, Hit], fits: Callable[[Hit], bool]) -> Iterator[Hit]:
        for place in after_successors(found, self._superseded_by):
            newer = self._superseded_by(place)
            current = dict.fromkeys(one for at in newer for one in self._current.get(at, ()))
            self._current[place] = tuple(current) or (() if newer else (place,))
            if place in found:
                yield found[place]
            elif not newer and (hit := self._read(place)) is not None and fits(hit):
                yield hit

    def _raised(self, shown: Sequence[Hit]) -> list[Hit]:
        """Return hits so that none has a lower score or relevance than what it replaces."""
        least: dict[Place, Hit] = {}
        raised: list[Hit] = []
        for hit in reversed(shown):
            place = _place_of(hit)
            below = least.get(place)
            if below is not None:
                score, relevance = max(hit.score, below.score), max(hit.relevance, below.relevance)
                hit = replace(hit, score=score, relevance=relevance)  # noqa: PLW2901
            for newer in {*self._superseded_by(place), *self._current[place]}:
                least[newer] = max(hit, least.get(newer, hit), key=lambda one: one.score)
            raised.append(hit)
        return raised[::-1]

    def _superseded_by(self, place: Place) -> tuple[Place, ...]:
        """Return what replaces something, itself replaced or not."""
        if place not in self._newer:
            space, kind, key = place
            names: Sequence[str] = ()
            if kind == _MEMORY:
                names = self._decisions().superseded_by(key)
            elif kind == _FACT:
                names = superseding(self._view.snapshot, space, key)
            self._newer[place] = tuple((space, kind, name) for name in names)
        return self._newer[place]

    def _read(self, place: Place) -> Hit | None:
        """Return something that holds instead of a hit, as a hit."""
        record = self._view.snapshot.get(*place)
        return None if record is None or record[2] & GONE else hit_of(record, place)

    def _marked(self, hit: Hit, rank: int) -> Hit:
        place = _place_of(hit)
        newer = tuple(name for _space, _kind, name in self._superseded_by(place))
        current = [name for _space, _kind, name in self._current[place]] if newer else []
        parts = [f"replaced by {' and '.join(current)}"] if current else []
        if trouble := self._trouble(hit):
            parts.append(trouble)
        return replace(hit, rank=rank, superseded_by=newer, caveat="; ".join(parts))

    @cached_property
    def _zone(self) -> str | None:
        return self._view.store.zone()

    @cached_property
    def _now(self) -> int:
        instant = self._view.instant
        return self._view.store.clock() if instant is None else instant.timestamp

    def _validity(self, hit: Hit) -> Validity | None:
        """Return from when until when a hit holds, if it says something about that."""
        if hit.kind == _MEMORY:
            return read_members(hit.value.get("metadata") or {})
        return read_tags(hit.tags) if hit.tags else None

    def _has_expired(self, hit: Hit) -> bool:
        found = self._validity(hit)
        if found is None or found.until is None:
            return False
        return has_expired(found, now=self._now, zone=self._zone)

    def _trouble(self, hit: Hit) -> str:
        """Say that a decision failed, that a hit has expired, or that a review is due."""
        memory = self._decisions().get(hit.key) if hit.kind == _MEMORY else None
        found = self._validity(hit)
        when = "" if found is None else caveat_of(found, now=self._now, zone=self._zone)
        return "; ".join(filter(None, [memory.trouble if memory is not None else "", when]))


def _place_of(hit: Hit) -> Place:
    return hit.namespace, hit.kind, hit.key
