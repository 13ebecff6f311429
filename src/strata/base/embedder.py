"""What every model that turns text into vectors offers, wherever it runs.

It is in this layer because the packages that compute vectors and those that store them do not
import each other.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeAlias

if TYPE_CHECKING:
    import numpy as np

# Usually float32. Numpy's own types of shapes say nothing useful here.
Vectors: TypeAlias = "np.ndarray[Any, Any]"

# Some models were trained to tell a question from what answers it.
Kind = Literal["document", "query"]


class TextInContext(NamedTuple):
    """A text, and what was said before it."""

    text: str
    before: str = ""


class Embedder(Protocol):
    """Turns texts into vectors of length 1 that lie near each other when they mean the same.

    Vectors of two embedders may be compared only if their `id` is the same.
    """

    @property
    def id(self) -> str:
        """Names everything a vector depends on: weights, tokenizer, pooling, prefix, length."""
        ...

    @property
    def name(self) -> str:
        """The name that users call it by."""
        ...

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        ...

    @property
    def tokens_max(self) -> int:
        """Tokens that are read of a text; what follows has no influence."""
        ...

    @property
    def languages(self) -> tuple[str, ...]:
        """ISO 639-1 codes of the languages it was trained on; empty when not known."""
        ...

    def embed(self, texts: Sequence[str], kind: Kind = "document") -> "Vectors":
        """Return one float32 row of length 1 for each text."""
        ...
