"""What waits on a branch of proposals: changes, grouped into what is decided as one."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias, cast

from strata.base.validity import read_members, read_tags
from strata.decisions import SPACE as DECISIONS
from strata.documents import DRAFT
from strata.proposals.records import BY_OTHERS, ProposedChange, id_of
from strata.store import (
    EVENT,
    GUARDED,
    NOW,
    WHOLE,
    Address,
    BranchRow,
    Commit,
    Merge,
    ShownChange,
    Snapshot,
    Store,
    Visibility,
    as_commit,
    find_commit,
    merge_branch,
    meta_of,
    version_row,
    visible_tip,
)

_MEMORY, _LINK = "memory", "link"
# Versions of a key that are looked at for the one that an agent has proposed.
_LOOKED_AT = 20
_Groups: TypeAlias = dict[Address, list[Address]]


class PendingChanges:
    """What one branch of proposals would change on its base, as of now."""

    def __init__(self, store: Store, row: BranchRow, base: str, *, visibility: Visibility) -> None:
        self._store, self._row, self._base = store, row, base
        # What is decided about is the state that is shown; later changes wait on.
        self.version = visible_tip(store, row.id, NOW)[0]
        # With the source's side everywhere, the preview shows each change as it would be taken.
        found: Merge = merge_branch(
            store,
            row.name,
            target=base,
            strategy="source_wins",
            preview=True,
            actor=None,
            message=None,
            choices={},
            visibility=visibility,
        )
        self._changes = {
            self._address(change): change
            for change in found.changes
            if change.kind not in GUARDED or change.kind == DRAFT
        }
        self._conflicts = {(one.space, one.kind, one.key) for one in found.conflicts}
        self._groups = _grouped(self._changes, Snapshot(store, base))
        self._commits: dict[int, Commit] = {}

    def _address(self, change: ShownChange) -> Address:
        """Return where the branch of proposals has a change; an event has another number there."""
        if change.kind != EVENT:
            return change.space, change.kind, change.key
        row = version_row(self._store, change.version)
        assert row is not None, "the preview has just read it"
        return change.space, change.kind, row[7]

    @property
    def branch(self) -> str:
        """The name of the branch."""
        return self._row.name

    def __len__(self) -> int:
        return len(self._groups)

    def title(self, address: Address) -> str:
        """Return what a reviewer calls a proposal by."""
        return _title(self._changes[address])

    def names(self) -> Iterator[tuple[int, str, Address]]:
        """Yield version, id and address of each proposal."""
        for address in self._groups:
            version = self._changes[address].version
            yield version, id_of(self._row, address, version), address

    def read(self, address: Address) -> ProposedChange:
        """Return a proposal with all that a reviewer wants to know of it."""
        change = self._changes[address]
        commit = self._origin(address, change.version)
        record = Snapshot(self._store, self._row.name).get(*address)
        tags: tuple[str, ...] = ()
        if record is not None and change.kind == "kv":
            tags = tuple(meta_of(record).get("tags", ()))
        members = _members(change.after) if change.kind == _MEMORY else None
        validity = read_tags(tags) if members is None else read_members(members["metadata"])
        parts = self._groups[address]
        return ProposedChange(
            id=id_of(self._row, address, change.version),
            branch=self._row.name,
            base=self._base,
            space=change.space,
            kind=change.kind,
            key=change.key,
            title=_title(change),
            action=change.action,
            before=change.before,
            after=change.after,
            version=change.version,
            timestamp=commit.timestamp,
            actor=commit.actor,
            person=commit.person,
            person_name=commit.person_name,
            agent=commit.agent,
            task=commit.task,
            reason=commit.message,
            sources=validity.sources,
            tags=tags,
            conflict=any(one in self._conflicts for one in parts),
            addresses=tuple(parts),
        )

    def _origin(self, address: Address, version: int) -> Commit:
        """Return the commit by which a change was proposed; a reviewer may have written since."""
        newest = self._commit(version)
        if newest.operation.partition(" ")[0] not in BY_OTHERS:
            return newest
        branch = Snapshot(self._store, self._row.name)
        older = (self._commit(one[0]) for one in branch.history(*address, limit=_LOOKED_AT)[1:])
        return next(
            (one for one in older if one.operation.partition(" ")[0] not in BY_OTHERS), newest
        )

    def joined_addresses(self, chosen: Iterable[ProposedChange]) -> frozenset[Address]:
        """Return what is taken with some proposals: no link without both of its ends."""
        wanted = {address for one in chosen for address in one.addresses}
        base = Snapshot(self._store, self._base)
        return frozenset(
            address
            for address in wanted
            if not _is_link(address)
            or all(
                end in wanted or base.get(*end) is not None for end in _ends(self._changes[address])
            )
        )

    def _commit(self, version: int) -> Commit:
        if version not in self._commits:
            row = find_commit(self._store, version, visibility=WHOLE)
            self._commits[version] = as_commit(self._store, row)
        return self._commits[version]


def _grouped(changes: Mapping[Address, ShownChange], base: Snapshot) -> _Groups:
    """Return the addresses of each proposal by the one that it is named after.

    A link belongs to the memory it goes out from, and the insight that an outcome leaves to its
    decision. A link one of whose ends is nowhere belongs to nothing, and waits for that end.
    """
    groups: _Groups = {address: [address] for address in changes if not _is_link(address)}
    for address in [one for one in groups if one[1] == _MEMORY]:
        decision = _outcome_of(changes[address])
        owner = (DECISIONS, _MEMORY, decision or "")
        if owner in groups and owner != address:
            groups[owner] += groups.pop(address)
    homes = {part: owner for owner, parts in groups.items() for part in parts}
    for address, change in changes.items():
        if not _is_link(address):
            continue
        ends = _ends(change)
        owner = next((homes[end] for end in ends if end in homes), None)
        is_whole = all(end in homes or base.get(*end) is not None for end in ends)
        if owner is not None:
            groups[owner].append(address)
        elif is_whole:
            groups[address] = [address]
    return groups


def _is_link(address: Address) -> bool:
    return address[:2] == (DECISIONS, _LINK)


def _ends(change: ShownChange) -> list[Address]:
    link = _members(change.after or change.before)
    return [(DECISIONS, _MEMORY, str(link.get(name))) for name in ("from", "to")]


def _outcome_of(change: ShownChange) -> str | None:
    metadata = cast("dict[str, Any]", _members(change.after)["metadata"] or {})
    is_outcome = metadata.get("category") == "outcome"
    return str(metadata.get("source")) if is_outcome else None


def _members(value: object) -> dict[str, Any]:
    found = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    return {"metadata": {}, **found}


def _title(change: ShownChange) -> str:
    """Return what a reviewer calls a change by: the key, a decision by its topic."""
    if change.kind == DRAFT:
        return str(_members(change.after or change.before).get("title"))
    if change.kind == _MEMORY:
        members = _members(change.after or change.before)
        return str(members.get("topic") or members.get("type") or change.key)
    if change.kind == _LINK:
        link = _members(change.after or change.before)
        return f"{link.get('from')} -> {link.get('to')}"
    return f"{change.event_type} #{change.key}" if change.kind == EVENT else change.key
