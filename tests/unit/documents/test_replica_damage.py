"""Bytes that are no update, or no longer one: an error, the same text, and a process that lives."""

import random
import time
from collections import Counter

import pytest

from strata.base.errors import DamagedUpdate, UpdateGap
from strata.documents.text import Replica, Splice
from strata.documents.text.updates import ROOT, read_vector, string

LETTERS = ["a", "b", " ", "é", "한", "글", "😀", "e\u0301", "ש", "𝒳"]
# Every kind of struct, the bits of its head, and what makes numbers longer or greater.
TELLING = bytes([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0x20, 0x44, 0x7F, 0x80, 0x84, 0xC4, 0xFF])
IN_ROOT = b"\1" + string(ROOT)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x01",
        b"\xff" * 12,
        b"\x00\x00\x00",
        b"\x80" * 4000,
        bytes([1, 255, 255, 255, 255, 15, 7, 0]),
        bytes([1, 1, 7, 0, 4]) + IN_ROOT + b"\x02\xc3\x28" + b"\x00",
        bytes([1, 1, 7, 0, 4]) + IN_ROOT + b"\x00" + b"\x00",
        bytes([1, 1, 7, 0, 1]) + IN_ROOT + b"\xff\xff\xff\xff\x1f" + b"\x00",
        bytes([1, 1, 7, 0, 4]) + b"\x01" + string("elsewhere") + string("x") + b"\x00",
        bytes([1, 1, 7, 0, 0x24]) + IN_ROOT + string("key") + string("x") + b"\x00",
        bytes([1, 1, 7, 0, 7]) + IN_ROOT + b"\x02" + b"\x00",
        bytes([0, 1, 7, 1, 0, 0]),
        bytes([2]) + 2 * (bytes([1, 7, 0, 4]) + IN_ROOT + string("x")) + b"\x00",
    ],
)
def test_what_is_not_an_update_of_a_text_is_damaged(data: bytes) -> None:
    replica = Replica()
    replica.splice([Splice(0, 0, "그대로")])
    with pytest.raises(DamagedUpdate):
        replica.apply(data)
    with pytest.raises(DamagedUpdate):
        Replica([data])
    assert replica.text == "그대로"


def test_a_nested_value_does_not_reach_the_decoder_that_would_overflow() -> None:
    deep = bytes([1, 1, 7, 0, 8]) + IN_ROOT + b"\x01" + b"\x75\x01" * 200_000 + b"\x7f\x00"
    with pytest.raises(DamagedUpdate):
        Replica([deep])


@pytest.mark.parametrize("vector", [b"", b"\x01", b"\x05\x01", b"\x00\x00", b"\xff" * 12])
def test_what_is_not_a_state_vector_is_damaged(vector: bytes) -> None:
    with pytest.raises(DamagedUpdate):
        Replica().since(vector)


@pytest.mark.slow
def test_broken_updates_are_refused_or_leave_a_sound_text() -> None:
    chance = random.Random(20261115)
    seen: Counter[str] = Counter()
    for _ in range(40):
        updates = grown(chance)
        state = updates[-1]
        for _ in range(60):
            seen[outcome(Replica(state=state), broken(chance, chance.choice(updates)))] += 1
    assert seen.total() == 2400
    assert min(seen[name] for name in ("DamagedUpdate", "UpdateGap", "applied")) > 50


def outcome(replica: Replica, data: bytes) -> str:
    """Apply bytes, and check that nothing changed or that all of it holds together."""
    before, known = replica.text, dict(replica.known)
    try:
        replica.apply(data)
    except (DamagedUpdate, UpdateGap) as error:
        assert (replica.text, replica.known, read_vector(replica.vector())) == (
            before,
            known,
            known,
        )
        assert Replica(state=replica.state()).text == before
        return type(error).__name__
    assert read_vector(replica.vector()) == replica.known
    assert Replica([replica.state()]).text == replica.text
    return "applied"


def grown(chance: random.Random) -> list[bytes]:
    """Return the updates of two replicas that wrote together, the whole state last."""
    pair = [Replica(client=chance.randrange(1, 2**32)) for _ in range(2)]
    updates: list[bytes] = []
    for _ in range(25):
        writer, reader = chance.sample(pair, 2)
        start = chance.randint(0, len(writer.text))
        end = chance.randint(start, min(start + 4, len(writer.text)))
        put = "".join(chance.choices(LETTERS, k=chance.randint(1, 5)))
        updates.append(writer.splice([Splice(start, end, put)]))
        if chance.random() < 0.5:
            reader.apply(writer.since(reader.vector()))
    pair[0].apply(pair[1].state())
    return [*updates, pair[0].state()]


def broken(chance: random.Random, update: bytes) -> bytes:
    """Flip, cut, replace or make up bytes."""
    data = bytearray(update)
    at = chance.randrange(len(data))
    match chance.randrange(5):
        case 0:
            data[at] ^= 1 << chance.randrange(8)
        case 1:
            del data[at:]
        case 2:
            data[at : at + chance.randint(0, 3)] = chance.randbytes(chance.randint(0, 3))
        case 3:
            data[at] = chance.choice(TELLING)
        case _:
            data[:] = chance.randbytes(chance.randint(0, 40))
    return bytes(data)


def test_a_number_without_an_end_takes_no_time() -> None:
    endless = b"\x01" + b"\xff" * 10_000_000 + b"\x01"
    replica = Replica()
    started = time.thread_time()
    for read in (replica.since, replica.apply):
        with pytest.raises(DamagedUpdate, match="does not end"):
            read(endless)
    # Built up bit by bit it would take hours.
    assert time.thread_time() - started < 1
