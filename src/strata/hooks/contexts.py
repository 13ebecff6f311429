"""What hooks and servers of one store tell each other. Not versioned, and never what was said."""

import msgspec

from strata.base import limits
from strata.base.checks import check_text
from strata.base.errors import InvalidArgument
from strata.base.results import TimedResult
from strata.store import Store, check_name


class PromptContext(TimedResult, frozen=True):
    """What the last prompt of a conversation was about, until `expires`, in microseconds."""

    TIME = "expires"

    conversation: str
    context: str
    confidence: float
    expires: int


class Contexts:
    """What prompts were about, and how clients behave: `Contexts(db.serving.store)`."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def leave(
        self,
        conversation: str,
        context: str,
        *,
        confidence: float,
        seconds: float = limits.CONTEXT_S,
    ) -> PromptContext:
        """Tell the servers of this store what a prompt was about; it counts for a minute.

        >>> contexts = Contexts(db.serving.store)
        >>> contexts.leave("3f2a", "resuming", confidence=0.9).context
        'resuming'
        """
        now = self._store.clock()
        left = PromptContext(
            check_name(conversation, what="conversation"),
            check_name(context, what="context"),
            _share(confidence),
            now + int(_positive(seconds) * 1_000_000),
        )
        with self._store.writing() as connection:
            connection.run(self._store.queries.delete_old_contexts, (now,))
            connection.run(self._store.queries.upsert_context, msgspec.structs.astuple(left))
        return left

    def clear(self, conversation: str) -> bool:
        """Take back what was left for a conversation; tell whether there was something.

        >>> contexts = Contexts(db.serving.store)
        >>> contexts.clear("3f2a")
        False
        """
        values = (check_name(conversation, what="conversation"),)
        # Most prompts leave nothing: a look takes no lock.
        if self._store.connection().row(self._store.queries.has_context, values) is None:
            return False
        with self._store.writing() as connection:
            return connection.row(self._store.queries.delete_context, values) is not None

    def list(self) -> "list[PromptContext]":
        """Return what counts now, newest first.

        >>> contexts = Contexts(db.serving.store)
        >>> _ = contexts.leave("3f2a", "deciding", confidence=0.8)
        >>> [(left.conversation, left.context) for left in contexts.list()]
        [('3f2a', 'deciding')]
        """
        values = (self._store.clock(), limits.PAGE_ITEMS_MAX)
        rows = self._store.connection().rows(self._store.queries.contexts_after, values)
        return [PromptContext(*row) for row in rows]

    def current(self, conversation: str | None = None) -> PromptContext | None:
        """Return what a server may go by: its conversation's context.

        A server that was not told its conversation goes by the only one there is. With two it
        cannot know which one is its own, and gets None.

        >>> contexts = Contexts(db.serving.store)
        >>> _ = contexts.leave("3f2a", "deciding", confidence=0.8)
        >>> contexts.current().context
        'deciding'
        >>> _ = contexts.leave("77c0", "searching", confidence=0.9)
        >>> contexts.current() is None
        True
        >>> contexts.current("77c0").context
        'searching'
        """
        found = self.list()
        if conversation is not None:
            found = [left for left in found if left.conversation == conversation]
        return found[0] if len(found) == 1 else None

    def remember_client(self, client: str, *, listens: bool) -> None:
        """Note whether a client asks for its tools again when told that they changed.

        >>> contexts = Contexts(db.serving.store)
        >>> contexts.remember_client("codex 1.4.0", listens=False)
        """
        now = self._store.clock()
        with self._store.writing() as connection:
            connection.run(self._store.queries.delete_old_listeners, (_forgotten(now),))
            values = (_client(client), int(listens), now)
            connection.run(self._store.queries.upsert_listener, values)

    def client_listens(self, client: str) -> bool | None:
        """Return whether a client is known to listen; None for one that was not met lately.

        >>> contexts = Contexts(db.serving.store)
        >>> contexts.client_listens("codex 1.4.0") is None
        True
        """
        values = (_client(client), _forgotten(self._store.clock()))
        row = self._store.connection().row(self._store.queries.listener, values)
        return None if row is None else bool(row[0])


def _client(client: object) -> str:
    """Return a client's name as it is kept: what it says of itself may be of any length."""
    return check_text(client, name="client")[: limits.NAME_CHARACTERS_MAX]


def _forgotten(now: int) -> int:
    return now - limits.CLIENT_KEPT_S * 1_000_000


def _share(confidence: object) -> float:
    if not isinstance(confidence, (int, float)) or not 0 <= confidence <= 1:
        raise InvalidArgument("A confidence lies between 0 and 1.", parameter="confidence")
    return float(confidence)


def _positive(seconds: object) -> float:
    if not isinstance(seconds, (int, float)) or not 0 < seconds <= limits.LEASE_S_MAX:
        raise InvalidArgument(
            f"A context counts for more than 0 and at most {limits.LEASE_S_MAX:.0f} seconds.",
            parameter="seconds",
        )
    return float(seconds)
