"""The three tools of publishing, as a client calls them."""

from collections.abc import Callable
from typing import Any

import pytest

import strata
from strata.tools import Session, StoreHost, expose, registry
from tests.surface.calling import Call, outcome_of

PARAMETERS = {
    "get_publish_status": {"documentId", "branch"},
    "publish_document": {"documentId", "pinToProfile", "branch"},
    "unpublish_document": {"documentId", "branch"},
}


@pytest.fixture
def plan(db: strata.Workspace) -> str:
    return db.documents.create("계획", "# 목표\n\n처음").document


def test_the_group_has_its_three_tools_and_their_parameters() -> None:
    found = {
        tool.name: set(tool.input_schema["properties"]) for tool in registry().tools("publishing")
    }
    assert found == PARAMETERS
    flags = {
        tool.name: (tool.reads_only, tool.idempotent) for tool in registry().tools("publishing")
    }
    assert flags == {
        "get_publish_status": (True, True),
        "publish_document": (False, True),
        "unpublish_document": (False, True),
    }


def test_a_document_goes_out_and_comes_back(call: Call, plan: str) -> None:
    assert call("get_publish_status", documentId=plan)["state"] == "draft"
    done = call("publish_document", documentId=plan, pinToProfile=True)
    assert (done["state"], done["versionNumber"], done["newVersion"]) == ("published", 1, True)
    assert done["pinned"]
    assert not done["hasUnpublishedChanges"]
    assert done["versions"] == 1
    again = call("publish_document", document_id=plan)
    assert (again["versionNumber"], again["newVersion"], again["pinned"]) == (1, False, True)
    assert not call("publish_document", documentId=plan, pinToProfile=False)["pinned"]
    call("edit_document", action="edit", documentId=plan, oldString="처음", newString="다음")
    changed = call("get_publish_status", documentId=plan)
    assert changed["hasUnpublishedChanges"]
    assert "publish_document" in changed["hint"]
    assert call("publish_document", documentId=plan)["versionNumber"] == 2
    taken = call("unpublish_document", documentId=plan)
    assert taken["state"] == "draft"
    assert "url" not in taken
    assert taken["versions"] == 2
    assert call("unpublish_document", documentId=plan)["state"] == "draft"


def test_the_address_is_as_whole_as_it_is_known(
    call: Call, plan: str, db: strata.Workspace, session: Session
) -> None:
    told = call("publish_document", documentId=plan)
    assert told["url"] == "/@owner/%EA%B3%84%ED%9A%8D"
    assert "strata serve" in told["hint"]
    session.host.pages_at = "http://127.0.0.1:7433"
    told = call("get_publish_status", documentId=plan)
    assert told["url"] == "http://127.0.0.1:7433/@owner/%EA%B3%84%ED%9A%8D"
    assert "hint" not in told
    db.settings.set("public_url", "https://notes.example.com")
    told = call("get_publish_status", documentId=plan)
    assert told["url"].startswith("https://notes.example.com/@owner/")


def test_find_knows_what_is_published(call: Call, plan: str) -> None:
    filters = {"status": ["published"]}
    assert call("find", intent="list", filters=filters)["items"] == []
    call("publish_document", documentId=plan)
    (item,) = call("find", intent="list", filters=filters)["items"]
    assert (item["id"], item["status"]) == (plan, "published")


def test_errors_name_the_parameter_and_the_call_that_helps(
    fail: Call, db: strata.Workspace, plan: str
) -> None:
    found = fail("publish_document", documentId="doc_nowhere")
    assert found["code"] == "not_found"
    assert "find" in found["hint"]
    db.documents.trash(plan)
    found = fail("publish_document", documentId=plan)
    assert found["parameter"] == "documentId"
    assert "trash" in found["message"]
    assert "documentId" in fail("get_publish_status")["message"]


@pytest.fixture
def as_role(db: strata.Workspace) -> Callable[[str], Session]:
    """Return a session for somebody with this role in the team that has the document."""
    team = db.teams.add("디자인")
    folder = db.folders.add("Briefs", team=team.id)
    db.documents.move(db.documents.create("Brief", "words").document, folder.id)

    def make(role: str) -> Session:
        user = db.users.add(f"{role}@example.com", role)
        if role != "stranger":
            db.teams.set_member(team.id, user.id, role)
        session = Session(
            StoreHost(lambda: db, auto_embed=False), caller="owner", exposure=expose("publishing")
        )
        session.caller = user.id
        return session

    return make


@pytest.mark.parametrize(
    ("role", "publishes", "looks"),
    [
        ("admin", True, True),
        ("editor", "not_allowed", True),
        ("commenter", "not_allowed", True),
        ("viewer", "not_allowed", True),
        ("stranger", "not_found", "not_found"),
    ],
)
def test_roles_decide_who_publishes(
    role: str, publishes: Any, looks: Any, as_role: Callable[[str], Session], db: strata.Workspace
) -> None:
    session, brief = as_role(role), db.documents.called("Brief")
    for name, expected in (
        ("get_publish_status", looks),
        ("publish_document", publishes),
        ("unpublish_document", publishes),
    ):
        outcome = outcome_of(session, name, {"documentId": brief})
        told = outcome.value.get("code") if outcome.is_error else True
        assert told == expected, (role, name)
