"""Text as the numbers of its tokens and back, by each model's own tokenizer."""

from collections.abc import Callable, Sequence
from typing import Protocol

from strata.base import limits
from strata.base.errors import InvalidArgument
from strata.models import minilm, multilingual, unigram
from strata.models.catalogue import loader
from strata.models.extras import FastEmbed, SentenceTransformers
from strata.models.files import Files
from strata.models.wordpiece import WordPiece


class Tokenizer(Protocol):
    """Cuts text into the tokens of one model."""

    def ids(self, text: str, *, marks: bool) -> list[int]:
        """Return the numbers of a text's tokens, between the marks of its ends or without."""
        ...

    def text(self, ids: Sequence[int]) -> str:
        """Return the text of some tokens, leaving the marks out."""
        ...


def tokenizer(model: str) -> Tokenizer:
    """Return the tokenizer of a model that is shipped, or that a library has: `LIBRARY:MODEL`.

    A shipped one is the same for the whole process, until it is unloaded. Raises InvalidArgument
    for a model behind an endpoint, which shows none, and Unavailable for one that cannot be had.
    """
    if model in _MAKERS:
        # Two threads may both make one; either serves.
        return _loaded.get(model) or _loaded.setdefault(model, _MAKERS[model]())
    if model.partition(":")[0] in (FastEmbed.library, SentenceTransformers.library):
        found = loader(model).wait(limits.MODEL_WAIT_S)
        if isinstance(found, (FastEmbed, SentenceTransformers)):
            return found
    raise InvalidArgument(
        f"The tokenizer of {model!r} is not known here.",
        hint=f"Known are those of {', '.join(_MAKERS)}, and of models of a library, LIBRARY:MODEL.",
        parameter="model",
    )


def unload_tokenizer(model: str) -> bool:
    """Give a tokenizer's memory back; tell whether it was loaded."""
    return _loaded.pop(model, None) is not None


class _English:
    """The tokenizer of MiniLM. It drops capitals and accents, so the way back has none."""

    def __init__(self) -> None:
        self._pieces = WordPiece.shared(Files(minilm.NAME).folder / "vocabulary.txt")

    def ids(self, text: str, *, marks: bool) -> list[int]:
        found = self._pieces.ids(text)
        return [self._pieces.first, *found, self._pieces.last] if marks else found

    def text(self, ids: Sequence[int]) -> str:
        check_ids(ids, len(self._pieces))
        return self._pieces.text(ids)


class _Multilingual:
    """The tokenizer of the multilingual model. It keeps letters, and writes every blank as one."""

    def __init__(self) -> None:
        folder = Files(multilingual.NAME).folder
        self._unigram = unigram.Unigram(folder / "pieces.npz")
        self._spelling = unigram.spelling(folder / "pieces.zst")

    def ids(self, text: str, *, marks: bool) -> list[int]:
        found = self._unigram.ids(text) if text else []
        return [unigram.FIRST, *found, unigram.LAST] if marks else found

    def text(self, ids: Sequence[int]) -> str:
        check_ids(ids, len(self._spelling))
        marks = (unigram.FIRST, unigram.LAST)
        return unigram.joined(self._spelling[number] for number in ids if number not in marks)


_MAKERS: dict[str, Callable[[], Tokenizer]] = {
    minilm.NAME: _English,
    multilingual.NAME: _Multilingual,
}
_loaded: dict[str, Tokenizer] = {}


def check_ids(ids: Sequence[int], count: int) -> None:
    """Refuse numbers that no token has."""
    wrong = [number for number in ids if not 0 <= number < count]
    if wrong:
        raise InvalidArgument(
            f"There is no token {wrong[0]}.",
            hint=f"They go from 0 to {count - 1:,}.",
            parameter="ids",
        )
