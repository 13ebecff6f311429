"""Machines whose clocks differ share the database's: leases and times are as if they did not."""

import subprocess
import sys

import pytest

import strata
from strata.base import clock
from tests.crash.postgres.servers import Server

pytestmark = [pytest.mark.crash, pytest.mark.slow]
MINUTE_US = 60_000_000
# A program on another machine, whose clock is so many microseconds ahead.
PROGRAM = """
import sys
from strata.base import clock
right, ahead = clock.now_us, int(sys.argv[2])
clock.now_us = lambda: right() + ahead
import strata
with strata.open(sys.argv[1], auto_embed=False) as db:
    lease = db.leases.acquire("일", seconds=60)
    print(lease.expires if lease else 0, db.kv.put("키", "값").timestamp)
"""


def elsewhere(address: str, ahead_us: int) -> tuple[int, int]:
    """Take a lease and write on another machine; return when both is, 0 for no lease."""
    command = [sys.executable, "-c", PROGRAM, address, str(ahead_us)]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    expires, written = map(int, done.stdout.split())
    return expires, written


@pytest.mark.parametrize("hours", [-5, 5])
def test_a_lease_holds_and_ends_by_the_clock_of_the_database(
    server: Server, name: str, hours: int
) -> None:
    address, ahead = server.address(workspace=name), hours * 60 * MINUTE_US
    with strata.open(address, auto_embed=False) as db:
        expires, written = elsewhere(address, ahead)
        now = clock.now_us()
        assert now < expires <= now + MINUTE_US
        assert abs(written - now) < MINUTE_US
        assert db.leases.acquire("일") is None  # it is held there
        (lease,) = db.leases.list()
        assert db.leases.release(lease)
        assert db.leases.acquire("일") is not None
        assert elsewhere(address, ahead)[0] == 0  # it is held here
