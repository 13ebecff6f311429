"""What every part of the store uses: the database, its statements, catalog and clock."""

import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any, Protocol, TypeAlias

import msgspec

from strata.base import ids
from strata.base.errors import NotAStore
from strata.base.values import Json
from strata.sql import Connection, Database, Look, Queries, load
from strata.store.catalog import DEFAULT_BRANCH, Catalog, row_digest
from strata.store.record import IndexEntry, Record, StagedChange


class Indexer(Protocol):
    """Makes the text index's entries; handed in, because the store does not know search."""

    @property
    def epoch(self) -> int:
        """How often it has forgotten the words that it took for known."""
        ...

    def entry(self, change: StagedChange) -> IndexEntry | None:
        """Return what the index keeps of a change, or None for what is not searched."""
        ...

    def remember(self, words: frozenset[str], epoch: int) -> None:
        """Note words that were in the store at that epoch."""
        ...

    def forget(self) -> None:
        """Take no word for known any more."""
        ...


class Screen(Protocol):
    """Keeps secrets out; handed in, because the store does not know what one looks like."""

    @property
    def masks(self) -> bool:
        """Whether values have to be cleaned before they are written."""
        ...

    def check(self, change: StagedChange, held: Callable[[str, str, str], Record | None]) -> None:
        """Raise for a change that may not be written; `held` reads what its key holds."""
        ...

    def check_many(
        self, changes: Sequence[StagedChange], held: Callable[[str, str, str], Record | None]
    ) -> None:
        """Raise if one of several changes may not be written."""
        ...

    def cleaned(self, name: str, data: bytes, before: Callable[[], Json]) -> bytes:
        """Return JSON as it may be written under a name: masked where it holds a secret."""
        ...

    def screen_note(self, value: Json, what: str, *, is_name: bool = False) -> Json:
        """Return a note as it may be kept, or raise; a name is never masked."""
        ...

    def forget(self) -> None:
        """Look again at the settings before the next change."""
        ...


class Projector(Protocol):
    """Keeps plain tables of what the default branch shows; the store does not know of what."""

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of records that the tables may show."""
        ...

    def project(self, store: "Store", changes: Sequence[StagedChange]) -> None:
        """Take changes over, inside the transaction that commits them."""
        ...

    def forget(self, store: "Store", versions: Sequence[int]) -> None:
        """Take out what shows versions that are about to be erased, in the same transaction."""
        ...

    def problems(self, store: "Store") -> Iterable[str]:
        """Return a sentence for each table that does not fit the records."""
        ...

    def rebuild(self, store: "Store") -> int:
        """Make the tables anew where they do not fit; return how many rows that were."""
        ...


class Joiner(Protocol):
    """Merges kinds whose versions are no whole values; the store does not know how.

    Any: plans, pairs and changes are made of the store, and naming them would lead in a circle.
    """

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds that are joined so; their changes are not merged by themselves."""
        ...

    @property
    def shows(self) -> frozenset[str]:
        """The kinds whose changes are shown so: these, and perhaps others."""
        ...

    def permitted(self, plan: Any, task: Any, pair: Any) -> Any:
        """Return a change that is only shown so as a merge may take it; None to leave it out."""
        ...

    def join(self, plan: Any, task: Any, pairs: Any) -> None:
        """Plan what a merge writes for all that the source has changed of these kinds."""
        ...

    def readable_change(self, pair: Any) -> Any:
        """Return a change in a readable form; None for internal records."""
        ...


RivalRule: TypeAlias = Callable[[Json, Json], bool | None | tuple[bool, Json]]


