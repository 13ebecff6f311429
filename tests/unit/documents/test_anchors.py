"""Anchors follow their characters through whatever happens around them."""

import random

import pytest

from strata.base.errors import InvalidArgument, UpdateGap
from strata.documents.text import Replica, Splice, anchor, anchors, is_gone, resolve

TEXT = "앞 e\u0301 😀👩‍👩‍👧 שלום 中文 end"


def replica_of(text: str, client: int | None = None) -> Replica:
    replica = Replica(client=client)
    replica.splice([Splice(0, 0, text)])
    return replica


def quoted(replica: Replica, pair: tuple[bytes, bytes]) -> str:
    start, end = resolve(replica, pair)
    return replica.text[start:end]


def test_every_range_is_found_where_it_was_made() -> None:
    replica = replica_of(TEXT)
    ranges = [(i, j) for i in range(len(TEXT) + 1) for j in range(i, len(TEXT) + 1)]
    made = anchors(replica, ranges)
    flat = [each for pair in made for each in pair]
    found = resolve(replica, flat)
    assert list(zip(found[::2], found[1::2], strict=True)) == ranges
    assert made[5] == anchor(replica, *ranges[5])


def test_the_bytes_are_those_of_yjs() -> None:
    replica = replica_of("a😀b", client=300)
    assert anchor(replica, 1, 2) == (b"\x00\xac\x02\x01\x00", b"\x00\xac\x02\x02\x41")
    assert anchor(replica, 3, 3) == (b"\x01\x07content\x00", b"\x00\xac\x02\x03\x41")
    assert anchor(replica, 0, 0) == (b"\x00\xac\x02\x00\x00", b"\x01\x07content\x41")


def test_a_position_without_a_side_is_read_as_yjs_reads_it() -> None:
    replica = replica_of("가나", client=300)
    assert resolve(replica, [b"\x00\xac\x02\x01", b"\x01\x07content"]) == [1, 2]


def test_an_anchor_follows_its_words_and_does_not_grow_at_its_ends() -> None:
    replica = replica_of("그는 빨리 달린다")
    pair = anchor(replica, 3, 5)
    replica.splice([Splice(0, 2, "우리 모두 😀는"), Splice(3, 3, "아주 "), Splice(5, 5, "!")])
    assert replica.text == "우리 모두 😀는 아주 빨리! 달린다"
    assert quoted(replica, pair) == "빨리"
    start, _ = resolve(replica, pair)
    replica.splice([Splice(start + 1, start + 1, "-")])
    assert quoted(replica, pair) == "빨-리"


def test_the_ends_of_a_text_stay_its_ends() -> None:
    replica = replica_of("")
    empty = anchor(replica, 0, 0)
    replica.splice([Splice(0, 0, "가나")])
    start, end = empty
    assert resolve(replica, [start, end]) == [2, 0]


def test_anchors_made_elsewhere_are_resolved_after_a_merge() -> None:
    here = replica_of("공통 문장입니다")
    there = Replica([here.state()])
    there.splice([Splice(3, 3, "새 😀 ")])
    pair = anchor(there, 3, 6)
    with pytest.raises(UpdateGap):
        resolve(here, pair)
    here.splice([Splice(0, 2, "같은")])
    here.apply(there.since(here.vector()))
    assert quoted(here, pair) == "새 😀"


def test_an_anchor_is_gone_when_its_last_character_is() -> None:
    replica = replica_of("하나 둘 셋")
    pair = anchor(replica, 3, 4)
    whole = anchor(replica, 0, 6)
    assert not is_gone(replica, pair)
    replica.splice([Splice(3, 4, "세")])
    assert is_gone(replica, pair)
    assert resolve(replica, pair) in ([3, 3], [4, 4])
    assert not is_gone(replica, whole)
    assert quoted(replica, whole) == "하나 세 셋"
    replica.splice([Splice(0, 6, "")])
    assert is_gone(replica, whole)


def test_an_anchor_inside_an_emoji_goes_to_its_nearer_border() -> None:
    replica = replica_of("a😀b", client=5)
    assert resolve(replica, [b"\x00\x05\x02\x00", b"\x00\x05\x01\x41"]) == [1, 2]
    assert replica.text == "a😀b"


def test_resolving_does_not_change_the_replica() -> None:
    replica = replica_of("a😀b" * 20, client=5)
    before = replica.state()
    made = anchors(replica, [(at, at + 1) for at in range(60)])
    resolve(replica, [each for pair in made for each in pair])
    assert replica.state() == before


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00",
        b"\x00\x05",
        b"\x03\x05\x01",
        b"\x01\x05other\x00",
        b"\x02\x05\x01\x00",
        b"\x01\x07\xff",
        b"\x00" + b"\xff" * 12,
    ],
)
def test_what_is_no_position_in_the_text_is_refused(data: bytes) -> None:
    with pytest.raises(InvalidArgument):
        resolve(replica_of("글", client=5), [data])


@pytest.mark.parametrize(("start", "end"), [(-1, 0), (2, 1), (0, 3)])
def test_a_range_outside_the_text_is_refused(start: int, end: int) -> None:
    with pytest.raises(InvalidArgument):
        anchor(replica_of("두자"), start, end)


def test_many_anchors_follow_a_model_of_marked_characters() -> None:
    chance = random.Random(4)
    replica = replica_of(TEXT * 6)
    # The model gives every character a number, which stays with it.
    model = list(range(len(replica.text)))
    made = anchors(replica, [(at, at + 1) for at in model])
    for _ in range(25):
        start = chance.randrange(len(model))
        end = min(len(model), start + chance.randint(0, 6))
        put = "".join(chance.choices(TEXT, k=chance.randint(0, 4)))
        writer = chance.choice([replica, Replica([replica.state()])])
        replica.apply(writer.splice([Splice(start, end, put)]) or b"\x00\x00")
        model[start:end] = [-1] * len(put)
    places = {number: place for place, number in enumerate(model) if number >= 0}
    assert 50 < len(places) < len(made)
    flat = resolve(replica, [each for pair in made for each in pair])
    for number, (start, end) in enumerate(zip(flat[::2], flat[1::2], strict=True)):
        if number in places:
            assert (start, end) == (places[number], places[number] + 1)
        else:
            assert start == end
