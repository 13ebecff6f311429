"""Changing texts: one author's replica, one row of the log, and what follows from the text."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Literal, NamedTuple

import msgspec

from strata.base import limits
from strata.base.errors import SecretRefused
from strata.base.results import Result
from strata.base.values import Json
from strata.documents.log import (
    LogEntry,
    LogHead,
    PreparedSnapshot,
    find_head,
    head_of,
    is_snapshot_due,
    row_of,
)
from strata.documents.markdown import frontmatter, frontmatter_end
from strata.documents.quotes import check_bytes, check_size
from strata.documents.records import (
    BEHIND,
    SPACE,
    Card,
    aliases_of,
    change_of_card,
    find_card,
)
from strata.documents.replicas import EditingReplica, Replicas
from strata.documents.sections import SectionLayout, changes, relaid
from strata.documents.suggestions import Reason, filed_edits, suggest, suggestions_of
from strata.documents.suggestions import change_of as change_of_suggestion
from strata.documents.text import (
    AnchorPlace,
    Replica,
    Splice,
    apply_as_splices,
    clients_of,
    coarser,
    locate,
)
from strata.documents.versions import RecentTexts
from strata.secrets import refusal_by_line
from strata.store import (
    DELETED,
    GONE,
    FiledEdit,
    Signature,
    Snapshot,
    StagedChange,
    Transaction,
    View,
    with_person,
)


class Author(msgspec.Struct, frozen=True):
    """Whose edits these are, and which agent makes them."""

    user: str
    via: str | None = None


class ArrivedUpdate(msgspec.Struct, frozen=True):
    """An update that a replica elsewhere has made, and whose it is."""

    update: bytes
    author: Author


class LatePieces(NamedTuple):
    """What follows from a version of a text that was written live, made before the store is locked.

    `mark` is the version of the mark that the text is ahead of its pieces. Every write of pieces
    removes that, so these are outdated once there is another mark, or none.
    """

    document: str
    version: int
    mark: int
    text: str
    changes: Sequence[StagedChange]


class _Change(NamedTuple):
    """What was changed of a text, and how that was cut up before."""

    layout: SectionLayout
    splices: Sequence[Splice]
    before: str

    def touches_front(self, text: str) -> bool:
        """Tell whether the text, which is this now, says something else in front of itself."""
        return _front(self.before) != _front(text)


class WriteResult(Result, frozen=True, kw_only=True):
    """What a write did.

    An edit that may not be made, or that meets words which others have changed since, waits as
    suggestions: `filed` tells where, and which words. `partly` means that the rest was applied.
    """

    document: str
    title: str
    version: int
    status: Literal["applied", "partly", "suggested", "unchanged"]
    created: bool = False
    matches: int = 0
    filed: tuple[FiledEdit, ...] = ()
    # Whether the edits were filed because the author may only suggest.
    proposed: bool = False
    # Suggestions of edits that came too late, which this one has made superfluous.
    withdrawn: tuple[str, ...] = ()
    # Whether the document is in the trash, where it is not found.
    trashed: bool = False
    repeated: bool = False

    @property
    def suggestions(self) -> tuple[str, ...]:
        """The suggestions that edits were kept as."""
        return tuple(one.suggestion for one in self.filed if one.suggestion is not None)

    @property
    def suggestion(self) -> str | None:
        """The first of these suggestions, if there is one."""
        return next(iter(self.suggestions), None)


class DocumentWriter:
    """Writes texts for one author, inside transactions that its caller commits."""

    def __init__(
        self, view: View, replicas: Replicas, texts: RecentTexts, *, author: Author
    ) -> None:
        self._view = view
        self._replicas = replicas
        self._texts = texts
        self.author = author

    @contextmanager
    def transaction(self, operation: str, *, by: Signature) -> Generator["DocumentTransaction"]:
        """Give a transaction whose replicas are kept when it has committed, else thrown away.

        Its commit names the person, and the agent that the view names.

        One that the caller commits later keeps none: their versions are not known before.
        """
        epoch = self._texts.epoch
        with self._view.writing(f"document {operation}") as transaction, transaction.whole():
            actor = with_person(transaction.header.actor, by)
            if actor != transaction.header.actor:
                transaction.header = msgspec.structs.replace(transaction.header, actor=actor)
            writing = DocumentTransaction(self, transaction, operation)
            yield writing
        for editing, version in writing.done if transaction.is_locked else ():
            self._texts.keep(version, editing.replica.text, epoch)
            self._replicas.release(editing, version)

    @property
    def replicas_epoch(self) -> int:
        """How often the replicas of this process were dropped."""
        return self._replicas.epoch

    def acquire(
        self, transaction: Transaction, document: str, newest: LogHead | None = None
    ) -> EditingReplica:
        """Return this author's replica of a document, whose newest row the caller may know."""
        key = (transaction.branch_id, document, self.author.user, self.author.via)
        if transaction.is_locked:
            return self._replicas.acquire(transaction, key, newest)
        return self._replicas.load(transaction, key)

    def clean(self, text: str, known: Callable[[], Json]) -> str:
        """Return a text as it may be kept: with secrets masked where the setting says so."""
        return str(self._view.encoded(text, what="text", before=known)[0])

    def check_front(self, text: str) -> None:
        """Raise SecretRefused for one in front of a text: no section holds that, as others do."""
        self._view.screen_note(_front(text), "frontmatter")

    @property
    def now(self) -> int:
        """The time of what is written now, in microseconds."""
        return self._view.store.clock()


