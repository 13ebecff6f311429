"""Merging branches of documents: every update is carried over, and no two edits interleave.

A merge applies all of the source's updates, for a part of them could not be applied elsewhere
later. Then the text is put to what a three-way merge of the texts says: where both sides changed
the same words the target's stay, and the source's are kept as a suggestion on them. Taking a
commit back, or picking one, changes the text by the same three-way merge.
"""

from collections.abc import Iterator, Sequence
from typing import Any, cast

import msgspec

from strata.base import limits
from strata.base.checks import check_text
from strata.base.errors import Conflict, TooOld
from strata.base.values import Json
from strata.documents.log import LogEntry, LogHead, entries_after, find_head, load, row_of
from strata.documents.merging.merge_base import DocumentMergeBase, trunk
from strata.documents.quotes import check_size, places
from strata.documents.records import (
    BEHIND,
    COMMENT,
    DOCUMENT,
    SECTION,
    SNAPSHOT,
    SPACE,
    SUGGESTION,
    TEXT,
    Card,
    card_of,
    change_of_card,
    check_title,
    find_card,
    user_of,
)
from strata.documents.sections import changes, layout_of, relaid
from strata.documents.suggestions import change_of as change_of_suggestion
from strata.documents.suggestions import suggest
from strata.documents.text import (
    MergedText,
    Overlap,
    Replica,
    Splice,
    apply_as_splices,
    clients_of,
    declined,
    merge_edits,
    merge_texts,
    spliced,
    splices,
)
from strata.documents.versions import RecentTexts
from strata.documents.writing import catching_up, described
from strata.store import (
    DELETED,
    GONE,
    TRIMMED,
    Address,
    Choice,
    EditedValue,
    FiledEdit,
    ForeseenSnapshot,
    MergeTask,
    Need,
    Pair,
    Plan,
    Record,
    ShownChange,
    Snapshot,
    StagedChange,
    Store,
    as_change,
    choice_refused,
    conflict_id,
    preferred,
    read_signature,
    value_of,
    version_row,
    word_of,
)

# A place in a text, in bytes of Yjs and hashes.
_ANCHORS = frozenset({"start", "end", "around"})
# What users change of a card by itself; the rest of it follows from the text, or an import.
_FIELDS = ("title", "trashed")


class TextJoiner:
    """Merges documents for the store."""

    kinds = frozenset({DOCUMENT, TEXT, SNAPSHOT, SECTION, BEHIND})
    shows = kinds | {COMMENT, SUGGESTION}

    def __init__(self, store: Store, texts: RecentTexts) -> None:
        self._store = store
        self._texts = texts

    def join(self, plan: Plan, task: MergeTask, pairs: Sequence[Pair]) -> None:
        """Plan what a merge writes for every document that the source has changed."""
        documents = list(dict.fromkeys(pair.address[2].partition("/")[0] for pair in pairs))
        if documents:
            states = _States(self._store, plan, task, documents=documents)
            for document in documents:
                _Join(states, plan, task, document=document, texts=self._texts).run()

    def permitted(self, plan: Plan, task: MergeTask, pair: Pair) -> Pair | None:
        """Return a comment or a suggestion as it may be merged; None where that is not at all.

        What a user did who has not the right to it any more is left out. What others did before
        that is merged.
        """
        document = pair.address[2].partition("/")[0]
        is_new = _present(pair.before) is None

        def is_permitted(record: Record) -> bool:
            return not any(
                task.visibility.barred(document, {user}, need=need)
                for user, need in _acts(record, is_new=is_new)
            )

        if pair.after is None or is_permitted(pair.after):
            return pair
        plan.left_out.append((SPACE, TEXT, document))
        source = Snapshot(self._store, "", task.source.version, branch_id=task.source.branch)
        steps = _steps(source, pair.address, pair.before)
        found = next((record for record in reversed(steps) if is_permitted(record)), None)
        return None if found is None else msgspec.structs.replace(pair, after=found)

    def readable_change(self, pair: Pair) -> ShownChange | None:
        """Return a change of a document in a readable form: its title, or its text."""
        if pair.address[1] in (SECTION, SNAPSHOT, BEHIND):
            return None
        if pair.address[1] in (COMMENT, SUGGESTION):
            return _without_anchors(as_change(pair))
        sides = (_present(pair.before), _present(pair.after))
        action = "modified" if all(sides) else "added" if sides[1] else "removed"
        values = [None if side is None else self._value(pair.address, side) for side in sides]
        number = pair.after[0] if pair.after is not None else 0
        return ShownChange(*pair.address, action, values[0], values[1], number)

    def _value(self, address: tuple[str, str, str], record: Record) -> str | None:
        if address[1] == DOCUMENT:
            return card_of(record).title
        row = version_row(self._store, record[0])
        assert row is not None, "a record that was just read is there"
        there = Snapshot(self._store, "", record[0], branch_id=row[5])
        found = self._texts.read(there, address[2])
        return None if found is None else found[1]


