"""One merge under way: what it is to do, what it will write, and where it conflicts."""

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

import msgspec

from strata.base.errors import ConflictEntry
from strata.base.results import Result, TimedResult
from strata.base.values import Json
from strata.store.branch import Ancestry, Point
from strata.store.commit import Header
from strata.store.diff import Change as Shown
from strata.store.diff import Pair, is_present, readable_change, same_content
from strata.store.merging.choices import Choice, Choices, NamedChoices, conflict_id, word_of
from strata.store.merging.json_fields import Side
from strata.store.merging.merge_base import Points
from strata.store.record import (
    COMPRESSED,
    DELETED,
    Address,
    Record,
    StagedChange,
    meta_of,
    meta_of_deletion,
    plain,
)
from strata.store.store import Store
from strata.store.transaction import Transaction
from strata.store.visibility import WHOLE, Visibility

Strategy: TypeAlias = Literal["strict", "source_wins", "target_wins", "newest"]


class FiledEdit(Result, frozen=True, kw_only=True):
    """An edit of a text that met another author's words, and waits as a suggestion beside them.

    `original` are the words that stay in the text, `replacement` those that are suggested, `around`
    the line that they are in. In a preview there is no `suggestion` yet. Of a merge, `id` names it
    in the choices, `base` are the words that both sides started from, and `choice` is what was
    chosen; with a choice there is no suggestion.
    """

    space: str
    kind: str
    key: str
    title: str
    suggestion: str | None
    line: int
    section: str
    around: str
    original: str
    replacement: str
    base: str | None = None
    id: str | None = None
    choice: str | None = None

    @property
    def document(self) -> str:
        """The document whose text it is."""
        return self.key


class LaterChange(TimedResult, frozen=True, kw_only=True):
    """A place that a reversal leaves as it is, and the newest commit that changed it since.

    `conflict` is the id of the conflict that tells the values.
    """

    space: str
    kind: str
    key: str
    path: str
    conflict: str
    version: int
    timestamp: int
    actor: str | None
    person: str | None
    agent: str | None
    title: str | None = None


class MergeTask(msgspec.Struct, frozen=True):
    """One three-way merge to do."""

    name: str
    ancestry: Ancestry
    bases: Points
    source: Point
    strategy: Strategy
    header: Header
    only: frozenset[Address] | None = None
    takes_events: bool = True
    visibility: Visibility = WHOLE
    undone_by: tuple[int, ...] = ()
    choices: NamedChoices = {}
    # Whether commits are worth a commit that bring no change.
    adds_history: bool = True


class VersionLabels(msgspec.Struct, frozen=True):
    """The tags, attributes and links of a version."""

    tags: tuple[str, ...]
    attributes: tuple[tuple[str, str], ...]
    links: tuple[tuple[str, str], ...]


class Plan:
    """The changes and conflicts found so far, in the order in which they were found."""

    def __init__(self, target: Transaction, strategy: Strategy, choices: Choices) -> None:
        self.target = target
        self.strategy: Strategy = strategy
        self.choices = choices
        self.changes: dict[Address, StagedChange] = {}
        self.shown: dict[Address, Shown] = {}
        self.conflicts: list[ConflictEntry] = []
        self.filed: list[FiledEdit] = []
        # Edits of the same kind that a choice has decided.
        self.settled: list[FiledEdit] = []
        # Documents of which something that some authors did was left out.
        self.left_out: list[Address] = []
        # What versions declare that the merge may write again, read for all of them at once.
        self._labels: dict[int, VersionLabels] = {}

    def expect(self, pairs: Iterable[tuple[Pair, Pair | None]]) -> None:
        """Read what both sides declare of some keys, before these are decided one by one."""
        records = (
            side.after for sides in pairs for side in sides if side is not None and side.after
        )
        self._labels |= labels_of(self.target.store, [record[0] for record in records])

    def labels(self, version: int) -> VersionLabels:
        """Return what a version declares."""
        if version not in self._labels:
            self._labels |= labels_of(self.target.store, [version])
        return self._labels[version]

    def conflict(
        self, address: Address, path: str, values: tuple[Json, Json, Json]
    ) -> tuple[ConflictEntry, Choice | None]:
        """Note a conflict of base, source and target; return it, and what was chosen for it."""
        name = conflict_id(address, path, *values)
        choice = self.choices.find(address, name)
        entry = ConflictEntry(*address, path, *values, id=name, choice=word_of(choice))
        self.conflicts.append(entry)
        return entry, choice

    def side(self, choice: Choice | None, theirs: Record | None, ours: Record | None) -> Side:
        """Return the side that decides: as chosen, else by the strategy."""
        if choice == "ours":
            return "target"
        return "source" if choice == "theirs" else preferred(self.strategy, theirs, ours)

    def add(self, change: StagedChange, shown: Shown | None) -> None:
        """Let the merge write a change; one that only follows from others is not shown."""
        self.changes[change.address] = change
        if shown is not None:
            self.shown[change.address] = shown

    def drop(self, address: Address) -> None:
        """Leave a key as the target has it."""
        self.changes.pop(address, None)
        self.shown.pop(address, None)

    def after(self, address: Address) -> Record | None:
        """Return what the target will show for a key."""
        change = self.changes.get(address)
        if change is None:
            return self.target.get(*address)
        return (0, 0, change.flags, change.data, change.meta)


