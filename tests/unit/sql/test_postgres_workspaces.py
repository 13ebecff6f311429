"""Workspaces of one database: apart from each other, made, listed and deleted."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Thread
from typing import Any

import psycopg
import pytest

import strata
from strata.base import ids, limits
from strata.base.errors import (
    AlreadyExists,
    DamagedStore,
    Interrupted,
    InvalidArgument,
    NewerFormat,
    NotAllowed,
    NotFound,
    StoreNotFound,
    Unavailable,
)
from strata.documents import Request
from strata.sql import format_number, load, open_database, parse_address
from strata.sql.postgres import (
    administration,
    create_workspace,
    delete_workspace,
    list_workspaces,
    prepare_database,
    workspaces,
)
from tests.databases import server_address


@pytest.fixture
def name() -> str:
    """A name that no other test uses."""
    return f"검사-{ids.token()}"


@pytest.fixture
def address(name: str) -> str:
    """The address of a workspace that is not there yet."""
    return f"{server_address()}&workspace={name}"


@pytest.fixture
def owner() -> Iterator["psycopg.Connection[Any]"]:
    """A connection of the user who owns the tables, outside of Strata."""
    prepare_database(server_address())
    with psycopg.connect(server_address(), autocommit=True) as session:
        yield session


def opened(address: str, **options: Any) -> strata.Workspace:
    return strata.open(address, durability="standard", auto_embed=False, **options)


def test_two_workspaces_share_nothing(address: str) -> None:
    with opened(address) as one, opened(f"{address}-둘") as two:
        one.kv.put("키", "하나")
        two.kv.put("키", "둘")
        two.branches.fork("다른-가지")
        assert [db.kv.get("키").value for db in (one, two)] == ["하나", "둘"]  # pyright: ignore[reportOptionalMemberAccess]
        assert [branch.name for branch in one.branches.list()] == ["default"]
        assert one.info().versions == 1
        assert one.verify().ok
        assert two.verify().ok


def test_a_role_sees_the_rows_of_its_connection_s_workspace_alone(
    address: str, owner: "psycopg.Connection[Any]"
) -> None:
    with opened(address) as db:
        db.kv.put("비밀", "값")
    role = f"role_{ids.token()}"
    owner.execute(f"CREATE ROLE {role} LOGIN".encode())
    owner.execute(f"GRANT USAGE ON SCHEMA strata TO {role}".encode())
    owner.execute(f"GRANT ALL ON ALL TABLES IN SCHEMA strata TO {role}".encode())
    number = owner.execute(
        "SELECT ws FROM strata.workspaces WHERE name = %s", (parse_address(address).workspace,)
    ).fetchone()
    assert number is not None
    with psycopg.connect(server_address(), user=role, autocommit=True) as session:
        session.execute("SET search_path = strata")
        count = "SELECT count(*) FROM versions"
        assert session.execute(count).fetchone() == (0,)
        session.execute(f"SET strata.ws = {number[0] + 1_000_000}".encode())
        assert session.execute(count).fetchone() == (0,)
        session.execute(f"SET strata.ws = {number[0]}".encode())
        assert session.execute(count).fetchone() == (1,)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            session.execute("INSERT INTO words (ws, word) VALUES (-1, '남의')")
        assert session.execute("DELETE FROM audit").rowcount == 0
    with opened(address.replace("//postgres@", f"//{role}@"), create=False) as db:
        db.kv.put_many({f"키/{number}": number for number in range(50)})
        assert db.kv.count("키/") == 50
        assert db.verify().ok


def test_every_table_of_a_workspace_has_a_policy_that_its_owner_obeys(
    owner: "psycopg.Connection[Any]",
) -> None:
    rows = owner.execute(
        "SELECT relname FROM pg_class WHERE relnamespace = 'strata'::regnamespace"
        " AND relkind = 'r' AND NOT (relrowsecurity AND relforcerowsecurity)"
    ).fetchall()
    assert sorted(name for (name,) in rows) == ["formats", "workspaces"]


def test_workspaces_are_made_listed_and_deleted(name: str, address: str) -> None:
    made = create_workspace(server_address(), name)
    assert made in list_workspaces(server_address())
    with pytest.raises(AlreadyExists):
        create_workspace(server_address(), name)
    with opened(address, create=False) as db:
        db.kv.put("키", 1, tags=["태그"])
        db.documents.create("문서", "# 제목\n\n글")
    delete_workspace(server_address(), name)
    assert name not in [one.name for one in list_workspaces(server_address())]
    with pytest.raises(NotFound):
        delete_workspace(server_address(), name)
    with pytest.raises(StoreNotFound):
        opened(address, create=False)
    with opened(address) as db:
        assert db.info().versions == 0


@pytest.mark.parametrize("bad", ["", " ", "가" * 201, "a\nb"])
def test_names_that_cannot_be_are_refused(bad: str) -> None:
    with pytest.raises(InvalidArgument):
        create_workspace(server_address(), bad)


def test_two_processes_may_open_a_new_workspace_at_once(address: str) -> None:
    found: list[int] = []

    def write(number: int) -> None:
        with opened(address) as db:
            found.append(db.kv.put(f"키{number}", number).version)

    threads = [Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(found) == [1, 2, 3, 4]


def test_writers_that_come_together_break_no_chain(address: str) -> None:
    with opened(address) as db:
        db.kv.put("처음", 0)

        def write(number: int) -> None:
            with opened(address) as own:
                for step in range(25):
                    own.kv.put(f"키{number}", step)

        threads = [Thread(target=write, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert db.info().versions == 101
        assert db.verify().ok
        assert [found.value for key in range(4) if (found := db.kv.get(f"키{key}"))] == [24] * 4


def test_a_cut_connection_is_replaced(address: str, owner: "psycopg.Connection[Any]") -> None:
    with opened(address) as db:
        db.kv.put("키", "앞")
        cut(owner, address)
        assert db.kv.get("키").value == "앞"  # pyright: ignore[reportOptionalMemberAccess]
        cut(owner, address)
        db.kv.put("키", "뒤")
        assert db.kv.get("키").value == "뒤"  # pyright: ignore[reportOptionalMemberAccess]
        assert db.verify().ok


def test_a_transaction_on_a_cut_connection_changes_nothing(
    address: str, owner: "psycopg.Connection[Any]"
) -> None:
    with opened(address) as db:
        db.kv.put("키", "앞")
    database, queries = open_database(address), load("postgres")
    connection = database.begin_writing()
    connection.run(queries.upsert_setting, ("이름", "값", b""))
    cut(owner, address)
    with pytest.raises(Unavailable, match=r"was lost.*Nothing was changed"):
        database.finish_writing(connection, keep=True)
    assert database.connection().rows(queries.settings) == []
    assert not database.connection().in_transaction
    database.close()


def test_a_transaction_whose_statement_failed_is_not_taken_for_committed(address: str) -> None:
    with opened(address) as db:
        db.kv.put("키", "앞")
    database, queries = open_database(address), load("postgres")
    connection = database.begin_writing()
    connection.run(queries.upsert_setting, ("이름", "값", b""))
    with pytest.raises(DamagedStore):
        connection.row(queries.insert_keyspace, ("default", "kv"))
    with pytest.raises(DamagedStore, match="undid all of it"):
        database.finish_writing(connection, keep=True)
    assert database.connection().rows(queries.settings) == []
    database.close()


def test_a_write_that_travels_with_the_commit_and_fails_undoes_the_transaction(
    address: str,
) -> None:
    with opened(address) as db:
        db.kv.put("키", "앞")
    database, queries = open_database(address), load("postgres")
    connection = database.begin_writing()
    connection.run(queries.upsert_setting, ("이름", "값", b""))
    connection.run(queries.insert_keyspace, ("default", "kv"))
    with pytest.raises(DamagedStore, match="duplicate key"):
        database.finish_writing(connection, keep=True)
    assert not connection.in_transaction
    assert connection.rows(queries.settings) == []
    with database.writing() as again:
        again.run(queries.upsert_setting, ("이름", "값", b""))
        assert again.rows(queries.settings) == [("이름", "값", b"")]  # its own writes come first
    database.close()


def test_text_that_ends_with_nul_is_refused_and_not_changed(address: str) -> None:
    with opened(address) as db:
        with pytest.raises(InvalidArgument, match="NUL"):
            db.kv.put("키", 1, tags=["표\0"])
        db.kv.put("키\x01", 1, tags=["표\x01"])
        assert db.kv.list(limit=1) == ["키\x01"]
        assert db.verify().ok


def test_a_document_whose_id_holds_nul_is_not_there(address: str) -> None:
    with opened(address) as db:
        for ask in (
            db.documents.get,
            db.documents.text,
            lambda id_: db.documents.edit(id_, "앞", "뒤"),
        ):
            with pytest.raises(NotFound):
                ask("doc_\0")


def test_reading_keeps_what_the_server_has_prepared(address: str) -> None:
    with opened(address) as db:
        db.kv.put("키", 1)
        database = db._view.store.database
        connection, prepared = database.connection(), "SELECT count(*) FROM pg_prepared_statements"
        for _ in range(4):
            with database.reading():
                assert connection.row(load("postgres").format) is not None
        assert connection.rows(prepared)[0][0] > 1
        # A block whose reads travel together begins a transaction of its own behind that.
        for _ in range(3):
            with database.reading():
                connection.row(load("postgres").format)
            db.kv.put("키", 2)
            assert db.search("키").known is not None


def test_threads_share_few_connections_and_leave_them_when_they_end(
    address: str, owner: "psycopg.Connection[Any]"
) -> None:
    threads, calls = limits.POSTGRES_CONNECTIONS * 3, 20
    found: list[object] = []
    together = Barrier(threads)

    def use(place: int) -> None:
        together.wait()
        for number in range(calls):
            db.kv.put(f"실/{place}", number)
            fact = db.kv.get(f"실/{place}")
            found.append(fact is not None and fact.value == number)
        together.wait()  # all threads are alive, and hold what they keep

    with opened(address) as db:
        for _round in range(2):
            running = [Thread(target=use, args=(place,)) for place in range(threads)]
            for thread in running:
                thread.start()
            for thread in running:
                thread.join()
            assert 0 < connections(owner, address) <= limits.POSTGRES_CONNECTIONS
    assert found == [True] * (2 * threads * calls)


def test_a_thread_that_does_nothing_gives_its_connection_back(address: str) -> None:
    database, statement = open_database(address), load("postgres").settings
    connection: Any = database.connection()

    def kept_after_a_look() -> bool:
        connection.give_back_unused()
        return connection._session is not None

    with database.reading():
        connection.rows(statement)
        assert [kept_after_a_look() for _look in range(3)] == [True] * 3  # it is in use
    assert connection.rows(statement) == []
    assert [kept_after_a_look() for _look in range(2)] == [True, False]
    assert connection.rows(statement) == []
    database.close()


def read_in_transaction(db: strata.Workspace) -> None:
    with db.transaction() as transaction:
        transaction.kv.get("키")


def read_in_thread(db: strata.Workspace) -> None:
    with ThreadPoolExecutor(1) as threads:
        threads.submit(db.kv.get, "키").result(60)


READS: dict[str, Callable[[strata.Workspace], object]] = {
    "a key": lambda db: db.kv.get("키"),
    "many keys": lambda db: db.kv.get_many(["키"]),
    "a list": lambda db: db.kv.list(),
    "items": lambda db: db.kv.items(),
    "history": lambda db: db.kv.history("키"),
    "a search": lambda db: db.search("값"),
    "the log": lambda db: db.log(),
    "decisions": lambda db: db.decisions.recent(),
    "documents": lambda db: db.documents.find(Request(query="값")),
    "a transaction": read_in_transaction,
    "another thread": read_in_thread,
}


@pytest.mark.parametrize("read", READS)
def test_a_workspace_that_was_deleted_does_not_look_empty(
    read: str, address: str, name: str
) -> None:
    with opened(address) as db:
        db.kv.put("키", "값")
        db.documents.create("문서", "값")
        READS[read](db)
        delete_workspace(server_address(), name)
        with pytest.raises(Unavailable, match="was deleted"):
            READS[read](db)
        with opened(address) as again:  # another one of the same name
            assert again.kv.get("키") is None
        with pytest.raises(Unavailable, match="was deleted"):
            READS[read](db)


def test_nothing_is_written_to_a_workspace_that_was_deleted(address: str, name: str) -> None:
    with opened(address) as db:
        db.kv.put("키", 1)
        delete_workspace(server_address(), name)
        with pytest.raises(Unavailable, match="was deleted"):
            db.kv.put("키", 2)


@pytest.fixture
def database() -> Iterator[str]:
    """The address of an empty database, which its tests may bring to any format."""
    name = f"own_{ids.token().lower()}"
    with psycopg.connect(server_address(), autocommit=True) as session:
        session.execute(f'CREATE DATABASE "{name}"'.encode())
        yield server_address().replace("/strata?", f"/{name}?")
        session.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())


def role_for(database: str) -> str:
    """Make a role that a database is prepared for; return the database's address for it."""
    role = f"role_{ids.token()}"
    with psycopg.connect(database, autocommit=True) as session:
        session.execute(f"CREATE ROLE {role} LOGIN".encode())
    prepare_database(database, role=role)
    return database.replace("//postgres@", f"//{role}@")


