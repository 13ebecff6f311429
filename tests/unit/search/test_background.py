"""The thread that follows: writers go first, but not for ever."""

import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest

from strata.base import limits
from strata.search.vectors.background import Following

GATHER_S, GATHER_MAX_S, YIELD_S = 0.1, 0.6, 0.3
# What pauses for so long does not end while a test runs.
HOUR_S = 3_600.0


class Turn:
    def release(self) -> None:
        """Have nothing to give back."""

    def abandon(self) -> None:
        """Have nothing to forget."""


class Work:
    """A step of three texts for every piece of work; notes when it was at each text."""

    turn = Turn()

    def __init__(self) -> None:
        self.waiting = 0
        self.texts: list[float] = []
        self.meanwhile: Callable[[], object] = lambda: None

    def step(self, is_stopped: Callable[[], bool] = lambda: False) -> bool:
        if not self.waiting:
            return False
        self.waiting -= 1
        for _ in range(3):
            self.texts.append(time.monotonic())
            self.meanwhile()
            if is_stopped():
                break
        return True

    def pending(self) -> int:
        return self.waiting


@pytest.fixture
def work() -> Work:
    return Work()


@pytest.fixture
def following(work: Work, monkeypatch: pytest.MonkeyPatch) -> Iterator[Following]:
    monkeypatch.setattr(limits, "EMBED_GATHER_S", GATHER_S)
    monkeypatch.setattr(limits, "EMBED_GATHER_MAX_S", GATHER_MAX_S)
    monkeypatch.setattr(limits, "EMBED_YIELD_S", YIELD_S)
    following = Following(work, look_s=30)
    following.start()
    time.sleep(0.05)
    yield following
    assert following.stop()


@pytest.fixture
def endless(following: Following, monkeypatch: pytest.MonkeyPatch) -> Following:
    """Let one commit count for as many as come within an hour: none has to come in time."""
    monkeypatch.setattr(limits, "EMBED_GATHER_S", HOUR_S)
    return following


def test_the_work_begins_when_commits_have_ceased(
    following: Following, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "EMBED_GATHER_S", 1.0)
    monkeypatch.setattr(limits, "EMBED_GATHER_MAX_S", HOUR_S)
    work.waiting = 1
    for _ in range(10):
        following.wake()
        time.sleep(0.01)
    last = time.monotonic() - 0.01
    assert following.wait(60)
    assert work.texts[0] - last > 0.9


def test_commits_without_end_put_it_off_for_a_while_only(endless: Following, work: Work) -> None:
    work.waiting = 1
    started = time.monotonic()
    endless.wake()
    assert endless.wait(60)
    assert work.texts[0] - started >= 0.9 * GATHER_MAX_S


def test_a_commit_at_one_text_puts_off_the_next(following: Following, work: Work) -> None:
    work.waiting = 1
    work.meanwhile = following.wake
    following.wake()
    assert following.wait(10)
    while len(work.texts) < 3:
        time.sleep(0.01)
    pauses = [later - earlier for earlier, later in pairwise(work.texts)]
    assert min(pauses) > 0.9 * GATHER_S


def test_commits_without_end_put_off_the_next_text_for_a_while_only(
    endless: Following, work: Work
) -> None:
    work.waiting = 1
    endless.wake()
    until = time.monotonic() + 60
    while len(work.texts) < 3 and time.monotonic() < until:
        time.sleep(0.01)
    assert len(work.texts) == 3
    pauses = [later - earlier for earlier, later in pairwise(work.texts)]
    assert min(pauses) > 0.9 * YIELD_S


def test_without_commits_nothing_pauses(
    following: Following, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "EMBED_GATHER_S", HOUR_S)
    monkeypatch.setattr(limits, "EMBED_YIELD_S", HOUR_S)
    work.waiting = 20
    assert following.wait(60)
    assert len(work.texts) == 60


def test_waiting_for_the_end_does_not_put_it_off(
    following: Following, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "EMBED_GATHER_MAX_S", HOUR_S)
    following.wake()
    work.waiting = 1
    waiting = [threading.Thread(target=following.wait, args=(60,)) for _ in range(3)]
    for thread in waiting:
        thread.start()
    for thread in waiting:
        thread.join(60)
    assert len(work.texts) == 3


def test_stopping_does_not_wait_for_writers(
    following: Following, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "EMBED_GATHER_S", HOUR_S)
    monkeypatch.setattr(limits, "EMBED_GATHER_MAX_S", HOUR_S)
    work.waiting = 1
    following.wake()
    assert following.stop()
