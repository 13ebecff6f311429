"""What a search may see of the text index: a branch at a moment, perhaps with filters."""

from collections.abc import Callable, Collection, Iterable, Iterator, MutableMapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from strata.search.index.segment import (
    Postings,
    Runs,
    Segment,
    begin_groups,
    run_ends,
    words_beside,
)
from strata.search.index.tail import Tail
from strata.search.index.talks import are_talks
from strata.search.index.text_index import TextIndex

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

T = TypeVar("T")
Part: TypeAlias = Segment | Tail


class Limits(NamedTuple):
    """Which items a search may see: what a branch shows up to a version, and filters.

    `is_present` says that it is what the default branch shows now. Items that are parts of wholes
    are seen if their whole is among `wholes`, where these are given, in order.
    """

    lineage: tuple[tuple[int, int], ...]
    bound: int
    is_present: bool
    keyspaces: tuple[int, ...]
    wholes: "Array | None" = None


def is_among(values: "Array", known: "Array") -> "Array":
    """Tell which values are among some in order; numpy's own way loads a module it seldom needs."""
    import numpy as np_

    if not len(known):
        return np_.zeros(len(values), dtype=bool)
    return known[np_.minimum(known.searchsorted(values), len(known) - 1)] == values


class TermPostings(NamedTuple):
    """The items that hold terms, in order for each term, how often, and how many hold each."""

    items: "Array"
    counts: "Array"
    sizes: "Array"

    def of_term(self, number: int) -> Postings:
        """Return those of one term."""
        start = int(self.sizes[:number].sum())
        here = slice(start, start + int(self.sizes[number]))
        return Postings(self.items[here], self.counts[here])


