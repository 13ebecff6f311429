"""A copy of a whole store in another place: from a file to PostgreSQL, back, or between two."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from strata.base import limits
from strata.base.errors import DamagedStore
from strata.base.results import Result
from strata.sql import (
    Row,
    RowSum,
    StoredRows,
    UnfinishedStore,
    copied_tables,
    digest_of_row,
    filling_rows,
    keys_of_tables,
    open_existing,
    parse_address,
    reading_rows,
)
from strata.store import Store
from strata.upkeep.retention import Progress
from strata.upkeep.verifying import verify as verify_store

# Rows between two reports of progress.
_REPORTED = 500
# A table whose rows are never changed or deleted. If an earlier attempt has others of them, it
# copied another store, or a state of this one that a backup has replaced.
_ONLY_GROWS = "audit"


class StoreCopy(Result, frozen=True):
    """A finished copy: where it came from, where it is, and how much is in it.

    Where it went on with an earlier attempt, `kept` says how many rows of that were still right,
    and `outdated` how many were not, because the store had changed since.
    """

    source: str
    target: str
    versions: int
    rows: int
    kept: int = 0
    outdated: int = 0


def copy_store(
    source: Path | str,
    target: Path | str,
    *,
    verify: bool = True,
    progress: Progress | None = None,
) -> StoreCopy:
    """Copy one state of a store, with its whole past, to a place where there is none yet.

    The copy gets its name when it is complete. What a copy that was cut short has brought is
    compared with the store as it is now; rows that are the same are not sent again.
    """
    with reading_rows(source) as original, filling_rows(target) as copy:
        filling = _Filling(original, copy, progress)
        try:
            filling.fill()
            copy.seal()
            if verify:
                _check(copy.place, progress)
        except DamagedStore:
            copy.discard()
            raise
        copy.settle()
    rows = filling.rows
    return StoreCopy(
        _name_of(source),
        _name_of(target),
        rows["versions"],
        rows.total(),
        filling.kept,
        filling.outdated,
    )


class _Filling:
    """The work of making the rows of an unfinished store those of another one."""

    def __init__(
        self, original: StoredRows, copy: UnfinishedStore, progress: Progress | None
    ) -> None:
        self._original = original
        self._copy = copy
        self._progress = progress
        # How many rows each table has; of those that were there, how many stayed and how many not.
        self.rows = Counter[str]()
        self.kept = self.outdated = 0

    def fill(self) -> None:
        """Write the rows that are missing and read all back."""
        tables = copied_tables()
        if self._is_of_another_past():
            self.outdated = sum(map(self._copy.count, tables))
            self._copy.clear()
        meter = _Meter(self._progress, "rows", sum(map(self._original.count, tables)))
        for table, columns in tables.items():
            same = self._without_outdated(table, columns)
            self.kept += len(same)
            sent, found = RowSum(), RowSum()
            rows = meter.passing(sent.passing(self._original.read(table, columns)))
            missing = rows if not same else (row for row in rows if digest_of_row(row) not in same)
            for batch in _batches(missing):
                self._copy.write(table, columns, batch)
            found.add_rows(self._copy.read(table, columns))
            if sent != found:
                raise DamagedStore(
                    f"The rows of the table {table!r} are not the same in the copy: {sent.rows} "
                    f"were sent, {found.rows} are there.",
                    hint="Nothing was kept. `db.verify()` checks the store that was copied.",
                    table=table,
                )
            self.rows[table] = sent.rows

    def _is_of_another_past(self) -> bool:
        """Whether an earlier attempt has copied what was never a state of this store."""
        columns = copied_tables()[_ONLY_GROWS]
        there = {digest_of_row(row) for row in self._copy.read(_ONLY_GROWS, columns)}
        if there:
            there.difference_update(map(digest_of_row, self._original.read(_ONLY_GROWS, columns)))
        return bool(there)

    def _without_outdated(self, table: str, columns: Sequence[str]) -> set[int]:
        """Delete rows of an earlier attempt that are not in the store; return sums of the others.

        Before any row of the table is written: an outdated one may have a name that a new one has.
        """
        count = self._copy.count(table)
        if not count:
            return set()
        meter = _Meter(self._progress, "compared", count + self._original.count(table))
        there = {digest_of_row(row) for row in meter.passing(self._copy.read(table, columns))}
        rows = meter.passing(self._original.read(table, columns))
        same = {digest for row in rows if (digest := digest_of_row(row)) in there}
        if len(same) < count:
            key = keys_of_tables()[table]
            places = [columns.index(column) for column in key]
            outdated = [
                tuple(row[place] for place in places)
                for row in self._copy.read(table, columns)
                if digest_of_row(row) not in same
            ]
            self._copy.delete(table, key, outdated)
            self.outdated += len(outdated)
        return same


def _batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Give rows on in groups, each of which is kept when it is written."""
    batch: list[Row] = []
    size = 0
    for row in rows:
        batch.append(row)
        size += sum(len(value) for value in row if isinstance(value, bytes | str))
        if len(batch) >= limits.COPIED_ROWS or size >= limits.COPIED_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


class _Meter:
    """Reports rows as they pass."""

    def __init__(self, progress: Progress | None, stage: str, total: int) -> None:
        self._progress = progress
        self._stage = stage
        self._total = total
        self.done = 0

    def passing(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Give rows on as they come."""
        for row in rows:
            yield row
            self.done += 1
            if self._progress is not None and self.done % _REPORTED == 0:
                self._progress(self._stage, self.done, self._total)


def _check(place: Path | str, progress: Progress | None) -> None:
    """Raise DamagedStore unless the copy verifies; its rows are those of the original."""
    with closing(open_existing(place)) as database:
        found = verify_store(Store(database), progress=progress)
    if not found.ok:
        raise DamagedStore(
            f"The store that was copied is damaged: {found.problems[0].message}",
            hint="No copy was kept. `db.verify()` lists what is wrong; --no-verify (in Python, "
            "verify=False) copies it as it is.",
            problems=[one.message for one in found.problems],
        )


def _name_of(place: Path | str) -> str:
    return parse_address(place).display if isinstance(place, str) else str(place)
