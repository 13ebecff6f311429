"""How far long work is that a page has started."""

from typing import Any

from strata.tools.page.group import PageAnswer, iso
from strata.tools.session import Call

_MICROSECONDS = 1_000_000


class WorkLine(PageAnswer, frozen=True):
    """A piece of long work: going on while `ended` is null, then its result or its error."""

    started: str
    ended: str | None
    step: str
    done: int
    total: int
    result: dict[str, Any] | None
    error: str | None


def work_line(call: Call, name: str) -> WorkLine | None:
    """Return how far a piece of work is, or how the last one ended."""
    state = call.session.host.chores.state(name)
    if state is None:
        return None
    return WorkLine(
        started=iso(int(state.started * _MICROSECONDS)),
        ended=None if state.ended is None else iso(int(state.ended * _MICROSECONDS)),
        step=state.step,
        done=state.done,
        total=state.total,
        result=state.result,
        error=state.error,
    )
