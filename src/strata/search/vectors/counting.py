"""How many texts come after a position, counted once and then kept up to date.

A search asks at every call, and a store may have a hundred thousand of them. So a count is
remembered, and only what was written, and what was passed, since then is counted.
"""

from typing import NamedTuple, TypeAlias

from strata.store import Store, count_texts

# Which texts: those that need the multilingual model, the others, or all.
Scope: TypeAlias = bool | None


class _Known(NamedTuple):
    """A count of the texts in (position, last], as long as nothing was taken out."""

    removals: int
    position: int
    last: int
    texts: int


class TextCount:
    """Counts the texts of a store exactly, those of documents too or not. Safe from threads."""

    def __init__(self, store: Store, *, with_documents: bool) -> None:
        self._store = store
        self._with_documents = with_documents
        # By caller and scope: each has a position of its own that only moves on.
        self._known: dict[tuple[tuple[int, int], Scope], _Known] = {}

    def after(self, position: int, asker: tuple[int, int] = (0, 0), scope: Scope = None) -> int:
        """Return how many texts of a scope come after a position."""
        removals, last = self._store.removals(), self._store.last_version()
        known = self._known.get((asker, scope))
        if (
            known is None
            or known.removals != removals
            or known.position > position
            or known.last > last
        ):
            known = _Known(removals, position, position, 0)
        added = self._between(known.last, last, scope)
        passed = self._between(known.position, position, scope)
        count = known.texts + added - passed
        self._known[asker, scope] = _Known(removals, position, last, count)
        return count

    def _between(self, after: int, upto: int, scope: Scope) -> int:
        if upto <= after:
            return 0
        found = count_texts(self._store, after, upto)
        guarded = of_scope(found[2:], scope) if self._with_documents else 0
        return of_scope(found[:2], scope) + guarded


def of_scope(counts: tuple[int, ...], scope: Scope) -> int:
    """Return how many of plain and wide texts a scope has."""
    plain, wide = counts
    return plain + wide if scope is None else wide if scope else plain
