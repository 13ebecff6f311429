"""A place that was brought into sight stays there, whatever is drawn late, until the user moves."""

import io
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Locator, Route, expect

import strata
from tests.browser.conftest import MakePerson, make_document
from tests.browser.people import ANN, WAIT_MS, Person, Server, Sheet, wait_for

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

WIDE: Any = {"width": 1440, "height": 900}
SECTION = "- [ ] 알리기\n\n| plan | 요금 |\n|---|--:|\n| free | 60 |\n\n"
HEADING = "마지막 장"
CARET_IS_IN_SIGHT = """() => {
  const { view } = window.strata;
  const seen = view.coordsAtPos(view.state.selection.main.head);
  return seen !== null && seen.top >= 48 && seen.bottom <= innerHeight;
}"""


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_a_key_that_moves_far_shows_the_caret(
    motion: str, person: MakePerson, server: Server
) -> None:
    words = (f"## 장 {number}\n\n" + "말 " * (number * 37 % 300) for number in range(60))
    parts = (f"{chapter}\n\n{SECTION}" for chapter in words)
    ann = person(ANN, reduced_motion=motion)
    sheet = ann.opens(make_document(server.path, "# 긴 글\n\n" + "".join(parts)))
    sheet.page.set_viewport_size(WIDE)
    sheet.page.locator(".cm-h1").click()
    far = ("Control+End", "Control+Home", "PageDown", "PageDown", "PageUp", "Control+End", "PageUp")
    for key in far:
        sheet.page.keyboard.press(key)
        settles(sheet)
        sheet.page.wait_for_function(CARET_IS_IN_SIGHT, timeout=WAIT_MS)
    assert sheet.complaints == []


def goes_to_a_heading_below_pictures(ann: Person, server: Server) -> tuple[Sheet, list[Route]]:
    """Choose a heading while the pictures above it are on their way."""
    sheet, held = Sheet(ann.context.new_page()), list[Route]()
    sheet.page.set_viewport_size(WIDE)
    sheet.page.route("**/api/tools/get_image*", lambda route: held.append(route))  # noqa: PLW0108  (no mark fits on a built-in one)
    sheet.page.goto(f"{server.url}/d/{document_with_pictures(server)}")
    sheet.is_saved()
    outline = sheet.page.get_by_role("navigation", name="Outline")
    outline.get_by_role("button", name=HEADING).click()
    expect(heading(sheet)).to_be_in_viewport()
    wait_for(lambda: len(held) == 2, WAIT_MS / 1000)
    # Later than anything that only waits for a while.
    sheet.page.wait_for_timeout(2500)
    return sheet, held


def heading(sheet: Sheet) -> Locator:
    return sheet.page.locator(".cm-h2", has_text=HEADING)


def document_with_pictures(server: Server) -> str:
    """Make a long document whose last heading comes right below two tall pictures."""
    document = make_document(server.path, "", "그림")
    with strata.open(server.path) as db:
        documents = db.as_user(ANN).documents
        images = [documents.attach_image(document, tall(shade), name="그림") for shade in (1, 2)]
        pictures = "".join(f"![그림](image:{image.id})\n\n" for image in images)
        text = "말\n\n" * 80
        documents.write(document, f"# 글\n\n{text}{pictures}## {HEADING}\n\n{text}")
    return document


def tall(shade: int) -> bytes:
    data = io.BytesIO()
    Image.new("RGB", (300, 900), (200, shade, 0)).save(data, "PNG")
    return data.getvalue()


def test_a_chosen_heading_stays_in_sight_when_pictures_above_it_arrive(
    ann: Person, server: Server
) -> None:
    sheet, held = goes_to_a_heading_below_pictures(ann, server)
    for route in held:
        route.continue_()
    shown = "() => [...document.images].filter((image) => image.height > 400).length === 2"
    sheet.page.wait_for_function(shown, timeout=WAIT_MS)
    settles(sheet)
    expect(heading(sheet)).to_be_in_viewport()
    assert sheet.complaints == []


def settles(sheet: Sheet) -> None:
    """Give the editor frames to measure what has changed, and to draw what then is in sight."""
    frames = "let left = 10; (function next() { left-- ? requestAnimationFrame(next) : done() })()"
    sheet.page.evaluate(f"() => new Promise((done) => {{ {frames} }})")


@pytest.mark.parametrize("by", ["wheel", "find in page"])
def test_a_user_who_scrolls_away_is_not_brought_back(by: str, ann: Person, server: Server) -> None:
    sheet, _held = goes_to_a_heading_below_pictures(ann, server)
    if by == "wheel":
        sheet.page.mouse.move(700, 500)
        sheet.page.mouse.wheel(0, -20_000)
    else:
        sheet.page.evaluate("document.querySelector('.content').scrollTop = 0")
    expect(sheet.page.locator(".cm-h1")).to_be_in_viewport()
    # Everything beside the text and in it moves.
    sheet.page.set_viewport_size({"width": 1000, "height": 700})
    expect(sheet.page.get_by_role("navigation", name="Outline")).to_be_hidden()
    settles(sheet)
    expect(sheet.page.locator(".cm-h1")).to_be_in_viewport()
    assert sheet.complaints == []
