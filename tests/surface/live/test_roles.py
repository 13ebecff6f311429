"""Who may open a live document, who may change it, and how that ends."""

import time
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from strata.base import limits
from strata.web.live.serving import Live
from tests.surface.live.conftest import TEXT, Office
from tests.surface.live.pages import Page


@pytest.mark.parametrize("role", ["viewer", "commenter"])
def test_who_may_only_read_changes_nothing_and_still_sees_everything(
    office: Office, role: str
) -> None:
    office.share("지훈", role)
    owner, reader = office.page(), office.page("지훈")
    assert reader.told("welcome")[0]["role"] == role
    reader.type("몰래 ")
    refused = reader.until_told("refused")
    assert refused["code"] == "not_allowed"
    assert role in refused["message"]
    owner.type("공개 ")
    reader.until(lambda: "공개" in reader.replica.text)
    owner.until_saved()
    assert office.text == f"공개 {TEXT}"
    assert owner.replica.text == office.text
    assert reader.code is None


@pytest.mark.parametrize(
    ("rights", "role"), [({"read_only": True}, "viewer"), ({"suggest_only": True}, "commenter")]
)
def test_a_token_that_may_do_less_counts_as_less(
    office: Office, rights: dict[str, bool], role: str
) -> None:
    page = office.page(rights=rights)
    assert page.told("welcome")[0]["role"] == role
    page.type("아니 ")
    page.until_told("refused")
    assert office.text == TEXT


def test_a_reader_is_not_asked_for_what_they_have(office: Office) -> None:
    office.share("지훈", "viewer")
    reader = office.page("지훈")
    reader.quiet()
    assert reader.asked == []
    assert reader.told("refused") == []


def test_a_share_that_is_taken_away_ends_an_idle_socket(office: Office) -> None:
    office.share("지훈", "editor")
    page = office.page("지훈")
    office.db.shares.unshare(office.document, "지훈@example.com")
    assert page.until_closed() == 4403


def test_nothing_is_taken_once_a_share_is_taken_away(office: Office) -> None:
    office.share("지훈", "editor")
    page = office.page("지훈")
    office.db.shares.unshare(office.document, "지훈@example.com")
    page.type("늦음 ")
    assert page.until_closed(5) == 4403
    assert office.text == TEXT


def test_a_smaller_role_counts_at_once_and_a_greater_one_too(office: Office) -> None:
    office.share("지훈", "editor")
    page = office.page("지훈")
    page.type("하나 ")
    page.until_saved()
    office.share("지훈", "viewer")
    page.type("둘 ")
    page.until_told("refused")
    assert page.until_told("welcome", 2)["role"] == "viewer"
    office.share("지훈", "editor")
    assert page.until_told("welcome", 3)["role"] == "editor"
    # Asked for what it has, it sends what was refused before.
    page.until_saved()
    assert office.text == f"둘 하나 {TEXT}"


def test_somebody_elses_document_is_as_good_as_none(office: Office) -> None:
    strangers = [
        office.open("지훈"),
        office.open("지훈", "doc_nirgends"),
        office.open("지훈", "%00"),
    ]
    assert [page.until_closed() for page in strangers] == [4404, 4404, 4404]
    assert [page.notices for page in strangers] == [[], [], []]


def test_a_branch_that_is_not_there_is_not_found(office: Office) -> None:
    assert office.open(branch="nirgends").until_closed() == 4404


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer strata_forged"},
        {"Authorization": "Basic b3duZXI6"},
        {"Cookie": "strata_session=forged", "Origin": "http://127.0.0.1"},
    ],
    ids=["nothing", "a forged token", "another scheme", "a forged cookie"],
)
def test_who_has_not_signed_in_is_turned_away(office: Office, headers: dict[str, str]) -> None:
    address = office.server.address
    if "Origin" in headers:
        headers = headers | {"Origin": address.replace("ws", "http")}
    page = Page(f"{address}/live/{office.document}", headers=headers)
    office.pages.append(page)
    assert page.until_closed() == 4401
    assert page.notices == []


def test_a_token_in_the_address_opens_nothing(office: Office) -> None:
    secret = office.token("owner")
    page = Page(
        f"{office.server.address}/live/{office.document}?token={secret}&access_token={secret}"
    )
    office.pages.append(page)
    assert page.until_closed() == 4401


def test_a_page_of_another_origin_is_refused_before_anything_else(office: Office) -> None:
    headers = {"Authorization": f"Bearer {office.token('owner')}"}
    with pytest.raises(InvalidStatus) as refused:
        Page(
            f"{office.server.address}/live/{office.document}",
            headers=headers,
            origin="https://evil.example",
        )
    assert refused.value.response.status_code == 403


@pytest.mark.usefixtures("hurried")
def test_a_token_that_is_revoked_ends_its_sockets(office: Office) -> None:
    office.share("지훈", "editor")
    page = office.page("지훈")
    for token in office.db.tokens.list():
        if token.label.startswith("지훈"):
            office.db.tokens.revoke(token.label)
    assert page.until_closed(5) == 4401


def test_one_person_may_not_take_all_sockets(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LIVE_SOCKETS_OF_ONE", 2)
    office.share("지훈", "viewer")
    pages = [office.page(), office.page()]
    assert office.open().until_closed() == 1013
    other = office.page("지훈")
    pages[0].close()
    deadline = time.monotonic() + 60
    while (again := office.open()).hear(1) is False:
        assert time.monotonic() < deadline
    assert again.told("welcome")
    assert other.code is None


@pytest.mark.parametrize(("later", "told"), [("editor", "editor"), (None, None)])
def test_a_role_that_changes_while_a_page_connects_is_noticed(
    office: Office, monkeypatch: pytest.MonkeyPatch, later: str | None, told: str | None
) -> None:
    office.share("지훈", "viewer")
    office.page()
    look = Live._look

    def slow(live: Live, *given: Any) -> Any:
        """Change the role behind the look, and let the server notice before it goes on."""
        found = look(live, *given)
        if later is None:
            office.db.shares.unshare(office.document, office.user("지훈"))
        else:
            office.share("지훈", later)
        for branch in live._branches.values():
            branch._thread.submit(branch.roles.has_news).result(30)
        return found

    monkeypatch.setattr(Live, "_look", slow)
    page = office.open("지훈")
    if told is None:
        assert page.until_closed() == 4403
    else:
        page.until(lambda: page.told("welcome")[-1:] and page.told("welcome")[-1]["role"] == told)
