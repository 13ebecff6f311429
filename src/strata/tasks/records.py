"""Definitions of agents, their tasks, and the user each one acts for."""

import ipaddress
import re
from typing import Any, Literal, TypeAlias, get_args
from urllib.parse import urlsplit

import msgspec

from strata.access import Cap, Grant
from strata.base import limits
from strata.base.checks import check_text
from strata.base.errors import InvalidArgument, LimitExceeded
from strata.base.results import Result, TimedResult
from strata.store import unreadable

Status: TypeAlias = Literal["pending", "running", "completed", "failed", "cancelled", "timedOut"]
STATUSES: tuple[Status, ...] = get_args(Status)
ENDED: tuple[Status, ...] = ("completed", "failed", "cancelled", "timedOut")
Wire: TypeAlias = Literal["openai", "anthropic"]

# A variable that is named so holds a key, and not whatever else a machine's environment holds.
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*_(?:KEY|TOKEN)", re.ASCII)
_WORD = re.compile(r"[a-z][a-z0-9_]*(?:\.[A-Za-z]+)?", re.ASCII)


class Thinking(Result, frozen=True, kw_only=True, omit_defaults=True):
    """The model behind an agent: where it answers, what it is called, and how it is spoken to.

    The key is in a variable of the environment of the process that runs the agent; only the
    variable's name is kept.
    """

    endpoint: str | None = None
    model: str | None = None
    kind: Wire = "openai"
    key_variable: str | None = None


class Definition(Result, frozen=True, kw_only=True, omit_defaults=True):
    """What an agent is to do, with what, and how far it may go.

    `allow` names single tools or actions beyond what every agent may: "edit_document.share".
    """

    description: str = ""
    instructions: str = ""
    thinking: Thinking = Thinking()
    groups: tuple[str, ...] = ("core", "comments")
    may_edit: bool = False
    # Whether it may write for readers who may not read all that it has read.
    may_mix: bool = False
    allow: tuple[str, ...] = ()
    timeout_s: float = limits.AGENT_TASK_S
    requests_max: int = limits.AGENT_REQUESTS_MAX
    calls_max: int = limits.AGENT_MODEL_CALLS_MAX
    tokens_max: int = limits.AGENT_TOKENS_MAX


class Agent(TimedResult, frozen=True, kw_only=True):
    """An agent. Those that Strata brings have no owner. Times are microseconds."""

    TIME = "created"

    id: str
    name: str
    definition: Definition
    user: str | None = None
    is_shared: bool = False
    created: int = 0
    changed: int = 0

    @property
    def is_platform(self) -> bool:
        """Whether it is one of Strata's own, which need no model."""
        return self.user is None


class Caller(Result, frozen=True, kw_only=True, omit_defaults=True):
    """What the asking side may do. `groups` is None where every group of tools is allowed."""

    who: str = ""
    principal: str = ""
    groups: tuple[str, ...] | None = None
    read_only: bool = False
    suggest_only: bool = False
    proposes: bool = False

    def within(self, cap: Cap) -> "Caller":
        """Return the same caller, who may do no more than a cap leaves."""
        return msgspec.structs.replace(
            self,
            read_only=self.read_only or cap.read_only,
            suggest_only=self.suggest_only or cap.suggest_only,
        )


def caller_of(grant: Grant | None) -> Caller:
    """Return what a grant allows; without one, everything that its user may do."""
    if grant is None:
        return Caller()
    groups = None if grant.groups is None else tuple(sorted(grant.groups))
    return Caller(
        who=grant.who,
        principal=grant.principal,
        groups=groups,
        read_only=grant.read_only,
        suggest_only=grant.suggest_only or grant.proposes,
        proposes=grant.proposes,
    )


class Task(TimedResult, frozen=True, kw_only=True):
    """Something that an agent was asked to do, and what came of it. Times are microseconds."""

    TIME = "created"

    id: str
    agent: str
    agent_name: str
    user: str
    caller: Caller
    branch: str
    document: str | None
    instruction: str
    status: Status
    attempts: int
    tool_calls: int
    output: str | None
    error: str | None
    worker: str | None
    leased_until: int | None
    deadline: int
    is_cancelled: bool
    created: int
    started: int | None
    ended: int | None

    @property
    def has_ended(self) -> bool:
        """Whether nothing more will come of it."""
        return self.ended is not None


class TaskStep(TimedResult, frozen=True, kw_only=True):
    """Something that an agent did in a task: a call of a tool, or a note where `tool` is None.

    `arguments` and `answer` are JSON with long parts cut; of a note, `answer` is the text itself.
    Times are microseconds, as is `took`.
    """

    TIME = "created"

    number: int
    created: int
    tool: str | None = None
    arguments: str = ""
    answer: str = ""
    is_error: bool = False
    took: int = 0


