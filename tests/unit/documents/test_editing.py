"""Editing documents: which words are meant, what errors teach, what comes too late."""

from typing import Any

import pytest

import strata
from strata import Workspace
from strata.base import limits
from strata.base.errors import Conflict, InvalidArgument, LimitExceeded, NotFound
from strata.documents import WriteResult

TEXT = """# 계획 🚀

Deadline is March 15.

## Owner

Ann leads. Deadline is firm.

## 메모

عنوان and e\u0301clair 👩\u200d👩\u200d👧
"""


@pytest.fixture
def made(db: Workspace) -> WriteResult:
    return db.documents.create("Plan", TEXT)


def test_an_edit_replaces_the_words_it_names(db: Workspace, made: WriteResult) -> None:
    written = db.documents.edit(made.document, "March 15", "4월 1일")
    assert (written.status, written.matches) == ("applied", 1)
    assert db.documents.text(made.document) == TEXT.replace("March 15", "4월 1일")
    assert db.documents.get(made.document).version == written.version


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("🚀", "🛰️"),
        ("e\u0301clair", "éclair"),
        ("👩\u200d👩\u200d👧", "가족"),
        ("عنوان", "כותרת"),
        ("# 계획 🚀\n\nDeadline", "# 계획\r\n\r\nDeadline"),
        ("메모", ""),
    ],
)
def test_any_script_can_be_edited(db: Workspace, made: WriteResult, old: str, new: str) -> None:
    db.documents.edit(made.document, old, new)
    assert db.documents.text(made.document) == TEXT.replace(old, new)


def test_words_that_occur_twice_are_refused_with_their_places(
    db: Workspace, made: WriteResult
) -> None:
    with pytest.raises(Conflict, match="occurs 2 times") as caught:
        db.documents.edit(made.document, "Deadline is", "Due:")
    places: Any = caught.value.details["places"]
    assert [(one["line"], one["section"]) for one in places] == [
        (3, "계획 🚀"),
        (7, "계획 🚀 > Owner"),
    ]
    assert db.documents.text(made.document) == TEXT


def test_every_match_is_replaced_when_asked(db: Workspace, made: WriteResult) -> None:
    assert db.documents.edit(made.document, "Deadline is", "Due", replace_all=True).matches == 2
    assert db.documents.text(made.document) == TEXT.replace("Deadline is", "Due")


def test_words_that_are_not_there_are_refused_with_the_nearest(
    db: Workspace, made: WriteResult
) -> None:
    with pytest.raises(NotFound, match="nearest text") as caught:
        db.documents.edit(made.document, "Deadline is March 51", "x")
    assert caught.value.details["nearest"] == "Deadline is March 15."


def test_another_unicode_form_is_named_as_the_reason(db: Workspace, made: WriteResult) -> None:
    with pytest.raises(NotFound, match="another Unicode form"):
        db.documents.edit(made.document, "عنوان and éclair 👩\u200d👩\u200d👧", "x")


def test_other_blanks_are_named_as_the_reason(db: Workspace, made: WriteResult) -> None:
    with pytest.raises(NotFound, match="other blanks"):
        db.documents.edit(made.document, "Ann  leads. Deadline is\tfirm.", "x")


def test_nothing_like_it_says_to_read_again(db: Workspace, made: WriteResult) -> None:
    with pytest.raises(NotFound) as caught:
        db.documents.edit(made.document, "완전히 다른 문장", "x")
    assert "Read the document again" in str(caught.value.hint)


@pytest.mark.parametrize(("old", "new"), [("", "x"), ("Ann", "Ann")])
def test_an_edit_that_says_nothing_is_refused(
    db: Workspace, made: WriteResult, old: str, new: str
) -> None:
    with pytest.raises(InvalidArgument):
        db.documents.edit(made.document, old, new)


def test_an_edit_finds_its_words_in_the_version_that_was_read(
    db: Workspace, made: WriteResult
) -> None:
    documents = db.documents
    documents.edit(
        made.document, "# 계획 🚀\n", "머리말 😀\n\n# 계획 🚀\n\nDeadline is March 15. (copy)\n"
    )
    written = documents.edit(
        made.document, "Deadline is March 15.", "Deadline is May 1.", base_version=made.version
    )
    assert written.status == "applied"
    text = documents.text(made.document)
    assert "Deadline is March 15. (copy)" in text
    assert "Deadline is May 1.\n" in text


def test_an_edit_of_words_that_somebody_changed_waits_as_a_suggestion(
    db: Workspace, made: WriteResult
) -> None:
    documents = db.documents
    documents.edit(made.document, "Ann leads", "Bob leads")
    written = documents.edit(
        made.document, "Ann leads", "Ann and Cy lead", base_version=made.version
    )
    assert written.status == "suggested"
    (filed,) = written.filed
    assert "Bob leads" in filed.around
    (kept,) = documents.suggestions(made.document)
    assert (kept.id, kept.original, kept.replacement, kept.reason) == (
        written.suggestion,
        "Bob leads.",
        "Ann and Cy lead.",
        "stale",
    )
    assert "Bob leads" in documents.text(made.document)


