"""Documents and facts in transactions of two handles agree with dictionaries, commit by commit.

A transaction that is rolled back, or conflicts, leaves neither a text nor a place nor a fact. Two
that both commit have changed different documents.
"""

import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

import strata
from strata import OpenTransaction, TransactionConflict
from tests.property.examples import examples

START = "# 제목 😀\n\n첫 문단 é.\n"
WORDS = st.sampled_from(["하나 ", "zwei\n", "👩\u200d👧", "## 일정\n", "e\u0301"])
HANDLES = st.sampled_from([0, 1])


class Transactions(RuleBasedStateMachine):
    """Random edits in open transactions, beside edits that commit at once."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        path = Path(self._folder.name) / "s.db"
        # Two handles share nothing but the file, as two processes do.
        self._stores = [
            strata.open(path, durability="standard", auto_embed=False) for _ in range(2)
        ]
        first = self._stores[0].documents.create("문서", START).document
        self._texts = {first: START}
        self._facts: dict[str, str] = {}
        self._open: list[OpenTransaction | None] = [None, None]
        self._staged: list[dict[str, str]] = [{}, {}]
        # What others have committed of the documents that a transaction has changed or read.
        self._moved: list[set[str]] = [set(), set()]

    def teardown(self) -> None:
        for store in self._stores:
            store.close()
        self._folder.cleanup()

    @rule(handle=HANDLES)
    def begin(self, handle: int) -> None:
        if self._open[handle] is None:
            self._open[handle] = self._stores[handle].begin()
            self._staged[handle], self._moved[handle] = {}, set()

    @rule(handle=HANDLES, word=WORDS)
    def create(self, handle: int, word: str) -> None:
        tx = self._open[handle]
        if tx is not None:
            made = tx.documents.create(word.strip(" \n#") or "x", word).document
            self._staged[handle][made] = word
            tx.kv.put(made, word)

    @rule(handle=HANDLES, which=st.integers(0, 9), word=WORDS, at_end=st.booleans())
    def edit(self, handle: int, which: int, word: str, *, at_end: bool) -> None:
        """Edit a document inside a transaction, or at once where none is open."""
        tx = self._open[handle]
        if tx is None:
            document = list(self._texts)[which % len(self._texts)]
            self._texts[document] = self._written(self._texts[document], word, at_end=at_end)
            self._stores[handle].documents.write(document, self._texts[document])
            self._moved[1 - handle].add(document)
            return
        shown = self._texts | self._staged[handle]
        known = [one for one in shown if one not in self._moved[handle]]
        if not known:
            return
        document = known[which % len(known)]
        try:
            before = tx.documents.text(document)
        except strata.NotFound:  # made by another handle since this one began
            return
        assert before == shown[document]
        text = self._written(before, word, at_end=at_end)
        tx.documents.write(document, text)
        assert tx.documents.text(document) == text
        self._staged[handle][document] = text

    @staticmethod
    def _written(text: str, word: str, *, at_end: bool) -> str:
        return text + word if at_end else word + text[len(text) // 2 :]

    @rule(handle=HANDLES)
    @precondition(lambda self: any(self._open))
    def commit(self, handle: int) -> None:
        tx, self._open[handle] = self._open[handle], None
        if tx is None:
            return
        staged = self._staged[handle]
        try:
            tx.commit()
        except TransactionConflict:
            assert self._moved[handle] & staged.keys()
            return
        assert not self._moved[handle] & staged.keys()
        self._facts |= {key: text for key, text in staged.items() if key not in self._texts}
        self._texts |= staged
        self._moved[1 - handle] |= staged.keys()

    @rule(handle=HANDLES)
    def roll_back(self, handle: int) -> None:
        tx, self._open[handle] = self._open[handle], None
        if tx is not None:
            tx.rollback()

    @invariant()
    def both_handles_show_what_was_committed(self) -> None:
        for store in self._stores:
            assert {id_: store.documents.text(id_) for id_ in self._texts} == self._texts
            assert set(store.rights.visible()) == self._texts.keys()
            assert set(store.kv.list()) == self._facts.keys()

    @rule()
    def verify(self) -> None:
        assert self._stores[0].verify().problems == ()


TestTransactions = Transactions.TestCase
TestTransactions.settings = settings(max_examples=examples(60), stateful_step_count=25)