class PartView:
    """What a scope shows of a part: its items, in the order of their sequences and versions."""

    def __init__(self, part: Part, is_seen: "Array") -> None:
        self.part = part
        self._is_seen = is_seen
        self.is_live_only = not is_seen[part.live :].any()
        # Mostly it shows exactly the live ones, which are in order.
        self.is_plain = self.is_live_only and bool(is_seen[: part.live].all())
        self._continued: tuple[PartView, Array, Array] | None = None

    def __len__(self) -> int:
        return self.part.live if self.is_plain else len(self._order)

    @cached_property
    def _order(self) -> "Array":
        """The items that are shown, in order."""
        import numpy as np_

        order = np_.flatnonzero(self._is_seen)
        if self.is_live_only:
            return order
        # Items of both halves: brought into one order.
        return order[np_.lexsort([self.part.take(name, order) for name in ("version", "sequence")])]

    def items(self, at: "Array") -> "Array":
        """Return the items at positions of the order."""
        return at if self.is_plain else self._order[at]

    def take(self, name: str) -> "Array":
        """Return one property of the items, in order."""
        column = self.part.column(name)
        return column[: self.part.live] if self.is_plain else column[self._order]

    @cached_property
    def runs(self) -> Runs:
        """The sequences by position in the order."""
        if self.is_plain:
            runs = self.part.runs
            return Runs(runs.names[: runs.live], runs.ends[: runs.live], runs.live)
        names = self.part.take("sequence", self._order)
        ends = run_ends(names, len(names))
        return Runs(names[ends - 1], ends, len(ends))

    @cached_property
    def singles(self) -> int:
        """How many items are in no sequence; they come first."""
        names, ends = self.runs.names, self.runs.ends
        return int(ends[0]) if len(names) and names[0] == 0 else 0

    def borders(self, at: "Array") -> "tuple[Array, Array]":
        """Tell which positions begin a sequence here, and which end one."""
        run = self.runs.holding(at)
        return at == self.runs.starts[run], at + 1 == self.runs.ends[run]

    def continued(self, older: "PartView") -> "tuple[Array, Array]":
        """Return which sequences of an older part go on here: their numbers there, and here."""
        import numpy as np_

        if self._continued is None or self._continued[0] is not older:
            here = self.runs.named(older.runs.names)
            there = np_.flatnonzero((here >= 0) & (older.runs.names != 0))
            self._continued = older, there, here[there]
        return self._continued[1:]

    @cached_property
    def length(self) -> "Array":
        """The length of each item in words, by its number in the part."""
        return self.part.column("length").astype("f4")

    @cached_property
    def words(self) -> int:
        """How many words all items have."""
        if self.is_plain and isinstance(self.part, Segment):
            return self.part.summary.words
        return int(self.take("length").sum(dtype="i8"))

    @cached_property
    def beside(self) -> tuple[tuple[int, int], ...]:
        """How many words items have that are so far apart in one group."""
        if self.is_plain and isinstance(self.part, Segment):
            return self.part.summary.beside
        return words_beside(self.take("length"), self.take("group"))

    @cached_property
    def group_length(self) -> "Array":
        """How many words each group has; 0 for one of which nothing is shown."""
        import numpy as np_

        group, length = self.take("group"), self.take("length")
        if not self.is_plain:
            return np_.bincount(group, weights=length, minlength=1).astype("f4")
        # The groups follow each other, and those of single items come first.
        alone = self.singles
        group = group[alone:]
        is_first = np_.ones(len(group), dtype=bool)
        is_first[1:] = group[1:] != group[:-1]
        first = np_.flatnonzero(is_first)
        rest = np_.add.reduceat(length[alone:], first, dtype="i8") if len(first) else first
        return np_.concatenate((length[:alone], rest), dtype="f4")

    def are_talks(self, at: "Array") -> "Array":
        """Tell which items at positions belong to a talk; the whole of each group is judged."""
        import numpy as np_

        mine = self.groups_at(at)
        is_first = np_.ones(len(at), dtype=bool)
        is_first[1:] = mine[1:] != mine[:-1]
        wanted = mine[is_first]
        group = self.part.column("group")[: self.part.live] if self.is_plain else self._groups
        starts, ends = (group.searchsorted(wanted, side) for side in ("left", "right"))
        sizes = ends - starts
        behind = sizes.cumsum()
        begins = np_.zeros(int(sizes.sum()), dtype=bool)
        begins[behind - sizes] = True
        items = self.items((starts - behind + sizes).repeat(sizes) + np_.arange(len(begins)))
        traits, label = (self.part.take(name, items) for name in ("traits", "label"))
        return are_talks(begins, traits, label)[behind - sizes][is_first.cumsum() - 1]

    @cached_property
    def groups(self) -> int:
        """How many groups have something that is shown."""
        import numpy as np_

        if self.is_plain:
            return len(self.group_length)
        return int(np_.count_nonzero(self.group_length))

    def groups_at(self, at: "Array") -> "Array":
        """Return the number of the group that the items at positions belong to."""
        return self.part.take("group", at) if self.is_plain else self._groups[at]

    @cached_property
    def _groups(self) -> "Array":
        # The part's own groups are of all its items, and apart for both halves.
        names = ("sequence", "timestamp", "traits")
        return begin_groups(*(self.part.take(name, self._order) for name in names)).cumsum()

    def positions(self, items: "Array") -> "Array":
        """Return where in the order items are that are shown."""
        return items.astype("i8") if self.is_plain else self._positions[items]

    @cached_property
    def _positions(self) -> "Array":
        import numpy as np_

        found = np_.zeros(len(self.part), dtype="i8")
        found[self._order] = np_.arange(len(self._order))
        return found

    def look_up(self, terms: "Iterable[Sequence[int]]") -> "TermPostings":
        """Look terms up, each in any of its forms."""
        import numpy as np_

        found = [self.term(forms) for forms in terms]
        none = Postings(np_.empty(0, dtype="i8"), np_.empty(0, dtype="f4"))
        return TermPostings(
            np_.concatenate([none.items, *(one.items for one in found)]),
            np_.concatenate([none.counts, *(one.counts for one in found)], dtype="f4"),
            np_.asarray([len(one.items) for one in found], dtype="i8"),
        )

    def term(self, forms: "Sequence[int]") -> Postings:
        """Return the items that hold a term in any of its forms and are shown, and how often."""
        import numpy as np_

        if len(forms) == 1:
            return self.postings(forms[0])
        amounts = np_.zeros(len(self.part), dtype="f4")
        for items, counts in map(self.postings, forms):
            amounts[items] += counts
        items = np_.flatnonzero(amounts > 0)
        return Postings(items, amounts[items])

    def postings(self, term: int) -> Postings:
        """Return the items that hold a term and are shown, and how often they do."""
        found = self.part.postings(term, live_only=self.is_live_only)
        if self.is_plain:
            return found
        is_shown = self._is_seen[found.items]
        return Postings(found.items[is_shown], found.counts[is_shown])

    def labelled(self, label: int) -> "Array":
        """Return the items that carry a label and are shown."""
        found = self.part.labelled(label)
        return found[self._is_seen[found]]

    def items_of(self, versions: "Array") -> "Array":
        """Return the items of versions that are shown here."""
        found, _is_here = self.part.items_of(versions)
        return found[self._is_seen[found]]


def bring(views: Iterable[PartView], *columns: str, terms: Collection[int] = ()) -> None:
    """Read at once what is soon needed of several parts, where each takes a round trip."""
    sealed = [(view.part, view.is_live_only) for view in views if isinstance(view.part, Segment)]
    for part, _is_live_only in sealed[:1]:
        part.reader.bring(
            place
            for one, live_only in sealed
            for place in one.places(columns, terms, live_only=live_only)
        )


