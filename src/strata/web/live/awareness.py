"""Who looks at a document just now, and where: what the clients of a document say of themselves.

Each client counts its own changes; what does not count on is old and passed over. A client that
has gone is remembered with its count, or an echo from a slow client would bring it back.
"""

from collections.abc import Mapping
from typing import NamedTuple

from strata.base import limits
from strata.base.values import Json
from strata.web.live.wire import AwarenessState


class _Known(NamedTuple):
    """The newest that is known of a client, and who speaks for it: None once it has gone."""

    state: AwarenessState
    speaker: object | None


class AwarenessOutcome(NamedTuple):
    """What became of a message: what all should hear, and what its sender has to say anew."""

    news: list[AwarenessState]
    again: list[AwarenessState]


class Awareness:
    """The states of one document's clients."""

    def __init__(self) -> None:
        self._known: dict[int, _Known] = {}
        # The clients that each speaker speaks for.
        self._spoken: dict[object, set[int]] = {}

    def __len__(self) -> int:
        """Return how many clients are remembered, present or gone."""
        return len(self._known)

    def hear(
        self, state: AwarenessState, speaker: object, user: Mapping[str, Json]
    ) -> AwarenessOutcome:
        """Receive the state of one of a user's own clients; `user` is the authenticated user."""
        known = self._known.get(state.client)
        if _is_newer(state, known):
            return AwarenessOutcome([self._keep(_signed(state, user), speaker)], [])
        if known and known.speaker is None and _returns(state, known.state):
            # It lost its connection and is back with the count it had. Told that it has gone,
            # it counts on, and then everybody believes it.
            return AwarenessOutcome([], [known.state])
        return AwarenessOutcome([], [])

    def may_speak(self, speaker: object, client: int) -> bool:
        """Tell whether a socket owns a client already, or owns few enough others."""
        spoken = self._spoken.get(speaker, ())
        return client in spoken or len(spoken) < limits.LIVE_CLIENTS_OF_ONE

    def gone(self, speaker: object) -> list[AwarenessState]:
        """Forget the states of a user who has left, and return what to send to the others."""
        left = [self._known[client].state for client in self._spoken.get(speaker, ())]
        states = [AwarenessState(one.client, one.clock, None) for one in left]
        for state in states:
            self._keep(state, None)
        return [one for one, was in zip(states, left, strict=True) if was.value is not None]

    def present(self) -> list[AwarenessState]:
        """Return the states of all who are here."""
        return [one.state for one in self._known.values() if one.state.value is not None]

    def of(self, speaker: object) -> dict[str, Json]:
        """Return the state of one of a user's clients, if there is one."""
        found = (self._known[client].state.value for client in self._spoken.get(speaker, ()))
        return next((value for value in found if value), None) or {}

    def _keep(self, state: AwarenessState, speaker: object | None) -> AwarenessState:
        # Put last, so that the client heard from longest ago is forgotten first.
        self._forget(state.client)
        self._known[state.client] = _Known(state, speaker)
        if speaker is not None:
            self._spoken.setdefault(speaker, set()).add(state.client)
        if len(self._known) > limits.LIVE_CLIENTS_REMEMBERED:
            gone = (client for client, one in self._known.items() if one.speaker is None)
            self._forget(next(gone, 0))
        return state

    def _forget(self, client: int) -> None:
        known = self._known.pop(client, None)
        if known is not None and known.speaker is not None:
            spoken = self._spoken[known.speaker]
            spoken.discard(client)
            if not spoken:
                del self._spoken[known.speaker]


def _is_newer(state: AwarenessState, known: _Known | None) -> bool:
    if known is None:
        return state.clock > 0 and state.value is not None
    if state.clock != known.state.clock:
        return state.clock > known.state.clock
    return state.value is None and known.state.value is not None


def _returns(state: AwarenessState, known: AwarenessState) -> bool:
    return state.value is not None and state.clock == known.clock


def _signed(state: AwarenessState, user: Mapping[str, Json]) -> AwarenessState:
    """Put the real name over whatever name was claimed."""
    if state.value is None:
        return state
    return state._replace(value={**state.value, "user": dict(user)})
