"""Embedders that others wrote: fastembed, sentence-transformers, or a function of yours.

The libraries are imported when one is asked for. They would fetch weights by themselves; here they
may only when `may_download` says so, which nothing but an explicit `pull` does.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from strata.base.counts import plural
from strata.base.errors import DimensionMismatch, Unavailable
from strata.base.libraries import load_library
from strata.models.embedder import Kind, identify, unit

if TYPE_CHECKING:
    from strata.models.embedder import Vectors

# What most encoders read of a text; fastembed does not say.
_TOKENS_MAX = 512


class FastEmbed:
    """A model of fastembed, by the name that fastembed gives it."""

    library = "fastembed"
    languages: tuple[str, ...] = ()
    tokens_max = _TOKENS_MAX

    def __init__(self, model: str, *, may_download: bool = False) -> None:
        module = _library(self.library)
        try:
            self._model = module.TextEmbedding(
                model, threads=1, local_files_only=not may_download, providers=_CPU
            )
        except Exception as problem:
            raise _absent(self.library, model, problem, is_pull=may_download) from problem
        self.name = model
        self.id = identify(self.library, model=model)
        self.dimension = int(self._model.embedding_size)
        # Where its files lie; fastembed does not tell, so its own note of it is read.
        inner = getattr(self._model, "model", None)
        self.path = str(getattr(inner, "_model_dir", ""))

    def embed(self, texts: Sequence[str], kind: Kind = "document") -> "Vectors":
        """Return one row for each text."""
        run = self._model.query_embed if kind == "query" else self._model.passage_embed
        return _rows(list(run(list(texts))), self.dimension)

    @cached_property
    def _tokenizer(self) -> Any:
        self.embed(["a"])  # it is loaded with the first text
        found: Any = self._model.model.tokenizer
        # The model's own cuts off what is too long; a copy can be told not to.
        kind: Any = found.__class__
        whole = kind.from_str(found.to_str())
        whole.no_truncation()
        whole.no_padding()
        return whole

    def ids(self, text: str, *, marks: bool) -> list[int]:
        """Return the numbers of a text's tokens, between the marks of its ends or without."""
        return list(self._tokenizer.encode(text, add_special_tokens=marks).ids)

    def text(self, ids: Sequence[int]) -> str:
        """Return the text of some tokens, leaving the marks out."""
        return self._tokenizer.decode(list(ids), skip_special_tokens=True)


class SentenceTransformers:
    """A model of sentence-transformers, by name or by the folder it lies in."""

    library = "sentence-transformers"
    languages: tuple[str, ...] = ()

    def __init__(self, model: str, *, may_download: bool = False) -> None:
        module, hub = _library(self.library), _library("huggingface-hub")
        try:
            # Given a name, the library calls home even where it may not download: it is given
            # the folder instead.
            place = model if may_download else _folder(hub, model)
            self._model = module.SentenceTransformer(
                place,
                device="cpu",
                cache_folder=hub.constants.HF_HUB_CACHE,
                local_files_only=not may_download,
            )
        except Exception as problem:
            raise _absent(self.library, model, problem, is_pull=may_download) from problem
        self.name = model
        self.id = identify(self.library, model=model)
        self.tokens_max = int(self._model.max_seq_length or _TOKENS_MAX)
        # Renamed in version 6.
        dimension = getattr(self._model, "get_embedding_dimension", None)
        self.dimension = int((dimension or self._model.get_sentence_embedding_dimension)())
        self.path = _place(hub, model)

    def embed(self, texts: Sequence[str], kind: Kind = "document") -> "Vectors":
        """Return one row for each text."""
        run = self._model.encode_query if kind == "query" else self._model.encode_document
        found = run(list(texts), convert_to_numpy=True, show_progress_bar=False)
        return _rows(found, self.dimension)

    def ids(self, text: str, *, marks: bool) -> list[int]:
        """Return the numbers of a text's tokens, between the marks of its ends or without."""
        encode = self._model.tokenizer.encode
        return list(encode(text, add_special_tokens=marks, truncation=False))

    def text(self, ids: Sequence[int]) -> str:
        """Return the text of some tokens, leaving the marks out."""
        return self._model.tokenizer.decode(list(ids), skip_special_tokens=True)


class CallableEmbedder:
    """A function from texts to vectors, with what has to be known of it."""

    languages: tuple[str, ...] = ()

    def __init__(
        self,
        function: Callable[[Sequence[str]], Any],  # anything numpy can make an array of
        *,
        name: str,
        dimension: int,
        tokens_max: int = _TOKENS_MAX,
    ) -> None:
        self.name = name
        self.dimension = dimension
        self.tokens_max = tokens_max
        # A function cannot be hashed: give a changed function another name.
        self.id = identify("callable", name=name, dimension=dimension)
        self._function = function

    def embed(self, texts: Sequence[str], kind: Kind = "document") -> "Vectors":
        """Return one row for each text."""
        del kind  # The function gets only the texts.
        vectors = _rows(self._function(list(texts)) if texts else [], self.dimension)
        if len(vectors) != len(texts):
            given, wanted = plural(len(vectors), "vector"), plural(len(texts), "text")
            message = f"{self.name} gave {given} for {wanted}."
            raise DimensionMismatch(message, expected=len(texts), found=len(vectors))
        return vectors


_CPU = ["CPUExecutionProvider"]


def _rows(found: Any, dimension: int) -> "Vectors":
    import numpy

    if len(found) == 0:
        return numpy.empty((0, dimension), numpy.float32)
    try:
        rows = numpy.asarray(found, numpy.float32)
    except ValueError:
        rows = numpy.empty((0, 0), numpy.float32)
    if rows.ndim != 2 or rows.shape[1] != dimension or not numpy.isfinite(rows).all():
        message = f"Rows of {dimension} numbers were expected from the model."
        raise DimensionMismatch(message, expected=dimension, found=list(rows.shape))
    return unit(rows)


def _folder(hub: Any, model: str) -> str:
    if Path(model).is_dir():
        return model
    name = model if "/" in model else f"sentence-transformers/{model}"
    return hub.snapshot_download(name, local_files_only=True)


def _place(hub: Any, model: str) -> str:
    """Return where a model lies that was just loaded; empty when the library cannot tell."""
    try:
        return _folder(hub, model)
    except (OSError, ValueError):
        return ""


def _library(name: str) -> Any:  # found by name, so without types
    try:
        return load_library(name.replace("-", "_"))
    except ImportError as problem:
        hint = f"Install it: pip install 'strata-workspace[{name}]'."
        raise Unavailable(f"{name} is not installed.", hint=hint) from problem


def _absent(library: str, model: str, problem: Exception, *, is_pull: bool) -> Unavailable:
    message = f"{library} cannot load {model}: {problem}"
    hint = f"Nothing is downloaded unasked; pull it first: {library}:{model}."
    return Unavailable(message, hint=None if is_pull else hint, model=model)
