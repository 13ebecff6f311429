"""Who did something, in every operation of pages and in the feed: person, agent and task."""

from typing import Any

import strata
from strata.base import clock
from strata.documents import Arrival, Author
from strata.documents.log import entries_of
from strata.documents.records import SPACE, TEXT
from strata.documents.text import Replica, Splice
from tests.surface.web.conftest import Browser, Serve

DAY_US = 86_400_000_000
FOR_ANN = {"person": "Ann", "agent": "claude-code", "task": "task_1", "label": None}
OWNER = {"person": "owner", "agent": None, "task": None, "label": None}
LABEL = {"person": None, "agent": None, "task": None, "label": "소연"}


def fill(db: strata.Workspace) -> str:
    """Write a thing of each kind; return the document."""
    document = db.documents.create("사업 계획", "Ship in May.\n").document
    db.kv.put("한도", 1)
    db.events.append("deploy.done", {"ok": True})
    db.decisions.save("auth", "Use signed tokens.", "Sessions were slow.")
    return document


def everyone_named(owner: Browser, document: str) -> dict[str, Any]:
    """Ask every operation that names authors; return what each says of the newest thing."""
    [run, *_earlier] = owner.ok("page_activity")["runs"]
    recent = owner.ok("page_recent")["items"]
    [found, *_worse] = owner.ok("page_find", query="signed tokens")["hits"]
    return {
        "activity": run["who"],
        "branches": owner.ok("page_branches")["branches"][0]["who"],
        "decisions": owner.ok("page_decisions")["decisions"][0]["who"],
        "events": owner.ok("page_events")["events"][0]["who"],
        "event": owner.ok("page_event", sequence=1)["who"],
        "memory": owner.ok("page_memory")["facts"][0]["who"],
        "fact": owner.ok("page_fact", key="한도")["who"],
        "past": owner.ok("page_fact", key="한도")["history"][0]["who"],
        "found": found["who"],
        "version": owner.ok("page_versions", documentId=document)["versions"][0]["who"][0],
        **{f"recent {one['kind']}": one["who"] for one in recent},
    }


def test_every_operation_names_person_agent_and_task(serve: Serve) -> None:
    served = serve()
    ann = served.db.users.add("ann@example.com", "Ann")
    agent = served.db.as_user(ann.id).as_actor("claude-code", task="task_1")
    document = fill(agent)
    served.db.as_user(ann.id).shares.share(document, served.db.users.owner().email, "viewer")
    for what, who in everyone_named(served.signed_in(), document).items():
        assert who == FOR_ANN, what


def test_a_character_of_a_text_names_person_agent_task_and_time(serve: Serve) -> None:
    served = serve()
    ann = served.db.users.add("ann@example.com", "Ann")
    agent = served.db.as_user(ann.id).as_actor("claude-code", task="task_1")
    document = fill(agent)
    served.db.as_user(ann.id).shares.share(document, served.db.users.owner().email, "viewer")
    [row] = served.db._view.snapshot.history(SPACE, TEXT, document, limit=2)
    [entry] = entries_of(row)
    owner = served.signed_in()
    asked = {"documentId": document, "client": entry.client}
    found = owner.ok("page_origin", **asked, clock=3)
    assert found == {"when": clock.iso(entry.time), "who": FOR_ANN}
    assert owner.call("page_origin", **asked, clock=10_000).status_code == 404


def test_what_is_written_with_the_file_itself_is_the_owners(serve: Serve) -> None:
    served = serve()
    document = fill(served.db)
    for what, who in everyone_named(served.signed_in(), document).items():
        assert who == OWNER, what


def test_a_name_of_no_user_is_neither_person_nor_agent(serve: Serve) -> None:
    served = serve()
    db = served.db.as_actor("소연")
    db.kv.put("한도", "하루에 백 번")
    owner = served.signed_in()
    assert owner.ok("page_fact", key="한도")["who"] == LABEL
    [run] = owner.ok("page_activity", agent="소연")["runs"]
    assert run["who"] == LABEL
    assert owner.ok("page_find", query="하루에 백 번", by="소")["hits"]
    assert not owner.ok("page_find", query="하루에 백 번", by="Ann")["hits"]


def test_a_text_that_was_typed_live_is_found_by_who_typed_it(serve: Serve) -> None:
    served = serve()
    ann = served.db.users.add("ann@example.com", "Ann")
    document = served.db.documents.create("계획", "").document
    live = served.db.documents.live()
    there = Replica([live.difference(document).update])
    typed = there.splice([Splice(0, 0, "목요일에 배포한다. ")])
    live.append([Arrival(document, typed, Author(ann.id))])
    live.settle()
    [found] = served.signed_in().ok("page_find", query="목요일에 배포", by="Ann")["hits"]
    assert (found["id"], found["who"]["person"]) == (document, "Ann")


def test_activity_names_things_as_users_know_them(serve: Serve) -> None:
    served = serve()
    document = fill(served.db)
    served.db.space("실험").events.append("start", {})
    runs = served.signed_in().ok("page_activity")["runs"]
    items = [one for run in runs for one in run["items"]]
    named = {(one["group"], one["title"], one["place"]): one["id"] for one in items}
    [saved] = served.db.decisions.recent(types=("decision",))
    assert named == {
        ("event", "start #1", "실험"): "실험/1",
        ("decision", "auth: Use signed tokens.", "auth"): saved.id,
        ("event", "deploy.done #1", "default"): "default/1",
        ("fact", "한도", "default"): "default/한도",
        ("document", "사업 계획", ""): document,
    }


def test_a_reversal_names_what_goes_back_and_who_changed_what_stays(serve: Serve) -> None:
    served = serve()
    ann = served.db.users.add("ann@example.com", "Ann")
    saved = served.db.decisions.save("auth", "Use signed tokens.", "Slow sessions.")
    fact = served.db.kv.put("한도", 1)
    served.db.as_user(ann.id).as_actor("claude-code", task="task_1").kv.put("한도", 2)
    told = served.signed_in().ok(
        "page_revert", versions=[saved.memory.version, fact.version], preview=True, leavesRest=True
    )
    assert [one["title"] for one in told["back"]] == ["auth: Use signed tokens."]
    assert [(one["title"], one["who"]) for one in told["kept"]] == [("한도", FOR_ANN)]


def test_a_title_that_the_user_may_not_read_is_not_shown(serve: Serve) -> None:
    served = serve()
    db = served.db
    bora = db.users.add("bora@example.com", "Bora")
    db.as_user(bora.id).documents.create("보라의 비밀", "x")
    open_ = db.documents.create("모두의 글", "x").document
    db.shares.share(open_, "bora@example.com", "viewer")
    token = db.tokens.create("t", user="bora@example.com", groups=["all"]).secret
    browser = served.browser()
    assert browser.sign_in(token).status_code == 303
    hidden = served.signed_in().ok("page_activity")
    assert "보라의 비밀" not in str(hidden)
    assert "보라의 비밀" in str(browser.ok("page_activity"))
    assert "모두의 글" in str(browser.ok("page_activity"))


def test_a_decision_without_outcome_waits_with_its_author(serve: Serve) -> None:
    served = serve()
    ann = served.db.users.add("ann@example.com", "Ann")
    store = served.db.rights.store
    clock, store.clock = store.clock, lambda: clock() - 40 * DAY_US
    served.db.as_user(ann.id).decisions.save("auth", "Use signed tokens.", "Slow sessions.")
    store.clock = clock
    [waiting] = served.signed_in().ok("page_inbox")["items"]
    assert (waiting["kind"], waiting["who"]["person"]) == ("decision", "Ann")
