"""Several threads for one list of work; native code that they run lets them run side by side."""

import os
import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

from strata.base import limits

_Job = TypeVar("_Job")
_Done = TypeVar("_Done")


def cores() -> int:
    """Return how many threads can run side by side here, up to a bound."""
    if hasattr(os, "sched_getaffinity"):
        found = len(os.sched_getaffinity(0))
    else:
        found = os.cpu_count() or 1
    return min(found, limits.EMBED_WORKERS_MAX)


def in_threads(
    work: Callable[[_Job], _Done], jobs: Sequence[_Job], workers: int = 1
) -> list[_Done]:
    """Return what becomes of each job, in their order; raise what one of them raised.

    The caller is one of the workers, and none outlives the call: when it returns, no thread is
    inside a model.
    """
    left = iter(enumerate(jobs))
    done: dict[int, _Done] = {}
    failures: list[BaseException] = []

    def run() -> None:
        for at, job in left:
            if failures:
                return
            try:
                done[at] = work(job)
            except BaseException as error:  # noqa: BLE001  (the caller raises it)
                failures.append(error)

    helpers: list[threading.Thread] = []
    for _ in range(min(workers, len(jobs)) - 1):
        helper = threading.Thread(target=run, name="strata-work")
        try:
            helper.start()
        except RuntimeError:
            break  # the interpreter is about to end, or threads ran out: fewer do the work
        helpers.append(helper)
    run()
    for helper in helpers:
        helper.join()
    if failures:
        raise failures[0]
    return [done[at] for at in range(len(jobs))]
