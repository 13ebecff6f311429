"""A store at a glance: what is in it, and from when to when."""

import time
from collections.abc import Iterator

from strata.base.results import Result
from strata.base.version import __version__
from strata.sql import Read, format_number
from strata.store import (
    EVENT,
    GUARDED,
    WHOLE,
    View,
    Visibility,
    names_of_branches,
    reads_of_counts,
    total_commits,
)

# Where documents are, by space and kind.
_DOCUMENTS = ("documents", "document")
# Kinds that are not kept under a key of the user: events, memories with their links, and
# conversations with their turns.
_NO_KEYS = frozenset({EVENT, "memory", "link", "conversation", "turn"})


class Info(Result, frozen=True):
    """A store at a glance."""

    version: str
    format: int
    path: str
    database: str
    branch: str
    space: str
    branches: int
    keys: int
    events: int
    documents: int
    versions: int
    commits: int
    size_bytes: int
    durability: str
    read_only: bool
    uptime_s: float


class TimeRange(Result, frozen=True):
    """The oldest and the newest time a branch can be asked for; None when it is empty."""

    oldest: int | None
    latest: int | None


def info_of(view: View, visibility: Visibility) -> Info:
    """Return what a view shows of its store at a glance."""
    store, database = view.store, view.store.database
    database.check_file()
    with store.connection().together(_reads_of_info(view)):
        return _info_of(view, visibility)


def _reads_of_info(view: View) -> Iterator[Read]:
    """Yield what is counted, for databases that answer all of it at once."""
    store, snapshot = view.store, view.snapshot
    documents = store.catalog.keyspaces.get(_DOCUMENTS)
    keyspaces = (None,) if documents is None else (None, documents)
    yield from reads_of_counts(store, snapshot.branch_id, snapshot.bound, keyspaces=keyspaces)
    yield from store.database.reads_of_engine()


def _info_of(view: View, visibility: Visibility) -> Info:
    store, database, counts = view.store, view.store.database, view.snapshot.counts()
    return Info(
        version=__version__,
        format=format_number(),
        path=database.location,
        database=database.engine,
        branch=view.branch,
        space=view.space,
        branches=len(names_of_branches(store)),
        keys=sum(n for (_space, kind), n in counts.items() if kind not in _NO_KEYS | GUARDED),
        events=sum(n for (_space, kind), n in counts.items() if kind == EVENT),
        documents=_count_documents(view, visibility),
        versions=store.last_version(),
        commits=total_commits(store),
        size_bytes=database.size_bytes(),
        durability=database.durability,
        read_only=database.read_only,
        uptime_s=time.monotonic() - store.opened,
    )


class Totals(Result, frozen=True):
    """How much a view shows of each kind of thing."""

    facts: int
    events: int
    decisions: int
    documents: int


def totals_of(view: View, visibility: Visibility) -> Totals:
    """Count what a view shows, kind by kind."""
    counts = view.snapshot.counts()

    def live(kind: str) -> int:
        return sum(n for (_space, one), n in counts.items() if one == kind)

    return Totals(
        facts=sum(n for (_space, kind), n in counts.items() if kind not in _NO_KEYS | GUARDED),
        events=live(EVENT),
        decisions=live("memory"),
        documents=_count_documents(view, visibility),
    )


def _count_documents(view: View, visibility: Visibility) -> int:
    snapshot = view.snapshot
    if visibility is WHOLE:
        return snapshot.count(*_DOCUMENTS)
    keys = snapshot.keys(*_DOCUMENTS)
    return sum(visibility.shows((*_DOCUMENTS, key)) for key, _version in keys)
