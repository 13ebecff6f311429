"""Agents: running them, defining your own, and working on their tasks."""

import signal
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal

import click
import msgspec

from strata.agents import Worker
from strata.base import limits
from strata.base.clock import iso
from strata.base.counts import plural
from strata.base.results import plain
from strata.cli.command import Output, Spelling, group, more_notes
from strata.cli.completion import complete_documents
from strata.cli.output import local_time
from strata.cli.session import Invocation, say
from strata.cli.show.text import facts, one_line, table
from strata.cli.words import LIMIT
from strata.mcp.start import host_at
from strata.tasks import Agent, Definition, Task, Thinking, definitions_in, read_definition
from strata.tools import StoreHost
from strata.workspace import Workspace

AgentName = Annotated[str, "Its name or id.", Spelling("AGENT")]
TaskName = Annotated[str, "The id that `strata agent run` told.", Spelling("TASK")]
# How often a task that another process works on is looked at.
_LOOK_S = 0.2

agent = group(
    "agent",
    """Ask agents to work on documents, and define agents of your own.

    Alone it lists them. An agent may do what you may, and no more; what it writes are
    suggestions and comments, unless its definition says otherwise.

        strata doc new Plan "See the Budget Review."
        strata doc new "Budget Review" "Costs of the plan."
        strata agent run linker
        strata agent
    """,
    takes="user",
    alone="list",
)


@agent.reads("list", anywhere=True)
def list_agents(db: Workspace) -> Output:
    """List the agents that you can ask.

    Strata's own need no model; yours and those for every user think with one.

        strata init
        strata agent list
    """
    found = db.agents.list()
    rows = [
        (
            one.id,
            one.name,
            "Strata" if one.is_platform else "everybody" if one.is_shared else "yours",
            one.definition.description,
        )
        for one in found
    ]
    lines = table(("ID", "NAME", "WHOSE", "ABOUT"), rows)
    return Output({"agents": [_described(one) for one in found]}, lines)


@agent.reads("show", anywhere=True)
def show(db: Workspace, name: AgentName) -> Output:
    """Show an agent: what it is for, its model, and what it may do.

    The key of its model is nowhere to be shown: only the name of the variable is kept.

        strata init
        strata agent show linker
    """
    found = db.agents.get(name)
    return Output(_described(found), _agent_lines(found))


def _agent_lines(one: Agent) -> Iterator[str]:
    defined, thinking = one.definition, one.definition.thinking
    pairs = [("id", one.id), ("name", one_line(one.name)), ("about", one_line(defined.description))]
    if not one.is_platform:
        pairs += [
            ("model", f"{thinking.model or 'that of the settings'} ({thinking.kind})"),
            ("endpoint", thinking.endpoint or "that of the settings"),
            ("key", f"in {thinking.key_variable}" if thinking.key_variable else "none named"),
            ("tools", ", ".join(defined.groups)),
            ("limits", f"{defined.timeout_s:g} s, {plural(defined.calls_max, 'call')}"),
        ]
    pairs.append(("edits", "count at once" if defined.may_edit else "are suggestions"))
    if defined.allow:
        pairs.append(("allowed", ", ".join(defined.allow)))
    yield from facts(pairs)
    if defined.instructions:
        yield ""
        yield from defined.instructions.splitlines()


def _described(one: Agent) -> dict[str, object]:
    members = plain(one.definition)
    thinking = members.pop("thinking")
    own = {name: getattr(one, name) for name in ("id", "name", "is_platform", "is_shared")}
    return {**own, **members, **thinking}


