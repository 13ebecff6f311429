"""The feed of commits: to each page what its user may see, from every process, without gaps."""

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

import strata
from strata.base import limits
from strata.tools import StoreHost
from strata.web.live.sockets import QueuedSocket
from tests.surface.live.conftest import Office, Running

Listen = Callable[..., "Listener"]


class Listener:
    """A page that follows the feed."""

    def __init__(self, address: str, token: str, query: str = "") -> None:
        headers = {"Authorization": f"Bearer {token}"}
        self.socket: ClientConnection = connect(
            f"{address}/live/feed{query}",
            additional_headers=headers,
            open_timeout=30,
            legacy=True,
        )
        self.version: int = self.next()["version"]

    def next(self, timeout: float = 30) -> dict[str, Any]:
        """Return the next message that is no heartbeat."""
        while True:
            message = json.loads(self.socket.recv(timeout=timeout))
            if "beat" not in message:
                return message

    def commit(self) -> dict[str, Any]:
        """Return the next message about commits."""
        while "branch" not in (message := self.next()):
            pass
        return message

    def end(self, timeout: float = 30) -> int:
        """Return the code with which the server ends it."""
        with suppress(ConnectionClosed):
            while True:
                self.socket.recv(timeout=timeout)
        return self.socket.close_code or 0


@pytest.fixture
def listen(office: Office) -> Iterator[Listen]:
    opened: list[Listener] = []

    def start(who: str = "owner", query: str = "", **rights: Any) -> Listener:
        opened.append(Listener(office.server.address, office.token(who, **rights), query))
        return opened[-1]

    yield start
    for one in opened:
        one.socket.close()


def test_a_page_hears_of_every_kind_of_commit(office: Office, listen: Listen) -> None:
    page = listen()
    written = office.db.as_actor("소연").kv.put("api/한도", 600)
    told = page.commit()
    assert told["version"] == written.version
    assert (told["branch"], told["who"]["label"], told["kinds"]) == ("default", "소연", ["fact"])
    assert told["keys"] == [{"kind": "fact", "id": "default/api/한도"}]
    office.db.documents.edit(office.document, "세계", "누리")
    assert page.commit()["keys"] == [{"kind": "document", "id": office.document}]
    office.db.review.comment(office.document, "왜?")
    assert page.commit()["keys"] == [{"kind": "comment", "id": office.document}]
    office.db.events.append("배포", {})
    assert page.commit()["keys"] == [{"kind": "event", "id": "default/1"}]
    saved = office.db.decisions.save("주제", "결정", "까닭").memory
    assert {"kind": "decision", "id": saved.id} in page.commit()["keys"]
    office.db.branches.fork("초안")
    office.db.on("초안").kv.put("k", 1)
    assert page.commit()["branch"] == "초안"


def test_a_stranger_does_not_even_hear_that_something_happened(
    office: Office, listen: Listen
) -> None:
    stranger, viewer = listen("bora"), None
    office.share("ann", "viewer")
    viewer = listen("ann")
    office.db.kv.put("비밀", "x")
    office.db.documents.create("비밀", "x")
    office.db.documents.edit(office.document, "세계", "누리")
    assert viewer.commit()["keys"] == [{"kind": "document", "id": office.document}]
    own = office.db.as_user(office.user("bora")).documents.create("일기", "x")
    told = stranger.next()
    while "access" in told:  # the new document is theirs
        told = stranger.next()
    assert told["keys"] == [{"kind": "document", "id": own.document}]
    with pytest.raises(TimeoutError):
        viewer.next(timeout=1)


def test_a_user_who_lost_the_right_hears_no_more(office: Office, listen: Listen) -> None:
    office.share("ann", "viewer")
    page, owner = listen("ann"), listen()
    office.db.shares.unshare(office.document, "ann@example.com")
    office.db.documents.edit(office.document, "세계", "누리")
    assert owner.commit()["kinds"] == ["document"]
    assert page.next() == {"access": True}
    with pytest.raises(TimeoutError):
        page.next(timeout=1)


def test_a_page_hears_of_folders_and_of_what_was_moved_between_them(
    office: Office, listen: Listen
) -> None:
    team = office.db.teams.add("디자인")
    office.db.teams.set_member(team.id, office.user("ann"), "viewer")
    first, second = (office.db.folders.add(name, team=team.id) for name in ("하나", "둘"))
    made = office.db.documents.create("글", folder=first.id).document
    page, stranger = listen("ann"), listen("bora")
    office.db.folders.rename(second.id, "셋")
    assert page.next() == {"access": True}
    office.db.documents.move(made, second.id)
    assert page.next() == {"access": True}
    office.db.folders.remove(first.id)
    assert page.next() == {"access": True}
    space = office.db.document_spaces.add("모음", team=team.id)
    assert page.next() == {"access": True}
    office.db.document_spaces.put(space.id, made)
    assert page.next() == {"access": True}
    office.db.folders.add("남의 것")
    for one in (page, stranger):
        with pytest.raises(TimeoutError):
            one.next(timeout=1)


def test_what_a_commit_of_many_keys_names_is_bounded(office: Office, listen: Listen) -> None:
    page = listen()
    office.db.kv.put_many({f"n/{number:04}": number for number in range(300)})
    told = page.commit()
    assert (len(told["keys"]), told["more"]) == (limits.FEED_KEYS_MAX, True)


