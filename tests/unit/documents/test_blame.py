"""Who wrote what, from the first edit or from runs that were kept."""

import random
from typing import NamedTuple

import pytest

from strata.base.errors import InvalidArgument, UpdateGap
from strata.documents.text import AuthorRun, Replica, Splice, blame
from strata.documents.text.updates import number

LETTERS = ["a", "b", " ", "\n", "é", "한", "글", "😀", "e\u0301", "ש", "𝒳", "中"]


class Entry(NamedTuple):
    update: bytes
    author: str
    via: str | None
    time: int


def whose(runs: list[AuthorRun], text: str) -> list[tuple[str, str]]:
    """Return each run's author with the words they wrote."""
    assert sum(run.length for run in runs) == len(text)
    found: list[tuple[str, str]] = []
    at = 0
    for run in runs:
        found.append((run.author, text[at : at + run.length]))
        at += run.length
    return found


def test_each_author_has_their_own_words() -> None:
    replica = Replica()
    entries = [
        Entry(replica.splice([Splice(0, 0, "회의록: 예산 안")]), "ann", None, 1),
        Entry(replica.splice([Splice(5, 7, "😀 계획")]), "bob", "writer", 2),
        Entry(replica.splice([Splice(0, 0, "# "), Splice(7, 8, "!")]), "cho", None, 3),
    ]
    runs = blame([], None, entries)
    assert replica.text == "# 회의록: 😀 !획 안"
    assert whose(runs, replica.text) == [
        ("cho", "# "),
        ("ann", "회의록: "),
        ("bob", "😀 "),
        ("cho", "!"),
        ("bob", "획"),
        ("ann", " 안"),
    ]
    assert runs[2] == AuthorRun("bob", "writer", 2, 2)


def test_neighbours_of_one_author_and_time_are_one_run() -> None:
    replica = Replica()
    entries = [Entry(replica.splice([Splice(n, n, "가")]), "ann", None, 5) for n in range(9)]
    assert blame([], None, entries) == [AuthorRun("ann", None, 5, 9)]
    later = Entry(replica.splice([Splice(9, 9, "나")]), "ann", None, 6)
    assert blame([], None, [*entries, later]) == [
        AuthorRun("ann", None, 5, 9),
        AuthorRun("ann", None, 6, 1),
    ]


def test_without_edits_the_runs_stay() -> None:
    replica = Replica()
    replica.splice([Splice(0, 0, "둘셋😀")])
    runs = [AuthorRun("ann", None, 1, 1), AuthorRun("bob", None, 2, 2)]
    assert blame(runs, replica.state(), []) == runs
    assert blame([], None, []) == []


def test_runs_of_another_text_are_refused() -> None:
    with pytest.raises(InvalidArgument):
        blame([AuthorRun("ann", None, 1, 3)], None, [])


def test_an_edit_whose_ground_is_missing_is_refused() -> None:
    replica = Replica()
    replica.splice([Splice(0, 0, "처음")])
    later = replica.splice([Splice(2, 2, "나중")])
    with pytest.raises(UpdateGap):
        blame([], None, [Entry(later, "ann", None, 1)])


def test_the_halves_of_a_cut_emoji_stay_their_authors() -> None:
    replica = Replica(client=9)
    first = Entry(replica.splice([Splice(0, 0, "가😀나😀")]), "ann", None, 1)
    half = Entry(bytes([0, 1, 9, 1, 1, 1]), "bob", None, 2)
    between = Entry(bytes([1, 1, 8, 0, 0xC4, 9, 4, 9, 5]) + number(1) + b"x\x00", "cho", None, 3)
    text = Replica([first.update, half.update, between.update]).text
    assert text == "가\ufffd나\ufffdx\ufffd"
    expected = [("ann", "가\ufffd나\ufffd"), ("cho", "x"), ("ann", "\ufffd")]
    assert whose(blame([], None, [first, half, between]), text) == expected
    kept = blame([], None, [first])
    assert whose(blame(kept, replica.state(), [half, between]), text) == expected


@pytest.mark.parametrize("seed", range(25))
def test_any_edits_give_what_a_list_of_characters_gives(seed: int) -> None:
    chance = random.Random(seed)
    entries = written_together(chance)
    whole = blame([], None, entries)
    text, authors = by_characters(entries)
    assert [mark for run in whole for mark in [run.author] * run.length] == authors
    at = chance.randint(0, len(entries))
    state = Replica([entry.update for entry in entries[:at]]).state()
    kept = blame([], None, entries[:at])
    assert blame(kept, state, entries[at:]) == whole
    assert sum(run.length for run in whole) == len(text)


def written_together(chance: random.Random) -> list[Entry]:
    """Return the edits of three people who do not always see each other's."""
    people = {name: Replica() for name in ("ann", "bob", "cho")}
    entries: list[Entry] = []
    seen = dict.fromkeys(people, 0)
    for time in range(50):
        name = chance.choice(list(people))
        replica = people[name]
        upto = chance.randint(seen[name], len(entries))
        for entry in entries[seen[name] : upto]:
            replica.apply(entry.update)
        seen[name] = upto
        start = chance.randint(0, len(replica.text))
        end = chance.randint(start, min(start + 4, len(replica.text)))
        put = "".join(chance.choices(LETTERS, k=chance.randint(1, 5)))
        entries.append(Entry(replica.splice([Splice(start, end, put)]), name, None, time))
    return entries


def by_characters(entries: list[Entry]) -> tuple[str, list[str]]:
    """Replay the edits one by one over a list with an author for every byte."""
    replica = Replica()
    authors: list[str] = []
    for entry in entries:
        at = 0
        for step in replica.follow([entry.update]).steps:
            at += step.keep
            new = [entry.author] * len(step.put.encode())
            authors[at : at + step.drop] = new
            at += len(new)
    starts: list[int] = [0]
    for letter in replica.text:
        starts.append(starts[-1] + len(letter.encode()))
    return replica.text, [authors[at] for at in starts[:-1]]
