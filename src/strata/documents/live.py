"""The durable side of live editing: what arrives from many pages becomes one commit.

Pages send a few letters at a time. So what follows from a text, its pieces for search and its
links, waits for a pause in typing, or for a search: `settle` writes it.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from typing import TypeAlias

import msgspec

from strata.access import find_user, missing_document
from strata.base import limits
from strata.base.errors import (
    DamagedUpdate,
    LimitExceeded,
    NotAllowed,
    SecretRefused,
    StrataError,
    UpdateGap,
)
from strata.base.values import encode
from strata.documents.log import (
    LogEntry,
    LogHead,
    PreparedSnapshot,
    entries_of,
    find_head,
    is_snapshot_due,
    prepare_snapshot,
    rows_after,
)
from strata.documents.quotes import check_size
from strata.documents.records import BEHIND, COMMENT, DOCUMENT, SECTION, SPACE, SUGGESTION, TEXT
from strata.documents.replicas import EditingReplica, Replicas
from strata.documents.sections import layout_of
from strata.documents.text import NOTHING, Replica
from strata.documents.text.alignment import TextChange, shared_start, trimmed
from strata.documents.text.updates import read_update
from strata.documents.versions import RecentTexts
from strata.documents.writing import (
    ArrivedUpdate,
    Author,
    DocumentTransaction,
    DocumentWriter,
    LatePieces,
    behind_mark,
)
from strata.secrets import find_secrets
from strata.sql import HintSource
from strata.store import GONE, TRIMMED, Record, Signature, StagedChange, View

# What a page shows of a document, by the kind of record that keeps it.
_SHOWN = {TEXT: "text", COMMENT: "comments", SUGGESTION: "suggestions", DOCUMENT: "title"}
# The replica that receives what pages write has no author: it never writes a letter itself.
_NOBODY = Author("", "live")
# What was typed is looked at for secrets together with so many letters on either side: few secrets
# are longer with the words that show what they are.
_LOOKED_AT = 4_000
# Two texts that are equal for so many letters behind a change are compared from there on.
_ALIKE = 16
# Letters of a text that went, and letters that came in their place.
_Step: TypeAlias = tuple[int, int]


class Arrival(msgspec.Struct, frozen=True):
    """An update that a page has sent, and whose it is.

    A page that is asked for what it has also sends what others wrote since it was asked. That is
    not part of the update, which has the author's edits alone: `echoed` has the clocks behind
    it, and the update is refused where the text does not have all of that.
    """

    document: str
    update: bytes
    author: Author
    echoed: Mapping[int, int] = {}


class ArrivalOutcome(msgspec.Struct, frozen=True):
    """What became of an arrival: the version that has it, or why it was refused.

    `before` is the version that it was added to: a client that knows that one knows all of it now.
    """

    version: int
    error: StrataError | None = None
    before: int = 0


class Difference(msgspec.Struct, frozen=True):
    """The update a client needs, the version it leads to, and the state vector there."""

    version: int
    update: bytes
    vector: bytes


class LiveLog:
    """The logs of the documents of a branch, as a server of live pages uses them.

    It checks no permissions: the server knows the user of each socket. Calls may wait for the
    disk, so they belong into a thread.
    """

    def __init__(self, view: View, replicas: Replicas, texts: RecentTexts) -> None:
        self._view = view
        # Clients are numbered by branch, so a branch has to be there before one of them writes.
        view.bear_branch()
        self._replicas = replicas
        self._texts = texts
        self._names: dict[str, str] = {}
        # The newest rows of documents that were written live, and the state of the store in which
        # they are. While nothing else is written, a commit need not look them up.
        self._heads: dict[str, LogHead] = {}
        # Documents that need a snapshot, and snapshots for their next rows. Both count from rows
        # of `_heads`: `_resets` counts how often these were forgotten, or began to count anew.
        self._due: dict[str, None] = {}
        self._prepared: dict[str, PreparedSnapshot] = {}
        self._resets = 0
        self._mark: tuple[int, int, int] | None = None
        # Between these versions there is nothing but the last commit of `append`.
        self._own = (0, 0)

    @property
    def branch(self) -> int:
        """The branch, as `owner_of_client` numbers it."""
        return self._view.snapshot.branch_id

    @cached_property
    def _writer(self) -> DocumentWriter:
        return DocumentWriter(self._view, self._replicas, self._texts, author=_NOBODY)

    def append(self, arrivals: Sequence[Arrival]) -> list[ArrivalOutcome]:
        """Keep what arrived as one commit; what cannot be kept is refused alone."""
        outcomes: dict[int, ArrivalOutcome] = {}
        order = sorted(range(len(arrivals)), key=lambda index: arrivals[index].document)
        with self._writer.transaction("live", by=self._authors(arrivals)) as writing:
            mark = writing.transaction.mark
            heads = self._heads if mark == self._mark else {}
            if heads is not self._heads:
                self._start_over()
            # Where the commit fails, nothing is known any more.
            self._mark = None
            for document, group in groupby(order, key=lambda index: arrivals[index].document):
                indices = list(group)
                writer = _ArrivalWriter(self._view, writing, document)
                writer.newest = heads.get(document)
                writer.prepared = self._prepared.pop(document, None)
                found = writer.write([arrivals[index] for index in indices])
                outcomes.update(zip(indices, found, strict=True))
        self._remember(mark, heads, writing)
        return [outcomes[index] for index in range(len(arrivals))]

    def _remember(
        self,
        mark: tuple[int, int, int] | None,
        heads: dict[str, LogHead],
        writing: DocumentTransaction,
    ) -> None:
        """Note which rows are the newest ones after a commit, and which need a snapshot."""
        receipt = writing.transaction.receipt
        if mark is None:
            return
        if receipt is not None:
            for editing, version in writing.done:
                if editing.head is not None and version > mark[2]:
                    heads[editing.key[1]] = editing.head
                    self._note_due(editing.key[1], editing.head)
            self._own = (mark[2], receipt.version)
            mark = (*mark[:2], receipt.version)
        self._heads, self._mark = heads, mark

    def _note_due(self, document: str, head: LogHead) -> None:
        if is_snapshot_due(head):
            self._due[document] = None
        else:
            self._due.pop(document, None)
        if not head.rows:
            self._resets += 1

    def _start_over(self) -> None:
        """Forget what counts from rows that are not the newest ones any more."""
        self._resets += 1
        self._due.clear()
        self._prepared.clear()

    @property
    def due(self) -> str | None:
        """A document for which `prepare` should be called, in a thread of its own."""
        return next((one for one in list(self._due) if one not in self._prepared), None)

    def prepare(self, document: str) -> None:
        """Make a snapshot of a document, which its next row brings into the store.

        Telling who wrote what of a long text takes many times as long as a commit, so no commit
        waits for it.
        """
        resets = self._resets
        # A commit of the document asks again, as long as it needs one.
        self._due.pop(document, None)
        prepared = prepare_snapshot(self._view.snapshot, document)
        if prepared is not None and resets == self._resets:
            self._prepared[document] = prepared

    def _authors(self, arrivals: Sequence[Arrival]) -> Signature:
        """Return who is named on the commit: one author, or how many; the rows name each."""
        authors = {one.author for one in arrivals}
        if len(authors) == 1:
            [author] = authors
            return Signature(author.via, author.user, self._name(author.user))
        return Signature(f"{len({one.user for one in authors})} people")

    def _name(self, user: str) -> str:
        if user not in self._names:
            found = find_user(self._view.store, user)
            self._names[user] = found.name if found is not None else user
        return self._names[user]

    def settle(self, documents: Collection[str] | None = None) -> int:
        """Write what follows from texts that were written live; return of how many.

        Without names it is done for all documents of the branch.
        """
        behind = self.behind()
        wanted = behind if documents is None else [one for one in behind if one in documents]
        for document in wanted:
            self._settle(document)
        return len(wanted)

    def _settle(self, document: str) -> None:
        """Write the pieces of a text. They are made first: users type on while this goes on."""
        while (late := self._late_pieces(document)) is not None:
            with self._writer.transaction("settle", by=Signature("strata")) as writing:
                if writing.settle(late):
                    return

    def _late_pieces(self, document: str) -> LatePieces | None:
        """Return what the store still lacks of a text; None where it lacks nothing."""
        snapshot = self._view.snapshot
        with snapshot.reading():
            mark = behind_mark(snapshot, document)
            if mark is None:
                return None
            version, text = self._texts.read(snapshot, document) or (0, "")
            layout = layout_of(snapshot, document, text)
        changes = self._view.store.all_indexed(layout.overdue)
        return LatePieces(document, version, mark, text, changes)

    def behind(self) -> list[str]:
        """Return the documents whose pieces are those of an older text."""
        return [key for key, _record in self._view.snapshot.items(SPACE, BEHIND, "")]

    # What others have written.

    def difference(self, document: str, vector: bytes | None = None) -> Difference:
        """Return the update a client needs, given its state vector; without one, all."""
        snapshot = self._view.snapshot
        key = (snapshot.branch_id, document, _NOBODY.user, _NOBODY.via)
        editing = self._replicas.acquire(snapshot, key)
        if editing.head is None:
            raise missing_document(document)
        try:
            replica = editing.replica
            known = replica.vector()
            update = replica.state() if vector is None else _since(replica, vector, len(known))
            return Difference(editing.version, update, known)
        finally:
            # A vector that cannot be read has changed nothing: loading a long text again for
            # each of them would keep everybody waiting.
            self._replicas.release(editing, editing.version)

    @property
    def hints(self) -> HintSource | None:
        """What hears of commits by other processes, where the database tells of them."""
        return self._view.store.database.hints

    def position(self) -> int:
        """Return up to where `changed_since` has nothing to tell."""
        return self._view.snapshot.newest()

    def changed_since(self, position: int) -> tuple[int, dict[str, set[str]]]:
        """Return where the store is now, and what was changed of which documents since.

        By any user, in any process: "text", "comments", "suggestions", "title". What the last
        `append` has written is left out where nothing else was written.
        """
        snapshot = self._view.snapshot
        now = snapshot.newest()
        changed: dict[str, set[str]] = {}
        if now > position and (position, now) != self._own:
            for kind, what in _SHOWN.items():
                for key in snapshot.written_between(SPACE, kind, after=position, upto=now):
                    changed.setdefault(key.partition("/")[0], set()).add(what)
        return now, changed

    def version(self, document: str) -> int:
        """Return the version of a document's newest text; raise NotFound where there is none."""
        head = find_head(self._view.snapshot, document)
        if head is None:
            raise missing_document(document)
        return head.version

    def entries_after(self, document: str, version: int) -> list[tuple[int, LogEntry]]:
        """Return what was written after a version, oldest first, each with its own version.

        Raises NotFound where that cannot be told any more: the whole text must be sent anew.
        """
        rows = rows_after(self._view.snapshot, document, version)
        if any(row[2] & (TRIMMED | GONE) for row in rows):
            raise missing_document(document)
        return [(row[0], entry) for row in rows for entry in entries_of(row)]

    def owner_of_client(self, document: str, client: int) -> tuple[Author, int] | None:
        """Return who has written to a document with a client's id, and on which branch first.

        An id that was used on another branch must not be used on this one.
        """
        store = self._view.store
        keyspace = store.catalog.keyspace(SPACE, TEXT, store.connection()) or 0
        values = (keyspace, "client", str(client), document)
        row = store.connection().row(store.queries.version_with_attribute, values)
        if row is None:
            return None
        found = next((one for one in entries_of(row[:5]) if one.client == client), None)
        return None if found is None else (Author(found.author, found.via), row[5])


