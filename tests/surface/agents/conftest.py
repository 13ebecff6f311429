"""A store with several people, an agent that thinks with a scripted model, and its worker."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

import strata
from strata.agents.worker import Worker
from strata.tasks import Caller, Definition, Task, Thinking
from strata.tools import StoreHost
from tests.surface.agents.scripted import Scripted

MakeModel = Callable[..., Scripted]


class Stage(NamedTuple):
    """A store, and what lets agents work in it."""

    db: strata.Workspace
    worker: Worker

    def define(self, model: Scripted, *, kind: Any = "openai", **more: Any) -> str:
        """Define the owner's agent that thinks with a model."""
        thinking = Thinking(
            endpoint=model.url,
            model="scripted",
            kind=kind,
            key_variable=more.pop("key_variable", None),
        )
        told = more.pop("instructions", "Help with documents.")
        definition = Definition(instructions=told, thinking=thinking, **more)
        return self.db.agents.define("도우미", definition, shared=True).id

    def ask(self, agent: str, *, view: strata.Workspace | None = None, **more: Any) -> Task:
        """Ask an agent and let it work to its end."""
        caller = more.pop("caller", Caller())
        task = (view or self.db).agents.invoke(agent, caller=caller, **more)
        done = self.worker.run_one(task.id)
        assert done is not None
        return done


@pytest.fixture
def stage() -> Iterator[Stage]:
    with strata.open(durability="cache", auto_embed=False) as db:
        host = StoreHost(lambda: db, auto_embed=False)
        yield Stage(db, Worker(host))
        host.close()


@pytest.fixture
def model() -> Iterator[MakeModel]:
    made: list[Scripted] = []

    def make(*steps: Any) -> Scripted:
        made.append(Scripted(steps))
        return made[-1]

    yield make
    for one in made:
        one.close()
