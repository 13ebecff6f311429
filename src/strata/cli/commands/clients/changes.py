"""Showing what becomes of the files of a client."""

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import unified_diff
from pathlib import Path

import click

from strata.cli.output import plural
from strata.cli.show.text import one_line
from strata.clients import Client, FileChange

# A file on one line could show keys of other servers, which are nobody's business.
_SHOWN_MAX = 160
_DONE = {
    "created": "made {path}",
    "changed": "changed {path}",
    "unchanged": "{path} is as it should be",
    "restored": "{path} is what it was before",
    "removed": "removed {path}, which had nothing else in it",
}
_WOULD = {
    "created": "would make {path}",
    "changed": "would change {path}",
    "unchanged": "{path} is as it should be",
    "restored": "would bring back {path} as it was before",
    "removed": "would remove {path}, which has nothing else in it",
}


def summary(
    client: Client,
    changes: Sequence[FileChange],
    touched: Sequence[FileChange],
    *,
    only_print: bool,
    undo: bool,
) -> Iterator[str]:
    """Say in a line for each file what was done or would be."""
    if not touched:
        yield f"{client.title}: {'there is nothing to undo' if undo else 'already set up'}"
        if undo:
            return
    words = _WOULD if only_print else _DONE
    for change in touched or changes:
        if is_whole(change):
            continue
        about = " and ".join(change.about)
        kept = ""
        if change.backup is not None and change.state == "changed":
            kept = f"; as it was: {change.backup.name}"
        told = words[change.state].format(path=change.path)
        yield f"{client.title}: {one_line(told)}{f' ({about})' if about else ''}{kept}"

    yield from _whole_files(client, touched or changes, words)


def is_whole(change: FileChange) -> bool:
    """Tell whether a file is one of our commands: many, and each ours from end to end."""
    return change.about == ("command",)


def _whole_files(
    client: Client, changes: Sequence[FileChange], words: Mapping[str, str]
) -> Iterator[str]:
    """Say of our commands in a line how many there are, and where."""
    states: dict[str, list[str]] = {}
    for change in filter(is_whole, changes):
        states.setdefault(change.state, []).append(str(change.path))
    for state, paths in states.items():
        files = f"{plural(len(paths), 'command file')} in {os.path.commonpath(map(_folder, paths))}"
        told = words[state].format(path=files).partition(", which")[0]
        yield f"{client.title}: {one_line(told.replace(' is as it ', ' are as they '))}"


def _folder(path: str) -> str:
    return str(Path(path).parent)


def described(change: FileChange) -> dict[str, object]:
    """Return what is told of a file as JSON."""
    return {
        "path": change.path,
        "about": change.about,
        "state": change.state,
        "backup": change.backup,
        "diff": "\n".join(_plain_diff(change)),
    }


def diff(change: FileChange) -> Iterator[str]:
    """Return the lines that change, in colours."""
    colors = {"+": "green", "-": "red"}
    for line in _plain_diff(change):
        is_mark = line.startswith(("+++", "---"))
        yield line if is_mark else click.style(line, fg=colors.get(line[:1]))


def _plain_diff(change: FileChange) -> Iterator[str]:
    if change.before == change.after:
        return
    before, after = (_lines(data) for data in (change.before, change.after))
    yield f"--- {change.path if change.before is not None else 'nothing'}"
    yield f"+++ {change.path if change.after is not None else 'nothing'}"
    # Only the lines that change: what stands around them may be a secret of another server.
    # One that only got or lost a comma is such a line, too.
    for line in _without_commas(list(unified_diff(before, after, n=0, lineterm=""))[2:]):
        is_short = len(line) <= _SHOWN_MAX
        yield line if is_short else f"{line[:1]} … ({len(line) - 1:,} characters)"


def _without_commas(lines: Sequence[str]) -> Iterator[str]:
    """Leave out pairs of lines that differ in a comma only."""
    removed, added = (
        Counter(line[1:].replace(",", "") for line in lines if line[0] == sign) for sign in "-+"
    )
    hidden = {"-": removed & added, "+": removed & added, "@": Counter[str]()}
    for line in lines:
        bare = line[1:].replace(",", "")
        if hidden[line[0]][bare]:
            hidden[line[0]][bare] -= 1
        else:
            yield line


def _lines(data: bytes | None) -> list[str]:
    return (data or b"").decode("utf-8-sig").splitlines()
