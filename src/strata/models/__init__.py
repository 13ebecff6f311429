"""Floor 3: models that turn text into vectors, or write text, here or on another machine."""

from strata.models.catalogue import ModelInfo, list_models, loader, pull, verify_model
from strata.models.embedder import Embedder, Encoding, Kind, Vectors
from strata.models.endpoint import Endpoint
from strata.models.extras import CallableEmbedder, FastEmbed, SentenceTransformers
from strata.models.generate import EndpointGenerator, Generator
from strata.models.loading import Loader, State
from strata.models.minilm import MiniLM
from strata.models.multilingual import Multilingual
from strata.models.remote import EndpointEmbedder

__all__ = [
    "CallableEmbedder",
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
    "SentenceTransformers",
    "State",
    "Vectors",
    "list_models",
    "loader",
    "pull",
    "verify_model",
]
