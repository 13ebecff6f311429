"""A replica's text: offsets in code points, updates that travel, gaps that are refused."""

import random
import subprocess
import sys
import threading
from collections.abc import Callable
from time import process_time
from typing import Any

import pytest

from strata.base.errors import InvalidArgument, UpdateGap
from strata.documents.text import Replica, Splice, clients_of
from strata.documents.text.updates import read_update, read_vector, write_update

SCRIPTS = "plain, 한국어, e\u0301te\u0301, שלום, 👩‍👩‍👧 and 𝒳\n"


def replica_of(text: str, client: int | None = None) -> Replica:
    replica = Replica(client=client)
    replica.splice([Splice(0, 0, text)])
    return replica


@pytest.mark.parametrize("offset", range(len(SCRIPTS) + 1))
def test_a_splice_lands_at_its_code_point_in_any_script(offset: int) -> None:
    replica = replica_of(SCRIPTS)
    replica.splice([Splice(offset, min(offset + 2, len(SCRIPTS)), "새")])
    expected = SCRIPTS[:offset] + "새" + SCRIPTS[offset + 2 :]
    assert replica.text == expected
    assert Replica([replica.state()]).text == expected


def test_many_splices_are_one_update_with_offsets_of_the_text_before() -> None:
    replica, other = replica_of("하나 둘 셋 넷"), Replica()
    other.apply(replica.state())
    update = replica.splice(
        [Splice(0, 2, "1"), Splice(3, 4, ""), Splice(7, 7, "😀"), Splice(8, 8, "!")]
    )
    other.apply(update)
    assert replica.text == other.text == "1  셋 😀넷!"
    assert read_vector(replica.vector()) == read_vector(other.vector()) == replica.known


def test_what_changes_nothing_is_no_update() -> None:
    replica = replica_of("그대로")
    assert replica.splice([]) == b""
    assert replica.splice([Splice(1, 1, "")]) == b""
    assert replica.text == "그대로"


@pytest.mark.parametrize(
    "splices",
    [
        [Splice(4, 4, "x")],
        [Splice(-1, 0, "x")],
        [Splice(2, 1, "x")],
        [Splice(0, 2, "x"), Splice(1, 3, "y")],
        [Splice(2, 2, "x"), Splice(0, 0, "y")],
        [Splice(0, 0, "\ud83d")],
    ],
)
def test_a_splice_outside_the_text_is_refused_and_changes_nothing(splices: list[Splice]) -> None:
    replica = replica_of("세글자")
    before = replica.state()
    with pytest.raises(InvalidArgument):
        replica.splice(splices)
    assert replica.text == "세글자"
    assert replica.state() == before


def test_only_what_the_other_side_lacks_is_sent() -> None:
    replica = replica_of("a" * 1000)
    other = Replica([replica.state()])
    replica.splice([Splice(500, 500, "가")])
    update = replica.since(other.vector())
    assert len(update) < 60
    other.apply(update)
    assert other.text == replica.text


def test_applying_twice_is_applying_once() -> None:
    replica = replica_of("한 번")
    update = replica.splice([Splice(1, 1, "😀")])
    other = Replica([replica.state(), update, update])
    assert other.text == replica.text == "한😀 번"


def test_an_update_that_builds_on_one_not_here_is_refused_and_changes_nothing() -> None:
    replica = replica_of("처음")
    other = Replica([replica.state()])
    lost = replica.splice([Splice(2, 2, " 다음")])
    typed = replica.splice([Splice(5, 5, "!")])
    deleted = replica.splice([Splice(3, 4, "")])
    for update in (typed, deleted):
        with pytest.raises(UpdateGap):
            other.apply(update)
        assert other.text == "처음"
    for update in (lost, typed, deleted):
        other.apply(update)
    assert other.text == replica.text


def test_an_insertion_beside_an_unknown_character_is_refused() -> None:
    one = replica_of("가나다")
    two, here = Replica([one.state()]), Replica([one.state()])
    lost = two.splice([Splice(1, 1, "😀")])
    one.apply(lost)
    beside = Replica([one.state()]).splice([Splice(2, 2, "x")])
    with pytest.raises(UpdateGap):
        here.apply(beside)
    here.apply(lost)
    here.apply(beside)
    assert here.text == "가😀x나다"


