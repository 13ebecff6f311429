"""Taking back random sets of commits gives what a plain model says, and a preview tells it."""

from copy import deepcopy
from random import Random
from typing import Any

import pytest

import strata
from strata import Workspace
from tests.property.conftest import ABSENT, text
from tests.property.examples import examples
from tests.property.merge_model import merge_json

KEYS = ("가", "나", "user")
FIELDS = ("이름", "나이")
VALUES: tuple[Any, ...] = (0, 1, "값", None)
State = dict[str, Any]


def a_value(chance: Random) -> Any:
    if chance.random() < 0.3:
        return deepcopy(chance.choice(VALUES))
    return {name: chance.choice(VALUES) for name in FIELDS if chance.random() < 0.8}


def commit(db: Workspace, state: State, chance: Random) -> tuple[int, State]:
    """Change some keys as one commit; return its version and the state after it."""
    after = dict(state)
    with db.transaction() as tx:
        for key in chance.sample(KEYS, chance.randint(1, 2)):
            if key in after and chance.random() < 0.2:
                tx.kv.delete(key)
                del after[key]
            else:
                after[key] = a_value(chance)
                tx.kv.put(key, after[key])
    return db.log(limit=1)[0].version, after


def taken_back(states: list[State], chosen: list[int]) -> tuple[State, bool]:
    """Take commits back from the last state; tell whether something else had changed a place.

    Commit n leads from state n to state n + 1.
    """
    now, has_conflict = dict(states[-1]), False
    for key in KEYS:
        for first, last in runs(states, chosen, key):
            parts = [state.get(key, ABSENT) for state in (states[last + 1], states[first], now)]
            base, source, target = parts
            value, found = reverted(base, source, target)
            has_conflict |= found
            now.pop(key, None)
            if value is not ABSENT:
                now[key] = value
    return now, has_conflict


def runs(states: list[State], chosen: list[int], key: str) -> list[tuple[int, int]]:
    """Return spans of commits that wrote a key with none of the others between, newest first."""
    found: list[tuple[int, int]] = []
    for at in sorted(chosen, reverse=True):
        if key not in WRITTEN[at]:
            continue
        between = range(at + 1, found[-1][0]) if found else range(0)
        if found and not any(key in WRITTEN[other] for other in between):
            found[-1] = (at, found[-1][1])
        else:
            found.append((at, at))
    return found


def reverted(base: Any, source: Any, target: Any) -> tuple[Any, bool]:
    spelled = [part if part is ABSENT else text(part) for part in (base, source, target)]
    if spelled[0] == spelled[1] or spelled[1] == spelled[2]:
        return target, False
    if spelled[0] == spelled[2]:
        return source, False
    if source is ABSENT or target is ABSENT:
        return target, True
    conflicts: list[tuple[str, Any, Any, Any]] = []
    return merge_json((base, source, target), "$", "target_wins", conflicts), bool(conflicts)


WRITTEN: list[set[str]] = []


@pytest.mark.parametrize("seed", range(examples(60)))
def test_a_random_set_of_commits_is_taken_back(seed: int) -> None:
    chance = Random(seed)
    with strata.open(durability="cache", auto_embed=False) as db:
        states: list[State] = [{}]
        versions: list[int] = []
        WRITTEN.clear()
        for _step in range(chance.randint(2, 9)):
            version, after = commit(db, states[-1], chance)
            WRITTEN.append({change.key for change in db.show(version)[1]})
            versions.append(version)
            states.append(after)
        chosen = chance.sample(range(len(versions)), chance.randint(1, len(versions)))
        expected, has_conflict = taken_back(states, chosen)
        wanted = [versions[at] for at in chosen]
        preview = db.revert(wanted, strategy="target_wins", preview=True)
        assert bool(preview.conflicts) == has_conflict
        assert len(preview.kept) == len(preview.conflicts)
        if has_conflict:
            with pytest.raises(strata.MergeConflict):
                db.revert(wanted)
        strategy = "target_wins" if has_conflict else "strict"
        done = db.revert(wanted, strategy=strategy)
        assert (done.changes, done.conflicts, done.kept) == (
            preview.changes,
            preview.conflicts,
            preview.kept,
        )
        found = {key: db.kv[key] for key in db.kv}
        assert {key: text(value) for key, value in found.items()} == {
            key: text(value) for key, value in expected.items()
        }
        for change in done.changes:
            shown = (states[-1].get(change.key), found.get(change.key))
            assert [text(value) for value in shown] == [text(change.before), text(change.after)]
        assert db.verify().ok


@pytest.mark.parametrize("seed", range(examples(30)))
def test_edits_of_one_author_go_back_and_those_of_others_stay(seed: int) -> None:
    chance = Random(seed)
    with strata.open(durability="cache", auto_embed=False) as db:
        lines = [f"{number}번 줄은 처음" for number in range(8)]
        document = db.documents.create("글", "\n\n".join(lines)).document
        owner = [chance.choice(("나", "너")) for _line in lines]
        run: list[int] = []
        now = list(lines)
        for step in range(12):
            at = chance.randrange(len(lines))
            changed = f"{at}번 줄은 {owner[at]} {step}"
            version = db.documents.edit(document, now[at], changed).version
            now[at] = changed
            run += [version] if owner[at] == "나" else []
        if chance.random() < 0.5:
            run = chance.sample(run, len(run))
        preview = db.revert(run, preview=True)
        done = db.revert(run)
        assert done.changes == preview.changes
        expected = [line if owner[at] == "나" else now[at] for at, line in enumerate(lines)]
        assert db.documents.text(document) == "\n\n".join(expected)
        assert db.verify(full=True).ok
