"""The shipped models, loaded once, and what other programs computed with the same weights."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from strata.models import MiniLM, Multilingual


class Golden(NamedTuple):
    """Texts with the token numbers and the vectors that the original programs give."""

    texts: list[str]
    ids: list[list[int]]
    vectors: np.ndarray[Any, Any]


@pytest.fixture(scope="session")
def minilm() -> MiniLM:
    return MiniLM()


@pytest.fixture(scope="session")
def multilingual() -> Multilingual:
    return Multilingual()


@pytest.fixture(scope="session")
def golden_minilm() -> Golden:
    """As the tokenizers library and a float32 PyTorch model say."""
    return golden("minilm")


@pytest.fixture(scope="session")
def golden_multilingual() -> Golden:
    """As the package that the weights were taken from says."""
    return golden("multilingual")


def golden(model: str) -> Golden:
    stored = json.loads(Path(__file__).with_name("golden.json").read_text(encoding="utf-8"))
    vectors = np.array(stored[model]["vectors"], np.float32)
    return Golden(stored["texts"], stored[model]["ids"], vectors)