def as_step(row: tuple[Any, ...]) -> TaskStep:
    """Return a step as the table has it."""
    number, created, tool, arguments, answer, is_error, took = row
    return TaskStep(
        number=number,
        created=created,
        tool=tool,
        arguments=arguments,
        answer=answer,
        is_error=bool(is_error),
        took=took,
    )


def as_task(row: tuple[Any, ...]) -> Task:
    """Return a task as the table has it."""
    members = dict(zip(Task.__struct_fields__, row, strict=True))
    try:
        members["caller"] = msgspec.json.decode(members["caller"], type=Caller)
        members["is_cancelled"] = bool(members["is_cancelled"])
        return msgspec.convert(members, Task)
    except msgspec.MsgspecError as error:
        raise unreadable("a task of an agent") from error


def as_agent(row: tuple[Any, ...]) -> Agent:
    """Return an agent as the table has it."""
    id_, name, user, is_shared, text, created, changed = row
    try:
        definition = msgspec.json.decode(text, type=Definition)
    except msgspec.MsgspecError as error:
        raise unreadable("an agent") from error
    return Agent(
        id=id_,
        name=name,
        definition=definition,
        user=user,
        is_shared=bool(is_shared),
        created=created,
        changed=changed,
    )


# Checks.


def check_definition(definition: Definition) -> Definition:
    """Return a definition that can be kept, or raise what is wrong with it."""
    check_text(definition.description, name="description")
    instructions = check_text(definition.instructions, name="instructions")
    check_size(instructions, "instructions")
    _check_thinking(definition.thinking)
    odd = [word for word in (*definition.groups, *definition.allow) if not _WORD.fullmatch(word)]
    if odd:
        raise InvalidArgument(
            f"{odd[0][:100]!r} names no group, tool or action.",
            hint="Groups: core, comments. Actions: edit_document.create.",
            parameter="allow",
        )
    for name, most in _NUMBERS.items():
        value = getattr(definition, name)
        if not 0 < value <= most:
            raise LimitExceeded(
                f"{name} must be more than 0 and at most {most:,}, not {value:,}.",
                limit=most,
                size=value,
            )
    return definition


_NUMBERS: dict[str, float] = {
    "timeout_s": limits.AGENT_TASK_S_MAX,
    "requests_max": 10 * limits.AGENT_REQUESTS_MAX,
    "calls_max": limits.AGENT_CALLS_MAX,
    "tokens_max": 50 * limits.AGENT_TOKENS_MAX,
}


def check_size(text: str, name: str) -> str:
    """Return a text for an agent, or raise LimitExceeded for one that is no instruction."""
    size, most = len(text.encode()), limits.AGENT_INSTRUCTION_BYTES_MAX
    if size > most:
        raise LimitExceeded(
            f"{name} may have {most:,} bytes; it has {size:,}.",
            hint="Put long texts into a document, and name it.",
            limit=most,
            size=size,
        )
    return text


def _check_thinking(thinking: Thinking) -> None:
    if thinking.endpoint is not None:
        check_endpoint(thinking.endpoint)
    variable = thinking.key_variable
    if variable is not None and not _VARIABLE.fullmatch(variable):
        raise InvalidArgument(
            f"{variable[:100]!r} is no variable that would hold a key.",
            hint="Name one that ends in _KEY or _TOKEN, such as OPENAI_API_KEY. The key itself is "
            "never kept.",
            parameter="key_variable",
        )


def check_endpoint(url: str) -> str:
    """Return the address of an endpoint: https, or http on this machine alone.

    >>> check_endpoint("http://localhost:11434/v1/")
    'http://localhost:11434/v1'
    """
    try:
        parts = urlsplit(url)
        is_there = bool(parts.hostname) and parts.port != 0 and "@" not in url
    except ValueError:
        parts, is_there = urlsplit(""), False
    is_safe = parts.scheme == "https" or (parts.scheme == "http" and is_loopback(parts.hostname))
    if not is_there or not is_safe or parts.query or parts.fragment:
        # It may hold a password, so it is not shown.
        raise InvalidArgument(
            "An endpoint is a URL with https and without a user's name or a question mark.",
            hint="http is for models on this machine, such as http://localhost:11434/v1.",
            parameter="endpoint",
        )
    return url.rstrip("/")


def is_loopback(host: str | None) -> bool:
    """Tell whether a host is this machine and no other."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host or "").is_loopback
    except ValueError:
        return False
