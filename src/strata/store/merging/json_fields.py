"""Three-way merge of JSON values, field by field. Pure."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec

from strata.base import ids
from strata.base.values import Json, equal

Side: TypeAlias = Literal["source", "target", "neither"]
# What `neither` leaves at a conflict. No value is equal to it, because it is unknown.
CLASH = f"clash {ids.token()}"


class AbsentField:
    """The place holds nothing, which is not the same as null."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING = AbsentField()
Part: TypeAlias = "Json | AbsentField"


_NOTHING: Mapping[str, Part] = {}


class FieldConflict(msgspec.Struct, frozen=True):
    """A place that both sides changed, differently."""

    path: str
    base: Part
    source: Part
    target: Part


def merge_values(
    base: Part, source: Part, target: Part, *, prefer: Side, chosen: Mapping[str, Part] = _NOTHING
) -> tuple[Part, list[FieldConflict]]:
    """Return the merged value and the places where both sides differ from the base.

    There it has what was `chosen` for the path, else what `prefer` says.
    """
    merging = _Merging(prefer, chosen)
    return merging.merge((base, source, target), "$"), merging.conflicts


class _Merging:
    """One merge under way. Sides are always base, source, target."""

    def __init__(self, prefer: Side, chosen: Mapping[str, Part]) -> None:
        self._prefer = prefer
        self._chosen = chosen
        self.conflicts: list[FieldConflict] = []

    def merge(self, sides: tuple[Part, Part, Part], path: str) -> Part:
        base, source, target = sides
        if _same(source, target) or _same(base, source):
            return target
        if _same(base, target):
            return source
        if isinstance(source, dict) and isinstance(target, dict):
            # Where both sides made the object there is no base to compare its fields with.
            before = base if isinstance(base, dict) else {}
            return self._merge_objects((before, source, target), path)
        self.conflicts.append(FieldConflict(path, base, source, target))
        if path in self._chosen:
            return self._chosen[path]
        if self._prefer == "neither":
            return CLASH
        return source if self._prefer == "source" else target

    def _merge_objects(
        self, sides: tuple[dict[str, Json], dict[str, Json], dict[str, Json]], path: str
    ) -> dict[str, Json]:
        base, source, target = sides
        merged: dict[str, Json] = {}
        # The target's order stays; what the source added follows in the source's order.
        for name in [*target, *(name for name in source if name not in target)]:
            place = f"{path}.{name}" if name.isidentifier() else f"{path}[{_quoted(name)}]"
            parts = (base.get(name, MISSING), source.get(name, MISSING), target.get(name, MISSING))
            part = self.merge(parts, place)
            if not isinstance(part, AbsentField):
                merged[name] = part
        return merged


def without_clashes(value: Part) -> Json:
    """Return a base to look at: null where there was nothing, or it is unknown."""
    if isinstance(value, dict):
        return {name: without_clashes(member) for name, member in value.items()}
    return None if isinstance(value, AbsentField) or value == CLASH else value


def _quoted(name: str) -> str:
    return msgspec.json.encode(name).decode()


def _same(a: Part, b: Part) -> bool:
    if isinstance(a, AbsentField) or isinstance(b, AbsentField):
        return a is b
    return equal(a, b)
