"""Asking agents, and what came of it."""

import time

import click

from strata.agents import Task
from strata.base import limits
from strata.cli.commands.agents.group import AGENT, TASK, agent, opened_host, told_task
from strata.cli.completion import complete_documents
from strata.cli.decorated import command
from strata.cli.output import answer, local_time
from strata.cli.session import Invocation, say
from strata.cli.show.tables import facts, table
from strata.cli.show.text import one_line
from strata.tools import StoreHost

# How often a task that another process works on is looked at.
_LOOK_S = 0.2


@command(
    "run",
    group=agent,
    takes="branch user",
    examples="""
    strata doc new Plan "See the Budget Review."
    strata doc new "Budget Review" "Costs of the plan."
    strata agent run linker
    strata agent run linker --document Plan --instruction "at most 3"
    strata agent run digest --no-wait
    """,
)
@AGENT
@click.option("--document", metavar="DOCUMENT", shell_complete=complete_documents,
              help="What it is about, by id or title; without, all that you see.")  # fmt: skip
@click.option("--instruction", default="", help="What you want, in your own words.")
@click.option("--key", help="The same key again gives the same task.")
@click.option("--wait/--no-wait", default=True, show_default=True,
              help="Wait for the end, or let another process do it.")  # fmt: skip
def run(
    session: Invocation, *, name: str, document: str | None, instruction: str, key: str | None,
    wait: bool,
) -> int | None:  # fmt: skip
    """Ask an agent for something.

    It is done here and now, unless a server of the same store takes it first. With --no-wait it
    is left to `strata serve`, `strata mcp` or `strata agent work`. The exit code is 1 when the
    task does not end well.
    """
    with session.writing() as db:
        about = None if document is None else db.documents.called(document)
        task = db.agents.invoke(name, document=about, instruction=instruction, request=key)
    if wait and not task.has_ended:
        with opened_host(session) as host:
            task = _done(host, task.id)
    _show(session, task)
    return 1 if task.has_ended and task.status != "completed" else None


def _done(host: StoreHost, task: str) -> Task:
    """Do a task here if nobody else does, and return it when it has ended."""
    while True:
        found = host.worker.run_one(task) or host.db.agents.queue.get(task)
        assert found is not None, "a task is kept for longer than anybody waits"
        if found.has_ended:
            return found
        time.sleep(_LOOK_S)


@command(
    "status",
    group=agent,
    takes="user",
    examples="""
    strata doc new Plan "One. Two."
    strata agent run outliner --key first
    strata agent status first
    """,
)
@TASK
def status(session: Invocation, *, task: str) -> None:
    """Show one of your tasks: how far it is, and what came of it.

    The key that was given with --key names it too.
    """
    with session.reading(anywhere=True) as db:
        _show(session, db.agents.task(db.agents.task_called(task)))


@command(
    "tasks",
    group=agent,
    takes="user",
    examples="""
    strata init
    strata agent run digest --no-wait
    strata agent tasks
    """,
)
@click.option("-n", "--limit", type=click.IntRange(1, limits.PAGE_ITEMS_MAX), default=20,
              show_default=True, help="How many at most.")  # fmt: skip
def tasks(session: Invocation, *, limit: int) -> None:
    """List your tasks, newest first.

    Those that ended are told of for 30 days. Nobody sees tasks of others.
    """
    with session.reading(anywhere=True) as db:
        found = db.agents.tasks(limit)
    rows = [
        (one.id, one_line(one.agent_name), one.status, str(one.tool_calls),
         local_time(one.created), one_line(one.error or one.instruction))
        for one in found
    ]  # fmt: skip
    headers = ("TASK", "AGENT", "STATUS", "CALLS", "ASKED", "")
    answer(
        session, {"tasks": [told_task(one) for one in found]},
        table(headers, rows, right=["CALLS"]), empty="nothing was asked yet",
    )  # fmt: skip


@command(
    "cancel",
    group=agent,
    takes="user",
    examples="""
    strata init
    strata agent run digest --no-wait --key weekly
    strata agent cancel weekly
    """,
)
@TASK
def cancel(session: Invocation, *, task: str) -> None:
    """Cancel one of your tasks.

    One that waits is cancelled at once, one that runs before its next step. What it has done by
    then stays.
    """
    with session.writing(anywhere=True) as db:
        found = db.agents.cancel(db.agents.task_called(task))
    answer(session, told_task(found), [f"{found.id} is {_standing(found)}"])


def _standing(task: Task) -> str:
    return "being cancelled" if task.is_cancelled and not task.has_ended else task.status


def _show(session: Invocation, task: Task) -> None:
    pairs = [("task", task.id), ("agent", one_line(task.agent_name)), ("status", _standing(task)),
             ("tool calls", str(task.tool_calls))]  # fmt: skip
    if task.error is not None:
        pairs.append(("error", task.error))
    lines = facts(pairs)
    if task.output is not None:
        lines += ["", *task.output.splitlines()]
    answer(session, told_task(task), lines)
    if not task.has_ended and not session.json:
        say(f"`strata agent status {task.id}` tells how far it is")
