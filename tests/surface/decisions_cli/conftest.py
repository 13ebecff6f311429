"""A store with decisions, as people make them in the terminal."""

from collections.abc import Callable

import pytest

from tests.surface.conftest import Run

Id = Callable[..., str]


@pytest.fixture
def save(ok: Run) -> Id:
    """Save a decision and return its id."""

    def call(topic: str, decision: str, *more: str) -> str:
        words = ("decisions", "save", topic, decision, "--because", f"{topic}의 이유", "--json")
        return ok(*words, *more).json["id"]

    return call


@pytest.fixture
def forked(ok: Run, save: Id) -> dict[str, str]:
    """A topic on which two branches each decided, merged: two heads."""
    first = save("auth", "Use sessions")
    ok("fork", "다른 가지")
    ours = save("auth", "토큰을 쓴다")
    theirs = save("auth", "Passkeys", "--branch", "다른 가지")
    ok("merge", "다른 가지")
    return {"first": first, "ours": ours, "theirs": theirs}
