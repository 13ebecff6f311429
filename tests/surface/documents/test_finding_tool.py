"""find and get_document_graph as tools: what is asked, what comes back, how to ask again."""

from typing import Any

import pytest

from tests.surface.documents.conftest import Call, Make


def titles(found: dict[str, Any]) -> list[str]:
    return [one["title"] for one in found["items"]]


def test_items_have_the_same_members_for_every_intent(call: Call, make: Make) -> None:
    made = make("# 배포 🚀\n\n금요일에는 배포하지 않는다.\n", title="배포 규칙")
    make("See [[배포 규칙]].\n", title="안내")
    for intent, more in (
        ("search", {"query": "금요일 배포"}),
        ("list", {}),
        ("recent", {}),
        ("related", {"scope": {"type": "document", "id": made}}),
    ):
        for one in call("find", intent=intent, **more)["items"]:
            assert {"id", "type", "title", "source", "role", "updated"} <= one.keys()
            assert not {"documentId", "owner", "folderId", "created", "version"} & one.keys()
            assert one["updated"].endswith("Z")
    (best, *_rest) = call("find", intent="search", query="금요일 배포")["items"]
    assert (best["id"], best["headingPath"]) == (made, ["배포 🚀"])
    assert "금요일" in best["snippet"]
    section = call("app_get_section_content", documentId=best["id"], chunkId=best["chunkId"])
    assert section["headingPath"] == best["headingPath"]
    info = call("find", intent="info", scope={"type": "document", "id": made})["info"]
    assert (info["item"]["title"], info["linksIn"], info["sections"]) == ("배포 규칙", 1, 1)


def test_a_snippet_that_holds_the_whole_text_says_so(call: Call, make: Make) -> None:
    make("금요일에는 배포하지 않는다.\n", title="짧다")
    make("# 규칙\n\n금요일에는 배포하지 않는다.\n\n## 예외\n\n" + "길다 " * 300, title="길다")
    found = {
        one["title"]: one for one in call("find", intent="search", query="금요일 배포")["items"]
    }
    assert found["짧다"]["complete"] is True
    assert "complete" not in found["길다"]


def test_pages_follow_each_other_by_their_token(call: Call, fail: Call, make: Make) -> None:
    for number in range(7):
        make(f"{number}", title=f"글 {number}")
    seen: list[str] = []
    page: dict[str, Any] = {}
    while not page or "nextToken" in page:
        more = {"nextToken": page["nextToken"]} if page else {}
        page = call("find", intent="list", limit=3, **more)
        seen += titles(page)
    assert sorted(seen) == [f"글 {number}" for number in range(7)]
    assert fail("find", intent="list", nextToken="x")["parameter"] == "nextToken"


def test_scope_and_filters_may_come_as_text_and_in_either_case(call: Call, make: Make) -> None:
    make("x", title="하나")
    found = call(
        "find",
        intent="LIST",
        scope='{"type": "all"}',
        filters={"include_shared": False},
        LIMIT="50",
    )
    assert titles(found) == ["하나"]
    inside = call("find", intent="search", query="x", filters={"tokenBudget": 20, "owner": "me"})
    assert titles(inside) == ["하나"]


def test_list_and_recent_keep_titles_that_have_the_words_of_a_query(call: Call, make: Make) -> None:
    make("x", title="팀 핸드북 2026")
    make("handbook", title="Notes")
    for intent in ("list", "recent"):
        assert titles(call("find", intent=intent, query="핸드북")) == ["팀 핸드북 2026"]
    nothing = call("find", intent="list", query="handbook")
    assert nothing["items"] == []
    assert "titles" in nothing["hints"][0]
    folders = call("find", intent="list", scope={"type": "folders"}, query="nobody")
    assert folders["items"] == []


@pytest.mark.parametrize(
    ("given", "parameter"),
    [
        ({"intent": "info", "query": "x"}, "query"),
        ({"intent": "list", "tokenBudget": 5}, "tokenBudget"),
        ({"intent": "list", "filters": {"sinceDays": 3}}, "sinceDays"),
        ({"intent": "search", "query": "x", "filters": {"direction": "in"}}, "direction"),
        ({"intent": "list", "scope": {"type": "spaces"}, "filters": {"owner": "me"}}, "owner"),
        ({"intent": "list", "scope": {"type": "all", "id": "doc_x"}}, "scope"),
        ({}, "intent"),
        ({"intent": "searching"}, "intent"),
        ({"intent": "search"}, "query"),
        ({"intent": "list", "scope": "all"}, "scope"),
        ({"intent": "list", "scope": {}}, "scope"),
        ({"intent": "list", "scope": {"type": "galaxy"}}, "scope"),
        ({"intent": "related"}, "scope"),
        ({"intent": "list", "scope": {"type": "folder"}}, "scope.id"),
        ({"intent": "list", "limit": 51}, "limit"),
        ({"intent": "list", "filters": {"state": "draft"}}, "state"),
        ({"intent": "list", "filters": {"status": "gone"}}, "filters"),
    ],
)
def test_a_wrong_question_names_the_parameter_and_shows_a_right_one(
    fail: Call, given: dict[str, Any], parameter: str
) -> None:
    error = fail("find", **given)
    assert (error["code"], error["parameter"]) == ("invalid_input", parameter)
    assert error["example"]["arguments"]["scope"] == {"type": "all"}