def test_a_page_that_returns_is_told_what_it_missed(office: Office, listen: Listen) -> None:
    before = listen().version
    first = office.db.as_actor("a").kv.put("하나", 1)
    second = office.db.as_actor("b").kv.put("둘", 2)
    page = listen(query=f"?after={before}")
    assert page.version == second.version
    assert [page.commit()["version"] for _ in range(2)] == [first.version, second.version]
    office.db.kv.put("셋", 3)
    assert page.commit()["keys"] == [{"kind": "fact", "id": "default/셋"}]


@pytest.mark.parametrize("after", ["0", "999999999"])
def test_a_page_that_was_away_for_long_fetches_anew(
    office: Office, listen: Listen, monkeypatch: pytest.MonkeyPatch, after: str
) -> None:
    monkeypatch.setattr(limits, "FEED_COMMITS_MAX", 3)
    for number in range(5):
        office.db.kv.put("k", number)
    page = listen(query=f"?after={after}")
    assert page.next() == {"refetch": True, "version": page.version}
    office.db.kv.put("k", 6)
    assert page.commit()["version"] > page.version


def test_what_is_no_version_counts_as_now(office: Office, listen: Listen) -> None:
    office.db.kv.put("k", 1)
    for query in ("?after=x", "?after=-1", f"?after={'9' * 40}", "?after="):
        page = listen(query=query)
        written = office.db.kv.put("k", query)
        assert page.commit()["version"] == written.version


def test_commits_of_other_processes_are_told(
    office: Office, listen: Listen, tmp_path: Path
) -> None:
    page = listen()
    with strata.open(tmp_path / "live.db", auto_embed=False) as other:
        written = other.as_actor("elsewhere").kv.put("다른", 1)
    told = page.commit()
    assert (told["version"], told["who"]["label"]) == (written.version, "elsewhere")


def test_a_revoked_sign_in_ends_it_within_a_second(office: Office, listen: Listen) -> None:
    page = listen("ann")
    label = next(token.id for token in office.db.tokens.list() if token.label.startswith("ann"))
    office.db.tokens.revoke(label)
    begun = time.monotonic()
    assert page.end() == 4401
    assert time.monotonic() - begun < 10  # a busy machine; the watch looks twice a second
    with pytest.raises(ConnectionClosed):
        listen("ann")


def test_without_a_sign_in_there_is_no_feed(office: Office) -> None:
    with pytest.raises(ConnectionClosed) as met:
        Listener(office.server.address, "strata_0123456789ab_" + "x" * 43)
    assert met.value.rcvd is not None
    assert met.value.rcvd.code == 4401


def test_a_page_hears_that_the_server_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "SOCKET_BEAT_S", 0.05)
    host = StoreHost(lambda: strata.open(tmp_path / "beat.db", auto_embed=False))
    office = Office(host)
    feed = Listener(office.server.address, office.token("owner"))
    document = office.page()
    try:
        assert json.loads(feed.socket.recv(timeout=30)) == {"beat": True}
        document.until_told("beat")
    finally:
        feed.socket.close()
        document.close()
        office.server.stop()
        host.close()


def test_a_page_that_reads_too_slowly_is_sent_away(
    office: Office, listen: Listen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LIVE_WAITING_BYTES_MAX", 200)
    pump, full = QueuedSocket.pump, asyncio.Event()
    close = QueuedSocket.close

    async def late(socket: QueuedSocket) -> None:
        await full.wait()
        await pump(socket)

    def closed(socket: QueuedSocket, *given: Any) -> None:
        full.set()
        close(socket, *given)

    monkeypatch.setattr(QueuedSocket, "pump", late)
    monkeypatch.setattr(QueuedSocket, "close", closed)
    with connect(
        f"{office.server.address}/live/feed",
        additional_headers={"Authorization": f"Bearer {office.token('owner')}"},
    ) as socket:
        for number in range(20):
            office.db.kv.put(f"k{number}", "x" * 100)
            time.sleep(0.05)
        with pytest.raises(ConnectionClosed) as met:
            socket.recv(timeout=30)
    assert met.value.rcvd is not None
    assert met.value.rcvd.code == 1013


def test_a_server_that_stops_says_so(tmp_path: Path) -> None:
    host = StoreHost(lambda: strata.open(tmp_path / "stop.db", auto_embed=False))
    office = Office(host)
    server: Running = office.server
    page = Listener(server.address, office.token("owner"))
    server.stop()
    assert page.end() == 1012
    host.close()


def test_a_page_hears_of_its_users_tasks_and_of_no_others(office: Office, listen: Listen) -> None:
    groups = ("core", "agents")
    page, other = listen(groups=groups), listen("stranger", groups=groups)
    made = office.db.agents.invoke("linker")
    while "tasks" not in page.next():
        pass
    office.db.agents.cancel(made.id)
    while "tasks" not in page.next():
        pass
    theirs = office.db.as_user("stranger@example.com")
    theirs.agents.invoke("linker")
    heard = [other.next()]
    while "tasks" not in heard[-1]:
        heard.append(other.next())
    theirs.documents.create("글", "x")
    while "branch" not in heard[-1]:
        heard.append(other.next())
    assert [one for one in heard if "tasks" in one] == [{"tasks": True}]


def test_a_commit_of_a_task_names_the_task(office: Office, listen: Listen) -> None:
    office.db.documents.create("Budget Review", "Costs of the plan.")
    office.db.documents.create("Plan", "See the Budget Review.")
    page = listen()
    made = office.db.agents.invoke("linker")
    # The worker of the server does it, within a second.
    told = page.commit()
    who = told["who"]
    assert (who["task"], who["agent"], told["kinds"]) == (made.id, "linker", ["suggestion"])
