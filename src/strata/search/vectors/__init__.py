"""Vectors that follow the commits: making them, keeping them, and finding the nearest."""

from strata.search.vectors.background import Following
from strata.search.vectors.embeddings import Embeddings, Model, ModelStatus, Status
from strata.search.vectors.encode import Embedder
from strata.search.vectors.erasure import forget_words
from strata.search.vectors.follow import Follower, Texts, Turn
from strata.search.vectors.nearest import Passes, TokenQuestion, VectorIndex

__all__ = [
    "Embedder",
    "Embeddings",
    "Follower",
    "Following",
    "Model",
    "ModelStatus",
    "Passes",
    "Status",
    "Texts",
    "TokenQuestion",
    "Turn",
    "VectorIndex",
    "forget_words",
]
