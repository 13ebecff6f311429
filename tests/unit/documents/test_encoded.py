"""The UTF-8 beside a text follows its edits, and says where characters begin."""

from random import Random

import pytest

from strata.documents.text import Replica, Splice, encoded
from strata.documents.text.encoded import EncodedText
from strata.documents.text.splice import spliced

LETTERS = "abc \n가나다é𝄞😀"


def some(chance: Random, most: int) -> str:
    return "".join(chance.choices(LETTERS, k=chance.randint(0, most)))


def some_splices(chance: Random, text: str) -> list[Splice]:
    places = sorted(chance.choices(range(len(text) + 1), k=2 * chance.randint(1, 4)))
    pairs = zip(places[::2], places[1::2], strict=True)
    return [Splice(start, end, some(chance, 12)) for start, end in pairs]


@pytest.mark.parametrize("seed", range(40))
def test_it_is_the_encoded_text_after_any_edits(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoded, "_BLOCK", 8)
    monkeypatch.setattr(encoded, "_LONG", 20)
    monkeypatch.setattr(encoded, "_MANY", 3)
    chance = Random(seed)
    text = some(chance, 80)
    known = EncodedText(text)
    for _ in range(40):
        offsets = sorted(chance.choices(range(len(text) + 1), k=5))
        assert known.places(text, offsets) == [len(text[:at].encode()) for at in offsets]
        made = some_splices(chance, text)
        after = spliced(text, made)
        known.follow(text, after, made)
        assert known.data == after.encode()
        text = after


def test_an_edit_of_a_long_text_encodes_no_more_than_a_part(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "한 문단 with words.\n" * 20_000
    replica = Replica()
    replica.splice([Splice(0, 0, text)])
    assert replica.data == text.encode()

    def refused(_self: EncodedText, _text: str) -> None:
        raise AssertionError("the whole text is encoded again")

    monkeypatch.setattr(EncodedText, "_encode", refused)
    for at in (0, 100_000, len(text) - 5):
        replica.splice([Splice(at, at + 2, "고침 ")])
    assert replica.data == replica.text.encode()


def test_what_others_wrote_is_encoded_too() -> None:
    one, other = Replica(), Replica()
    update = one.splice([Splice(0, 0, "가나다")])
    assert one.data == "가나다".encode()
    other.apply(update)
    assert other.data == one.data
    one.apply(other.splice([Splice(1, 1, "é")]))
    assert one.data == "가é나다".encode()
