"""Importing records into a branch: all of them or none, however many commits they make."""

from contextlib import ExitStack
from typing import Literal, TypeAlias, get_args

import msgspec

from strata.base import clock, limits
from strata.base.errors import InvalidArgument, LimitExceeded, Unusable
from strata.base.values import Json, decode, encode, equal
from strata.exchange.foreign import digest
from strata.exchange.lines import Flaw, reason_of
from strata.exchange.outcome import Clash, Import
from strata.exchange.records import (
    CellRecord,
    CommitRecord,
    DocumentRecord,
    EventRecord,
    FactRecord,
    Item,
    time_us,
    value_of,
)
from strata.exchange.screening import (
    masked,
    masked_commit,
    masked_text,
    secrets_in,
    secrets_of_commit,
)
from strata.exchange.source import Source
from strata.exchange.tally import ImportTally, conflict
from strata.exchange.walk import IMPORT, MARK_CHARACTERS, commits, mark_of
from strata.memory import Cell as StoredCell
from strata.memory import JsonDocuments, Kv, State, Version
from strata.store import (
    EVENT,
    NOW,
    EventOrigin,
    Header,
    Slot,
    Snapshot,
    StagingView,
    Transaction,
    View,
    check_actor,
    check_header,
    check_name,
    event_change,
    event_deletion,
    last_event,
    visible_tip,
    write_commit,
)
from strata.upkeep import Progress

OnConflict: TypeAlias = Literal["fail", "skip", "replace"]
Kept: TypeAlias = FactRecord | DocumentRecord | CellRecord
_REPORT_EVERY = 500


class ImportOptions(msgspec.Struct, frozen=True):
    """How an import is to be done."""

    space: str | None = None
    on_conflict: OnConflict = "fail"
    preview: bool = False
    lenient: bool = False
    mask_secrets: bool = False


class PreviewEnd(Exception):
    """Ends a preview: whatever was written in it is rolled back."""

    def __init__(self, found: Import) -> None:
        super().__init__()
        self.found = found


class BranchMoved(Exception):
    """Another process wrote after the file was read and before the lock was acquired."""


