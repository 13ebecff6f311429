"""A connection that is cut during a commit: nothing is lost, and nothing is written twice."""

import random
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from typing import Any, NamedTuple

import psycopg
import pytest

import strata
from strata.base import limits
from tests.crash.length import rounds
from tests.crash.postgres.proxy import CuttingProxy
from tests.crash.postgres.servers import Server

pytestmark = [pytest.mark.crash, pytest.mark.slow]
# What the server answers when a put, and when a transaction, is committed.
PUT, COMMIT = b"INSERT 0 1\0", b"COMMIT\0"


@pytest.fixture
def db(server: Server, proxy: CuttingProxy, name: str) -> Iterator[strata.Workspace]:
    """A workspace behind the proxy, with a connection that has been used."""
    address = server.address(port=proxy.port, workspace=name)
    with strata.open(address, auto_embed=False) as db:
        for number in range(3):
            db.kv.put("처음", number)
            db.kv.put("태그", number, tags=["앞"])
        yield db


@pytest.fixture
def direct(server: Server, name: str, db: strata.Workspace) -> Iterator[strata.Workspace]:
    """The same workspace, beside the proxy."""
    with strata.open(server.address(workspace=name), auto_embed=False) as direct:
        yield direct


def test_a_put_whose_answer_is_lost_is_reported_as_made(
    db: strata.Workspace, direct: strata.Workspace, proxy: CuttingProxy
) -> None:
    proxy.cut_answer(PUT)
    before = proxy.cuts
    made = db.kv.put("값", "하나")
    assert proxy.cuts == before + 1
    (found,) = direct.kv.history("값")
    assert (found.version, found.timestamp, found.value) == (made.version, made.timestamp, "하나")
    assert db.verify().ok


def test_a_put_that_did_not_arrive_is_repeated(
    db: strata.Workspace, direct: strata.Workspace, proxy: CuttingProxy
) -> None:
    proxy.cut_request()
    before = proxy.cuts
    made = db.kv.put("값", "하나")
    assert proxy.cuts == before + 1
    assert [one.version for one in direct.kv.history("값")] == [made.version]
    assert db.verify().ok


def test_a_put_that_arrives_after_it_was_repeated_is_refused(
    db: strata.Workspace, direct: strata.Workspace, proxy: CuttingProxy
) -> None:
    proxy.cut_request(late=True)
    made = db.kv.put("값", "하나")
    assert proxy.cuts
    wait_for(lambda: not proxy.has_kept)
    assert [one.version for one in direct.kv.history("값")] == [made.version]
    assert direct.kv.put("다음", 1).version == made.version + 1
    assert db.verify().ok


def test_a_put_that_the_server_is_busy_with_is_waited_for(
    server: Server, db: strata.Workspace, direct: strata.Workspace, proxy: CuttingProxy
) -> None:
    """Another client holds the lock while the connection is cut; the put is written behind it."""
    with psycopg.connect(server.address()) as other:
        other.execute("SELECT changes FROM strata.catalog FOR UPDATE")
        made: list[int] = []
        writer = threading.Thread(target=lambda: made.append(db.kv.put("값", "하나").version))
        writer.start()
        wait_for(lambda: is_waiting(server))
        proxy.cut_all()
        time.sleep(0.5)  # the writer asks, while the server still knows its first request
        other.commit()
    writer.join(60)
    assert [one.version for one in direct.kv.history("값")] == made
    assert db.verify().ok


@pytest.mark.parametrize("lost", ["answer", "request", "late request"])
def test_a_fork_is_made_once_whichever_way_the_connection_is_lost(
    db: strata.Workspace, direct: strata.Workspace, proxy: CuttingProxy, lost: str
) -> None:
    db.kv.put("값", "하나")
    before = proxy.cuts
    if lost == "answer":
        proxy.cut_answer(PUT)
    else:
        proxy.cut_request(late=lost == "late request")
    made = db.branches.fork("가지")
    assert proxy.cuts == before + 1
    wait_for(lambda: not proxy.has_kept)
    assert [one.name for one in direct.branches.list()] == ["default", "가지"]
    assert direct.branches.get("가지") == made
    assert db.on("가지").kv.put("둘", 2).version == made.version + 1
    assert db.verify().ok


