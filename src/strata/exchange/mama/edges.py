"""Columns and rows of MAMA that tie decisions together, as links.

The column `supersedes`, the column `superseded_by` and the edge of that name say the same; they are
one link. What points nowhere, at itself or in a circle is reported, and kept beside the decision.
"""

from collections import defaultdict
from typing import Any

import msgspec

from strata.base.values import Json
from strata.decisions import Creator, Link, LinkType, map_relationship, new_link
from strata.exchange.mama.fields import Fields, MamaNotes, as_json_value, plain, quotable
from strata.exchange.mama.memories import Memories
from strata.exchange.mama.source import DECISIONS, EDGES, MamaSource
from strata.sql import ForeignRow

AUTOMATIC_MARK = "(similarity:"
SUPERSEDES, REFINES = "supersedes", "refines"
# MAMA 1.0 wrote these by itself where two texts were alike; nine in ten mean nothing.
AUTOMATIC = ("refines", "contradicts")
_SUGGESTED = 0.4
TYPES_OF_WORDS: dict[str, LinkType] = {
    SUPERSEDES: "evolution",
    REFINES: "evolution",
    "builds_on": "evolution",
    "contradicts": "association",
    "debates": "association",
    "synthesizes": "association",
}
_CREATORS: dict[object, Creator] = {"user": "user", "llm": "llm"}
_EDGE_DEFAULTS: dict[str, object] = {
    "decision_id": None,
    "evidence": None,
    "approved_at": None,
    "approved_by_user": 1,
}

# What stays beside a decision because no link could be made of it, by id and column.
Left = defaultdict[str, dict[str, Json]]


class Edges(msgspec.Struct, frozen=True):
    """The links of a file by id, and what no link could be made of."""

    links: dict[str, Link]
    left: dict[str, dict[str, Json]]


def edges_of(source: MamaSource, memories: Memories, *, notes: MamaNotes) -> Edges:
    """Return the links that a file's rows say."""
    maker = _Maker(memories, notes)
    for row in source.rows(EDGES):
        maker.add_edge(row)
    for row in source.rows(DECISIONS):
        maker.add_columns(row)
    maker.break_circles()
    return Edges({link.id: link for link in maker.links.values()}, dict(maker.left))


