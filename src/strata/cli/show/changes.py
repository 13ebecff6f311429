"""Changes as coloured lines: differences of values, commits, and what a merge did."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import click

import strata
from strata.base.counts import plural
from strata.base.values import Json, equal
from strata.cli.output import local_time
from strata.cli.show.text import ELLIPSIS, exact, one_line

_MARKS: Final = {"added": "+", "removed": "-", "modified": "~"}
_COLORS: Final = {"+": "green", "-": "red", "~": "yellow"}
_Field = tuple[str, str]  # a mark, and what follows it


def change_lines(changes: Iterable[strata.Change]) -> Iterator[str]:
    """Yield what changed, key by key, with the values."""
    for change in changes:
        yield headline(change)
        for mark, text in _fields(change):
            yield click.style(f"    {mark} {text}", fg=_COLORS.get(mark))


def stat_lines(changes: Sequence[strata.Change]) -> Iterator[str]:
    """Yield which keys changed, without values, and a sum."""
    yield from map(headline, changes)
    counts = {action: sum(change.action == action for change in changes) for action in _MARKS}
    yield ", ".join(f"{count} {action}" for action, count in counts.items() if count)


def conflict_lines(conflicts: Iterable[strata.ConflictEntry]) -> Iterator[str]:
    """Yield the places both sides changed, with the value they started from and both others."""
    for entry in conflicts:
        field = "" if entry.path == "$" else f" at {entry.path}"
        place = _place(entry.space, entry.kind, entry.key)
        chosen = "" if entry.choice is None else f", decided: {entry.choice}"
        yield click.style(f"! {place}{field}  [{entry.id}]{chosen}", fg="magenta", bold=True)
        yield f"    base    {exact(entry.base)}"
        yield click.style(f"    source  {exact(entry.source)}", fg="green")
        yield click.style(f"    target  {exact(entry.target)}", fg="red")


def filed_lines(filed: Iterable[strata.FiledEdit]) -> Iterator[str]:
    """Yield the edits of documents that wait as suggestions, with the words that are there now."""
    for one in filed:
        under = f", {one_line(one.section)}" if one.section else ""
        name = "" if one.id is None else f"  [{one.id}]"
        chosen = "" if one.choice is None else f", decided: {one.choice}"
        title = f"? {one_line(one.title)}, line {one.line}{under}{name}{chosen}"
        yield click.style(title, fg="magenta", bold=True)
        yield click.style(f"    in the text  {exact(one.original)}", fg="red")
        yield click.style(f"    suggested    {exact(one.replacement)}", fg="green")
        if one.suggestion is not None:
            yield f"    strata suggest accept {one.document} {one.suggestion}"


def headline(change: strata.Change) -> str:
    """Return one line that names a changed key."""
    mark = _MARKS[change.action]
    type_ = "" if change.event_type is None else f" {one_line(change.event_type)}"
    place = _place(change.space, change.kind, change.key, type_=type_)
    return click.style(f"{mark} {place}", fg=_COLORS[mark], bold=True)


def _place(space: str, kind: str, key: str, *, type_: str = "") -> str:
    within = "" if space == "default" else f"  (space {one_line(space)})"
    return f"{kind:<5} {one_line(key)}{type_}{within}"


def _fields(change: strata.Change) -> Iterator[_Field]:
    if change.action == "added":
        yield "+", exact(change.after)
    elif change.action == "removed":
        yield "-", exact(change.before)
    elif isinstance(change.before, str) and isinstance(change.after, str):
        yield from _text_fields(change.before, change.after)
    else:
        yield from field_changes(change.before, change.after)


def field_changes(before: Json, after: Json, place: str = "") -> Iterator[_Field]:
    """Yield the parts in which two values differ, each with its place."""
    if equal(before, after):
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for name in dict.fromkeys((*before, *after)):
            yield from _member(before, after, name, place=place)
    elif isinstance(before, list) and isinstance(after, list):
        yield from _items(before, after, place)
    else:
        yield _field("-", place, before)
        yield _field("+", place, after)


def _field(mark: str, place: str, value: Json) -> _Field:
    return mark, f"{place}: {exact(value)}" if place else exact(value)


def _member(
    before: dict[str, Json], after: dict[str, Json], name: str, *, place: str
) -> Iterator[_Field]:
    inner = f"{place}.{name}" if name.isidentifier() else f"{place}[{exact(name)}]"
    inner = inner.removeprefix(".")
    if name not in before:
        yield _field("+", inner, after[name])
    elif name not in after:
        yield _field("-", inner, before[name])
    else:
        yield from field_changes(before[name], after[name], inner)


def _items(before: list[Json], after: list[Json], place: str) -> Iterator[_Field]:
    """Compare lists between what they share at the front and at the end."""
    front = _shared(before, after)
    back = _shared(before[front:][::-1], after[front:][::-1])
    old, new = before[front : len(before) - back], after[front : len(after) - back]
    if len(old) == len(new):
        for at, (one, other) in enumerate(zip(old, new, strict=True), front):
            yield from field_changes(one, other, f"{place}[{at}]")
        return
    yield from (_field("-", f"{place}[{at}]", item) for at, item in enumerate(old, front))
    yield from (_field("+", f"{place}[{at}]", item) for at, item in enumerate(new, front))


def _shared(one: list[Json], other: list[Json]) -> int:
    """Return how many items two lists have in common at the front."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if not equal(a, b)), min(len(one), len(other)))


