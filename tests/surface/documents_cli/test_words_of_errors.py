"""Errors in a terminal and in Python use words that are understood there, not those of tools."""

import pytest

import strata
from strata.base.errors import StrataError
from strata.documents import Request
from tests.surface.conftest import Run

WIRE = ("oldString", "newString", "originalText", "replacementText", "quotedText", "read_document")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("doc", "edit", "Plan", "--replace", "May", "May"), "text to replace"),
        (("doc", "edit", "Plan", "--replace", "Juni 유월", "x"), "Read the document again"),
        (("suggest", "new", "Plan", "May", "May"), "suggested text"),
    ],
)
def test_the_terminal_names_no_parameter_of_a_tool(
    ok: Run, run: Run, words: tuple[str, ...], said: str
) -> None:
    ok("doc", "new", "Plan", "Ship in May")
    failed = run(*words)
    assert failed.code in (1, 2)
    assert said in failed.err
    assert [name for name in WIRE if name in failed.err] == []


def test_the_sdk_names_its_own_parameters() -> None:
    with strata.open(durability="cache", auto_embed=False) as db:
        made = db.documents.create("Plan", "Ship in May").document
        wrong = 5
        with pytest.raises(StrataError, match=r"^old must be well-formed text") as raised:
            db.documents.edit(made, wrong, "a")  # pyright: ignore[reportArgumentType]
        assert raised.value.details["parameter"] == "old"
        with pytest.raises(StrataError) as several:
            db.review.comment(made, "왜?", quote="없는 말")
        assert several.value.details["parameter"] == "quote"


def test_the_sdk_names_its_own_calls_in_hints() -> None:
    with strata.open(durability="cache", auto_embed=False) as db:
        with pytest.raises(StrataError, match="`next_token`") as token:
            db.documents.find(Request(intent="list", next_token="없다"))
        assert token.value.details["parameter"] == "next_token"
        with pytest.raises(StrataError, match=r'Use the scope `Scope\("document", "doc_…"\)`'):
            db.documents.find(Request(intent="related"))
        with pytest.raises(StrataError, match=r"`db\.serving\.uploads\(\)\.presign\("):
            db.serving.uploads().finalize("user_1", "upload_없다", db.documents)
        with pytest.raises(StrataError, match=r"Give `document` to replace its text"):
            db.serving.uploads().presign("user_1", length=9)
