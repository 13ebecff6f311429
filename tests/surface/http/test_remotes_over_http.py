"""A server as a remote: who may ask, what it takes in, and what it refuses."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import httpx2
import pytest

import strata
from strata.base import limits
from strata.remotes import FetchRequest, HttpRemote
from strata.upkeep import PackInfo
from strata.workspace import remotes
from tests.surface.http.conftest import Running, Serve

Open = Callable[[str, str], strata.Workspace]


@pytest.fixture
def running(serve: Serve) -> Running:
    return serve(no_auth=False)


@pytest.fixture
def opened(running: Running, tmp_path: Path) -> Iterator[Open]:
    """Open stores that know the server as origin."""
    with ExitStack() as stack:

        def make(name: str, token: str) -> strata.Workspace:
            db = strata.open(tmp_path / f"{name}.db", auto_embed=False)
            stack.callback(db.close)
            db.remotes.add("origin", running.base, token=token)
            return db

        yield make


def test_a_clone_is_moved_forward_and_so_is_the_server(running: Running, opened: Open) -> None:
    running.db.kv.put("인사", "안녕")
    token = running.token()
    a, b = opened("a", token), opened("b", token)
    assert [one.outcome for one in a.remotes.pull().branches] == ["forwarded"]
    b.remotes.pull()
    a.kv.put("a", 1)
    done = a.remotes.push()
    assert (done.commits, done.branches, done.merged) == (1, ("default",), ())
    assert running.db.log(limit=1)[0].hash == a.log(limit=1)[0].hash
    assert [one.outcome for one in b.remotes.pull().branches] == ["forwarded"]
    assert b.log(limit=1)[0].hash == a.log(limit=1)[0].hash
    assert running.db.verify().ok


def test_a_push_is_refused_while_the_server_has_more(running: Running, opened: Open) -> None:
    running.db.kv.put("k", 1)
    a = opened("a", running.token())
    a.remotes.pull()
    running.db.kv.put("server", 1)
    a.kv.put("a", 1)
    before = (running.db.log(), [one.name for one in running.db.branches.list()])
    with pytest.raises(strata.Conflict, match="not pulled yet") as caught:
        a.remotes.push()
    assert "db.remotes.pull()" in str(caught.value.hint)
    assert (running.db.log(), [one.name for one in running.db.branches.list()]) == before
    done = a.remotes.sync()
    assert done.push.merged == ("default",)
    assert running.db.kv.list() == a.kv.list() == ["a", "k", "server"]
    assert running.db.log(limit=1)[0].actor == "노트북"
    after = a.remotes.sync()
    assert (after.push.commits, a.remotes.sync().pull.commits) == (0, 0)


def test_a_store_that_was_merged_on_the_server_can_push_again(
    running: Running, opened: Open
) -> None:
    running.db.kv.put("k", 1)
    a = opened("a", running.token())
    a.remotes.pull()
    running.db.kv.put("server", 1)
    a.kv.put("a", 1)
    assert a.remotes.sync().push.merged == ("default",)
    for number in range(3):
        a.kv.put(f"later {number}", 1)
        if number:
            a.events.append("seen", {"number": number})
            a.remotes.sync()
        else:
            a.remotes.push()
    assert running.db.kv.list() == a.kv.list()
    said = [[event.payload for event in db.events.list()] for db in (running.db, a)]
    assert said == [[{"number": 1}, {"number": 2}]] * 2
    assert (a.remotes.sync().push.commits, running.db.verify().ok) == (0, True)


def test_a_commit_that_changes_nothing_is_in_the_way_of_no_push(
    running: Running, opened: Open
) -> None:
    running.db.kv.put("k", 1)
    a = opened("a", running.token())
    a.remotes.pull()
    running.db.kv.put("k", 1)
    running.db.kv.put("k", 2)
    running.db.kv.put("k", 1)
    a.kv.put("k", 3)
    a.remotes.sync()
    assert running.db.kv["k"] == a.kv["k"] == 3
    running.db.kv.put("server", 1)
    a.kv.put("a", 1)
    with pytest.raises(strata.Conflict, match="not pulled yet"):
        a.remotes.push()
    running.db.kv.put("a", 2)
    with pytest.raises(strata.Conflict, match="not pulled yet"):
        a.remotes.push()
    a.remotes.pull(strategy="target_wins")
    a.remotes.push()
    assert running.db.kv["a"] == a.kv["a"] == 1


def test_a_write_on_the_server_while_it_takes_a_push_in_is_pulled_first(
    running: Running, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    running.db.kv.put("k", 1)
    a = opened("a", running.token())
    a.remotes.pull()
    running.db.kv.put("server", 1)
    a.kv.put("k", 2)
    a.remotes.pull()
    real = remotes.receive_offers

    def write_meanwhile(*arguments: Any, **options: Any) -> Any:
        came = real(*arguments, **options)
        if "check" in options:  # the server's own call
            monkeypatch.setattr(remotes, "receive_offers", real)
            running.db.kv.put("k", 3)
        return came

    monkeypatch.setattr(remotes, "receive_offers", write_meanwhile)
    with pytest.raises(strata.Conflict, match="not pulled yet"):
        a.remotes.push()
    assert running.db.kv["k"] == 3
    a.remotes.sync(strategy="newest")
    assert running.db.kv["k"] == a.kv["k"] == 3
    assert running.db.verify().ok


def test_what_was_purged_here_is_in_the_way_of_no_push(running: Running, opened: Open) -> None:
    db = running.db
    for key in ("gone", "kept"):
        db.kv.put(key, "지울 말")
    db.events.append("seen", {"what": "지울 말"})
    a = opened("a", running.token())
    a.remotes.pull()
    a.kv.put("own", 1)
    db.kv.put("server", 1)
    a.remotes.sync()
    db.kv.delete("gone")
    a.kv.put("gone", "지울 말")
    a.kv.put("own", 2)
    a.purge("gone")
    a.purge("0000000000000001", kind="event")
    a.remotes.sync()
    assert db.kv.list() == a.kv.list() == ["kept", "own", "server"]
    for one in (db, a):
        assert "지울 말" not in str([event.payload for event in one.events.list()])
        assert one.verify().ok
    db.events.append("later", {"n": 1})
    a.purge("kept")
    a.kv.put("own", 3)
    with pytest.raises(strata.Conflict, match="not pulled yet"):
        a.remotes.push()
    assert db.kv["kept"] == "지울 말"
    a.remotes.sync()
    assert "kept" not in db.kv.list()
    assert len(list(db.events.list())) == len(list(a.events.list()))


def test_only_the_owners_tokens_take_everything_out_or_in(running: Running, opened: Open) -> None:
    db = running.db
    db.kv.put("k", 1)
    db.users.add("ann@example.com", "Ann")
    for name, rights in {
        "ann": {"user": "ann@example.com"},
        "few": {"groups": ["memory"]},
        "suggesting": {"suggest_only": True},
    }.items():
        a = opened(name, running.token(name, **rights))
        for call in (a.remotes.pull, a.remotes.push):
            with pytest.raises(strata.NotAllowed, match="may not take everything"):
                call()
        assert a.log() == []


def test_a_token_that_may_only_read_pulls_and_does_not_push(running: Running, opened: Open) -> None:
    running.db.kv.put("k", 1)
    a = opened("a", running.token(read_only=True))
    assert a.remotes.pull().commits == 1
    a.kv.put("a", 1)
    with pytest.raises(strata.NotAllowed, match="may only read"):
        a.remotes.push()
    assert running.db.kv.list() == ["k"]


def test_a_server_for_reading_only_takes_no_packs(serve: Serve, opened: Open) -> None:
    reader = serve(no_auth=False, read_only=True)
    reader.db.kv.put("k", 1)
    a = opened("a", "strata_x")
    a.remotes.add("reader", reader.base, token=reader.token())
    assert a.remotes.pull("reader").commits == 1
    a.kv.put("a", 1)
    with pytest.raises(strata.NotAllowed, match="reading only"):
        a.remotes.push("reader")
    assert not reader.db.remotes.spool_folder(".arriving").exists()
    assert reader.db.kv.list() == ["k"]


def test_no_token_or_a_wrong_one_is_refused(running: Running, opened: Open) -> None:
    a = opened("a", "strata_wrong")
    with pytest.raises(strata.NotAllowed, match="unknown, expired or revoked"):
        a.remotes.pull()
    for path in ("manifest", "fetch", "push", f"packs/{'0' * 64}"):
        method = {"manifest": "GET", "fetch": "POST", "push": "POST"}.get(path, "PUT")
        assert httpx2.request(method, f"{running.base}/remote/{path}").status_code == 401


@pytest.mark.parametrize("token", ["토큰", "two words", "line\nbreak", ""])
def test_what_cannot_be_a_token_is_refused_before_it_is_sent(
    running: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, token: str
) -> None:
    with pytest.raises(strata.InvalidArgument, match="token"):
        strata.clone(running.base, tmp_path / "new.db", token=token)
    if token:
        monkeypatch.setenv("STRATA_REMOTE_TOKEN", token)
        with pytest.raises(strata.InvalidArgument, match="STRATA_REMOTE_TOKEN"):
            strata.clone(running.base, tmp_path / "new.db")
    assert not (tmp_path / "new.db").exists()


def test_a_clone_that_is_refused_keeps_no_token(running: Running, tmp_path: Path) -> None:
    running.db.kv.put("k", 1)
    for _each in range(2):
        with pytest.raises(strata.NotAllowed, match="unknown"):
            strata.clone(running.base, tmp_path / "new.db", token="strata_0_wrong")
        with pytest.raises(strata.NotAllowed, match="Send a token"):
            strata.clone(running.base, tmp_path / "new.db")
    strata.clone(running.base, tmp_path / "new.db", token=f"{running.token()}\n")
    with pytest.raises(strata.NotAllowed, match="unknown"):
        strata.clone(running.base, tmp_path / "newer.db", token="strata_0_wrong")
    assert strata.clone(running.base, tmp_path / "newer.db").commits == 1


def test_a_removed_remote_leaves_no_token(running: Running, opened: Open) -> None:
    token = running.token()
    a, b = opened("a", token), opened("b", token)
    a.remotes.add("again", running.base)
    a.remotes.remove("origin")
    a.remotes.pull("again")
    a.remotes.remove("again")
    b.remotes.pull()  # another store of this user has the same server
    b.remotes.remove("origin")
    b.remotes.add("origin", running.base)
    with pytest.raises(strata.NotAllowed, match="Send a token"):
        b.remotes.pull()


def test_a_remote_that_gets_another_address_leaves_no_token(running: Running, opened: Open) -> None:
    a = opened("a", running.token())
    a.remotes.add("origin", "https://elsewhere.example")
    a.remotes.add("origin", running.base)
    with pytest.raises(strata.NotAllowed, match="Send a token"):
        a.remotes.pull()


def test_secrets_are_refused_by_the_server(running: Running, opened: Open) -> None:
    a = opened("a", running.token())
    a.allowing_secrets().kv.put("dsn", "postgres://app:" + "tr0ub4dor" + "@db/app")
    with pytest.raises(strata.SecretRefused, match="must stay secret"):
        a.remotes.push()
    assert running.db.log() == []


def test_a_purge_reaches_the_server(running: Running, opened: Open) -> None:
    a = opened("a", running.token())
    a.kv.put("k", "지울 말")
    a.remotes.push()
    a.purge("k")
    assert a.remotes.push().erased == 1
    assert [one.state for one in running.db.kv.history("k")] == ["erased"]
    assert a.remotes.push().erased == 0


def test_a_large_store_comes_in_several_packs_and_a_cut_line_goes_on(
    running: Running, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "PACK_COMMITS", 4)
    monkeypatch.setattr(limits, "REMOTE_PAUSE_S", 0.0)
    for number in range(18):
        running.db.kv.put(f"k{number}", number)
    a = opened("a", running.token())
    real, asked = HttpRemote.fetch, list[int]()

    def fetch(self: HttpRemote, request: object, target: Path) -> int | None:
        asked.append(1)
        if len(asked) == 3:
            raise strata.Unavailable("the line was cut")
        return real(self, request, target)  # type: ignore[arg-type]

    monkeypatch.setattr(HttpRemote, "fetch", fetch)
    with pytest.raises(strata.Unavailable):
        a.remotes.pull()
    assert a.log() == []
    asked.clear()
    asked += [0, 0, 0]
    assert a.remotes.pull().commits == 18
    assert len(asked) == 3 + 4, "two of five packs were here; the last answer says that it is all"
    assert a.verify().ok


def test_a_note_that_a_crash_has_cut_off_does_not_stop_a_pull(
    running: Running, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    running.db.kv.put("k", 1)
    a = opened("a", running.token())
    fetch = HttpRemote.fetch

    def fetch_once(self: HttpRemote, request: FetchRequest, target: Path) -> int | None:
        if request.after:
            raise strata.Unavailable("the line was cut")
        return fetch(self, request, target)

    with monkeypatch.context() as patch:
        patch.setattr(HttpRemote, "fetch", fetch_once)
        with pytest.raises(strata.Unavailable):
            a.remotes.pull()
    [note] = a.remotes.spool_folder("origin").glob("*.last")
    note.write_bytes(b"")
    assert a.remotes.pull().commits == 1


def test_a_pack_that_a_crash_of_the_server_has_cut_off_is_sent_again(
    running: Running, opened: Open
) -> None:
    a = opened("a", running.token())
    a.kv.put("k", 1)
    put = HttpRemote._put

    def put_and_cut(self: HttpRemote, info: PackInfo, path: Path) -> None:
        put(self, info, path)
        [kept] = running.db.remotes.spool_folder(".arriving").iterdir()
        kept.write_bytes(b"")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(HttpRemote, "_put", put_and_cut)
        with pytest.raises(strata.DamagedBundle, match="did not arrive whole"):
            a.remotes.push()
    assert a.remotes.push().commits == 1
    assert running.db.kv.list() == ["k"]


def test_a_push_does_not_disturb_a_pull_of_the_served_store(
    running: Running, opened: Open, tmp_path: Path
) -> None:
    (tmp_path / "stick").mkdir()
    running.db.remotes.add("arriving", tmp_path / "stick")
    a = opened("a", running.token())
    a.kv.put("k", 1)
    put = HttpRemote._put

    def put_and_pull(self: HttpRemote, info: PackInfo, path: Path) -> None:
        put(self, info, path)
        running.db.remotes.pull("arriving")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(HttpRemote, "_put", put_and_pull)
        assert a.remotes.push().commits == 1


def test_requests_that_are_malformed_are_refused(running: Running) -> None:
    running.db.kv.put("k", 1)
    headers = {"Authorization": f"Bearer {running.token()}"}

    def send(method: str, path: str, body: bytes) -> httpx2.Response:
        address = f"{running.base}/remote/{path}"
        return httpx2.request(method, address, content=body, headers=headers)

    assert send("POST", "fetch", b"{").status_code == 400
    assert send("POST", "fetch", b'{"wanted": [["zz", 1]], "known": []}').status_code == 400
    late = b'{"wanted": [], "known": [], "after": 9223372036854775808}'
    assert send("POST", "fetch", late).status_code == 400
    assert send("POST", "push", b"{}").status_code == 422
    assert send("PUT", f"packs/{'0' * 64}", b"anything").status_code == 400
    assert send("PUT", "packs/..%2f..%2fx", b"anything").status_code in (400, 404)
    assert running.db.kv.list() == ["k"]


@pytest.mark.parametrize("path", ["/기억", "/a b", "/%41"])
def test_an_address_may_have_a_path_in_any_language(
    running: Running, opened: Open, path: str
) -> None:
    a = opened("a", running.token())
    a.remotes.add("other", running.base + path)
    with pytest.raises(strata.StrataError, match=f"{path} "):
        a.remotes.pull("other")


def test_an_address_without_strata_is_told(serve: Serve, opened: Open) -> None:
    a = opened("a", "strata_x")
    a.remotes.add("origin", f"{serve().base}/nothing")
    with pytest.raises(strata.StrataError):
        a.remotes.pull()
    a.remotes.add("origin", "http://127.0.0.1:1")
    with pytest.raises(strata.Unavailable, match="does not answer"):
        a.remotes.pull()


ANSWERS = {
    "a page": (b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>", "as Strata does"),
    "elsewhere": (
        b"HTTP/1.1 301 Moved\r\nLocation: https://other.example/x?y\r\nContent-Length: 0\r\n\r\n",
        "sends callers on to https://other.example\\.",
    ),
    "an error": (b"HTTP/1.1 502 Bad\r\nContent-Length: 3\r\n\r\nbad", "answered 502"),
    "another protocol": (b"\0\1\2 hello\r\n\r\n", "is no HTTP"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_a_server_of_another_program_is_told(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer, said = ANSWERS[name]
    monkeypatch.setattr(limits, "REMOTE_PAUSE_S", 0.0)
    asked = list[bytes]()

    def serve(listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                client, _address = listener.accept()
                with client:
                    asked.append(client.recv(65_536))
                    client.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, args=(listener,), daemon=True)
        thread.start()
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        with pytest.raises(strata.StrataError, match=said) as caught:
            strata.clone(address, tmp_path / "new.db", token="strata_1_x")
        assert caught.value.hint
    assert all(b"Bearer strata_1_x" in one for one in asked)
    assert not (tmp_path / "new.db").exists()
