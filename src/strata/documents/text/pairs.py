"""Characters that take two UTF-16 units, and edits that cut them in two.

Yjs counts UTF-16 units, so one of its peers can delete half of an emoji. Yjs then shows U+FFFD for
either half. The library below loses a unit there, after which its text and its numbers differ from
everybody else's for good. So before such an edit is applied, the character is replaced by
its two halves in everything that was known before, which is what Yjs does by itself.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from strata.documents.text.updates import ASTRAL, Id, Item, Update

HALVES = "\ufffd\ufffd"


class Step(NamedTuple):
    """A piece of a change: keep some bytes (of UTF-8), then drop some, then put something new."""

    keep: int
    drop: int
    put: str


def middles(items: Iterable[Item]) -> Iterator[Id]:
    """Yield the id of the second unit of every character that has two."""
    for item in items:
        if not item.text.isascii():
            # Each one before it makes the clock run one ahead of the offset.
            for ahead, found in enumerate(ASTRAL.finditer(item.text), 1):
                yield item.client, item.clock + found.start() + ahead


def cuts(update: Update, known: Mapping[int, int]) -> Iterator[Id]:
    """Yield every id before which an update needs an item to begin."""
    for item in update.items:
        yield item.client, known.get(item.client, 0)
        if item.origin:
            yield item.origin[0], item.origin[1] + 1
        if item.right:
            yield item.right
    for gone in update.deletions:
        yield gone.client, gone.clock
        yield gone.client, gone.clock + gone.length


def halved(update: Update, cut: set[Id]) -> Update:
    """Return the update with the halves of those characters in place of each."""
    clients = {client for client, _ in cut}
    items = [
        _halved(item, cut) if item.client in clients and not item.text.isascii() else item
        for item in update.items
    ]
    return Update(items, update.deletions)


def _halved(item: Item, cut: set[Id]) -> Item:
    broken = [clock - item.clock for client, clock in middles([item]) if (client, clock) in cut]
    if not broken:
        return item
    raw = bytearray(item.text.encode("utf-16-le"))
    for unit in broken:
        raw[2 * unit - 2 : 2 * unit + 2] = HALVES.encode("utf-16-le")
    return item._replace(text=raw.decode("utf-16-le"))


def halvings(before: str, after: str) -> list[Step]:
    """Return what happened to a text in which some characters became their two halves."""
    steps: list[Step] = []
    done = more = 0
    for found in ASTRAL.finditer(before):
        start = found.start()
        if after[start + more] != found[0]:
            steps.append(Step(len(before[done:start].encode()), len(found[0].encode()), HALVES))
            done = start + 1
            more += 1
    return steps
