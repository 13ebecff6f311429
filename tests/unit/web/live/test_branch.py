"""The rooms of a branch: one commit for all, each refusal alone, and nothing shown before."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

import strata
from strata.access import EVERYTHING, Role, User
from strata.base import limits
from strata.base.errors import SecretRefused, Unavailable
from strata.documents import Arrival, ArrivalOutcome, Author, LiveLog, clocks_of
from strata.documents.text import Replica, Splice
from strata.web.live import wire
from strata.web.live.branch import LiveBranch
from strata.web.live.document import LiveDocument
from strata.web.live.posts import Post
from strata.web.live.roles import Roles
from strata.web.live.sockets import Guest, LiveSocket
from strata.web.shell import Visitor

# Put together here, so that no program takes this file for one that holds a key.
KEY = "AKIA" + "Q3EGRIZDMFKTW7HP"


class Seen(LiveSocket):
    """A socket that only remembers."""

    def __init__(self, name: str, role: Role = "editor") -> None:
        user = User(name, f"{name}@example.com", name, 0)
        guest = Guest(Visitor(EVERYTHING, user), Author(name), name, "#112233")
        super().__init__(cast("Any", None), guest, role)
        self.heard: list[bytes] = []
        self.news = asyncio.Event()

    def send(self, message: bytes) -> None:
        if not self.is_closing:
            self.heard.append(message)
            self.news.set()

    @property
    def updates(self) -> list[bytes]:
        return [one for one in self.heard if one[:2] == b"\0\2"]

    @property
    def notices(self) -> list[dict[str, Any]]:
        readers = [wire.WireReader(one) for one in self.heard if one[0] == wire.NOTICE]
        return [msgspec.json.decode((one.number(), one.bytes())[1]) for one in readers]


class AnyRole(Roles):
    """Everybody is what their socket says, until told otherwise."""

    def __init__(self) -> None:
        self.roles: dict[str, Role | None] = {}

    def renew(self) -> None:
        pass

    def has_news(self) -> bool:
        return False

    def count_refusal(self, visitor: Visitor, error: SecretRefused) -> None:
        pass

    def of(self, visitor: Visitor, document: str) -> Role | None:
        return self.roles.get(visitor.user.id, "editor")

    def names_of(self, people: Any) -> dict[str, str]:
        return {user: user for user in people}


class Watched(LiveLog):
    """The real log, which counts its commits and can be made to fail."""

    def __init__(self, log: LiveLog) -> None:
        self.__dict__.update(log.__dict__)
        self.commits: list[int] = []
        self.fails: Callable[[list[Arrival]], None] = lambda _arrivals: None

    def append(self, arrivals: Any) -> list[ArrivalOutcome]:
        self.fails(arrivals)
        self.commits.append(len(arrivals))
        return super().append(arrivals)


class World:
    """A document, its live, and people in it."""

    def __init__(self, db: strata.Workspace) -> None:
        self.db = db
        self.document = db.documents.create("계획", "글").document
        self.log = Watched(db.documents.live())
        self.roles = AnyRole()
        self.live_branch = LiveBranch("default", self.log, self.roles, position=self.log.position())
        self.live = self.open(self.document)
        self.ann, self.bob = self.enter("ann"), self.enter("bob")

    def open(self, document: str) -> LiveDocument:
        live = LiveDocument(document, self.log.version(document), self.log)
        self.live_branch.documents[document] = live
        return live

    def enter(self, name: str, live: LiveDocument | None = None) -> Seen:
        socket = Seen(name)
        (live or self.live).greet(socket)
        return socket

    def typed(self, text: str, document: str | None = None) -> bytes:
        replica = Replica([self.log.difference(document or self.document).update])
        return replica.splice([Splice(0, 0, text)])

    def post(self, socket: LiveSocket, update: bytes, live: LiveDocument | None = None) -> None:
        self.live_branch.post(Post(socket, live or self.live, update))

    @property
    def text(self) -> str:
        return self.db.documents.text(self.document)


Story = Callable[[World], Awaitable[None]]


@pytest.fixture
def tell(tmp_path: Path) -> Iterator[Callable[[Story], None]]:
    with strata.open(tmp_path / "rooms.db", durability="standard", auto_embed=False) as db:

        async def run(story: Story) -> None:
            world = World(db)
            turning = asyncio.create_task(world.live_branch.run())
            try:
                await story(world)
            finally:
                turning.cancel()
                world.live_branch.close()

        yield lambda story: asyncio.run(run(story))


Tell = Callable[[Story], None]


@pytest.mark.parametrize("order", ["edit echo", "echo edit"])
def test_an_edit_that_is_not_committed_yet_may_be_sent_back(tell: Tell, order: str) -> None:
    async def story(world: World) -> None:
        edit = world.typed("한 ")
        (ann,) = clocks_of(edit)
        # Ann was heard of before she wrote: her page has said where it is.
        assert world.live.claims.claim(ann, world.ann.guest.author)
        for what in order.split():
            world.post(world.bob if what == "echo" else world.ann, edit)
        await world.live_branch.flushed()
        assert world.log.commits == [2]
        assert world.text == "한 글"
        assert not world.bob.is_closing
        assert [one["kind"] for one in world.bob.notices] == ["authors", "saved"]
        assert world.bob.notices[0]["clients"][str(ann)]["person"] == "ann"
        (entry,) = world.log.entries_after(world.document, 1)[-1:]
        assert (entry[1].author, entry[1].client) == ("ann", ann)
        assert world.db.documents.history(world.document)[0].authors == ("ann",)

    tell(story)


def test_an_edit_that_is_refused_may_not_be_sent_back(tell: Tell) -> None:
    async def story(world: World) -> None:
        edit = world.typed(f"비밀 {KEY} ")
        world.post(world.ann, edit)
        world.post(world.bob, edit)
        await world.live_branch.flushed()
        assert world.ann.notices[-1]["code"] == "secret_refused"
        assert world.bob.notices[-1]["code"] == "not_allowed"
        assert world.bob.is_closing
        assert world.text == "글"

    tell(story)


def test_many_may_be_sent_back_at_once(tell: Tell) -> None:
    """A busy document has more writers than one update may bring."""

    async def story(world: World) -> None:
        many = limits.LIVE_CLIENTS_OF_UPDATE + 1
        here = Replica([world.log.difference(world.document).update])
        empty = here.vector()
        for number in range(many):
            edit = Replica([here.state()]).splice([Splice(0, 0, f"{number} ")])
            here.apply(edit)
            world.post(world.ann, edit)
        await world.live_branch.flushed()
        world.post(world.bob, here.since(empty))
        await world.live_branch.flushed()
        assert [one["kind"] for one in world.bob.notices][-1] == "saved"
        assert world.text == here.text

    tell(story)


def test_what_gathers_in_all_rooms_is_one_commit(tell: Tell) -> None:
    async def story(world: World) -> None:
        other = world.open(world.db.documents.create("다른", "글").document)
        carol = world.enter("carol", other)
        for turn in range(5):
            world.post(world.ann, world.typed(f"a{turn} "))
            world.post(world.bob, world.typed(f"b{turn} "))
            world.post(carol, world.typed(f"c{turn} ", other.document), other)
        await world.live_branch.flushed()
        assert world.log.commits == [15]
        assert "saved" in [one["kind"] for one in carol.notices]
        assert all(f"a{turn}" in world.text for turn in range(5))

    tell(story)


def test_edits_gather_longer_while_commits_take_long(
    tell: Tell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LIVE_GATHER_S", 0.0)
    monkeypatch.setattr(limits, "LIVE_GATHER_SHARE", 1_000_000)
    monkeypatch.setattr(limits, "LIVE_GATHER_MAX_S", 1.0)

    async def story(world: World) -> None:
        world.post(world.ann, world.typed("하나 "))
        await world.live_branch.flushed()
        first, second = world.typed("둘 "), world.typed("셋 ")
        world.post(world.ann, first)
        for _turn in range(20):
            await asyncio.sleep(0.001)
        assert world.log.commits == [1]
        world.post(world.bob, second)
        await world.live_branch.flushed()
        assert world.log.commits == [1, 2]

    tell(story)


def test_a_snapshot_is_made_beside_the_commits_of_a_branch(
    tell: Tell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "DOCUMENT_SNAPSHOT_ROWS", 4)

    async def story(world: World) -> None:
        prepared = asyncio.Event()
        loop, prepare = asyncio.get_running_loop(), world.log.prepare

        def noted(document: str) -> None:
            prepare(document)
            loop.call_soon_threadsafe(prepared.set)

        monkeypatch.setattr(world.log, "prepare", noted)
        for number in range(5):
            world.post(world.ann, world.typed(f"{number} "))
            await world.live_branch.flushed()
        await asyncio.wait_for(prepared.wait(), 30)
        world.post(world.ann, world.typed("뒤 "))
        await world.live_branch.flushed()
        assert world.text == "뒤 4 3 2 1 0 글"
        assert world.db.verify(full=True).problems == ()

    tell(story)


def test_nothing_is_shown_or_acknowledged_before_it_is_kept(tell: Tell) -> None:
    async def story(world: World) -> None:
        seen: list[int] = []
        world.log.fails = lambda _arrivals: seen.append(len(world.bob.heard) + len(world.ann.heard))
        world.post(world.ann, world.typed("먼저 "))
        await world.live_branch.flushed()
        assert seen == [0]
        assert len(world.bob.updates) == 1
        assert world.ann.updates == []
        assert [one["kind"] for one in world.ann.notices][-1] == "saved"

    tell(story)


def test_a_store_that_cannot_write_sends_people_away_to_come_back(tell: Tell) -> None:
    def fail(_arrivals: list[Arrival]) -> None:
        raise Unavailable("The disk is full.")

    async def story(world: World) -> None:
        world.log.fails = fail
        world.post(world.ann, world.typed("헛되이 "))
        await world.live_branch.flushed()
        assert world.ann.is_closing
        assert not world.bob.is_closing
        assert world.bob.updates == []
        world.log.fails = lambda _arrivals: None
        world.post(world.bob, world.typed("이제 "))
        await world.live_branch.flushed()
        assert world.text == "이제 글"

    tell(story)


def test_a_failure_that_nobody_foresaw_is_one_updates_affair(tell: Tell) -> None:
    async def story(world: World) -> None:
        bad = world.typed("나쁜 ")

        def fail(arrivals: list[Arrival]) -> None:
            if any(one.update == bad for one in arrivals):
                raise ZeroDivisionError

        world.log.fails = fail
        world.post(world.ann, bad)
        world.post(world.bob, world.typed("좋은 "))
        await world.live_branch.flushed()
        assert world.text == "좋은 글"
        assert [one["code"] for one in world.ann.notices if one["kind"] == "refused"] == [
            "internal"
        ]

    tell(story)


def test_a_role_counts_from_the_next_commit_on(tell: Tell) -> None:
    async def story(world: World) -> None:
        world.roles.roles["ann"] = "viewer"
        world.roles.roles["bob"] = None
        world.post(world.ann, world.typed("하나 "))
        world.post(world.bob, world.typed("둘 "))
        await world.live_branch.flushed()
        assert world.text == "글"
        assert [one["code"] for one in world.ann.notices] == ["not_allowed"]
        assert world.bob.is_closing
        assert world.log.commits == []

    tell(story)


def test_what_others_write_comes_once_and_in_order(tell: Tell) -> None:
    async def story(world: World) -> None:
        reader = Replica([world.log.difference(world.document).update])
        for turn in range(10):
            world.post(world.ann, world.typed(f"{turn} "))
            await asyncio.to_thread(world.db.documents.edit, world.document, "글", f"({turn}) 글")
            await world.live_branch.flushed()
        deadline = asyncio.get_running_loop().time() + 5
        while world.live.version != world.log.version(world.document):
            assert asyncio.get_running_loop().time() < deadline
            await asyncio.sleep(0.01)
        for message in world.bob.updates:
            reader.apply(wire.read_message(message).body)
        assert reader.text == world.text
        sent = b"".join(world.bob.updates)
        assert all(sent.count(f"({turn})".encode()) == 1 for turn in range(10))

    tell(story)


def test_whoever_comes_gets_the_text_that_was_encoded_last_if_it_is_still_that(tell: Tell) -> None:
    async def story(world: World) -> None:
        first = await world.live_branch.difference(world.live)
        assert await world.live_branch.difference(world.live) is first
        world.post(world.ann, world.typed("새 "))
        await world.live_branch.flushed()
        second = await world.live_branch.difference(world.live)
        assert second is not first
        assert Replica([second.update]).text == "새 글"

    tell(story)


def test_short_updates_are_committed_between_the_long_ones_of_another_user(
    tell: Tell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Long updates take a part of the time only, so that typing beside them stays quick."""
    # So long a pause that the test would not end if the second long update came before it.
    monkeypatch.setattr(limits, "LIVE_LONG_PAUSE", 1_000_000)

    async def story(world: World) -> None:
        first, second = "길다 " * 1_000, "더 길다 " * 1_000
        world.post(world.ann, world.typed(first))
        await world.live_branch.flushed()
        world.post(world.ann, world.typed(second))
        for letter in "가나다":
            world.bob.news.clear()
            world.post(world.bob, world.typed(letter))
            await world.bob.news.wait()
        assert world.text == f"다나가{first}글"

    tell(story)