def _without_anchors(change: ShownChange) -> ShownChange:
    """Return a change of a comment or a suggestion without what only programs read."""
    sides: tuple[Json, Json] = (change.before, change.after)
    before, after = (
        {name: one for name, one in side.items() if name not in _ANCHORS}
        if isinstance(side, dict)
        else side
        for side in sides
    )
    return msgspec.structs.replace(change, before=before, after=after)


def _acts(record: Record, *, is_new: bool) -> Iterator[tuple[str, Need]]:
    """Yield who made a comment or a suggestion what it is, each with the role that takes."""
    if record[2] & GONE:
        user = user_of(record)
        if user is not None:
            yield user, "commenter"
        return
    value = cast("dict[str, Any]", value_of(record))
    if is_new or value.get("edited"):
        yield value["author"], "commenter"
    if value.get("deleted_by"):
        yield value["deleted_by"], "commenter"
    # What was accepted is in the text, and that is merged with its author's words.
    if value.get("decided_by") and value["status"] != "accepted":
        yield value["decided_by"], "editor" if value["status"] == "rejected" else "commenter"


def _steps(source: Snapshot, address: Address, before: Record | None) -> list[Record]:
    """Return the versions of a key that a source has made since the state before, oldest first."""
    known = 0 if before is None else before[0]
    newer = [record for record in source.history(*address) if record[0] > known]
    return [record for record in reversed(newer) if not record[2] & TRIMMED]


def _present(record: Record | None) -> Record | None:
    return None if record is None or record[2] & GONE else record


class _Side(msgspec.Struct, frozen=True):
    """What one state shows of a document; nothing where the document is not there."""

    snapshot: Snapshot
    head: LogHead | None
    text: str
    card: Card | None


class _Passage(msgspec.Struct, frozen=True):
    """Words that both sides changed, their name among the conflicts, and what was chosen."""

    overlap: Overlap
    id: str
    choice: Choice | None

    @property
    def words(self) -> str:
        """The words that the text gets."""
        if isinstance(self.choice, EditedValue):
            return str(self.choice.value)
        ours, theirs = self.overlap.ours, self.overlap.theirs
        if self.choice == "both":
            return _one_after_the_other(ours, theirs)
        return theirs if self.choice == "theirs" else ours


def _one_after_the_other(ours: str, theirs: str) -> str:
    """Return both sides' words, with a blank between them if nothing else is there."""
    is_apart = not ours or not theirs or ours[-1].isspace() or theirs[0].isspace()
    return ours + theirs if is_apart else f"{ours} {theirs}"


def _decided(text: str, passages: Sequence[_Passage]) -> str:
    """Return a text that has the words that were chosen in place of ours."""
    made = [Splice(one.overlap.start, one.overlap.end, one.words) for one in passages]
    return spliced(text, made)


def _spans(passages: Sequence[_Passage]) -> list[tuple[int, int]]:
    """Return where the words of passages are in the decided text."""
    found: list[tuple[int, int]] = []
    grown = 0
    for one in passages:
        start, length = one.overlap.start + grown, len(one.words)
        found.append((start, start + length))
        grown += length - (one.overlap.end - one.overlap.start)
    return found


