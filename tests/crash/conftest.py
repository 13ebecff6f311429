"""A store with something of everything in it, for these tests to hurt."""

import shutil
from pathlib import Path

import pytest

import strata
from strata import Workspace


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a test keeps its store."""
    return tmp_path / "store.db"


@pytest.fixture(scope="session")
def furnished_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("furnished") / "store.db"
    with strata.open(path, durability="standard", actor="소연") as db:
        furnish(db)
    return path


@pytest.fixture
def furnished(furnished_once: Path, path: Path) -> Path:
    """A closed store that holds every kind of thing, on several branches."""
    shutil.copy(furnished_once, path)
    return path


def furnish(db: Workspace) -> None:
    """Write something of every kind, with text in several scripts, short and long."""
    for number in range(40):
        text = "가나다" * (1, 20, 300)[number % 3]
        tags = ["표"] if number % 4 == 0 else []
        db.kv.put(f"키/{number % 15}", {"n": number, "글": text}, tags=tags)
    db.kv.put_many({f"batch/{number}": "mémoire " * number for number in range(30)})
    db.events.append_many([("note" if n % 2 else "deploy", {"n": n}) for n in range(20)])
    db.json.set("문서", "$", {"a": {"b": [1, 2, 3]}})
    db.json.set("문서", "$.a.c", "память")
    db.state.set("cell", 1)
    db.state.cas("cell", 2, expected=1)
    db.vectors.create("v", 3)
    db.vectors.upsert_many("v", [{"key": f"v{n}", "vector": [n, 1, 2]} for n in range(10)])
    db.space("메모").kv.put("別", "記憶")
    for text in ("Use sessions", "토큰을 쓴다", "मोबाइल"):
        db.decisions.save("auth", text, "왜냐하면 " * 20)
    db.decisions.outcome("failed", topic="auth", reason="키를 잃었다")
    db.branches.fork("side", metadata={"왜": "시험"})
    side = db.on("side")
    side.kv.put_many({f"side/{number}": number for number in range(10)})
    side.events.append("note", {"at": "side"})
    db.branches.merge("side", into="default", message="합침")
    db.branches.fork("gone")
    db.on("gone").kv.put("g", 1)
    db.branches.delete("gone", force=True)
    db.tags.create("v1", message="처음")
    db.settings.set("timezone", "Asia/Seoul")
    db.kv.delete("키/3")
    db.kv.put("secret", "비밀 hunter2")
    db.purge("secret")
    db.retention.set(kind="state", max_versions=1)
    db.retention.apply()
