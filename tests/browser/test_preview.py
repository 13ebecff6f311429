"""Markdown looks as it is read while it is written, and stays as it was typed."""

import base64
import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import MakePerson, make_document
from tests.browser.people import ANN, Person, Server, Sheet, settle, stored, wait_for
from tests.browser.test_together import composes

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

TEXT = """# 배포 계획

**굵은 말** 다음에 `code`와 [[로드맵 2027]].

| plan | 요금 |
|---|--:|
| free | 60 |
| 팀 | 600 |

- [ ] 알리기
- one

> 인용

```python
x = 1
```

끝
"""
# One red point.
PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5E"
    "rkJggg=="
)


def drawn(sheet: Sheet) -> str:
    """What is read on the page, line by line."""
    return sheet.page.evaluate(
        "[...document.querySelectorAll('.cm-content > *')].map(e => e.innerText).join('\\n')"
    )


def test_marks_are_hidden_away_from_the_caret_and_nothing_is_written(
    ann: Person, server: Server
) -> None:
    document = make_document(server.path, TEXT)
    sheet = ann.opens(document)
    expect(sheet.page.locator(".cm-table td").first).to_have_text("free")
    shown = drawn(sheet)
    assert "**" not in shown
    assert "[[" not in shown
    assert "```" not in shown
    sheet.goes_to("굵은")
    expect(sheet.page.locator(".cm-content")).to_contain_text("**굵은 말** 다음")
    for place in ("배포", "code", "로드맵", "알리기", "인용", "x = 1", "끝"):
        sheet.goes_to(place)
    assert settle(sheet) == stored(server.path, document) == TEXT
    assert sheet.complaints == []


def test_a_table_opens_where_it_is_clicked_and_tab_moves_on(ann: Person, server: Server) -> None:
    document = make_document(server.path, TEXT)
    sheet = ann.opens(document)
    sheet.page.locator(".cm-table td", has_text="free").click()
    expect(sheet.page.locator(".cm-table")).to_have_count(0)
    expect(sheet.page.locator(".cm-table-source").first).to_contain_text("| plan")
    sheet.page.keyboard.press("Tab")
    sheet.types("육십")
    sheet.page.keyboard.press("Tab")
    sheet.page.keyboard.press("Shift+Tab")
    sheet.page.keyboard.press("Shift+Tab")
    sheet.types("무료")
    sheet.goes_to("끝")
    expect(sheet.page.locator(".cm-table td").first).to_have_text("무료")
    expected = TEXT.replace("| free | 60 |", "| 무료 | 육십 |")
    assert settle(sheet) == stored(server.path, document) == expected


def test_a_table_is_entered_and_grown_by_keys(ann: Person, server: Server) -> None:
    document = make_document(server.path, TEXT)
    sheet = ann.opens(document)
    sheet.goes_to("로드맵 2027]].")
    for _step in range(2):
        sheet.page.keyboard.press("ArrowDown")
    expect(sheet.page.locator(".cm-table-source").first).to_contain_text("| plan")
    for _cell in range(6):
        sheet.page.keyboard.press("Tab")
    sheet.types("새 줄")
    for _step in range(2):
        sheet.page.keyboard.press("ArrowDown")
    expect(sheet.page.locator(".cm-table td").nth(4)).to_have_text("새 줄")
    sheet.page.keyboard.press("ArrowUp")
    sheet.page.keyboard.press("ArrowUp")
    expect(sheet.page.locator(".cm-table-source").last).to_contain_text("새 줄")
    expected = TEXT.replace("| 팀 | 600 |", "| 팀 | 600 |\n| 새 줄 |  |")
    assert settle(sheet) == stored(server.path, document) == expected


def test_words_are_styled_by_keys_and_by_the_bar_above_them(
    ann: Person, vic: Person, server: Server
) -> None:
    document = make_document(server.path, "목요일에 배포한다.\n\n- 하나\n- 둘\n")
    sheet = ann.opens(document)
    sheet.selects_words("배포")
    sheet.page.keyboard.press("Control+b")
    sheet.shows("**배포**한다")
    sheet.selects_words("목요일")
    bar = sheet.page.get_by_role("toolbar", name="Selected words")
    bar.get_by_role("button", name="Italic").click()
    sheet.shows("*목요일*에")
    sheet.page.keyboard.press("Control+i")
    sheet.page.keyboard.press("Control+Alt+k")
    sheet.types("https://example.com")
    sheet.goes_to("둘")
    sheet.page.keyboard.press("Tab")
    sheet.types(" 다음")
    expected = "[목요일](https://example.com)에 **배포**한다.\n\n- 하나\n  - 둘 다음\n"
    assert settle(sheet) == stored(server.path, document) == expected
    reader = vic.opens(document)
    reader.selects_words("하나")
    reader.page.keyboard.press("Control+b")
    assert settle(sheet, reader) == expected
    assert sheet.complaints == reader.complaints == []