class SearchScope:
    """What one search may see, kept for the next one that may see the same.

    What several scopes show alike of a segment is in `shared`, by the segment's stamp.
    """

    def __init__(
        self, index: TextIndex, within: Limits, shared: MutableMapping[int, PartView]
    ) -> None:
        self._index = index
        self._within = within
        self._shared = shared
        self._state: object = None
        self._made: tuple[object, Any] | None = None  # of whatever type `make` returns
        self._views: dict[tuple[object, ...], PartView] = {}

    def views(self) -> list[PartView]:
        """Return what is shown of each part, oldest part first, as the index is now."""
        index = self._index
        if self._state != (index, index.state):
            found = {(self._stamp(n, part)): (n, part) for n, part in enumerate(index.parts)}
            index.reader.bring(
                place
                for stamp, (_n, part) in found.items()
                if stamp not in self._views and isinstance(part, Segment)
                for place in part.places(self._columns(part))
            )
            self._views = {
                stamp: self._views.get(stamp) or self._look(*where)
                for stamp, where in found.items()
            }
            self._state = (index, index.state)
        return [view for view in self._views.values() if len(view)]

    def bring(self, *columns: str, terms: Collection[int] = ()) -> None:
        """Read at once what is soon needed of all parts, where each takes a round trip."""
        bring(self.views(), *columns, terms=terms)

    def everything(self) -> "list[tuple[PartView, Array]]":
        """Return all that is visible: for each part the positions of what it shows."""
        import numpy as np_

        return [(view, np_.arange(len(view))) for view in self.views()]

    def remembered(self, make: "Callable[[list[tuple[PartView, Array]]], T]") -> T:
        """Return what is made of all that is visible, made anew when that has changed."""
        self.views()
        if self._made is None or self._made[0] != self._state:
            self._made = (self._state, make(self.everything()))
        return self._made[1]

    def _stamp(self, number: int, part: Part) -> tuple[object, ...]:
        """Return what changes whenever something else is shown of a part."""
        if isinstance(part, Segment):
            return (part.stamp, self._index.deaths(number))
        return (None, self._index.state)

    def _columns(self, part: Segment) -> Iterator[str]:
        """Yield the columns by which is decided what is shown of a segment."""
        if not self._within.is_present:
            yield "branch"
        if not self._within.is_present and not self._ends_before(part):
            yield "version"
        if self._may_leave_out(part):
            yield "keyspace"
        if self._within.wholes is not None:
            yield "whole"

    def _look(self, number: int, part: Part) -> PartView:
        is_seen = self._seen(part)
        for found in self._index.replaced(number):
            is_seen[found.version[self._is_visible(found.branch, found.by)]] = False
        self._leave_out(part, is_seen)
        view = PartView(part, is_seen)
        if view.is_plain and isinstance(part, Segment):
            return self._shared.setdefault(part.stamp, view)
        return view

    def _seen(self, part: Part) -> "Array":
        """Tell which items the branch can see, replaced or not."""
        import numpy as np_

        if self._within.is_present and isinstance(part, Segment):
            return np_.arange(len(part)) < part.live
        if self._ends_before(part):
            ancestors = [ancestor for ancestor, _upto in self._within.lineage]
            return np_.isin(part.column("branch"), ancestors)
        return self._is_visible(part.column("branch"), part.column("version"))

    def _ends_before(self, part: Part) -> bool:
        """Tell whether the branch sees all versions of a part that its ancestors wrote."""
        return all(
            part.last <= min(upto, self._within.bound) for _one, upto in self._within.lineage
        )

    def _is_visible(self, branch: "Array", version: "Array") -> "Array":
        """Tell which versions of branches the branch can see."""
        import numpy as np_

        found = np_.zeros(len(version), dtype=bool)
        for ancestor, upto in self._within.lineage:
            found |= (branch == ancestor) & (version <= min(upto, self._within.bound))
        return found

    def _leave_out(self, part: Part, is_seen: "Array") -> None:
        """Leave out what the query must not see, so that nothing of it can count."""
        import numpy as np_

        if self._may_leave_out(part):
            is_seen &= np_.isin(part.column("keyspace"), self._within.keyspaces)
        if self._within.wholes is not None:
            whole = part.column("whole")
            is_seen &= (whole == 0) | is_among(whole, self._within.wholes)

    def _may_leave_out(self, part: Part) -> bool:
        """Tell whether a part may have items of keyspaces that the query must not see."""
        allowed = self._within.keyspaces
        return not isinstance(part, Segment) or not set(part.summary.keyspaces).issubset(allowed)

    def __len__(self) -> int:
        return sum(map(len, self.views()))

    def shows(self, versions: "Array") -> "Array":
        """Tell which versions are visible."""
        import numpy as np_

        found = [view.part.take("version", view.items_of(versions)) for view in self.views()]
        return is_among(versions, np_.sort(np_.concatenate([np_.empty(0, dtype="i8"), *found])))

    def holds(self, forms: tuple[int, ...]) -> bool:
        """Tell whether any visible item holds a term, in any of its forms."""
        return any(len(view.postings(form).items) for view in self.views() for form in forms)

    def labelled(self, labels: Sequence[int]) -> list[int]:
        """Return how many visible items carry each label."""
        import numpy as np_

        found = [0] * len(labels)
        asked = np_.asarray(labels, dtype="<u4")
        for view in self.views() if labels else ():
            # Most words of a question are no label at all.
            for number in view.part.known_labels(asked):
                found[int(number)] += len(view.labelled(labels[int(number)]))
        return found