def test_a_write_from_an_old_version_keeps_what_others_wrote(
    db: Workspace, made: WriteResult
) -> None:
    documents = db.documents
    documents.edit(made.document, "March 15", "March 20")
    written = documents.write(
        made.document, TEXT.replace("Ann leads", "민지 leads"), base_version=made.version
    )
    assert written.status == "applied"
    assert documents.text(made.document) == TEXT.replace("March 15", "March 20").replace(
        "Ann leads", "민지 leads"
    )


def test_a_write_over_the_same_words_is_suggested_there(db: Workspace, made: WriteResult) -> None:
    documents = db.documents
    documents.edit(made.document, "March 15", "March 20")
    content = TEXT.replace("March 15", "April 1")
    written = documents.write(made.document, content, base_version=made.version)
    assert written.status == "suggested"
    assert "March 20" in documents.text(made.document)
    assert "April 1" in documents.suggestions(made.document)[0].replacement


def test_writing_the_same_text_changes_nothing(db: Workspace, made: WriteResult) -> None:
    before = len(db.log())
    written = db.documents.write(made.document, TEXT)
    assert (written.status, written.version) == ("unchanged", made.version)
    assert len(db.log()) == before


def test_an_unknown_base_version_is_refused(db: Workspace, made: WriteResult) -> None:
    with pytest.raises(NotFound, match="has no version"):
        db.documents.edit(made.document, "Ann", "x", base_version=made.version + 1000)


def test_a_document_too_large_is_refused_and_nothing_is_made(db: Workspace) -> None:
    with pytest.raises(LimitExceeded, match="10,485,760"):
        db.documents.create("Big", "x" * (10 * 1024 * 1024 + 1))
    assert db.log() == []


def test_an_edit_that_grows_a_document_too_large_leaves_it_as_it_was(
    db: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "DOCUMENT_BYTES_MAX", 100_000)
    made = db.documents.create("Big", "x" * 99_999 + "!")
    with pytest.raises(LimitExceeded):
        db.documents.edit(made.document, "!", "!!!")
    assert db.documents.edit(made.document, "!", "?").status == "applied"
    assert db.documents.text(made.document)[-2:] == "x?"


@pytest.mark.parametrize("title", ["", "  ", "two\nlines", "x" * 401, "\ud800"])
def test_what_cannot_be_a_title_is_refused(db: Workspace, title: str) -> None:
    with pytest.raises(InvalidArgument):
        db.documents.create(title)


def test_a_request_with_a_key_counts_once(db: Workspace, made: WriteResult) -> None:
    documents = db.documents.with_request("요청-1")
    first = documents.edit(made.document, "Ann", "Ann Ann")
    again = documents.edit(made.document, "Ann", "Ann Ann")
    assert (again.version, again.repeated) == (first.version, True)
    assert db.documents.text(made.document).count("Ann") == 2
    with pytest.raises(Conflict, match="another request"):
        documents.write(made.document, "x")


def test_a_secret_in_a_document_is_refused_and_nothing_is_written(
    db: Workspace, made: WriteResult
) -> None:
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    with pytest.raises(strata.SecretRefused):
        db.documents.edit(made.document, "Ann leads", f"token {key}")
    assert db.documents.text(made.document) == TEXT
    masked = strata.open(durability="cache", auto_embed=False, secrets="mask")
    other = masked.documents.create("Notes", f"token {key}")
    assert key not in masked.documents.text(other.document)


def test_templates_are_filled_in(db: Workspace) -> None:
    home = db.folders.add("틀", templates=True)
    text = (
        "---\nname: Kickoff\ndescription: First meeting\nvariables:\n  - name: project\n"
        "  - {name: day, default: 월요일}\ntags: [meeting]\n---\n"
        "# {{project}}\n\n{{ day }} {{left}}\n"
    )
    made = db.documents.create("Kickoff", text, folder=home.id)
    new = db.documents.create_from_template(made.document, "새 일", variables={"project": "한강"})
    assert (
        db.documents.text(new.document) == "---\ntags: [meeting]\n---\n# 한강\n\n월요일 {{left}}\n"
    )


@pytest.mark.parametrize(
    ("variables", "words"),
    [({}, "missing: project"), ({"project": "x", "who": "y"}, "unknown: who")],
)
def test_variables_that_do_not_fit_are_named(
    db: Workspace, variables: dict[str, object], words: str
) -> None:
    home = db.folders.add("Templates", templates=True)
    made = db.documents.create("T", "---\nvariables: [project]\n---\n{{project}}", folder=home.id)
    before = len(db.log())
    with pytest.raises(InvalidArgument, match=words):
        db.documents.create_from_template(made.document, "New", variables=variables)
    assert len(db.log()) == before


def test_a_document_outside_templates_folders_is_no_template(
    db: Workspace, made: WriteResult
) -> None:
    with pytest.raises(InvalidArgument, match="no template"):
        db.documents.create_from_template(made.document, "New")


@pytest.mark.slow
def test_a_hundred_thousand_matches_are_replaced_as_fewer_changes(db: Workspace) -> None:
    text = "가 낱말 b\n" * 100_000
    made = db.documents.create("Many", text)
    written = db.documents.edit(made.document, "낱말", "😀", replace_all=True)
    assert written.matches == 100_000
    assert db.documents.text(made.document) == text.replace("낱말", "😀")