class RecordImport:
    """One import under way: commits in one write transaction of the database.

    The transaction begins with the first commit, which is made ready before that, so that
    others wait no longer than they must. What was read for it must not have moved by then.
    """

    def __init__(self, view: View, source: Source, options: ImportOptions) -> None:
        self._view, self._source, self._options = view, source, options
        self._lock = ExitStack()
        self._is_locked = False
        self._store = view.store
        self._version: int | None = None
        self._is_history = source.header is not None and source.header.history
        self._commit: CommitRecord | None = None
        self._logs: dict[str, tuple[int, str]] = {}
        self._tally = ImportTally()

    def run(self, progress: Progress | None = None, *, locked: bool = False) -> Import:
        """Import everything the file holds; raise BranchMoved when others were faster."""
        with self._lock:
            if locked:
                self._lock.enter_context(self._store.writing())
                self._is_locked = True
            self._look()
            found = self._run(progress)
            if self._options.preview and self._is_locked:
                raise PreviewEnd(found)
        return found

    def _look(self) -> None:
        """Note the state that everything is compared with."""
        self._view.bear_branch()
        self._branch = self._view.snapshot.current_branch()
        self._begun_at = self._store.last_version()
        self._tip = visible_tip(self._store, self._branch, NOW)[1:]
        self._known = set[str]()
        if self._is_history:
            self._known = {mark_of(row) for row in commits(self._view)}
        self._begin()

    def _begin(self) -> None:
        """Begin a commit; what it stages is written at its end."""
        self._snapshot = Snapshot(self._store, self._view.branch)
        self._staging = Transaction(self._snapshot, Header(IMPORT), locked=False)
        self._values: dict[tuple[str, type], Kv | JsonDocuments | State] = {}
        self._new_events: set[tuple[str, str]] = set()
        self._staged_items = self._staged_bytes = 0

    def _acquire_lock(self) -> None:
        self._lock.enter_context(self._store.writing())
        self._is_locked = True
        here = (self._view.snapshot.current_branch(), self._store.last_version())
        if here != (self._branch, self._begun_at):
            raise BranchMoved

    def _run(self, progress: Progress | None) -> Import:
        for count, parsed in enumerate(self._source.records(), 1):
            self._import_record(parsed) if isinstance(parsed, tuple) else self._refuse(parsed)
            if progress is not None and count % _REPORT_EVERY == 0:
                done, total = self._source.file.tell(), self._source.size_bytes
                progress("KiB", done // 1024, total // 1024)
        tally = self._tally
        if tally.clashes and self._options.on_conflict == "fail" and not self._options.preview:
            raise conflict(self._source.name, tally)
        self._end(is_last=True)
        return tally.report(
            self._source, self._view.branch, preview=self._options.preview, version=self._version
        )

    def _import_record(self, parsed: tuple[int, "Item | CommitRecord"]) -> None:
        line, record = parsed
        try:
            if isinstance(record, CommitRecord):
                self._next_commit(line, record)
            elif self._commit is not None and self._mark(self._commit) in self._known:
                self._tally.unchanged += 1
            else:
                self._import_item(line, record)
        except (InvalidArgument, LimitExceeded) as error:
            self._refuse(Flaw(line, reason_of(error)))
        if self._is_full and not self._is_history:
            self._end()

    def _next_commit(self, line: int, commit: CommitRecord) -> None:
        self._end()
        self._commit = None
        if self._mark(commit) not in self._known:
            self._tally.add_secrets(secrets_of_commit(line, commit))
        if self._options.mask_secrets:
            commit = masked_commit(commit)
        check_actor(commit.actor)
        check_header(Header(IMPORT, commit.actor, commit.message))
        time_us(commit.time)
        self._commit = commit

    @property
    def _is_full(self) -> bool:
        is_large = self._staged_bytes >= limits.IMPORT_COMMIT_BYTES
        return is_large or self._staged_items >= limits.ITEMS_MAX

    def _refuse(self, flaw: Flaw) -> None:
        if not self._options.lenient:
            raise Unusable(
                f"{self._source.name} cannot be imported: line {flaw.line}: {flaw.reason}.",
                hint="Nothing was changed. Mend the line, or be lenient: then it is left out.",
                path=self._source.name,
                line=flaw.line,
            )
        self._tally.add_flaw(flaw)

    def _import_item(self, line: int, record: Item) -> None:
        name = self._options.space or record.space or self._view.space
        space = check_name(name, what="space")
        self._tally.add_secrets(secrets_in(line, space, record))
        if self._options.mask_secrets:
            record = masked(record)
        if record.state == "trimmed":
            self._tally.unreadable += 1
        elif isinstance(record, EventRecord):
            self._import_event(space, record)
        else:
            self._import_keyed(line, space, record)

    # Values under keys.

    def _import_keyed(self, line: int, space: str, record: Kept) -> None:
        values = self._values_of(space, record)
        current = values.get(record.key)
        if current is None:
            if record.state == "live":
                self._write(values, record)
        elif self._is_ours(current):
            self._write(values, record)
        elif _is_same(current, record):
            self._tally.unchanged += 1
        elif self._settle(Clash(line, space, values.kind, masked_text(record.key))):
            self._write(values, record)
            self._tally.replaced += 1

    def _values_of(self, space: str, record: Kept) -> Kv | JsonDocuments | State:
        place = (space, type(record))
        values = self._values.get(place)
        if values is None:
            kinds = {FactRecord: Kv, DocumentRecord: JsonDocuments, CellRecord: State}
            values = kinds[type(record)](StagingView(self._staging, space=space))
            self._values[place] = values
        return values

    def _is_ours(self, current: Version | StoredCell) -> bool:
        """Whether what a key holds was brought by this very history."""
        is_new = not current.version or current.version > self._begun_at
        return self._is_history and is_new

    def _settle(self, clash: Clash) -> bool:
        """Tell whether another value may be replaced."""
        self._tally.add_clash(clash)
        if self._options.on_conflict == "skip":
            self._tally.skipped += 1
        return self._options.on_conflict == "replace"

    def _write(self, values: Kv | JsonDocuments | State, record: Kept) -> None:
        value = value_of(record)
        if record.state != "live":
            values.delete(record.key)
            self._tally.deleted += 1
        elif isinstance(values, Kv):
            values.put(record.key, value, tags=record.tags)
        elif isinstance(values, State):
            values.set(record.key, value)
        else:
            values.set(record.key, "$", value)
        self._note(values.kind, value)

    def _note(self, kind: str, value: Json) -> None:
        self._tally.written[kind] += 1
        self._staged_items += 1
        self._staged_bytes += len(encode(value))

    # Events.

    def _import_event(self, space: str, record: EventRecord) -> None:
        id_ = record.id or digest(encode([space, record.type, record.time, value_of(record)]))
        keys = self._snapshot.by_attribute(space, EVENT, "id", value=id_)
        if record.state != "live":
            self._hide(space, keys)
        elif keys or (space, id_) in self._new_events:
            self._tally.unchanged += 1
        else:
            self._append(space, record, id_)

    def _append(self, space: str, record: EventRecord, id_: str) -> None:
        sequence, previous = self._logs.get(space) or last_event(self._snapshot, space)
        first = EventOrigin(
            record.branch or self._source.name[: limits.NAME_CHARACTERS_MAX],
            record.sequence or sequence + 1,
            time_us(record.time) if record.time else self._store.clock(),
            record.hash,
            id_,
        )
        change = event_change(
            space,
            encode(value_of(record)),
            type_=record.type,
            sequence=sequence + 1,
            previous=previous,
            origin=first,
        )
        self._staging.stage(change)
        self._logs[space] = (sequence + 1, decode(change.meta or b"")["hash"])
        self._new_events.add((space, id_))
        self._note(EVENT, value_of(record))

    def _hide(self, space: str, keys: list[str]) -> None:
        """Hide an event as the history did, if this history has brought it."""
        for key in keys:
            stored = self._snapshot.get(space, EVENT, key)
            if stored is not None and stored[0] > self._begun_at:
                self._staging.stage(event_deletion(space, key, stored))
                self._tally.deleted += 1
                self._note(EVENT, None)

    # Commits.

    def _end(self, *, is_last: bool = False) -> None:
        """Write what was staged as a commit behind the last one."""
        changes = self._staging.staged
        self._staging.rollback()
        if changes and is_last and self._options.preview:
            self._tally.commits += 1  # nothing comes behind it that has to see it
        elif changes:
            if not self._is_locked:
                changes = self._store.all_indexed(changes)
                self._acquire_lock()
            newest, hash_ = self._tip
            slot = Slot(self._branch, self._store.last_version() + 1, self._time(newest), hash_)
            header = self._header(slot.timestamp)
            receipt = write_commit(self._store, slot, changes=changes, header=header)
            self._tip = (receipt.timestamp, receipt.hash)
            self._version = receipt.version
            self._tally.commits += 1
        self._begin()

    def _time(self, newest: int) -> int:
        """Return the time of the next commit: its own where the branch is not past it."""
        now = self._store.clock()
        wanted = time_us(self._commit.time) if self._commit is not None else now
        return wanted if newest < wanted <= now else max(now, newest + 1)

    def _header(self, timestamp: int) -> Header:
        if self._commit is None:
            return Header(IMPORT, self._view.signature, f"import {self._source.name}"[:200])
        message = self._commit.message
        if time_us(self._commit.time) != timestamp:
            # A branch cannot go back in time, so the message says when it was.
            told = f"(first written {clock.iso(time_us(self._commit.time))})"
            room = limits.MESSAGE_CHARACTERS_MAX - len(told) - 1
            message = f"{(message or '')[:room]} {told}".lstrip()
        return Header(f"{IMPORT} {self._mark(self._commit)}", self._commit.actor, message)

    def _mark(self, commit: CommitRecord) -> str:
        """Return what a commit is known by; a part of one is not the whole."""
        selection = b"" if self._source.header is None else self._source.header.selection
        return (
            digest(commit.hash.encode() + selection)[:MARK_CHARACTERS] if selection else commit.hash
        )


def _is_same(current: Version | StoredCell, record: Kept) -> bool:
    """Whether a key holds what a record says."""
    if record.state != "live" or not equal(current.value, value_of(record)):
        return False
    # Of the kinds that have keys, only facts carry tags.
    tags = current.tags if isinstance(current, Version) else ()
    return not isinstance(record, FactRecord) or set(tags) == set(record.tags)


def check_options(options: ImportOptions) -> None:
    """Refuse a way to settle conflicts that does not exist."""
    if options.on_conflict not in get_args(OnConflict):
        raise InvalidArgument(
            f"{options.on_conflict!r} is no way to settle conflicts.",
            hint="Use fail, skip or replace.",
            parameter="on_conflict",
        )