def test_words_are_found_and_replaced_in_the_text(person: MakePerson, server: Server) -> None:
    document = make_document(server.path, "둘, 둘, Zwei (둘)\n\n" + "말\n\n" * 300 + "둘\n")
    sheet = person(ANN, locale="ko-KR").opens(document)
    # From anywhere on the page, and right behind the shortcut: no key is lost.
    sheet.page.evaluate("document.activeElement.blur()")
    sheet.page.keyboard.press("Control+f")
    sheet.page.keyboard.insert_text("둘")
    panel = sheet.page.locator(".cm-search")
    expect(panel.get_by_role("status")).to_have_text("4개 찾음")
    sheet.page.keyboard.press("Shift+Enter")
    expect(panel.get_by_role("status")).to_have_text("4개 중 4번째")
    expect(sheet.page.locator(".cm-searchMatch-selected")).to_be_in_viewport()
    panel.get_by_label("바꿀 말").fill("셋")
    sheet.page.keyboard.press("Enter")
    expect(panel.get_by_role("status")).to_have_text("3개 중 1번째")
    panel.get_by_role("button", name="모두 바꾸기").click()
    expect(panel.get_by_role("status")).to_have_text("찾지 못했습니다")
    panel.get_by_label("본문에서 찾기").fill("(")
    expect(panel.get_by_role("status")).to_have_text("1개 찾음")
    panel.get_by_role("button", name="정규식").click()
    expect(panel.get_by_role("status")).to_have_text("정규식이 아닙니다")
    sheet.page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    text = settle(sheet)
    assert text.startswith("셋, 셋, Zwei (셋)\n")
    assert text.endswith("말\n\n셋\n")
    assert sheet.complaints == []


PASTE = """words => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", words);
  const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
  window.strata.view.contentDOM.dispatchEvent(event);
}"""


def test_a_pasted_text_takes_the_place_of_the_heading_that_was_made_for_it(
    ann: Person, server: Server
) -> None:
    document = make_document(server.path, "# 새 문서\n\n", "새 문서")
    sheet = ann.opens(document)
    sheet.goes_to("새 문서")
    sheet.page.evaluate(PASTE, "words only")
    sheet.shows("# 새 문서words only")
    sheet.page.keyboard.press("Control+z")
    sheet.page.evaluate(PASTE, "# 가져온 글\r\n\r\n첫 줄과 주소\r\n")
    sheet.selects_words("주소")
    sheet.page.evaluate(PASTE, "https://example.com/a")
    expected = "# 가져온 글\n\n첫 줄과 [주소](https://example.com/a)\n"
    assert settle(sheet) == stored(server.path, document) == expected
    assert sheet.complaints == []


def test_a_reader_finds_words_and_replaces_none(vic: Person, server: Server) -> None:
    sheet = vic.opens(make_document(server.path, TEXT))
    sheet.page.keyboard.press("Control+f")
    sheet.page.keyboard.insert_text("PLAN")
    panel = sheet.page.locator(".cm-search")
    expect(panel.get_by_role("status")).to_have_text("1 found")
    panel.get_by_role("button", name="Match case").click()
    expect(panel.get_by_role("status")).to_have_text("Nothing found")
    expect(panel.get_by_label("Replace with")).to_have_count(0)


def test_a_box_is_ticked_by_a_click(ann: Person, soyeon: Person, server: Server) -> None:
    document = make_document(server.path, TEXT)
    hers, his = ann.opens(document), soyeon.opens(document)
    hers.page.locator("input.cm-task").click()
    his.shows("- [x] 알리기")
    expect(his.page.locator("input.cm-task")).to_be_checked()
    assert settle(hers, his) == TEXT.replace("[ ]", "[x]")


def test_a_reader_sees_no_marks_anywhere(vic: Person, server: Server) -> None:
    document = make_document(server.path, TEXT)
    sheet = vic.opens(document)
    for place in ("굵은", "free", "x = 1"):
        sheet.goes_to(place)
        shown = drawn(sheet)
        assert "**" not in shown
        assert "|---" not in shown
    expect(sheet.page.locator("input.cm-task")).to_be_disabled()


