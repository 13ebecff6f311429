"""Many authors, branches and opened stores: texts converge, and no edit is lost or doubled.

Every edit puts a word into the text that was never there before. However branches are merged,
each of them shows a word at most once; and once everything is merged, every word that nobody
deleted stands in the text or waits in a suggestion.
"""

import re
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
)

import strata
from strata import Workspace
from strata.documents import Arrival, Author
from strata.documents.text import Replica, Splice
from tests.property.examples import examples

START = (
    "# 제목 😀\n\nالعنوان first paragraph é.\n\n## 둘째\n\n- 하나\n- 둘\n\n끝 👩\u200d👩\u200d👧.\n"
)
AUTHORS = ("ann", "claude", "민지")
WORD = re.compile(r"⟨\d+⟩")


class Editors(RuleBasedStateMachine):
    """Random edits, forks and merges of one document."""

    branches = Bundle("branches")

    def __init__(self) -> None:
        super().__init__()
        import tempfile

        self._folder = tempfile.TemporaryDirectory()
        path = Path(self._folder.name) / "s.db"
        # Two handles share nothing but the file, as two processes do.
        self._stores = [
            strata.open(path, durability="standard", auto_embed=False) for _ in range(2)
        ]
        self._document = self._stores[0].documents.create("문서", START).document
        self._count = 0
        self._added: set[str] = set()
        self._deleted: set[str] = set()
        # An open page of each branch, and what it has not sent yet.
        self._pages: dict[str, tuple[Replica, list[bytes]]] = {}

    def teardown(self) -> None:
        """Merge everything, and look whether all is there."""
        db = self._stores[0]
        for branch in list(self._pages):
            self.send(branch, 0)
        for branch in db.branches.list():
            if branch.name != "default":
                db.branches.merge(branch.name, into="default")
        text = db.documents.text(self._document)
        found = WORD.findall(text)
        waiting = {
            word
            for one in db.documents.suggestions(self._document)
            for word in WORD.findall(one.replacement)
        }
        assert len(found) == len(set(found)), "a word stands twice"
        assert self._added - self._deleted <= set(found) | waiting, "a word is lost"
        assert self._stores[1].documents.text(self._document) == text
        for store in self._stores:
            store.close()
        self._folder.cleanup()

    def _view(self, branch: str, store: int, author: str) -> Workspace:
        return self._stores[store].on(branch).as_actor(author)

    @initialize(target=branches)
    def first(self) -> str:
        return "default"

    @rule(
        branch=branches,
        store=st.integers(0, 1),
        author=st.sampled_from(AUTHORS),
        place=st.floats(0, 1),
        script=st.sampled_from(["", " 한글", " 😀", " é\u0301", "\n\n## 새 절\n"]),
    )
    def add(self, branch: str, store: int, author: str, place: float, script: str) -> None:
        """Put a new word somewhere, by a write of the whole text."""
        documents = self._view(branch, store, author).documents
        text = documents.text(self._document)
        at = _boundary(text, place)
        word = f"⟨{self._count}⟩"
        self._count += 1
        written = documents.write(self._document, f"{text[:at]} {word}{script} {text[at:]}")
        assert written.status == "applied"
        self._added.add(word)

    @rule(branch=branches, store=st.integers(0, 1), author=st.sampled_from(AUTHORS))
    def replace(self, branch: str, store: int, author: str) -> None:
        """Delete the oldest word that is there, and put another one in its place."""
        documents = self._view(branch, store, author).documents
        found = WORD.findall(documents.text(self._document))
        if found:
            word = f"⟨{self._count}⟩"
            self._count += 1
            documents.edit(self._document, found[0], word)
            self._deleted.add(found[0])
            self._added.add(word)

    @rule(branch=branches, place=st.floats(0, 1), store=st.integers(0, 1))
    def type(self, branch: str, place: float, store: int) -> None:
        """Put a new word into a page that was opened some time ago, and send it later."""
        log = self._stores[store].on(branch).documents.live()
        page, unsent = self._pages.get(branch) or (
            Replica([log.difference(self._document).update]),
            [],
        )
        at, word = _boundary(page.text, place), f"⟨{self._count}⟩"
        self._count += 1
        unsent.append(page.splice([Splice(at, at, f" {word} ")]))
        self._pages[branch] = (page, unsent)
        self._added.add(word)

    @rule(branch=branches, store=st.integers(0, 1))
    def send(self, branch: str, store: int) -> None:
        """Let a page send what was typed, and hear what others have written."""
        if branch not in self._pages:
            return
        log = self._stores[store].on(branch).documents.live()
        page, unsent = self._pages[branch]
        arrivals = [Arrival(self._document, one, Author("user_page")) for one in unsent]
        assert all(outcome.error is None for outcome in log.append(arrivals))
        unsent.clear()
        page.apply(log.difference(self._document, page.vector()).update)
        assert page.text == self._stores[store].on(branch).documents.text(self._document)

    @rule(target=branches, source=branches, store=st.integers(0, 1))
    def fork(self, source: str, store: int) -> str:
        name = f"b{self._count}"
        self._count += 1
        self._stores[store].branches.fork(name, source=source)
        return name

    @rule(source=branches, into=branches, store=st.integers(0, 1))
    def merge(self, source: str, into: str, store: int) -> None:
        if source != into:
            self._stores[store].branches.merge(source, into=into)

    @invariant()
    def no_word_stands_twice(self) -> None:
        for branch in self._stores[0].branches.list():
            found = WORD.findall(self._stores[0].on(branch.name).documents.text(self._document))
            assert len(found) == len(set(found)), branch.name

    @invariant()
    def search_knows_the_text(self) -> None:
        documents = self._stores[1].documents
        pieces = "".join(piece.text for piece in documents.pieces(self._document))
        assert pieces == documents.text(self._document)


def _boundary(text: str, place: float) -> int:
    """Return a place between two words, so that no word is cut."""
    blanks = [match.start() for match in re.finditer(r"\s", text)] or [0]
    return blanks[int(place * (len(blanks) - 1))]


TestEditors = Editors.TestCase
TestEditors.settings = settings(max_examples=examples(25), stateful_step_count=30)
