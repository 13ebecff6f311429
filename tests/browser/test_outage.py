"""A server that dies while people type: what was saved stays, and the rest arrives later."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Dialog, expect

from tests.browser.conftest import MakePerson, make_document, populate
from tests.browser.people import ANN, SOYEON, WAIT_MS, Server, settle, stored

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


# What a page took for saved last.
REMEMBER = """() => {
  const { room } = window.strata;
  room.stateChanged.on((state) => {
    if (state === "saved") window.acknowledged = room.text.toString();
  });
}"""


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[Server]:
    """A server of its own, since it will be killed."""
    path = tmp_path / "store.db"
    populate(path)
    server = Server(path)
    server.start()
    yield server
    assert server.stop() == 0


def test_a_server_killed_while_people_type_loses_nothing(
    mortal: Server, person: MakePerson
) -> None:
    document = make_document(mortal.path)
    hers = person(ANN, mortal).opens(document)
    his = person(SOYEON, mortal).opens(document)
    for sheet in (hers, his):
        sheet.page.evaluate(REMEMBER)
    hers.goes_to("with care")
    his.goes_to("known yet")
    for number in range(60):
        hers.types(f"{number % 10}")
        his.types(f"{number % 10}")
        if number == 40:  # whatever is under way just then
            mortal.kill()
    for sheet in (hers, his):
        expect(sheet.page.locator(".state")).to_have_text("Offline: your edits are kept here")
    expect(hers.page.locator(".banner.offline")).to_be_visible(timeout=WAIT_MS)
    hers.page.locator(".content").evaluate("part => part.scrollTo(0, 200)")
    ends = hers.page.evaluate(
        """[".banner.offline", ".bar"].map(
          (part) => document.querySelector(part).getBoundingClientRect())"""
    )
    assert ends[0]["bottom"] <= ends[1]["top"], "the state is not hidden below the banner"
    digits = "".join(str(number % 10) for number in range(60))
    kept = stored(mortal.path, document)
    for sheet, words in ((hers, "with care"), (his, "known yet")):
        acknowledged = run_of_digits(sheet.page.evaluate("window.acknowledged"), words)
        assert digits.startswith(acknowledged)
        assert acknowledged, "something was acknowledged before the blow"
        assert run_of_digits(kept, words).startswith(acknowledged)
    hers.types(" 끊긴 동안 🙂")
    his.goes_to("위험")
    his.page.keyboard.press("Backspace")
    mortal.start()
    text = settle(hers, his)
    assert f"with care{digits} 끊긴 동안 🙂" in text
    assert f"known yet{digits}." in text
    assert "## 위\n" in text
    assert text == stored(mortal.path, document)
    assert hers.complaints == his.complaints == []


def run_of_digits(text: str, words: str) -> str:
    """Return the digits that stand behind some words."""
    found = re.search(re.escape(words) + r"(\d*)", text)
    assert found is not None
    return found[1]


def test_a_page_warns_before_it_is_left_with_unsaved_edits(
    mortal: Server, person: MakePerson
) -> None:
    document = make_document(mortal.path)
    sheet = person(ANN, mortal).opens(document)
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    sheet.page.on("dialog", stay)
    mortal.kill()
    sheet.goes_to("with care")
    sheet.types(" 아직")
    sheet.page.close(run_before_unload=True)
    sheet.page.wait_for_function("window.strata.room.hasUnsaved")
    mortal.start()
    assert "with care 아직" in settle(sheet)
    assert asked == ["beforeunload"]
    sheet.page.reload()
    sheet.is_saved()
    assert asked == ["beforeunload"], "once all is saved nobody is asked"
    assert "with care 아직" in stored(mortal.path, document)
