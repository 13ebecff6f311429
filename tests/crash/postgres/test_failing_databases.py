"""A database that fails under load: nothing acknowledged is lost, and writers go on."""

import random
import time
from collections.abc import Callable

import pytest

import strata
from tests.crash.length import rounds
from tests.crash.postgres.servers import Server, ended, running_server, short_folder
from tests.crash.postgres.writers import Team

pytestmark = [pytest.mark.crash, pytest.mark.slow]
FAULTS: dict[str, Callable[[Server], None]] = {
    "restarted": lambda server: (server.stop(), server.start())[0],
    "stopped at once": lambda server: (server.stop("immediate"), server.start())[0],
    "killed": lambda server: (server.kill(), server.start())[0],
    "one process of it killed": lambda server: server.kill_one(),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_writers_go_on_after_a_database_that_was(fault: str, server: Server, name: str) -> None:
    with Team(server.address(workspace=name)) as team:
        team.wait_for_more()
        for _turn in range(rounds(2, 20)):
            time.sleep(random.uniform(0, 0.3))
            FAULTS[fault](server)
            team.wait_for_more()
        found = team.check()
    print(f"\n{fault}: {found} acknowledged, none lost, {len(team.complaints)} calls refused")
    assert found > 50


def test_writers_that_are_killed_leave_nothing_half_done(server: Server, name: str) -> None:
    with Team(server.address(workspace=name)) as team:
        for _turn in range(rounds(3, 40)):
            team.wait_for_more(5)
            team.replace_one()
        team.wait_for_more(5)
        assert team.check() > 20


def test_writers_go_on_with_a_promoted_replica() -> None:
    """The replica has all that was acknowledged, because commits wait for it."""
    with short_folder() as folder, running_server(folder / "first") as first:
        second = first.replica(folder / "second")
        try:
            second.start()
            first.execute(
                "ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()"
            )
            hosts = f"127.0.0.1:{first.port},127.0.0.1:{second.port}"
            address = f"postgresql://postgres@{hosts}/strata?workspace=넘김"
            with Team(address) as team:
                team.wait_for_more()
                first.kill()
                second.promote()
                # What the first one asked of its own replica is in the settings that were copied.
                second.execute(
                    "ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()"
                )
                team.wait_for_more()
                found = team.check()
            print(f"\n{found} acknowledged, none lost, {len(team.complaints)} calls refused")
            with strata.open(second.address(workspace="넘김"), auto_embed=False) as db:
                assert db.verify().ok
        finally:
            ended(second)
