"""Titles on one line, and secrets that are masked wherever a text leaves a trace."""

import pytest

from strata import Workspace
from strata.base.errors import Conflict, InvalidArgument
from strata.documents import Documents

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.mark.parametrize("code", ["\x1b", "\r", "\t", "\x7f", "\x85", "\u2028", "\u2029", "\0"])
def test_a_title_has_no_control_codes(db: Workspace, code: str) -> None:
    with pytest.raises(InvalidArgument):
        db.documents.create(f"가{code}나")
    made = db.documents.create("가 👨‍👩‍👧 나").document
    with pytest.raises(InvalidArgument):
        db.documents.rename(made, f"가{code}나")


def test_a_secret_in_frontmatter_is_masked_like_any_other(db: Workspace) -> None:
    db.settings.set("secrets", "mask")
    made = db.documents.create("Plan", f"---\nkey: {SECRET}\ntags: [가]\n---\n{SECRET}\n")
    found = db.documents.get(made.document)
    assert SECRET not in db.documents.text(made.document)
    assert found.frontmatter["tags"] == ["가"]
    assert "masked" in str(found.frontmatter["key"])


def test_a_secret_in_a_suggestion_is_masked(db: Workspace) -> None:
    db.settings.set("secrets", "mask")
    made = db.documents.create("Plan", "여기")
    _suggesting(db).edit(made.document, "여기", f"key {SECRET}")
    (kept,) = db.documents.suggestions(made.document)
    assert SECRET not in kept.replacement
    assert kept.replacement.startswith("key ")


def _suggesting(db: Workspace) -> Documents:
    grant = db.tokens.create("제안", suggest_only=True).token.grant
    return db.serving.as_granted(grant).documents


def test_a_title_means_what_is_not_in_the_trash(db: Workspace) -> None:
    old = db.documents.create("계획").document
    db.documents.trash(old)
    assert db.documents.called("계획") == old
    new = db.documents.create("계획").document
    assert db.documents.called("계획") == new
    db.documents.trash(new)
    with pytest.raises(Conflict):
        db.documents.called("계획")


def test_a_request_that_changed_nothing_counts_too(db: Workspace) -> None:
    made = db.documents.create("Plan", "하나")
    once = db.documents.with_request("k")
    assert once.write(made.document, "하나").status == "unchanged"
    db.documents.write(made.document, "둘")
    again = once.write(made.document, "하나")
    assert (again.status, again.repeated) == ("unchanged", True)
    assert db.documents.text(made.document) == "둘"
