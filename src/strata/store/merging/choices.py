"""What a caller chose for the conflicts of a merge, each by its name."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias, cast

import msgspec

from strata.base.digests import digest
from strata.base.errors import ConflictEntry, InvalidArgument
from strata.base.results import Result
from strata.base.values import Json, equal
from strata.store.record import Address
from strata.store.visibility import Visibility

_NAMES_SHOWN = 5


class EditedValue(Result, frozen=True):
    """What a conflict is decided to be, where neither side has it."""

    value: Any


# Ours is what the target of the merge has, theirs is what the source has.
Choice: TypeAlias = Literal["ours", "theirs", "both"] | EditedValue
NamedChoices: TypeAlias = Mapping[str, Choice]


def conflict_id(address: Address, *parts: Json) -> str:
    """Return a short name for a conflict, which changes with its place and with each value."""
    return digest(msgspec.json.encode((address, parts), order="deterministic")).hex()[:12]


def word_of(choice: Choice | None) -> str | None:
    """Return a choice as results show it."""
    return "edited" if isinstance(choice, EditedValue) else choice


class Choices:
    """The choices for one merge. Each has to be used, or it was made for another state."""

    def __init__(self, given: NamedChoices, visibility: Visibility) -> None:
        self._given = given
        self._visibility = visibility
        self._used: set[str] = set()
        for name, choice in given.items():
            if not isinstance(choice, EditedValue) and choice not in ("ours", "theirs", "both"):
                raise InvalidArgument(
                    f"{choice!r} cannot be chosen for {name!r}.",
                    hint='Choose "ours", "theirs", "both" or EditedValue(value).',
                    parameter="choices",
                )

    def find(self, address: Address, name: str) -> Choice | None:
        """Return what was chosen for a conflict: by its name, else by its key."""
        if not self._visibility.shows(address):
            return None
        space, _kind, key = address
        found = next((one for one in (name, f"{space}/{key}", key) if one in self._given), None)
        if found is None:
            return None
        self._used.add(found)
        # To decide about a document is to change it.
        self._visibility.writable([address])
        return self._given[found]

    def check(self, conflicts: Iterable[tuple[str, str]]) -> None:
        """Raise for a choice that was not used; `conflicts` are the names and keys that exist."""
        unused = [name for name in self._given if name not in self._used]
        if not unused:
            return
        known = [f"{name} ({key})" for name, key in conflicts]
        there = f"The conflicts are: {shortened(known)}." if known else "There is no conflict."
        raise InvalidArgument(
            f"This merge has no conflict {shortened(map(repr, unused))}. {there}",
            hint="Nothing was changed. A conflict that was decided or changed since has another "
            "id: preview the merge again, and choose anew.",
            parameter="choices",
        )


def shortened(names: Iterable[str]) -> str:
    """Return the first few names, and a mark where there are more."""
    found = list(names)
    return ", ".join(found[:_NAMES_SHOWN]) + ("…" if len(found) > _NAMES_SHOWN else "")


def joined(entry: ConflictEntry) -> Json:
    """Return both sides of a conflict as one value; raise where they are no lists."""
    if not isinstance(entry.target, list) or not isinstance(entry.source, list):
        raise choice_refused(entry, "both", "it joins lists and passages of documents")
    ours, theirs = cast("list[Json]", entry.target), cast("list[Json]", entry.source)
    return ours + [item for item in theirs if not any(equal(item, other) for other in ours)]


def choice_refused(entry: ConflictEntry, choice: str, why: str) -> InvalidArgument:
    """Return the error for a choice that a conflict does not have."""
    place = entry.key if entry.path == "$" else f"{entry.key} at {entry.path}"
    return InvalidArgument(
        f"The conflict of {place} cannot be decided by {choice!r}: {why}.",
        hint="Nothing was changed. Choose ours or theirs.",
        parameter="choices",
    )
