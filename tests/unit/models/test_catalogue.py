"""What models there are, and that only an explicit pull may download."""

import importlib.metadata
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from strata.base.errors import InvalidArgument, NotFound, Unavailable
from strata.models import (
    Endpoint,
    EndpointEmbedder,
    catalogue,
    judge_loader,
    list_models,
    loader,
    pull,
    verify_model,
)
from strata.models.embedder import Kind


class Library:
    """Stands for a library's adapter: has what was pulled, and notes who may download."""

    id = "library"
    dimension = tokens_max = 2
    languages = ()
    pulled: set[str] = set()  # noqa: RUF012  (the fixture empties it)

    def __init__(self, model: str, *, may_download: bool = False) -> None:
        if may_download:
            self.pulled.add(model)
        if model not in self.pulled:
            raise Unavailable(f"{model} was not pulled.")
        self.name = model

    def embed(self, texts: Sequence[str], kind: Kind = "document") -> np.ndarray[Any, Any]:
        return np.zeros((len(texts), 2), np.float32)


@pytest.fixture(autouse=True)
def _own_library(monkeypatch: pytest.MonkeyPatch) -> None:
    Library.pulled = set()
    monkeypatch.setattr(catalogue, "_EXTRAS", {"fastembed": Library})
    monkeypatch.setattr(catalogue, "_LOADERS", dict(catalogue._LOADERS))
    monkeypatch.setattr(catalogue, "_is_installed", lambda _library: True)


def test_the_shipped_models_are_there_with_their_files() -> None:
    models = {model.name: model for model in list_models()}
    for name, dimension in (("minilm", 384), ("multilingual", 512)):
        model = models[name]
        assert model.origin == "shipped"
        assert model.state in {"not loaded", "loading", "ready"}
        assert model.dimension == dimension
        assert (model.size_bytes or 0) > 20_000_000
        assert model.reason is None
    assert "ko" in models["multilingual"].languages
    judge = models["judge"]
    assert (judge.origin, judge.task, judge.dimension) == ("shipped", "judge", None)
    assert (judge.size_bytes or 0) > 10_000_000


def test_listing_says_what_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "_is_installed", lambda _library: False)
    library = next(model for model in list_models() if model.name == "fastembed")
    assert library.state == "absent"
    assert library.reason == "pip install 'strata-workspace[fastembed]'"


def test_a_missing_data_package_leaves_the_list_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    for one in (loader("minilm"), loader("multilingual"), judge_loader()):
        one.unload()
    monkeypatch.setitem(sys.modules, "strata_embed", None)
    shipped = [model for model in list_models() if model.origin == "shipped"]
    assert [model.state for model in shipped] == ["absent"] * 3
    assert all("strata-embed" in (model.reason or "") for model in shipped)


def test_endpoints_are_listed_without_being_asked() -> None:
    remote = EndpointEmbedder(Endpoint("http://127.0.0.1:9/v1"), "bge-m3", dimension=1024)
    listed = list_models([remote])[-1]
    assert (listed.name, listed.origin, listed.dimension) == ("bge-m3", "endpoint", 1024)
    assert "127.0.0.1:9" in listed.about


def test_a_loader_is_the_same_for_the_whole_process() -> None:
    assert loader("minilm") is loader("minilm")
    assert loader("fastembed:a/b") is loader("fastembed:a/b")
    assert loader("fastembed:a/b") is not loader("fastembed:a/c")


@pytest.mark.parametrize("name", ["", "maxilm", "fastembed", "fastembed:", "torch:x", "미니"])
def test_an_unknown_name_is_answered_with_the_known_ones(name: str) -> None:
    for ask in (loader, pull):
        with pytest.raises(NotFound) as caught:
            ask(name)
        assert "minilm, multilingual, fastembed:MODEL" in (caught.value.hint or "")


def test_only_a_pull_downloads() -> None:
    with pytest.raises(Unavailable, match="was not pulled"):
        loader("fastembed:a/b").wait(30)
    assert Library.pulled == set()
    assert pull("fastembed:a/b").name == "fastembed:a/b"
    assert Library.pulled == {"a/b"}
    one = loader("fastembed:a/b")
    one.prepare()
    assert one.wait(30) is not None
    assert [m.state for m in list_models() if m.name == "fastembed:a/b"] == ["ready"]


def test_pulling_a_shipped_model_verifies_it() -> None:
    assert pull("minilm").reason is None
    assert pull("judge").reason is None
    with pytest.raises(InvalidArgument):
        verify_model("fastembed:a/b")


def test_the_packages_name_what_they_need() -> None:
    ours = importlib.metadata.requires("strata-workspace") or []
    theirs = importlib.metadata.requires("strata-embed") or []
    assert any(line.startswith("strata-embed") and "extra" not in line for line in ours)
    assert any(line.startswith("onnxruntime") for line in theirs)
    assert {"fastembed", "sentence-transformers"} <= set(
        importlib.metadata.metadata("strata-workspace").get_all("Provides-Extra") or []
    )


def test_the_room_is_entered_without_loading_what_is_slow() -> None:
    program = (
        "import sys, strata.models\n"
        "assert strata.models.list_models()\n"
        "slow = {'numpy', 'onnxruntime', 'zstandard', 'http.client', 'ssl', 'asyncio'}\n"
        "sys.exit(', '.join(slow & set(sys.modules)) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stderr == ""
