"""What follows from the values made anew: the text index, and the tables for SQL."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import msgspec

from strata.base.errors import Damaged
from strata.base.results import Result
from strata.sql import Row
from strata.store import (
    BINARY,
    DELETED,
    ERASED,
    TRIMMED,
    IndexEntry,
    StagedChange,
    Store,
    forget_counts,
    forget_text_counts,
    insert_words,
    meta_of,
    onward,
    plain,
    settle,
    wrong_checkpoints,
)
from strata.upkeep.retention import Progress

# Versions of one transaction: others wait for it no longer than for a large put.
_PAGE = 500
_GONE = DELETED | TRIMMED | ERASED

# Gives what the index has to keep of a version, with the words not given before.
EntryOf: TypeAlias = Callable[[Row], IndexEntry | None]


class Reindex(Result, frozen=True):
    """How many versions were looked at, and how many of them had another entry, or none.

    `rows` are those of the tables for SQL that were wrong or missing. `segments` of the index were
    damaged, and are made anew from the entries.
    """

    versions: int
    changed: int
    rows: int = 0
    segments: int = 0
    # Versions that cannot be read, whose entries stay as they are.
    damaged: tuple[int, ...] = ()


def change_of(row: Row, space: str, kind: str) -> StagedChange:
    """Return a version as the change that wrote it, as far as the text index looks at it."""
    number, timestamp, flags, value, meta, _branch, _keyspace, key, *_ = row
    if flags & _GONE:
        return StagedChange(space, kind, key, flags=DELETED)
    record = (number, timestamp, flags, value, meta)
    tags = tuple(meta_of(record).get("tags", ())) if kind == "kv" else ()
    return StagedChange(space, kind, key, plain(record), flags & BINARY, meta, tags)


def reindex(
    store: Store,
    entry: EntryOf,
    *,
    renew: Callable[[Sequence[int]], object],
    changed: Callable[[Sequence[int]], object],
    progress: Progress | None = None,
) -> Reindex:
    """Compare every entry with its value and write those that differ or are missing.

    Inside the transaction `renew` gets the versions that have a text and had none, and `changed`
    all whose entries were wrong.
    """
    seen = wrong = rows_changed = 0
    last, damaged = store.last_version(), list[int]()
    for rows in _pages(store, last, damaged):
        seen += len(rows)
        made = [(row, _entry_of(row, entry, damaged)) for row in rows if not row[2] & _GONE]
        readable = [one for one in made if one[0][0] not in damaged]
        wrong += _write(store, readable, renew=renew, changed=changed)
        if progress is not None:
            progress("text index", min(rows[-1][0], last), last)
    # The tables for SQL and the numbers of keys follow from the values, where all can be read.
    if not damaged:
        rows_changed = 0 if store.projector is None else store.projector.rebuild(store)
        rows_changed += _count_anew(store)
    return Reindex(seen, wrong, rows_changed, damaged=tuple(damaged))


def _count_anew(store: Store) -> int:
    """Make wrong numbers of keys again, and those behind them; return how many were wrong."""
    with store.writing():
        wrong = list(wrong_checkpoints(store))
        if wrong:
            forget_counts(store, min(wrong))
    settle(store)
    return len(wrong)


def _pages(store: Store, last: int, damaged: list[int]) -> Iterator[list[Row]]:
    """Yield the versions, many at a time; around damage one by one, as far as they can be read."""
    statement, after, size = store.queries.entries_after, 0, _PAGE
    while after < last:
        try:
            rows = store.connection().rows(statement, (after, size))
        except Damaged:
            if size == 1:
                after += 1
                damaged.append(after)
            size = 1
            continue
        if not rows:
            return
        yield rows
        after, size = onward(rows[-1][0], after), _PAGE if size == _PAGE else 1


def _entry_of(row: Row, entry: EntryOf, damaged: list[int]) -> IndexEntry | None:
    try:
        return entry(row)
    except (Damaged, msgspec.MsgspecError, ValueError):  # no value any more, or no JSON
        damaged.append(row[0])
        return None


def _write(
    store: Store,
    made: Sequence[tuple[Row, IndexEntry | None]],
    *,
    renew: Callable[[Sequence[int]], object],
    changed: Callable[[Sequence[int]], object],
) -> int:
    words = {word for _row, entry in made if entry is not None for word in entry.new_words}
    wrong = [(row[0], data) for row, entry in made if row[9] != (data := _data(entry))]
    if not words and not wrong:
        return 0
    queries = store.queries
    with store.writing() as connection:
        insert_words(store, sorted(words))
        if wrong:
            connection.run_many(queries.set_entry, wrong)
            forget_text_counts(store, wrong[0][0])
            missing = {row[0] for row, _entry in made if row[9] is None}
            renew([number for number, _data in wrong if number in missing])
            changed([number for number, _data in wrong])
            # What processes hold in memory of the index is wrong too.
            connection.run(queries.bump_removals)
    return len(wrong)


def _data(entry: IndexEntry | None) -> bytes | None:
    return None if entry is None else entry.data
