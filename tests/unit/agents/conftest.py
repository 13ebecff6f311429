"""A store in memory with an agent's worker, run by hand."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest

import strata
from strata.agents.worker import Worker
from strata.tasks import Task
from strata.tools import StoreHost

Ask = Callable[..., Task]


class Desk(NamedTuple):
    """A store, and what works on its tasks when told to."""

    db: strata.Workspace
    host: StoreHost
    worker: Worker

    def ask(self, agent: str, *, user: str | None = None, **more: object) -> Task:
        """Ask an agent, let it work, and return what came of it."""
        db = self.db if user is None else self.db.as_user(user)
        task = db.agents.invoke(agent, **more)  # pyright: ignore[reportArgumentType]
        done = self.worker.run_one(task.id)
        assert done is not None
        return done


@pytest.fixture
def editing() -> Iterator[Desk]:
    with strata.open(durability="cache", auto_embed=False) as db:
        host = StoreHost(lambda: db, auto_embed=False)
        yield Desk(db, host, Worker(host))
        # Not the store alone: what works beside calls has to end before it.
        host.close()
