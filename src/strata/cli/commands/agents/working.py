"""Letting agents work in this process, without a server."""

import signal
import threading
import time

import click

from strata.base import limits
from strata.cli.commands.agents.group import agent, opened_host
from strata.cli.decorated import command
from strata.cli.output import answer, plural
from strata.cli.session import Invocation, say
from strata.tools import StoreHost


@command(
    "work",
    group=agent,
    examples="""
    strata init
    strata agent run digest --no-wait
    strata agent work --until-idle
    """,
)
@click.option("--until-idle", is_flag=True, help="Stop when nothing waits any more.")
@click.option("--at-once", type=click.IntRange(1, 64), default=limits.AGENT_TASKS_RUNNING,
              show_default=True, help="How many tasks to work on at once.")  # fmt: skip
def work(session: Invocation, *, until_idle: bool, at_once: int) -> None:
    """Let agents do what they were asked, until Ctrl-C or SIGTERM.

    Several processes may work on one store. A task that is stopped in the middle is given back,
    and another one does it.
    """
    with opened_host(session) as host:
        if until_idle:
            answer(session, {"tasks": (count := _drain(host))}, [f"did {plural(count, 'task')}"])
            return
        stopped = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda _number, _frame: stopped.set())
        host.worker.at_once = at_once
        host.worker.start()
        say("agents work here; Ctrl-C stops")
        stopped.wait()


def _drain(host: StoreHost) -> int:
    """Do one task after another until none waits; return how many it were."""
    count = 0
    while host.db.agents.queue.is_waiting():
        if host.worker.run_one() is None:
            time.sleep(0.05)  # another process was quicker
        else:
            count += 1
    return count