def test_preparing_a_database_makes_the_workspace_of_its_address(database: str) -> None:
    assert prepare_database(database).workspace is None
    assert list_workspaces(database) == []
    done = prepare_database(f"{database}&workspace=팀", makes_workspace=True)
    assert done.workspace == "팀"
    assert prepare_database(f"{database}&workspace=팀", makes_workspace=True).workspace is None
    # An address that names none means `default`, which a database with others need not have.
    assert prepare_database(database, makes_workspace=True).workspace is None
    assert [one.name for one in list_workspaces(database)] == ["팀"]
    delete_workspace(database, "팀")
    assert prepare_database(database, makes_workspace=True).workspace == "default"
    with opened(role_for(database)) as db:
        db.kv.put("키", "값")


def test_a_role_that_may_not_make_a_workspace_learns_who_makes_it(database: str) -> None:
    own = role_for(database)
    with pytest.raises(NotAllowed, match=r"no workspace '내 팀'.*strata workspace create '내 팀'"):
        opened(f"{own}&workspace=내 팀")
    with pytest.raises(NotAllowed, match="strata workspace create"):
        create_workspace(own, "내 팀")


def test_a_role_that_may_not_change_tables_learns_who_does(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    role = f"role_{ids.token()}"
    with psycopg.connect(database, autocommit=True) as session:
        session.execute(f"CREATE ROLE {role} LOGIN".encode())
    with pytest.raises(NotAllowed, match=r"no tables of Strata.*strata db init"):
        opened(database.replace("//postgres@", f"//{role}@"))
    own = role_for(database)
    newer(monkeypatch)
    with pytest.raises(NotAllowed, match="strata db upgrade"):
        opened(own)
    with pytest.raises(Unavailable, match="strata db upgrade"):
        opened(own, create=False)


def test_a_running_program_of_the_old_format_notices_an_upgrade(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # An administrator who owns the tables, and for whom row-level security holds too.
    role = f"owner_{ids.token()}"
    with psycopg.connect(database, autocommit=True) as session:
        session.execute(f"CREATE ROLE {role} LOGIN".encode())
        name = session.info.dbname
        session.execute(f'GRANT CREATE ON DATABASE "{name}" TO {role}'.encode())
    owner = database.replace("//postgres@", f"//{role}@")
    with opened(owner) as db, opened(f"{owner}&workspace=둘") as other:
        for each in (db, other):
            each.kv.put("앞", 1)
        with monkeypatch.context() as upgraded:
            newer(upgraded)
            done = prepare_database(owner)
            assert done.format == done.format_before + 1
        for each in (db, other):
            with pytest.raises(NewerFormat):
                each.kv.put("뒤", 2)
            with pytest.raises(NewerFormat):
                each.kv.put_many({"뒤": 2, "셋": 3})
            with pytest.raises(NewerFormat):
                each.kv.list()
    with psycopg.connect(database) as session:
        assert session.execute("SELECT count(*) FROM strata.versions").fetchone() == (2,)


def newer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let opening believe that this is a program of the next format."""
    now = format_number()
    more = {**workspaces.migrations(), now + 1: "SELECT 1"}
    monkeypatch.setattr(workspaces, "migrations", lambda: more)
    monkeypatch.setattr(workspaces, "format_number", lambda: now + 1)
    monkeypatch.setattr(administration, "format_number", lambda: now + 1)


def connections(owner: "psycopg.Connection[Any]", address: str) -> int:
    """Count the connections to a workspace."""
    found = owner.execute(
        "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE %s",
        (f"strata %{parse_address(address).workspace[-10:]}",),
    ).fetchone()
    assert found is not None
    return found[0]


def cut(owner: "psycopg.Connection[Any]", address: str) -> None:
    """End the connections to a workspace, as a restart of the server does."""
    found = owner.execute(
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
        " WHERE application_name LIKE %s",
        (f"strata %{parse_address(address).workspace[-10:]}",),
    ).fetchall()
    assert found


def test_an_address_is_shown_without_its_password() -> None:
    word = "geheim"
    address = parse_address(f"postgresql://나:{word}@host:5432/db?sslmode=require&workspace=팀")
    assert address.workspace == "팀"
    assert "workspace" not in address.database
    assert word not in address.display
    assert "host:5432/db" in address.display


def test_a_statement_that_the_database_has_ended_names_the_setting(database: str) -> None:
    with opened(database) as db:
        db.kv.put("키", 1)
    with psycopg.connect(database) as holder:
        own = holder.info.dbname
        holder.execute(f'ALTER DATABASE "{own}" SET statement_timeout = 50'.encode())
        holder.commit()
        with opened(database) as db:
            assert db.kv.get("키") is not None
            holder.execute("SELECT FROM strata.catalog FOR UPDATE")
            with pytest.raises(Interrupted, match="statement_timeout"):
                db.kv.put("키", 2)
            holder.rollback()
            assert db.kv.put("키", 3).version == 2
