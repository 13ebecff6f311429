"""Where a store cannot be, must not be written, or is no longer open."""

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

import strata
from strata import Workspace

WRITES: dict[str, Callable[[Any], object]] = {
    "kv.put": lambda db: db.kv.put("k", 2),
    "kv.put if_version": lambda db: db.kv.put("k", 2, if_version=1),
    "kv.put with tags": lambda db: db.kv.put("k", 2, tags=["t"]),
    "kv.put_many": lambda db: db.kv.put_many({"k": 2}),
    "kv.delete": lambda db: db.kv.delete("k"),
    "json.set": lambda db: db.json.set("d", "$.a", 1),
    "json.delete": lambda db: db.json.delete("d"),
    "state.set": lambda db: db.state.set("c", 1),
    "state.init": lambda db: db.state.init("c", 1),
    "state.cas": lambda db: db.state.cas("c", 1),
    "events.append": lambda db: db.events.append("x", 1),
    "vectors.create": lambda db: db.vectors.create("새", 2),
    "vectors.upsert": lambda db: db.vectors.upsert("c", "a", [1, 2]),
    "vectors.drop": lambda db: db.vectors.drop("c"),
}
STORE_WRITES: dict[str, Callable[[Any], object]] = {
    "branches.fork": lambda db: db.branches.fork("f"),
    "branches.create": lambda db: db.branches.create_empty("f"),
    "branches.merge": lambda db: db.branches.merge("가지"),
    "branches.delete": lambda db: db.branches.delete("가지"),
    "branches.rename": lambda db: db.branches.rename("가지", "나무"),
    "revert": lambda db: db.revert(1),
    "undo": lambda db: db.undo(),
    "cherry_pick": lambda db: db.cherry_pick(1),
    "tags.create": lambda db: db.tags.create("t"),
    "retention.set": lambda db: db.retention.set(max_versions=1),
    "retention.apply": lambda db: db.retention.apply(),
    "purge": lambda db: db.purge("k"),
    "compact": lambda db: db.compact(),
    "settings.set": lambda db: db.settings.set("actor", "x"),
    "leases.acquire": lambda db: db.leases.acquire("l"),
    "spaces.create": lambda db: db.spaces.create("s"),
    "transaction": lambda db: db.transaction().__enter__(),
}


@pytest.fixture
def furnished(db: Workspace) -> Workspace:
    db.kv.put("k", 1)
    db.vectors.create("c", 2)
    db.branches.fork("가지")
    return db


@pytest.mark.parametrize("name", WRITES)
def test_the_past_cannot_be_written(furnished: Workspace, unchanged: Any, name: str) -> None:
    past = furnished.at("now")
    with unchanged(furnished), pytest.raises(strata.ReadOnly, match="past") as caught:
        WRITES[name](past)
    assert caught.value.code == "access_denied"
    assert "fork" in str(caught.value.hint)


@pytest.mark.parametrize("name", [*WRITES, *STORE_WRITES])
def test_a_store_open_for_reading_cannot_be_written(
    furnished: Workspace, unchanged: Any, open_store: Callable[..., Workspace], name: str
) -> None:
    reader = open_store(read_only=True)
    with unchanged(furnished), pytest.raises(strata.ReadOnly) as caught:
        (WRITES | STORE_WRITES)[name](reader)
    assert caught.value.hint is not None


@pytest.mark.parametrize("name", WRITES)
def test_a_transaction_for_reading_takes_no_writes(furnished: Workspace, name: str) -> None:
    versions = furnished.info().versions
    with (
        pytest.raises(strata.ReadOnly, match="read-only"),
        furnished.transaction(read_only=True) as tx,
    ):
        WRITES[name](tx)
    assert furnished.info().versions == versions


@pytest.mark.parametrize("name", WRITES)
def test_a_transaction_takes_no_writes_after_its_end(furnished: Workspace, name: str) -> None:
    with furnished.transaction() as tx:
        tx.kv.put("inside", 1)
    versions = furnished.info().versions
    with pytest.raises(strata.ReadOnly, match="ended") as caught:
        WRITES[name](tx)
    assert "another" in str(caught.value.hint)
    assert furnished.info().versions == versions


@pytest.mark.parametrize("name", [*WRITES, *STORE_WRITES])
def test_a_closed_store_says_that_it_is_closed(furnished: Workspace, name: str) -> None:
    furnished.close()
    with pytest.raises(strata.Unavailable, match="closed") as caught:
        (WRITES | STORE_WRITES)[name](furnished)
    assert "strata.open()" in str(caught.value.hint)


def test_a_closed_store_cannot_be_read_either(furnished: Workspace) -> None:
    view = furnished.on("가지")
    furnished.close()
    furnished.close()
    reads: list[Callable[[], object]] = [
        lambda: furnished.kv.get("k"),
        view.kv.list,
        furnished.log,
        furnished.info,
        furnished.verify,
        lambda: furnished.at(1),
    ]
    for read in reads:
        with pytest.raises(strata.Unavailable, match="closed"):
            read()