def test_places_that_are_not_there_are_answered_with_how_to_list_them(fail: Call) -> None:
    for kind in ("folder", "space"):
        error = fail("find", intent="list", scope={"type": kind, "id": f"{kind}_x"})
        assert error["code"] == "not_found"
        assert f'"type":"{kind}s"' in error["hint"]


def test_nothing_found_says_how_to_find_more(call: Call) -> None:
    assert call("find", intent="search", query="없는 말")["hints"]


def test_a_graph_has_nodes_and_edges_and_its_bounds(call: Call, fail: Call, make: Make) -> None:
    first = make("See [[둘]].\n", title="하나")
    second = make("See [[셋]].\n", title="둘")
    third = make("끝\n", title="셋")
    whole = call("get_document_graph", documentId=first)
    links = {(edge["source"], edge["target"], edge["type"]) for edge in whole["edges"]}
    assert links >= {(first, second, "wiki"), (second, third, "wiki")}
    assert {node["id"]: node["depth"] for node in whole["nodes"]}[second] == 1
    few = call("get_document_graph", documentId=first, maxNodes=1)
    assert (len(few["nodes"]), few["truncated"]) == (1, True)
    for wrong in ({"depth": 6}, {"depth": 0}, {"maxNodes": 201}):
        error = fail("get_document_graph", documentId=first, **wrong)
        assert error["parameter"] == next(iter(wrong))


def test_the_past_and_a_branch_can_be_searched(call: Call, make: Make) -> None:
    made = make("first 처음\n", title="하나")
    version = call("read_document", documentId=made)["version"]
    make("second 나중\n", title="둘")
    assert titles(call("find", intent="list", asOf=version)) == ["하나"]
    assert sorted(titles(call("find", intent="list"))) == ["둘", "하나"]


def test_errors_and_hints_use_the_words_of_the_tool(call: Call, fail: Call) -> None:
    token = fail("find", intent="list", nextToken="없다")
    assert token["message"] == "The nextToken is none that this workspace gave out."
    assert fail("find", intent="list", scope={"type": "folder"})["hint"] == (
        'Use {"type": "folder", "id": "…"}, or {"type": "all"}.'
    )
    assert fail("find", intent="related")["hint"] == (
        'Use the scope {"type": "document", "id": "doc_…"}.'
    )
    budget = fail("find", intent="search", query="한강", tokenBudget=10**6)
    assert budget["message"].startswith("tokenBudget may be ")
    days = fail("find", intent="recent", filters={"sinceDays": 0})
    assert (days["parameter"], days["message"].split()[0]) == ("sinceDays", "sinceDays")
    times = fail("find", intent="list", filters={"createdAfter": "언젠가"})
    assert times["parameter"] == "createdAfter"
    call("edit_document", action="create", title="계획", content="한강")
    hints = call("find", intent="list", filters={"updatedBefore": "2001-01-01"})["hints"]
    assert hints == [
        "filters.updatedBefore leaves nothing; without it there would be 1 document to choose from."
    ]
    inside = call("edit_document", action="create", title="빈 것", content="")["documentId"]
    scope = {"type": "document", "id": inside}
    found = call("find", intent="search", query="한강", scope=scope)
    assert found["hints"] == [
        'The same query finds a document with the scope {"type": "all"} and no filters.'
    ]


def test_errors_of_uploads_use_the_words_of_the_tool(fail: Call) -> None:
    asked = {"action": "presignUpload", "contentLength": 9}
    assert fail("edit_document", **asked)["hint"] == (
        "Give documentId to replace its text, or title (and folderId) to make one."
    )
    image = fail("edit_document", **asked, contentType="image/png")
    assert image["hint"] == "An image needs documentId."
    large = fail("edit_document", action="presignUpload", contentLength=10**12, title="큰 것")
    assert large["message"].startswith("contentLength may be ")
    unknown = fail("edit_document", action="finalizeUpload", uploadId="upload_없다")
    assert unknown["hint"] == (
        "presignUpload gives ids; what was not finalized is removed after an hour."
    )
