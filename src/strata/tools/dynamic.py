"""Whether a session's list of tools follows the conversation. Pure: whoever owns it keeps time.

A client is told that the list has changed, and then watched: one that does not ask for it again
in time keeps the list it has, for the rest of the session and in the sessions after.

    quiet ── saw_context ──> waiting ── listed ──> quiet
                                └────── tick ────> deaf
"""

import logging
from collections.abc import Callable, Iterable
from time import monotonic
from typing import Literal, TypeAlias

from strata.base import limits
from strata.tools.context import NOTHING, Context, ToolT, narrow

Mode: TypeAlias = Literal["auto", "force_static", "force_dynamic"]
MODES: tuple[Mode, ...] = ("auto", "force_static", "force_dynamic")
# What the owner has to do: tell the client that the list has changed, or note in the store
# whether the client listens.
Action: TypeAlias = Literal["nothing", "notify", "remember"]
# The first revision that forbids lists which vary by connection.
_STATELESS = "2026-07-28"

_log = logging.getLogger(__name__)


class Dynamic:
    """The list of one session. `listens` is what the store remembers of this client, if anything.

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

    @property
    def is_on(self) -> bool:
        """Whether the list may change; who is not on need not look for contexts."""
        return self._is_allowed and (self._mode == "force_dynamic" or self.listens is not False)

    def saw_context(self, context: Context | None) -> Action:
        """Take what the last prompt was about; None when nothing is known any more."""
        found = context if context is not None and context.is_clear else NOTHING
        if not self.is_on or found.name == self._context.name:
            return "nothing"
        self._context = found
        self.deadline = self._clock() + limits.RELIST_S
        return "notify"

    def listed(self) -> Action:
        """Note that the client asked for its tools."""
        if self.deadline is None:
            return "nothing"
        self.deadline = None
        is_news = self.listens is not True
        self.listens = True
        return "remember" if is_news else "nothing"

    def tick(self, now: float | None = None) -> Action:
        """Look whether the client has missed its time."""
        now = self._clock() if now is None else now
        if self.deadline is None or now < self.deadline:
            return "nothing"
        self.deadline = None
        is_news = self.listens is not False
        self.listens = False
        if not self.is_on:
            # The client has the whole list and keeps it.
            self._context = NOTHING
            _log.info("the client did not ask for its tools again; the list stays as it is")
        return "remember" if is_news else "nothing"

    def visible(self, tools: Iterable[ToolT]) -> list[ToolT]:
        """Return the tools to list now, the likeliest first. All may be called all the time."""
        return narrow(tools, self._context if self.is_on else NOTHING)


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