def _keep_words(
    replica: Replica, ground: DocumentMergeBase, merged: MergedText
) -> tuple[MergedText, list[bytes]]:
    """Bring a replica of both sides to a merged text by updates that other branches make alike.

    Return the text that it has then, and the updates. Where words would have to be moved for that,
    the target's text stays, and all that the source changed of it waits as one suggestion.
    """
    updates = _bring_back(replica, ground, merged)
    settled = merged.in_order_of(replica.text)
    if settled is None:
        ours = ground.ours()
        merged = declined(ground.text, ours.text, merged.with_theirs())
        updates += _bring_back(replica, ground, merged)
        settled = merged, _undoing(ours, replica)
    merged, edits = settled
    if update := replica.splice(edits):
        updates.append(update)
    return merged, updates


def _bring_back(replica: Replica, ground: DocumentMergeBase, merged: MergedText) -> list[bytes]:
    found: list[bytes] = []
    for update in ground.returns(merged.overlaps):
        if not replica.known.keys() & clients_of(update):
            replica.apply(update)
            found.append(update)
    return found


def _undoing(ours: Replica, replica: Replica) -> list[Splice]:
    """Return what takes back all that a replica has taken in beside ours."""
    text = ours.text
    found: list[Splice] = []
    grown = 0
    for one in apply_as_splices(ours, [replica.since(ours.vector())]):
        back = splices(one.text, text[one.start : one.end])
        at, grown = one.start + grown, grown + len(one.text) - (one.end - one.start)
        found += [Splice(at + each.start, at + each.end, each.text) for each in back]
    return found


class _States:
    """The states that a merge of documents looks at, each read for all documents at once."""

    def __init__(
        self, store: Store, plan: Plan, task: MergeTask, *, documents: Sequence[str]
    ) -> None:
        self.store = store
        self._documents = documents
        base, source, target = task.bases[-1], task.source, plan.target
        self.base = ForeseenSnapshot(store, base.branch, base.version)
        self.theirs = ForeseenSnapshot(store, source.branch, source.version)
        # What was staged before the merge is in the target alone.
        staged = bool(target.staged)
        ours = ForeseenSnapshot(store, target.branch_id, target.bound)
        self.ours = target if staged else ours
        ancestor, parted = trunk(store, self.ours, self.theirs)
        self.shared = ForeseenSnapshot(store, ancestor, parted) if parted else None
        states = (self.base, self.theirs, None if staged else ours, self.shared)
        self._read([state for state in states if state is not None], target)

    def _read(self, states: Sequence[ForeseenSnapshot], target: Snapshot) -> None:
        """Read what the states show of all documents, and how the target has them cut up."""
        kinds, connection = (DOCUMENT, SNAPSHOT, BEHIND), self.store.connection()
        for state in states:
            connection.foresee(state.reads_ahead(SPACE, (TEXT, *kinds), self._documents))
        prefixes = (f"{document}/" for document in self._documents)
        connection.foresee(target.reads_of_items(SPACE, SECTION, prefixes))
        for state in states:
            state.foresee_histories(SPACE, TEXT, self._documents)
            for kind in kinds:
                state.foresee(SPACE, kind, self._documents)


