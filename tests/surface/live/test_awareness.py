"""What pages say of themselves, and what nobody may say of others."""

from strata.base import limits
from strata.web.live import wire
from tests.surface.live.conftest import Office


def test_others_see_where_one_is_under_ones_real_name(office: Office) -> None:
    office.share("소연", "editor")
    one, other = office.page(), office.page("소연")
    other.say({"user": {"name": "owner", "color": "#000"}, "cursor": {"at": 3}}, 1)
    client = other.replica.client
    one.until(lambda: client in one.states)
    state = one.states[client][1]
    assert state["cursor"] == {"at": 3}
    assert state["user"]["name"] == "소연".title()
    assert state["user"]["id"] == office.user("소연")
    assert state["user"]["color"] == other.told("welcome")[0]["colour"] != "#000"


def test_a_viewer_shows_a_cursor_too(office: Office) -> None:
    office.share("지훈", "viewer")
    owner, reader = office.page(), office.page("지훈")
    reader.say({"cursor": 1}, 1)
    owner.until(lambda: reader.replica.client in owner.states)


def test_who_comes_later_sees_who_is_there(office: Office) -> None:
    one = office.page()
    one.say({"cursor": "여기"}, 1)
    one.until(lambda: one.replica.client in one.states)
    later = office.page()
    later.until(lambda: one.replica.client in later.states)
    later.send(bytes([wire.QUERY_AWARENESS]))
    later.states.clear()
    later.until(lambda: later.states.get(one.replica.client, (0, None))[1] is not None)


def test_nobody_speaks_for_others(office: Office) -> None:
    office.share("소연", "editor")
    victim, thief, witness = office.page(), office.page("소연"), office.page()
    client = victim.replica.client
    victim.say({"cursor": "진짜"}, 1)
    witness.until(lambda: client in witness.states)
    thief.say({"cursor": "가짜"}, 9, client=client)
    thief.say(None, 10, client=client)
    thief.say({"cursor": "내 것"}, 1)
    witness.until(lambda: thief.replica.client in witness.states)
    assert witness.states[client][0] == 1
    assert witness.states[client][1]["cursor"] == "진짜"
    assert thief.code is None


def test_an_echo_of_what_others_said_changes_nothing(office: Office) -> None:
    office.share("소연", "editor")
    one, other = office.page(), office.page("소연")
    one.say({"cursor": 1}, 1)
    other.until(lambda: one.replica.client in other.states)
    clock, value = other.states[one.replica.client]
    other.say(value, clock, client=one.replica.client)
    other.quiet()
    assert other.told("refused") == []
    assert other.code is None


def test_who_leaves_is_gone_for_the_others(office: Office) -> None:
    one, other = office.page(), office.page()
    client = other.replica.client
    other.say({"cursor": 1}, 1)
    one.until(lambda: client in one.states)
    other.close()
    one.until(lambda: one.states[client] == (1, None))


def test_who_comes_back_with_the_same_count_is_asked_to_count_on(office: Office) -> None:
    one, other = office.page(), office.page()
    client = other.replica.client
    other.say({"cursor": 1}, 4)
    one.until(lambda: client in one.states)
    other.close()
    one.until(lambda: one.states[client][1] is None)
    back = office.open()
    back.replica = other.replica
    back.sync()
    back.say({"cursor": 1}, 4)
    back.until(lambda: back.states.get(client) == (4, None))
    back.say({"cursor": 1}, 5)
    one.until(lambda: one.states[client][0] == 5 and one.states[client][1] is not None)


def test_a_second_window_of_the_same_person_takes_over(office: Office) -> None:
    one, first, second = office.page(), office.page(), office.page()
    client = first.replica.client
    first.say({"cursor": 1}, 1)
    one.until(lambda: client in one.states)
    second.say({"cursor": 2}, 2, client=client)
    one.until(lambda: one.states[client][0] == 2)
    first.close()
    one.quiet()
    assert one.states[client][1] is not None, "the one who left did not speak for it any more"


def test_what_is_too_long_or_no_object_is_refused(office: Office) -> None:
    one, other = office.page(), office.page()
    other.say({"cursor": "x" * limits.LIVE_STATE_BYTES_MAX}, 1)
    assert other.until_told("refused")["code"] == "limit_exceeded"
    client = wire.number(other.replica.client)
    for value in (b"[1]", b'"a"', b"{", b"\xff", b"[" * 10_000):
        body = b"\1" + client + b"\2" + wire.number(len(value)) + value
        other.send(wire.awareness(body))
    other.until_told("refused", 6)
    one.quiet()
    assert other.replica.client not in one.states


def test_one_socket_speaks_for_a_few_clients_only(office: Office) -> None:
    one, other = office.page(), office.page()
    for client in range(1, 200):
        other.say({"n": client}, 1, client=client)
    one.until(lambda: one.states)
    one.quiet()
    assert len(one.states) <= limits.LIVE_CLIENTS_OF_ONE


def test_a_page_hears_itself_so_that_it_knows_it_is_connected(office: Office) -> None:
    page = office.page()
    page.say({"cursor": 1}, 1)
    page.until(lambda: page.replica.client in page.states)
