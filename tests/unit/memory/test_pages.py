"""Lists that end at their limit say so, and where to go on."""

from typing import Any

import strata
from strata import Workspace


def test_a_list_that_ends_at_its_limit_says_so(db: Workspace) -> None:
    db.kv.put_many({f"p/{n:03}": {"번호": n} for n in range(250)})
    page = db.kv.list("p/")
    assert (len(page), page.more, page.next) == (100, True, "p/099")
    seen = list(page)
    while page.more:
        page = db.kv.list("p/", after=page.next)
        seen += page
    assert len(seen) == len(set(seen)) == 250
    whole = db.kv.list("p/", limit=250)
    assert (len(whole), whole.more, whole.next) == (250, False, None)
    items = db.kv.items("p/", limit=3, after="p/247")
    assert ([key for key, _found in items], items.more) == (["p/248", "p/249"], False)
    assert db.kv.items("p/", limit=3).next == "p/002"


def test_a_page_is_a_list(db: Workspace) -> None:
    db.kv.put("k", 1, tags=["빨강"])
    page: Any = db.kv.list(tags=["빨강"])
    assert isinstance(page, list)
    assert isinstance(page, strata.ResultPage)
    assert page == ["k"]
    assert not page.more


def test_events_and_commits_end_at_their_limit_with_a_word(db: Workspace) -> None:
    for number in range(5):
        db.events.append("짝" if number % 2 == 0 else "홀", {"n": number})
    page = db.events.list("짝", limit=2, order="time")
    assert ([one.sequence for one in page], page.next) == ([1, 3], 3)
    assert not db.events.list("짝", limit=2, after=3).more
    assert db.events.list(limit=5).next is None
    commits = db.log(limit=2)
    assert ([one.version for one in commits], commits.next) == ([5, 4], 4)
    assert [one.version for one in db.log(before=4)] == [3, 2, 1]
    changes = db.changes(0, limit=3)
    assert (changes.more, changes.next) == (True, 3)
    assert [one.version for one in db.changes(3)] == [4, 5]


def test_a_value_that_was_trimmed_is_met_on_its_own_page_only(db: Workspace) -> None:
    db.kv.put_many({"a": 1, "b": 1})
    db.kv.put("b", 2)
    db.retention.set(max_versions=1)
    db.retention.apply()
    page = db.at(2).kv.items(limit=1)
    assert ([key for key, _found in page], page.more) == (["a"], True)
