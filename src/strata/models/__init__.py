"""Models that turn text into vectors, or write text, here or on another machine."""

from strata.models.catalogue import (
    ModelInfo,
    is_outdated,
    is_shipped,
    list_models,
    loader,
    pull,
    verify_model,
)
from strata.models.embedder import Embedder, Encoding, Kind, Vectors
from strata.models.endpoint import Endpoint
from strata.models.extras import CallableEmbedder, FastEmbed, SentenceTransformers
from strata.models.generate import Completion, EndpointGenerator, Generator, Sampling
from strata.models.loading import Loader, State
from strata.models.minilm import MiniLM
from strata.models.multilingual import Multilingual
from strata.models.remote import EndpointEmbedder
from strata.models.tokens import Tokenizer, tokenizer, unload_tokenizer

__all__ = [
    "CallableEmbedder",
    "Completion",
    "Embedder",
    "Encoding",
    "Endpoint",
    "EndpointEmbedder",
    "EndpointGenerator",
    "FastEmbed",
    "Generator",
    "Kind",
    "Loader",
    "MiniLM",
    "ModelInfo",
    "Multilingual",
    "Sampling",
    "SentenceTransformers",
    "State",
    "Tokenizer",
    "Vectors",
    "is_outdated",
    "is_shipped",
    "list_models",
    "loader",
    "pull",
    "tokenizer",
    "unload_tokenizer",
    "verify_model",
]
