"""Category state: cells with a counter, for what several agents write."""

from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from strata.base import limits
from strata.base.values import Json
from strata.tools.declare import ToolGroup
from strata.tools.developer.shapes import AsOf, older
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.memory import Cell

state = ToolGroup("developer", pattern="strata_state_{}", shared=("branch", "space"))

Name = Annotated[str, "Name of the cell"]
Content = Annotated[Json, "Any JSON value"]


class CellWritten(Struct, frozen=True):
    """The store-wide number of a write to a cell, and the cell's own counter."""

    version: int
    counter: int


class CellValue(Struct, frozen=True, omit_defaults=True):
    """What a cell holds or held; `state` is there when it can no longer be read."""

    value: Json
    version: int
    timestamp: int
    counter: int
    state: str | UnsetType = UNSET


class CompareAnswer(Struct, frozen=True, omit_defaults=True):
    """The new version with the new counter, or a null result when the comparison failed."""

    result: int | None
    counter: int | UnsetType = UNSET


@state.writes(name="set", idempotent=True, example={"cell": "leader", "value": "agent-1"})
def set_(call: Call, *, cell: Name, value: Content) -> CellWritten:
    """Write a cell whatever it holds.

    Its `counter` grows by one with each write. To write only if no other writer did use
    strata_state_cas; only if absent, strata_state_init.
    """
    return _written(call.target.state.set(cell, value))


@state.reads(example={"cell": "leader"})
def get(call: Call, *, cell: Name, as_of: AsOf = None) -> CellValue | None:
    """Read a cell with its counter.

    Answers {value, version, timestamp, counter}, or {result: null} when it is absent. Pass the
    `counter`, not the `version`, to strata_state_cas.
    """
    found = call.at(as_of).state.get(cell)
    return None if found is None else _cell_value(found)


@state.writes(idempotent=True, destructive=True, example={"cell": "leader"})
def delete(call: Call, *, cell: Name) -> bool:
    """Delete a cell; answer whether it existed.

    The counter goes on from where it was if the cell is written again.
    """
    return call.target.state.delete(cell)


@state.writes(idempotent=True, example={"cell": "leader", "value": "agent-1"})
def init(call: Call, *, cell: Name, value: Content) -> CellWritten:
    """Write a cell only if it is absent.

    Answers the version it has then; if that is an older one, another writer was first. Nothing is
    changed in that case.
    """
    return _written(call.target.state.init(cell, value))


@state.writes(example={"cell": "leader", "value": "agent-2", "expected_counter": 1})
def cas(
    call: Call,
    *,
    cell: Name,
    value: Content,
    expected_counter: Annotated[
        int | None,
        Meta(description="The `counter` you read; left out: the cell must be absent", ge=0),
    ] = None,
) -> CompareAnswer:
    """Write a cell only if its counter is still what you read.

    Answers {result: new version, counter}, or {result: null} when another writer wrote in between:
    then read it again with strata_state_get and decide anew.
    """
    found = call.target.state.cas(cell, value, expected_counter)
    return CompareAnswer(None) if found is None else CompareAnswer(found.version, found.counter)


@state.reads(name="list", lists="keys", example={"prefix": "lead"})
def list_(
    call: Call,
    *,
    prefix: Annotated[str | None, "Only cells whose names begin so"] = None,
    as_of: AsOf = None,
) -> list[str]:
    """List the names of cells in order.

    Answers {keys}.
    """
    kind, names = call.at(as_of).state, list[str]()
    while found := kind.list(
        prefix or "", limit=limits.PAGE_ITEMS_MAX, after=names[-1] if names else None
    ):
        names += found
    return names


@state.reads(lists="versions", resume=older, example={"cell": "leader"})
def history(call: Call, *, cell: Name, as_of: AsOf = None) -> list[CellValue] | None:
    """List what a cell held, newest first.

    Answers {versions}, or {result: null} for a cell that never was.
    """
    return [_cell_value(found) for found in call.at(as_of).state.history(cell)] or None


def _written(cell: "Cell") -> CellWritten:
    return CellWritten(cell.version, cell.counter)


def _cell_value(cell: "Cell") -> CellValue:
    gone = UNSET if cell.state == "live" else cell.state
    return CellValue(cell.value, cell.version, cell.timestamp, cell.counter, gone)
