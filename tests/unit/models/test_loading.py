"""A model is loaded beside the work, once, and leaves when it is idle."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from strata.base import limits
from strata.base.errors import NotAllowed, Unavailable
from strata.models import Embedder, Loader
from strata.models.embedder import Kind


class Still:
    """An embedder that only stands there."""

    id = name = "still"
    dimension = tokens_max = 3
    languages = ("ko",)

    def embed(self, texts: Sequence[str], kind: Kind = "document") -> np.ndarray[Any, Any]:
        return np.ones((len(texts), 3), np.float32)


class Gate:
    """Loads when it is opened, and counts how often."""

    def __init__(self) -> None:
        self.opened = threading.Event()
        self.loads = 0

    def __call__(self) -> Embedder:
        self.loads += 1
        assert self.opened.wait(30)
        return Still()


def until(claim: Callable[[], bool]) -> None:
    limit = time.monotonic() + 30
    while not claim():
        assert time.monotonic() < limit, "it did not happen"
        time.sleep(0.005)


def test_nothing_is_loaded_before_it_is_needed() -> None:
    gate = Gate()
    loader = Loader("still", gate)
    assert loader.state == "not loaded"
    assert gate.loads == 0


def test_asking_begins_to_load_and_does_not_wait() -> None:
    gate = Gate()
    loader = Loader("still", gate)
    assert loader.get() is None
    assert loader.state == "loading"
    assert loader.wait(0.01) is None
    gate.opened.set()
    model = loader.wait(30)
    assert isinstance(model, Still)
    assert loader.state == "ready"
    assert loader.get() is model
    assert gate.loads == 1


def test_many_threads_load_once_and_get_the_same() -> None:
    gate = Gate()
    loader = Loader("still", gate)
    with ThreadPoolExecutor(8) as pool:
        waiting = [pool.submit(loader.wait, 30) for _ in range(8)]
        until(lambda: gate.loads > 0)
        gate.opened.set()
        found = {id(one.result(30)) for one in waiting}
    assert len(found) == 1
    assert gate.loads == 1


def test_preparing_loads_ahead() -> None:
    gate = Gate()
    gate.opened.set()
    loader = Loader("still", gate)
    loader.prepare()
    until(lambda: loader.state == "ready")
    loader.prepare()
    assert loader.get() is not None
    assert gate.loads == 1


@pytest.mark.parametrize(
    ("problem", "kind", "said"),
    [
        (NotAllowed("가져올 수 없다.", hint="Ask."), NotAllowed, "가져올 수 없다. Ask."),
        (OSError("disk on fire"), Unavailable, "could not be loaded: disk on fire"),
        (MemoryError(), Unavailable, "could not be loaded"),
    ],
)
def test_a_failure_is_told_to_whoever_waits_and_not_repeated_unasked(
    problem: Exception, kind: type[Exception], said: str
) -> None:
    attempts: list[int] = []

    def fail() -> Embedder:
        attempts.append(1)
        raise problem

    loader = Loader("broken", fail)
    for _ in range(2):
        with pytest.raises(kind, match=said):
            loader.wait(30)
    assert loader.state == "failed"
    assert said in (loader.reason or "")
    assert loader.get() is None
    assert len(attempts) == 1


def test_a_thread_that_cannot_start_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError("can't create new thread at interpreter shutdown")

    loader = Loader("late", Gate())
    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert loader.get() is None
    with pytest.raises(Unavailable, match="interpreter shutdown"):
        loader.wait(1)


def test_preparing_tries_again_after_a_failure() -> None:
    answers: list[Exception | Embedder] = [OSError("not yet"), Still()]

    def load() -> Embedder:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    loader = Loader("late", load)
    with pytest.raises(Unavailable):
        loader.wait(30)
    loader.prepare()
    assert loader.wait(30) is not None
    assert loader.reason is None


def test_an_idle_model_is_unloaded_and_comes_back() -> None:
    gate = Gate()
    gate.opened.set()
    loader = Loader("still", gate, idle_s=0.05)
    assert loader.wait(30) is not None
    until(lambda: loader.state == "not loaded")
    assert loader.wait(30) is not None
    assert gate.loads == 2


def test_a_model_in_use_stays() -> None:
    gate = Gate()
    gate.opened.set()
    loader = Loader("still", gate, idle_s=0.5)
    model = loader.wait(30)
    begun = time.monotonic()
    while time.monotonic() < begun + 1.2:
        assert loader.get() is model
        time.sleep(0.02)
    assert gate.loads == 1


def test_unloading_by_hand_leaves_no_timer_behind() -> None:
    gate = Gate()
    gate.opened.set()
    loader = Loader("still", gate)
    assert loader.wait(30) is not None
    timers = [one for one in threading.enumerate() if isinstance(one, threading.Timer)]
    loader.unload()
    assert loader.state == "not loaded"
    until(lambda: not any(timer.is_alive() for timer in timers[-1:]))


def test_a_model_that_is_not_installed_is_absent() -> None:
    assert Loader("none", Gate(), is_installed=lambda: False).state == "absent"


PARENT_AND_CHILD = """
import os, sys
from strata.models import loader
one = loader("minilm")
before = one.wait(60).embed(["부모와 자식"])
child = os.fork()
if child == 0:
    same = one.state == "not loaded" and (one.wait(60).embed(["부모와 자식"]) == before).all()
    os._exit(0 if same else 1)