class Store:
    """One opened store."""

    def __init__(
        self,
        database: Database,
        *,
        now: Callable[[], int] | None = None,
        indexer: Indexer | None = None,
        projector: Projector | None = None,
        rivals: Mapping[str, RivalRule] | None = None,
    ) -> None:
        self.indexer = indexer
        # Kinds whose values are one thing, never joined field by field. Where both sides of a
        # merge changed one, the kind's rule says whether the source's form of it stays; None
        # means that they disagree: a conflict, which the strategy decides for the whole value.
        # A rule that joins both forms returns the value as well.
        self.rivals = rivals or {}
        self.projector = projector
        self.projected = frozenset[str]() if projector is None else projector.kinds
        # Set by the package that knows documents.
        self.joiner: Joiner | None = None
        # Set by the workspace, which reads the settings in the store.
        self.make_screen: Callable[[], Screen | None] = lambda: None
        # Set by the workspace from the settings: the zone of times that are written without one.
        self.zone: Callable[[], str | None] = lambda: None
        # Called after every commit of this process, for those that follow them.
        self.after_commit: Callable[[], None] | None = None
        # Called when values were erased or trimmed, by this process or another, within a second:
        # everything that a process remembers of values must be dropped by one of these.
        self.on_removal: list[Callable[[], None]] = []
        # Called before it is closed, by threads that work beside its callers.
        self.before_close: list[Callable[[], None]] = []
        self.database = database
        # Returns this thread's connection, inside its transaction if one is open.
        self.connection = database.connection
        self.queries: Queries = load(database.dialect)
        # The time in microseconds. Servers on several machines share that of their database.
        self.clock = database.now_us if now is None else now
        self.catalog = Catalog(self.queries)
        # The settings by name, and the mark of the look at which they were so.
        self.known_settings: tuple[bytes | None, dict[str, str]] | None = None
        self.opened = time.monotonic()
        connection = database.connection()
        if not database.read_only:
            self._initialise(connection)
        elif database.was_empty:
            raise NotAStore("The file is empty.", hint="Open it once for writing.")
        self.catalog.look(connection)
        self._forgotten = self._words_at = self.catalog.removals
        database.on_watch = self._watch

    def _initialise(self, connection: Connection) -> None:
        """Give a new file its catalog row and its first branch."""
        if connection.look().generation:
            return
        with self.database.writing() as writer:
            if not writer.look().generation:
                now = self.clock()
                writer.run(self.queries.insert_catalog, (ids.token(), now))
                values = (DEFAULT_BRANCH, None, None, now, None, None, None)
                row = writer.row(self.queries.insert_branch, (*values, row_digest(*values)))
                assert row is not None, "INSERT … RETURNING gave no row"
                writer.run(self.queries.insert_branch_itself, (row[0],))

    @cached_property
    def screen(self) -> Screen | None:
        """What keeps secrets out: loaded with the first change."""
        return self.make_screen()

    @contextmanager
    def writing(self) -> Generator[Connection]:
        """Give a write transaction for what is not versioned, after looking for changes.

        A newer program may have migrated the file: then nothing may be written.
        """
        with self.database.writing() as connection:
            self.look()
            yield connection

    def look(self) -> Look:
        """Notice what other processes have changed; refuse a file of a newer format.

        What it returns says what the store is up to; inside a transaction that is what its reads
        see.
        """
        return self.catalog.look(self.database.connection())

    def _watch(self) -> None:
        """Look, in the watch's thread, whether others have erased what is remembered here."""
        self.look()
        if self.catalog.removals != self._forgotten:
            self.forget_removed()

    def forget_removed(self) -> None:
        """Drop everything that this process remembers of values."""
        self._forgotten = self.catalog.removals
        for forget in self.on_removal:
            forget()
        self.database.release_memory()

    def sync(self) -> None:
        """Make everything durable that was committed so far, whatever the mode."""
        connection = self.database.connection()
        with connection.syncing(wanted=True), self.writing():
            connection.run(self.queries.count_sync)

    def indexed(self, change: StagedChange) -> StagedChange:
        """Return a change with its entry in the text index, made at the first call.

        It takes longer than all other parts of a small write: do it before taking the lock.
        """
        text = change.text
        if self.indexer is None or (text is not None and text.epoch == self.indexer.epoch):
            return change
        entry = self.indexer.entry(change)
        return change if entry is None else msgspec.structs.replace(change, text=entry)

    def knows_words(self, change: StagedChange) -> bool:
        """Whether all words of a change are in the store, as far as this process has noticed."""
        text = change.text
        if text is None or self.indexer is None:
            return True
        # As is_current_on_words has it; every put comes here.
        is_current = self.catalog.removals == self._words_at and text.epoch == self.indexer.epoch
        return is_current and not text.new_words

    def is_current_on_words(self, change: StagedChange) -> bool:
        """Whether no purge has removed words since a change was indexed here."""
        text = change.text
        if text is None or self.indexer is None:
            return True
        return self.catalog.removals == self._words_at and text.epoch == self.indexer.epoch

    def forget_removed_words(self) -> None:
        """Take no word for known that a purge may have removed; the write lock must be held."""
        if self.indexer is not None and self.catalog.removals != self._words_at:
            self.indexer.forget()
            self._words_at = self.catalog.removals

    def all_indexed(self, changes: Sequence[StagedChange]) -> Sequence[StagedChange]:
        """Return changes with their entries; a stop or a time limit ends it between two."""
        if self.indexer is None:
            return changes
        found: list[StagedChange] = []
        epoch = self.indexer.epoch
        with self.connection().working() as ask:
            for change in changes:
                # A batch comes here twice, before and under the lock; the second look is quick.
                if change.text is not None and change.text.epoch == epoch:
                    found.append(change)
                    continue
                ask()
                found.append(self.indexed(change))
        return found

    def lineage(self, branch: int) -> tuple[tuple[int, int], ...]:
        """Return what a branch sees: (ancestor, up to which version), itself first."""
        return self.catalog.lineage(branch, self.database.connection())

    def keyspace_name(self, keyspace: int) -> tuple[str, str]:
        """Return space and kind of a keyspace."""
        # Asked for every row of a listing, and nearly always known.
        found = self.catalog.keyspace_names.get(keyspace)
        return found or self.catalog.keyspace_name(keyspace, self.database.connection())

    @property
    def default_branch(self) -> int:
        """The number of the branch that every store has."""
        row = self.catalog.known(DEFAULT_BRANCH)
        assert row is not None, "the catalog loads no store without it"
        return row.id

    def last_version(self, copy: Connection | None = None) -> int:
        """Return the newest version of the whole store, or of a copy of it."""
        return (copy or self.database.connection()).look().version

    def removals(self) -> int:
        """Return how often values were erased or trimmed, as this thread's transaction sees it.

        `catalog.removals` is what the process has noticed so far.
        """
        return self.database.connection().look().removals

    @property
    def id(self) -> str:
        """The name that the store was given when it was made, and keeps wherever it is copied."""
        row = self.database.connection().row(self.queries.store_id)
        return str(row[0]) if row else ""

    def close(self) -> None:
        """Close the database."""
        while self.before_close:
            self.before_close.pop()()
        self.database.close()