class _ArrivalWriter:
    """Writes what arrived for one document, inside a transaction."""

    def __init__(
        self,
        view: View,
        writing: DocumentTransaction,
        document: str,
    ) -> None:
        self._view, self._writing, self._document = view, writing, document
        # The newest row of the log, if it was written live and nothing else was written since,
        # and a snapshot for the row to come.
        self.newest: LogHead | None = None
        self.prepared: PreparedSnapshot | None = None

    def write(self, arrivals: Sequence[Arrival]) -> list[ArrivalOutcome]:
        """Stage what can be kept as one row; return what became of each."""
        applied = self._again(())
        if applied.editing.head is None:
            return [ArrivalOutcome(0, missing_document(self._document))] * len(arrivals)
        errors: dict[int, StrataError] = {}
        applied = self._add(applied, enumerate(arrivals), errors)
        # An echo may stand before what it repeats.
        late = [index for index, error in errors.items() if isinstance(error, NotAllowed)]
        applied = self._add(applied, [(index, arrivals[index]) for index in late], errors)
        try:
            applied.check()
        except (DamagedUpdate, LimitExceeded, SecretRefused):
            # One of the updates is at fault: each is checked by itself.
            applied, errors = self._one_by_one(arrivals)
        before = applied.editing.version
        version = self._stage(applied)
        return [
            ArrivalOutcome(version, errors.get(index), before) for index in range(len(arrivals))
        ]

    def _add(
        self,
        applied: "_ArrivalReplica",
        arrivals: Iterable[tuple[int, Arrival]],
        errors: dict[int, StrataError],
    ) -> "_ArrivalReplica":
        """Apply what can be; note why the rest cannot."""
        for index, arrival in arrivals:
            try:
                applied.add(arrival)
                errors.pop(index, None)
            except (UpdateGap, DamagedUpdate, NotAllowed) as error:
                errors[index] = error
                applied = applied if applied.is_sound else self._again(applied.accepted)
        return applied

    def _one_by_one(
        self, arrivals: Sequence[Arrival]
    ) -> "tuple[_ArrivalReplica, dict[int, StrataError]]":
        applied, errors = self._again(()), dict[int, StrataError]()
        for index, arrival in enumerate(arrivals):
            try:
                applied.add(arrival)
                applied.check()
            except (UpdateGap, DamagedUpdate, NotAllowed, LimitExceeded, SecretRefused) as error:
                errors[index] = error
                kept = [one for one in applied.accepted if one is not arrival]
                applied = self._again(kept)
        return applied, errors

    def _again(self, accepted: "Sequence[Arrival]") -> "_ArrivalReplica":
        """Begin anew, without what was refused after it had been applied."""
        editing = self._writing.open(self._document, self.newest)
        return _ArrivalReplica(self._view, editing, accepted)

    def _stage(self, applied: "_ArrivalReplica") -> int:
        editing = applied.editing
        if not applied.accepted:
            self._writing.done.append((editing, editing.version))
            return editing.version
        arrived = [ArrivedUpdate(one.update, one.author) for one in applied.accepted]
        return self._writing.append(
            editing, arrived, was_behind=self.newest is not None, prepared=self.prepared
        )


