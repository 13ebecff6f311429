"""Hints that another process has committed: heard, tried out, and never needed."""

import threading
import time
from collections.abc import Callable, Iterator

import psycopg
import pytest

import strata
from strata.base import limits
from strata.sql.postgres import PostgresDatabase

PATIENCE_S = 20.0


@pytest.fixture(name="opened")
def fixture_opened(postgres_address: str) -> Iterator[strata.Workspace]:
    with strata.open(postgres_address, auto_embed=False) as db:
        yield db


def until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.01)


def test_an_edit_of_another_process_is_heard_and_a_fact_is_not(
    opened: strata.Workspace, postgres_address: str
) -> None:
    hints = opened._view.store.database.hints
    assert hints is not None
    heard = threading.Semaphore(0)
    unsubscribe = hints.subscribe(heard.release)
    until(lambda: hints.is_working)
    with strata.open(postgres_address, auto_embed=False) as other:
        other.kv.put("사실", 1)
        assert not heard.acquire(timeout=0.3)
        document = other.documents.create("계획", "안녕").document
        assert heard.acquire(timeout=PATIENCE_S)
        other.documents.edit(document, "안녕", "세계")
        assert heard.acquire(timeout=PATIENCE_S)
        unsubscribe()
        while heard.acquire(timeout=0.2):
            pass
        other.documents.edit(document, "세계", "안녕")
        assert not heard.acquire(timeout=0.5)


def create_and_fail(db: strata.Workspace) -> None:
    with db.transaction() as staged:
        staged.documents.create("계획", "안녕")
        raise ZeroDivisionError


def test_what_rolls_back_is_not_told(opened: strata.Workspace, postgres_address: str) -> None:
    hints = opened._view.store.database.hints
    assert hints is not None
    heard = threading.Semaphore(0)
    hints.subscribe(heard.release)
    until(lambda: hints.is_working)
    with strata.open(postgres_address, auto_embed=False) as other:
        with pytest.raises(ZeroDivisionError):
            create_and_fail(other)
        assert not heard.acquire(timeout=0.5)


def test_a_cut_connection_is_noticed_and_made_again(
    opened: strata.Workspace, postgres_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "HINT_PAUSE_S", 0.2)
    database = opened._view.store.database
    assert isinstance(database, PostgresDatabase)
    assert database.hints is not None
    hints = database.hints
    heard = threading.Semaphore(0)
    hints.subscribe(heard.release)
    until(lambda: hints.is_working)
    with psycopg.connect(database.address.database, autocommit=True) as session:
        session.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name = 'strata hints' AND datname = current_database()"
        )
    # A caller that waits looks at once, because a hint may have been lost.
    assert heard.acquire(timeout=PATIENCE_S)
    until(lambda: hints.is_working)
    with strata.open(postgres_address, auto_embed=False) as other:
        other.documents.create("계획", "안녕")
        assert heard.acquire(timeout=PATIENCE_S)


def test_where_hints_do_not_arrive_they_are_not_waited_for(
    opened: strata.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pooler that gives the connection to others would keep them back."""
    database = opened._view.store.database
    assert isinstance(database, PostgresDatabase)
    assert database.hints is not None
    monkeypatch.setattr(limits, "HINT_TRUST_S", 0.5)
    monkeypatch.setattr(database._hints, "_send", lambda _text: None)
    database.hints.subscribe(lambda: None)
    time.sleep(1.5)
    assert not database.hints.is_working


def test_a_closed_store_leaves_no_listener_behind(postgres_address: str) -> None:
    with strata.open(postgres_address, auto_embed=False) as db:
        hints = db._view.store.database.hints
        assert hints is not None
        hints.subscribe(lambda: None)
        until(lambda: hints.is_working)
    until(lambda: all(one.name != "strata-hints" for one in threading.enumerate()))