def test_a_missing_store_is_not_made_unasked(folder: Path) -> None:
    for options in ({"create": False}, {"read_only": True}):
        with pytest.raises(strata.StoreNotFound, match=r"없는\.db") as caught:
            strata.open(folder / "없는.db", **options)  # pyright: ignore[reportArgumentType]
        assert "strata.open(PATH)" in str(caught.value.hint)
    with pytest.raises(strata.StoreNotFound, match="no folder"):
        strata.open(folder / "없는 폴더" / "store.db")
    assert list(folder.iterdir()) == []


def foreign_database(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TABLE 남의것 (a); INSERT INTO 남의것 VALUES ('소중한 것')")
    connection.close()


FOREIGN: dict[str, Callable[[Path], object]] = {
    "text": lambda path: path.write_text("이것은 글입니다.\n" * 400, encoding="utf-8"),
    "short text": lambda path: path.write_text("짧다", encoding="utf-8"),
    "zeros": lambda path: path.write_bytes(bytes(8192)),
    "another database": foreign_database,
}


@pytest.mark.parametrize("mode", ["write", "read"])
@pytest.mark.parametrize("name", FOREIGN)
def test_a_foreign_file_is_refused_and_left_alone(folder: Path, name: str, mode: str) -> None:
    path = folder / "남의 것.db"
    FOREIGN[name](path)
    before = path.read_bytes()
    with pytest.raises(strata.NotAStore) as caught:
        strata.open(path, read_only=mode == "read")
    assert caught.value.code == "not_a_store"
    assert "path" in str(caught.value.hint)
    assert path.read_bytes() == before
    assert list(folder.iterdir()) == [path]


def test_a_folder_is_no_store(folder: Path) -> None:
    (folder / "store").mkdir()
    for read_only in (False, True):
        with pytest.raises(strata.NotAStore, match="is a folder") as caught:
            strata.open(folder / "store", read_only=read_only)
        assert "file inside" in str(caught.value.hint)
    assert list((folder / "store").iterdir()) == []


def test_an_empty_file_is_no_store_for_a_reader(folder: Path) -> None:
    path = folder / "empty.db"
    path.touch()
    with pytest.raises(strata.NotAStore, match="empty"):
        strata.open(path, read_only=True)
    assert path.read_bytes() == b""


@pytest.mark.parametrize("kind", ["nfs", "cifs", "fuse.sshfs", "9p"])
def test_a_network_file_system_is_refused_with_the_reason(
    folder: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr("strata.sql.files.file_system", lambda _folder: kind)
    with pytest.raises(strata.NetworkFileSystem, match=kind) as caught:
        strata.open(folder / "store.db")
    assert caught.value.code == "network_file_system"
    assert "local disk" in str(caught.value.hint)
    assert list(folder.iterdir()) == []


def raise_format(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.pragma("user_version", connection.pragma("user_version") + 1)
    connection.close()


@pytest.mark.parametrize("mode", ["write", "read"])
def test_a_newer_format_is_refused_and_left_alone(db: Workspace, folder: Path, mode: str) -> None:
    db.kv.put("k", "값")
    db.close()
    raise_format(folder / "store.db")
    before = (folder / "store.db").read_bytes()
    with pytest.raises(strata.NewerFormat, match="format") as caught:
        strata.open(folder / "store.db", read_only=mode == "read")
    assert caught.value.code == "newer_format"
    assert "Update" in str(caught.value.hint)
    assert (folder / "store.db").read_bytes() == before


def test_opening_with_wrong_options_names_the_option(db: Workspace, folder: Path) -> None:
    path = folder / "store.db"
    cases: list[tuple[dict[str, Any], type[strata.StrataError], str]] = [
        ({"durability": "sometimes"}, strata.InvalidArgument, "sometimes"),
        ({"branch": "defalt"}, strata.BranchNotFound, "defalt"),
        ({"space": ""}, strata.InvalidArgument, "space"),
        ({"actor": 7}, strata.InvalidArgument, "actor"),
        ({"timezone": "Mars/Olympus"}, strata.InvalidArgument, "Mars/Olympus"),
    ]
    for options, error, says in cases:
        with pytest.raises(error, match=says):
            strata.open(path, **options).at("어제")
    assert db.info().versions == 0


def test_an_error_crosses_processes_with_all_it_carries(db: Workspace) -> None:
    with pytest.raises(strata.BranchNotFound) as caught:
        db.on("가지")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert type(copy) is strata.BranchNotFound
    assert (copy.message, copy.hint, copy.details) == (
        caught.value.message,
        caught.value.hint,
        {"branch": "가지"},
    )