_, status = os.waitpid(child, 0)
again = (one.get().embed(["부모와 자식"]) == before).all()
sys.exit(os.waitstatus_to_exitcode(status) or (0 if again else 2))
"""

FORK_WHILE_LOADING = """
import os, sys
from strata.models import loader
one = loader("multilingual")
one.prepare()
child = os.fork()
if child == 0:
    os._exit(0 if one.wait(60) is not None else 1)
_, status = os.waitpid(child, 0)
sys.exit(os.waitstatus_to_exitcode(status) or (0 if one.wait(60) is not None else 2))
"""

LEAVE_WHILE_LOADING = """
from strata.models import loader
loader("minilm").prepare()
loader("multilingual").prepare()
"""

FREED_BY_LOADING = """
import sys
from pathlib import Path
from strata.models import Loader

def resident_mb():
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6

def load():
    blocks = [bytes(4000) for _ in range(20_000)]
    highest.append(resident_mb())
    # What stays lies above all that is freed, so the end of the heap cannot move down by itself.
    return blocks[-1]

before, highest = resident_mb(), []
assert Loader("still", load).wait(60) is not None
assert highest[0] - before > 60, highest
assert resident_mb() - before < 20, resident_mb() - before
"""

LEAVE_WITH_MODELS = """
from strata.models import loader
assert loader("minilm").wait(60) is not None
assert loader("multilingual").wait(60) is not None
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="only where processes fork")
@pytest.mark.parametrize("program", [PARENT_AND_CHILD, FORK_WHILE_LOADING])
def test_a_forked_child_loads_its_own(program: str) -> None:
    assert run(program) == (0, "")


@pytest.mark.parametrize("program", [LEAVE_WHILE_LOADING, LEAVE_WITH_MODELS])
def test_a_program_ends_quietly_whatever_is_loaded(program: str) -> None:
    assert run(program) == (0, "")


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_what_loading_has_freed_is_given_back_to_the_system() -> None:
    assert run(FREED_BY_LOADING) == (0, "")


def run(program: str) -> tuple[int, str]:
    """Run a program in a Python of its own; return its exit code and what it complained."""
    # Newer versions warn of any fork beside threads; here it is what is tested.
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
    return done.returncode, done.stderr


def test_a_failure_is_tried_again_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    answers: list[Exception | Embedder] = [Unavailable("The endpoint is away."), Still()]

    def load() -> Embedder:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    loader = Loader("far", load)
    for _ in range(2):
        with pytest.raises(Unavailable, match="away"):
            loader.wait(30)
    monkeypatch.setattr(limits, "MODEL_RETRY_S", 0.0)
    assert isinstance(loader.wait(30), Still)
    assert loader.reason is None
