"""Presence in live documents: written for other processes, and read from them."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from strata.base import limits
from strata.base.errors import StrataError
from strata.presence import PresenceEntry, Status
from strata.web.live import wire
from strata.web.live.branch import LiveBranch
from strata.web.live.document import LiveDocument
from strata.web.live.sockets import Guest, LiveSocket
from strata.web.shell import Shell


class _LastReport(NamedTuple):
    """What was noted about a socket last, and when, by the loop's clock."""

    at: float
    status: Status
    section: str | None


class _Touch(NamedTuple):
    """Something to note."""

    guest: Guest
    document: str
    noted: _LastReport


class _Departure(NamedTuple):
    """A user who has left."""

    branch: str
    document: str
    guest: Guest


class PresenceReports:
    """Writes who has live documents open, and tells them who else has."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._noted: dict[LiveSocket, _LastReport] = {}
        self._gone: list[_Departure] = []
        # What each live was told last.
        self._told: dict[LiveDocument, list[dict[str, object]]] = {}

    def joined(self, live: LiveDocument, socket: LiveSocket) -> None:
        """Send a user the presence that their document was sent last."""
        people = self._told.get(live)
        if people:
            socket.send(wire.notice("presence", {"people": people}))

    def left(self, live_branch: LiveBranch, live: LiveDocument, socket: LiveSocket) -> None:
        """Record that a user has left; it is written with the other changes of presence."""
        if not live.sockets:
            self._told.pop(live, None)
        if self._noted.pop(socket, None) is not None:
            self._gone.append(_Departure(live_branch.branch, live.document, socket.guest))

    async def farewell(self) -> None:
        """Note who has gone."""
        gone, self._gone = self._gone, []
        if gone:
            await self._shell.run(self._leave, gone)

    async def renew(self, live_branch: LiveBranch) -> None:
        """Note who is there and what they do, and tell who is about that no socket shows."""
        touches = [found for live in live_branch.documents.values() for found in self._due(live)]
        guests = {
            document: next(iter(live.sockets)).guest
            for document, live in live_branch.documents.items()
            if live.sockets
        }
        others = await self._shell.run(self._exchange, live_branch.branch, touches, guests)
        for document, present in others.items():
            live = live_branch.documents.get(document)
            if live is not None:
                self._tell(live, present)

    def _due(self, live: LiveDocument) -> list[_Touch]:
        now = asyncio.get_running_loop().time()
        found: list[_Touch] = []
        for socket in live.sockets:
            noted, known = _state(live, socket, now), self._noted.get(socket)
            is_news = known is None or noted[1:] != known[1:]
            if is_news or (known and now - known.at > limits.LIVE_TOUCH_S):
                self._noted[socket] = noted
                found.append(_Touch(socket.guest, live.document, noted))
        return found

    def _tell(self, live: LiveDocument, present: Sequence[PresenceEntry]) -> None:
        here = {(one.guest.author.user, one.guest.author.via) for one in live.sockets}
        people = [_entry_fields(one) for one in present if (one.user, one.via) not in here]
        if people != self._told.get(live, []):
            self._told[live] = people
            live.tell("presence", {"people": people})

    # In a thread.

    def _exchange(
        self, branch: str, touches: list[_Touch], guests: dict[str, Guest]
    ) -> dict[str, list[PresenceEntry]]:
        for touch in touches:
            with suppress(StrataError):  # a user who lost permission is disconnected elsewhere
                self._touch(branch, touch)
        found: dict[str, list[PresenceEntry]] = {}
        for document, guest in guests.items():
            with suppress(StrataError):
                here = self._shell.db_for(guest.visitor, branch)
                found[document] = here.presence.list(document)
        return found

    def _touch(self, branch: str, touch: _Touch) -> None:
        guest = touch.guest
        self._shell.db_for(guest.visitor, branch).presence.touch(
            touch.document,
            session=guest.session,
            status=touch.noted.status,
            section=touch.noted.section,
            via=guest.author.via,
        )

    def _leave(self, gone: list[_Departure]) -> None:
        for branch, document, guest in gone:
            with suppress(StrataError):  # forgotten by itself a little later
                presence = self._shell.db_for(guest.visitor, branch).presence
                presence.leave(document, session=guest.session)


def _state(live: LiveDocument, socket: LiveSocket, now: float) -> _LastReport:
    section = live.awareness.of(socket).get("section")
    is_editing = now - socket.wrote < limits.LIVE_EDITING_S
    status: Status = "editing" if is_editing else "viewing"
    return _LastReport(now, status, section if isinstance(section, str) else None)


def _entry_fields(one: PresenceEntry) -> dict[str, object]:
    return {
        "person": one.user,
        "name": one.name,
        "via": one.via,
        "entityType": one.entity_type,
        "status": one.status,
        "section": one.section,
        "colour": one.colour,
    }