class Change(NamedTuple):
    """A change of a store by a transaction, under a word of its own, and how often it is there."""

    make: Callable[[strata.Workspace, str], object]
    count: Callable[[strata.Workspace, str], int]


CHANGES = {
    "put with tags": Change(
        lambda db, word: db.kv.put(word, "하나", tags=["표"]),
        lambda db, word: len(db.kv.history(word)),
    ),
    "batch": Change(
        lambda db, word: db.kv.put_many({f"{word}/{number}": number for number in range(100)}),
        lambda db, word: sum(len(db.kv.history(f"{word}/{n}")) for n in range(100)) // 100,
    ),
    "event": Change(
        lambda db, word: db.events.append("일", {"word": word}),
        lambda db, word: sum(event.payload == {"word": word} for event in db.events.list()),
    ),
    "json": Change(
        lambda db, word: db.json.set(word, "$.가", 1), lambda db, word: len(db.json.history(word))
    ),
    "state": Change(
        lambda db, word: db.state.set(word, 1), lambda db, word: len(db.state.history(word))
    ),
    "document": Change(
        lambda db, word: db.documents.create(word, f"# {word}\n\n처음."),
        lambda db, word: sum(
            word in db.documents.text(document).split() for document in db.rights.visible()
        ),
    ),
    "branch": Change(
        lambda db, word: db.branches.create_empty(word),
        lambda db, word: int(db.branches.exists(word)),
    ),
    "decision": Change(
        lambda db, word: db.decisions.save(word, "결정", "까닭"),
        lambda db, word: len(db.decisions.on_topic(word).chain),
    ),
    "person": Change(
        lambda db, word: db.users.add(f"{word}@example.com", name=word),
        lambda db, word: sum(user.name == word for user in db.users.list()),
    ),
    "token": Change(
        lambda db, word: db.tokens.create(word),
        lambda db, word: sum(token.label == word for token in db.tokens.list()),
    ),
}


@pytest.mark.parametrize("kind", CHANGES)
def test_a_transaction_whose_answer_is_lost_is_reported_as_made(
    db: strata.Workspace, direct: strata.Workspace, proxy: CuttingProxy, kind: str
) -> None:
    change, cuts = CHANGES[kind], proxy.cuts
    proxy.cut_answer(COMMIT)
    change.make(db, "말")
    assert proxy.cuts == cuts + 1
    assert change.count(direct, "말") == change.count(db, "말") == 1
    assert db.verify().ok


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("kind", CHANGES)
def test_whichever_request_of_a_transaction_is_cut_the_caller_knows_whether_it_was_made(
    db: strata.Workspace, direct: strata.Workspace, proxy: CuttingProxy, kind: str, *, late: bool
) -> None:
    """A request that is cut never arrives, or arrives when the client has noticed the cut."""
    change, failures, after = CHANGES[kind], 0, 0
    while True:
        word, cuts = f"말{after}", proxy.cuts
        proxy.cut_request(after=after, late=late)
        said = complaint(partial(change.make, db, word))
        if said:
            assert "Nothing was changed" in said
            failures += 1
        assert change.count(direct, word) == (0 if said else 1)
        if proxy.cuts == cuts:
            break  # it has fewer requests
        wait_for(lambda: not proxy.has_kept)
        assert change.count(direct, word) == change.count(db, word) <= 1
        after += 1
    proxy.cut_request(after=1_000_000)
    assert after >= 2
    assert failures
    assert db.verify().ok


def test_a_database_that_does_not_come_back_leaves_the_caller_in_no_doubt_of_the_doubt(
    server: Server, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "RECONNECT_WAIT_S", 1.0)
    monkeypatch.setattr(limits, "LOCK_WAIT_S", 1.0)
    with (
        CuttingProxy(server.port) as proxy,
        strata.open(server.address(port=proxy.port, workspace=name), auto_embed=False) as db,
    ):
        db.kv.put("값", 0)
        proxy.cut_answer(PUT)
        proxy.refuse()
        with pytest.raises(strata.Unavailable, match="as a whole, or not at all"):
            db.kv.put("값", 1)
        proxy.accept_again()
        assert [one.value for one in db.kv.history("값")] == [1, 0]
        db.kv.put("값", 2)
        assert db.verify().ok


