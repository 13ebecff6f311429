"""A copy of a store in another database is the same store, or there is none."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest

import strata
from strata import Workspace
from strata.sql import create_workspace, parse_address
from tests import databases
from tests.contract.copied import make_store, sums
from tests.databases import server_address

pytestmark = pytest.mark.skipif(
    databases.IS_POSTGRES, reason="every path is a workspace there; files are copied here"
)


@pytest.fixture
def store(folder: Path) -> Path:
    """A store with every kind of thing."""
    return make_store(folder / "원본.db")


def told(db: Workspace) -> dict[str, Any]:
    """Return what a user sees of a store, its past included."""
    return {
        "branches": db.branches.list(),
        "log": [db.on(one.name).log() for one in db.branches.list()],
        "tags": db.tags.list(),
        "history": db.kv.history("가"),
        "values": db.kv.items(),
        "found": [hit.key for hit in db.search("서울", mode="keyword").hits],
        "document": db.documents.graph(db.documents.called("회의록")),
        "zone": db.settings.get("timezone"),
        "users": [one.email for one in db.users.list()],
        "tokens": [one.label for one in db.tokens.list()],
    }


def test_a_store_goes_to_a_server_and_back_unchanged(
    store: Path, folder: Path, postgres_address: str
) -> None:
    before = sums(store)
    done = strata.copy(store, postgres_address)
    assert done.versions == before["versions"].rows
    assert done.rows == sum(one.rows for one in before.values())
    assert sums(postgres_address) == before
    second = f"{postgres_address}-2"
    strata.copy(postgres_address, second)
    strata.copy(second, folder / "되돌림.db")
    assert sums(folder / "되돌림.db") == before
    with strata.open(store, auto_embed=False) as db:
        expected = told(db)
    for place in (postgres_address, second, folder / "되돌림.db"):
        with strata.open(place, auto_embed=False) as db:
            assert told(db) == expected
            assert db.verify(full=True).ok
            assert db.trust.is_given
            db.kv.put("새", "복사한 뒤")
            assert db.verify().ok
    assert sorted(path.name for path in folder.iterdir()) == ["되돌림.db", "원본.db"]


def test_workspaces_of_one_database_do_not_mix(
    store: Path, folder: Path, postgres_address: str
) -> None:
    with strata.open(folder / "other.db", auto_embed=False) as db:
        db.kv.put("다른", "저장소")
    other = f"{postgres_address}-other"
    strata.copy(store, postgres_address)
    strata.copy(folder / "other.db", other)
    assert sums(other) == sums(folder / "other.db")
    assert sums(postgres_address) == sums(store)


def noted(db: Workspace) -> None:
    with db.transaction(message="a\0b") as transaction:
        transaction.kv["가"] = 1


@pytest.mark.parametrize(
    ("place", "write"),
    [
        ("column message", noted),
        ("column tag", lambda db: db.kv.put("가", 1, tags=["a\0b"])),
        ("column value", lambda db: db.decisions.save("a\0b", "Wait", "because")),
    ],
)
def test_a_store_that_postgresql_cannot_keep_is_refused_with_the_place(
    place: str, write: Callable[[Workspace], object], folder: Path, postgres_address: str
) -> None:
    with strata.open(folder / "원본.db", auto_embed=False) as db:
        db.kv.put("가", 0)
        write(db)
    before = sums(folder / "원본.db")
    with pytest.raises(strata.InvalidArgument, match=f"character NUL.*{place}"):
        strata.copy(folder / "원본.db", postgres_address)
    assert sums(folder / "원본.db") == before
    with strata.open(folder / "원본.db", auto_embed=False) as db:
        assert db.verify().ok


def test_a_place_that_is_taken_is_refused_and_stays(
    store: Path, folder: Path, postgres_address: str
) -> None:
    taken = folder / "taken.db"
    for place in (taken, postgres_address):
        with strata.open(place, auto_embed=False) as db:
            db.kv.put("나", "있던 값")
        before = sums(place)
        with pytest.raises(strata.AlreadyExists):
            strata.copy(store, place)
        assert sums(place) == before


def test_a_workspace_that_was_only_made_is_filled(store: Path, postgres_address: str) -> None:
    create_workspace(postgres_address, parse_address(postgres_address).workspace)
    strata.copy(store, postgres_address)
    assert sums(postgres_address) == sums(store)


@pytest.mark.parametrize("to", ["file", "server"])
def test_a_damaged_store_is_copied_only_when_told_so(
    store: Path, folder: Path, postgres_address: str, to: str
) -> None:
    strata.copy(store, postgres_address)
    address = parse_address(postgres_address)
    with psycopg.connect(address.database, autocommit=True) as session:
        session.execute(
            "UPDATE strata.versions SET digest = 'falsch' WHERE key = '가'"
            " AND ws = (SELECT ws FROM strata.workspaces WHERE name = %s)",
            (address.workspace,),
        )
    target: Path | str = folder / "to.db" if to == "file" else f"{postgres_address}-2"
    with pytest.raises(strata.DamagedStore, match="damaged"):
        strata.copy(postgres_address, target)
    with pytest.raises(strata.StoreNotFound):
        strata.open(target, create=False)
    strata.copy(postgres_address, target, verify=False)
    assert sums(target) == sums(postgres_address)


def test_a_role_without_more_rights_than_it_needs_copies_too(
    store: Path, folder: Path, postgres_address: str
) -> None:
    """Row-level security forbids COPY, so its rows go by INSERT."""
    with psycopg.connect(server_address(), autocommit=True) as session:
        session.execute(
            "DO $$ BEGIN CREATE ROLE strata_copier LOGIN; EXCEPTION WHEN duplicate_object"
            " THEN NULL; END $$"
        )
        create_workspace(postgres_address, parse_address(postgres_address).workspace)
        session.execute("GRANT USAGE ON SCHEMA strata TO strata_copier")
        session.execute(
            "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA strata TO strata_copier"
        )
    own = postgres_address.replace("postgres@", "strata_copier@")
    strata.copy(store, own)
    strata.copy(own, folder / "to.db")
    assert sums(folder / "to.db") == sums(own) == sums(store)


def test_what_is_not_there_is_said(folder: Path, postgres_address: str) -> None:
    make: list[Callable[[], object]] = [
        lambda: strata.copy(folder / "none.db", postgres_address),
        lambda: strata.copy(postgres_address, folder / "to.db"),
    ]
    with strata.open(f"{postgres_address}-made", auto_embed=False):
        pass
    for copy in make:
        with pytest.raises(strata.StoreNotFound):
            copy()
    assert list(folder.iterdir()) == []
