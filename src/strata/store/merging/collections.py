"""Merging collections: no vector stays without a collection of its dimension."""

from strata.store.diff import Pair, is_present, readable_value, visible_record
from strata.store.merging.choices import choice_refused
from strata.store.merging.plan import MergeTask, Plan, agree, apply_source
from strata.store.record import Address, Record, damaged, plain, value_of
from strata.store.store import Store

# A collection's definition, and its vectors under keys that begin with its name and a slash.
COLLECTION, VECTOR = "collection", "vector"


def keep_together(store: Store, plan: Plan, task: MergeTask) -> None:
    """See to it that no vector stays without a collection of its dimension.

    One side may have dropped or remade a collection that the other went on filling. Then
    its definition conflicts, and the vectors that do not fit the one that stays go.
    """
    touched = {
        (space, COLLECTION, key.partition("/")[0])
        for space, kind, key in plan.changes
        if kind in (COLLECTION, VECTOR)
    }
    for collection in sorted(touched):
        misfits = _misfits(plan, collection)
        if not misfits:
            continue
        if not any((c.space, c.kind, c.key) == collection for c in plan.conflicts):
            _decide_collection(store, plan, task, address=collection)
            misfits = _misfits(plan, collection)
        for address in misfits:
            plan.drop(address)
        for address in _misfits(plan, collection):
            apply_source(store, plan, Pair(address, plan.target.get(*address), None))


def _decide_collection(store: Store, plan: Plan, task: MergeTask, *, address: Address) -> None:
    """Note that the sides disagree about a collection, and let one of them define it."""
    space, kind, key = address
    keyspace = store.catalog.keyspace(space, kind, store.connection()) or 0
    base, source = (
        visible_record(store, point, (keyspace, key)) for point in (task.bases[-1], task.source)
    )
    target = plan.target.get(*address)
    before, theirs, ours = (readable_value(record) for record in (base, source, target))
    entry, choice = plan.conflict(address, "$", (before, theirs, ours))
    if choice not in (None, "ours", "theirs"):
        raise choice_refused(entry, entry.choice or "", "its vectors fit one side's definition")
    plan.drop(address)
    if plan.side(choice, source, target) == "source" and not agree(source, target):
        apply_source(store, plan, Pair(address, target, source))


def _misfits(plan: Plan, collection: Address) -> list[Address]:
    """Return the vectors that would be in a collection without fitting it."""
    space, _kind, name = collection
    definition = plan.after(collection)
    size = 4 * _dimension(definition) if definition is not None and is_present(definition) else 0
    keys = {key for at, kind, key in plan.changes if (at, kind) == (space, VECTOR)}
    if collection in plan.changes:
        keys.update(key for key, _version in plan.target.keys(space, VECTOR, f"{name}/"))
    addresses = [(space, VECTOR, key) for key in sorted(keys) if key.startswith(f"{name}/")]
    records = ((address, plan.after(address)) for address in addresses)
    return [
        address
        for address, record in records
        if record is not None and is_present(record) and len(plain(record)) != size
    ]


def _dimension(definition: Record) -> int:
    stored = value_of(definition)
    size = stored.get("dimension") if isinstance(stored, dict) else None
    if not isinstance(size, int):
        raise damaged(definition[0])
    return size
