"""What a run records of itself for its user: calls of tools and notes, short enough to be kept."""

import threading
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, cast

import msgspec

from strata.base import limits
from strata.base.errors import SecretRefused
from strata.tasks import TaskStep
from strata.tools import CallOutcome

_NOT_KEPT = "…"
# How much of a text, and how many members of a list or an object, are kept: the first way that
# makes a value short enough. Whole members go, so that an ID stays beside what was said of it.
_WAYS = ((300, 8), (120, 5), (60, 3), (30, 2))
_NOTE_CHARACTERS_MAX = 500


class TaskRecorder:
    """The steps of a run that the queue does not have yet. Threads may share it.

    The run's own thread adds steps; the one that looks after runs takes them to the queue.
    """

    def __init__(self, now: Callable[[], int], screened: Callable[[str], str]) -> None:
        self._now = now
        self._screened = screened
        self._lock = threading.Lock()
        # What the queue would drop at once is not kept for it.
        self._steps: deque[TaskStep] = deque(maxlen=limits.AGENT_STEPS_MAX)
        self._number = 0

    def note(self, text: str) -> None:
        """Add words for the user about how far the task is."""
        self._add(answer=text[:_NOTE_CHARACTERS_MAX])

    def call(
        self,
        tool: str,
        arguments: Mapping[str, Any],
        outcome: CallOutcome,
        *,
        began: int | None = None,
    ) -> None:
        """Add a call of a tool, and what came of it; one that was refused at once began at None."""
        self._add(
            tool=tool[:100],
            arguments=_short(arguments),
            answer=_short(outcome.value),
            is_error=outcome.is_error,
            took=0 if began is None else self._now() - began,
        )

    def _add(self, **told: Any) -> None:
        with self._lock:
            self._number += 1
            self._steps.append(TaskStep(number=self._number, created=self._now(), **told))

    @property
    def has_news(self) -> bool:
        """Whether there are steps that the queue does not have."""
        return bool(self._steps)

    def waiting(self) -> list[TaskStep]:
        """Return the steps for the queue, without what must stay secret."""
        with self._lock:
            steps = list(self._steps)
        return [
            msgspec.structs.replace(
                one, arguments=self._storable(one.arguments), answer=self._storable(one.answer)
            )
            for one in steps
        ]

    def drop(self, steps: list[TaskStep]) -> None:
        """Forget steps that the queue has."""
        newest = steps[-1].number if steps else 0
        with self._lock:
            while self._steps and self._steps[0].number <= newest:
                self._steps.popleft()

    def _storable(self, text: str) -> str:
        try:
            return self._screened(text)
        except SecretRefused:
            return _NOT_KEPT


def _short(value: Any) -> str:
    """Return a value as JSON of which long parts are cut."""
    for characters, members in _WAYS:
        cut = _cut(value, characters, members)
        said = msgspec.json.encode(cut, enc_hook=str).decode()
        if len(said) <= limits.AGENT_STEP_CHARACTERS_MAX:
            return said
    return f'"{_NOT_KEPT}"'


def _cut(value: Any, characters: int, members: int, *, depth: int = 6) -> Any:
    if isinstance(value, str):
        return value if len(value) <= characters else f"{value[:characters]}…"
    if not isinstance(value, (Mapping, list, tuple)):
        return value
    if depth == 0:
        return _NOT_KEPT
    if isinstance(value, Mapping):
        named = list(cast("Mapping[str, Any]", value).items())
        kept = {
            str(name)[:100]: _cut(one, characters, members, depth=depth - 1) for name, one in named
        }
        # An object has few members, which say what it is; of a list some stand for all.
        return dict(list(kept.items())[: 4 * members])
    listed = list(cast("list[Any]", value))
    shown = [_cut(one, characters, members, depth=depth - 1) for one in listed[:members]]
    return shown if len(listed) <= members else [*shown, f"… {len(listed) - members} more"]