def test_requests_that_were_answered_are_forgotten(
    server: Server, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = server.address(workspace=name)
    with strata.open(address, auto_embed=False) as db:
        for number in range(50):
            db.kv.put(f"값/{number}", number)
            db.kv.put(f"표/{number}", number, tags=["표"])
        assert requests(server, name) <= 3
    for number in range(5):
        with strata.open(address, auto_embed=False) as db:
            db.kv.put("값", number)
    assert 5 <= requests(server, name) <= 20
    monkeypatch.setattr(limits, "COMMIT_REQUEST_S", 0.0)
    with strata.open(address, auto_embed=False) as db:
        db.kv.put("값", "뒤")
        assert requests(server, name) <= 2


def test_random_cuts_lose_nothing_and_repeat_nothing(
    server: Server, name: str, proxy: CuttingProxy
) -> None:
    """Several threads write while connections are cut; each keeps count of what it was told."""
    address = server.address(port=proxy.port, workspace=name)
    dice, told, errors = random.Random(7), [Told() for _writer in range(4)], list[str]()
    with strata.open(address, auto_embed=False) as db:
        db.kv.put("처음", 1)
        stop = threading.Event()
        threads = [
            threading.Thread(target=write_until, args=(db, number, told[number], stop, errors))
            for number in range(len(told))
        ]
        for thread in threads:
            thread.start()
        for _cut in range(rounds(25, 500)):
            time.sleep(dice.uniform(0.01, 0.2))
            proxy.cut_some(dice)
        stop.set()
        for thread in threads:
            thread.join(120)
        assert errors == []
        assert sum(len(one.made) for one in told) > 20
        assert proxy.cuts > 10
        for number, one in enumerate(told):
            found = {key: len(db.kv.history(key)) for key in one.made | one.refused}
            assert found == dict.fromkeys(one.made, 1) | dict.fromkeys(one.refused, 0), number
        payloads = [event.payload["key"] for event in all_events(db)]
        events = set[str]().union(*(one.events for one in told))
        assert sorted(payloads) == sorted(events)
        assert db.verify().ok


class Told:
    """What a writer was told of its writes."""

    def __init__(self) -> None:
        self.made: set[str] = set()
        self.refused: set[str] = set()
        self.events: set[str] = set()


def write_until(
    db: strata.Workspace, number: int, told: Told, stop: threading.Event, errors: list[str]
) -> None:
    """Write one thing after another, and take down how it ended."""
    for turn in count():
        if stop.is_set():
            return
        key = f"{number}/{turn}"
        try:
            match turn % 3:
                case 0:
                    db.kv.put(key, turn)
                case 1:
                    db.kv.put(key, turn, tags=["표"])
                case _:
                    db.events.append("일", {"key": key})
                    told.events.add(key)
                    continue
            told.made.add(key)
        except strata.Unavailable as error:
            if "Nothing was changed" not in str(error):
                errors.append(str(error))
            told.refused.add(key)
        except BaseException as error:  # the test tells which
            errors.append(repr(error))
            raise


def complaint(call: Callable[[], object]) -> str:
    """Return what is said when the store is not available; nothing when the call succeeds."""
    try:
        call()
    except strata.Unavailable as error:
        return str(error)
    return ""


def all_events(db: strata.Workspace) -> Iterator[Any]:
    after = 0
    while page := db.events.list(after=after, limit=1000):
        yield from page
        after = page[-1].sequence


def requests(server: Server, name: str) -> int:
    """Count the rows that the database keeps of commits of a workspace."""
    with psycopg.connect(server.address()) as session:
        found = session.execute(
            "SELECT count(*) FROM strata.commit_requests AS r JOIN strata.workspaces AS w"
            " ON w.ws = r.ws WHERE w.name = %s",
            (name,),
        ).fetchone()
    assert found is not None
    return found[0]


def is_waiting(server: Server) -> bool:
    """Whether a client waits for a lock."""
    with psycopg.connect(server.address()) as session:
        found = session.execute(
            "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
        ).fetchone()
    return found is not None


def wait_for(condition: Callable[[], bool]) -> None:
    give_up = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < give_up
        time.sleep(0.02)
