"""What else could answer by words: SQLite's FTS5, and reading every text."""

import heapq
import math
from collections import Counter
from pathlib import Path

import apsw

from strata.search import tokens

_K1, _B = 1.2, 0.75


class Fts5:
    """FTS5 as its manual shows it: unicode61, any of the words, best by its own rank."""

    def __init__(self, path: Path, texts: list[str]) -> None:
        self._connection = apsw.Connection(str(path))
        self._connection.pragma("journal_mode", "WAL")
        self._connection.execute("CREATE VIRTUAL TABLE t USING fts5 (text, tokenize = unicode61)")
        self._connection.execute("BEGIN")
        self._connection.executemany("INSERT INTO t VALUES (?)", [(text,) for text in texts])
        self._connection.execute("COMMIT")

    def ask(self, question: str, limit: int = 10) -> list[str]:
        """Return the best texts; stop words are left out, as they are by us."""
        words = ["".join(filter(str.isalnum, word)) for word in question.lower().split()]
        wanted = [word for word in words if word and not tokens.is_stop(word)] or words
        any_of = " OR ".join(f'"{word}"' for word in wanted)
        query = "SELECT text FROM t WHERE t MATCH ? ORDER BY rank LIMIT ?"
        return [row[0] for row in self._connection.execute(query, (any_of, limit))]

    def close(self) -> None:
        """Close the table's file."""
        self._connection.close()


class Scan:
    """No index at all: every text is cut into terms for every question, then BM25."""

    def __init__(self, texts: list[str]) -> None:
        self._texts = texts

    def ask(self, question: str) -> list[str]:
        """Return the ten best texts."""
        wanted = set(tokens.question(question).terms)
        holders: Counter[str] = Counter()
        matching: list[tuple[str, int, dict[str, int]]] = []
        total = 0
        for text in self._texts:
            found = tokens.analyse(text)
            total += found.length
            if not wanted.isdisjoint(found.terms):
                counts = {term: found.terms.count(term) for term in wanted}
                matching.append((text, found.length, counts))
                holders.update(term for term, count in counts.items() if count)
        mean = total / len(self._texts)
        rarity = {term: self._rarity(holders[term]) for term in wanted}

        def score(match: tuple[str, int, dict[str, int]]) -> float:
            norm = _K1 * (1 - _B + _B * match[1] / mean)
            return sum(
                rarity[term] * count * (_K1 + 1) / (count + norm)
                for term, count in match[2].items()
            )

        return [match[0] for match in heapq.nlargest(10, matching, key=score)]

    def _rarity(self, holders: int) -> float:
        return math.log(1 + (len(self._texts) - holders + 0.5) / (holders + 0.5))
