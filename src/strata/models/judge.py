"""A model that reads a question and a text together: how well does the text answer it?

It is the encoder that makes the vectors, trained further for this (a cross-encoder). It is much
slower than comparing vectors, so only the first hits of a search are read by it
(docs/decisions/0190-judge.md).
"""

from collections.abc import Sequence
from typing import NamedTuple

from strata.base import limits
from strata.base.embedder import TextInContext
from strata.base.errors import Unavailable
from strata.base.workers import cores, in_threads
from strata.models.files import Files
from strata.models.minilm import NAME as MAIN
from strata.models.minilm import PieceTable, metadata, open_graph
from strata.models.wordpiece import WordPiece, ends

NAME = "judge"
# What it was trained to read: so many pieces of the question, of the text before, and of the text.
QUESTION, BEFORE, TEXT = 48, 32, 112
# A longer text is read where most pieces of the question are, at one of these distances.
STEP = 28
# Of a long text the beginning is looked at: four windows of it.
_LOOKED_AT = 4 * TEXT
_CHARACTERS_MAX = 16 * _LOOKED_AT


class _Pieces(NamedTuple):
    """Pieces as the graph takes them: on which side each is, and whether it is on both."""

    ids: list[int]
    side: list[int]
    both: list[bool]


class Judge:
    """Scores texts by how well they answer a question. Safe to use from several threads."""

    name = NAME
    languages = ("en", "ko")

    def __init__(self, files: Files | None = None) -> None:
        files, main = files or Files(NAME), Files(MAIN)
        files.verify()
        weights = main.verify()["model.weights"]
        self._cutter = WordPiece.shared(main.folder / "vocabulary.txt")
        self._graph = open_graph(files.folder / "model.onnx")
        told = metadata(self._graph)
        if told["table"] != weights.sha256:
            message = "The judge was trained for another edition of the main model."
            raise Unavailable(message, hint="Reinstall the package strata-embed.", model=NAME)
        self._table = PieceTable(main.folder / "model.weights", told, len(self._cutter))

    def score(self, question: str, texts: Sequence[TextInContext]) -> list[float]:
        """Return a number for each of the first texts: the higher, the better it answers.

        As many are read as have a certain number of pieces together: an answer must not depend on
        how busy the machine is. The first one is always read.
        """
        asked = ends(self._cut(question), QUESTION)
        chosen: list[_Pieces] = []
        left = limits.JUDGED_PIECES_MAX
        for one in texts:
            pieces = self._pieces(asked, one)
            left -= len(pieces.ids)
            if left < 0 and chosen:
                break
            chosen.append(pieces)
        return in_threads(self._run, chosen, cores())

    def _cut(self, text: str) -> list[int]:
        return self._cutter.ids(text[:_CHARACTERS_MAX], limit=_LOOKED_AT)

    def _pieces(self, asked: list[int], one: TextInContext) -> _Pieces:
        """Join the marks, the question, the text before and the text."""
        first, last = self._cutter.first, self._cutter.last
        before = self._cut(one.before[-16 * BEFORE :])[-BEFORE:]
        text = window(self._cut(one.text), set(asked))
        rest = [*before, *text]
        in_question, in_rest = set(asked), set(rest)
        of_question = [piece in in_rest for piece in asked]
        of_rest = [piece in in_question for piece in rest]
        return _Pieces(
            ids=[first, *asked, last, *rest, last],
            side=[0] * (len(asked) + 2) + [1] * len(before) + [2] * len(text) + [0],
            both=[False, *of_question, False, *of_rest, False],
        )

    def _run(self, pieces: _Pieces) -> float:
        import numpy

        sides = {name: numpy.array(getattr(pieces, name), "<i8") for name in ("side", "both")}
        return float(self._graph.run(None, self._table.rows(pieces.ids) | sides)[0][0, 0])


def window(text: list[int], asked: set[int]) -> list[int]:
    """Return the part of a text that holds most pieces of the question; the first of equal ones."""
    if len(text) <= TEXT:
        return text
    starts = range(0, len(text) - TEXT // 2, STEP)
    best = max(starts, key=lambda at: sum(one in asked for one in text[at : at + TEXT]))
    return text[best : best + TEXT]
