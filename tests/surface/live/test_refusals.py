"""What is refused alone, what ends a socket, and that others do not notice."""

import os

import pytest
from websockets.exceptions import ConnectionClosed

from strata.base import limits
from strata.documents.text import Replica, Splice
from strata.web.live import wire
from tests.surface.live.conftest import TEXT, Office

KEY = "AKIAIOSFODNN7EXAMPLA"


def update_of(replica: Replica, text: str, at: int = 0) -> bytes:
    return replica.splice([Splice(at, at, text)])


def test_an_update_that_leaves_a_gap_is_asked_for_with_what_is_missing(office: Office) -> None:
    page, other = office.page(), office.page()
    asked = len(page.asked)
    update_of(page.replica, "잃은 ")
    page.type("뒤 ")
    assert page.until_told("refused")["code"] == "update_gap"
    page.until(lambda: len(page.asked) > asked)
    page.until_saved()
    other.until_text(f"뒤 잃은 {TEXT}")
    assert office.text == other.replica.text


@pytest.mark.parametrize("step", [wire.STEP_2, wire.UPDATE])
@pytest.mark.parametrize(
    "body", [b"", b"\xff" * 40, b"\1\1", os.urandom(200)], ids=["empty", "endless", "short", "any"]
)
def test_a_damaged_update_is_refused_alone(office: Office, step: int, body: bytes) -> None:
    page, other = office.page(), office.page()
    page.send(wire.sync(step, body))
    assert page.until_told("refused")["code"] == "damaged_update"
    page.type("그래도 ")
    other.until_text(f"그래도 {TEXT}")


@pytest.mark.parametrize(
    "data",
    [b"", b"\0", b"\0\7\0", b"\0\2\xff\xff\xff\xff\7", b"\x80" * 20, b"\1\5abc", b"\1\3\1\1\1"],
)
def test_a_damaged_message_is_refused_and_the_socket_stays(office: Office, data: bytes) -> None:
    page = office.page()
    page.send(data)
    assert page.until_told("refused")["code"] == "damaged_update"
    page.type("그래도 ")
    page.until_saved()
    assert office.text == f"그래도 {TEXT}"


def test_a_kind_that_nobody_knows_is_passed_over(office: Office) -> None:
    page = office.page()
    page.send(bytes([99]) + b"\3abc")
    page.send(bytes([wire.AUTH]) + b"\0\1x")
    page.type("그래도 ")
    page.until_saved()
    assert page.told("refused") == []


def test_a_secret_is_refused_and_the_rest_of_the_batch_is_kept(office: Office) -> None:
    page, other = office.page(), office.page()
    page.type(f"key {KEY} ")
    other.type("괜찮은 말 ")
    refused = page.until_told("refused")
    assert refused["code"] == "secret_refused"
    assert KEY not in str(refused)
    other.until_saved()
    assert office.text == f"괜찮은 말 {TEXT}"
    other.quiet()
    assert KEY not in other.replica.text
    counted = office.db.refused_secrets()
    assert [(one.times, one.sender.name) for one in counted] == [(1, "owner")]


def test_a_text_that_would_grow_too_long_is_refused(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, other = office.page(), office.page()
    monkeypatch.setattr(limits, "DOCUMENT_BYTES_MAX", 500)
    page.type("길다 " * 200)
    assert page.until_told("refused")["code"] == "limit_exceeded"
    other.type("짧다 ")
    other.until_saved()
    assert office.text == f"짧다 {TEXT}"


def test_another_persons_id_ends_the_socket(office: Office) -> None:
    office.share("소연", "editor")
    victim, thief = office.page(), office.page("소연")
    victim.type("주인 ")
    victim.until_saved()
    thief.until(lambda: "주인" in thief.replica.text)
    forged = Replica([thief.replica.state()], client=victim.replica.client)
    thief.send(wire.sync(wire.UPDATE, update_of(forged, "도둑 ")))
    assert thief.until_closed() == 4409
    assert thief.told("refused")[-1]["code"] == "not_allowed"
    victim.quiet()
    assert office.text == victim.replica.text == f"주인 {TEXT}"


def test_an_id_that_somebody_only_said_is_theirs_too(office: Office) -> None:
    office.share("소연", "editor")
    victim, thief = office.page(), office.page("소연")
    victim.say({"cursor": 1}, 1)
    thief.until(lambda: victim.replica.client in thief.states)
    forged = Replica([thief.replica.state()], client=victim.replica.client)
    thief.send(wire.sync(wire.UPDATE, update_of(forged, "도둑 ")))
    assert thief.until_closed() == 4409
    assert office.text == TEXT


def test_the_same_id_on_another_branch_ends_the_socket(office: Office) -> None:
    page = office.page()
    page.type("여기 ")
    page.until_saved()
    office.db.branches.fork("try")
    there = office.page(branch="try")
    forged = Replica([there.replica.state()], client=page.replica.client)
    there.send(wire.sync(wire.UPDATE, update_of(forged, "저기 ")))
    assert there.until_closed() == 4409


def test_ones_own_id_goes_on_after_reconnecting(office: Office) -> None:
    page = office.page()
    page.type("하나 ")
    page.until_saved()
    again = office.open()
    again.replica = page.replica
    page.close()
    again.sync()
    again.type("둘 ")
    again.until_saved()
    assert office.text == f"둘 하나 {TEXT}"


def test_an_update_of_very_many_clients_is_refused(office: Office) -> None:
    page = office.page()
    replica = Replica([page.replica.state()])
    for client in range(1, limits.LIVE_CLIENTS_OF_UPDATE + 2):
        other = Replica([replica.state()], client=client)
        replica.apply(update_of(other, "x"))
    page.send(wire.sync(wire.UPDATE, replica.since(page.replica.vector())))
    assert page.until_told("refused")["code"] == "limit_exceeded"
    assert office.text == TEXT


def test_words_instead_of_bytes_end_the_socket(office: Office) -> None:
    page, other = office.page(), office.page()
    page.socket.send("안녕")
    assert page.until_closed() == 1003
    other.type("그래도 ")
    other.until_saved()


def test_a_message_that_is_too_large_ends_the_socket(office: Office) -> None:
    page, other = office.page(), office.page()
    try:
        page.send(bytes(limits.SOCKET_MESSAGE_BYTES_MAX + 1))
    except ConnectionClosed:
        page.code = 1009
    assert page.until_closed() in (1009, 1006)
    other.type("그래도 ")
    other.until_saved()
    assert office.text == f"그래도 {TEXT}"


def test_a_whole_book_can_be_pasted(office: Office) -> None:
    page, other = office.page(), office.page()
    book = "긴 이야기의 한 줄입니다.\n" * 20_000
    page.type(book)
    page.until_saved()
    other.until_text(book + TEXT)
    assert office.text == book + TEXT


def test_who_leaves_a_gap_in_all_that_they_have_is_not_asked_for_ever(office: Office) -> None:
    page = office.page()
    lost = Replica([page.replica.state()], client=page.replica.client)
    update_of(lost, "잃은 ")
    asked = len(page.asked)
    for _ in range(5):
        page.send(wire.sync(wire.STEP_2, update_of(lost, "뒤 ")))
    page.until_told("refused", 5)
    page.quiet()
    assert len(page.asked) == asked
    assert office.text == TEXT
