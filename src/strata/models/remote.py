"""Embeddings from an OpenAI-compatible endpoint."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from strata.base import limits
from strata.base.counts import plural
from strata.base.errors import DimensionMismatch, Unavailable
from strata.models.embedder import Kind, identify, unit
from strata.models.endpoint import Endpoint

if TYPE_CHECKING:
    from strata.models.embedder import Vectors


class _Row(msgspec.Struct):
    embedding: list[float]
    index: int | None = None


class _Answer(msgspec.Struct):
    data: list[_Row]


class EndpointEmbedder:
    """Embeds text by `/embeddings` of an endpoint.

    A client cannot tell which weights a server runs; its URL and the model's name
    identify them. `prefixes` are put before a document and a query, for models that were trained
    so.
    """

    languages: tuple[str, ...] = ()

    def __init__(
        self,
        endpoint: Endpoint,
        model: str,
        *,
        dimension: int | None = None,
        tokens_max: int = 512,
        prefixes: tuple[str, str] = ("", ""),
    ) -> None:
        self.name = model
        self.url = endpoint.url
        self.tokens_max = tokens_max
        self.id = identify("endpoint", url=endpoint.url, model=model, prefixes=prefixes)
        self._endpoint = endpoint
        self._dimension = dimension
        self._prefixes: dict[Kind, str] = {"document": prefixes[0], "query": prefixes[1]}

    @property
    def address(self) -> str:
        """The name under which `loader` finds it."""
        return f"endpoint:{self.url}#{self.name}"

    @property
    def known_dimension(self) -> int | None:
        """The length of a vector, if it was given or is known from an answer; sends no request."""
        return self._dimension

    @property
    def dimension(self) -> int:
        """The length of a vector; the endpoint is asked once if it was not given."""
        if self._dimension is None:
            self._dimension = self.embed(["dimension"]).shape[1]
        return self._dimension

    def embed(self, texts: Sequence[str], kind: Kind = "document") -> "Vectors":
        """Return one row for each text. Raises what `Endpoint.post` does."""
        import numpy

        prefix = self._prefixes[kind]
        step = limits.ENDPOINT_TEXTS_MAX
        parts = [self._request(texts[i : i + step], prefix) for i in range(0, len(texts), step)]
        if not parts:
            return numpy.empty((0, self.dimension), numpy.float32)
        return unit(numpy.concatenate(parts))

    def _request(self, texts: Sequence[str], prefix: str) -> "Vectors":
        import numpy

        # Several servers refuse an empty text.
        wanted = [prefix + text if text.strip() else " " for text in texts]
        body: dict[str, object] = {"model": self.name, "input": wanted, "encoding_format": "float"}
        rows = self._endpoint.post("embeddings", body, _Answer).data
        if len(rows) != len(texts):
            message = (
                f"The endpoint gave {plural(len(rows), 'vector')} for {plural(len(texts), 'text')}."
            )
            raise Unavailable(message, model=self.name)
        if all(row.index is not None for row in rows):
            rows = sorted(rows, key=lambda row: row.index or 0)
        self._check([len(row.embedding) for row in rows])
        vectors = numpy.array([row.embedding for row in rows], numpy.float32)
        if not numpy.isfinite(vectors).all():
            raise Unavailable("The endpoint gave a vector that is not made of numbers.")
        return vectors

    def _check(self, lengths: list[int]) -> None:
        expected = self._dimension or lengths[0]
        wrong = [length for length in lengths if length != expected]
        if wrong or not expected:
            message = f"{self.name} gave a vector of {min(wrong, default=0)} numbers."
            hint = f"{expected} were expected; set the dimension that the model has."
            raise DimensionMismatch(message, hint=hint, expected=expected, found=wrong[:1])
