"""The plain model of a merge: what it starts from, and what it does to every key."""

import json
from typing import Any, NamedTuple

from tests.property.conftest import ABSENT, Address, Commit, Draft, Entry, Happening, text

# Where several bases disagree nobody knows what was there. No test writes this text.
CLASH = "nobody knows"


class Conflict(NamedTuple):
    address: Address
    path: str
    base: str
    source: str
    target: str


class Plan(NamedTuple):
    """What a merge is to write, and where both sides had changed the same place."""

    drafts: dict[Address, Draft | None]
    conflicts: set[Conflict]
    events: list[tuple[str, Happening]]


def common_ground(source: Commit, target: Commit) -> Commit:
    """Return the state that two commits parted from: the one base, or all of them joined."""
    first, *others = source.bases(target)
    for other in others:
        first = join(first, other)
    return first


def join(a: Commit, b: Commit) -> Commit:
    """Merge two commits into one that nobody made."""
    ground = common_ground(a, b)
    joined = Commit(max(a.version, b.version), 0, parent=a, second=b)
    for address in {*a.shown, *b.shown}:
        entry = _joined(*(state.live(address) for state in (ground, a, b)))
        if entry is not None:
            joined.shown[address] = entry
    return joined


def _joined(base: Entry | None, a: Entry | None, b: Entry | None) -> Entry | None:
    if _alike(a, b) or _alike(base, b):
        return a
    if _alike(base, a):
        return b
    if a is None or b is None:
        return Entry(CLASH, 0, 0, (), 0)
    before = ABSENT if base is None else base.value
    value = merge_json((before, a.value, b.value), "$", "neither", [])
    tags = _merge_tags(base.tags if base else (), a.tags, b.tags, "neither")
    return Entry(value, 0, 0, tags, max(a.counter, b.counter))


def plan_merge(
    base: Commit,
    source: Commit,
    target: Commit,
    *,
    strategy: str,
    only: Commit | None = None,
) -> Plan:
    """Apply what changed from base to source to the target; `only` what one commit wrote."""
    plan = Plan({}, set(), [])
    addresses = {*base.shown, *source.shown, *target.shown} if only is None else {*only.written}
    for address in sorted(addresses):
        _plan_key(plan, address, (base, source, target), strategy)
    known = {happening for log in target.logs.values() for happening in log}
    arriving = (
        [(space, event) for space, log in source.logs.items() for event in log]
        if only is None
        else list(only.appended)
    )
    plan.events.extend((space, event) for space, event in arriving if event not in known)
    return plan


def _plan_key(
    plan: Plan, address: Address, states: tuple[Commit, Commit, Commit], strategy: str
) -> None:
    base, source, target = (state.live(address) for state in states)
    if _alike(base, source) or _alike(source, target):
        return
    if _alike(base, target):
        plan.drafts[address] = _draft(source)
        return
    prefer = strategy
    if strategy == "newest":
        times = [
            state.shown[address].timestamp if address in state.shown else 0 for state in states
        ]
        prefer = "source_wins" if times[1] > times[2] else "target_wins"
    if source is None or target is None:
        shown = [spelled(entry and entry.value) for entry in (base, source, target)]
        plan.conflicts.add(Conflict(address, "$", *shown))
        if prefer == "source_wins":
            plan.drafts[address] = _draft(source)
        return
    before = ABSENT if base is None else base.value
    found: list[tuple[str, Any, Any, Any]] = []
    merged = merge_json((before, source.value, target.value), "$", prefer, found)
    for path, *parts in found:
        shown = [spelled(part) for part in parts]
        plan.conflicts.add(Conflict(address, path, *shown))
    tags = _merge_tags(base.tags if base else (), source.tags, target.tags, prefer)
    if text(merged) != text(target.value) or tags != target.tags or address[1] == "state":
        plan.drafts[address] = Draft(merged, tags)


def spelled(value: Any) -> str:
    """Spell a value as a conflict shows it."""
    return text(_without_clashes(value))


def _without_clashes(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_clashes(member) for name, member in value.items()}
    return None if value is ABSENT or value == CLASH else value


def _alike(a: Entry | None, b: Entry | None) -> bool:
    if a is None or b is None:
        return a is b
    return a.content == b.content


def _draft(entry: Entry | None) -> Draft | None:
    return None if entry is None else Draft(entry.value, entry.tags, entry.counter)


def _merge_tags(
    base: tuple[str, ...], source: tuple[str, ...], target: tuple[str, ...], prefer: str
) -> tuple[str, ...]:
    if base == source:
        return target
    if base == target or prefer == "source_wins":
        return source
    return target


def merge_json(
    parts: tuple[Any, Any, Any], path: str, prefer: str, found: list[tuple[str, Any, Any, Any]]
) -> Any:
    """Merge one place of a document; places that cannot be merged are noted in `found`."""
    base, source, target = parts
    spelled = [ABSENT if part is ABSENT else text(part) for part in parts]
    if spelled[0] == spelled[1] or spelled[1] == spelled[2]:
        return target
    if spelled[0] == spelled[2]:
        return source
    if not isinstance(source, dict) or not isinstance(target, dict):
        found.append((path, *parts))
        if prefer == "neither":
            return CLASH
        return source if prefer == "source_wins" else target
    before = base if isinstance(base, dict) else {}
    merged: dict[str, Any] = {}
    for name in {*source, *target}:
        place = f"{path}.{name}" if name.isidentifier() else f"{path}[{json.dumps(name)}]"
        inner = tuple(part.get(name, ABSENT) for part in (before, source, target))
        member = merge_json(inner, place, prefer, found)
        if member is not ABSENT:
            merged[name] = member
    return merged
