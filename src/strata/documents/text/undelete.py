"""Bringing deleted words back so that every branch brings back the same ones.

A merge keeps words that the other side has deleted. Yjs never takes a deletion back, so they are
written anew. If two branches wrote them anew each in its own way, a later merge of the two would
have them twice. So the client and the clocks of what returns follow from the ids of what was
deleted: two branches that keep the same words make the same update.
"""

import hashlib
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from strata.documents.text.updates import (
    STRING,
    Deletion,
    Id,
    Update,
    UpdateStruct,
    read_update,
    units,
    write_update,
)

# A word with the blanks behind it. Each is put where its letters were, so that what others wrote
# between two words stays there.
_WORDS = re.compile(r"\S+\s*|\s+")


class _Run(NamedTuple):
    """Characters of one client that follow each other and were there before they were deleted."""

    client: int
    clock: int
    text: str
    # The character that the first one was written behind.
    origin: Id | None


def undeletions(state: bytes, deletions: Iterable[Deletion]) -> list[bytes]:
    """Return an update for each run of characters that were deleted since a state.

    Each writes these characters again, where they were.
    """
    written: dict[int, list[UpdateStruct]] = {}
    for item in read_update(state).items:
        if item.kind == STRING:
            written.setdefault(item.client, []).append(item)
    runs = (run for one in deletions for run in _runs(written.get(one.client, ()), one))
    return [_update(run) for run in runs]


def _runs(items: Sequence[UpdateStruct], gone: Deletion) -> list[_Run]:
    """Return what a client wrote of what was deleted; it may have been cut into several items."""
    runs: list[_Run] = []
    for item in items:
        start = max(item.clock, gone.clock)
        end = min(item.clock + item.length, gone.clock + gone.length)
        if start >= end:
            continue
        data = item.text.encode("utf-16-le", "surrogatepass")
        text = data[2 * (start - item.clock) : 2 * (end - item.clock)].decode("utf-16-le", "ignore")
        last = runs[-1] if runs else None
        if last is not None and last.clock + units(last.text) == start:
            runs[-1] = last._replace(text=last.text + text)
        else:
            origin = item.origin if start == item.clock else (item.client, start - 1)
            runs.append(_Run(item.client, start, text, origin))
    return [run for run in runs if run.text]


def _update(run: _Run) -> bytes:
    client, clock = _client(run), 0
    items: list[UpdateStruct] = []
    for word in _words(run.text):
        # Between its first character and the next one: there only an author who edits it writes.
        first = run.clock + clock
        behind = first + units(word[0])
        origin, right = (run.client, behind - 1), (run.client, behind)
        if len(word) == 1:
            origin, right = run.origin, (run.client, first)
        items.append(UpdateStruct(client, clock, units(word), STRING, origin, right, word))
        clock += units(word)
    return write_update(Update(items, []))


def _words(text: str) -> list[str]:
    """Return a text in words of two characters or more, if it has so many."""
    words: list[str] = []
    for word in _WORDS.findall(text):
        if words and (len(word) == 1 or len(words[-1]) == 1):
            words[-1] += word
        else:
            words.append(word)
    return words


def _client(run: _Run) -> int:
    name = f"returned {run.client} {run.clock} {units(run.text)}"
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4]) or 1
