"""Refused secrets are counted by kind, sender and day, and nothing else is known of them."""

import pytest

import strata
from strata.base import limits
from strata.base.errors import SecretRefused
from tests.unit.conftest import Bench
from tests.unit.secrets.samples import token

TOKEN = token("github", "ghp" + "_", 36).secret
DAY_US = 24 * 60 * 60 * 1_000_000


def refused(value: str) -> SecretRefused:
    with strata.open(auto_embed=False) as db, pytest.raises(SecretRefused) as caught:
        db.kv.put("k", value)
    return caught.value


def counts(db: strata.Workspace, **given: int) -> list[tuple[str, str | None, int]]:
    return [(one.secret, one.sender.actor, one.times) for one in db.refused_secrets(**given)]


def test_refusals_are_counted_by_kind_and_sender_the_latest_first(bench: Bench) -> None:
    one, both = refused(TOKEN), refused(f"{TOKEN} postgres://app:tr0ub4dor@db/app {TOKEN}")
    ann = bench.db.as_user(bench.db.users.add("ann@example.com", "소연").id)
    agent = ann.as_actor("claude-code", task="task_1")
    for _again in range(3):
        agent.serving.count_refusal(one)
    bench.clock.us += 1
    ann.serving.count_refusal(both)
    assert counts(bench.db) == [
        ("github_token", "소연", 1),
        ("url_password", "소연", 1),
        ("github_token", "claude-code", 3),
    ]
    sender = bench.db.refused_secrets()[-1].sender
    assert (sender.name, sender.task) == ("소연", None)
    assert TOKEN not in repr(bench.db.refused_secrets())


def test_old_counts_are_left_out_and_then_deleted(bench: Bench) -> None:
    error = refused(TOKEN)
    bench.db.serving.count_refusal(error)
    bench.clock.us += 31 * DAY_US
    assert counts(bench.db) == []
    assert counts(bench.db, days=40) == [("github_token", None, 1)]
    bench.clock.us += limits.REFUSED_SECRETS_DAYS * DAY_US
    bench.db.serving.count_refusal(error)
    assert counts(bench.db, days=1000) == [("github_token", None, 1)]


def test_a_count_that_cannot_be_written_fails_no_call(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    bench.store.database.read_only = True
    bench.db.serving.count_refusal(refused(TOKEN))
    assert "was not counted" in caplog.text