class _Maker:
    def __init__(self, memories: Memories, notes: MamaNotes) -> None:
        self._memories, self._notes = memories, notes
        self.links: dict[str, Link] = {}
        self.left: Left = defaultdict(dict)

    # Edges.

    def add_edge(self, row: ForeignRow) -> None:
        """Add the link of a row of decision_edges."""
        given = (row.values.get("from_id"), row.values.get("to_id"))
        from_id, to_id = (self._memories.decision_ids.get(_hashable(end)) for end in given)
        fields = Fields(EDGES, _named(given[0]), row, notes=self._notes)
        if from_id is None or to_id is None or from_id == to_id:
            self._keep_edge(fields, row, ends=(from_id, to_id))
            return
        word = (fields.text("relationship") or "").strip() or "related"
        fields.pop("from_id")
        fields.pop("to_id")
        self._add(self._link(fields, (from_id, to_id), word))

    def _keep_edge(
        self, fields: Fields, row: ForeignRow, *, ends: tuple[str | None, str | None]
    ) -> None:
        """Keep an edge that is no link beside the decision that it is about."""
        named = [_named(row.values.get(name)) for name in ("from_id", "to_id")]
        word = _named(row.values.get("relationship"))
        if ends[0] is not None and ends[0] == ends[1]:
            what = f"{named[0]} {word} itself; no link was made"
        else:
            what = f"{named[0]} {word} {named[1]}, and one of them is missing; no link was made"
        fields.warn(what)
        home = ends[0] or ends[1]
        if home is not None:
            edges = self.left[home].setdefault("edges", [])
            assert isinstance(edges, list), "only edges are kept there"
            edges.append({name: plain(value) for name, value in row.values.items()})

    def _link(self, fields: Fields, ends: tuple[str, str], word: str) -> Link:
        reason, weight = fields.text("reason"), fields.share("weight")
        is_automatic = word in AUTOMATIC and AUTOMATIC_MARK in (reason or "")
        is_proposed = fields.peek("approved_by_user") == 0
        by = _CREATORS.get(fields.pop("created_by"), "llm")
        at = fields.time("created_at")
        if is_automatic and weight not in (None, 1.0):
            fields.keep("weight")
        return new_link(
            *ends,
            TYPES_OF_WORDS.get(word) or map_relationship(word).link_type,
            confidence=_SUGGESTED if is_automatic else 1.0 if weight is None else weight,
            created_by="system" if is_automatic else by,
            created_at=self._time(ends[0]) if at is None else at,
            relationship=word,
            is_suggestion=is_automatic or is_proposed,
            reason=reason,
            v1=fields.rest(_EDGE_DEFAULTS) or None,
        )

    def _time(self, id_: str) -> int:
        return self._memories.by_id[id_].created_at

    def _add(self, link: Link) -> None:
        """Add a link; one that a user or a model made wins over a suggestion, the first over the
        next."""
        known = self.links.get(link.id)
        if known is None or (known.is_suggestion and not link.is_suggestion):
            self.links[link.id] = link

    # Columns of decisions.

    def add_columns(self, row: ForeignRow) -> None:
        """Add the links of the columns of a decision that name others."""
        id_ = self._memories.by_row[row.number]
        for name, is_newer in ((SUPERSEDES, True), ("superseded_by", False)):
            value = row.values.get(name)
            if value not in (None, ""):
                self._add_named(id_, name, value, word=SUPERSEDES, is_newer=is_newer)
        self._add_refined(id_, row.values.get("refined_from"))

    def _add_named(
        self, id_: str, column: str, value: object, *, word: str, is_newer: bool
    ) -> bool:
        other = self._memories.decision_ids.get(_hashable(value))
        if other is None or other == id_:
            why = "is the decision itself" if other == id_ else "is not in the file"
            self._leave(
                id_,
                column,
                value,
                what=f"{column} names {_named(value)}, which {why}; no link was made",
            )
            return False
        ends = (id_, other) if is_newer else (other, id_)
        self._add(
            new_link(
                *ends,
                "evolution",
                confidence=1.0,
                created_by="llm",
                created_at=self._time(ends[0]),
                relationship=word,
            )
        )
        return True

    def _add_refined(self, id_: str, value: Any) -> None:
        if value in (None, "", "[]"):
            return
        found = as_json_value(value)
        names = found if isinstance(found, list) else [found]
        if found is None or not all(isinstance(name, str) for name in names):
            self._leave(
                id_,
                "refined_from",
                value,
                what="refined_from is no list of ids; no link was made",
            )
            return
        taken = [
            self._add_named(id_, "refined_from", name, word=REFINES, is_newer=True)
            for name in names
        ]
        if not all(taken):
            self.left[id_]["refined_from"] = plain(value)

    def _leave(self, id_: str, column: str, value: object, *, what: str) -> None:
        self.left[id_][column] = plain(value)
        self._notes.warn(DECISIONS, id_, what)

    # Circles.

    def break_circles(self) -> None:
        """Drop, in every circle of decisions that replace each other, what goes back in time.

        Without those that go from an older to a newer decision there is no way round.
        """
        after: dict[str, list[str]] = defaultdict(list)
        for link in self.links.values():
            if link.supersedes:
                after[link.from_id].append(link.to_id)
        for link in list(self.links.values()):
            goes_back = link.supersedes and self._age(link.from_id) < self._age(link.to_id)
            if goes_back and _leads(after, link.to_id, link.from_id):
                del self.links[link.id]
                what = f"{link.from_id} and {link.to_id} replace each other; that was dropped here"
                self._leave(
                    link.from_id, SUPERSEDES, link.to_id, what=f"{what}, because it is the older"
                )

    def _age(self, id_: str) -> tuple[int, str]:
        return self._time(id_), id_


def _leads(after: dict[str, list[str]], start: str, goal: str) -> bool:
    """Whether one gets from a decision to another."""
    seen, todo = {start}, [start]
    while todo and goal not in seen:
        following = [to for to in after.get(todo.pop(), ()) if to not in seen]
        seen.update(following)
        todo += following
    return goal in seen


def _hashable(value: object) -> object:
    return value if isinstance(value, (str, int, float, bytes)) else repr(value)


def _named(value: object) -> str:
    return value[:200] if isinstance(value, str) else quotable(value)
