"""One task while it runs: calls of tools in the caller's place, counted and able to be stopped."""

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias

import msgspec

from strata.access import OWNER, Audience, Grant, User
from strata.agents.failure_words import FailureWords, failure
from strata.agents.permissions import ToolPermissions
from strata.agents.recording import TaskRecorder
from strata.agents.words import words_for
from strata.base import limits
from strata.base.errors import InvalidArgument, LimitExceeded, NotAllowed, StrataError
from strata.tasks import Agent, Queue, Task
from strata.tools import (
    CallOutcome,
    Cancel,
    Exposure,
    Session,
    SessionState,
    StoreHost,
    call_tool,
    plain,
    refusal,
    registry,
)
from strata.workspace import Workspace

# Why a task stops before it is done; one that is released is taken by another worker.
Reason: TypeAlias = Literal["cancelled", "timedOut", "lost", "released"]


class TaskStopped(BaseException):
    """The task must not go on. No agent's own handling of errors may swallow it."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason: Reason = reason


class ToolRefused(StrataError):
    """A tool answered with an error."""

    code = "refused"

    def __init__(self, value: Mapping[str, Any]) -> None:
        hint = value.get("hint")
        super().__init__(str(value.get("message")), hint=None if hint is None else str(hint))
        self.value = value


class TaskRun:
    """One attempt at a task. Agents act through `call`, and through nothing else."""

    def __init__(self, host: StoreHost, task: Task, agent: Agent, *, queue: Queue) -> None:
        self.task = task
        self.agent = agent
        self.calls = 0
        self.cancel = Cancel()
        # Called when it is stopped, for what waits outside of the store.
        self.on_stop: list[Callable[[], object]] = []
        # What its user sees of it while it goes on.
        self.recorder = TaskRecorder(queue.now, host.db.agents.screened)
        self._queue = queue
        self._reason: Reason | None = None
        self._host = host
        self.permissions = ToolPermissions(agent.definition, task.caller)
        self.session = self._session(grant_of(host.db, task, agent))
        most = agent.definition.calls_max
        self._calls_max = limits.AGENT_CALLS_MAX if agent.is_platform else most

    def _session(self, grant: Grant) -> Session:
        name = self.agent.name[: limits.ACTOR_CHARACTERS_MAX]
        return Session(
            self._host,
            state=SessionState(branch=self.task.branch),
            keeps_state=False,
            client=name,
            actor=name,
            task=self.task.id,
            exposure=Exposure(groups=self.permissions.groups, read_only=grant.read_only),
            caller=grant,
        )

    @property
    def may_write(self) -> bool:
        """Whether the caller may leave anything behind but the output."""
        return not self.task.caller.read_only

    @property
    def failures(self) -> FailureWords:
        """What the user reads when it fails: in the language of the instruction, if it has one."""
        told = self.agent.definition.instructions
        return words_for((self.task.instruction, told, self.agent.name)).failures

    # Stopping.

    def stop(self, reason: Reason) -> None:
        """Stop it, from another thread: the running statement now, the rest before its next."""
        if self._reason is None:
            self._reason = reason
        self.cancel.cancel()
        for tell in list(self.on_stop):
            tell()

    def check(self) -> None:
        """Raise Stopped when the task must not go on."""
        if self._reason is None:
            flag = self._queue.must_stop(self.task)
            if flag is None or flag:
                self.stop("lost" if flag is None else "cancelled")
            elif self._queue.now() >= self.task.deadline:
                self.stop("timedOut")
        if self._reason is not None:
            raise TaskStopped(self._reason)

    @property
    def reason(self) -> Reason | None:
        """Why it was stopped, if it was."""
        return self._reason

    # Acting.

    def call(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        """Call a tool and return its answer; raise Refused for an error."""
        outcome = self.ask(name, arguments)
        if outcome.is_error:
            raise ToolRefused(outcome.value)
        return outcome.value

    def ask(self, name: str, arguments: Mapping[str, Any]) -> CallOutcome:
        """Call a tool; what it may not do, and what fails, comes back as an error."""
        self.check()
        if self.calls >= self._calls_max:
            raise failure(LimitExceeded, self.failures.calls_used_up, calls=self.calls)
        self.calls += 1
        began = self._queue.now()
        try:
            outcome = self._call(name, arguments)
        except StrataError as error:
            outcome = refusal(error)
        else:
            if self._reason is not None and outcome.is_error:
                raise TaskStopped(self._reason)
        self.recorder.call(name, arguments, outcome, began=began)
        return outcome

    def _call(self, name: str, arguments: Mapping[str, Any]) -> CallOutcome:
        tool = registry().find(name)
        if tool is None:
            raise InvalidArgument(f"There is no tool {name[:100]!r}.")
        self.permissions.check(tool, arguments)
        given = {key: value for key, value in arguments.items() if plain(key) not in _OURS}
        branch = next((v for key, v in arguments.items() if plain(key) == "branch"), None)
        if branch not in (None, self.task.branch):
            raise NotAllowed(f"This task works on branch {self.task.branch!r} alone.")
        if self.permissions.accepts_key(tool, arguments):
            given["idempotencyKey"] = self._key(name, given)
        return call_tool(self.session, tool, given, cancel=self.cancel)

    def _key(self, name: str, arguments: Mapping[str, Any]) -> str:
        """Return a key that the same call of the same task has again, in whichever attempt."""
        from hashlib import sha256  # noqa: PLC0415  (milliseconds before the first reply)

        said = msgspec.json.encode((name, arguments), order="deterministic")
        return f"{self.task.id}:{sha256(said).hexdigest()[:32]}"

    @property
    def db(self) -> Workspace:
        """The store as the caller sees it; for questions that no tool answers."""
        return self.session.bound(self.task.branch)

    def audience(self, document: str) -> Audience:
        """Return who reads a document: what an agent leaves there must be for all of them."""
        return self.db.documents.audience(document)

    def folder_audience(self, folder: str) -> Audience:
        """Return who reads what is put into a folder."""
        return self.db.rights.folder_audience(folder)


# What a run says itself.
_OURS = frozenset({"branch", "idempotencykey"})


def grant_of(db: Workspace, task: Task, agent: Agent) -> Grant:
    """Return what the asking side may do now, which may be less than when it asked."""
    user, caller = still_there(db, task), task.caller
    _check_token(db, caller.principal)
    return Grant(
        agent.name,
        OWNER if user.is_owner else user.id,
        groups=None if caller.groups is None else frozenset(caller.groups),
        read_only=caller.read_only,
        principal=caller.principal,
        suggest_only=caller.suggest_only or not agent.definition.may_edit,
        proposes=caller.proposes,
    )


def still_there(db: Workspace, task: Task) -> User:
    """Return the user who asked, or raise NotAllowed when they were removed since."""
    found = db.users.get(task.user)
    if found is None:
        raise NotAllowed("The user who asked for this is no longer in the workspace.")
    return found


def _check_token(db: Workspace, principal: str) -> None:
    """Raise NotAllowed when the token that asked opens nothing any more."""
    kind, _colon, id_ = principal.partition(":")
    if kind != "token":
        return
    token = next((token for token in db.tokens.list() if token.id == id_), None)
    if token is None or not token.is_good(db.agents.queue.now()):
        raise NotAllowed("The token that asked for this was revoked or has expired.")
