"""Two changes of one item joined: fields of JSON one by one, texts line by line."""

from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import cast

import msgspec

from strata.base.errors import Unavailable
from strata.base.git_command import run_git
from strata.base.values import Json
from strata.exchange.gitfiles.item_files import (
    SharedDecision,
    SharedFact,
    decision_file,
    fact_file,
    read_item,
)
from strata.store import merge_values


def joined_text(path: str, *, base: str, ours: str, theirs: str) -> str | None:
    """Return a file with both changes, or None where they changed the same place.

    Raises ValueError for a file that cannot be read.
    """
    place = PurePosixPath(path)
    sides = [read_item(place, text) for text in (base, theirs, ours)]
    if all(isinstance(one, SharedFact) for one in sides):
        return _joined_fact(cast("list[SharedFact]", sides))
    if all(isinstance(one, SharedDecision) for one in sides):
        return _joined_decision(cast("list[SharedDecision]", sides))
    return None


def _joined_fact(sides: list[SharedFact]) -> str | None:
    base, theirs, ours = sides
    value = _joined_value(base.value, theirs.value, ours.value)
    if value is msgspec.UNSET:
        return None
    tags = (set(theirs.tags) | set(ours.tags)) - (set(base.tags) - set(theirs.tags))
    kept = tuple(sorted(tags - (set(base.tags) - set(ours.tags))))
    return fact_file(SharedFact(ours.space, ours.key, value, kept))[1]


def _joined_decision(sides: list[SharedDecision]) -> str | None:
    parts = [_parts(one) for one in sides]
    value = _joined_value(*parts)
    if not isinstance(value, dict):
        return None
    _base, theirs, ours = sides
    updated = max(theirs.memory.updated_at, ours.memory.updated_at)
    memory = msgspec.structs.replace(ours.memory, **value, updated_at=updated)
    replaced = tuple(sorted({*theirs.replaces, *ours.replaces}))
    return decision_file(SharedDecision(memory, replaced))[1]


def _parts(decision: SharedDecision) -> Json:
    memory = decision.memory
    return {"content": memory.content, "topic": memory.topic, "metadata": memory.metadata}


def _joined_value(base: Json, theirs: Json, ours: Json) -> Json | msgspec.UnsetType:
    merged, conflicts = merge_values(base, theirs, ours, prefer="target")
    if not conflicts:
        return cast("Json", merged)
    if isinstance(base, str) and isinstance(theirs, str) and isinstance(ours, str):
        text = _joined_lines(base, theirs, ours)
        return msgspec.UNSET if text is None else text
    return msgspec.UNSET


def _joined_lines(base: str, theirs: str, ours: str) -> str | None:
    with TemporaryDirectory() as scratch:
        names = {"ours": ours, "base": base, "theirs": theirs}
        for name, text in names.items():
            (Path(scratch) / name).write_bytes(f"{text}\n".encode())
        try:
            merged = run_git(Path(scratch), "merge-file", "-p", *names)
        except Unavailable:  # it ends with the number of conflicts
            return None
    return merged.decode().removesuffix("\n")
