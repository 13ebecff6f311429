"""Text from a language model: for widening a query, and for putting results in order."""

from typing import Protocol

import msgspec

from strata.base.errors import Unavailable
from strata.models.endpoint import Endpoint


class Generator(Protocol):
    """Continues a prompt."""

    @property
    def name(self) -> str:
        """The name that people call it by."""
        ...

    def generate(self, prompt: str, tokens_max: int) -> str:
        """Return the answer, cut off after `tokens_max` tokens."""
        ...


class _Message(msgspec.Struct):
    content: str | None = None


class _Choice(msgspec.Struct):
    message: _Message


class _Answer(msgspec.Struct):
    choices: list[_Choice]


class EndpointGenerator:
    """Answers by `/chat/completions` of an endpoint, as predictably as the model can."""

    def __init__(self, endpoint: Endpoint, model: str) -> None:
        self.name = model
        self._endpoint = endpoint

    def generate(self, prompt: str, tokens_max: int) -> str:
        """Return the answer. Raises what `Endpoint.post` does."""
        body: dict[str, object] = {
            "model": self.name,
            "messages": [{"role": "user", "content": prompt}],
            "max_tokens": tokens_max,
            "temperature": 0,
            "stream": False,
        }
        answer = self._endpoint.post("chat/completions", body, _Answer)
        text = answer.choices[0].message.content if answer.choices else None
        if text is None:
            message = f"The endpoint {self._endpoint.url} answered without a text."
            raise Unavailable(message, model=self.name)
        return text
