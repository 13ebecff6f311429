"""invoke_agent and get_agent_status: asking an agent, and what came of it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import UNSET, UnsetType

from strata.base.errors import InvalidArgument, NotFound, StrataError
from strata.tools.declare import HIDDEN, ToolGroup
from strata.tools.documents.group import advise as about_documents
from strata.tools.documents.group import time_of, workspace_for
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.tasks import Agents, Task

_POLL = "Not done yet: call get_agent_status with this taskId in a few seconds."
_BOTH = "Give agentId or agentName, not both."
_NEITHER = "Name the agent: by agentId or by agentName."


def _advise(error: StrataError) -> Mapping[str, Any]:
    """Return an error's words for MCP clients, in place of those for the terminal."""
    if isinstance(error, NotFound) and "task" in error.details:
        return {"hint": "invoke_agent returns the ID of a task; only who asked can look at it."}
    return about_documents(error)


agents = ToolGroup("agents", case="camel", advise=_advise)


class InvokedTask(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """The task that was made, or that the same idempotency key made before."""

    task_id: str
    status: str
    agent_id: Annotated[str, HIDDEN]
    agent_name: Annotated[str, HIDDEN]
    next: Annotated[dict[str, Any] | UnsetType, HIDDEN] = UNSET


class TaskProgress(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """How far a task is; `output` when it is completed, `error` when it went wrong."""

    task_id: str
    status: str
    tool_call_count: int
    output: str | UnsetType = UNSET
    error: str | UnsetType = UNSET
    agent_name: Annotated[str, HIDDEN]
    document_id: Annotated[str | UnsetType, HIDDEN] = UNSET
    branch: Annotated[str, HIDDEN]
    created: Annotated[str | UnsetType, HIDDEN] = UNSET
    started: Annotated[str | UnsetType, HIDDEN] = UNSET
    ended: Annotated[str | UnsetType, HIDDEN] = UNSET
    hint: Annotated[str | UnsetType, HIDDEN] = UNSET


@agents.writes(
    idempotent=False,
    open_world=True,
    example={"agentName": "linker", "documentId": "doc_01JABCDEFGHJKMNPQRSTVWXYZ0"},
)
def invoke_agent(
    call: Call,
    *,
    agent_id: Annotated[str | None, "Or agentName"] = None,
    agent_name: Annotated[
        str | None, "linker, outliner, duplicates, digest, curator or your own"
    ] = None,
    document_id: Annotated[str | None, "The document it is about"] = None,
    instruction: Annotated[str | None, 'What you want; "at most 5", "only folder Plans"'] = None,
    idempotency_key: Annotated[str | None, "The same again: one task"] = None,
) -> InvokedTask:
    """Ask an agent to work on documents in the background; then poll get_agent_status.

    linker proposes links, outliner headings, duplicates comments on repeated passages, digest
    writes a digest of recent changes or of a document, curator proposes how to tidy up facts and
    decisions. Without documentId: over all you see. It may do what you may, no more, and proposes
    edits. Small changes: edit_document.
    """
    agents = workspace_for(call).agents
    caller = _caller(call)
    task = agents.invoke(
        _named(agents, agent_id, agent_name),
        document=document_id,
        instruction=instruction or "",
        request=idempotency_key,
        caller=caller,
    )
    if call.session.host.start_agents is not None:
        call.session.host.start_agents()
    return InvokedTask(
        task_id=task.id,
        status=task.status,
        agent_id=task.agent,
        agent_name=task.agent_name,
        next={"tool": "get_agent_status", "arguments": {"taskId": task.id}},
    )


@agents.reads(shared=(), example={"taskId": "task_01JABCDEFGHJKMNPQRSTVWXYZ0"})
def get_agent_status(
    call: Call, *, task_id: Annotated[str, "task_… of invoke_agent"]
) -> TaskProgress:
    """Tell how far an agent's task is: its status, tool calls, output or error.

    pending and running: ask again in a few seconds. completed, failed, cancelled and timedOut
    are ends.
    """
    return _progress_of(workspace_for(call).agents.task(task_id))


def _caller(call: Call) -> Any:
    from strata.tasks import caller_of  # noqa: PLC0415  (not before the first reply)

    return caller_of(call.session.grant)


def _named(agents: "Agents", agent_id: str | None, agent_name: str | None) -> str:
    """Return the id of the agent that is meant, by one of the two."""
    if agent_id is not None and agent_name is not None:
        raise InvalidArgument(_BOTH, parameter="agentName")
    listed = agents.list()
    if agent_id is None and agent_name is None:
        names = ", ".join(agent.name for agent in listed[:20])
        raise InvalidArgument(_NEITHER, hint=f"There are {names}.", parameter="agentName")
    field, wanted = ("id", agent_id) if agent_id is not None else ("name", agent_name)
    found = next((agent for agent in listed if getattr(agent, field) == wanted), None)
    if found is None:
        names = ", ".join(str(getattr(agent, field)) for agent in listed[:20])
        parameter = "agentId" if agent_id is not None else "agentName"
        raise NotFound(
            f"There is no agent {str(wanted)[:200]!r}.",
            hint=f"There are {names}.",
            parameter=parameter,
        )
    return found.id


def _progress_of(task: "Task") -> TaskProgress:
    return TaskProgress(
        task_id=task.id,
        status=task.status,
        tool_call_count=task.tool_calls,
        output=UNSET if task.output is None else task.output,
        error=UNSET if task.error is None else task.error,
        agent_name=task.agent_name,
        document_id=task.document or UNSET,
        branch=task.branch,
        created=time_of(task.created),
        started=time_of(task.started),
        ended=time_of(task.ended),
        hint=UNSET if task.has_ended else _POLL,
    )


TOOL_GROUPS = (agents,)
