"""Facts as a tree of names and as a table."""

from collections.abc import Sequence
from typing import Any

import pytest

from strata import Workspace

NAMES = ["a", "a/b", "a/b/c", "a/d", "a0", "가/나", "가/다/라", "가나", "z//x", "z/"]


def test_a_level_of_the_tree_counts_what_is_below(db: Workspace) -> None:
    db.kv.put_many(dict.fromkeys(NAMES, 1))
    found = {place.prefix: place.names for place in db.facts.places()}
    assert found == {"a": 1, "a/": 3, "a0": 1, "가/": 2, "가나": 1, "z/": 2}
    assert [one.prefix for one in db.facts.places("a/")] == ["a/b", "a/b/", "a/d"]
    assert [one.prefix for one in db.facts.places("z/")] == ["z/", "z//"]
    assert [one.prefix for one in db.facts.places("가/")] == ["가/나", "가/다/"]
    assert db.facts.places("없다/") == []


def test_pages_of_places_leave_none_out(db: Workspace) -> None:
    db.kv.put_many(dict.fromkeys(NAMES, 1))
    db.json.set("a/j", "$", {})
    for prefix in ("", "a/"):
        whole = list(db.facts.places(prefix))
        for limit in (1, 2, 3):
            assert list(db.facts.places(prefix, limit=limit).all()) == whole


def test_places_follow_branches_and_deletions(db: Workspace) -> None:
    db.kv.put_many({"api/one": 1, "api/two": 2, "web": 3})
    db.branches.fork("초안")
    draft = db.on("초안")
    draft.kv.delete("api/one")
    draft.kv.put("api/new/deep", 4)
    assert [(one.prefix, one.names) for one in draft.facts.places()] == [("api/", 2), ("web", 1)]
    assert [one.prefix for one in draft.facts.places("api/")] == ["api/new/", "api/two"]
    draft.kv.delete("web")
    assert [one.prefix for one in draft.facts.places()] == ["api/"]


def test_a_table_has_every_fact_once_whatever_kind_holds_it(db: Workspace) -> None:
    db.kv.put_many({f"n/{number}": number for number in range(7)})
    db.json.set("n/3", "$", {"other": True})  # a name that two kinds know: the first counts
    db.state.set("n/9", "cell")
    table = list(db.facts.items("n/", limit=3).all())
    assert [fact.key for fact in table] == [f"n/{number}" for number in (*range(7), 9)]
    assert [fact.kind for fact in table[3:4] + table[-1:]] == ["kv", "state"]
    assert [fact.key for fact in db.facts.items("n/", offset=6)] == ["n/6", "n/9"]
    assert [fact.key for fact in db.facts.items("n/", after="n/5", limit=1)] == ["n/6"]


def test_the_cost_of_a_level_is_not_that_of_its_keys(
    db: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    db.kv.put_many({f"many/{number:05}": 1 for number in range(3000)} | {"one": 1})
    # The first question of a process reads all names once, and counts them.
    assert db.facts.count("many/") == 3000
    db.kv.put("many/04000", 1)
    connections = type(db.serving.store.connection())
    read, rows = [0], connections.rows

    def counted(connection: Any, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        found = rows(connection, statement, values)
        read[0] += len(found)
        return found

    monkeypatch.setattr(connections, "rows", counted)
    assert [one.names for one in db.facts.places()] == [3001, 1]
    assert 0 < read[0] < 600
