"""The one place that makes a store: whatever these tests pass on is a backend of Strata."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import pytest

import strata
from strata import Workspace
from strata.store import Store
from tests.databases import database_at
from tests.opened import workspace_over

Unchanged: TypeAlias = Callable[[Workspace], AbstractContextManager[None]]


class Clock:
    """A clock that goes where it is told, in microseconds."""

    def __init__(self) -> None:
        self.us = 1_763_200_000_000_000  # 2025-11-15T09:46:40Z

    def __call__(self) -> int:
        return self.us

    def forward(self, *, hours: float = 0, days: float = 0) -> int:
        """Move the clock, back for negative numbers, and return the new time."""
        self.us += int((hours + 24 * days) * 3_600_000_000)
        return self.us


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STRATA_DB", "STRATA_BRANCH", "STRATA_SPACE", "STRATA_ACTOR", "STRATA_TIMEZONE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder for a test's files."""
    return tmp_path


@pytest.fixture
def clock() -> Clock:
    """The clock of `timed`."""
    return Clock()


@pytest.fixture
def open_store(folder: Path) -> Iterator[Callable[..., Workspace]]:
    """Opens the store of a name, any number of times; all are closed at the end."""
    opened: list[Workspace] = []

    def open_(name: str = "store", *, now: Clock | None = None, **options: Any) -> Workspace:
        path = folder / f"{name}.db"
        if now is None:
            chosen: dict[str, Any] = {"durability": "standard", "auto_embed": False} | options
            opened.append(strata.open(path, **chosen))
        else:
            store = Store(database_at(path), now=now)
            opened.append(workspace_over(store, timezone="Asia/Seoul"))
        return opened[-1]

    yield open_
    for workspace in reversed(opened):
        workspace.close()


@pytest.fixture
def db(open_store: Callable[..., Workspace]) -> Workspace:
    """A fresh store."""
    return open_store()


@pytest.fixture
def timed(open_store: Callable[..., Workspace], clock: Clock) -> Workspace:
    """A fresh store that lives by `clock`, in Seoul."""
    return open_store(now=clock)


@pytest.fixture
def unchanged() -> Unchanged:
    """A `with` block that fails if the store is another one behind it."""

    @contextmanager
    def check(workspace: Workspace) -> Iterator[None]:
        before = picture(workspace)
        yield
        assert picture(workspace) == before

    return check


def picture(workspace: Workspace) -> dict[str, object]:
    """Describe everything that a refused call might have touched."""
    branches = workspace.branches.list()
    return {
        "versions": workspace.info().versions,
        "branches": branches,
        "deleted": workspace.branches.list(deleted=True),
        "logs": [workspace.on(branch.name).log(limit=1000) for branch in branches],
        "tags": workspace.tags.list(),
        "settings": workspace.settings.list(),
        "policies": workspace.retention.list(),
        # Vectors are made in the background, whatever is refused meanwhile.
        "leases": [lease for lease in workspace.leases.list() if lease.name != "embedding"],
        "verified": workspace.verify(),
    }
