"""Who wrote what: runs of a text with their authors, carried on over its edits.

All edits are taken in at once, for a replica needs as long to tell one change as to tell all
together. Where the text is new, the ids of its characters say by which edit they came.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, groupby, pairwise
from typing import NamedTuple, Protocol

from msgspec import Struct

from strata.base.errors import InvalidArgument
from strata.documents.text.anchors import deleted, mark
from strata.documents.text.pairs import UTF16, Step, cuts
from strata.documents.text.replica import Replica, code_points
from strata.documents.text.updates import Id, Item, Update


class Run(Struct, frozen=True, array_like=True):
    """A piece of text that one author wrote at one time; `length` counts code points."""

    author: str
    via: str | None
    time: int
    length: int


class Edit(Protocol):
    """An update with its author, and the agent that made it for them."""

    @property
    def update(self) -> bytes: ...  # noqa: D102
    @property
    def author(self) -> str: ...  # noqa: D102
    @property
    def via(self) -> str | None: ...  # noqa: D102
    @property
    def time(self) -> int: ...  # noqa: D102


class Mark(NamedTuple):
    """What a run says of its text."""

    author: str
    via: str | None
    time: int


# A length in UTF-8 bytes, and whose text it is.
Piece = tuple[int, Mark]


def blame(runs: Sequence[Run], state: bytes | None, entries: Iterable[Edit]) -> list[Run]:
    """Return the runs of the text after more edits; `runs` are those of the text in `state`."""
    edits = list(entries)
    replica = Replica(state=state)
    pieces = _in_bytes(runs, replica.text)
    if edits:
        known = dict(replica.known)
        said, halves, steps = replica.follow(edit.update for edit in edits)
        text = replica.text
        written = list(_written(said, edits, known))
        pieces = _carried(_carried(pieces, halves, None), steps, _in_order(written, replica))
    else:
        text = replica.text
    return _in_code_points(pieces, text)
