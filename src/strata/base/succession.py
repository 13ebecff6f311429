"""The order of things of which some replace others."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def after_successors(things: Iterable[T], successors: Callable[[T], Iterable[T]]) -> Iterator[T]:
    """Yield things in their order, but each behind all that replaces it.

    What replaces a thing is yielded even if it is none of the things. Of things that replace each
    other in a circle, the first one comes last.

    >>> list(after_successors(["old", "other"], lambda thing: ["new"] if thing == "old" else []))
    ['new', 'old', 'other']
    """
    seen = set[T]()
    for thing in things:
        path = [thing] if thing not in seen else []
        while path:
            seen.add(path[-1])
            newer = next((one for one in successors(path[-1]) if one not in seen), None)
            if newer is None:
                yield path.pop()
            else:
                path.append(newer)