class DocumentTransaction:
    """One transaction under way."""

    def __init__(self, writer: DocumentWriter, transaction: Transaction, operation: str) -> None:
        self.transaction = transaction
        self.done: list[tuple[EditingReplica, int]] = []
        self._writer = writer
        self._operation = operation
        self._has_snapshot = False

    def create(self, document: str, card: Card, text: str) -> int:
        """Stage a new document; return the version of its text."""
        replica = Replica()
        author = self._writer.author
        key = (self.transaction.branch_id, document, author.user, author.via)
        editing = EditingReplica(key, replica, None, epoch=self._writer.replicas_epoch)
        editing.layout = SectionLayout([], [], [])
        clean = self._writer.clean(check_size(text), lambda: None)
        self.transaction.stage(change_of_card(document, card))
        return self._staged(editing, [Splice(0, 0, clean)] if clean else [])

    def open(self, document: str, newest: LogHead | None = None) -> EditingReplica:
        """Return a document laid out for the author; `newest` is its newest row, if known."""
        return self._writer.acquire(self.transaction, document, newest)

    def splice(self, editing: EditingReplica, splices: Sequence[Splice]) -> int:
        """Stage changes to a text; return the version it has then."""
        if not splices:
            self.done.append((editing, editing.version))
            return editing.version
        known = editing.replica.text
        # Replacing all puts the same words into many places: they are looked at once.
        clean = {
            text: self._writer.clean(text, lambda: known) for text in {one.text for one in splices}
        }
        cleaned = [Splice(one.start, one.end, clean[one.text]) for one in splices]
        # Each takes a replica longer the longer the text is: many are made as fewer, larger ones.
        return self._staged(editing, coarser(known, cleaned, limits.SPLICES_MAX))

    def receive(self, editing: EditingReplica, arrived: Sequence[ArrivedUpdate]) -> int:
        """Stage what replicas elsewhere have written, perhaps several users', as one row."""
        layout, before = editing.known_layout(self.transaction), editing.replica.text
        splices = apply_as_splices(editing.replica, [one.update for one in arrived])
        return self._stage_row(editing, self._entries(arrived), _Change(layout, splices, before))

    def _staged(self, editing: EditingReplica, splices: Sequence[Splice]) -> int:
        replica, author = editing.replica, self._writer.author
        layout, before = editing.known_layout(self.transaction), replica.text
        update = replica.splice(splices) or replica.state()
        entry = LogEntry(update, author.user, author.via, replica.client, self._writer.now)
        return self._stage_row(editing, [entry], _Change(layout, splices, before))

    def _stage_row(
        self, editing: EditingReplica, entries: Sequence[LogEntry], change: "_Change"
    ) -> int:
        """Stage a row of the log that a replica has taken in, and what follows from the text."""
        document, text = editing.key[1], editing.replica.text
        check_bytes(len(editing.replica.data))
        version = self._append_row(editing, entries)
        was_behind = self._catch_up(editing, change.layout)
        if change.splices:
            before = change.layout
            editing.layout = relaid(before, text, change.splices)
            try:
                for piece in changes(document, before.pieces, editing.layout.pieces):
                    self.transaction.stage(piece)
            except SecretRefused as error:
                # The caller knows the text and its lines, not the sections that it is cut into.
                refused = refusal_by_line("The text", text, before=change.before)
                raise refused or error from None
        if was_behind or change.touches_front(text):
            self._writer.check_front(text)
            stage_frontmatter(self.transaction, document, text)
        self.done.append((editing, version))
        return version

    def append(
        self,
        editing: EditingReplica,
        arrived: Sequence[ArrivedUpdate],
        *,
        was_behind: bool = False,
        prepared: PreparedSnapshot | None = None,
    ) -> int:
        """Stage what was written live, and was taken in by the replica already.

        What follows from the text waits for `settle`: indexing is too slow for every keystroke.
        `was_behind` says that it is known to wait already. A snapshot is written when it was
        prepared; without one, it is made when twice as much has gathered.
        """
        document = editing.key[1]
        # Documents that are typed in alike are due alike: one snapshot for each commit is enough.
        is_overdue = editing.head is not None and is_snapshot_due(editing.head, times=2)
        version = self._append_row(
            editing,
            self._entries(arrived),
            may_wait=self._has_snapshot or not is_overdue,
            prepared=prepared,
        )
        if not was_behind and not is_behind(self.transaction, document):
            self.transaction.stage(StagedChange(SPACE, BEHIND, document, b"{}"))
        editing.layout = None
        self.done.append((editing, version))
        return version

    def settle(self, late: LatePieces) -> bool:
        """Stage what follows from a text that was written live; False where that is outdated.

        The mark that the text is ahead stays where users have typed on meanwhile.
        """
        transaction, document = self.transaction, late.document
        head = find_head(transaction, document)
        if behind_mark(transaction, document) != late.mark or (head is None and late.version):
            return False
        changes = list(late.changes)
        if late.version == (head.version if head else 0):
            changes.append(StagedChange(SPACE, BEHIND, document, flags=DELETED))
        self._stage_unscreened(changes)
        stage_frontmatter(transaction, document, late.text)
        return True

    def _catch_up(self, editing: EditingReplica, layout: SectionLayout) -> bool:
        """Stage what a text that was written live still lacks; tell whether it lacked anything."""
        overdue = list(catching_up(self.transaction, editing.key[1], layout))
        self._stage_unscreened(overdue)
        editing.layout = msgspec.structs.replace(layout, overdue=())
        return bool(overdue)

    def _stage_unscreened(self, pieces: Iterable[StagedChange]) -> None:
        # Only the text is new, and that was screened when it was typed: a piece that is cut anew
        # may hold a secret that was allowed before.
        screen, self.transaction.screen = self.transaction.screen, None
        for change in pieces:
            self.transaction.stage(change)
        self.transaction.screen = screen

    def _append_row(
        self,
        editing: EditingReplica,
        entries: Sequence[LogEntry],
        *,
        may_wait: bool = False,
        prepared: PreparedSnapshot | None = None,
    ) -> int:
        row = row_of(
            self.transaction,
            editing.key[1],
            entries,
            before=editing.head,
            replica=editing.replica,
            operation=self._operation,
            may_wait=may_wait,
            prepared=prepared,
        )
        self._has_snapshot |= len(row) > 1 and prepared is None
        version, time = [self.transaction.stage(one) for one in row][-1]
        editing.head = head_of((version, time, row[-1].flags, b"", row[-1].meta))
        return version

    def _entries(self, arrived: Sequence[ArrivedUpdate]) -> list[LogEntry]:
        now = self._writer.now
        return [
            LogEntry(one.update, one.author.user, one.author.via, _client(one), now)
            for one in arrived
        ]

    def suggest(
        self,
        editing: EditingReplica,
        edits: Sequence[Splice],
        *,
        reason: Reason,
        base_version: int | None = None,
    ) -> list[FiledEdit]:
        """Stage a suggestion for each edit of a document's text."""
        author, text, document = self._writer.author, editing.replica.text, editing.key[1]
        spans = [(one.start, one.end) for one in edits]
        made = [
            suggest(
                editing.replica,
                (one.start, one.end),
                self._writer.clean(one.text, lambda: text),
                document=document,
                author=author.user,
                via=author.via,
                reason=reason,
                now=self._writer.now,
                # There is none yet where the same transaction has edited the text before.
                base_version=base_version or None,
            )
            for one in edits
        ]
        for one in made:
            self.transaction.stage(change_of_suggestion(one))
        card = find_card(self.transaction, document)
        return filed_edits(text, made, spans, title=card.title if card else "")

    def withdraw_stale(self, editing: EditingReplica, edits: Sequence[Splice]) -> tuple[str, ...]:
        """Stage that the author's own late edits of words are withdrawn which edits change now."""
        author, document = self._writer.author, editing.key[1]
        waiting = [
            one
            for one in suggestions_of(self.transaction, document)
            if one.status == "pending"
            and one.reason == "stale"
            and one.author == author.user
            and one.via == author.via
        ]
        if not waiting or not edits:
            return ()
        places = locate(editing.replica, [part for one in waiting for part in (one.start, one.end)])
        pairs = zip(waiting, places[::2], places[1::2], strict=True)
        done = [one for one, start, end in pairs if start and end and _meets(edits, start, end)]
        for one in done:
            closed = msgspec.structs.replace(
                one, status="withdrawn", decided_by=author.user, decided_at=self._writer.now
            )
            self.transaction.stage(change_of_suggestion(closed))
        return tuple(one.id for one in done)


