"""What a workspace does for its store: erase, check, copy, count."""

import os
import time
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from strata.access import owner_of
from strata.base import limits
from strata.base.results import Result
from strata.base.version import __version__
from strata.secrets import StoredSecret, find_stored
from strata.sql import format_number
from strata.store import EVENT, GUARDED, WHOLE, check_key, listing, time_range, total_commits
from strata.upkeep import (
    Backup,
    Compaction,
    Problem,
    Progress,
    Purge,
    Reindex,
    Retention,
    StoreLeases,
    Tags,
    Verification,
    backup,
    compact,
    purge,
    verify,
)
from strata.workspace.bundles import Bundles
from strata.workspace.language import ModelRoom
from strata.workspace.past import WithPast
from strata.workspace.settings import Settings

# Where documents are, by space and kind.
# Kinds that are not kept under a key of the user: events, and memories with their links.
_NO_KEYS = frozenset({EVENT, "memory", "link"})
_DOCUMENTS = ("documents", "document")


class Info(Result, frozen=True):
    """A store at a glance."""

    version: str
    format: int
    path: str
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


class WithCare(WithPast):
    """Looking after the store."""

    @cached_property
    def tags(self) -> Tags:
        """Names for points of history."""
        return Tags(self._view, self._locate)

    @cached_property
    def retention(self) -> Retention:
        """How long replaced values are kept."""
        followers = self._followers
        from strata.documents import TextChains  # noqa: PLC0415  (seldom needed)

        chains = TextChains(self._store)
        return Retention(self._store, trim=followers.trim, chains=chains)

    @cached_property
    def bundles(self) -> Bundles:
        """Branches as files."""
        return Bundles(self._view, lambda: self._require_owner("take a whole branch out or in"))

    @cached_property
    def leases(self) -> StoreLeases:
        """Rights to background work."""
        return StoreLeases(self._store)

    @cached_property
    def settings(self) -> Settings:
        """What the store remembers for its users."""
        return Settings(self._store)

    @cached_property
    def models(self) -> ModelRoom:
        """Models that embed or write text."""
        return ModelRoom(
            self.settings,
            lambda: self._require_owner(
                "choose the model", why="what everybody asks and finds is sent to it",
                hint="Ask them to name it.",
            ),
        )  # fmt: skip

    def purge(
        self,
        key: str,
        *,
        kind: str | None = None,
        space: str | None = None,
        version: int | None = None,
    ) -> Purge:
        """Erase what a key ever held, on every branch, from the file itself.

        >>> _ = db.kv.put("secret", "hunter2")
        >>> db.purge("secret").versions
        1
        >>> [found.state for found in db.kv.history("secret")]
        ['erased']
        """
        with self._followers.erasing() as erase:
            return purge(
                self._view.snapshot, check_key(key), space=space or self._view.space, kind=kind,
                version=version, forget=erase,
            )  # fmt: skip

    def purge_document(self, document: str) -> Purge:
        """Erase a document on every branch: its texts, images and shares, from the file itself.

        Words cannot be erased from a document's past by themselves: each text builds on those
        before it. Take the text that may stay out, erase the document, and make a new one.

        >>> made = db.documents.create("Secret plan", "hunter2")
        >>> db.purge_document(made.document).versions
        3
        >>> made.document in db.rights.visible()
        False
        """
        self._require_owner("erase documents")
        from strata.documents import erase_document, open_storage  # noqa: PLC0415  (seldom needed)

        person = owner_of(self._store).id
        with self._followers.erasing() as erase:
            return erase_document(
                self._store, document, person=person,
                storage=lambda: open_storage(self.settings.get), forget=erase,
            )  # fmt: skip

    def find_secrets(self, *, progress: Progress | None = None) -> list[StoredSecret]:
        """Return the secrets that are in the store already: every branch, all history, notes.

        >>> dsn = "postgres://app:" + "tr0ub4dor" + "@db/app"
        >>> _ = db.allowing_secrets().kv.put("dsn", dsn)
        >>> [(found.key, found.secret) for found in db.find_secrets()]
        [('dsn', 'url_password')]
        """
        return find_stored(self._store, progress)

    def verify(self, *, full: bool = False, progress: Progress | None = None) -> Verification:
        """Check every byte that can be checked.

        Of documents the newest few hundred are read as well, to see that their logs give the
        texts that were written; with `full` all of them are, from their first words on.

        >>> _ = db.kv.put("k", 1)
        >>> db.verify().ok
        True
        """
        most = None if full else limits.DOCUMENTS_PROVED

        def documents(report: Progress) -> Iterator[Problem]:
            from strata.documents import document_problems  # noqa: PLC0415  (seldom needed)
            from strata.publishing import publishing_problems  # noqa: PLC0415

            yield from document_problems(self._store, report, limit=most)
            yield from publishing_problems(self._store)

        return verify(
            self._store, entry=self._followers.entries(), more=documents, progress=progress
        )

    def reindex(self, *, progress: Progress | None = None) -> Reindex:
        """Make the text index anew where it does not fit the values, or is missing.

        For a store that was written with `text_index=False`, or whose index `verify` found
        damaged. The tables for SQL are made right too. Others may go on reading and writing.

        >>> _ = db.kv.put("k", "배포는 금요일에 하지 않는다")
        >>> db.reindex().changed
        0
        """
        return self._followers.reindex(progress)

    def backup(
        self,
        path: str | os.PathLike[str],
        *,
        force: bool = False,
        verify: bool = True,
        progress: Progress | None = None,
    ) -> Backup:
        """Copy one state of the store to a file while others go on writing.

        The copy is verified before it gets its name, unless `verify` is False.

        >>> _ = db.kv.put("k", 1)
        >>> db.backup(folder / "copy.strata").version
        1
        """
        return backup(self._store, Path(path), force=force, verify=verify, progress=progress)

    def compact(self, *, progress: Progress | None = None) -> Compaction:
        """Give unused space back to the disk.

        >>> _ = db.compact()
        """
        return compact(self._store, progress=progress)

    def flush(self) -> None:
        """Make sure that everything written so far is on the disk.

        >>> db.flush()
        """
        database = self._store.database
        if database.path is not None and not database.read_only:
            self._store.connection().checkpoint(truncate=False)
            self._store.sync()

    def info(self) -> Info:
        """Return the store at a glance.

        >>> db.info().branch
        'default'
        """
        snapshot = self._view.snapshot
        database = self._store.database
        database.check_file()
        counts = snapshot.counts()
        return Info(
            version=__version__,
            format=format_number(),
            path=str(database.path or ":memory:"),
            branch=self._view.branch,
            space=self._view.space,
            branches=len(listing(self._store)),
            keys=sum(n for (_space, kind), n in counts.items() if kind not in _NO_KEYS | GUARDED),
            events=sum(n for (_space, kind), n in counts.items() if kind == EVENT),
            documents=self._count_documents(),
            versions=self._store.last_version(),
            commits=total_commits(self._store),
            size_bytes=database.size_bytes(),
            durability=database.durability,
            read_only=database.read_only,
            uptime_s=time.monotonic() - self._store.opened,
        )

    def _count_documents(self) -> int:
        sight, snapshot = self._sight(), self._view.snapshot
        if sight is WHOLE:
            return snapshot.count(*_DOCUMENTS)
        keys = snapshot.keys(*_DOCUMENTS)
        return sum(sight.shows((*_DOCUMENTS, key)) for key, _version in keys)

    def time_range(self) -> TimeRange:
        """Return the times between which this branch has a history.

        >>> db.time_range().oldest is None
        True
        """
        self._store.database.check_file()
        branch = self._view.snapshot.current_branch()
        return TimeRange(*time_range(self._store, branch, sight=self._sight()))