@pytest.mark.parametrize("before", ["굵은", "**굵은 말**", "# 배포", "code", "- [ ] 알", "> 인"])
def test_hangul_is_composed_right_beside_every_mark(
    before: str, ann: Person, server: Server
) -> None:
    document = make_document(server.path, TEXT)
    sheet = ann.opens(document)
    sheet.goes_to(before)
    composes(sheet.page, ["ㅎ", "하", "한", "한ㄱ", "한그", "한글"], "한글")
    assert (
        settle(sheet) == stored(server.path, document) == TEXT.replace(before, f"{before}한글", 1)
    )


def test_the_source_can_be_shown_instead(ann: Person, server: Server) -> None:
    document = make_document(server.path, TEXT)
    sheet = ann.opens(document)
    expect(sheet.page.locator(".cm-table")).to_have_count(1)
    sheet.chooses("Show the source")
    expect(sheet.page.locator(".cm-table")).to_have_count(0)
    assert "**굵은 말**" in drawn(sheet)
    sheet.page.reload()
    sheet.is_saved()
    expect(sheet.page.locator(".cm-table")).to_have_count(0)
    sheet.chooses("Show the preview")
    expect(sheet.page.locator(".cm-table")).to_have_count(1)


def test_links_lead_to_documents_which_know_where_they_are_linked(
    ann: Person, server: Server
) -> None:
    target = make_document(server.path, "# 로드맵\n\n5월\n", "로드맵 2027")
    document = make_document(server.path, TEXT, "링크 있는 글")
    sheet = ann.opens(document)
    sheet.page.locator(".cm-link", has_text="로드맵 2027").click(modifiers=["Control"])
    expect(sheet.page).to_have_url(re.compile(f"/d/{target}"))
    expect(sheet.page.get_by_role("heading", level=1)).to_have_text("로드맵 2027")
    back = sheet.page.get_by_role("region", name="Linked from")
    back.get_by_role("link", name="링크 있는 글").first.click()
    expect(sheet.page).to_have_url(re.compile(f"/d/{document}"))


def test_titles_and_blocks_are_completed(ann: Person, server: Server) -> None:
    make_document(server.path, "# 찾을 글\n", "찾을 글 하나")
    document = make_document(server.path, "처음\n\n")
    sheet = ann.opens(document)
    sheet.page.wait_for_timeout(500)
    sheet.goes_to("처음")
    sheet.types(" [[찾을")
    option = sheet.page.get_by_role("option", name="찾을 글 하나")
    expect(option).to_be_visible()
    sheet.page.wait_for_timeout(100)
    sheet.page.keyboard.press("Enter")
    sheet.types(" 그리고\n\n/tab")
    expect(sheet.page.get_by_role("option", name="Table")).to_be_visible()
    sheet.page.wait_for_timeout(100)
    sheet.page.keyboard.press("Enter")
    text = settle(sheet)
    assert "처음 [[찾을 글 하나]] 그리고" in text
    assert "| --- | --- |" in text


def test_a_pasted_picture_is_kept_and_shown(ann: Person, soyeon: Person, server: Server) -> None:
    document = make_document(server.path, "그림: \n")
    sheet = ann.opens(document)
    sheet.page.wait_for_timeout(500)
    sheet.goes_to("그림: ")
    sheet.page.evaluate(
        """data => {
          const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
          const transfer = new DataTransfer();
          transfer.items.add(new File([bytes], "점.png", { type: "image/png" }));
          const event = new ClipboardEvent("paste", {
            clipboardData: transfer, bubbles: true, cancelable: true,
          });
          window.strata.view.contentDOM.dispatchEvent(event);
        }""",
        PNG,
    )
    sheet.shows("](image:")
    his = soyeon.opens(document)
    for page in (sheet.page, his.page):
        picture = page.locator(".cm-picture img")
        expect(picture).to_have_attribute("src", re.compile("^data:image/png"))
    wait_for(lambda: his.page.evaluate("document.querySelector('.cm-picture img').naturalWidth"), 9)
    assert base64.b64decode(PNG)[:4] == b"\x89PNG"
    assert settle(sheet, his) == stored(server.path, document)
    assert sheet.complaints == his.complaints == []


def test_the_outline_leads_through_a_long_text(ann: Person, server: Server) -> None:
    parts = (f"## 장 {number}\n\n" + "말 " * 300 + "\n\n" for number in range(20))
    document = make_document(server.path, "# 긴 글\n\n" + "".join(parts))
    sheet = ann.opens(document)
    sheet.page.set_viewport_size({"width": 1440, "height": 900})
    outline = sheet.page.get_by_role("navigation", name="Outline")
    outline.get_by_role("button", name="장 17").click()
    expect(sheet.page.locator(".cm-h2", has_text="장 17")).to_be_in_viewport()
