"""`db.agents`: agents, their tasks, and the results."""

from typing import cast

import msgspec

from strata.access import Permissions, missing_document
from strata.base import limits
from strata.base.checks import check_number, check_text
from strata.base.errors import (
    AlreadyExists,
    Conflict,
    InvalidArgument,
    LimitExceeded,
    NotAllowed,
    NotFound,
)
from strata.base.ids import hash_of_key, new_id
from strata.base.page import ResultPage, cut_page
from strata.store import View, check_name
from strata.tasks.platform import PLATFORM
from strata.tasks.queue import Queue
from strata.tasks.records import (
    STATUSES,
    Agent,
    Caller,
    Definition,
    Status,
    Task,
    TaskStep,
    as_agent,
    as_step,
    as_task,
    check_definition,
    check_size,
)

# Later than any time that a task can have.
_LAST = 2**63 - 1
_HINT = "`db.agents.list()` shows those that you can ask."


class Agents:
    """Agents that a user can run, and their tasks. Reached as `db.agents`."""

    def __init__(self, view: View, rights: Permissions) -> None:
        self._view = view
        self.store = view.store
        self._rights = rights
        self._user = rights.user

    @property
    def queue(self) -> Queue:
        """The tasks of agents, for workers."""
        return Queue(self.store)

    def screened(self, text: str) -> str:
        """Return a text as it may be kept: masked, or refused, where it holds a secret.

        >>> db.agents.screened("세 링크를 제안했다")
        '세 링크를 제안했다'
        """
        return self._screen_note(text, "output")

    # Agents that a user can run.

    def list(self) -> "list[Agent]":
        """Return the agents that one can ask: Strata's, one's own, and those for everybody.

        >>> [agent.name for agent in db.agents.list()]
        ['linker', 'outliner', 'duplicates', 'digest', 'curator']
        """
        rows = self.store.connection().rows(self.store.queries.agents_for, (self._user.id,))
        return [*PLATFORM, *map(as_agent, rows)]

    def get(self, name: str) -> Agent:
        """Return an agent by its name or id, or raise NotFound.

        >>> db.agents.get("linker").id
        'agent_linker'
        """
        wanted = check_text(name, name="name")
        # One's own comes before one for everybody that has the same name.
        for agent in self.list():
            if wanted in (agent.id, agent.name):
                return agent
        raise NotFound(f"There is no agent {wanted[:200]!r}.", hint=_HINT, agent=wanted[:200])

    def define(self, name: str, definition: Definition, *, shared: bool = False) -> Agent:
        """Define an agent that thinks with a model, or change it; a shared one is for everybody.

        >>> from strata.agents import Definition, Thinking
        >>> made = db.agents.define("교정", Definition(
        ...     instructions="Find spelling mistakes and propose corrections.",
        ...     thinking=Thinking(endpoint="http://localhost:11434/v1", model="qwen3")))
        >>> db.agents.get("교정").id == made.id
        True
        """
        self._check_may_write()
        check_definition(definition)
        self._check_free(check_name(name, what="agent"))
        if shared and not self._user.is_owner:
            raise NotAllowed(
                "Only the owner of the workspace defines agents for everybody.",
                hint="Leave out shared: then the agent is yours.",
            )
        definition = self._screened(name, definition)
        text, now = msgspec.json.encode(definition).decode(), self.store.clock()
        values = (new_id("agent"), name, self._user.id, int(shared), text, now)
        with self.store.writing() as connection:
            row = connection.row(self.store.queries.count_agents, (self._user.id,))
            if row is not None and row[0] >= limits.AGENTS_MAX:
                raise LimitExceeded(
                    f"One person defines {limits.AGENTS_MAX} agents at most.",
                    limit=limits.AGENTS_MAX,
                    size=limits.AGENTS_MAX + 1,
                )
            made = connection.row(self.store.queries.upsert_agent, values)
        assert made is not None, "INSERT … RETURNING gave no row"
        return Agent(
            id=made[0],
            name=name,
            definition=definition,
            user=self._user.id,
            is_shared=shared,
            created=made[1],
            changed=now,
        )

    def remove(self, name: str) -> Agent:
        """Remove an agent that one has defined; what it was asked before is not begun any more.

        >>> from strata.agents import Definition
        >>> _ = db.agents.define("helper", Definition(instructions="Help."))
        >>> db.agents.remove("helper").name
        'helper'
        """
        self._check_may_write()
        found = self.get(name)
        if found.user != self._user.id:
            whose = "one of Strata's own" if found.is_platform else "another user's"
            raise NotAllowed(f"The agent {found.name!r} is {whose}.", hint="Yours can be removed.")
        with self.store.writing() as connection:
            connection.row(self.store.queries.delete_agent, (found.id, self._user.id))
        return found

    # Asking.

    def invoke(
        self,
        agent: str,
        *,
        document: str | None = None,
        instruction: str = "",
        request: str | None = None,
        caller: Caller | None = None,
    ) -> Task:
        """Ask an agent, by its name or id, for something; the task is begun by a worker.

        A `request` is a key: the same again gives the same task. `caller` says what is left of
        one's rights, beyond what this view leaves.

        >>> db.agents.invoke("linker", instruction="at most 5").status
        'pending'
        """
        found = self.get(agent)
        asked = check_size(check_text(instruction, name="instruction"), "instruction")
        asked = str(self._screen_note(asked, "instruction"))
        if request is not None:
            check_name(request, what="request")
        if document is not None:
            self._check_document(document)
        may = (caller or Caller()).within(self._rights.cap)
        new = (found.id, self._view.branch, document, asked)
        key = None if request is None else hash_of_key(request)
        with self.store.writing():
            known = None if key is None else self._known(key)
            if known is not None:
                return _same(known, new, str(request))
            return self._put(found, may, new[1:], request=key)

    def _put(
        self, agent: Agent, may: Caller, asked: tuple[str, str | None, str], *, request: str | None
    ) -> Task:
        connection, queries, now = (
            self.store.connection(),
            self.store.queries,
            self.store.clock(),
        )
        kept = int(limits.AGENT_TASK_KEPT_S * 1_000_000)
        for forget in (queries.delete_steps_of_old_tasks, queries.delete_old_tasks):
            connection.run(forget, (now - kept,))
        row = connection.row(queries.count_open_tasks, (self._user.id,))
        if row is not None and row[0] >= limits.AGENT_TASKS_OPEN_MAX:
            raise LimitExceeded(
                f"You have {row[0]} tasks that have not ended.",
                hint="Wait for some of them, or cancel them: `db.agents.tasks()` lists them.",
                limit=limits.AGENT_TASKS_OPEN_MAX,
                size=row[0] + 1,
            )
        id_ = new_id("task")
        allowed, wait = agent.definition.timeout_s, limits.AGENT_WAIT_S
        caller = msgspec.json.encode(may).decode()
        connection.run(
            queries.insert_task,
            (
                id_,
                agent.id,
                agent.name,
                self._user.id,
                caller,
                *asked,
                request,
                int(allowed * 1_000_000),
                now + int(wait * 1_000_000),
                now,
            ),
        )
        return self.task(id_)

    def _known(self, request: str) -> Task | None:
        values = (self._user.id, request)
        row = self.store.connection().row(self.store.queries.task_of_request, values)
        return None if row is None else as_task(row)

    # What came of it.

    def task(self, id: str) -> Task:
        """Return a task of one's own, or raise NotFound.

        >>> db.agents.task(db.agents.invoke("linker").id).agent_name
        'linker'
        """
        wanted = check_text(id, name="id")
        row = self.store.connection().row(self.store.queries.task, (wanted,))
        found = None if row is None else as_task(row)
        if found is None or found.user != self._user.id:
            raise NotFound(
                f"There is no task {wanted[:200]!r}.",
                hint="`db.agents.tasks()` lists yours.",
                task=wanted[:200],
            )
        return found

    def task_called(self, name: str) -> str:
        """Return the id of a task of one's own, by its id or the key it was asked with.

        >>> made = db.agents.invoke("linker", request="weekly")
        >>> db.agents.task_called("weekly") == made.id
        True
        """
        known = self._known(hash_of_key(check_text(name, name="name")))
        return name if known is None else known.id

    def tasks(
        self,
        limit: int = 50,
        *,
        before: str | None = None,
        status: Status | None = None,
        agent: str | None = None,
    ) -> ResultPage[Task, str]:
        """Return one's own tasks, newest first, at most `limit`; of a status, of an agent's id.

        `more` of the result tells whether there are others, `next` is what to pass as `before`
        to get them, and `all()` yields them.

        >>> made = db.agents.invoke("linker")
        >>> [task.id == made.id for task in db.agents.tasks()]
        [True]
        >>> db.agents.tasks(status="failed")
        []
        """
        check_number(limit, name="limit", most=limits.PAGE_ITEMS_MAX)
        if status is not None and status not in STATUSES:
            raise InvalidArgument(
                f"{str(status)[:100]!r} is no status of a task.",
                hint=f"There are {', '.join(STATUSES)}.",
                parameter="status",
            )
        place = (_LAST, "") if before is None else (self.task(before).created, before)
        queries, values = self.store.queries, (self._user.id, *place, limit + 1)
        statement, wanted = queries.tasks_of, ()
        if status is not None:
            statement, wanted = queries.tasks_of_status, (status, agent)
        elif agent is not None:
            statement, wanted = queries.tasks_of_agent, (agent,)
        rows = self.store.connection().rows(statement, (*values, *wanted))
        return cut_page(
            [as_task(row) for row in rows],
            limit,
            lambda task: task.id,
            onward=lambda before: self.tasks(limit, before=before, status=status, agent=agent),
        )

    def steps(self, id: str) -> "list[TaskStep]":
        """Return what the agent did in a task of one's own, in its order; the newest steps only.

        A step is a call of a tool, with its arguments and its answer cut to a few lines, or a note.
        The steps of a running task are a second or two old. An attempt that a worker did not end is
        begun again, and so are its steps.

        >>> db.agents.steps(db.agents.invoke("linker").id)
        []
        """
        rows = self.store.connection().rows(self.store.queries.task_steps, (self.task(id).id,))
        return [as_step(row) for row in rows]

    def cancel(self, id: str) -> Task:
        """Cancel a task: one that waits at once, one that runs before its next step.

        What it has done by then stays. One that has ended stays as it is.

        >>> db.agents.cancel(db.agents.invoke("linker").id).status
        'cancelled'
        """
        self.task(id)
        with self.store.writing() as connection:
            values = (id, self._user.id, self.store.clock())
            connection.row(self.store.queries.cancel_task, values)
        return self.task(id)

    # What these need.

    def _check_may_write(self) -> None:
        reason = self._rights.cap.reason
        if reason is not None:
            raise NotAllowed(reason, hint="Use one that may write.")

    def _check_document(self, document: str) -> None:
        """Raise NotFound for a document that is not there, or not for the asking person."""
        from strata.documents import DOCUMENT, SPACE  # noqa: PLC0415  (a queue needs no documents)

        self._rights.require(check_text(document, name="document"))
        if self._view.snapshot.get(SPACE, DOCUMENT, document) is None:
            raise missing_document(document)

    def _check_free(self, name: str) -> None:
        if any(name in (agent.name, agent.id) for agent in PLATFORM):
            raise AlreadyExists(
                f"{name!r} is one of Strata's own agents.", hint="Use another name.", name=name
            )
        if name.startswith("agent_"):
            raise InvalidArgument("A name that begins with agent_ is an id.", parameter="name")

    def _screened(self, name: str, definition: Definition) -> Definition:
        """Return a definition as it may be kept: every reader of the file can see it."""
        self._screen_note(name, "agent", is_name=True)
        changed = {
            part: str(self._screen_note(getattr(definition, part), part))
            for part in ("description", "instructions")
        }
        return msgspec.structs.replace(definition, **changed)

    def _screen_note(self, text: str, what: str, *, is_name: bool = False) -> str:
        screen = self.store.screen
        kept = text if screen is None else screen.screen_note(text, what, is_name=is_name)
        return cast("str", kept)


def _same(known: Task, new: tuple[str, str, str | None, str], request: str) -> Task:
    """Return the task of a request that came before, if it asked for the same."""
    if (known.agent, known.branch, known.document, known.instruction) == new:
        return known
    raise Conflict(
        f"The idempotency key {request!r} was used for another request.",
        hint="Use a new key for each request.",
        parameter="request",
        task=known.id,
    )
