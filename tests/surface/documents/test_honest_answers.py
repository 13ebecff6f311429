"""Answers about documents that say what was done, and what was not."""

import pytest

import strata
from strata.tools import Session, StoreHost, expose
from tests.surface.calling import Call
from tests.surface.documents.conftest import Make


@pytest.fixture
def session(db: strata.Workspace) -> Session:
    return Session(StoreHost(lambda: db, auto_embed=False), caller="owner", exposure=expose("all"))


def template(db: strata.Workspace, call: Call, front: str) -> str:
    folder = db.folders.add("Templates", templates=True).id
    content = f"---\nvariables:{front}\n---\n# {{{{project}}}}\n"
    return call("edit_document", action="create", title="틀", content=content, folderId=folder)[
        "documentId"
    ]


def test_a_variable_of_a_template_may_be_declared_by_its_key(
    db: strata.Workspace, call: Call, fail: Call
) -> None:
    made = template(db, call, "\n  - key: project\n    required: true")
    given = {"action": "createFromTemplate", "templateDocumentId": made, "title": "Kickoff"}
    assert fail("edit_document", **given)["missing"] == ["project"]
    done = call("edit_document", **given, variables={"project": "한강"})
    assert db.documents.text(done["documentId"]) == "# 한강\n"


@pytest.mark.parametrize("front", ["\n  - description: 이름 없는 것", " project"])
def test_a_variable_without_a_name_is_refused(
    db: strata.Workspace, call: Call, fail: Call, front: str
) -> None:
    made = template(db, call, front)
    error = fail(
        "edit_document", action="createFromTemplate", templateDocumentId=made, title="Kickoff"
    )
    assert (error["code"], error["parameter"]) == ("invalid_input", "templateDocumentId")
    assert "name" in error["hint"]


def test_an_edit_of_a_document_in_the_trash_says_so(
    db: strata.Workspace, call: Call, make: Make
) -> None:
    made = make("하나")
    assert "trashed" not in call(
        "edit_document", action="edit", documentId=made, oldString="하나", newString="둘"
    )
    db.documents.trash(made)
    done = call("edit_document", action="edit", documentId=made, oldString="둘", newString="셋")
    assert done["trashed"]
    assert "trash" in done["hint"]
    noted = call("manage_comments", action="create", documentId=made, body="왜?")
    assert "trash" in noted["hint"]
    asked = call(
        "manage_suggestions",
        action="propose",
        documentId=made,
        originalText="셋",
        replacementText="넷",
    )
    assert "trash" in asked["hint"]


def test_publishing_from_the_trash_names_a_command_that_exists(
    db: strata.Workspace, fail: Call, make: Make
) -> None:
    made = make("하나")
    db.documents.trash(made)
    assert "`strata doc trash DOCUMENT --undo`" in fail("publish_document", documentId=made)["hint"]


def test_suggestions_are_shown_for_the_sections_that_are_read(call: Call, make: Make) -> None:
    made = make("# 하나\n\nalpha\n\n# 둘\n\nbeta\n")
    for words in ("alpha", "beta"):
        call(
            "manage_suggestions",
            action="propose",
            documentId=made,
            originalText=words,
            replacementText="x",
        )
    read = call("read_document", documentId=made, sections=["둘"], includeSuggestions=True)
    assert [one["originalText"] for one in read["suggestions"]] == ["beta"]


def test_one_document_is_not_several(db: strata.Workspace, call: Call, make: Make) -> None:
    make("하나")
    found = call("find", intent="list", filters={"owner": db.users.add("ann@example.com").id})
    assert any("there would be 1 document to" in hint for hint in found["hints"])


def test_an_edit_that_is_made_again_withdraws_its_suggestion(call: Call, make: Make) -> None:
    made = make("Ship in May.\n\n다른 문장.\n")
    version = call("read_document", documentId=made)["version"]
    edit = {"action": "edit", "documentId": made}
    call("edit_document", **edit, oldString="May", newString="June")
    late = call("edit_document", **edit, oldString="May", newString="칠월", baseVersion=version)
    assert late["status"] == "suggested"
    other = call("edit_document", **edit, oldString="다른", newString="새")
    assert "withdrawn" not in other
    again = call("edit_document", **edit, oldString="June", newString="칠월")
    assert again["withdrawn"] == [late["suggestionId"]]
    assert "withdrawn" in again["hint"]
    assert call("manage_suggestions", action="list", documentId=made)["suggestions"] == []


def test_a_key_that_names_nothing_unpins_nothing_and_false_does(call: Call, make: Make) -> None:
    made = make("하나")
    assert call("publish_document", documentId=made, pinToProfile=True)["pinned"]
    assert call("publish_document", documentId=made)["pinned"]
    assert not call("publish_document", documentId=made, pinToProfile=False)["pinned"]
