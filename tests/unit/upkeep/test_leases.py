"""Leases: one holder at a time, and a silent one loses."""

import pytest

from strata import InvalidArgument
from strata.base import limits
from tests.unit.conftest import Bench

SECOND_US = 1_000_000


def test_a_lease_has_one_holder(bench: Bench) -> None:
    leases = bench.db.leases
    mine = leases.acquire("embedding", holder="나")
    assert mine is not None
    assert leases.acquire("embedding", holder="you") is None
    assert leases.acquire("pruning", holder="you") is not None
    assert [(lease.name, lease.holder) for lease in leases.list()] == [
        ("embedding", "나"),
        ("pruning", "you"),
    ]


def test_a_silent_holder_is_replaced_after_its_time(bench: Bench) -> None:
    leases = bench.db.leases
    mine = leases.acquire("work")
    assert mine is not None
    assert mine.expires == bench.clock.us + int(limits.LEASE_S * SECOND_US)
    bench.clock.us = mine.expires - 1
    assert leases.acquire("work") is None
    bench.clock.us = mine.expires
    assert leases.list() == []
    other = leases.acquire("work", holder="other")
    assert other is not None
    assert leases.renew(mine) is None
    assert not leases.release(mine)
    assert [lease.holder for lease in leases.list()] == ["other"]


def test_a_renewed_lease_lasts_longer(bench: Bench) -> None:
    leases = bench.db.leases
    mine = leases.acquire("work", seconds=10)
    assert mine is not None
    bench.clock.us += 9 * SECOND_US
    longer = leases.renew(mine, seconds=10)
    assert longer is not None
    assert longer.expires == bench.clock.us + 10 * SECOND_US
    bench.clock.us += 9 * SECOND_US
    assert leases.acquire("work") is None
    bench.clock.us += 2 * SECOND_US
    assert leases.renew(longer) is None


def test_a_released_lease_is_free_at_once(bench: Bench) -> None:
    leases = bench.db.leases
    mine = leases.acquire("work")
    assert mine is not None
    assert leases.release(mine)
    assert not leases.release(mine)
    assert leases.acquire("work") is not None


@pytest.mark.parametrize("seconds", [0, -1, limits.LEASE_S_MAX + 1, True, float("nan")])
def test_a_lease_lasts_for_a_bounded_time(bench: Bench, seconds: float) -> None:
    with pytest.raises(InvalidArgument):
        bench.db.leases.acquire("work", seconds=seconds)
    assert bench.db.leases.list() == []


def test_leases_are_no_history(bench: Bench) -> None:
    mine = bench.db.leases.acquire("work")
    assert mine is not None
    bench.db.leases.release(mine)
    assert bench.db.log() == []
    assert bench.db.verify().versions == 0