class _ArrivalReplica:
    """A replica, and what was applied to it of what arrived."""

    def __init__(
        self, view: View, editing: EditingReplica, arrivals: Sequence[Arrival] = ()
    ) -> None:
        self._view = view
        self._before = editing.replica.text
        self.editing = editing
        self.accepted: list[Arrival] = []
        for arrival in arrivals:
            self.add(arrival)
        editing.replica.apply_admitted()
        # Up to here it was looked at.
        self._checked = editing.replica.text

    @property
    def is_sound(self) -> bool:
        """Whether what was refused has left the text as it was."""
        return self.editing.replica.is_sound

    def add(self, arrival: Arrival) -> None:
        """Admit an update; one that brings nothing new is not kept. `check` applies all at once.

        A page that connects again sends what may be here already. Behind others it is kept with
        them: reading the text each time to find out takes longer than keeping it.
        """
        replica = self.editing.replica
        if any(replica.known.get(client, 0) < end for client, end in arrival.echoed.items()):
            raise _foreign()
        if arrival.update == NOTHING:
            return
        gained = replica.gained
        replica.admit(arrival.update)
        if replica.gained == gained and not self.accepted:
            replica.apply_admitted()
            if replica.text == self._before:
                return
        self.accepted.append(arrival)

    def check(self) -> None:
        """Apply what was added; raise for a text that is too long, or holds a new secret."""
        replica = self.editing.replica
        replica.apply_admitted()
        text, known, before = check_size(replica.text), self._checked, self._before
        screen = self._view.screen
        if screen is not None and text != known and self._may_hold_secrets(known, text):
            # There is one near the changes. Whether it is new is seen from the whole texts.
            change = StagedChange(SPACE, SECTION, self.editing.key[1], encode({"text": text}))

            def held(_space: str, _kind: str, _key: str) -> Record:
                return (0, 0, 0, encode({"text": before}), None)

            screen.check(change, held)
        self._checked = text

    def _may_hold_secrets(self, known: str, text: str) -> bool:
        updates = [one.update for one in self.accepted]
        return any(find_secrets(part) for part in _near_changes(known, text, updates))


