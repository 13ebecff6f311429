"""Whatever bytes arrive, the server goes on, and others are not disturbed."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import strata
from strata.documents.text import Replica, Splice
from strata.tools import StoreHost
from strata.web.live import wire
from tests.surface.live.conftest import Office
from tests.surface.live.pages import Page

numbers = st.integers(0, 2**64).map(wire.number)
states = st.lists(
    st.tuples(
        numbers, numbers, st.binary(max_size=30).map(lambda data: wire.number(len(data)) + data)
    ),
    max_size=4,
).map(lambda found: wire.number(len(found)) + b"".join(b"".join(one) for one in found))
updates = st.builds(
    lambda text, client: Replica(client=client).splice([Splice(0, 0, text)]) or b"\0\0",
    st.text(max_size=5),
    st.integers(1, 2**32 - 1),
)


def mangled(data: bytes, at: int, byte: int) -> bytes:
    """Change one byte of a message."""
    place = at % max(len(data), 1)
    return data[:place] + bytes([byte]) + data[place + 1 :]


messages = st.one_of(
    st.binary(max_size=200),
    st.builds(wire.sync, st.integers(0, 2), st.binary(max_size=60)),
    st.builds(wire.awareness, st.binary(max_size=60)),
    st.builds(wire.awareness, states),
    st.builds(
        lambda kind, rest: wire.number(kind) + rest, st.integers(0, 200), st.binary(max_size=20)
    ),
    st.builds(
        lambda update, at, byte: wire.sync(wire.UPDATE, mangled(update, at, byte)),
        updates,
        st.integers(0, 1000),
        st.integers(0, 255),
    ),
)


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    path = tmp_path_factory.mktemp("fuzz") / "live.db"
    host = StoreHost(lambda: strata.open(path, durability="standard", auto_embed=False))
    made = Office(host)
    yield made
    for page in made.pages:
        page.close()
    made.server.stop()
    host.close()


@pytest.fixture(scope="module")
def bystander(office: Office) -> Page:
    return office.page()


@pytest.mark.slow
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(messages, min_size=1, max_size=12))
def test_any_bytes_do_no_harm(office: Office, bystander: Page, sent: list[bytes]) -> None:
    attacker = office.open()
    for message in sent:
        attacker.send(message)
    bystander.type("그대로 ")
    bystander.until_saved()
    bystander.type("", over=4)
    attacker.send(wire.sync(wire.STEP_1, b"\0"))
    while attacker.code is None and not attacker.asked:
        assert attacker.hear(20) or attacker.code is not None
    assert attacker.code in (None, 4409)
    attacker.close()
    office.pages.remove(attacker)
    bystander.until_saved()
    assert bystander.code is None
    assert bystander.told("refused") == []
