"""A copy of a whole store in another place: from a file to PostgreSQL, back, or between two."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

from strata.base.errors import AlreadyExists, DamagedStore
from strata.base.results import Result
from strata.sql import (
    Row,
    RowSum,
    StoredRows,
    copied_tables,
    delete_workspace,
    filling_rows,
    open_existing,
    parse_address,
    reading_rows,
)
from strata.store import Store
from strata.upkeep.partial_files import PartialFiles
from strata.upkeep.retention import Progress
from strata.upkeep.verifying import verify as verify_store

# Rows between two reports of progress.
_REPORTED = 500


class StoreCopy(Result, frozen=True):
    """A finished copy: where it came from, where it is, and how much is in it."""

    source: str
    target: str
    versions: int
    rows: int


def copy_store(
    source: Path | str,
    target: Path | str,
    *,
    verify: bool = True,
    progress: Progress | None = None,
) -> StoreCopy:
    """Copy one state of a store, with its whole past, to a place where there is none yet.

    The copy appears when it is complete: a file gets its name then, and a workspace is written in
    one transaction. After a copy that was cut short there is nothing, and it can be started again.
    """
    with reading_rows(source) as original:
        if isinstance(target, Path):
            counts = _copy_to_file(original, target, verify=verify, progress=progress)
        else:
            counts = _copy_to_server(original, target, verify=verify, progress=progress)
    return StoreCopy(_name_of(source), _name_of(target), counts["versions"], sum(counts.values()))


def _copy_to_file(
    original: StoredRows, target: Path, *, verify: bool, progress: Progress | None
) -> Counter[str]:
    if target.exists():
        raise AlreadyExists(
            f"{target} exists already.",
            hint="Name a file that does not exist: a store is copied to an empty place only.",
            path=str(target),
        )
    with PartialFiles(target) as unfinished:
        part = unfinished.file(".part")
        counts = _fill(original, part, progress)
        if verify:
            _check(part, progress)
        unfinished.settle(part)
    return counts


def _copy_to_server(
    original: StoredRows, target: str, *, verify: bool, progress: Progress | None
) -> Counter[str]:
    counts = _fill(original, target, progress)
    try:
        if verify:
            _check(target, progress)
    except DamagedStore:
        delete_workspace(target, parse_address(target).workspace)
        raise
    return counts


def _fill(original: StoredRows, place: Path | str, progress: Progress | None) -> Counter[str]:
    """Write all rows and read them back; return how many each table has."""
    tables, counts = copied_tables(), Counter[str]()
    meter = _Meter(progress, sum(original.count(table) for table in tables))
    with filling_rows(place) as copy:
        for table, columns in tables.items():
            sent, found = RowSum(), RowSum()
            copy.write(table, columns, meter.passing(sent.passing(original.read(table, columns))))
            found.add_rows(copy.read(table, columns))
            if sent != found:
                raise DamagedStore(
                    f"The rows of the table {table!r} are not the same in the copy: {sent.rows} "
                    f"were sent, {found.rows} are there.",
                    hint="Nothing was kept. `db.verify()` checks the store that was copied.",
                    table=table,
                )
            counts[table] = sent.rows
    return counts


class _Meter:
    """Reports rows as they pass."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self._progress = progress
        self._total = total
        self.done = 0

    def passing(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Give rows on as they come."""
        for row in rows:
            yield row
            self.done += 1
            if self._progress is not None and self.done % _REPORTED == 0:
                self._progress("rows", self.done, self._total)


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