def _foreign() -> NotAllowed:
    return NotAllowed(
        "This update has edits under the client id of another author, and the server has not "
        "received them from that author.",
        hint="Begin with a new Y.Doc, whose id is new too.",
    )


def _since(replica: Replica, vector: bytes, known_bytes: int) -> bytes:
    """Return what a replica has beyond a vector, which may be little longer than its own."""
    most = 2 * known_bytes + limits.LIVE_VECTOR_BYTES
    if len(vector) > most:
        raise LimitExceeded(
            f"This state vector has {len(vector):,} bytes; here it may have {most:,}.",
            hint="Begin with a new Y.Doc.",
            limit=most,
            size=len(vector),
        )
    return replica.since(vector)


def _near_changes(before: str, text: str, updates: Iterable[bytes]) -> Iterator[str]:
    """Yield the parts of a text in which it differs from the one before, and what is around them.

    The replica could tell the changes exactly, in five times the time.
    """
    start = end = 0
    for changed in _changed_parts(before, text, _steps(updates)):
        if changed.new_start - _LOOKED_AT > end:
            yield text[start:end]
            start = changed.new_start - _LOOKED_AT
        end = changed.new_end + _LOOKED_AT
    yield text[start:end]


def _changed_parts(before: str, text: str, steps: Iterable[_Step]) -> Iterator[TextChange]:
    """Yield where a text differs from the one before; what lies between two parts is equal.

    Compared from both ends. What lies between is equal behind a change that is one of the steps;
    where it is not, everything up to the last change is one part.
    """
    left = trimmed(before, text, TextChange(0, len(before), 0, len(text)))
    while step := next((one for one in steps if _fits(before, text, left, step=one)), None):
        at, new_at = left.start + step[0], left.new_start + step[1]
        yield TextChange(left.start, at, left.new_start, new_at)
        most = min(left.end - at, left.new_end - new_at)
        same = shared_start(before, text, at=(at, new_at), most=most)
        left = TextChange(at + same, left.end, new_at + same, left.new_end)
    yield left


def _fits(before: str, text: str, gap: TextChange, *, step: _Step) -> bool:
    """Tell whether the texts go on alike behind a step, as far as is worth a look."""
    at, new_at = gap.start + step[0], gap.new_start + step[1]
    most = min(gap.end - at, gap.new_end - new_at)
    return most >= _ALIKE and before[at : at + _ALIKE] == text[new_at : new_at + _ALIKE]


def _steps(updates: Iterable[bytes]) -> list[_Step]:
    """Return how many letters went and came at each place, if every client was at one place."""
    steps: dict[_Step, None] = {}
    typed: dict[int, int] = {}
    for said in map(read_update, updates):
        for item in said.items:
            steps[0, len(item.text)] = None
            typed[item.client] = typed.get(item.client, 0) + len(item.text)
        steps.update(((one.length, 0), None) for one in said.deletions)
    steps.update(((0, count), None) for count in typed.values())
    steps.pop((0, 0), None)
    return list(steps)
