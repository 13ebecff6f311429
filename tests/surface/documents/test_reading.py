"""read_document and app_get_section_content: texts as they stand, outlines, sections, budgets."""

from typing import Any

import pytest

import strata
from tests.surface.calling import outcome_of
from tests.surface.documents.conftest import Call, Make

LONG = "".join(
    f"# 장 {chapter} 📚\n\nIntro {chapter}.\n\n"
    + "".join(f"## 절 {part}\n\n{'말 ' * 300}\n\n" for part in range(4))
    for chapter in range(6)
)


def follow(call: Call, next_call: dict[str, Any]) -> dict[str, Any]:
    """Make the call that an answer names."""
    return call(next_call["tool"], **next_call["arguments"])


def test_a_short_document_comes_as_it_stands(call: Call, make: Make) -> None:
    text = "---\nstatus: 초안\n---\nA  \r\n\ttab\u00a0\u200d 👩🏽‍🚀\n\n```\n# no heading\n```\n"
    read = call("read_document", documentId=make(text, title="그대로"))
    assert read["content"] == text
    assert (read["title"], read["role"], read["audience"]) == ("그대로", "owner", "personal")
    assert read["tokens"] == -(-len(text.encode()) // 4)
    assert "outline" not in read
    assert "truncated" not in read


def test_a_long_document_comes_as_an_outline_that_tells_how_to_read_it(
    call: Call, make: Make
) -> None:
    made = make(LONG)
    read = call("read_document", documentId=made, maxTokens=3_000)
    assert read["truncated"] is True
    assert "content" not in read
    paths = [part["path"] for part in read["outline"]]
    assert paths[:3] == ["장 0 📚", "장 0 📚 > 절 0", "장 0 📚 > 절 1"]
    assert len(paths) == 30
    chapters = [part["tokens"] for part in read["outline"] if ">" not in part["path"]]
    assert 0 <= sum(chapters) - read["tokens"] < len(chapters), "each is rounded up"
    first = follow(call, read["read"])
    assert first["content"].startswith("# 장 0 📚\n")
    assert first["content"] in LONG
    assert first["tokens"] == read["outline"][0]["tokens"] <= 3_000
    section = call(
        "app_get_section_content", documentId=made, chunkId=read["outline"][2]["chunkId"]
    )
    assert section["headingPath"] == ["장 0 📚", "절 1"]
    assert section["content"] in LONG


def test_no_tokens_always_give_the_outline(call: Call, make: Make) -> None:
    read = call("read_document", documentId=make("---\ntag: 하나\n---\n# A\n\nx\n"), maxTokens=0)
    assert [part["path"] for part in read["outline"]] == ["A"]
    assert read["frontmatter"] == {"tag": "하나"}
    assert "truncated" not in read
    empty = call("read_document", documentId=make(""), maxTokens=0)
    assert empty["outline"] == []


def test_the_default_budget_is_ten_thousand_tokens(call: Call, make: Make) -> None:
    assert "content" in call("read_document", documentId=make("a" * 40_000))
    assert "outline" in call("read_document", documentId=make("a" * 40_001))
    whole = call("read_document", documentId=make("a" * 40_001), maxTokens=10_001)
    assert len(whole["content"]) == 40_001


@pytest.mark.parametrize(
    "path", ["장 1 📚 > 절 2", "# 장 1 📚 > ## 절 2", "장 1 📚>절 2", " 장 1 📚  >  절 2 "]
)
def test_a_section_is_named_with_or_without_marks(call: Call, make: Make, path: str) -> None:
    read = call("read_document", documentId=make(LONG), sections=[path])
    assert read["sections"] == ["장 1 📚 > 절 2"]
    assert read["content"] == f"## 절 2\n\n{'말 ' * 300}\n\n"


def test_a_path_brings_everything_below_it_and_case_does_not_count(call: Call, make: Make) -> None:
    made = make("# Übersicht\n\na\n\n## Ziele\n\nb\n\n### Tief\n\nc\n\n# Ende\n\nd\n")
    read = call("read_document", documentId=made, sections=["ÜBERSICHT > ziele", "ende"])
    assert read["content"] == "## Ziele\n\nb\n\n### Tief\n\nc\n\n# Ende\n\nd\n"
    whole = call("read_document", documentId=made, sections="übersicht")
    assert whole["sections"] == ["Übersicht", "Übersicht > Ziele", "Übersicht > Ziele > Tief"]
    twice = call("read_document", documentId=made, sections=["Ende", "übersicht > ziele > tief"])
    assert twice["content"] == "### Tief\n\nc\n\n# Ende\n\nd\n"


def test_an_unknown_path_is_answered_with_the_nearest(fail: Call, make: Make) -> None:
    made = make("# Architecture\n\n## Database Layer\n\nx\n\n# 부록\n")
    error = fail("read_document", documentId=made, sections=["Architecture > Databse"])
    assert (error["code"], error["parameter"]) == ("not_found", "sections")
    assert error["nearest"][0] == "Architecture > Database Layer"
    assert "Architecture > Database Layer" in error["hint"]
    bare = fail("read_document", documentId=make("no headings"), sections=["x"])
    assert "no headings" in bare["hint"]


def test_sections_that_are_too_long_come_as_their_own_outline(call: Call, make: Make) -> None:
    made = make(LONG)
    read = call("read_document", documentId=made, sections=["장 3 📚"], maxTokens=500)
    assert read["truncated"] is True
    assert [part["path"] for part in read["outline"]] == [
        "장 3 📚",
        *(f"장 3 📚 > 절 {part}" for part in range(4)),
    ]
    assert follow(call, read["read"])["content"].startswith("## 절 0")


def test_a_section_without_parts_is_read_piece_by_piece(call: Call, make: Make) -> None:
    text = "# 하나\n\n" + "".join(f"문단 {n}. {'긴 말 ' * 60}\n\n" for n in range(100))
    made = make(text)
    read = call("read_document", documentId=made, sections=["하나"], maxTokens=100)
    assert read["outline"][0]["chunks"] > 5
    assert read["read"]["tool"] == "app_get_section_content"
    piece, words, seen = follow(call, read["read"]), "", 0
    while True:
        words, seen = words + piece["content"], seen + 1
        assert (piece["part"], piece["parts"]) == (seen, read["outline"][0]["chunks"])
        if "nextChunkId" not in piece:
            break
        piece = call("app_get_section_content", documentId=made, chunkId=piece["nextChunkId"])
    assert words == text
    assert seen == read["outline"][0]["chunks"]


def test_an_outline_leaves_out_the_depths_before_it_grows_too_long(call: Call, make: Make) -> None:
    parts = "".join(f"## 절 {number}\n\nx\n\n" for number in range(20))
    made = make("".join(f"# 장 {number}\n\n{parts}" for number in range(40)))
    read = call("read_document", documentId=made, maxTokens=2_000)
    assert [part["path"] for part in read["outline"]] == [f"장 {n}" for n in range(40)]
    assert {part["below"] for part in read["outline"]} == {20}
    assert "below" in read["hint"]
    deeper = call("read_document", documentId=made, sections=["장 7"], maxTokens=0)
    assert len(deeper["outline"]) == 21


def test_an_endless_outline_can_be_read_on(call: Call, make: Make) -> None:
    made = make("".join(f"# Entry number {n} 🧾\n\n{n}\n\n" for n in range(900)))
    read = call("read_document", documentId=made, maxTokens=1_000)
    paths = [part["path"] for part in read["outline"]]
    while "next" in read:
        read = follow(call, read["next"])
        paths += [part["path"] for part in read["outline"]]
    assert paths == [f"Entry number {n} 🧾" for n in range(900)]


def test_the_text_before_the_first_heading_is_a_part_without_a_name(call: Call, make: Make) -> None:
    made = make("Preface 서문\n\n# A\n\nx\n")
    read = call("read_document", documentId=made, maxTokens=0)
    assert [part["path"] for part in read["outline"]] == ["", "A"]
    assert call("read_document", documentId=made, sections=[""])["content"] == "Preface 서문\n\n"


def test_a_piece_keeps_its_id_while_others_change(call: Call, make: Make) -> None:
    made = make("# 하나\n\na\n\n# 둘\n\nb\n")
    before = call("read_document", documentId=made, maxTokens=0)["outline"]
    call("edit_document", action="edit", documentId=made, oldString="a\n", newString="🍀 새 말\n")
    section = call("app_get_section_content", documentId=made, chunkId=before[1]["chunkId"])
    assert section["content"] == "# 둘\n\nb\n"


def test_a_piece_that_is_not_there_is_named(fail: Call, make: Make) -> None:
    error = fail("app_get_section_content", documentId=make("x"), chunkId="chunk_없다")
    assert (error["code"], error["parameter"]) == ("not_found", "chunkId")
    assert "maxTokens 0" in error["hint"]


def test_suggestions_are_a_list_beside_the_text(
    call: Call, make: Make, db: strata.Workspace
) -> None:
    made = make("Ship ```in``` May.\n")
    version = call("read_document", documentId=made)["version"]
    edit = {"action": "edit", "documentId": made, "oldString": "```in```", "baseVersion": version}
    call("edit_document", **edit, newString="by")
    late = call("edit_document", **edit, newString="````before````")
    read = call("read_document", documentId=made, includeSuggestions=True)
    assert read["content"] == db.documents.text(made)
    (found,) = read["suggestions"]
    assert found["suggestionId"] == late["suggestionId"]
    assert found["replacementText"] == "````before````"
    outline = call("read_document", documentId=made, includeSuggestions=True, maxTokens=0)
    assert outline["suggestions"] == [found]


def test_comments_are_asked_for_in_two_formats(call: Call, fail: Call, make: Make) -> None:
    made = make("x")
    asked = {"documentId": made, "includeComments": True}
    assert call("read_document", **asked)["content"] == "x"
    structured = call("read_document", **asked, commentFormat="structured")
    assert (structured["content"], structured["comments"]) == ("x", [])
    assert fail("read_document", **asked, commentFormat="html")["parameter"] == "commentFormat"


def test_an_image_stands_in_the_text_as_it_was_written_and_can_be_looked_at(
    call: Call, fail: Call, make: Make, db: strata.Workspace, session: Any
) -> None:
    made = make("# 그림\n\n")
    image = db.documents.attach_image(made, _png(40, 20), name="로고 [1].png")
    text = f"# 그림\n\n{image.markdown}\n"
    call("edit_document", action="write", documentId=made, newContent=text)
    read = call("read_document", documentId=made)
    assert read["content"] == text
    assert [one["imageId"] for one in read["images"]] == [image.id]
    asked = {"documentId": made, "imageId": image.id}
    outcome = outcome_of(session, "get_image", asked | {"imageId": f"image:{image.id}"})
    assert outcome.png is not None
    assert outcome.png.startswith(b"\x89PNG")
    assert (outcome.value["width"], outcome.value["height"]) == (40, 20)
    small = outcome_of(session, "get_image", asked | {"maxWidth": 10})
    assert (small.value["width"], small.value["height"]) == (10, 5)
    other = make("x")
    assert fail("get_image", documentId=other, imageId=image.id)["code"] == "not_found"
    assert fail("get_image", **asked, maxWidth=0)["parameter"] == "maxWidth"


def test_a_drawing_is_shown_as_the_text_that_it_is(
    call: Call, make: Make, db: strata.Workspace
) -> None:
    drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><title>점</title></svg>'
    made = make("x")
    image = db.documents.attach_image(made, drawing.encode(), name="점.svg")
    assert call("get_image", documentId=made, imageId=image.id)["svg"] == drawing


def _png(width: int, height: int) -> bytes:
    from io import BytesIO

    from PIL import Image

    out = BytesIO()
    Image.new("RGB", (width, height), (200, 30, 60)).save(out, "PNG")
    return out.getvalue()
