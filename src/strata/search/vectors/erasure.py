"""Erasing words: what the list for completions knows only from a text that goes."""

from collections.abc import Callable, Iterator, Sequence

from strata.search import tokens
from strata.search.entry import hash_term, words_of
from strata.search.index.text_index import TextIndex
from strata.sql import Row
from strata.store import StagedChange, Store, version_row


def forget_words(
    store: Store,
    index: TextIndex,
    versions: Sequence[int],
    *,
    change: Callable[[Row], StagedChange],
) -> int:
    """Delete the words that only these versions hold; return how many those were.

    Called inside the transaction that erases the versions, before they are. `change` gives
    the change that wrote a version.
    """
    lost = _Holders(store, index, change).lost(versions)
    rows = [(word,) for word in lost]
    store.connection().run_many(store.queries.delete_word, rows)
    return len(rows)


class _Holders:
    """Finds the words that occur in no other text."""

    def __init__(
        self, store: Store, index: TextIndex, change: Callable[[Row], StagedChange]
    ) -> None:
        self._store = store
        self._index = index
        self._change = change

    def lost(self, versions: Sequence[int]) -> list[str]:
        """Return the words that occur in these versions only."""
        waiting = {word for version in versions for word in self._words(version)}
        looked_at = set(versions)
        lost: list[str] = []
        while waiting:
            word = waiting.pop()
            for version in self._holders(word):
                if version in looked_at:
                    continue
                looked_at.add(version)
                found = self._words(version)
                waiting -= found
                if word in found:
                    break
            else:
                lost.append(word)
        return lost

    def _holders(self, word: str) -> Iterator[int]:
        """Yield the versions that may hold a word, newest first: words share their stem."""
        for term in tokens.analyse(word).terms:
            yield from self._index.holders(hash_term(term))

    def _words(self, version: int) -> set[str]:
        row = version_row(self._store, version)
        return set() if row is None else set(words_of(self._change(row)))
