"""Letting a client's list of tools follow its conversation, where that was asked for."""

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from strata.base import limits
from strata.mcp.core import Core
from strata.tools import Dynamic, client_id, context_of, mode_of

if TYPE_CHECKING:
    from strata.workspace import Workspace


class ListFollower:
    """Looks for what the hook has left in the store, and tells the client of another list."""

    def __init__(self, core: Core, db: "Workspace", *, mode: str | None = None) -> None:
        self._core, self._db = core, db
        self._client = client_id(*core.client)
        chosen = mode_of(mode or db.settings.get("dynamic_tools"))
        listens = db.serving.contexts.client_listens(self._client) if chosen == "auto" else None
        self.dynamic = Dynamic(chosen, era=core.revision, listens=listens)

    def begin(self) -> Callable[[], None] | None:
        """Start looking, unless the list stays as it is; return what ends it."""
        if not self.dynamic.is_on:
            return None
        stop = threading.Event()
        self._core.dynamic = self.dynamic
        threading.Thread(target=self._run, args=(stop,), daemon=True).start()
        return stop.set

    def _run(self, stop: threading.Event) -> None:
        while not stop.wait(limits.CONTEXT_LOOK_S) and self.dynamic.is_on:
            self.look()

    def look(self) -> None:
        """Look once: at what was left, and whether the client has missed its time."""
        left = self._db.serving.contexts.current()
        context = None if left is None else context_of(left.context, left.confidence)
        if self.dynamic.saw_context(context) == "notify":
            self._core.tools_changed()
        elif "remember" in (self.dynamic.tick(), self._core.take_relisting()):
            listens = self.dynamic.listens is True
            self._db.serving.contexts.remember_client(self._client, listens=listens)
