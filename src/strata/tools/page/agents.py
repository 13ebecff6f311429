"""Agents that a user can run, the queue of their tasks, and one task while it goes on."""

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta

from strata.base import limits
from strata.base.errors import AlreadyExists, NotAllowed, StrataError
from strata.tools.page.group import Limit, PageAnswer, iso, page
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.tasks import Agent, Definition, Task, TaskStep
    from strata.workspace import Workspace

TaskId = Annotated[str, "task_…"]
TaskStatus = Literal["pending", "running", "completed", "failed", "cancelled", "timedOut"]
# What a list shows of an instruction, an output or an error; the screen of the task has all of it.
_SHORT_CHARACTERS = 300


class TaskLine(PageAnswer, frozen=True):
    """A task in a list; `title` is that of the document, where the user may still read it."""

    id: str
    agent_id: str
    agent_name: str
    status: TaskStatus
    # Whether it was cancelled and has not stopped yet.
    is_stopping: bool
    branch: str
    document: str | None
    title: str | None
    instruction: str
    summary: str
    tool_calls: int
    created: str
    started: str | None
    ended: str | None


class AgentLine(PageAnswer, frozen=True):
    """An agent, what it may do, and its newest task of this user."""

    id: str
    name: str
    description: str
    # Whose it is: Strata's, the user's own, or another user's who shares it with everybody.
    whose: Literal["strata", "own", "shared"]
    may_edit: bool
    is_shared: bool
    instructions: str
    # None for Strata's own, which need no model, and where the settings name it.
    model: str | None
    endpoint: str | None
    kind: Literal["openai", "anthropic"]
    key_variable: str | None
    groups: list[str]
    allow: list[str]
    may_mix: bool
    timeout_s: float
    last: TaskLine | None


class AgentList(PageAnswer, frozen=True):
    """The agents that the user can run: Strata's, their own, and shared ones."""

    agents: list[AgentLine]
    # Whether tasks are done by the process that answers; if not, another one has to take them.
    works_here: bool
    # Whether the user may say where the model of an agent answers, and which key it gets.
    may_choose_endpoint: bool
    may_share: bool


class TaskList(PageAnswer, frozen=True):
    """Tasks, newest first; `next` is what to send as `before` for earlier ones."""

    tasks: list[TaskLine]
    next: str | None


class StepLine(PageAnswer, frozen=True):
    """A call of a tool with its arguments and its answer, cut; without a tool a note."""

    number: int
    when: str
    tool: str | None
    arguments: str
    answer: str
    is_error: bool
    took_ms: float


class TaskView(PageAnswer, frozen=True):
    """One task: what was asked, how far it is, what it did, and what came of it."""

    task: TaskLine
    instruction: str
    output: str | None
    error: str | None
    attempts: int
    attempts_max: int
    # Until when it has to end, or to begin while it waits.
    deadline: str
    # Until when a worker that is silent keeps a running task.
    leased_until: str | None
    # The server's time, from which a page counts what has elapsed.
    now: str
    steps: list[StepLine]
    # How many steps are kept at most.
    steps_max: int
    # Whether the agent exists, so that the task can be run again.
    can_repeat: bool


class AgentGone(PageAnswer, frozen=True):
    """The agent that was deleted."""

    id: str
    name: str


@page.reads(needs="agents", example={})
def agents(call: Call) -> AgentList:
    """List the agents that the user can run, and when each last ran for them."""
    here = call.db
    return AgentList(
        agents=[_agent(here, one) for one in here.agents.list()],
        works_here=call.session.host.start_agents is not None,
        may_choose_endpoint=_may_choose_endpoint(call),
        may_share=here.rights.user.is_owner,
    )


