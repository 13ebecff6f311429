"""One document that people have open: who is there, and what each of them is sent."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from strata.base import limits
from strata.base.memo import on_purge
from strata.documents import Author, Difference, LiveLog, LogEntry, joined
from strata.web.live import wire
from strata.web.live.awareness import Awareness
from strata.web.live.claims import Claims
from strata.web.live.sockets import End, LiveSocket


class LiveChange(NamedTuple):
    """An update that is kept for good, and the socket that has it already."""

    update: bytes
    origin: LiveSocket | None


class LiveDocument:
    """What is shared by the sockets of one document. Lives in the loop of the server."""

    def __init__(self, document: str, version: int, log: LiveLog) -> None:
        self.document = document
        self.sockets: set[LiveSocket] = set()
        self.awareness = Awareness()
        self.claims = Claims(log, document)
        # Everything up to here was sent to the sockets that were there.
        self.version = version
        # When the text was first and last changed since its pieces were written.
        self.changed: tuple[float, float] | None = None
        # Held while the text is encoded for a client.
        self.encoding = asyncio.Lock()
        self._whole: Difference | None = None
        # Newer versions than `version` that were sent too.
        self._sent: set[int] = set()
        # Whose clients' ids are, as far as everybody here was told.
        self.authors: dict[int, Author] = {}
        on_purge(self.forget)

    def forget(self) -> None:
        """Drop the text, after something was purged; called from another thread."""
        self._whole = None

    # The text.

    def spread(self, changes: Sequence[LiveChange], *, before: int, version: int) -> None:
        """Send what this process has written as a version, on top of the version before."""
        self._send_changes(changes)
        if before == self.version:
            self.version = version
        elif version > self.version:
            self._sent.add(version)

    def catch_up(self, entries: Sequence[tuple[int, LogEntry]]) -> None:
        """Send what was written by whomever, unless it was sent already."""
        news = [
            LiveChange(entry.update, None)
            for version, entry in entries
            if version not in self._sent and version > self.version
        ]
        self._send_changes(news)
        self.version = max([self.version, *(version for version, _entry in entries)])
        self._sent = {version for version in self._sent if version > self.version}

    def start_over(self, whole: Difference) -> None:
        """Send everything, where it cannot be told what was written since."""
        self._send_changes([LiveChange(whole.update, None)])
        self.version = max(self.version, whole.version)

    def _send_changes(self, changes: Sequence[LiveChange]) -> None:
        for change in _merged(changes):
            message = wire.sync(wire.UPDATE, change.update)
            for socket in self.sockets:
                if socket is not change.origin:
                    socket.send(message)

    def whole(self) -> Difference | None:
        """Return the whole text as it was encoded last, if it is still that."""
        whole = self._whole
        is_current = whole is not None and whole.version == self.version and not self._sent
        return whole if is_current else None

    @property
    def is_cold(self) -> bool:
        """Whether no client has asked for the text yet."""
        return self._whole is None

    def keep_whole(self, whole: Difference) -> None:
        """Remember the whole text for the next client."""
        self._whole = whole

    # Who is there.

    def tell(self, kind: str, content: Mapping[str, object]) -> None:
        """Send something that only Strata says to everybody."""
        message = wire.notice(kind, content)
        for socket in self.sockets:
            socket.send(message)

    def greet(self, socket: LiveSocket) -> None:
        """Add a user, and send them who is there."""
        self.sockets.add(socket)
        present = self.awareness.present()
        if present:
            socket.send(wire.awareness(wire.write_states(present)))

    def leave(self, socket: LiveSocket) -> None:
        """Remove a user, and tell the others."""
        self.sockets.discard(socket)
        self._send_states(self.awareness.gone(socket))

    def close(self, end: End, reason: str) -> None:
        """Send everybody away."""
        for socket in self.sockets:
            socket.close(end, reason)

    def hear(self, socket: LiveSocket, state: wire.AwarenessState) -> None:
        """Receive the state of one of a user's own clients."""
        heard = self.awareness.hear(state, socket, socket.guest.user)
        # To the sender too: a page that hears nothing for half a minute takes itself for cut off.
        self._send_states(heard.news)
        if heard.again:
            socket.send(wire.awareness(wire.write_states(heard.again)))

    def _send_states(self, states: list[wire.AwarenessState]) -> None:
        if states:
            message = wire.awareness(wire.write_states(states))
            for socket in self.sockets:
                socket.send(message)

    def introduce(self, owners: Mapping[int, Author], names: Mapping[str, str]) -> None:
        """Tell whose clients' ids are that were not heard of before."""
        fresh = {client: one for client, one in owners.items() if client not in self.authors}
        if fresh:
            self.authors.update(fresh)
            self.tell("authors", authors_notice(fresh, names))


def _merged(changes: Sequence[LiveChange]) -> Sequence[LiveChange]:
    """Return several changes as one, so that a busy document sends fewer messages, not more.

    Their authors get their own changes back, which does no harm.
    """
    size = sum(len(change.update) for change in changes)
    is_little = len(changes) > 1 and size <= limits.LIVE_JOINED_BYTES_MAX
    whole = joined([change.update for change in changes]) if is_little else None
    if whole is None:
        return changes
    origins = {change.origin for change in changes}
    return [LiveChange(whole, origins.pop() if len(origins) == 1 else None)]


def authors_notice(owners: Mapping[int, Author], names: Mapping[str, str]) -> dict[str, object]:
    """Return the message that says which user has which client id."""
    return {
        "clients": {
            str(client): {"person": one.user, "name": names.get(one.user), "via": one.via}
            for client, one in owners.items()
        }
    }
