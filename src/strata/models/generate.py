"""Text from a language model: for widening a query, and for putting results in order."""

from typing import Protocol

import msgspec

from strata.base.errors import Unavailable
from strata.base.results import Result
from strata.models.endpoint import Endpoint


class Generator(Protocol):
    """Continues a prompt."""

    @property
    def name(self) -> str:
        """The name that users call it by."""
        ...

    def generate(self, prompt: str, tokens_max: int) -> str:
        """Return the answer, cut off after `tokens_max` tokens."""
        ...


class Sampling(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a model is to choose its words; what is None is left to the server.

    `top_k` and `stop_token_ids` are no part of OpenAI's own interface: llama.cpp, vLLM and others
    know one or both, a server that does not either ignores or refuses them.
    """

    max_tokens: int | None = None
    temperature: float | None = None
    top_k: int | None = None
    top_p: float | None = None
    seed: int | None = None
    stop_token_ids: tuple[int, ...] | None = None


class Completion(Result, frozen=True):
    """What a model wrote, why it ended, and the tokens as its server counted them."""

    text: str
    stop_reason: str
    prompt_tokens: int | None
    completion_tokens: int | None
    model: str


class _Message(msgspec.Struct):
    content: str | None = None


class _Choice(msgspec.Struct):
    message: _Message
    finish_reason: str | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Answer(msgspec.Struct):
    choices: list[_Choice]
    usage: _Usage | None = None


class EndpointGenerator:
    """Answers by `/chat/completions` of an endpoint, as predictably as the model can."""

    def __init__(self, endpoint: Endpoint, model: str) -> None:
        self.name = model
        self._endpoint = endpoint

    def generate(self, prompt: str, tokens_max: int) -> str:
        """Return the answer. Raises what `Endpoint.post` does."""
        return self.complete(prompt, Sampling(max_tokens=tokens_max, temperature=0)).text

    def complete(self, prompt: str, sampling: Sampling) -> Completion:
        """Return the answer with what the server says of it. Raises what `Endpoint.post` does."""
        body: dict[str, object] = {
            "model": self.name,
            "messages": [{"role": "user", "content": prompt}],
            "stream": False,
            **msgspec.to_builtins(sampling),
        }
        answer = self._endpoint.post("chat/completions", body, _Answer)
        choice = answer.choices[0] if answer.choices else None
        if choice is None or choice.message.content is None:
            message = f"The endpoint {self._endpoint.url} answered without a text."
            raise Unavailable(message, model=self.name)
        usage = answer.usage or _Usage()
        return Completion(
            choice.message.content,
            choice.finish_reason or "stop",
            usage.prompt_tokens,
            usage.completion_tokens,
            self.name,
        )
