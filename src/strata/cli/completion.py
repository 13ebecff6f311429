"""What a shell offers after TAB: names that are in the store."""

# Names of the SDK in signatures would load it, and with it every kind.
from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import click

import strata
from strata.cli.session import Invocation

_OFFERED_MAX = 100
# Among how many of the newest memories topics are looked for.
_TOPICS_AMONG = 1_000
# How click asks: the words so far, the parameter, and the beginning of the next word.
Completer: TypeAlias = Callable[[click.Context, click.Parameter, str], list[str]]


def _completer(names: Callable[[strata.Workspace, str], list[str]]) -> Completer:
    def complete(context: click.Context, _parameter: click.Parameter, typed: str) -> list[str]:
        try:
            with context.ensure_object(Invocation).reading() as db:
                found = [name for name in names(db, typed) if name.startswith(typed)]
        except (strata.StrataError, OSError):
            return []  # A user is typing; this is not the moment to complain.
        return found[:_OFFERED_MAX]

    return complete


def _keys(db: strata.Workspace, typed: str) -> list[str]:
    kinds = (db.kv, db.json, db.state)
    return sorted({key for kind in kinds for key in kind.list(typed, limit=_OFFERED_MAX)})


def _memories(db: strata.Workspace) -> list[str]:
    return [memory.id for memory in db.decisions.recent(limit=_OFFERED_MAX)]


def _topics(db: strata.Workspace) -> list[str]:
    found = (memory.topic for memory in db.decisions.recent(limit=_TOPICS_AMONG))
    return list(dict.fromkeys(topic for topic in found if topic))


def _documents(db: strata.Workspace) -> list[str]:
    from strata.documents import Request  # noqa: PLC0415  (only here)

    found = db.documents.find(Request(intent="list", limit=50)).items
    return [*(item.title for item in found), *(item.id for item in found)]


complete_branches = _completer(lambda db, _typed: [found.name for found in db.branches.list()])
complete_spaces = _completer(lambda db, _typed: db.spaces.list())
complete_tags = _completer(lambda db, _typed: [found.name for found in db.tags.list()])
complete_collections = _completer(lambda db, _typed: [found.name for found in db.vectors.list()])
complete_keys = _completer(_keys)
complete_topics = _completer(lambda db, _typed: _topics(db))
complete_ids = _completer(lambda db, _typed: _memories(db))
complete_memories = _completer(lambda db, _typed: [*_topics(db), *_memories(db)])
complete_links = _completer(
    lambda db, _typed: [link.id for link in db.decisions.links()][:_OFFERED_MAX]
)
complete_documents = _completer(lambda db, _typed: _documents(db))
