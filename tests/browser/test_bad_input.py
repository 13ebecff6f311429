"""What is very large, odd or missing: a clear page each time, never a blank one or a frozen tab."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page, expect

import strata
from tests.browser.people import Server

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

SENTENCES = COMMENTS = DECISIONS = BRANCHES = 5_000
FACTS = 100_000
TITLE_MAX = 400
ODD_KEYS = (
    "두 낱말",
    "a%2Fb",
    "a?b#c&d=e",
    "..",
    "/front",
    "back/",
    "a//b",
    "back\\slash",
    "quote\"'<b>&amp;",
    "우는 얼굴 😢/끝",
    "\u202eright to left",
    "two\nlines",
    "x" * 900,
)
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


class Places(NamedTuple):
    """The documents of the store that are hard to show."""

    large: str
    titled: str
    discussed: str


@pytest.fixture(scope="module")
def places() -> dict[str, str]:
    return {}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory, places: dict[str, str]) -> Iterator[Server]:
    path = tmp_path_factory.mktemp("bad") / "store.db"
    places.update(populate(path)._asdict())
    server = Server(path)
    server.start()
    yield server
    assert server.stop() == 0


def populate(path: Path) -> Places:
    with strata.open(path, auto_embed=False, durability="standard") as db:
        db.users.owner()
        sentences = [f"Sentence {number:04} of many." for number in range(SENTENCES)]
        discussed = db.documents.create("토론", "\n\n".join(sentences)).document
        for number, sentence in enumerate(sentences[:COMMENTS]):
            db.review.comment(discussed, f"Comment {number:04}", quote=sentence)
        large = db.documents.create("큰 글", large_text()).document
        titled = db.documents.create("가나다라" * (TITLE_MAX // 4), "짧은 글").document
        db.facts.remember("huge", {"rows": [{"n": n, "값": "긴 값 " * 8} for n in range(150_000)]})
        db.events.append("deploy", {"n": 1})
        for key in ODD_KEYS:
            db.space("odd").facts.remember(key, f"value of {key}")
        for start in range(0, FACTS, 10_000):
            numbers = range(start, start + 10_000)
            db.kv.put_many({f"many/{number:06}": f"값 {number}" for number in numbers})
        for start in range(0, DECISIONS, 1000):
            with db.transaction() as writing:
                for number in range(start, start + 1000):
                    text = f"Do it in the way {number}"
                    writing.decisions.save(f"topic {number % 2500:04}", text, "Because")
        for number in range(BRANCHES):
            db.branches.fork(f"가지-{number:04}")
        return Places(large, titled, discussed)


def large_text() -> str:
    """Return a text of 5 MB with headings, lists, tables and links."""
    part = "낱말과 **words** 그리고 `code`, [a link](https://example.com) 등등. " * 30
    table = "| a | b |\n|---|---|\n| 1 | 2 |\n"
    return "".join(f"## 장 {n}\n\n{part}\n\n- [ ] one\n- two\n\n{table}\n" for n in range(2300))


def is_sound(page: Page) -> None:
    """Check that nothing is wider than the window, and that the tab still answers."""
    assert page.evaluate(OVERFLOW) == 0
    assert page.evaluate("new Promise(requestAnimationFrame).then(() => 1 + 1)") == 2


def test_a_document_of_5_mb_is_read_and_edited(
    page: Page, store: Server, places: dict[str, str]
) -> None:
    page.goto(f"{store.url}/d/{places['large']}")
    expect(page.locator(".cm-h2").first).to_have_text("장 0")
    page.wait_for_function("() => window.strata?.state === 'saved'")
    assert page.locator(".cm-line").count() < 500
    page.locator(".cm-line").first.click()
    page.keyboard.type("새 글 ")
    page.wait_for_function("() => window.strata.state === 'saved'")
    assert page.evaluate("window.strata.text.toString().includes('새 글 ')")
    is_sound(page)


@pytest.mark.parametrize("width", [390, 1440])
def test_the_longest_title_stays_in_its_place(
    width: int, page: Page, store: Server, places: dict[str, str]
) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{store.url}/d/{places['titled']}")
    expect(page.get_by_role("heading", level=1)).to_contain_text("가나다라")
    expect(page.locator(".cm-content")).to_have_text("짧은 글")
    is_sound(page)
    page.goto(f"{store.url}/docs")
    expect(page.get_by_text("가나다라가나다라").first).to_be_visible()
    is_sound(page)


def test_a_title_of_10_000_characters_is_cut_or_refused_in_words(
    page: Page, store: Server, places: dict[str, str]
) -> None:
    page.goto(f"{store.url}/d/{places['titled']}")
    page.locator("h1 button").click()
    field = page.locator("input.title")
    field.fill("")
    field.evaluate("input => input.focus()")
    page.keyboard.insert_text("나" * 10_000)
    assert len(field.input_value()) == TITLE_MAX
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("나나나")
    refused = asked(page, "page_rename", documentId=places["titled"], title="다" * 10_000)
    assert refused["code"] == "invalid_input"
    assert "400 characters" in refused["message"] + refused["hint"]
    with strata.open(store.path, auto_embed=False) as db:
        assert db.documents.get(places["titled"]).title == "나" * TITLE_MAX
        db.documents.rename(places["titled"], "가나다라" * (TITLE_MAX // 4))


def asked(page: Page, tool: str, **given: Any) -> Any:
    """Call a tool as the page does, and return what the server answers."""
    question = """([tool, given]) => fetch(`/api/tools/${tool}`, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(given),
    }).then((answer) => answer.json())"""
    answer = page.evaluate(question, [tool, given])
    return answer.get("error", answer)


def test_5_000_comments_show_the_cards_near_the_text_in_sight(
    page: Page, store: Server, places: dict[str, str]
) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{store.url}/d/{places['discussed']}")
    expect(page.locator(".side-place")).to_have_text("5,000 open")
    expect(page.locator(".card", has_text="Comment 0003")).to_be_visible()
    assert page.locator(".card").count() <= 100
    page.get_by_role("button", name="Previous").click()
    expect(page.locator(".side-place")).to_have_text("5,000 of 5,000")
    expect(page.locator(".card", has_text="Comment 4999")).to_be_in_viewport()
    expect(page.locator(".cm-content")).to_contain_text("Sentence 4999")
    assert page.locator(".card").count() <= 100
    is_sound(page)


def test_a_fact_of_10_mb_is_cut_and_given_as_a_file(page: Page, store: Server) -> None:
    page.goto(f"{store.url}/memory/default/huge")
    expect(page.locator(".value-more")).to_contain_text("The first 20,000 of")
    assert len(page.locator("pre.value").inner_text()) <= 20_000
    expect(page.get_by_role("button", name="Edit")).to_have_count(0)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    assert len(text.encode()) > 10_000_000
    assert len(json.loads(text)["rows"]) == 150_000
    is_sound(page)


def test_a_graph_of_5_000_decisions_draws_200_and_can_be_narrowed(
    page: Page, store: Server
) -> None:
    page.goto(f"{store.url}/decisions?view=graph")
    expect(page.locator(".graph")).to_contain_text("Only the 200 newest are drawn.")
    assert page.locator(".graph svg .node, .graph .node").count() <= 200
    page.get_by_label("Filter topics").fill("topic 0042")
    page.get_by_role("link", name=re.compile("topic 0042")).click()
    expect(page.locator(".graph")).to_contain_text("Do it in the way 2542")
    expect(page.locator(".graph")).not_to_contain_text("Only the 200 newest")
    is_sound(page)


def test_5_000_decisions_are_paged(page: Page, store: Server) -> None:
    page.goto(f"{store.url}/decisions")
    expect(page.locator(".decision-list > li")).to_have_count(20)
    page.locator(".timeline").get_by_role("button", name="Show more").click()
    expect(page.locator(".decision-list > li")).to_have_count(40)
    is_sound(page)


SCREENS = ("/", "/find?q=a", "/docs", "/activity", "/memory", "/decisions", "/events")


def test_a_branch_that_does_not_exist_leads_to_the_usual_one(page: Page, store: Server) -> None:
    for path in SCREENS:
        mark = "&" if "?" in path else "?"
        page.goto(f"{store.url}{path}{mark}branch=없는%20가지")
        expect(page.get_by_role("alert").first).to_contain_text("There is no branch “없는 가지”")
    page.get_by_role("link", name="To the usual branch").first.click()
    expect(page).not_to_have_url(re.compile("branch="))
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_time_that_is_none_is_said_in_words(page: Page, store: Server) -> None:
    for path, at in (
        ("/", "어제쯤"),
        ("/memory", "2026-13-45"),
        ("/decisions", "-1"),
        ("/docs", "%00"),
        ("/events", "9" * 400),
    ):
        page.goto(f"{store.url}{path}?at={at}")
        expect(page.get_by_role("alert").first).to_be_visible()
        is_sound(page)
    page.get_by_role("button", name="Back to now").first.click()
    expect(page).not_to_have_url(re.compile("at="))
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_time_before_the_store_shows_that_nothing_was_there(page: Page, store: Server) -> None:
    for path in ("/memory", "/decisions", "/docs", "/"):
        page.goto(f"{store.url}{path}?at=2001-01-01T00:00:00Z")
        expect(page.locator(".empty").first).to_be_visible()
        is_sound(page)


MISSING = {
    "/d/doc_01M7P8982W01E7FTN2QJZVE3JX": "There is nothing at this address",
    "/d/doc_01M7P8982W01E7FTN2QJZVE3JX/history": "nothing at this address|no document|not found",
    "/d/%FF%FE": "There is nothing at this address",
    "/memory/default/nothing/here": "Nothing was ever kept under",
    "/memory/no-such-space/key": "Nothing was ever kept under",
    "/decisions?id=decision_0": "There is no memory 'decision_0'",
    "/decisions/no-such-topic": "No decision|no topic|nothing",
    "/events?id=99999": "no event 99,?999",
    "/events/no-such-type": "There is no event of the type",
    "/compare/default...nothing": "There is no branch 'nothing'",
    "/compare/default": "names no two branches|two branches",
    "/no/such/screen": "nothing at this address|There is no such|not found",
}


def test_what_is_missing_is_said_in_words(page: Page, store: Server) -> None:
    for path, words in MISSING.items():
        page.goto(f"{store.url}{path}")
        expect(page.locator("body")).to_contain_text(re.compile(words, re.IGNORECASE))
        is_sound(page)


def test_a_key_with_odd_characters_has_an_address(page: Page, store: Server) -> None:
    for key in ODD_KEYS:
        page.goto(f"{store.url}/memory/odd/")
        page.locator(".fact-row").first.wait_for()
        names = page.locator(".fact-key").evaluate_all("all => all.map((one) => one.title)")
        page.locator(".fact-row").nth(names.index(key)).click()
        for _again in range(2):
            expect(page.locator(".fact-name")).to_be_visible()
            assert page.locator("pre.value").text_content() == f"value of {key}"
            assert page.locator(".fact-name").text_content() == key
            page.reload()
        is_sound(page)


def test_100_000_facts_are_jumped_through(page: Page, store: Server) -> None:
    page.goto(f"{store.url}/memory")
    expect(page.locator(".tree")).to_contain_text("100,000")
    page.goto(f"{store.url}/memory/default/many/")
    rows = page.locator(".rows")
    expect(rows).to_contain_text("000000")
    assert page.locator(".fact-row").count() < 100
    rows.evaluate("list => { list.scrollTop = list.scrollHeight }")
    expect(rows).to_contain_text("099999")
    rows.evaluate("list => { list.scrollTop = list.scrollHeight / 2 }")
    expect(rows).to_contain_text("050005")
    is_sound(page)


def test_5_000_branches_are_found_by_name(page: Page, store: Server) -> None:
    page.goto(f"{store.url}/branches")
    expect(page.locator(".screen")).to_contain_text("The 100 changed last of 5,001")
    assert page.locator(".branch-row").count() == 100
    page.get_by_label("Find a branch").fill("4321")
    expect(page.locator(".branch-row")).to_have_count(1)
    page.get_by_role("button", name=re.compile("^Branch:")).click()
    page.locator(".switch-panel input").fill("가지-0007")
    page.locator(".switch-panel .choices button", has_text="가지-0007").click()
    expect(page).to_have_url(re.compile("branch="))
    is_sound(page)
