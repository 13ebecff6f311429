"""Other people's embedders, through small stand-ins of their libraries.

Their weights cannot be had without a network, so the stand-ins take the arguments that the real
libraries take, and refuse others.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from strata.base.errors import DimensionMismatch, Unavailable
from strata.models import CallableEmbedder, Embedder, FastEmbed, SentenceTransformers
from strata.models.embedder import Kind

# What lies on this machine.
DOWNLOADED: set[str] = set()


def fetch(model: str, *, local_files_only: bool) -> None:
    """Download a model that is not there, as the libraries do unless told not to."""
    if model not in DOWNLOADED and local_files_only:
        raise ValueError(f"{model} is not here")
    DOWNLOADED.add(model)


class TextEmbedding:
    """Like fastembed's: yields one array a text, and downloads unless told not to."""

    def __init__(
        self, model_name: str, *, threads: int, providers: list[str], local_files_only: bool
    ) -> None:
        fetch(model_name, local_files_only=local_files_only)
        assert (threads, providers) == (1, ["CPUExecutionProvider"])
        self.embedding_size = 2
        self.model = SimpleNamespace(tokenizer=None, _model_dir=f"/cache/{model_name}")

    def passage_embed(self, texts: Iterable[str]) -> Iterator[Any]:
        self.model.tokenizer = Words()
        yield from (np.array([3.0, 4.0]) for _ in texts)

    def query_embed(self, query: Iterable[str]) -> Iterator[Any]:
        yield from (np.array([0.0, 2.0]) for _ in query)


class Words:
    """Like the tokenizers of both libraries: a token is a word's length, marks are 0."""

    tokens_max: int | None = 3

    @classmethod
    def from_str(cls, text: str) -> "Words":
        assert text == "as JSON"
        return cls()

    def to_str(self) -> str:
        return "as JSON"

    def no_truncation(self) -> None:
        self.tokens_max = None

    def no_padding(self) -> None:
        """Nothing is padded here."""

    def encode(self, text: str, *, add_special_tokens: bool, truncation: bool | None = None) -> Any:
        found = [len(word) for word in text.split()]
        marked = [0, *found, 0] if add_special_tokens else found
        if truncation is not None:  # transformers' returns the list, and is asked not to cut it
            return marked if not truncation else marked[:3]
        return SimpleNamespace(ids=marked[: self.tokens_max])

    def decode(self, ids: list[int], *, skip_special_tokens: bool) -> str:
        assert skip_special_tokens
        return " ".join("x" * number for number in ids if number)


class SentenceTransformer:
    """Like sentence-transformers': gives one matrix."""

    max_seq_length = 128

    @property
    def tokenizer(self) -> "Words":
        return Words()

    def __init__(
        self, model_name_or_path: str, *, device: str, cache_folder: str, local_files_only: bool
    ) -> None:
        # A folder, or a name that may be looked up.
        assert model_name_or_path.startswith("/cache/") == local_files_only
        fetch(model_name_or_path.removeprefix("/cache/"), local_files_only=local_files_only)
        assert (device, cache_folder) == ("cpu", "/cache")

    def get_sentence_embedding_dimension(self) -> int:
        return 2

    def encode_document(
        self, inputs: list[str], *, convert_to_numpy: bool, show_progress_bar: bool
    ) -> Any:
        assert convert_to_numpy
        assert not show_progress_bar
        return np.array([[3.0, 4.0]] * len(inputs), np.float32).reshape(-1, 2)

    def encode_query(
        self, inputs: list[str], *, convert_to_numpy: bool, show_progress_bar: bool
    ) -> Any:
        assert convert_to_numpy
        assert not show_progress_bar
        return np.array([[0.0, 2.0]] * len(inputs), np.float32).reshape(-1, 2)


def snapshot_download(name: str, *, local_files_only: bool) -> str:
    """Like huggingface_hub's: returns the folder of a model."""
    fetch(name, local_files_only=local_files_only)
    return f"/cache/{name}"


