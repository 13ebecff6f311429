"""The group `strata agent`, the list of agents, and what its commands share."""

from collections.abc import Generator
from contextlib import contextmanager

import click

from strata.agents import Agent, Task
from strata.base.clock import iso
from strata.cli.decorated import command, group
from strata.cli.output import answer
from strata.cli.session import Invocation
from strata.cli.show.tables import table
from strata.cli.show.text import one_line
from strata.mcp.start import host_at
from strata.tools import StoreHost

AGENT = click.argument("name", metavar="AGENT", help="Its name or id.")
TASK = click.argument("task", metavar="TASK", help="The id that `strata agent run` told.")


@group(
    "agent",
    takes="user",
    examples="""
    strata doc new Plan "See the Budget Review."
    strata doc new "Budget Review" "Costs of the plan."
    strata agent run linker
    strata agent
    """,
)
def agent(session: Invocation) -> None:
    """Ask agents to work on documents, and define agents of your own.

    Alone it lists them. An agent may do what you may, and no more; what it writes are
    suggestions and comments, unless its definition says otherwise.
    """
    _list(session)


@command("list", group=agent, takes="user", examples="strata init\nstrata agent list")
def list_agents(session: Invocation) -> None:
    """List the agents that you can ask.

    Strata's own need no model; yours and those for everybody think with one.
    """
    _list(session)


def _list(session: Invocation) -> None:
    with session.reading(anywhere=True) as db:
        found = db.agents.list()
    rows = [(one.id, one_line(one.name), _whose(one), one_line(one.definition.description))
            for one in found]  # fmt: skip
    headers = ("ID", "NAME", "WHOSE", "ABOUT")
    answer(session, {"agents": [told_agent(one) for one in found]}, table(headers, rows))


def _whose(one: Agent) -> str:
    return "Strata" if one.is_platform else "everybody" if one.is_shared else "yours"


def told_agent(one: Agent) -> dict[str, object]:
    """Return an agent for --json."""
    defined = one.definition
    return {
        "id": one.id, "name": one.name, "is_platform": one.is_platform,
        "is_shared": one.is_shared, "description": defined.description,
        "instructions": defined.instructions, "endpoint": defined.thinking.endpoint,
        "model": defined.thinking.model, "kind": defined.thinking.kind,
        "key_variable": defined.thinking.key_variable, "groups": defined.groups,
        "may_edit": defined.may_edit, "may_mix": defined.may_mix, "allow": defined.allow,
        "timeout_s": defined.timeout_s, "requests_max": defined.requests_max,
        "calls_max": defined.calls_max, "tokens_max": defined.tokens_max,
    }  # fmt: skip


def told_task(one: Task) -> dict[str, object]:
    """Return a task for --json, with times spelled out."""
    return {
        "id": one.id, "agent": one.agent_name, "status": one.status, "document": one.document,
        "instruction": one.instruction, "branch": one.branch, "tool_calls": one.tool_calls,
        "attempts": one.attempts, "output": one.output, "error": one.error,
        "created": iso(one.created),
        "started": None if one.started is None else iso(one.started),
        "ended": None if one.ended is None else iso(one.ended),
    }  # fmt: skip


@contextmanager
def opened_host(session: Invocation) -> Generator[StoreHost]:
    """Open the store for agents to work in: they act for whoever asked each of them."""
    with session.writing(anywhere=True):
        pass  # refuses what is not there, and brings an older file up to date
    host = host_at(session.db, read_only=False, auto_embed=False)
    try:
        yield host
    finally:
        host.close()
