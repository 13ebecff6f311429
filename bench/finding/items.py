"""What is searched: conversations in sequences and single notes, of 15 to 35 words each."""

import random
from collections.abc import Iterator

import msgspec

from finding import korean
from strata import Workspace

TURNS = 20
_TALKS_SHARE = 0.6
_KOREAN_SHARE = 0.04
# Every third conversation says by a tag which session it is.
_TAGGED_EVERY = 3
_BATCH = 1000


class Item(msgspec.Struct, frozen=True):
    """One text under its key; `session` names the tag that it carries, if any."""

    key: str
    text: str
    session: str = ""


def items(sentences: list[list[str]], count: int, *, seed: int = 7) -> list[Item]:
    """Return different texts, the same ones at every run; talks first, then notes."""
    rng = random.Random(seed)
    cutter = _Cutter(sentences, rng)
    talks = int(count * _TALKS_SHARE) // TURNS
    found = [item for number in range(talks) for item in _talk(cutter, number)]
    notes = range(count - len(found))
    found += [Item(f"note-{number:06d}", cutter.text()) for number in notes]
    return found


def _talk(cutter: "_Cutter", number: int) -> Iterator[Item]:
    session = f"session:{number:05d}" if number % _TAGGED_EVERY == 0 else ""
    cutter.turn_elsewhere()
    for turn in range(TURNS):
        yield Item(f"talk/{number:05d}/{turn:02d}", cutter.text(follows=True), session)


class _Cutter:
    """Cuts texts out of running text; no two are the same."""

    def __init__(self, sentences: list[list[str]], rng: random.Random) -> None:
        self._sentences = sentences
        self._rng = rng
        self._place = 0
        self._seen: set[str] = set()

    def turn_elsewhere(self) -> None:
        """Begin a conversation about something else."""
        self._place = self._rng.randrange(len(self._sentences))

    def text(self, *, follows: bool = False) -> str:
        """Return the next text of a conversation, or one from anywhere."""
        while True:
            if not follows:
                self.turn_elsewhere()
            found = self._cut()
            if found not in self._seen:
                self._seen.add(found)
                return found

    def _cut(self) -> str:
        if self._rng.random() < _KOREAN_SHARE:
            return korean.note(self._rng)
        wanted = self._rng.randint(15, 35)
        words: list[str] = []
        while len(words) < wanted:
            words += self._sentences[self._place % len(self._sentences)]
            self._place += 1
        return " ".join(words[:wanted])


def load(db: Workspace, found: list[Item]) -> None:
    """Store all items, a thousand in a commit."""
    for start in range(0, len(found), _BATCH):
        with db.transaction() as transaction:
            for session, pairs in _by_session(found[start : start + _BATCH]).items():
                transaction.kv.put_many(pairs, tags=[session] if session else [])


def _by_session(found: list[Item]) -> dict[str, list[tuple[str, str]]]:
    pairs: dict[str, list[tuple[str, str]]] = {}
    for item in found:
        pairs.setdefault(item.session, []).append((item.key, item.text))
    return pairs
