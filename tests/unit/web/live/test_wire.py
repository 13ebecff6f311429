"""Messages as bytes: what is written is read again, and what is damaged is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata.base import limits
from strata.base.errors import DamagedUpdate, LimitExceeded, NotAllowed
from strata.documents.text import Replica, Splice, joined
from strata.documents.text.updates import read_update
from strata.web.live import wire


@given(st.integers(0, 2**53 - 1))
def test_a_number_is_read_as_it_was_written(value: int) -> None:
    assert wire.WireReader(wire.number(value)).number() == value


@given(st.integers(0, 2), st.binary(max_size=300))
def test_a_step_of_a_sync_is_read_as_it_was_written(step: int, body: bytes) -> None:
    assert wire.read_message(wire.sync(step, body)) == (wire.SYNC, step, body)


@given(st.binary(max_size=100))
def test_any_bytes_are_a_message_or_refused(data: bytes) -> None:
    try:
        message = wire.read_message(data)
    except DamagedUpdate:
        return
    assert message.kind == wire.SYNC or message.step == 0


@given(
    st.lists(
        st.builds(
            wire.AwarenessState,
            st.integers(0, 2**32),
            st.integers(0, 2**32),
            st.none() | st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=3),
        ),
        max_size=5,
    )
)
def test_states_are_read_as_they_were_written(states: list[wire.AwarenessState]) -> None:
    assert wire.read_states(wire.write_states(states)) == states


@pytest.mark.parametrize("value", [b"1", b"[]", b'"x"', b"{]", b"\xff\xfe", b'{"a":' * 3_000])
def test_a_state_that_is_no_object_is_refused(value: bytes) -> None:
    with pytest.raises(DamagedUpdate):
        wire.read_states(b"\1\1\1" + wire.number(len(value)) + value)


def test_what_is_too_long_is_refused_before_it_is_read() -> None:
    with pytest.raises(LimitExceeded):
        wire.read_states(bytes(limits.LIVE_STATES_BYTES_MAX + 1))
    with pytest.raises(LimitExceeded):
        wire.check_state(wire.AwarenessState(1, 1, {"긴": "x" * limits.LIVE_STATE_BYTES_MAX}))


def test_a_refusal_names_the_code_and_what_to_do() -> None:
    reader = wire.WireReader(wire.refusal(NotAllowed("아니요.", hint="물어보세요.")))
    assert reader.number() == wire.NOTICE
    assert b'"code":"not_allowed"' in reader.bytes()


def test_a_vector_is_read_as_a_replica_writes_it() -> None:
    replica = Replica(client=12345)
    replica.splice([Splice(0, 0, "한글 😀")])
    assert wire.read_vector(replica.vector()) == {12345: 5}


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 40), st.text(max_size=4)), max_size=25))
def test_updates_that_are_joined_do_what_they_did_one_by_one(
    edits: list[tuple[int, int, str]],
) -> None:
    writers = [Replica(client=number + 1) for number in range(3)]
    updates: list[bytes] = []
    for who, at, text in edits:
        writer = writers[who]
        size = len(writer.text)
        start = min(at, size)
        update = writer.splice([Splice(start, min(start + len(text) % 3, size), text)])
        if update:
            updates.append(update)
            for other in writers:
                other.apply(update)
    whole = joined(updates)
    assert whole is not None
    assert Replica([whole]).text == writers[0].text


def test_what_was_deleted_is_joined_in_order_and_each_unit_once() -> None:
    whole = Replica(client=9)
    begin = whole.splice([Splice(0, 0, "가나다라마바사")])
    one, other = Replica([begin], client=1), Replica([begin], client=2)
    late = one.splice([Splice(4, 6, "")])
    early = other.splice([Splice(0, 2, ""), Splice(3, 5, "")])
    found = joined([late, early])
    assert found is not None
    assert read_update(found).deletions == [(9, 0, 2), (9, 3, 3)]
    assert Replica([begin, found]).text == "다사"


def test_updates_that_repeat_or_miss_something_are_not_joined() -> None:
    replica = Replica(client=7)
    first, second, third = (replica.splice([Splice(0, 0, text)]) for text in "가나다")
    assert joined([first, second, third]) is not None
    assert joined([first, first]) is None
    assert joined([first, third]) is None
