"""Models that turn text into vectors, or write text, here or on another machine."""

from typing import TYPE_CHECKING

from strata.base.lazy import lazily

if TYPE_CHECKING:
    from strata.models.catalogue import (
        ModelInfo,
        is_outdated,
        is_shipped,
        judge_loader,
        list_models,
        loader,
        pull,
        unload_model,
        verify_model,
    )
    from strata.models.embedder import Embedder, Encoding, Kind, Vectors
    from strata.models.endpoint import Endpoint
    from strata.models.extras import CallableEmbedder, FastEmbed, SentenceTransformers
    from strata.models.generate import Completion, EndpointGenerator, Generator, Sampling
    from strata.models.judge import Judge
    from strata.models.loading import Loader, State
    from strata.models.minilm import MiniLM
    from strata.models.multilingual import Multilingual
    from strata.models.reading import QuickReader, quick_reader
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
    "Judge",
    "Kind",
    "Loader",
    "MiniLM",
    "ModelInfo",
    "Multilingual",
    "QuickReader",
    "Sampling",
    "SentenceTransformers",
    "State",
    "Tokenizer",
    "Vectors",
    "is_outdated",
    "is_shipped",
    "judge_loader",
    "list_models",
    "loader",
    "pull",
    "quick_reader",
    "tokenizer",
    "unload_model",
    "unload_tokenizer",
    "verify_model",
]

__getattr__ = lazily(
    __name__,
    {
        "strata.models.catalogue": (
            "ModelInfo is_outdated is_shipped judge_loader list_models loader pull unload_model"
            " verify_model"
        ),
        "strata.models.embedder": "Embedder Encoding Kind Vectors",
        "strata.models.endpoint": "Endpoint",
        "strata.models.extras": "CallableEmbedder FastEmbed SentenceTransformers",
        "strata.models.generate": "Completion EndpointGenerator Generator Sampling",
        "strata.models.judge": "Judge",
        "strata.models.loading": "Loader State",
        "strata.models.minilm": "MiniLM",
        "strata.models.multilingual": "Multilingual",
        "strata.models.reading": "QuickReader quick_reader",
        "strata.models.remote": "EndpointEmbedder",
        "strata.models.tokens": "Tokenizer tokenizer unload_tokenizer",
    },
)
