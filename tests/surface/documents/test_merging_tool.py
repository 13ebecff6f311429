"""A merge says which edits of documents it keeps as suggestions: in the preview, and afterwards."""

from typing import Any

import pytest

import strata
from strata.tools import Session, StoreHost, expose
from tests.surface.calling import Call
from tests.surface.conftest import Run


@pytest.fixture
def session(db: strata.Workspace) -> Session:
    return Session(StoreHost(lambda: db, auto_embed=False), caller="owner", exposure=expose("all"))


def fork_in_conflict(db: strata.Workspace) -> str:
    """Let two branches change one word each, and one word both."""
    made = db.documents.create("출시", "# 언제\n\nWe ship in May.\n\n소유자: Ann\n").document
    db.branches.fork("copy")
    db.on("copy").documents.edit(made, "in May", "in June")
    db.on("copy").documents.edit(made, "Ann", "민지")
    db.documents.edit(made, "in May", "in late spring")
    return made


def told(found: dict[str, Any]) -> list[tuple[object, ...]]:
    names = ("document", "title", "line", "section", "current", "suggested")
    return [tuple(one[name] for name in names) for one in found["suggestions"]]


def test_the_merge_tool_lists_the_suggestions_it_will_file_and_has_filed(
    call: Call, db: strata.Workspace
) -> None:
    made = fork_in_conflict(db)
    expected = [(made, "출시", 3, "언제", "late spring.", "June.")]
    preview = call("strata_branch", action="merge", source="copy", preview=True)
    assert told(preview) == expected
    assert db.review.suggestions(made) == []
    done = call("strata_branch", action="merge", source="copy")
    assert told(done) == expected
    (kept,) = db.review.suggestions(made)
    assert done["suggestions"][0]["suggestion"] == kept.suggestion.id
    assert kept.applies


def test_a_merge_that_only_files_suggestions_shows_no_change_of_the_text(
    call: Call, db: strata.Workspace
) -> None:
    made = db.documents.create("출시", "We ship in May.\n").document
    db.branches.fork("copy")
    db.on("copy").documents.edit(made, "May", "June")
    db.documents.edit(made, "May", "유월")
    done = call("strata_branch", action="merge", source="copy")
    assert (done["applied"], done["changes"]) == (0, [])
    assert len(done["suggestions"]) == 1
    assert "hint" not in done


def test_the_command_line_shows_what_waits_and_how_to_accept_it(ok: Run) -> None:
    made = ok("doc", "new", "출시", "# 언제\n\nWe ship in May.\n", "--json").json
    ok("fork", "copy")
    ok("doc", "edit", "출시", "--replace", "in May", "in June", "--branch", "copy")
    ok("doc", "edit", "출시", "--replace", "in May", "in late spring")
    preview = ok("merge", "copy", "--preview").out
    assert "file 1 suggestion" in preview
    for part in ("출시, line 3", "late spring.", "June."):
        assert part in preview
    (filed,) = ok("merge", "copy", "--json").json["filed"]
    ok("suggest", "accept", made["document"], filed["suggestion"])
    assert "We ship in June." in ok("doc", "show", "출시").out


def test_the_branch_to_merge_may_be_called_name_as_elsewhere(
    call: Call, fail: Call, db: strata.Workspace
) -> None:
    db.branches.fork("copy")
    db.on("copy").kv.put("k", "값")
    assert fail("strata_branch", action="merge")["parameter"] == "source"
    assert fail("strata_branch", action="merge", source="copy", name="b")["parameter"] == "source"
    assert call("strata_branch", action="merge", name="copy")["source"] == "copy"
    assert db.kv.get("k") is not None
