"""People and an agent write one document at once, and everybody sees the same."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.people import Agent, Person, Server, settle, stored, wait_for

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

# An emoji of several, one with a skin, a flag, letters with marks, and right to left.
SCRIPTS = "한글 👩‍👩‍👧‍👦 👍🏽 🇰🇷 e\u0301\u0323 ﷽ שלום مرحبا 𝒳 ok"


def test_two_people_and_an_agent_write_at_once(
    ann: Person, soyeon: Person, vic: Person, agent: Agent, server: Server, document: str
) -> None:
    hers, his, theirs = ann.opens(document), soyeon.opens(document), vic.opens(document)
    hers.goes_to("with care")
    his.goes_to("known yet")
    for number in range(12):
        hers.types(f" a{number}")
        his.types(f" 나{number}")
        if number % 4 == 0:
            agent.call(
                "edit_document",
                action="edit",
                documentId=document,
                oldString="배포 계획",
                newString=f"새{number} 배포 계획",
            )
    text = settle(hers, his, theirs)
    assert text == stored(server.path, document)
    assert "".join(f" a{number}" for number in range(12)) in text
    assert "".join(f" 나{number}" for number in range(12)) in text
    assert text.startswith("# 새0 새4 새8 배포 계획\n")
    assert hers.complaints == his.complaints == theirs.complaints == []


def test_typing_at_the_same_place_mixes_no_letters(
    ann: Person, soyeon: Person, server: Server, document: str
) -> None:
    hers, his = ann.opens(document), soyeon.opens(document)
    for sheet in (hers, his):
        sheet.goes_to("Nothing is known yet.")
    for left, right in zip("가나다라마바사", "🙂🙃🚀🌸🐢🦊🐙", strict=True):
        hers.types(left)
        his.pastes(right)
    text = settle(hers, his)
    assert text == stored(server.path, document)
    added = text.partition("Nothing is known yet.")[2].strip()
    assert [one for one in added if one in "가나다라마바사"] == list("가나다라마바사")
    assert [one for one in added if one in "🙂🙃🚀🌸🐢🦊🐙"] == list("🙂🙃🚀🌸🐢🦊🐙")


def test_every_script_arrives_as_it_was_written(
    ann: Person, soyeon: Person, agent: Agent, server: Server, document: str
) -> None:
    hers, his = ann.opens(document), soyeon.opens(document)
    hers.goes_to("known yet.")
    hers.types("\n")
    hers.pastes(SCRIPTS)
    hers.types("\n")
    composes(hers.page, ["ㅎ", "하", "한", "한ㄱ", "한그", "한글"], "한글")
    settle(hers, his)
    his.goes_to("👩‍👩‍👧‍👦")
    his.types("|")
    agent.call(
        "edit_document", action="edit", documentId=document, oldString="🇰🇷", newString="🇰🇷🇯🇵"
    )
    for sheet in (hers, his):
        sheet.shows("🇰🇷🇯🇵")
    text = settle(hers, his)
    assert text == stored(server.path, document)
    wanted = SCRIPTS.replace("👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦|").replace("🇰🇷", "🇰🇷🇯🇵")
    assert f"{wanted}\n한글" in text.replace("🇰🇷🇯🇵🇯🇵", "🇰🇷🇯🇵")


def test_lines_from_windows_come_in_as_lines(ann: Person, server: Server, document: str) -> None:
    sheet = ann.opens(document)
    sheet.goes_to("known yet.")
    sheet.page.evaluate(
        """text => {
          const data = new DataTransfer();
          data.setData("text/plain", text);
          const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true });
          window.strata.view.contentDOM.dispatchEvent(event);
        }""",
        "\r\n한 줄\r\n두 줄\r끝",
    )
    text = settle(sheet)
    assert "known yet.\n한 줄\n두 줄\n끝\n" in text
    assert text == stored(server.path, document)


def test_a_text_with_old_line_ends_stays_as_it_is(ann: Person, server: Server) -> None:
    from tests.browser.conftest import make_document

    document = make_document(server.path, "one\r\ntwo\rthree\r\n")
    sheet = ann.opens(document)
    sheet.goes_to("three")
    sheet.types(" 넷")
    assert settle(sheet) == stored(server.path, document) == "one\r\ntwo\rthree 넷\r\n"


def test_undo_takes_back_only_ones_own_words(
    ann: Person, soyeon: Person, agent: Agent, server: Server, document: str
) -> None:
    hers, his = ann.opens(document), soyeon.opens(document)
    hers.goes_to("with care")
    hers.types(" mine")
    settle(hers, his)
    his.goes_to("known yet")
    his.types(" 남의 말")
    agent.call(
        "edit_document", action="edit", documentId=document, oldString="위험", newString="위험 목록"
    )
    settle(hers, his)
    hers.page.keyboard.press("Control+z")
    text = settle(hers, his)
    assert "mine" not in text
    assert "남의 말" in text
    assert "위험 목록" in text
    hers.page.keyboard.press("Control+y")
    assert "with care mine" in settle(hers, his)
    for _time in range(5):
        hers.page.keyboard.press("Control+z")
    text = settle(hers, his)
    assert "남의 말" in text
    assert text == stored(server.path, document)


def test_people_are_seen_where_they_are_and_leave(
    ann: Person, soyeon: Person, document: str
) -> None:
    hers, his = ann.opens(document), soyeon.opens(document)
    his.goes_to("Ship in May")
    chips = hers.page.locator(".chip")
    expect(chips).to_have_count(2)
    expect(hers.page.locator(f'.chip[data-person="{soyeon.id}"]')).to_have_text(
        "김김소연, on this page"
    )
    expect(hers.page.locator(".cm-remote-name")).to_have_text("김소연")
    his.selects_words("with care")
    expect(hers.page.locator(".cm-remote-selection")).to_have_text("with care")
    his.page.close()
    expect(chips).to_have_count(1)
    expect(hers.page.locator(".cm-remote-name")).to_have_count(0)
    assert hers.complaints == []


def test_an_agent_is_seen_and_sees_where_people_are(
    ann: Person, soyeon: Person, agent: Agent, document: str
) -> None:
    sheet, his = ann.opens(document), soyeon.opens(document)
    his.goes_to("known yet")
    his.types("!")
    agent.call("read_document", documentId=document, sections=["배포 계획 > 위험"])
    chip = sheet.page.locator(".chip-agent")
    expect(chip).to_contain_text("reviewer for Ann Lee")

    def seen() -> dict[str, tuple[str, str]]:
        people = agent.call("get_presence", documentId=document)["collaborators"]
        return {one["displayName"]: (one["status"], one.get("activeSection", "")) for one in people}

    wait_for(lambda: seen().get("김소연") == ("editing", "배포 계획 > 위험"), 15)
    assert seen()["Ann Lee"][0] == "viewing"


def test_who_wrote_what_is_seen_and_can_be_put_away(
    ann: Person, agent: Agent, document: str
) -> None:
    sheet = ann.opens(document)
    agent.call(
        "edit_document",
        action="edit",
        documentId=document,
        oldString="Nothing is known yet.",
        newString="Nothing is known yet. 에이전트가 씀.",
    )
    bars = sheet.page.locator(".cm-author-agent")
    expect(bars).to_have_count(1)
    written = sheet.page.locator(".cm-line", has_text="에이전트가 씀.")
    bar, line = bars.bounding_box(), written.bounding_box()
    assert bar is not None
    assert line is not None
    assert bar["width"] == 2
    assert line["y"] <= bar["y"] < line["y"] + line["height"]
    place = sheet.page.evaluate(
        """() => {
          const { view } = window.strata;
          const at = view.state.doc.toString().indexOf("에이전트가") + 2;
          const { left, top } = view.coordsAtPos(at);
          return [left, top + 8];
        }"""
    )
    sheet.page.mouse.move(*place)
    told = sheet.page.locator(".cm-author-name")
    expect(told).to_contain_text("Written by reviewer for Ann Lee")
    expect(told.locator("time")).to_contain_text("now")
    expect(told.get_by_role("link")).to_have_count(0)
    sheet.chooses("Hide who wrote what")
    expect(bars).to_have_count(0)
    sheet.page.reload()
    sheet.is_saved()
    sheet.page.wait_for_timeout(500)
    expect(bars).to_have_count(0)
    sheet.chooses("Show who wrote what")
    expect(bars).to_have_count(1)


def composes(page: Page, stages: list[str], result: str) -> None:
    """Write as an input method does: a word that changes until it is there."""
    session = page.context.new_cdp_session(page)
    for stage in stages:
        at = {"selectionStart": len(stage), "selectionEnd": len(stage)}
        session.send("Input.imeSetComposition", {"text": stage, **at})
    session.send("Input.insertText", {"text": result})