@pytest.fixture(autouse=True)
def _libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    DOWNLOADED.clear()
    DOWNLOADED.add("known/model")
    for name, kind in (
        ("fastembed", TextEmbedding),
        ("sentence_transformers", SentenceTransformer),
    ):
        module = ModuleType(name)
        setattr(module, kind.__name__, kind)
        monkeypatch.setitem(sys.modules, name, module)
    hub = ModuleType("huggingface_hub")
    vars(hub).update(
        snapshot_download=snapshot_download, constants=SimpleNamespace(HF_HUB_CACHE="/cache")
    )
    monkeypatch.setitem(sys.modules, "huggingface_hub", hub)


@pytest.fixture(params=[FastEmbed, SentenceTransformers])
def adapter(request: pytest.FixtureRequest) -> type[FastEmbed | SentenceTransformers]:
    return request.param


def test_an_adapter_keeps_the_promises_of_an_embedder(adapter: type[FastEmbed]) -> None:
    model: Embedder = adapter("known/model")
    assert model.dimension == 2
    kinds: list[Kind] = ["document", "query"]
    document, query = (model.embed(["가", "나"], kind=kind) for kind in kinds)
    assert np.allclose(document, [[0.6, 0.8]] * 2)
    assert np.allclose(query, [[0.0, 1.0]] * 2)
    assert document.dtype == np.float32
    assert model.embed([]).shape == (0, 2)


def test_the_tokens_of_a_long_text_are_all_told(adapter: type[FastEmbed]) -> None:
    model = adapter("known/model")
    assert model.ids("가 나다 a bc d", marks=False) == [1, 2, 1, 2, 1]
    assert model.ids("가 나다 a bc d", marks=True) == [0, 1, 2, 1, 2, 1, 0]
    assert model.text([0, 2, 1, 0]) == "xx x"


def test_it_knows_where_its_files_lie(adapter: type[FastEmbed]) -> None:
    assert adapter("known/model").path == "/cache/known/model"


def test_ids_tell_models_and_libraries_apart() -> None:
    ids = {FastEmbed("known/model").id, SentenceTransformers("known/model").id}
    assert len(ids) == 2
    assert FastEmbed("known/model").id in ids


def test_what_was_not_pulled_is_not_fetched(adapter: type[FastEmbed]) -> None:
    with pytest.raises(Unavailable, match="cannot load other/model") as caught:
        adapter("other/model")
    assert f"{adapter.library}:other/model" in (caught.value.hint or "")
    assert "other/model" not in DOWNLOADED
    adapter("other/model", may_download=True)
    assert adapter("other/model").name == "other/model"


def test_a_short_name_is_one_of_the_librarys_own() -> None:
    DOWNLOADED.add("sentence-transformers/short")
    assert SentenceTransformers("short").dimension == 2


def test_a_missing_library_is_named_with_its_extra(
    adapter: type[FastEmbed], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, adapter.library.replace("-", "_"), None)
    with pytest.raises(Unavailable, match=f"{adapter.library} is not installed") as caught:
        adapter("known/model")
    assert f"strata-workspace[{adapter.library}]" in (caught.value.hint or "")


def test_a_function_of_ones_own_is_an_embedder() -> None:
    def lengths(texts: Sequence[str]) -> list[list[float]]:
        return [[len(text), 0.0] for text in texts]

    model: Embedder = CallableEmbedder(lengths, name="lengths", dimension=2)
    assert model.embed(["하나", ""]).tolist() == [[1.0, 0.0], [0.0, 0.0]]
    assert model.embed([]).shape == (0, 2)
    assert model.id != CallableEmbedder(lengths, name="others", dimension=2).id


@pytest.mark.parametrize(
    "answer",
    [[[1.0, 2.0, 3.0]], [[1.0, 2.0], [3.0, 4.0]], [1.0], [["x", "y"]], [[float("nan"), 1.0]], []],
)
def test_a_function_that_gives_something_else_is_refused(answer: list[Any]) -> None:
    model = CallableEmbedder(lambda _texts: answer, name="odd", dimension=2)
    with pytest.raises(DimensionMismatch):
        model.embed(["one text"])
