"""State cells: values with a counter of their own, for compare-and-set."""

from typing import Any

import msgspec

from strata.base.checks import check_number
from strata.base.results import TimedResult
from strata.base.values import Json
from strata.memory.keyed import Keyed, as_version
from strata.store import (
    GONE,
    TRIMMED,
    Address,
    Record,
    StagedChange,
    Transaction,
    check_key,
    meta_of,
    plain,
)


class Cell(TimedResult, frozen=True, gc=False):
    """A cell's value; `counter` grows by one with each write to the cell."""

    value: Any
    version: int
    timestamp: int
    counter: int
    state: str = "live"


class State(Keyed):
    """Cells for coordination. Reached as `db.state`."""

    kind = "state"

    def __setitem__(self, cell: str, value: Json) -> None:
        self.set(cell, value)

    def get(self, cell: str) -> Cell | None:
        """Return what a cell holds, or None.

        >>> _ = db.state.set("leader", "박")
        >>> db.state.get("leader").value
        '박'
        """
        record = self._view.snapshot.get(self._space, "state", check_key(cell, what="cell"))
        if record is None or record[2] & GONE:
            return None
        plain(record)
        return as_cell(record)

    def set(self, cell: str, value: Json) -> Cell:
        """Write a cell whatever it holds.

        >>> db.state.set("n", 1).counter, db.state.set("n", 2).counter
        (1, 2)
        """
        return self._write(cell, value, "set")

    def init(self, cell: str, value: Json) -> Cell:
        """Write a cell only if it is absent; return what it holds then.

        >>> db.state.init("once", "first").value, db.state.init("once", "second").value
        ('first', 'first')
        """
        value, data = self._encoded(cell, value)
        with self._view.writing("init", about=self._about(cell)) as transaction:
            record = self._record(transaction, cell)
            if record is not None and not record[2] & GONE:
                return as_cell(record)
            return self._stage(transaction, cell, record, value=value, data=data)

    def cas(self, cell: str, value: Json, expected: int | None = None) -> Cell | None:
        """Write a cell only if its counter is `expected`; None means it must be absent.

        Returns the new cell, or None when the comparison failed.

        >>> first = db.state.cas("lock", "mine")
        >>> db.state.cas("lock", "yours") is None
        True
        >>> db.state.cas("lock", "free", expected=first.counter).counter
        2
        """
        if expected is not None:
            check_number(expected, name="expected", least=0)
        value, data = self._encoded(cell, value)
        with self._view.writing("cas", about=self._about(cell)) as transaction:
            record = self._record(transaction, cell)
            is_absent = record is None or record[2] & GONE
            found = None if record is None or is_absent else meta_of(record)["counter"]
            if found != expected:
                return None
            return self._stage(transaction, cell, record, value=value, data=data)

    def history(self, cell: str, *, limit: int | None = None) -> "list[Cell]":  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return what the cell held, newest first.

        >>> _ = db.state.set("c", 1); _ = db.state.set("c", 2)
        >>> [(found.value, found.counter) for found in db.state.history("c")]
        [(2, 2), (1, 1)]
        """
        check_key(cell, what="cell")
        records = self._view.snapshot.history(self._space, "state", cell, limit=limit)
        return [as_cell(record) for record in records]

    def _write(self, cell: str, value: Json, operation: str) -> Cell:
        value, data = self._encoded(cell, value)
        with self._view.writing(operation, about=self._about(cell)) as transaction:
            record = self._record(transaction, cell)
            return self._stage(transaction, cell, record, value=value, data=data)

    def _encoded(self, cell: str, value: Json) -> tuple[Json, bytes]:
        check_key(cell, what="cell")
        return self._view.encoded(value, name=cell, before=lambda: self._held(cell))

    def _about(self, cell: str) -> list[Address]:
        return [(self._space, "state", cell)]

    def _record(self, transaction: Transaction, cell: str) -> Record | None:
        return transaction.get(self._space, "state", cell)

    def _stage(
        self,
        transaction: Transaction,
        cell: str,
        record: Record | None,
        *,
        value: Json,
        data: bytes,
    ) -> Cell:
        """Write a cell in place of what a record held.

        A deleted cell keeps its counter, so that an old expectation never fits again.
        """
        counter = (meta_of(record).get("counter", 0) if record is not None else 0) + 1
        meta = msgspec.json.encode({"counter": counter})
        number, timestamp = transaction.stage(
            StagedChange(self._space, "state", cell, data, meta=meta)
        )
        return Cell(value, number, timestamp, counter)


def as_cell(record: Record) -> Cell:
    """Return the public form of a cell's version."""
    found = as_version(record)
    counter = 0 if record[2] & TRIMMED else meta_of(record).get("counter", 0)
    return Cell(found.value, found.version, found.timestamp, counter, found.state)