def agree(a: Record | None, b: Record | None) -> bool:
    """Whether two states show the same for a key: nothing, or the same content."""
    if a is None or b is None or not is_present(a) or not is_present(b):
        return not is_present(a) and not is_present(b)
    return same_content(a, b)


def preferred(strategy: Strategy, theirs: Record | None, ours: Record | None) -> Side:
    """Return the side that a strategy lets decide; `strict` writes nothing in the end."""
    if strategy == "newest":
        newer = (theirs[1] if theirs else 0) > (ours[1] if ours else 0)
        return "source" if newer else "target"
    return "source" if strategy == "source_wins" else "target"


def apply_source(store: Store, plan: Plan, pair: Pair) -> None:
    """Apply the source's version of a key as it is; `before` is what the target shows."""
    address, before, after = pair.address, pair.before, pair.after
    if not is_present(before) and not is_present(after):
        return
    if after is None or not is_present(after):
        meta = meta_of_deletion(address[1], plan.target.get(*address))
        change = StagedChange(*address, flags=DELETED, meta=meta)
    else:
        change = _counted_up(plan, carried(plan, address, after), after)
    plan.add(change, readable_change(store, pair))


def _counted_up(plan: Plan, change: StagedChange, after: Record) -> StagedChange:
    """Let a cell's counter grow, also when an old value comes back."""
    meta = meta_of(after)
    if "counter" not in meta:
        return change
    before = plan.target.get(*change.address)
    known = meta_of(before) if before is not None else {}
    if meta["counter"] > known.get("counter", 0):
        return change
    counted = msgspec.json.encode(meta | {"counter": known["counter"] + 1})
    return msgspec.structs.replace(change, meta=counted)


def apply_edited(
    store: Store,
    plan: Plan,
    sides: tuple[Pair, Pair],
    *,
    data: bytes,
    kept: Record | None = None,
) -> None:
    """Write a value that neither side has, with what the target declares of the key, or the source.

    `sides` are what source and target made of it; `kept` is the one whose declarations stay.
    """
    theirs, ours = sides
    if kept is None:
        kept = ours.after if is_present(ours.after) else theirs.after
    assert kept is not None, "two sides that conflict have a value"
    change = msgspec.structs.replace(carried(plan, theirs.address, kept), data=data, flags=0)
    after: Record = (0, 0, 0, data, change.meta)
    shown = readable_change(store, Pair(theirs.address, ours.after, after))
    plan.add(_counted_up(plan, change, after), shown)


def carried(plan: Plan, address: Address, record: Record) -> StagedChange:
    """Return a change that writes a version again, with all that was declared about it."""
    found = plan.labels(record[0])
    return StagedChange(
        *address,
        data=plain(record),
        flags=record[2] & ~COMPRESSED,
        meta=record[4],
        tags=found.tags,
        attributes=found.attributes,
        links=found.links,
    )


def labels_of(store: Store, versions: Sequence[int]) -> dict[int, VersionLabels]:
    """Return what versions declared about themselves: their tags, attributes and links."""
    wanted = msgspec.json.encode(versions).decode()
    found: dict[int, dict[str, list[tuple[str, str]]]] = {version: {} for version in versions}
    for version, what, name, value in store.connection().rows(
        store.queries.declared_by_number, (wanted,)
    ):
        found[version].setdefault(what, []).append((name, value))
    return {
        version: VersionLabels(
            tuple(tag for tag, _none in declared.get("tag", ())),
            tuple(declared.get("attribute", ())),
            tuple(declared.get("link", ())),
        )
        for version, declared in found.items()
    }
