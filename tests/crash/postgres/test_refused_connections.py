"""A database that does not let a user in: the error says why, and what to do."""

from collections.abc import Iterator

import psycopg
import pytest

import strata
from tests.crash.postgres.servers import Server

pytestmark = [pytest.mark.crash]


@pytest.fixture(name="guarded")
def fixture_guarded(server: Server) -> Iterator[Server]:
    """A server that asks everybody but its administrator for a password."""
    rules = server.folder / "pg_hba.conf"
    before = rules.read_text("utf-8")
    rules.write_text(
        "host all postgres 127.0.0.1/32 trust\nhost strata strata 127.0.0.1/32 scram-sha-256\n",
        "utf-8",
    )
    server.execute(
        "CREATE ROLE strata LOGIN PASSWORD 'right'",
        "GRANT CREATE ON DATABASE strata TO strata",
        "SELECT pg_reload_conf()",
    )
    try:
        yield server
    finally:
        rules.write_text(before, "utf-8")
        server.execute("SELECT pg_reload_conf()")


def why(address: str) -> tuple[str, str]:
    """Return what the error of opening an address says, and what it says to do."""
    with pytest.raises(strata.Unavailable) as refused:
        strata.open(address, auto_embed=False)
    return refused.value.message, refused.value.hint or ""


def test_what_keeps_a_user_out_is_told_with_what_to_do(
    guarded: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_user = guarded.address().replace("postgres@", "strata@")
    with_password = as_user.replace("strata@", "strata:wrong-word@")
    for address, said in ((as_user, "no password"), (with_password, "authentication failed")):
        message, hint = why(address)
        assert said in message
        assert "PGPASSWORD" in hint
        assert "wrong-word" not in message + hint
    message, hint = why(guarded.address("nowhere"))
    assert '"nowhere" does not exist' in message
    assert "createdb" in hint
    message, hint = why(guarded.address().replace("postgres@", "stranger@"))
    assert "pg_hba.conf" in hint
    message, hint = why("postgresql://strata@127.0.0.1:1/strata")
    assert "Connection refused" in message
    assert "STRATA_DB" in hint
    monkeypatch.setenv("PGPASSWORD", "right")
    with strata.open(as_user, auto_embed=False) as db:
        db.kv.put("키", "값")
        assert db.verify().ok


def test_too_many_connections_are_told_with_how_many_are_needed(server: Server) -> None:
    server.execute("CREATE ROLE few LOGIN CONNECTION LIMIT 1")
    address = server.address().replace("postgres@", "few@")
    with psycopg.connect(address):
        message, hint = why(address)
    assert "too many connections" in message
    assert "max_connections" in hint
