"""A writer to be killed: `python -m strata.proof.worker STORE LABEL DURABILITY SEED`.

It writes until it is ended, in every way that a store can be written, and says each time
what has become durable. When the pipe is closed, it stops.
"""

import os
import random
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import cast

from strata.base.values import Json
from strata.proof.acknowledged import CELL, DOCUMENT_END, Acknowledgement, encoded
from strata.sql import Durability
from strata.workspace import Workspace, open_workspace

# Few, so that several writers meet in each.
_DOCUMENTS = 3
_WORDS = ("결정", "기억", "branch", "память", "記憶", "ذاكرة", "mémoire", "🧭")


class TortureWorker:
    """One writer with a name of its own, so that no two write the same key."""

    def __init__(self, store: Path | str, label: str, *, durability: Durability, seed: int) -> None:
        self._db: Workspace = open_workspace(
            store, durability=durability, actor=label, auto_embed=False
        )
        self._label = label
        self._random = random.Random(seed)  # noqa: S311  (repeatable, not secret)
        self._turns = count(1)
        self._user = self._db.users.owner().id

    def work(self) -> None:
        """Do things for ever."""
        while True:
            self.act()

    def act(self) -> None:
        """Do one thing."""
        deeds: list[Callable[[], None]] = [
            self._put,
            self._put_many,
            self._append,
            self._compare_and_set,
            self._branch_off,
            self._tidy,
            self._edit,
            self._type,
            self._invite,
        ]
        self._random.choices(deeds, weights=(8, 3, 6, 3, 2, 1, 3, 3, 1))[0]()

    def _put(self) -> None:
        key, value = self._fresh()
        found = self._db.kv.put(key, value)
        _say(Acknowledgement("put", "default", key, value, found.version))

    def _put_many(self) -> None:
        items = dict(self._fresh() for _ in range(self._random.randint(2, 40)))
        found = self._db.kv.put_many(items)
        facts = zip(items.items(), found, strict=True)
        _say(*[Acknowledgement("put", "default", k, v, put.version) for (k, v), put in facts])

    def _append(self) -> None:
        _key, value = self._fresh()
        event = self._db.events.append("strike", value)
        _say(Acknowledgement("event", "default", value=value, number=event.sequence))

    def _compare_and_set(self) -> None:
        """Compare and set; to lose against another writer is no loss."""
        cell = self._db.state.get(CELL)
        _key, value = self._fresh()
        taken = self._db.state.cas(CELL, value, expected=cell.counter if cell else None)
        if taken is not None:
            _say(Acknowledgement("cell", "default", CELL, value, taken.counter))

    def _branch_off(self) -> None:
        """Fork, write there, merge, and let the branch go."""
        name, value = self._fresh()
        self._db.branches.fork(name)
        _say(Acknowledgement("fork", name))
        found = self._db.on(name).kv.put(name, value)
        _say(Acknowledgement("put", name, name, value, found.version))
        self._db.branches.merge(name, into="default")
        _say(Acknowledgement("put", "default", name, value), Acknowledgement("leave", name))
        self._db.branches.delete(name)

    def _tidy(self) -> None:
        """Fold the log into the file, and now and then write the whole file anew."""
        if self._random.random() < 0.2:
            self._db.compact()
        else:
            self._db.flush()

    def _edit(self) -> None:
        """Put a word into a document that other writers edit too."""
        document, word = self._document(), self._word()
        found = self._db.documents.edit(document, DOCUMENT_END, f"{word} {DOCUMENT_END}")
        _say(Acknowledgement("word", "default", document, word, found.version))

    def _type(self) -> None:
        """Type a word into a document live, as a page does."""
        # Loaded when it is needed: a writer must begin soon, or it is killed before its first word.
        from strata.documents import Arrival, Author, Replica, Splice  # noqa: PLC0415

        document, word = self._document(), self._word()
        log = self._db.documents.live()
        page = Replica([log.difference(document).update])
        update = page.splice([Splice(0, 0, f"{word} ")])
        (outcome,) = log.append([Arrival(document, update, Author(self._user))])
        if outcome.error is not None:
            raise outcome.error
        _say(Acknowledgement("word", "default", document, word, outcome.version))

    def _invite(self) -> None:
        """Add a person, and make a token."""
        name = self._word()
        user = self._db.users.add(f"{name}@example.com", name=name)
        _say(Acknowledgement("person", "default", user.id, name))
        made = self._db.tokens.create(name, read_only=self._random.random() < 0.5)
        _say(Acknowledgement("token", "default", made.token.id, [name, made.token.read_only]))

    def _document(self) -> str:
        """Return one of the few documents of the store, making the first ones."""
        known = sorted(self._db.rights.visible())
        if len(known) < _DOCUMENTS:
            word = self._word()
            made = self._db.documents.create(word, f"# {word}\n\n{DOCUMENT_END}\n")
            _say(Acknowledgement("word", "default", made.document, word, made.version))
            return made.document
        return self._random.choice(known)

    def _word(self) -> str:
        """Return a word that was not written before."""
        return f"{self._label}x{next(self._turns)}y"

    def _fresh(self) -> tuple[str, Json]:
        """Return an unused key and a value, small or over a page long."""
        turn = next(self._turns)
        word = self._random.choice(_WORDS)
        size = self._random.choice((1, 1, 10, 400))
        return f"{self._label}/{turn}", {"by": self._label, "turn": turn, "text": word * size}


def _say(*facts: Acknowledgement) -> None:
    line = encoded(list(facts))
    while line:
        line = line[os.write(1, line) :]


def main(arguments: list[str]) -> int:
    """Write until killed, or until the pipe is closed."""
    path, label, durability, seed = arguments
    mode = cast("Durability", durability)  # open_workspace refuses any other word
    try:
        TortureWorker(Path(path), label, durability=mode, seed=int(seed)).work()
    except BrokenPipeError:
        return 0
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