@agent.writes("define", anywhere=True, creates=True)
def define(
    db: Workspace,
    name: Annotated[str | None, "What it is called."] = None,
    *,
    files: Annotated[
        tuple[Path, ...],
        "Read it from this .md or .toml file, or from all in this folder.",
        Spelling("PATH", "--file"),
    ] = (),
    instructions: Annotated[str | None, "What it is for."] = None,
    description: Annotated[str, "A line about it, for lists."] = "",
    endpoint: Annotated[
        str | None, "Where its model answers; else that of the settings.", Spelling("URL")
    ] = None,
    model: Annotated[str | None, "Which model to ask there.", Spelling("NAME")] = None,
    kind: Annotated[Literal["openai", "anthropic"], "How the endpoint is spoken to."] = "openai",
    key_variable: Annotated[
        str | None,
        "The environment variable that has its key; the key is never kept.",
        Spelling("NAME"),
    ] = None,
    groups: Annotated[
        tuple[str, ...],
        "Give it the tools of this group; without, core and comments.",
        Spelling("NAME", "--group"),
    ] = (),
    may_edit: Annotated[bool, "Let its edits count at once."] = False,
    may_mix: Annotated[
        bool, "Let it write where not every reader may read what it has read."
    ] = False,
    allow: Annotated[
        tuple[str, ...],
        "Allow this too, such as edit_document.share.",
        Spelling("TOOL.ACTION"),
    ] = (),
    timeout_s: Annotated[
        float, "Seconds that a task may take.", Spelling(flags="--timeout")
    ] = limits.AGENT_TASK_S,
    shared: Annotated[bool, "Let every user ask it; only the owner may."] = False,
) -> Output:
    """Define an agent that thinks with a model, or change one.

    Say what it is in options, or in files: markdown whose fields are between two lines of ---
    and whose text is the instructions, or TOML.

        strata agent define proofreader --instructions "Propose corrections of misspelled words." \
--endpoint http://localhost:11434/v1 --model qwen3
        strata agent define reviewer --instructions "Comment on claims without a source." \
--endpoint https://api.example.com/v1 --model large --key-variable EXAMPLE_API_KEY
        strata agent list
    """
    found = [read_definition(file) for place in files for file in definitions_in(place)]
    if name is not None:
        if not instructions:
            raise click.UsageError("Say by --instructions what the agent is for.")
        definition = Definition(
            description=description,
            instructions=instructions,
            thinking=Thinking(endpoint=endpoint, model=model, kind=kind, key_variable=key_variable),
            groups=groups or Definition().groups,
            may_edit=may_edit,
            may_mix=may_mix,
            allow=allow,
            timeout_s=timeout_s,
        )
        found.append((name, definition, shared))
    if not found:
        raise click.UsageError("Give a name and --instructions, or --file.")
    made = [db.agents.define(one, what, shared=own or shared) for one, what, own in found]
    lines = [f"defined {one_line(one.name)} ({one.id})" for one in made]
    return Output({"agents": [_described(one) for one in made]}, lines)


@agent.writes("remove", anywhere=True)
def remove(db: Workspace, name: AgentName) -> Output:
    """Remove an agent that you have defined.

    Tasks of it that have not begun fail; what it wrote stays.

        strata agent define helper --instructions "Help."
        strata agent remove helper
    """
    gone = db.agents.remove(name)
    return Output(_described(gone), f"removed {one_line(gone.name)} ({gone.id})")


@agent.command_of("run", takes="branch user")
def run(
    session: Invocation,
    name: AgentName,
    *,
    document: Annotated[
        str | None,
        "What it is about, by id or title; without, all that you see.",
        Spelling("DOCUMENT", complete=complete_documents),
    ] = None,
    instruction: Annotated[str, "What you want, in your own words."] = "",
    key: Annotated[str | None, "The same key again gives the same task."] = None,
    wait: Annotated[
        bool,
        "Wait for the end, or let another process do it.",
        Spelling(flags="--wait/--no-wait"),
    ] = True,
) -> Output:
    """Ask an agent for something.

    It is done here and now, unless a server of the same store takes it first. With --no-wait it
    is left to `strata serve`, `strata mcp` or `strata agent work`. The exit code is 1 when the
    task does not end well.

        strata doc new Plan "See the Budget Review."
        strata doc new "Budget Review" "Costs of the plan."
        strata agent run linker
        strata agent run linker --document Plan --instruction "at most 3"
        strata agent run digest --no-wait
    """
    with session.writing() as db:
        about = None if document is None else db.documents.called(document)
        task = db.agents.invoke(name, document=about, instruction=instruction, request=key)
    if wait and not task.has_ended:
        with _opened_host(session) as host:
            task = _done(host, task.id)
    return _task(task, code=1 if task.has_ended and task.status != "completed" else 0)


@contextmanager
def _opened_host(session: Invocation) -> Generator[StoreHost]:
    """Open the store for agents to work in: each acts for the user who asked it."""
    with session.writing(anywhere=True):
        pass  # refuses what is not there, and brings an older file up to date
    host = host_at(session.db, read_only=False, auto_embed=False)
    try:
        yield host
    finally:
        host.close()


def _done(host: StoreHost, task: str) -> Task:
    """Do a task here unless another process does, and return it when it has ended."""
    worker = Worker(host)
    while True:
        found = worker.run_one(task) or host.db.agents.queue.get(task)
        assert found is not None, "a task is kept for longer than a command waits"
        if found.has_ended:
            return found
        time.sleep(_LOOK_S)


@agent.reads("status", anywhere=True)
def status(db: Workspace, task: TaskName) -> Output:
    """Show one of your tasks: how far it is, and what came of it.

    The key that was given with --key names it too.

        strata doc new Plan "One. Two."
        strata agent run outliner --key first
        strata agent status first
    """
    return _task(db.agents.task(db.agents.task_called(task)))