def _text_fields(before: str, after: str) -> Iterator[_Field]:
    """Compare texts line by line, with a line of context around what differs."""
    if "\n" not in before + after:
        yield _field("-", "", before)
        yield _field("+", "", after)
        return
    from difflib import unified_diff  # noqa: PLC0415  (slow to load, seldom needed)

    lines = unified_diff(before.splitlines(), after.splitlines(), n=1, lineterm="")
    for text in list(lines)[2:]:
        yield (" ", ELLIPSIS) if text.startswith("@@") else (text[:1], one_line(text[1:]))


TagNames = Mapping[int, list[str]]


def tag_names(db: strata.Workspace) -> dict[int, list[str]]:
    """Return the tags by the version they name."""
    found: dict[int, list[str]] = {}
    for tag in db.tags.list():
        found.setdefault(tag.version, []).append(tag.name)
    return found


def commit_lines(commit: strata.Commit, *, tags: TagNames, branch: str) -> Iterator[str]:
    """Yield a commit as `log` shows it."""
    yield _title(commit, tags, branch)
    yield f"Actor:  {one_line(commit.actor or '-')}"
    if commit.agent is not None:
        yield f"For:    {one_line(commit.person_name or '-')}"
    if commit.task is not None:
        yield f"Task:   {one_line(commit.task)}"
    yield f"Date:   {local_time(commit.timestamp)}"
    yield f"        {commit.operation}, {plural(commit.changes, 'change')}"
    if commit.message:
        yield ""
        yield from (f"    {one_line(text)}" for text in commit.message.splitlines())
    if commit.touched:
        yield ""
        for one in commit.touched:
            yield f"    {_place(one.space, one.kind, one.title or one.key)}"


def commit_line(commit: strata.Commit, *, tags: TagNames, branch: str) -> str:
    """Return a commit as `log --oneline` shows it."""
    told = f": {one_line(commit.message)}" if commit.message else ""
    who = one_line(commit.actor or "-")
    when = local_time(commit.timestamp)
    number = _title(commit, tags, branch, word="")
    return f"{number} {when} {who} {commit.operation}{told}"


def _title(commit: strata.Commit, tags: TagNames, branch: str, *, word: str = "version ") -> str:
    marks = [f"tag: {one_line(name)}" for name in tags.get(commit.version, ())]
    if commit.branch != branch:
        marks.insert(0, f"branch: {one_line(commit.branch)}")
    number = click.style(f"{word}{commit.version}", fg="yellow")
    shown = click.style(f"({', '.join(marks)})", fg="cyan")
    return f"{number} {shown}" if marks else number


def left_out_lines(merge: strata.Merge) -> Iterator[str]:
    """Yield which documents a merge leaves as they are, and why."""
    if merge.left_out:
        names = ", ".join(map(one_line, merge.left_out))
        yield f"left out: changes of {names} by users who may no longer make them"


def revert_lines(merge: strata.Merge) -> Iterator[str]:
    """Yield what taking commits back would do: what goes back, what stays, and by whom."""
    stays = len(merge.conflicts) + merge.events_kept
    yield f"{merge.source}: {plural(merge.applied, 'change')} would go back, {stays} would stay"
    yield from change_lines(merge.changes)
    for entry, kept in zip(merge.conflicts, merge.kept, strict=True):
        yield from conflict_lines([entry])
        name = "" if kept.title is None else f"{one_line(kept.title)}: "
        yield f"    {name}changed since by {one_line(kept.actor or '-')}, version {kept.version}"
    if merge.events_kept:
        yield f"{plural(merge.events_kept, 'event')} would stay: a log says what happened"


def outcome_lines(merge: strata.Merge, done: str) -> Iterator[str]:
    """Yield what a merge, an undo or a pick did to the branch."""
    if merge.note is not None:
        yield merge.note
    yield from left_out_lines(merge)
    if merge.commit is None:
        yield f"nothing to do: {one_line(merge.target)} has it already"
        return
    yield f"{done}: {plural(merge.applied, 'change')}, now version {merge.commit}"
    if merge.changes:
        yield from stat_lines(merge.changes)
    for kept in merge.kept:
        place = one_line(kept.title or kept.key)
        yield f"stays, changed since by {one_line(kept.actor or '-')}: {kept.kind} {place}"
    if merge.filed:
        yield f"{plural(len(merge.filed), 'suggestion')} filed, where both sides changed the words:"
        yield from filed_lines(merge.filed)