def _meets(edits: Sequence[Splice], start: AnchorPlace, end: AnchorPlace) -> bool:
    """Tell whether edits change something between two anchors, or where these meet."""
    low, high = sorted((start.at, end.at))
    return any(one.start <= high and low <= one.end for one in edits)


def is_behind(snapshot: Snapshot, document: str) -> bool:
    """Tell whether what follows from a text that was written live is still to be written."""
    return behind_mark(snapshot, document) is not None


def behind_mark(snapshot: Snapshot, document: str) -> int | None:
    """Return the version of the mark that a text is ahead of its pieces; None without one."""
    record = snapshot.get(SPACE, BEHIND, document)
    return None if record is None or record[2] & GONE else record[0]


def catching_up(snapshot: Snapshot, document: str, layout: SectionLayout) -> Iterator[StagedChange]:
    """Yield what follows from a text that was written live, before anything is done to it."""
    yield from layout.overdue
    if is_behind(snapshot, document):
        yield StagedChange(SPACE, BEHIND, document, flags=DELETED)


def _front(text: str) -> str:
    return text[: frontmatter_end(text)]


def _client(arrived: ArrivedUpdate) -> int:
    """Return the replica that an update comes from; one that only deletes names none."""
    return min(clients_of(arrived.update), default=0)


def stage_frontmatter(transaction: Transaction, document: str, text: str) -> None:
    """Keep beside a document what its text says about itself, if that has changed."""
    card = find_card(transaction, document)
    if card is not None and (renewed := described(card, text)) != card:
        transaction.stage(change_of_card(document, renewed))


def described(card: Card, text: str) -> Card:
    """Return a card with what a text says about itself; what cannot be read changes nothing."""
    found = frontmatter(text)
    if found.error is not None:
        return card
    return msgspec.structs.replace(card, frontmatter=found.values, aliases=aliases_of(found.values))