def _task(task: Task, *, code: int = 0) -> Output:
    pairs = [
        ("task", task.id),
        ("agent", one_line(task.agent_name)),
        ("status", _state(task)),
        ("tool calls", str(task.tool_calls)),
    ]
    if task.error is not None:
        pairs.append(("error", task.error))
    output = [] if task.output is None else ["", *task.output.splitlines()]
    notes = [] if task.has_ended else [f"`strata agent status {task.id}` tells how far it is"]
    return Output(_described_task(task), [*facts(pairs), *output], notes=notes, code=code)


def _state(task: Task) -> str:
    return "being cancelled" if task.is_cancelled and not task.has_ended else task.status


def _described_task(one: Task) -> dict[str, object]:
    return {
        "id": one.id,
        "agent": one.agent_name,
        "status": one.status,
        "document": one.document,
        "instruction": one.instruction,
        "branch": one.branch,
        "tool_calls": one.tool_calls,
        "attempts": one.attempts,
        "output": one.output,
        "error": one.error,
        "created": iso(one.created),
        "started": None if one.started is None else iso(one.started),
        "ended": None if one.ended is None else iso(one.ended),
    }


@agent.reads("steps", anywhere=True)
def steps(db: Workspace, task: TaskName) -> Output:
    """Show what the agent did in one of your tasks, step by step.

    A step is a call of a tool with its answer, or a note of the agent. Long arguments and answers
    are cut; of a long task the newest steps are kept.

        strata doc new Plan "See the Budget Review."
        strata doc new "Budget Review" "Costs of the plan."
        strata agent run linker --key links
        strata agent steps links
    """
    found = db.agents.steps(db.agents.task_called(task))
    rows = [
        (
            one.number,
            local_time(one.created),
            one.tool or "note",
            f"{one.took / 1_000_000:.1f}" if one.tool else "",
            one_line(f"{one.arguments} {'error: ' if one.is_error else ''}{one.answer}".strip()),
        )
        for one in found
    ]
    headers = ("STEP", "TIME", "TOOL", "SECONDS", "")
    return Output(
        {"steps": found},
        table(headers, rows, right=["STEP", "SECONDS"]),
        empty="no step is recorded",
    )


@agent.reads("tasks", anywhere=True)
def tasks(
    db: Workspace,
    *,
    limit: Annotated[
        int, "How many at most.", LIMIT, msgspec.Meta(ge=1, le=limits.PAGE_ITEMS_MAX)
    ] = 20,
    before: Annotated[str | None, "Only tasks before this one.", Spelling("TASK")] = None,
) -> Output:
    """List your tasks, newest first.

    Those that ended are listed for 30 days. The tasks of other users are not.

        strata init
        strata agent run digest --no-wait
        strata agent tasks
    """
    found = db.agents.tasks(limit, before=before)
    rows = [
        (
            one.id,
            one.agent_name,
            one.status,
            one.tool_calls,
            local_time(one.created),
            one.error or one.instruction,
        )
        for one in found
    ]
    headers = ("TASK", "AGENT", "STATUS", "CALLS", "ASKED", "")
    return Output(
        {"tasks": [_described_task(one) for one in found], "more": found.more},
        table(headers, rows, right=["CALLS"]),
        empty="nothing was asked yet",
        notes=more_notes(found, "--before"),
    )


@agent.writes("cancel", anywhere=True)
def cancel(db: Workspace, task: TaskName) -> Output:
    """Cancel one of your tasks.

    One that waits is cancelled at once, one that runs before its next step. What it has done by
    then stays.

        strata init
        strata agent run digest --no-wait --key weekly
        strata agent cancel weekly
    """
    found = db.agents.cancel(db.agents.task_called(task))
    return Output(_described_task(found), f"{found.id} is {_state(found)}")


@agent.command_of("work", takes="")
def work(
    session: Invocation,
    *,
    until_idle: Annotated[bool, "Stop when nothing waits any more."] = False,
    at_once: Annotated[
        int, "How many tasks to work on at once.", msgspec.Meta(ge=1, le=64)
    ] = limits.AGENT_TASKS_RUNNING,
) -> Output | None:
    """Let agents do what they were asked, until Ctrl-C or SIGTERM.

    Several processes may work on one store. A task that is stopped in the middle is given back,
    and another one does it.

        strata init
        strata agent run digest --no-wait
        strata agent work --until-idle
    """
    with _opened_host(session) as host:
        if until_idle:
            count = _drain(host)
            return Output({"tasks": count}, f"did {plural(count, 'task')}")
        stopped = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda _number, _frame: stopped.set())
        Worker(host, running=at_once).start()
        say("agents work here; Ctrl-C stops")
        stopped.wait()
    return None


def _drain(host: StoreHost) -> int:
    """Do one task after another until none waits; return how many were done."""
    worker, count = Worker(host), 0
    while host.db.agents.queue.is_waiting():
        if worker.run_one() is None:
            time.sleep(0.05)  # another process was quicker
        else:
            count += 1
    return count
