"""A store with something of everything in it, and ways to call the developer tools."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import strata
from strata.tools import CallOutcome, Session, StoreHost, call_tool, expose, registry
from tests.databases import IS_POSTGRES
from tests.surface.developer.loopback import Endpoint, Wire

Use = Callable[..., dict[str, Any]]


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    """A language model on the loopback."""
    server = Endpoint()
    yield server
    server.close()


@pytest.fixture
def db(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[strata.Workspace]:
    """A store of one's own: empty, or for `full` with something of everything in it."""
    is_full = "full" in request.fixturenames
    if is_full:
        shutil.copytree(request.getfixturevalue("furnished"), tmp_path, dirs_exist_ok=True)
    path = tmp_path / "store.db"
    with strata.open(path, durability="standard", auto_embed=False) as opened:
        if is_full:
            opened.trust.give()  # as for a store that was made where it is
        yield opened


@pytest.fixture
def session(db: strata.Workspace) -> Iterator[Session]:
    """A connection that may use all developer tools."""
    opened = Session(StoreHost(lambda: db), caller="owner", exposure=expose("developer"))
    yield opened
    opened.close()


@pytest.fixture
def wire(session: Session) -> Iterator[Wire]:
    """The same by the protocol."""
    client = Wire(session)
    yield client
    client.close()


@pytest.fixture
def ask(session: Session) -> Callable[..., CallOutcome]:
    """Call a tool; its outcome may be an error."""
    tools = {tool.name: tool for tool in registry().tools("developer")}

    def ask(name: str, /, **arguments: Any) -> CallOutcome:
        return call_tool(session, tools[f"strata_{name}"], arguments)

    return ask


@pytest.fixture
def use(ask: Callable[..., CallOutcome]) -> Use:
    """Call a tool rightly, and return its answer."""

    def use(name: str, /, **arguments: Any) -> dict[str, Any]:
        outcome = ask(name, **arguments)
        assert not outcome.is_error, outcome.value
        return outcome.value

    return use


@pytest.fixture
def refused(ask: Callable[..., CallOutcome]) -> Use:
    """Call a tool wrongly, and return the error."""

    def refused(name: str, /, **arguments: Any) -> dict[str, Any]:
        outcome = ask(name, **arguments)
        assert outcome.is_error, outcome.value
        return outcome.value

    return refused


@pytest.fixture
def full(
    db: strata.Workspace, tmp_path: Path, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> dict[str, str]:
    """Let a model answer for the store that is full; return what stands for names in the table."""
    db.models.configure(endpoint.url, "writer")
    folder = tmp_path / "bundles"
    if IS_POSTGRES:
        # The folder has the name of the store there, which copies of a store share.
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
        folder = db.bundles.place("old.bundle").parent
        shutil.copytree(tmp_path / "bundles", folder, dirs_exist_ok=True)
    return {"url": endpoint.url, "folder": str(folder)}


@pytest.fixture(scope="session")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store that has something of everything in it, and with bundles."""
    folder = tmp_path_factory.mktemp("furnished")
    with strata.open(folder / "store.db", durability="standard", auto_embed=False) as db:
        furnish(db, folder / "bundles")
    return folder


def furnish(db: strata.Workspace, bundles: Path) -> None:
    db.kv.put("인사", "안녕")
    db.kv.put("인사", "안녕하세요")
    db.kv.put("공통", "처음")
    db.state.set("leader", "김")
    db.state.set("leader", "이")
    db.events.append("deploy", {"to": "blue"})
    db.json.set("plan", "$.steps", ["build", "ship"])
    db.space("notes").kv.put("k", 1)
    db.vectors.create("c", dimension=2)
    for key, row, n in (("east", [1, 0], 1), ("north", [0, 1], 2)):
        db.vectors.upsert("c", key, row, metadata={"n": n})
    db.branches.fork("old")
    bundles.mkdir()
    for name in ("old", "default"):
        db.bundles.export(bundles / f"{name}.bundle", branch=name)
    db.branches.delete("old")
    whole = (bundles / "old.bundle").read_bytes()
    (bundles / "torn.bundle").write_bytes(whole[: len(whole) // 2])
    db.branches.fork("try")
    db.on("try").kv.put("공통", "저쪽")
    db.on("try").kv.delete("인사")
    db.on("try").space("notes").kv.put("new", 2)
    db.kv.put("공통", "이쪽")
    db.retention.set(max_versions=1)
