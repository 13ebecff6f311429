"""Agents, tasks and published pages as the page asks for them."""

import time
from collections.abc import Callable

from strata.agents import Definition, Thinking
from tests.surface.web.conftest import Serve

END_SECONDS = 60
KEY = {"endpoint": "https://example.com/v1", "keyVariable": "EXAMPLE_API_KEY"}


def until(is_so: Callable[[], bool]) -> None:
    """Wait for the worker of the server."""
    end = time.monotonic() + END_SECONDS
    while not is_so():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.02)


def test_only_the_owner_says_where_a_model_answers_and_with_which_key(serve: Serve) -> None:
    served = serve()
    ann = served.db.users.add("ann@example.com", "Ann")
    owner, browser = served.signed_in(), served.signed_in("ann@example.com")
    given = {"agentName": "교정", "instructions": "Find mistakes."}
    for part in ({"endpoint": KEY["endpoint"]}, {"keyVariable": KEY["keyVariable"]}):
        answer = browser.call("page_define_agent", **given, **part)
        assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")
    assert not browser.ok("page_agents")["mayChooseEndpoint"]
    assert browser.ok("page_define_agent", **given, model="small")["model"] == "small"
    assert owner.ok("page_define_agent", **given, **KEY)["endpoint"] == KEY["endpoint"]
    # A token for agents is given away, and has less than its owner.
    holder = served.browser()
    holder.sign_in(served.db.tokens.create("t", groups=["agents"]).secret)
    assert holder.call("page_define_agent", **given, **KEY).status_code == 403
    # What a user defined elsewhere stays when the page changes the rest.
    thinking = Thinking(endpoint="http://localhost:1/v1", model="a", key_variable="A_KEY")
    served.db.as_user(ann.id).agents.define(
        "자기", Definition(instructions="x", thinking=thinking, calls_max=7)
    )
    changed = browser.ok("page_define_agent", agentName="자기", instructions="y", model="b")
    assert (changed["endpoint"], changed["keyVariable"]) == ("http://localhost:1/v1", "A_KEY")
    assert served.db.as_user(ann.id).agents.get("자기").definition.calls_max == 7


def test_a_new_agent_does_not_replace_one_of_the_same_name(serve: Serve) -> None:
    browser = serve().signed_in()
    given = {"agentName": "교정", "instructions": "Find mistakes.", "isNew": True}
    browser.ok("page_define_agent", **given)
    answer = browser.call("page_define_agent", **given)
    assert (answer.status_code, answer.json()["code"]) == (409, "already_exists")
    assert browser.call("page_define_agent", **given | {"isShared": True}).status_code == 409


def test_the_tasks_of_others_do_not_exist(serve: Serve) -> None:
    served = serve()
    served.db.users.add("ann@example.com", "Ann")
    mine = served.db.agents.invoke("linker").id
    ann = served.signed_in("ann@example.com")
    assert ann.ok("page_tasks")["tasks"] == []
    for operation in ("page_task", "page_cancel_task", "page_repeat_task"):
        assert ann.call(operation, taskId=mine).status_code == 404
    assert ann.ok("page_agents")["agents"][0]["last"] is None


def test_a_task_is_repeated_whole_and_on_its_branch(serve: Serve) -> None:
    served = serve()
    served.db.branches.fork("가지")
    long = "가" * 2_000
    made = served.db.on("가지").agents.invoke("linker", instruction=long)
    served.db.agents.cancel(made.id)
    again = served.signed_in().ok("page_repeat_task", taskId=made.id)
    found = served.db.agents.task(again["id"])
    assert (found.branch, found.instruction, found.id != made.id) == ("가지", long, True)


def test_activity_is_shown_for_one_task_however_much_came_after(serve: Serve) -> None:
    served = serve()
    served.db.documents.create("Budget Review", "Costs of the plan.")
    served.db.documents.create("Plan", "See the Budget Review.")
    task = served.db.agents.invoke("linker").id
    until(lambda: served.db.agents.task(task).has_ended)
    for number in range(5):
        served.db.kv.put(f"뒤/{number}", number)
    browser = served.signed_in()
    [run] = browser.ok("page_activity", task=task)["runs"]
    assert (run["who"]["task"], run["who"]["agent"]) == (task, "linker")
    assert browser.ok("page_activity", task="task_none")["runs"] == []
    steps = browser.ok("page_task", taskId=task)["steps"]
    assert {step["tool"] for step in steps} >= {"find", "read_document", "manage_suggestions"}


def test_changes_since_publishing_are_told_by_content(serve: Serve) -> None:
    served = serve()
    plan = served.db.documents.create("계획", "하나").document
    browser = served.signed_in()
    browser.ok("publish_document", documentId=plan, pinToProfile=True)
    [page] = browser.ok("page_published")["pages"]
    assert (page["hasChanges"], page["isPinned"], page["number"]) == (False, True, 1)
    assert not browser.ok("publish_document", documentId=plan, pinToProfile=False)["pinned"]
    served.db.documents.write(plan, "둘")
    assert browser.ok("page_published")["pages"][0]["hasChanges"]
    served.db.documents.write(plan, "하나")
    assert not browser.ok("page_published")["pages"][0]["hasChanges"]
    served.db.documents.write(plan, "셋")
    browser.ok("publish_document", documentId=plan)
    assert browser.ok("page_rollback", documentId=plan, number=1)["number"] == 1
    read = browser.ok("page_published_text", documentId=plan, number=2)
    assert (read["text"], read["shown"]) == ("셋", "하나")
    assert browser.call("page_rollback", documentId=plan, number=9).status_code == 404


def test_published_pages_follow_each_other(serve: Serve) -> None:
    served = serve()
    for number in range(5):
        made = served.db.documents.create(f"글 {number}", "x").document
        served.db.publishing.publish(made)
    browser = served.signed_in()
    first = browser.ok("page_published", limit=3)
    rest = browser.ok("page_published", limit=3, after=first["next"])
    titles = [page["title"] for page in (*first["pages"], *rest["pages"])]
    assert titles == [f"글 {number}" for number in (4, 3, 2, 1, 0)]
    assert rest["next"] is None


def test_a_reader_manages_no_published_page(serve: Serve) -> None:
    served = serve()
    plan = served.db.documents.create("계획", "하나").document
    served.db.publishing.publish(plan)
    served.db.users.add("vic@example.com", "Vic")
    served.db.shares.share(plan, "vic@example.com", "viewer")
    vic = served.signed_in("vic@example.com")
    assert vic.ok("page_published")["pages"] == []
    for operation, more in (
        ("page_published_versions", {}),
        ("page_published_text", {"number": 1}),
        ("page_rollback", {"number": 1}),
        ("page_pin", {"isPinned": True}),
        ("publish_document", {}),
        ("unpublish_document", {}),
    ):
        assert vic.call(operation, documentId=plan, **more).status_code == 403, operation
