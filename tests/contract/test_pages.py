"""Lists that end at their limit say so, and read on while others write."""

import pytest

from strata import Workspace
from strata.base.errors import InvalidArgument, NotFound


def test_the_history_of_a_document_goes_on_behind_a_page(db: Workspace) -> None:
    made = db.documents.create("계획", "0")
    for number in range(1, 7):
        db.documents.write(made.document, f"{number}번째")
    whole = list(db.documents.history(made.document))
    page = db.documents.history(made.document, limit=3)
    assert (len(page), page.more, page.next) == (3, True, whole[2].version)
    # What is written between two pages is on neither of them.
    db.documents.write(made.document, "나중에 쓴 것")
    assert list(page.all()) == whole
    last = db.documents.history(made.document, limit=3, before=whole[3].version)
    assert (list(last), last.more) == (whole[4:], False)
    assert db.documents.history(made.document, before=made.version) == []
    with pytest.raises(InvalidArgument, match=r"^before"):
        db.documents.history(made.document, before=0)


def test_the_history_of_a_fork_goes_on_in_its_parent(db: Workspace) -> None:
    made = db.documents.create("계획", "하나")
    db.documents.write(made.document, "둘")
    db.branches.fork("초안")
    fork = db.on("초안").documents
    fork.write(made.document, "셋")
    db.documents.write(made.document, "다른 셋")
    pages = fork.history(made.document, limit=1)
    assert [one.version for one in pages.all()] == [
        one.version for one in fork.history(made.document)
    ]
    assert len(list(pages.all())) == 3


def test_tasks_go_on_behind_a_page(db: Workspace) -> None:
    agents = db.agents
    asked = [agents.invoke("linker", instruction=f"{n}번째").id for n in range(7)][::-1]
    page = agents.tasks(3)
    assert ([task.id for task in page], page.next) == (asked[:3], asked[2])
    agents.invoke("linker", instruction="나중에")
    assert [task.id for task in page.all()] == asked
    last = agents.tasks(4, before=asked[2])
    assert ([task.id for task in last], last.more) == (asked[3:], False)
    other = db.as_user(db.users.add("ann@example.com").id).agents
    with pytest.raises(NotFound):
        other.tasks(before=asked[0])


@pytest.mark.parametrize("topic", [None, "배포"])
def test_decisions_go_on_behind_a_page(db: Workspace, topic: str | None) -> None:
    # Several of one millisecond: a page may end among them.
    db._store.clock = lambda: 1_700_000_000_000_000
    saved = [db.decisions.save("배포", f"{n}번째", "이유").memory.id for n in range(7)]
    whole = [memory.id for memory in db.decisions.recent(topic=topic)]
    assert sorted(whole) == sorted(saved)
    for limit in (1, 2, 3):
        page = db.decisions.recent(topic=topic, limit=limit)
        assert (len(page), page.more, page.next) == (limit, True, whole[limit - 1])
        assert [memory.id for memory in page.all()] == whole
    page = db.decisions.recent(topic=topic, limit=2)
    db._store.clock = lambda: 1_700_000_001_000_000
    later = db.decisions.save("배포", "나중에", "이유").memory.id
    assert [memory.id for memory in page.all()] == whole
    assert db.decisions.recent(topic=topic, limit=1)[0].id == later
    assert not db.decisions.recent(topic=topic, before=whole[4]).more
    with pytest.raises(NotFound):
        db.decisions.recent(topic=topic, before="decision_없다")


def test_a_page_of_decisions_keeps_its_filters(db: Workspace) -> None:
    for number in range(5):
        db.decisions.save("배포", f"{number}번째", "이유")
        db.decisions.insight(f"통찰 {number}")
    page = db.decisions.recent(limit=2, types=("insight",))
    assert [memory.content for memory in page.all()] == [f"통찰 {n}" for n in (4, 3, 2, 1, 0)]


def test_a_page_is_a_list(db: Workspace) -> None:
    made = db.documents.create("계획", "하나")
    assert db.documents.history(made.document) == list(db.documents.history(made.document))
    assert (db.agents.tasks(), db.decisions.recent()) == ([], [])
