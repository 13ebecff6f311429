"""Three-way merge of JSON values, field by field. Pure."""

from typing import Literal, TypeAlias, cast

import msgspec

from strata.base.values import Json, equal

Side: TypeAlias = Literal["source", "target"]


class Missing:
    """The place holds nothing, which is not the same as null."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING = Missing()
Part: TypeAlias = "Json | Missing"


class FieldConflict(msgspec.Struct, frozen=True):
    """A place that both sides changed, differently."""

    path: str
    base: Part
    source: Part
    target: Part


def merge_values(
    base: Part, source: Part, target: Part, *, prefer: Side
) -> tuple[Part, list[FieldConflict]]:
    """Return the merged value and the places where `prefer` had to decide."""
    conflicts: list[FieldConflict] = []
    return _merge(base, source, target, "$", prefer, conflicts), conflicts


def _merge(  # noqa: PLR0913, PLR0917
    base: Part, source: Part, target: Part, path: str, prefer: Side,
    conflicts: list[FieldConflict],
) -> Part:  # fmt: skip
    if _same(source, target) or _same(base, source):
        return target
    if _same(base, target):
        return source
    if isinstance(source, dict) and isinstance(target, dict):
        # Where both sides made the object there is no base to compare its fields with.
        before = base if isinstance(base, dict) else {}
        return _merge_objects(before, source, target, path, prefer, conflicts)
    conflicts.append(FieldConflict(path, base, source, target))
    return source if prefer == "source" else target


def _merge_objects(  # noqa: PLR0913, PLR0917
    base: dict[str, Json], source: dict[str, Json], target: dict[str, Json], path: str,
    prefer: Side, conflicts: list[FieldConflict],
) -> dict[str, Json]:  # fmt: skip
    merged: dict[str, Json] = {}
    # The target's order stays; what the source added follows in the source's order.
    for name in [*target, *(name for name in source if name not in target)]:
        place = f"{path}.{name}" if name.isidentifier() else f"{path}[{_quoted(name)}]"
        part = _merge(
            base.get(name, MISSING),
            source.get(name, MISSING),
            target.get(name, MISSING),
            place,
            prefer,
            conflicts,
        )
        if not isinstance(part, Missing):
            merged[name] = part
    return merged


def _quoted(name: str) -> str:
    return msgspec.json.encode(name).decode()


def _same(a: Part, b: Part) -> bool:
    if isinstance(a, Missing) or isinstance(b, Missing):
        return a is b
    return equal(cast("Json", a), cast("Json", b))
