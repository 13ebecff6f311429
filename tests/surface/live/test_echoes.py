"""A page that is asked for what it has sends back what others wrote, which stays theirs."""

import pytest

from strata.documents.text import Replica, Splice, clocks_of, joined
from strata.web.live import wire
from tests.surface.live.conftest import TEXT, Office
from tests.surface.live.pages import Page


def typed(replica: Replica, text: str) -> bytes:
    return replica.splice([Splice(0, 0, text)])


def echo(page: Page, update: bytes, step: int = wire.STEP_2) -> None:
    page.send(wire.sync(step, update))


@pytest.fixture
def pages(office: Office) -> tuple[Page, Page]:
    """The owner, who has written, and an editor who has heard of it."""
    office.share("소연", "editor")
    one, other = office.page(), office.page("소연")
    one.type("주인 ")
    one.until_saved()
    other.until_text(f"주인 {TEXT}")
    return one, other


def author_of(office: Office, client: int) -> str:
    """Return whom a page that opens the document now takes for the author of a client's words."""
    return office.page().until_told("authors")["clients"][str(client)]["name"]


@pytest.mark.parametrize("step", [wire.STEP_2, wire.UPDATE])
def test_an_edit_that_the_server_has_may_be_sent_back(
    office: Office, pages: tuple[Page, Page], step: int
) -> None:
    one, other = pages
    version = office.db.documents.history(office.document)[0].version
    echo(other, other.replica.state(), step)
    other.until_told("saved")
    assert other.told("refused") == []
    assert office.db.documents.history(office.document)[0].version == version
    other.type("소연 ")
    other.until_saved()
    one.until_text(f"소연 주인 {TEXT}")
    assert author_of(office, one.replica.client) == "owner"


def test_what_a_page_wrote_itself_is_kept_from_a_reply_with_echoes(
    office: Office, pages: tuple[Page, Page]
) -> None:
    one, other = pages
    typed(other.replica, "소연 😀 ")
    echo(other, other.replica.state())
    other.until_saved()
    one.until_text(f"소연 😀 주인 {TEXT}")
    assert office.text == one.replica.text
    assert author_of(office, one.replica.client) == "owner"
    assert author_of(office, other.replica.client) == "소연"
    _version, entry = office.db.documents.live().entries_after(office.document, 0)[-1]
    assert (entry.author, entry.client) == (office.user("소연"), other.replica.client)
    assert clocks_of(entry.update).keys() == {other.replica.client}


def test_other_words_under_a_held_id_reach_neither_the_log_nor_pages(
    office: Office, pages: tuple[Page, Page]
) -> None:
    one, other = pages
    # A page that was let in and has not asked for the text: it would take any words for true.
    fresh = office.open()
    fresh.until_told("welcome")
    lie = typed(Replica(client=one.replica.client), "도둑 ")
    both = joined([lie, typed(other.replica, "소연 ")])
    assert both is not None
    echo(other, both)
    other.until_saved()
    one.until_text(f"소연 주인 {TEXT}")
    fresh.sync()
    fresh.until_text(one.replica.text)
    entries = office.db.documents.live().entries_after(office.document, 0)
    assert all("도둑".encode() not in entry.update for _version, entry in entries)


@pytest.mark.parametrize("step", [wire.STEP_2, wire.UPDATE])
def test_an_echo_with_more_than_the_server_has_ends_the_socket(
    office: Office, pages: tuple[Page, Page], step: int
) -> None:
    one, other = pages
    version = office.db.documents.history(office.document)[0].version
    forged = Replica([other.replica.state()], client=one.replica.client)
    typed(forged, "도둑 ")
    echo(other, forged.state(), step)
    assert other.until_closed() == 4409
    assert other.told("refused")[-1]["code"] == "not_allowed"
    one.quiet()
    assert office.text == one.replica.text == f"주인 {TEXT}"
    assert office.db.documents.history(office.document)[0].version == version


def test_words_of_another_branch_may_be_sent_back(office: Office) -> None:
    page = office.page()
    page.type("여기 ")
    page.until_saved()
    office.db.branches.fork("try")
    there = office.page(branch="try")
    typed(there.replica, "저기 ")
    echo(there, there.replica.state())
    there.until_saved()
    assert office.db.on("try").documents.text(office.document) == f"저기 여기 {TEXT}"
