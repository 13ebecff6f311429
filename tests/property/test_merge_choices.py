"""Merges with random choices give what a plain model says, and a preview tells it beforehand."""

from copy import deepcopy
from random import Random
from typing import Any

import pytest

import strata
from strata import EditedValue, Workspace
from tests.property.conftest import ABSENT, text
from tests.property.examples import examples

KEYS = ("가", "나/다", "user")
VALUES: tuple[Any, ...] = (None, 0, "값", ["하나"], ["둘", 1], {"이름": "보라"}, {"이름": ["글"]})
FIELDS = ("이름", "나이", "a b")
KINDS = ("kv", "json", "state")
# Each side has its own words: what both write alike is no conflict, and is tested elsewhere.
WORDS = (("봄", "여름"), ("가을", "겨울"))


def a_value(chance: Random) -> Any:
    if chance.random() < 0.5:
        return deepcopy(chance.choice(VALUES))
    return {name: deepcopy(chance.choice(VALUES)) for name in FIELDS if chance.random() < 0.7}


def change(view: Workspace, chance: Random) -> None:
    for kind in KINDS:
        for key in KEYS:
            if chance.random() < 0.7:
                put(view, kind, key, a_value(chance))
            elif chance.random() < 0.3:
                getattr(view, kind).delete(key)


def put(view: Workspace, kind: str, key: str, value: Any) -> None:
    if kind == "json":
        view.json.set(key, "$", value)
    else:
        {"kv": view.kv.put, "state": view.state.set}[kind](key, value)


def shown(view: Workspace) -> dict[tuple[str, str], Any]:
    return {
        (kind, key): found.value
        for kind in KINDS
        for key in KEYS
        if (found := getattr(view, kind).get(key)) is not None
    }


def merged(parts: tuple[Any, Any, Any], path: str, chosen: dict[str, Any]) -> Any:
    """Merge base, source and target; at a conflict the path says what was chosen."""
    base, source, target = parts
    spelled = [ABSENT if part is ABSENT else text(part) for part in parts]
    if spelled[1] in (spelled[0], spelled[2]):
        return target
    if spelled[0] == spelled[2]:
        return source
    if not isinstance(source, dict) or not isinstance(target, dict):
        return decided(chosen[path], source, target)
    before = base if isinstance(base, dict) else {}
    members = {
        name: merged(
            (before.get(name, ABSENT), source.get(name, ABSENT), target.get(name, ABSENT)),
            f"{path}.{name}" if name.isidentifier() else f'{path}["{name}"]',
            chosen,
        )
        for name in {*source, *target}
    }
    return {name: member for name, member in members.items() if member is not ABSENT}


def decided(choice: Any, source: Any, target: Any) -> Any:
    if isinstance(choice, EditedValue):
        return choice.value
    if choice == "both":
        known = [text(item) for item in target]
        return target + [item for item in source if text(item) not in known]
    return source if choice == "theirs" else target


def a_choice(chance: Random, entry: strata.ConflictEntry) -> Any:
    both = isinstance(entry.source, list) and isinstance(entry.target, list)
    ways = ["ours", "theirs", EditedValue(a_value(chance)), *(["both"] if both else [])]
    return chance.choice(ways)


@pytest.mark.parametrize("seed", range(examples(60)))
def test_values_are_what_was_chosen(seed: int) -> None:
    chance = Random(seed)
    with strata.open(durability="cache", auto_embed=False) as db:
        change(db, chance)
        base = shown(db)
        db.branches.fork("가지")
        fork = db.on("가지")
        change(db, chance)
        change(fork, chance)
        source, target = shown(fork), shown(db)
        conflicts = db.branches.merge("가지", preview=True).conflicts
        choices = {entry.id: a_choice(chance, entry) for entry in conflicts}
        preview = db.branches.merge("가지", choices=choices, preview=True)
        done = db.branches.merge("가지", choices=choices)
        assert (done.changes, done.conflicts) == (preview.changes, preview.conflicts)
        expected: dict[tuple[str, str], Any] = {}
        for place in {*base, *source, *target}:
            chosen = {
                entry.path: choices[entry.id]
                for entry in conflicts
                if (entry.kind, entry.key) == place
            }
            parts = (base.get(place, ABSENT), source.get(place, ABSENT), target.get(place, ABSENT))
            value = merged(parts, "$", chosen)
            if value is not ABSENT:
                expected[place] = value
        found = shown(db)
        assert {place: text(value) for place, value in found.items()} == {
            place: text(value) for place, value in expected.items()
        }
        assert db.branches.merge("가지").commit is None
        assert db.verify().ok


@pytest.mark.parametrize("seed", range(examples(40)))
def test_passages_are_what_was_chosen(seed: int) -> None:
    chance = Random(seed)
    with strata.open(durability="cache", auto_embed=False) as db:
        lines = [f"{number}번 줄은 처음" for number in range(8)]
        document = db.documents.create("글", "\n\n".join(lines)).document
        db.branches.fork("가지")
        sides = [list(lines), list(lines)]
        for view, side, words in zip((db, db.on("가지")), sides, WORDS, strict=True):
            for at, line in enumerate(lines):
                if chance.random() < 0.6:
                    side[at] = line.replace("처음", chance.choice(words))
                    view.documents.edit(document, line, side[at])
        ours, theirs = sides
        filed = db.branches.merge("가지", preview=True).filed
        meeting = [at for at, line in enumerate(lines) if len({line, ours[at], theirs[at]}) == 3]
        assert [one.line for one in filed] == [2 * at + 1 for at in meeting]
        ways = ("ours", "theirs", "both", EditedValue("여기"), None)
        chosen: list[Any] = [chance.choice(ways) for _one in filed]
        choices = {one.id or "": way for one, way in zip(filed, chosen, strict=True) if way}
        expected = [theirs[at] if ours[at] == line else ours[at] for at, line in enumerate(lines)]
        for at, way in zip(meeting, chosen, strict=True):
            mine, other = (side[at].split()[-1] for side in (ours, theirs))
            word = {"theirs": other, "both": f"{mine} {other}"}.get(str(way), mine)
            word = way.value if isinstance(way, EditedValue) else word
            expected[at] = f"{at}번 줄은 {word}"
        preview = db.branches.merge("가지", choices=choices, preview=True)
        done = db.branches.merge("가지", choices=choices)
        assert db.documents.text(document) == "\n\n".join(expected)
        assert len(done.filed) == chosen.count(None) == len(db.review.suggestions(document))
        for made, told in ((done.filed, preview.filed), (done.settled, preview.settled)):
            assert [(one.id, one.line, one.choice) for one in made] == [
                (one.id, one.line, one.choice) for one in told
            ]
        assert db.verify(full=True).ok
