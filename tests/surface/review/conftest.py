"""The tools of review: on a store in memory, and over HTTP for several people."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import strata
from strata.tools import Session, StoreHost, expose
from tests.surface.calling import Call, call, db, fail
from tests.surface.documents.conftest import office

__all__ = ["Call", "Make", "call", "db", "fail", "make", "office", "session"]

Make = Callable[..., str]

TEXT = "# 목표 🎯\n\nShip in May. שלום\n\n## 일정\n\nShip in May. 다섯째 달.\n"


@pytest.fixture
def session(db: strata.Workspace) -> Iterator[Session]:
    made = Session(
        StoreHost(lambda: db, auto_embed=False), caller="owner", exposure=expose("core,comments")
    )
    yield made
    made.close()


@pytest.fixture
def make(call: Call) -> Make:
    """Make a document and return its id."""

    def create(content: str = TEXT, **more: Any) -> str:
        made = call("edit_document", action="create", title="계획", content=content, **more)
        return made["documentId"]

    return create
