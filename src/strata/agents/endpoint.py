"""The way to a model: only to the address that was named, and with nothing but its own key."""

from typing import TYPE_CHECKING, Any

import msgspec

from strata.agents.failure_words import FailureWords, failure
from strata.base import limits
from strata.base.errors import InvalidArgument, Unavailable
from strata.tasks import Definition, check_endpoint
from strata.workspace import Workspace, key_for

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model

# What may be sent beside the question. The libraries of the makers would add what they find in the
# environment: names of organisations, headers, and keys that are meant for other providers.
_HEADERS = frozenset(
    "host content-length content-type accept accept-encoding connection user-agent "
    "authorization x-api-key anthropic-version anthropic-beta".split()
)
# Their libraries refuse to begin without a key; many models on this machine want none.
_NO_KEY = "none"


class ModelEndpoint(msgspec.Struct, frozen=True):
    """Where a model answers, which one, how it is spoken to, and with which key."""

    url: str
    model: str
    kind: str
    key: str | None

    def without_key(self, text: str) -> str:
        """Return what an endpoint said, without the key that it may repeat."""
        return text if not self.key else text.replace(self.key, "…")


def place_of(db: Workspace, definition: Definition, words: FailureWords) -> ModelEndpoint:
    """Return where an agent's model answers: as its definition says, or else the settings."""
    db.trust.require("An agent of this store is not asked")
    thinking, settings = definition.thinking, db.settings
    url, model = thinking.endpoint, thinking.model
    if url is None:
        known = settings.get("model_endpoint")
        url = known if isinstance(known, str) else None
        model = model or str(settings.get("model_name") or "") or None
    if url is None or model is None:
        raise failure(InvalidArgument, words.no_model)
    key = key_for(settings, check_endpoint(url), thinking.key_variable)
    if key is None and thinking.key_variable is not None:
        raise failure(Unavailable, words.no_key, variable=thinking.key_variable)
    return ModelEndpoint(check_endpoint(url), model, thinking.kind, key)


def require_library(words: FailureWords) -> None:
    """Say how to install what speaks to models, where it is missing."""
    from importlib.util import find_spec  # noqa: PLC0415  (only agents with a model need it)

    missing = [name for name in ("pydantic_ai", "openai", "anthropic") if find_spec(name) is None]
    if missing:
        raise failure(Unavailable, words.no_library, missing=", ".join(missing))


def client_for(place: ModelEndpoint) -> "httpx2.AsyncClient":
    """Return what carries requests: it follows no redirect, and drops foreign headers."""
    import httpx2  # noqa: PLC0415  (comes with what speaks to models)

    async def strip(request: "httpx2.Request") -> None:
        for name in [name for name in request.headers if name.lower() not in _HEADERS]:
            del request.headers[name]
        for name in ("authorization", "x-api-key"):
            if not place.key and name in request.headers:
                del request.headers[name]

    return httpx2.AsyncClient(
        timeout=limits.ENDPOINT_TIMEOUT_S,
        follow_redirects=False,
        # A proxy of the environment is no part of this machine.
        trust_env=place.url.startswith("https:"),
        event_hooks={"request": [strip]},
    )


def model_for(place: ModelEndpoint, client: "httpx2.AsyncClient") -> "Model[Any]":
    """Return a model as the library knows it."""
    retries = limits.ENDPOINT_ATTEMPTS - 1
    if place.kind == "anthropic":
        return _anthropic(place, client, retries)
    from openai import AsyncOpenAI  # noqa: PLC0415  (takes most of a second)
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    made = AsyncOpenAI(
        base_url=place.url, api_key=place.key or _NO_KEY, http_client=client, max_retries=retries
    )
    return OpenAIChatModel(place.model, provider=OpenAIProvider(openai_client=made))


def _anthropic(place: ModelEndpoint, client: "httpx2.AsyncClient", retries: int) -> "Model[Any]":
    from anthropic import AsyncAnthropic  # noqa: PLC0415  (takes most of a second)
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    made = AsyncAnthropic(
        base_url=place.url.removesuffix("/v1"),
        api_key=place.key or _NO_KEY,
        http_client=client,
        max_retries=retries,
    )
    return AnthropicModel(place.model, provider=AnthropicProvider(anthropic_client=made))
