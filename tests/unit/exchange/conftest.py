"""Stores to move data between, and what an export says."""

from collections.abc import Iterator
from io import BytesIO
from typing import Any

import msgspec
import pytest

import strata
from strata import Workspace
from strata.exchange import export_jsonl

Records = list[dict[str, Any]]


@pytest.fixture
def db() -> Iterator[Workspace]:
    with strata.open(durability="cache", auto_embed=False) as db:
        yield db


@pytest.fixture
def other() -> Iterator[Workspace]:
    with strata.open(durability="cache", auto_embed=False) as db:
        yield db


def exported(db: Workspace, *, history: bool = False, **wish: Any) -> Records:
    """What an export holds, without what differs from store to store."""
    file = BytesIO()
    export_jsonl(db, file, history=history, **wish)
    found: Records = [msgspec.json.decode(line) for line in file.getvalue().splitlines()[1:]]
    for record in found:
        del record["version"]
        if not history and record["kind"] != "event":
            del record["time"]
    return found


@pytest.fixture
def furnished(db: Workspace) -> Workspace:
    """A store with something of every kind, in two spaces, with a past."""
    db.as_actor("소연").kv.put("deploy/target", "운영\n```x```", tags=["배포", "b"])
    db.kv.put("gone", {"이름": "하나 --> <!-- strata {}"})
    db.kv.put("gone", {"이름": "둘"})
    db.kv.delete("gone")
    db.kv.put("odd", "\x00\x1b\r\n\u2028 끝")
    db.kv.put("nothing", None)
    db.json.set("doc", "$.a.b", [1, 2.0, True])
    db.state.set("leader", "박")
    db.state.set("leader", "김")
    notes = db.space("메모")
    notes.kv.put("todo", "우유")
    notes.events.append("dep`loy", {"env": "`운영` ``"})
    notes.events.append("text", "그냥 글")
    with db.transaction(message="함께", actor="둘") as together:
        together.kv.put("a/1", 1)
        together.kv.put("a/2", 2)
    return db