class _Join:
    """The merge of one document."""

    def __init__(
        self, states: _States, plan: Plan, task: MergeTask, *, document: str, texts: RecentTexts
    ) -> None:
        self._states, self._store, self._plan, self._task = states, states.store, plan, task
        self._document = document
        self._texts = texts
        # Who gave the source's card its title, as far as that is known.
        self._titled_by: str | None = None
        self._base, self._theirs, self._ours = (
            self._side(state) for state in (states.base, states.theirs, states.ours)
        )

    def _side(self, snapshot: Snapshot) -> _Side:
        found = self._texts.read(snapshot, self._document)
        head = find_head(snapshot, self._document)
        return _Side(snapshot, head, found[1] if found else "", find_card(snapshot, self._document))

    def run(self) -> None:
        """Plan the merge of the text, and of what is known beside it."""
        head = self._theirs.head
        if head is None:
            self._remove()
            return
        self._theirs = msgspec.structs.replace(self._theirs, card=self._permitted_card())
        if self._ours.head is None:
            self._bring()
            return
        card = self._merged_card()
        text = self._ours.text
        if self._base.head is None or head.version != self._base.head.version:
            is_merge = self._task.header.second is not None
            text = self._merge_texts() if is_merge else self._patch_text()
        if card is not None:
            self._plan_card(card, text)

    def _bring(self) -> None:
        """Take a document over that the target does not have, with its log.

        The updates are the source's own: so a later merge knows what both sides have in common.
        """
        theirs = self._theirs
        if self._base.head is not None:
            choice = self._conflict(TEXT, "$", (self._base.text, theirs.text, None))
            removal = self._plan.target.get(SPACE, TEXT, self._document)
            if self._plan.side(choice, self._side_record(theirs), removal) == "target":
                return
        replica, entries = self._whole_log()
        text = self._permitted_text(entries, Replica(), theirs.text)
        self._plan_text(replica, entries, text)
        if theirs.card is not None:
            self._plan_card(theirs.card, text)

    def _whole_log(self) -> tuple[Replica, list[LogEntry]]:
        """Return the source's replica with every update in it, or all of them as one."""
        replica = load(self._theirs.snapshot, self._document)
        try:
            entries = entries_after(self._theirs.snapshot, self._document, 0)
        except TooOld:  # retention has dropped some
            return replica, [self._entry(replica.state(), replica)]
        return replica, self._fitting(entries, replica, None)

    # The text.

    def _merge_texts(self) -> str:
        """Carry all of the source's updates over; return the text that both sides wrote."""
        states = self._states
        ground = DocumentMergeBase(
            self._document, ours=states.ours, theirs=states.theirs, shared=states.shared
        )
        missing, dropped = ground.missing(), ground.dropped()
        if not missing and not dropped:
            return self._ours.text
        wanted = self._permitted_text(missing, ground.replica(), self._theirs.text)
        is_whole = wanted == self._theirs.text
        if is_whole:
            merged = merge_edits(ground.text, *ground.edits())
        else:
            merged = merge_texts(ground.text, self._ours.text, wanted)
        replica = load(states.ours, self._document)
        vector = replica.vector()
        if dropped:
            missing = [self._entry(dropped, replica)]
        for entry in missing:
            replica.apply(entry.update)
        if is_whole:
            merged, updates = _keep_words(replica, ground, merged)
            missing += [self._entry(update, replica) for update in updates]
        passages = self._passages(merged)
        text = check_size(_decided(merged.text, passages)) if passages else merged.text
        self._plan_text(replica, self._fitting(missing, replica, vector), text)
        self._plan_suggestions(replica, passages)
        return text

    def _passages(self, merged: MergedText) -> list["_Passage"]:
        """Return the words that both sides changed, with what was chosen for them."""
        address = (SPACE, TEXT, self._document)
        found: list[_Passage] = []
        for one in merged.overlaps:
            name = conflict_id(address, one.at, one.base, one.theirs, one.ours)
            choice = self._plan.choices.find(address, name)
            if isinstance(choice, EditedValue):
                check_text(choice.value, name="value")
            found.append(_Passage(one, name, choice))
        return found

    def _permitted_text(self, entries: Sequence[LogEntry], replica: Replica, text: str) -> str:
        """Return the source's text without the edits that may not be merged.

        `replica` is the state before the entries. The updates themselves are carried over all the
        same, for later ones build on them; what they brought is taken back, the newest first.
        What an author with the right to it wrote over such words stays.
        """
        barred = self._task.visibility.barred(self._document, {entry.author for entry in entries})
        if not barred:
            return text
        self._plan.left_out.append((SPACE, TEXT, self._document))
        steps: list[tuple[str, str]] = []
        for entry in entries:
            before = replica.text
            replica.apply(entry.update)
            if entry.author in barred:
                steps.append((before, replica.text))
        for before, after in reversed(steps):
            text = merge_texts(after, text, before).text
        return text

    def _patch_text(self) -> str:
        """Change the text as one commit did, or take back what it did; return the text then."""
        ours, theirs = self._ours.text, self._theirs.text
        merged = self._patched(ours, theirs)
        for one in merged.overlaps:
            self._conflict(TEXT, "$", (one.base, one.theirs, one.ours))
        sides = [self._side_record(side) for side in (self._theirs, self._ours)]
        if merged.overlaps and preferred(self._plan.strategy, *sides) == "source":
            merged = self._patched(theirs, ours)
        self._plan_text(load(self._states.ours, self._document), [], merged.text)
        return merged.text

    def _patched(self, ours: str, theirs: str) -> MergedText:
        """Join two texts; where a commit brought the document that is here already, take one."""
        if self._base.head is not None:
            return merge_texts(self._base.text, ours, theirs)
        both = Overlap(0, len(ours), "", ours, theirs)
        return MergedText(ours, () if ours == theirs else (both,))

    def _side_record(self, side: _Side) -> Record | None:
        head = side.head
        return None if head is None else (head.version, head.timestamp, 0, None, None)

    def _fitting(
        self, entries: list[LogEntry], replica: Replica, vector: bytes | None
    ) -> list[LogEntry]:
        """Return entries as they fit into a row: what is too much becomes one."""
        if sum(len(entry.update) for entry in entries) <= limits.DOCUMENT_ROW_BYTES_MAX:
            return entries
        whole = replica.state() if vector is None else replica.since(vector)
        return [self._entry(whole, replica)]

    def _entry(self, update: bytes, replica: Replica) -> LogEntry:
        author, via = self._author()
        return LogEntry(update, author, via, replica.client, self._store.clock())

    def _author(self) -> tuple[str, str | None]:
        """Return who merges, and the agent that does it for them."""
        by = read_signature(self._task.header.actor)
        return (by.agent or "merge", None) if by.person is None else (by.person, by.agent)

    def _plan_text(self, replica: Replica, carried: list[LogEntry], text: str) -> None:
        """Plan a row that brings a replica, with what it has taken over, to a text."""
        target, document = self._states.ours, self._document
        fix = replica.splice(splices(replica.text, text))
        if replica.text != text:
            raise Conflict(
                f"The document {document!r} cannot be merged: its updates do not give the text "
                "that both sides wrote.",
                hint="Nothing was changed. Copy the text by hand, and report this.",
            )
        entries = [*carried, self._entry(fix, replica)] if fix else carried
        if not entries:
            return
        operation = self._task.header.operation.partition(" ")[0]
        head = self._ours.head
        row = row_of(target, document, entries, before=head, replica=replica, operation=operation)
        for change in row:
            self._plan.add(change, self._text_change(replica.text) if change.kind == TEXT else None)
        before = layout_of(target, document, self._ours.text)
        for change in catching_up(target, document, before):
            self._plan.add(change, None)
        made = splices(self._ours.text, replica.text)
        if made:
            after = relaid(before, replica.text, made)
            for change in changes(document, before.pieces, after.pieces):
                self._plan.add(change, None)

    def _text_change(self, text: str) -> ShownChange | None:
        """Return what becomes of the text; nothing where only suggestions come of the merge."""
        ours, theirs = self._ours, self._theirs
        if ours.head is not None and ours.text == text:
            return None
        action = "added" if ours.head is None else "modified"
        number = theirs.head.version if theirs.head else 0
        return ShownChange(SPACE, TEXT, self._document, action, ours.text, text, number)

    def _conflict(
        self, kind: str, path: str, values: tuple[Json, Json, Json], *, edits: bool = False
    ) -> Choice | None:
        """Note a conflict of base, source and target; return what was chosen for it."""
        entry, choice = self._plan.conflict((SPACE, kind, self._document), path, values)
        if choice == "both" or (isinstance(choice, EditedValue) and not edits):
            raise choice_refused(entry, entry.choice or "", "there is nothing to join or to edit")
        return choice

    def _plan_suggestions(self, replica: Replica, passages: Sequence["_Passage"]) -> None:
        """Plan suggestions of the source's words where the target's stay without a choice."""
        spans, (author, via) = _spans(passages), self._author()
        undecided = [
            (one.overlap, span)
            for one, span in zip(passages, spans, strict=True)
            if one.choice is None
        ]
        made = [
            suggest(
                replica,
                span,
                one.theirs,
                document=self._document,
                author=author,
                via=via,
                reason="merge",
                now=self._store.clock(),
                branch=self._task.name,
                rationale=f"Both sides changed this; here is what {self._task.name!r} has.",
            )
            for one, span in undecided
        ]
        for one in made:
            self._plan.add(change_of_suggestion(one), None)
        title = "" if self._ours.card is None else self._ours.card.title
        ids = iter(made)
        for one, seen in zip(passages, places(replica.text, spans), strict=True):
            edit = FiledEdit(
                space=SPACE,
                kind=TEXT,
                key=self._document,
                title=title,
                suggestion=next(ids).id if one.choice is None else None,
                line=seen.line,
                section=seen.section,
                around=seen.text,
                original=one.overlap.ours,
                replacement=one.overlap.theirs,
                base=one.overlap.base,
                id=one.id,
                choice=word_of(one.choice),
            )
            (self._plan.filed if one.choice is None else self._plan.settled).append(edit)

    # What is known beside the text.

    def _merged_card(self) -> Card | None:
        """Return the target's card with what the source has changed of it."""
        base, ours, theirs = self._base.card, self._ours.card, self._theirs.card
        if theirs is None or ours is None:
            return ours or theirs
        changed = {
            name: self._field(name, (base, theirs, ours))
            for name in _FIELDS
            if base is None or getattr(base, name) != getattr(theirs, name)
        }
        # The path of an import is no author's text: no conflict, whatever both sides recorded.
        known = {} if base is None else base.origin
        origin = theirs.origin if ours.origin == known else ours.origin
        return msgspec.structs.replace(ours, **changed, origin=origin)

    def _permitted_card(self) -> Card | None:
        """Return the source's card without the titles, and the trash, that may not be merged."""
        theirs, address = self._theirs.card, (SPACE, DOCUMENT, self._document)
        if theirs is None or theirs == self._base.card:
            return theirs
        before = _present(self._base.snapshot.get(*address))
        steps = [
            (card_of(record), user_of(record))
            for record in _steps(self._theirs.snapshot, address, before)
            if not record[2] & GONE
        ]
        users = {user for _card, user in steps if user is not None}
        barred = self._task.visibility.barred(self._document, users)
        permitted = [user for _card, user in steps if user is not None and user not in barred]
        self._titled_by = next(reversed(permitted), None)
        if not barred:
            return theirs
        last = self._base.card or steps[0][0]
        kept = {name: getattr(last, name) for name in _FIELDS}
        for card, user in steps:
            if user not in barred:
                kept |= {
                    name: getattr(card, name)
                    for name in _FIELDS
                    if getattr(card, name) != getattr(last, name)
                }
            last = card
        found = msgspec.structs.replace(theirs, **kept)
        if found != theirs:
            self._plan.left_out.append((SPACE, TEXT, self._document))
        return found

    def _field(self, name: str, cards: tuple[Card | None, Card, Card]) -> object:
        base, theirs, ours = (getattr(card, name, None) for card in cards)
        if ours in (base, theirs):
            return theirs
        is_title = name == "title"
        choice = self._conflict(DOCUMENT, f"$.{name}", (base, theirs, ours), edits=is_title)
        if isinstance(choice, EditedValue):
            return check_title(choice.value)
        sides = (self._side_record(self._theirs), self._side_record(self._ours))
        return theirs if self._plan.side(choice, *sides) == "source" else ours

    def _plan_card(self, card: Card, text: str) -> None:
        card, before = described(card, text), self._ours.card
        if card != before:
            action = "added" if before is None else "modified"
            title = None if before is None else before.title
            shown = ShownChange(SPACE, DOCUMENT, self._document, action, title, card.title, 0)
            self._plan.add(change_of_card(self._document, card, by=self._titled_by), shown)

    def _remove(self) -> None:
        """Take a document away that the source does not have any more, or never had."""
        ours, base = self._ours.head, self._base.head
        if ours is None or base is None:
            return
        if ours.hash != base.hash:
            choice = self._conflict(TEXT, "$", (self._base.text, None, self._ours.text))
            if choice != "theirs" and (choice or self._plan.strategy != "source_wins"):
                return
        shown = ShownChange(SPACE, TEXT, self._document, "removed", self._ours.text, None, 0)
        for address in self._addresses():
            change = StagedChange(*address, flags=DELETED)
            self._plan.add(change, shown if address[1] == TEXT else None)

    def _addresses(self) -> Iterator[tuple[str, str, str]]:
        target, document = self._plan.target, self._document
        for kind in (DOCUMENT, TEXT, SNAPSHOT, BEHIND):
            if _present(target.get(SPACE, kind, document)) is not None:
                yield SPACE, kind, document
        for key, _version in target.keys(SPACE, SECTION, f"{document}/"):
            yield SPACE, SECTION, key