@page.reads(needs="agents", example={"limit": 20})
def tasks(
    call: Call,
    *,
    status: Annotated[TaskStatus | None, "Only of this status"] = None,
    agent_id: Annotated[str | None, "Only of this agent"] = None,
    before: Annotated[str | None, "Only tasks before this one"] = None,
    limit: Limit = 30,
) -> TaskList:
    """List the user's tasks, newest first."""
    here = call.db
    found = here.agents.tasks(limit, before=before, status=status, agent=agent_id)
    return TaskList(tasks=[_task(here, one) for one in found], next=found.next)


@page.reads(needs="agents", example={"taskId": "task_01JABCDEFGHJKMNPQRSTVWXYZ0"})
def task(call: Call, *, task_id: TaskId) -> TaskView:
    """Show one of the user's tasks: how far it is, its steps, its output or its error."""
    here = call.db
    found = here.agents.task(task_id)
    return TaskView(
        task=_task(here, found),
        instruction=found.instruction,
        output=found.output,
        error=found.error,
        attempts=found.attempts,
        attempts_max=limits.AGENT_ATTEMPTS,
        deadline=iso(found.deadline),
        leased_until=_time(found.leased_until),
        now=iso(here.agents.queue.now()),
        steps=[_step(one) for one in here.agents.steps(task_id)],
        steps_max=limits.AGENT_STEPS_MAX,
        can_repeat=any(one.id == found.agent for one in here.agents.list()),
    )


@page.writes(needs="agents", example={"taskId": "task_01JABCDEFGHJKMNPQRSTVWXYZ0"})
def cancel_task(call: Call, *, task_id: TaskId) -> TaskLine:
    """Cancel one of the user's tasks; what it has done by then stays."""
    here = call.db
    return _task(here, here.agents.cancel(task_id))


@page.writes(needs="agents", example={"taskId": "task_01JABCDEFGHJKMNPQRSTVWXYZ0"})
def repeat_task(call: Call, *, task_id: TaskId) -> TaskLine:
    """Ask for the same as one of the user's tasks again, on its branch; as a new task."""
    from strata.tasks import caller_of  # noqa: PLC0415  (not before it is needed)

    found = call.db.agents.task(task_id)
    here = call.anywhere.on(found.branch)
    made = here.agents.invoke(
        found.agent,
        document=found.document,
        instruction=found.instruction,
        caller=caller_of(call.session.grant),
    )
    if call.session.host.start_agents is not None:
        call.session.host.start_agents()
    return _task(here, made)


@page.writes(
    needs="agents", idempotent=True, example={"agentName": "교정", "instructions": "Find mistakes."}
)
def define_agent(
    call: Call,
    *,
    agent_name: Annotated[str, "A new name, or that of one's own agent to change"],
    instructions: Annotated[str, "What it is for"],
    description: Annotated[str, "A line about it, for lists"] = "",
    endpoint: Annotated[str | None, "Where its model answers; else that of the settings"] = None,
    model: Annotated[str | None, "Which model to ask there"] = None,
    kind: Annotated[Literal["openai", "anthropic"], "How the endpoint is spoken to"] = "openai",
    key_variable: Annotated[str | None, "The variable of the server that holds the key"] = None,
    may_edit: Annotated[bool, "Let its edits count at once"] = False,
    timeout_s: Annotated[
        float, Meta(description="Seconds that a task may take", gt=0, le=limits.AGENT_TASK_S_MAX)
    ] = limits.AGENT_TASK_S,
    is_shared: Annotated[bool, "Let every user run it; only the owner may"] = False,
    is_new: Annotated[bool, "Refuse a name that one's own agent has"] = False,
) -> AgentLine:
    """Define an agent that thinks with a model, or change one's own.

    Only the owner says where a model answers and which key goes there: the server sends both.
    """
    from strata.tasks import Thinking  # noqa: PLC0415  (not before it is needed)

    here = call.db
    before = _own(here, agent_name)
    if is_new and before is not None:
        raise AlreadyExists(
            f"You have an agent {agent_name!r} already.",
            hint="Use another name, or edit that one.",
            name=agent_name,
        )
    known = _blank() if before is None else before.definition
    thinking = Thinking(endpoint=endpoint, model=model, kind=kind, key_variable=key_variable)
    if not _may_choose_endpoint(call):
        if endpoint is not None or key_variable is not None:
            raise NotAllowed(
                "Only the owner of the workspace says where the model of an agent answers.",
                hint="Leave out endpoint and keyVariable: then the model of the settings is asked.",
            )
        # What was defined elsewhere stays as it is.
        own = known.thinking
        thinking = msgspec.structs.replace(
            own, model=model, kind=kind if own.endpoint is None else own.kind
        )
    definition = msgspec.structs.replace(
        known,
        description=description,
        instructions=instructions,
        thinking=thinking,
        may_edit=may_edit,
        timeout_s=timeout_s,
    )
    return _agent(here, here.agents.define(agent_name, definition, shared=is_shared))


