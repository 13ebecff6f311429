"""Following the commits: in order, in small batches, by one process, without a gap."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import strata
from strata import Workspace
from strata.base import limits
from strata.base.errors import Unavailable
from strata.search import TextIndexer
from strata.search.vectors.background import Following
from strata.search.vectors.embeddings import Embeddings, Status
from strata.search.vectors.follow import Follower
from strata.store import Store
from tests.databases import database_at
from tests.opened import workspace_over
from tests.unit.conftest import Bench, Clock
from tests.unit.search.embedders import (
    BAD,
    Tokens,
    Words,
    counted,
    embedded,
    follower,
    run,
    store_of,
)

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def bench() -> Iterator[Bench]:
    clock = Clock()
    store = Store(database_at(None), now=clock, indexer=TextIndexer())
    with workspace_over(store) as db:
        yield Bench(db, store, clock)


def status(db: Workspace) -> Status:
    return Embeddings(store_of(db)).status(["main"])


def test_texts_are_embedded_in_the_order_of_their_commits(db: Workspace) -> None:
    model = Words()
    texts = [f"글 {n}" for n in range(limits.EMBED_BATCH_ITEMS + 5)]
    for text in texts:
        db.kv.put("key", text)
    follows = follower(db, main=model)
    assert run(follows) == 3, "the model, and two batches"
    assert model.asked == texts
    assert follows.embeddings.models()[0].position == len(texts)
    assert run(follows) == 0


def test_what_is_gone_or_has_no_text_is_left_out(db: Workspace) -> None:
    model = Words()
    db.kv.put("gone", "사라질 글")
    db.kv.put("gone", "남는 글")
    db.kv.delete("gone")
    db.kv.put("number", 7)
    db.kv.put("blank", "  ")
    db.vectors.create("v", 2)
    db.vectors.upsert("v", "x", [1, 0])
    db.purge("gone", version=1)
    run(follower(db, main=model))
    assert model.asked == ["남는 글"]
    assert embedded(db).keys() == {2}
    assert status(db).pending == 0


def test_a_text_is_read_behind_the_one_before_it(db: Workspace) -> None:
    first = db.kv.put("대화/1", "어디로 갈까요?").version
    second = db.kv.put("대화/2", "바다로!").version
    alone = db.kv.put("쪽지", "바다로!").version
    before = {second: first}
    model = Tokens()
    follows = follower(db, main=model)
    follows._texts = msgspec.structs.replace(follows._texts, before=before.get)
    run(follows)
    numbers = embedded(db)
    assert numbers[second] != numbers[alone]
    assert model.asked == ["어디로 갈까요?", "바다로!", "바다로!"]
    # A model that reads every text by itself shares them.
    plain = Words("plain")
    follows = follower(db, multilingual=plain)
    follows._texts = msgspec.structs.replace(follows._texts, before=before.get)
    run(follows)
    assert plain.asked == ["어디로 갈까요?", "바다로!"]


def test_a_long_text_has_several_vectors(db: Workspace) -> None:
    model = Tokens(tokens_max=12)
    long = " ".join(f"{n}번째 문장은 짧습니다." for n in range(9))
    db.kv.put("long", long)
    db.kv.put("short", "끝")
    run(follower(db, main=model))
    assert counted(db, "embeddings") == 4
    assert counted(db, "embedded") == 2
    assert " ".join(model.asked) == f"{long} 끝"
    assert [text.count("문장은") for text in model.asked] == [3, 3, 3, 0]


def test_a_text_without_end_has_a_bounded_number_of_vectors(db: Workspace) -> None:
    db.kv.put("endless", "단어 " * 5_000)
    run(follower(db, main=Words(tokens_max=12)))
    assert counted(db, "embeddings") == limits.EMBED_CHUNKS_MAX


@pytest.mark.parametrize("kind", [Words, Tokens])
def test_one_bad_text_does_not_stop_the_line(db: Workspace, kind: type[Words]) -> None:
    bad = db.kv.put("bad", f"{BAD} 글").version
    db.kv.put_many({f"k{n}": f"좋은 글 {n}" for n in range(20)})
    follows = follower(db, main=kind())
    run(follows)
    (model,) = status(db).models
    assert (model.embedded, model.failed, model.pending) == (20, 1, 0)
    assert [version for version, _reason in follows.embeddings.failures("main")] == [bad]


def test_a_model_of_the_wrong_shape_is_noticed(db: Workspace) -> None:
    model = Words()
    model.dimension = 7
    db.kv.put("k", "글")
    follows = follower(db, main=model)
    run(follows)
    assert "shape" in follows.embeddings.failures("main")[0][1]


def test_a_model_that_goes_away_loses_nothing(db: Workspace) -> None:
    model = Tokens()
    db.kv.put_many({f"k{n}": f"글 {n}" for n in range(10)})
    model.meanwhile = lambda: setattr(model, "is_away", len(model.asked) == 4)
    follows = follower(db, main=model)
    with pytest.raises(Unavailable):
        run(follows)
    assert (status(db).pending, status(db).models[0].failed) == (6, 0)
    model.is_away, model.meanwhile = False, lambda: None
    run(follows)
    assert status(db).pending == 0
    assert len(model.asked) == len(set(model.asked)) == 10


def test_a_role_without_a_model_at_hand_rests(
    db: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    db.kv.put("k", "글")
    other = Words("다국어")
    follows = follower(db, main=None, multilingual=other)
    assert run(follows) == 2, "the other role goes on"
    assert db.leases.list() == []
    taken: list[str] = []
    monkeypatch.setattr(db.leases, "acquire", lambda name, **_: taken.append(name))
    assert run(follows) == 0
    assert taken == [], "nobody asks for a lease to do nothing"
    assert Embeddings(store_of(db)).status(["main", "multilingual"]).pending == 1


def test_a_model_of_another_program_is_left_to_it(db: Workspace) -> None:
    db.kv.put("k", "글")
    run(follower(db, main=Words("theirs")))
    db.kv.put("l", "다른 글")
    mine = Words("mine")
    assert run(follower(db, main=mine)) == 0
    assert mine.asked == []
    assert [model.name for model in Embeddings(store_of(db)).models()] == ["theirs"]


def test_a_role_that_rests_goes_on_when_it_is_given_its_model(db: Workspace) -> None:
    db.kv.put("k", "글")
    model = Words()
    at_hand: dict[str, Any] = {"main": lambda _model: None}
    follows = follower(db)
    follows._embedders = at_hand
    assert run(follows) == 0
    at_hand["main"] = lambda _model: model
    run(follows)
    assert model.asked == ["글"]


def test_versions_without_text_are_passed_over_for_good(
    db: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "EMBED_SKIP_VERSIONS", 10)
    db.kv.put("k", "글")
    follows = follower(db, main=Words())
    run(follows)
    db.vectors.create("v", 2)
    db.vectors.upsert_many("v", [{"key": f"v{n}", "vector": [n, 1]} for n in range(20)])
    assert run(follows) == 1
    assert follows.embeddings.models()[0].position == store_of(db).last_version()
    db.kv.put("k", "다음 글")
    run(follows)
    assert counted(db, "embeddings") == 2


# Whose turn it is.


def test_one_of_two_processes_embeds(bench: Bench) -> None:
    mine, theirs = Words(), Words()
    one, other = follower(bench.db, main=mine), follower(bench.db, main=theirs)
    bench.db.kv.put("k", "글")
    assert one.step()
    assert not other.step()
    run(one)
    assert mine.asked == ["글"]
    assert theirs.asked == []
    assert bench.db.leases.list() == [], "a process with nothing to do lets go"


def test_a_silent_holder_is_replaced_and_its_late_batch_is_harmless(bench: Bench) -> None:
    texts = {f"k{n}": f"글 {n}" for n in range(5)}
    bench.db.kv.put_many(texts)
    late, next_ = Tokens(), Tokens()
    one, other = follower(bench.db, main=late), follower(bench.db, main=next_)
    assert one.step()

    def suspended() -> None:
        if len(late.asked) == 3:
            bench.clock.us += int(limits.LEASE_S * 1_000_000)
            assert run(other) == 1

    late.meanwhile = suspended
    assert one.step()
    assert next_.asked == list(texts.values())
    (model,) = status(bench.db).models
    assert (model.embedded, model.pending) == (5, 0)
    assert counted(bench.db, "embeddings") == 5


def test_a_long_batch_keeps_its_lease(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    model = Tokens()
    bench.db.kv.put_many({f"k{n}": f"글 {n}" for n in range(8)})
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now)
    monkeypatch.setattr(limits, "EMBED_BATCH_S", 1000.0)

    theirs = Tokens()
    other = follower(bench.db, main=theirs)

    def slow() -> None:
        nonlocal now
        now += 6.0
        bench.clock.us += 6_000_000
        assert not other.step()

    model.meanwhile = slow
    follows = follower(bench.db, main=model)
    run(follows)
    assert len(model.asked) == 8, "48 seconds of work, and nobody else's turn"
    assert theirs.asked == []
    assert status(bench.db).pending == 0


def test_no_batch_takes_long(db: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    model = Tokens()
    monkeypatch.setattr(limits, "EMBED_BATCH_S", 0.02)
    model.meanwhile = lambda: time.sleep(0.011)
    db.kv.put_many({f"k{n}": f"글 {n}" for n in range(6)})
    follows = follower(db, main=model)
    assert follows.step()
    assert follows.step()
    assert 0 < status(db).models[0].embedded <= 2


def test_others_write_while_a_model_runs(tmp_path: Path) -> None:
    with strata.open(tmp_path / "store.db", durability="standard", auto_embed=False) as db:
        db.kv.put("a", "글")
        model = Words()
        written: list[int] = []

        def write() -> None:
            thread = threading.Thread(
                target=lambda: written.append(db.kv.put("b", "새 글").version)
            )
            thread.start()
            thread.join(5)
            model.meanwhile = lambda: None

        model.meanwhile = write
        run(follower(db, main=model))
        assert written == [2]
        assert model.asked == ["글", "새 글"]


# The thread.


@pytest.fixture
def file_db(tmp_path: Path) -> Iterator[Workspace]:
    with strata.open(tmp_path / "store.db", durability="standard", auto_embed=False) as db:
        yield db


def test_the_thread_embeds_what_is_committed(file_db: Workspace) -> None:
    model = Words()
    following = Following(follower(file_db, main=model), look_s=30)
    following.start()
    following.start()
    try:
        file_db.kv.put("a", "첫 글")
        following.wake()
        assert following.wait(60)
        file_db.kv.put("b", "둘째 글")
        assert following.wait(60)
    finally:
        assert following.stop()
    assert model.asked == ["첫 글", "둘째 글"]
    assert not following.is_running
    assert file_db.leases.list() == []


def test_the_thread_notices_what_others_commit(file_db: Workspace) -> None:
    model = Words()
    following = Following(follower(file_db, main=model), look_s=0.05)
    following.start()
    time.sleep(0.1)
    place = file_db._store.database.location
    with strata.open(place, durability="standard", auto_embed=False) as other:
        other.kv.put("a", "남의 글")
    until = time.monotonic() + 60
    while not model.asked and time.monotonic() < until:
        time.sleep(0.01)
    assert following.stop()
    assert model.asked == ["남의 글"]


def test_stopping_waits_for_one_text_and_keeps_what_is_done(file_db: Workspace) -> None:
    model = Tokens()
    model.meanwhile = lambda: time.sleep(0.1)
    file_db.kv.put_many({f"k{n}": f"글 {n}" for n in range(limits.EMBED_BATCH_ITEMS)})
    following = Following(follower(file_db, main=model))
    following.start()
    following.wake()
    until = time.monotonic() + 60
    while len(model.asked) < 3 and time.monotonic() < until:
        time.sleep(0.005)
    begun = len(model.asked)
    assert following.stop()
    assert len(model.asked) <= begun + 1, "the next one may begin while we ask it to stop"
    assert status(file_db).models[0].embedded == len(model.asked)


def test_a_failure_is_shown_and_passes(file_db: Workspace) -> None:
    model = Words()
    model.is_away = True
    file_db.kv.put("a", "글")
    following = Following(follower(file_db, main=model), look_s=0.02)
    following.start()
    until = time.monotonic() + 60
    while following.failure is None and time.monotonic() < until:
        time.sleep(0.01)
    assert isinstance(following.failure, Unavailable)
    model.is_away = False
    assert following.wait(60)
    while following.failure is not None and time.monotonic() < until:
        time.sleep(0.01)
    assert following.failure is None
    assert following.stop()


def test_a_forked_child_leaves_the_lease_to_its_parent(db: Workspace) -> None:
    db.kv.put("a", "글")
    follows = follower(db, main=Words())
    following = Following(follows)
    assert follows.step()
    held = db.leases.list()
    assert len(held) == 1
    following.begin_in_child()
    follows.turn.release()
    assert db.leases.list() == held


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork() here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_child_follows_by_itself(file_db: Workspace) -> None:
    model = Words()
    following = Following(follower(file_db, main=model), look_s=30)
    following.start()
    file_db.kv.put("a", "부모의 글")
    assert following.wait(60)
    child = os.fork()
    if child == 0:
        os._exit(_child(file_db, following))
    _, code = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(code) == 0
    assert following.is_running
    assert following.wait(60)
    assert following.stop()
    assert status(file_db).models[0].embedded == 2
    assert model.asked == ["부모의 글"], "the child's texts were embedded by the child"


def _child(db: Workspace, following: Following) -> int:
    """What the child does; returns its exit code."""
    if following.is_running:
        return 1
    db.kv.put("b", "아이의 글")
    following.wake()
    if not following.is_running or not following.wait(60):
        return 2
    return 0 if following.stop() else 3


PROGRAM = """
import sys, threading
import strata
from strata.search.vectors.background import Following
from tests.unit.search.embedders import Words, follower
db = strata.open(sys.argv[1], durability="standard", auto_embed=False)
model = Words()
model.meanwhile = lambda: threading.Event().wait(0.2)
db.kv.put_many({f"k{n}": f"글 {n}" for n in range(50)})
following = Following(follower(db, main=model))
following.start()
following.wake()
while not model.asked:
    pass
"""


def test_a_program_that_forgets_to_close_ends_at_once(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    words = [sys.executable, "-c", PROGRAM, str(path)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=20, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    with strata.open(path, durability="standard", auto_embed=False) as db:
        assert db.leases.list() == [], "it gave its lease back"
        assert status(db).models[0].pending > 0


def test_a_follower_is_what_the_thread_expects(db: Workspace) -> None:
    follows: Follower = follower(db, main=Words())
    assert follows.roles == ("main",)
    assert Following(follows).stop(), "one that never began has ended"
