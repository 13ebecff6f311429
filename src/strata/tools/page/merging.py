"""Two branches beside each other, and a merge in which a user decides each conflict."""

from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from strata.base.values import Json
from strata.tools.memory.branches import named_choices
from strata.tools.memory.past import LINK, MEMORY, differing, readable
from strata.tools.page.group import Limit, PageAnswer, page
from strata.tools.page.naming import ChangedNames, group_of
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.base.errors import ConflictEntry
    from strata.store import FiledEdit, Merge, ShownChange

# What a page shows of a value; the screen of the thing itself shows all of it.
_SHOWN_CHARACTERS = 20_000
# Of a decision: its words, what its title says, and when it was made.
_SHOWN_ELSEWHERE = ("content", "reasoning", "type", "topic", "timestamp")
_GROUP_NAMES = ("document", "fact", "decision", "event", "other")


class ChangeLine(PageAnswer, frozen=True):
    """Something that the source changed, as text; `is_whole` is false where it was cut."""

    group: str
    kind: str
    namespace: str
    key: str
    title: str
    action: str
    before: str | None
    after: str | None
    is_whole: bool


class ConflictLine(PageAnswer, frozen=True):
    """A value that both sides changed: what it was, ours (the target's) and theirs."""

    id: str
    group: str
    kind: str
    namespace: str
    key: str
    path: str
    title: str
    base: str | None
    ours: str | None
    theirs: str | None
    # Whether an edited value is read as JSON; otherwise it is kept as text.
    is_json: bool
    takes_both: bool


class PassageLine(PageAnswer, frozen=True):
    """Words of a document that both sides changed; undecided, theirs wait as a suggestion."""

    id: str
    document: str
    title: str
    section: str
    line: int
    around: str
    base: str | None
    ours: str
    theirs: str


class ChangeCounts(PageAnswer, frozen=True):
    """How many changes there are of each group."""

    document: int
    fact: int
    decision: int
    event: int
    other: int


class Comparison(PageAnswer, frozen=True):
    """What a merge of `source` into `target` would do."""

    source: str
    target: str
    counts: ChangeCounts
    changes: list[ChangeLine]
    # How many changes to skip for what follows; null at the end.
    next: int | None
    conflicts: list[ConflictLine]
    passages: list[PassageLine]
    # Documents of which something is left out, because its authors may not write it any more.
    left_out: list[str]
    note: str


class Merged(PageAnswer, frozen=True):
    """What a merge did; `version` is null where nothing was due."""

    version: int | None
    taken: int
    decided: int
    filed: int


@page.reads(needs="memory", example={"source": "try-green", "target": "default"})
def compare(
    call: Call,
    *,
    source: Annotated[str, "Branch whose changes are shown"],
    target: Annotated[str, "Branch that would take them"],
    offset: Annotated[int, "Changes to skip"] = 0,
    limit: Limit = 200,
) -> Comparison:
    """Show what a branch changed since it parted from another, and what both sides changed."""
    here = call.anywhere.on(target)
    found = here.branches.merge(source, into=target, preview=True)
    changes = [change for change in found.changes if change.kind != LINK]
    groups = [group_of(change.space, change.kind) for change in changes]
    names = ChangedNames(call.anywhere.on(source))
    shown = changes[offset : offset + limit]
    return Comparison(
        source=source,
        target=target,
        counts=ChangeCounts(**{name: groups.count(name) for name in _GROUP_NAMES}),
        changes=[_change(change, names) for change in shown],
        next=offset + limit if len(changes) > offset + limit else None,
        conflicts=[_conflict(entry, names) for entry in found.conflicts],
        passages=[_passage(edit) for edit in found.filed],
        left_out=list(found.left_out),
        note=found.note or "",
    )


@page.writes(
    needs="memory",
    example={"source": "try-green", "target": "default"},
)
def merge(
    call: Call,
    *,
    source: Annotated[str, "Branch to merge"],
    target: Annotated[str, "Branch that takes its changes"],
    choices: Annotated[
        dict[str, Any] | None, 'By id of a conflict: "ours", "theirs", "both" or {"value": …}'
    ] = None,
) -> Merged:
    """Merge a branch into another; a choice for each conflict, or nothing is changed."""
    done = call.anywhere.on(target).branches.merge(
        source, into=target, choices=named_choices(choices or {})
    )
    return _merged(done)


def _merged(done: "Merge") -> Merged:
    decided = sum(entry.choice is not None for entry in done.conflicts) + len(done.settled)
    taken = sum(change.kind != LINK for change in done.changes)
    return Merged(version=done.commit, taken=taken, decided=decided, filed=len(done.filed))


def _change(change: "ShownChange", names: ChangedNames) -> ChangeLine:
    before, after = _text(change.kind, change.before), _text(change.kind, change.after)
    value = change.before if change.after is None else change.after
    return ChangeLine(
        group=group_of(change.space, change.kind),
        kind=change.kind,
        namespace=change.space,
        key=change.key,
        title=names.of((change.space, change.kind, change.key), value).title,
        action=change.action,
        before=_cut(before),
        after=_cut(after),
        is_whole=max(len(before or ""), len(after or "")) <= _SHOWN_CHARACTERS,
    )


def _conflict(entry: "ConflictEntry", names: ChangedNames) -> ConflictLine:
    values = {"base": entry.base, "ours": entry.target, "theirs": entry.source}
    sides = differing(entry.kind, {name: readable(entry.kind, one) for name, one in values.items()})
    return ConflictLine(
        id=entry.id,
        group=group_of(entry.space, entry.kind),
        kind=entry.kind,
        namespace=entry.space,
        key=entry.key,
        path=entry.path,
        title=names.of((entry.space, entry.kind, entry.key), entry.target or entry.source).title,
        base=_as_text(sides["base"]),
        ours=_as_text(sides["ours"]),
        theirs=_as_text(sides["theirs"]),
        is_json=not any(isinstance(one, str) for one in values.values()),
        takes_both=all(isinstance(one, list) for one in values.values()),
    )


def _passage(edit: "FiledEdit") -> PassageLine:
    return PassageLine(
        id=edit.id or "",
        document=edit.key,
        title=edit.title,
        section=edit.section,
        line=edit.line,
        around=edit.around,
        base=edit.base,
        ours=edit.original,
        theirs=edit.replacement,
    )


def _text(kind: str, value: Json) -> str | None:
    shown = readable(kind, value)
    if kind == MEMORY and isinstance(shown, dict) and shown.get("type") == "decision":
        return _decided(shown)
    return _as_text(shown)


def _decided(decision: dict[str, Json]) -> str:
    """Return what was decided and why, and line by line what else was said of it."""
    words = [str(decision.get(name)) for name in ("content", "reasoning") if decision.get(name)]
    rest = [
        f"{name}: {_as_text(one)}"
        for name, one in decision.items()
        if name not in _SHOWN_ELSEWHERE and one not in (None, "", [], {})
    ]
    return "\n\n".join([*words, "\n".join(rest)]).strip()


def _as_text(value: Json) -> str | None:
    """Return a value as a user reads it: a text as it is, everything else as indented JSON."""
    if value is None or isinstance(value, str):
        return value
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def _cut(text: str | None) -> str | None:
    return None if text is None else text[:_SHOWN_CHARACTERS]