@page.writes(
    needs="agents", destructive=True, example={"agentId": "agent_01JABCDEFGHJKMNPQRSTVWXYZ0"}
)
def remove_agent(call: Call, *, agent_id: Annotated[str, "agent_…"]) -> AgentGone:
    """Delete an agent of one's own; what it wrote stays."""
    gone = call.db.agents.remove(agent_id)
    return AgentGone(id=gone.id, name=gone.name)


def _may_choose_endpoint(call: Call) -> bool:
    """Tell whether the caller is the owner without a bound: a token for agents is given away."""
    grant = call.session.grant
    return call.db.rights.user.is_owner and (grant is None or grant.groups is None)


def _own(here: "Workspace", name: str) -> "Agent | None":
    """Return the user's own agent of a name."""
    user = here.rights.user.id
    found = (one for one in here.agents.list() if one.user == user and one.name == name)
    return next(found, None)


def _blank() -> "Definition":
    from strata.tasks import Definition  # noqa: PLC0415  (not before it is needed)

    return Definition()


def _agent(here: "Workspace", one: "Agent") -> AgentLine:
    defined, thinking = one.definition, one.definition.thinking
    newest = here.agents.tasks(1, agent=one.id)
    is_own = one.user == here.rights.user.id
    return AgentLine(
        id=one.id,
        name=one.name,
        description=defined.description,
        whose="strata" if one.is_platform else "own" if is_own else "shared",
        may_edit=defined.may_edit,
        is_shared=one.is_shared,
        instructions=defined.instructions,
        model=thinking.model,
        endpoint=thinking.endpoint,
        kind=thinking.kind,
        key_variable=thinking.key_variable,
        groups=list(defined.groups),
        allow=list(defined.allow),
        may_mix=defined.may_mix,
        timeout_s=defined.timeout_s,
        last=_task(here, newest[0]) if newest else None,
    )


def _task(here: "Workspace", one: "Task") -> TaskLine:
    came = one.error or one.output or ""
    return TaskLine(
        id=one.id,
        agent_id=one.agent,
        agent_name=one.agent_name,
        status=one.status,
        is_stopping=one.is_cancelled and not one.has_ended,
        branch=one.branch,
        document=one.document,
        title=_title(here, one),
        instruction=one.instruction[:_SHORT_CHARACTERS],
        summary=came[:_SHORT_CHARACTERS],
        tool_calls=one.tool_calls,
        created=iso(one.created),
        started=_time(one.started),
        ended=_time(one.ended),
    )


def _title(here: "Workspace", one: "Task") -> str | None:
    """Return what the document of a task is called, on the task's branch and for this user."""
    if one.document is None:
        return None
    try:
        return here.on(one.branch).documents.get(one.document).title
    except StrataError:
        return None


def _step(one: "TaskStep") -> StepLine:
    return StepLine(
        number=one.number,
        when=iso(one.created),
        tool=one.tool,
        arguments=one.arguments,
        answer=one.answer,
        is_error=one.is_error,
        took_ms=one.took / 1000,
    )


def _time(microseconds: int | None) -> str | None:
    return None if microseconds is None else iso(microseconds)
