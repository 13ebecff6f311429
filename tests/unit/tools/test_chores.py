"""Long work that a call starts and does not wait for."""

import threading

import strata
from strata.base.errors import NotAllowed
from strata.tools.chores import Chores, Report


def ended(chores: Chores, name: str) -> None:
    """Wait until a piece of work has ended."""
    for thread in threading.enumerate():
        if thread.name == f"strata-{name}":
            thread.join(60)


def test_work_reports_how_far_it_is_and_its_result_is_kept() -> None:
    chores, db = Chores(), strata.open(None)
    reported, goes_on = threading.Event(), threading.Event()

    def work(_db: strata.Workspace, report: Report) -> dict[str, int]:
        report("half", 1, 2)
        reported.set()
        assert goes_on.wait(60)
        return {"found": 7}

    assert chores.state("count") is None
    chores.start("count", db, work)
    assert reported.wait(60)
    state = chores.state("count")
    assert state is not None
    assert (state.is_running, state.step, state.done, state.total) == (True, "half", 1, 2)
    # The same work is not begun twice.
    assert chores.start("count", db, work).started == state.started
    goes_on.set()
    ended(chores, "count")
    state = chores.state("count")
    assert state is not None
    assert (state.is_running, state.result, state.error) == (False, {"found": 7}, None)
    db.close()


def test_work_that_fails_says_why_and_can_be_started_again() -> None:
    chores, db = Chores(), strata.open(None)

    def refused(_db: strata.Workspace, _report: Report) -> dict[str, int]:
        raise NotAllowed("Not today.")

    def broken(_db: strata.Workspace, _report: Report) -> dict[str, int]:
        raise ZeroDivisionError

    for work, said in ((refused, "Not today."), (broken, "the log of the server")):
        chores.start("try", db, work)
        ended(chores, "try")
        state = chores.state("try")
        assert state is not None
        assert said in (state.error or "")
    db.close()


def test_stopping_ends_work_at_its_next_report() -> None:
    chores, db = Chores(), strata.open(None)
    begun, stopped = threading.Event(), threading.Event()

    def work(_db: strata.Workspace, report: Report) -> dict[str, int]:
        begun.set()
        while not stopped.is_set():
            report("on and on", 0, 0)
        return {}

    chores.start("endless", db, work)
    assert begun.wait(60)
    chores.stop()
    state = chores.state("endless")
    stopped.set()
    assert state is not None
    assert state.error == "The server stops."
    db.close()
