"""Merging the values of keys: whole values, and JSON field by field."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from strata.base.errors import ConflictEntry
from strata.base.values import Json, decode, encode
from strata.store.branch import Ancestry, Point
from strata.store.diff import Change as Shown
from strata.store.diff import (
    Pair,
    Place,
    Sides,
    as_pairs,
    differ,
    differing,
    is_present,
    readable_value,
    reads_of_pairs,
    visible_record,
)
from strata.store.merging.choices import Choice, EditedValue, choice_refused, joined, word_of
from strata.store.merging.json_fields import AbsentField, FieldConflict, Part, without_clashes
from strata.store.merging.merge_base import Points, is_json, merge_base, merge_records
from strata.store.merging.plan import (
    MergeTask,
    Plan,
    agree,
    apply_edited,
    apply_source,
    carried,
    preferred,
)
from strata.store.record import Address, plain, read_json
from strata.store.store import Store

# The kinds whose values are any JSON, so that a caller may write one that neither side has.
_EDITABLE = frozenset({"kv", "json", "state"})


def sides_of(
    store: Store, task: MergeTask, target: Point
) -> tuple[dict[Address, Pair], dict[Address, Pair]]:
    """Return what each side changed since they parted."""
    points = (task.source, target)
    theirs, ours = changed_since(store, task.bases, points, ancestry=task.ancestry)
    return as_pairs(store, theirs), as_pairs(store, ours)


def changed_since(
    store: Store, bases: Points, points: Sequence[Point], *, ancestry: Ancestry
) -> list[dict[Place, Sides]]:
    """Return what each of some states changed since the states they have in common."""
    base = bases[-1]
    store.connection().foresee(
        read
        for point in points
        for sides in ((base, point), (point, base))
        for read in reads_of_pairs(store, *sides)
    )
    found = [differing(store, base, point) for point in points]
    for place, before in merge_base(store, bases, ancestry).items():
        for side, point in zip(found, points, strict=True):
            after = visible_record(store, point, place)
            side.pop(place, None)
            if differ(before, after):
                side[place] = (before, after)
    return found


def plan_key(store: Store, plan: Plan, sides: tuple[Pair, Pair | None]) -> None:
    """Decide one key that the source changed."""
    theirs, ours = sides
    if ours is None:
        apply_source(store, plan, theirs)
        return
    if agree(theirs.after, ours.after):
        return
    rule = store.rivals.get(theirs.address[1])
    if rule is not None and is_present(theirs.after) and is_present(ours.after):
        stays = rule(readable_value(theirs.after), readable_value(ours.after))
        if isinstance(stays, tuple):
            is_theirs, value = stays
            kept = theirs.after if is_theirs else ours.after
            if value != readable_value(ours.after):
                apply_edited(store, plan, (theirs, ours), data=encode(value), kept=kept)
            return
        if stays:
            apply_source(store, plan, Pair(theirs.address, ours.after, theirs.after))
        if stays is not None:
            return
    if rule is None and is_json(theirs.after) and is_json(ours.after):
        _merge_json(plan, (theirs, ours))
    else:
        _decide_whole(store, plan, (theirs, ours))


def _decide_whole(store: Store, plan: Plan, sides: tuple[Pair, Pair]) -> None:
    """Let a choice or the strategy decide what becomes of a value that is never joined."""
    theirs, ours = sides
    base, source, target = map(readable_value, (theirs.before, theirs.after, ours.after))
    entry, choice = plan.conflict(theirs.address, "$", (without_clashes(base), source, target))
    if choice == "both" or isinstance(choice, EditedValue):
        value = _chosen_value(entry, choice)
        apply_edited(store, plan, sides, data=encode(value))
    elif plan.side(choice, theirs.after, ours.after) == "source":
        apply_source(store, plan, Pair(theirs.address, ours.after, theirs.after))


def _merge_json(plan: Plan, sides: tuple[Pair, Pair]) -> None:
    """Merge two present JSON values field by field."""
    theirs, ours = sides
    source, target = theirs.after, ours.after
    assert source is not None and target is not None
    prefer = preferred(plan.strategy, source, target)
    data, meta, conflicts = merge_records(theirs.before, source, target, prefer=prefer)
    chosen: dict[str, Part] = {}
    for one in conflicts:
        choice = _note(plan, theirs.address, one, chosen=chosen)
        if one.path == "$":  # then it is the only one, and decides for the tags as well
            prefer = plan.side(choice, source, target)
    if chosen:
        merged = merge_records(theirs.before, source, target, prefer=prefer, chosen=chosen)
        data, meta = encode(decode(merged[0])), merged[1]
    if data == plain(target) and meta == target[4]:
        return
    kept = carried(plan, theirs.address, source if prefer == "source" else target)
    noted = _tags_in(kept.meta)
    tags = (*_tags_in(meta), *(tag for tag in kept.tags if tag not in noted))
    change = msgspec.structs.replace(kept, data=data, meta=meta, flags=0, tags=tags)
    shown = (readable_value(target), read_json(data, source[0]))
    plan.add(change, Shown(*theirs.address, "modified", *shown, source[0]))


def _tags_in(meta: bytes | None) -> tuple[str, ...]:
    return tuple(decode(meta).get("tags", ())) if meta else ()


def _note(
    plan: Plan, address: Address, found: FieldConflict, *, chosen: dict[str, Part]
) -> Choice | None:
    """Note a conflict of a field, and what was chosen for it; return the choice."""
    source, target = (
        None if isinstance(part, AbsentField) else part for part in (found.source, found.target)
    )
    values = (without_clashes(found.base), source, target)
    entry, choice = plan.conflict(address, found.path, values)
    if choice == "ours":
        chosen[found.path] = found.target
    elif choice == "theirs":
        chosen[found.path] = found.source
    elif choice is not None:
        chosen[found.path] = _chosen_value(entry, choice)
    return choice


def _chosen_value(entry: ConflictEntry, choice: EditedValue | Literal["both"]) -> Json:
    """Return the value that a choice makes where it takes neither side."""
    if entry.kind not in _EDITABLE:
        raise choice_refused(entry, word_of(choice) or "", f"a {entry.kind} is one thing")
    return choice.value if isinstance(choice, EditedValue) else joined(entry)
