"""Several pages of one document, over real sockets."""

from tests.surface.live.conftest import TEXT, Office


def test_a_page_gets_the_text_and_is_told_who_it_is(office: Office) -> None:
    page = office.page()
    assert page.replica.text == TEXT
    assert page.notices[0]["kind"] == "welcome"
    assert page.notices[0]["role"] == "owner"
    assert page.notices[0]["branch"] == "default"
    assert page.notices[0]["person"]["name"] == "owner"


def test_what_one_types_the_other_sees(office: Office) -> None:
    office.share("소연", "editor")
    one, other = office.page(), office.page("소연")
    one.type("한글 😀 ", 0)
    other.until_text(f"한글 😀 {TEXT}")
    other.type("!", 3)
    one.until_text(f"한글 !😀 {TEXT}")
    other.until_saved()
    assert office.text == one.replica.text == other.replica.text
