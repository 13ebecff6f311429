"""A client's list of tools that follows its conversation, where that was asked for.

The server notifies a client that the list has changed, and then watches it: one that does not ask
for it again in time keeps the list it has, for the rest of the session and in the sessions after.

    quiet ── saw_context ──> waiting ── listed ──> quiet
                                └────── tick ────> deaf
"""

import logging
import threading
from collections.abc import Callable, Iterable
from time import monotonic
from typing import TYPE_CHECKING, Literal, TypeAlias

from strata.base import limits
from strata.hooks.detection import NOTHING, Context, narrow
from strata.tools import Tool

if TYPE_CHECKING:
    from strata.workspace import Workspace

Mode: TypeAlias = Literal["auto", "force_static", "force_dynamic"]
MODES: tuple[Mode, ...] = ("auto", "force_static", "force_dynamic")
# What is to be done: telling the client that the list has changed, or noting in the store whether
# the client listens.
ListAction: TypeAlias = Literal["nothing", "notify", "remember"]
# The first revision that forbids lists which vary by connection.
_STATELESS = "2026-07-28"

_log = logging.getLogger(__name__)


class ToolList:
    """The tools that a session lists. `listens` is what the store remembers of this client.

    `era` is the protocol's revision. Nothing here waits: call `tick` once `deadline` has passed.
    """

    def __init__(
        self,
        mode: Mode,
        *,
        era: str,
        listens: bool | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._mode = mode
        self._clock = clock
        self._is_allowed = mode != "force_static" and era < _STATELESS
        self._context = NOTHING
        self.listens = listens
        self.deadline: float | None = None
        self._is_news = False

    @property
    def is_on(self) -> bool:
        """Whether the list may change; who is not on need not look for contexts."""
        return self._is_allowed and (self._mode == "force_dynamic" or self.listens is not False)

    def saw_context(self, context: Context | None) -> ListAction:
        """Take what the last prompt was about; None when nothing is known any more."""
        found = context if context is not None and context.is_clear else NOTHING
        if not self.is_on or found.name == self._context.name:
            return "nothing"
        self._context = found
        self.deadline = self._clock() + limits.RELIST_S
        return "notify"

    def visible(self, tools: Iterable[Tool]) -> list[Tool]:
        """Return the tools to list now, the likeliest first. All may be called all the time."""
        return narrow(tools, self._context if self.is_on else NOTHING)

    def listed(self) -> None:
        """Note that the client asked for its tools."""
        if self.deadline is not None:
            self._learn(listens=True)

    def tick(self, now: float | None = None) -> ListAction:
        """Look whether the client asked for its tools, or has missed its time."""
        now = self._clock() if now is None else now
        if self.deadline is not None and now >= self.deadline:
            self._learn(listens=False)
            if not self.is_on:
                # The client has the whole list and keeps it.
                self._context = NOTHING
                _log.info("the client did not ask for its tools again; the list stays as it is")
        is_news, self._is_news = self._is_news, False
        return "remember" if is_news else "nothing"

    def _learn(self, *, listens: bool) -> None:
        self.deadline = None
        self._is_news = self.listens is not listens
        self.listens = listens


class ListFollower:
    """Looks for what the hook has left in the store, and tells the client of another list."""

    def __init__(
        self,
        db: "Workspace",
        *,
        client: tuple[str, str],
        revision: str,
        changed: Callable[[], None],
        mode: str | None = None,
    ) -> None:
        from strata.hooks.contexts import Contexts  # noqa: PLC0415  (slow, and the store is open)

        self._contexts = Contexts(db.serving.store)
        self._client = client_id(*client)
        self._changed = changed
        chosen = mode_of(mode or db.settings.get("dynamic_tools"))
        listens = self._contexts.client_listens(self._client) if chosen == "auto" else None
        self.tools = ToolList(chosen, era=revision, listens=listens)

    def begin(self) -> Callable[[], None]:
        """Start looking, and return what ends it."""
        stop = threading.Event()
        threading.Thread(target=self._run, args=(stop,), daemon=True).start()
        return stop.set

    def _run(self, stop: threading.Event) -> None:
        while not stop.wait(limits.CONTEXT_LOOK_S) and self.tools.is_on:
            self.look()

    def look(self) -> None:
        """Look once: at what was left, and whether the client has missed its time."""
        left = self._contexts.current()
        context = None if left is None else context_of(left.context, left.confidence)
        if self.tools.saw_context(context) == "notify":
            self._changed()
        elif self.tools.tick() == "remember":
            listens = self.tools.listens is True
            self._contexts.remember_client(self._client, listens=listens)


def client_id(name: str, version: str) -> str:
    """Return under which name a client's habits are remembered."""
    return f"{name.strip() or 'unknown'} {version.strip()}".strip()


def mode_of(value: object) -> Mode:
    """Return a mode by name; what is none changes nothing, so it is the default."""
    for mode in MODES:
        if value == mode:
            return mode
    _log.warning("dynamic_tools is none of %s; using force_static", ", ".join(MODES))
    return "force_static"


def context_of(name: str, confidence: float) -> Context:
    """Return the context that a hook has left under this name; an unknown one is none."""
    known = Context.known(name)
    return NOTHING if known is None else Context(known, confidence, {known: confidence})
