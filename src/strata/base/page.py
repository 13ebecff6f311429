"""Lists that end at their limit, and say so."""

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")
P = TypeVar("P", str, int)


class ResultPage(list[T], Generic[T, P]):
    """A list of at most as many results as were asked for.

    `more` tells whether there are others, and `next` is what to pass as `after` (or `before`,
    where the newest come first) to get them; None at the end.
    """

    def __init__(self, found: Iterable[T] = (), *, next: P | None = None) -> None:
        super().__init__(found)
        self.next = next

    def __repr__(self) -> str:
        shown = super().__repr__()
        return f"<ResultPage {shown}, more after {self.next!r}>" if self.more else shown

    @property
    def more(self) -> bool:
        """Whether there are results behind this page."""
        return self.next is not None


def cut_page(found: Sequence[T], limit: int, place: Callable[[T], P]) -> ResultPage[T, P]:
    """Return a page of what was found; one result beyond the limit shows that there is more."""
    if len(found) <= limit:
        return ResultPage(found)
    kept = found[:limit]
    return ResultPage(kept, next=place(kept[-1]))