def test_clients_that_wait_for_each_other_in_one_update_are_taken_in_order() -> None:
    one, two = replica_of("시작", client=1), Replica(client=2)
    for turn in range(20):
        writer, reader = (two, one) if turn % 2 else (one, two)
        writer.apply(reader.state())
        writer.splice([Splice(len(writer.text) // 2, len(writer.text) // 2, f"{turn} ")])
    whole = two.state()
    assert len(clients_of(whole)) == 2
    assert Replica([whole]).text == two.text


def test_clients_that_wait_for_each_other_in_a_circle_are_refused() -> None:
    one, two = replica_of("가", client=1), replica_of("나", client=2)
    items = [
        read_update(one.state()).items[0]._replace(origin=(2, 0)),
        read_update(two.state()).items[0]._replace(origin=(1, 0)),
    ]
    here = replica_of("여기")
    with pytest.raises(UpdateGap):
        here.apply(write_update(read_update(one.state())._replace(items=items)))
    assert here.text == "여기"


def test_an_update_names_the_clients_that_wrote_in_it() -> None:
    one = replica_of("하나", client=77)
    two = Replica([one.state()], client=2**32 - 1)
    assert clients_of(two.splice([Splice(0, 0, "둘 ")])) == {2**32 - 1}
    assert clients_of(two.splice([Splice(0, 1, "")])) == frozenset()
    assert clients_of(two.state()) == {77, 2**32 - 1}


def test_every_replica_has_a_client_id_of_its_own() -> None:
    ids = {Replica().client for _ in range(200)}
    assert len(ids) == 200
    assert all(0 < each < 2**32 for each in ids)


def test_an_id_that_wrote_in_the_document_is_not_taken_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written = replica_of("가나", client=7).state()
    ways: list[dict[str, Any]] = [{"updates": [written]}, {"state": written}]
    for way in ways:
        drawn = iter([7, 7, 8]).__next__
        monkeypatch.setattr("strata.documents.text.replica.fresh_client", drawn)
        replica = Replica(**way)
        assert (replica.client, replica.text) == (8, "가나")
        assert clients_of(replica.splice([Splice(2, 2, "다")])) == {8}


def test_a_deleted_half_of_an_emoji_leaves_the_sign_that_yjs_leaves() -> None:
    replica = replica_of("a😀b😀c", client=9)
    replica.apply(bytes([0, 1, 9, 1, 1, 1]))
    assert replica.text == "a\ufffdb😀c"
    assert read_vector(replica.vector()) == {9: 7} == replica.known
    replica.apply(bytes([0, 1, 9, 1, 2, 1]))
    assert replica.text == "ab😀c"
    assert Replica([replica.state()]).text == "ab😀c"


def test_text_between_the_halves_of_an_emoji_is_kept() -> None:
    replica = replica_of("a😀b", client=9)
    other = Replica([replica.state()], client=10)
    between = bytes([1, 1, 11, 0, 0xC4, 9, 1, 9, 2, 1]) + b"x" + bytes([0])
    other.apply(between)
    assert other.text == "a\ufffdx\ufffdb"
    other.splice([Splice(4, 4, " 끝")])
    replica.apply(other.state())
    assert replica.text == other.text == "a\ufffdx\ufffd 끝b"


def test_the_state_of_a_replica_opens_without_being_read_through() -> None:
    replica = replica_of(SCRIPTS * 50)
    updates = [replica.splice([Splice(at, at + 3, "바꿈")]) for at in range(0, 900, 9)]
    opened = Replica(updates, state=replica.state())
    assert opened.text == replica.text
    assert opened.known == replica.known


def test_a_replica_moves_between_threads() -> None:
    replica = replica_of("스레드")
    done: list[bytes] = []
    work: Callable[[], None] = lambda: done.append(replica.splice([Splice(0, 0, "다른 ")]))  # noqa: E731
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done[0]
    assert replica.text == "다른 스레드"


def test_loading_the_room_does_not_load_pycrdt() -> None:
    program = "import sys, strata.documents.text; sys.exit('pycrdt' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_an_update_that_is_read_and_written_is_the_same() -> None:
    chance = random.Random(7)
    replica = replica_of(SCRIPTS)
    for _ in range(60):
        other = Replica([replica.state()])
        at = chance.randrange(len(other.text))
        other.splice([Splice(at, min(at + 3, len(other.text)), "고침 😀")])
        replica.apply(other.since(replica.vector()))
    assert write_update(read_update(replica.state())) == replica.state()


def cpu_seconds_of_edits(size: int) -> float:
    """Return the CPU time that 500 edits at once take in a text: the best of three."""
    best = float("inf")
    for _ in range(3):
        replica = Replica()
        replica.splice([Splice(0, 0, "글 word " * (size // 7))])
        step = len(replica.text) // 500
        edits = [Splice(at * step, at * step + 4, "WORDS") for at in range(500)]
        begun = process_time()
        replica.splice(edits)
        best = min(best, process_time() - begun)
    return best


def test_many_edits_at_once_do_not_each_cost_the_length_of_the_text() -> None:
    # Made from the last to the first, each would count through all of the text before it.
    assert cpu_seconds_of_edits(500_000) < 5 * cpu_seconds_of_edits(50_000)
