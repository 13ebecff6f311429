"""A replica of a document's text: one Y.Doc with one Y.Text, and the only user of pycrdt.

pycrdt counts UTF-8 bytes, clamps what lies outside the text without a word, and lets a panic of
its Rust side through as a BaseException. Behind this class offsets are code points, what lies
outside is refused, and whatever goes wrong with an update is a StrataError.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from strata.base.errors import InvalidArgument
from strata.documents.text.encoded import EncodedText
from strata.documents.text.gaps import reached
from strata.documents.text.splice import Splice, spliced
from strata.documents.text.surrogates import Pairs, TextStep, cuts, halved, halvings
from strata.documents.text.updates import (
    ROOT,
    Id,
    Update,
    damaged,
    read_update,
    read_vector,
    units,
    write_update,
)

if TYPE_CHECKING:
    from pycrdt import Doc, Text

T = TypeVar("T")
# Start and end in UTF-8 bytes, the text there afterwards, and where it is put in.
Place = tuple[int, int, str, int]


class AppliedUpdates(NamedTuple):
    """What updates said, and what became of the text: first of halved characters, then of all."""

    said: list[Update]
    halves: list[TextStep]
    steps: list[TextStep]


class Replica:
    """The text of one document as one client sees it. Not for two threads at the same time.

    An update is checked before it is applied: one that is damaged, or that builds on something not
    here, changes nothing. `state` is what `state()` of a replica returned and no other code could
    change since: it is taken without a look, which saves most of the time of opening.
    """

    def __init__(
        self,
        updates: Iterable[bytes] = (),
        *,
        client: int | None = None,
        state: bytes | None = None,
    ) -> None:
        # A client id that two replicas share makes the edits of one vanish at the next merge.
        self.client = client or fresh_client()
        self.known: dict[int, int] = {}
        # How many units were taken in since it was opened; what was here already adds none.
        self.gained = 0
        # False once an update broke off in the middle: what it left behind is unknown.
        self.is_sound = True
        self._doc, self._content = _open(self.client)
        self._admitted: list[bytes] = []
        self._text: str | None = None
        self._encoded: EncodedText | None = None
        self._pairs: Pairs | None = None
        if state:
            self.apply_sound([state])
            self.known = read_vector(self.vector())
        self._apply_checked(updates)
        while client is None and self.client in self.known:
            self._restart(self.state(), fresh_client())

    @property
    def text(self) -> str:
        """The present text."""
        if self._text is None:
            self._text = str(self._content)
        return self._text

    @property
    def data(self) -> bytes:
        """The present text as UTF-8."""
        encoded = self._encoded
        return self._as_encoded().data if encoded is None else encoded.data

    def _as_encoded(self) -> EncodedText:
        if self._encoded is None:
            self._encoded = EncodedText(self.text)
        return self._encoded

    def apply(self, update: bytes) -> None:
        """Apply an update of this or another replica; once or many times is the same."""
        self._apply_checked([update])

    def admit(self, update: bytes) -> None:
        """Check an update; `apply_admitted` applies it, together with others that were admitted.

        Before that the text, the state and the vector are those without it.
        """
        _, sound, _ = self._admit([update])
        self._admitted += sound

    def apply_admitted(self) -> None:
        """Apply what was admitted, all in one transaction."""
        updates, self._admitted = self._admitted, []
        self.apply_sound(updates)

    def follow(self, updates: Iterable[bytes]) -> AppliedUpdates:
        """Apply updates, and return what they said and how the text changed."""
        said, sound, halves = self._admit(list(updates))
        return AppliedUpdates(said, halves, self.watch(sound))

    def watch(self, updates: Sequence[bytes]) -> list[TextStep]:
        """Apply updates that are known to be sound, and return how the text changed."""
        deltas: list[list[dict[str, Any]]] = []
        subscription = self._content.observe(lambda event: deltas.append(event.delta))
        try:
            self.apply_sound(updates)
        finally:
            self._content.unobserve(subscription)
        return [_step(each) for delta in deltas for each in delta]

    def apply_sound(self, updates: Sequence[bytes]) -> None:
        """Apply updates that are known to be sound, all in one transaction."""

        def apply_all() -> None:
            with self._doc.transaction():
                for update in updates:
                    self._doc.apply_update(update)

        if updates:
            self._text = self._encoded = None
            self.is_sound = False
            _guarded(apply_all)
            self.is_sound = True

    def state(self) -> bytes:
        """Return one update that holds everything."""
        return self._doc.get_update()

    def vector(self) -> bytes:
        """Return what is known here, for `since` of another replica."""
        return self._doc.get_state()

    def since(self, vector: bytes) -> bytes:
        """Return what is here and not yet where the vector comes from."""
        read_vector(vector)
        return _guarded(lambda: self._doc.get_update(vector))

    def splice(self, splices: Sequence[Splice]) -> bytes:
        """Make replacements, which are sorted and do not overlap, and return the update."""
        before = self.text
        places = self.byte_places(splices)
        update = _guarded(lambda: self.write(places))
        if update:
            said = read_update(update)
            self._learn(said, reached(said, self.known))
            self._text = spliced(before, splices)
            self._as_encoded().follow(before, self._text, splices)
        return update

    def byte_places(self, splices: Sequence[Splice]) -> list[Place]:
        """Turn offsets in code points into offsets in UTF-8 bytes, in one pass."""
        text, done = self.text, 0
        for splice in splices:
            if not done <= splice.start <= splice.end <= len(text):
                raise InvalidArgument(
                    f"The replacement of {splice.start}:{splice.end} does not lie within the text "
                    f"of {len(text)} characters, behind the replacement ahead of it.",
                    parameter="splices",
                )
            done = splice.end
            _require_whole(splice.text)
        # New text comes between the old characters: so what is anchored to the first and the last
        # of them, or to words that they begin or end, finds the new ones.
        offsets = [
            offset
            for one in splices
            for offset in (
                one.start,
                one.start + 1 if one.end - one.start > 1 else one.end,
                one.end,
            )
        ]
        found = self._as_encoded().places(text, offsets)
        return [
            (found[at], found[at + 2], splice.text, found[at + 1])
            for at, splice in zip(range(0, len(found), 3), splices, strict=True)
        ]

    def write(self, places: list[Place]) -> bytes:
        """Make replacements at offsets in bytes: a splice below the belt, for scratch replicas."""
        heard: list[bytes] = []
        subscription = self._doc.observe(lambda event: heard.append(event.update))
        try:
            with self._doc.transaction():
                # From the first to the last: what is behind a place is found by counting from
                # the beginning of its block, and the blocks before it are short then.
                moved = 0
                for start, end, text, inner in places:
                    width = _width(text)
                    self._content.insert(inner + moved, text)
                    put = inner + moved + width
                    del self._content[put : put + end - inner]
                    del self._content[start + moved : inner + moved]
                    moved += width - (end - start)
        finally:
            # A subscription that stays keeps the document in memory for ever.
            self._doc.unobserve(subscription)
        return heard[0] if heard else b""

    def _apply_checked(self, updates: Iterable[bytes]) -> None:
        _, sound, _ = self._admit(list(updates))
        self.apply_sound(sound)

    def _admit(self, updates: list[bytes]) -> tuple[list[Update], list[bytes], list[TextStep]]:
        """Check updates; return what they say, as it can be applied, and what was halved."""
        said: list[Update] = []
        cut: set[Id] = set()
        for update in updates:
            each = read_update(update)
            clocks = reached(each, self.known)
            cut |= self._cut(each)
            self._learn(each, clocks)
            said.append(each)
        if not cut:
            return said, updates, []
        halves = self._halve(cut)
        said = [halved(each, cut) for each in said]
        return said, [write_update(each) for each in said], halves

    def _learn(self, said: Update, clocks: dict[int, int]) -> None:
        if self._pairs is not None:
            self._pairs.learn(said, self.known)
        self.gained += sum(clock - self.known.get(client, 0) for client, clock in clocks.items())
        self.known.update(clocks)

    def _cut(self, said: Update) -> set[Id]:
        """Return the characters of two units that an update cuts in two."""
        if self._pairs is None:
            self.apply_admitted()
            wide = units(self.text) > len(self.text)
            self._pairs = Pairs.of_state(self.state()) if wide else Pairs()
        here = self._pairs
        if not here and not said.has_pairs:
            return set()
        new = Pairs.of_update(said)
        return {at for at in cuts(said, self.known) if at in here or at in new}

    def _halve(self, cut: set[Id]) -> list[TextStep]:
        """Begin again from a state in which those characters are two each."""
        self.apply_admitted()
        before = self.text
        state = write_update(halved(read_update(self.state()), cut))
        self._restart(state, self.client)
        return halvings(before, self.text)

    def _restart(self, state: bytes, client: int) -> None:
        self.client = client
        self._doc, self._content = _open(client)
        self._pairs = None
        self.apply_sound([state])


def fresh_client() -> int:
    """Return a random id of 32 bits; 0 is kept for marks that come before everything."""
    return int.from_bytes(os.urandom(4)) or 1


def _open(client: int) -> "tuple[Doc[Text], Text]":
    from pycrdt import Doc, Text

    doc: Doc[Text] = Doc(client_id=client)
    return doc, doc.get(ROOT, type=Text)


def _guarded(call: Callable[[], T]) -> T:
    """Call into pycrdt; a panic there is not an Exception, so everything has to be caught."""
    try:
        return call()
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        raise damaged(str(error)) from error


def _step(each: dict[str, Any]) -> TextStep:
    """Turn a piece of a delta into a step; its numbers are UTF-8 bytes."""
    return TextStep(each.get("retain", 0), each.get("delete", 0), each.get("insert", ""))


def code_points(text: str, places: Iterable[int]) -> list[int]:
    """Turn ascending offsets in UTF-8 bytes into offsets in code points, in one pass."""
    if text.isascii():
        return list(places)
    data = text.encode()
    found: list[int] = []
    done = count = 0
    for place in places:
        count += len(data[done:place].decode())
        done = place
        found.append(count)
    return found


def _require_whole(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InvalidArgument(
            "The new text holds half of a character (a lone surrogate).", parameter="splices"
        ) from error


def _width(text: str) -> int:
    return len(text.encode())
