"""Models: listing and getting them, text from them, and their tokens."""

from collections.abc import Callable, Sequence

from strata.base import limits
from strata.base.checks import check_many, check_number, check_text
from strata.base.errors import InvalidArgument, NotAllowed, StrataError, Unavailable
from strata.models import (
    Completion,
    Endpoint,
    EndpointGenerator,
    ModelInfo,
    Sampling,
    list_models,
    pull,
    tokenizer,
    unload_model,
    unload_tokenizer,
)
from strata.workspace.settings import Settings, is_named, keep_api_key, key_for, model_endpoint

_ENDPOINT = "endpoint:"


class StoreModels:
    """Models that embed or write text. Reached as `db.models`."""

    def __init__(self, settings: Settings, check: Callable[[], object]) -> None:
        self._settings = settings
        # Raises for users who may not choose a model for everybody.
        self._check = check

    def list(self) -> "list[ModelInfo]":
        """Return the models there are, the language model that the settings name among them.

        >>> [model.name for model in db.models.list() if model.is_local]
        ['minilm', 'multilingual', 'judge']
        """
        # A library offers models that are not there yet.
        found = [one for one in list_models() if one.origin != "library" or ":" in one.name]
        named = model_endpoint(self._settings)
        if named is None:
            return found
        endpoint, model = named
        about = f"at {endpoint.url}"
        return [*found, ModelInfo(model, "endpoint", "not loaded", about, task="generate")]

    def local(self) -> "list[ModelInfo]":
        """Return the models that lie on this disk.

        >>> [model.dimension for model in db.models.local()]
        [384, 512, None]
        """
        return [model for model in self.list() if model.is_local]

    def pull(self, name: str) -> ModelInfo:
        """Let a library download a model, as `fastembed:NAME`; a shipped one is checked instead.

        >>> db.models.pull("minilm").is_local
        True
        """
        return pull(check_text(name, name="name"))

    def configure(
        self,
        endpoint: str,
        model: str,
        *,
        api_key: str | None = None,
        timeout_ms: int | None = None,
    ) -> None:
        """Name the language model to ask, at an OpenAI-compatible endpoint.

        Only the owner of the workspace may: questions and texts of everybody are sent there.
        The store remembers the endpoint, the model and the time limit. It never keeps the key:
        that one serves this process alone; otherwise the variable STRATA_API_KEY is read.

        >>> db.models.configure("http://localhost:11434/v1", "qwen3", timeout_ms=20_000)
        >>> db.settings.get("model_name")
        'qwen3'
        """
        self._check()
        if timeout_ms is not None:
            check_number(timeout_ms, name="timeout_ms", most=_TIMEOUT_MS_MAX)
        Endpoint(check_text(endpoint, name="endpoint"))  # refuses what is no address of one
        self._settings.set("model_name", model)
        self._settings.set("model_endpoint", endpoint)
        if timeout_ms is None:
            self._settings.unset("model_timeout_ms")
        else:
            self._settings.set("model_timeout_ms", str(timeout_ms))
        if api_key:
            keep_api_key(endpoint, api_key)

    def generate(
        self,
        prompt: str,
        *,
        model: str | None = None,
        max_tokens: int | None = None,
        temperature: float | None = None,
        top_k: int | None = None,
        top_p: float | None = None,
        seed: int | None = None,
        stop_tokens: Sequence[int] | None = None,
    ) -> Completion:
        """Let a language model answer: the one configured, another one there, or
        `endpoint:URL#MODEL`, which gets no key but one that was given for it. What is left out
        is the server's choice.

        >>> try:
        ...     db.models.generate("Say hello in Korean.")
        ... except strata.Unavailable as error:
        ...     print(error.message)
        No language model is configured.
        """
        sampling = Sampling(
            max_tokens,
            temperature,
            top_k,
            top_p,
            seed,
            None if stop_tokens is None else tuple(check_many(stop_tokens, name="stop_tokens")),
        )
        return self._generator(model).complete(check_text(prompt, name="prompt"), sampling)

    def check_is_named(self, model: str) -> None:
        """Raise NotAllowed for a model at an endpoint that the settings do not name.

        For callers from elsewhere: they must not choose which machines the server asks.

        >>> try:
        ...     db.models.check_is_named("endpoint:http://192.0.2.1/v1#m")
        ... except strata.NotAllowed as error:
        ...     print(error.message)
        The settings do not name this endpoint.
        """
        url = model.removeprefix(_ENDPOINT).rpartition("#")[0]
        if model.startswith(_ENDPOINT) and not is_named(self._settings, url):
            raise NotAllowed(
                "The settings do not name this endpoint.",
                hint="Leave the URL out: the model that the owner configured is asked.",
            )

    def _generator(self, model: str | None) -> EndpointGenerator:
        if model is not None and model.startswith(_ENDPOINT):
            url, _, name = model.removeprefix(_ENDPOINT).rpartition("#")
            key = key_for(self._settings, url)
            return EndpointGenerator(Endpoint(url, api_key=key), name)
        if any(one.name == model and one.task != "generate" for one in list_models()):
            raise InvalidArgument(
                f"The model {model} writes no text; it helps to search.",
                hint="Name one of the configured endpoint.",
                parameter="model",
            )
        found = model_endpoint(self._settings)
        if found is None:
            raise Unavailable(
                "No language model is configured.",
                hint="`db.models.configure(URL, NAME)` names one.",
            )
        return EndpointGenerator(found[0], model or found[1])

    def tokenize(self, model: str, text: str, *, marks: bool = True) -> "list[int]":
        """Return the numbers of a text's tokens, between the model's marks of its ends or not.

        >>> db.models.tokenize("minilm", "Hello, world", marks=False)
        [7592, 1010, 2088]
        """
        return tokenizer(model).ids(check_text(text, name="text"), marks=marks)

    def detokenize(self, model: str, ids: Sequence[int]) -> str:
        """Return the text of some tokens, as far as the model's tokenizer keeps it.

        >>> ids = db.models.tokenize("multilingual", "배포는 금요일")
        >>> db.models.detokenize("multilingual", ids)
        '배포는 금요일'
        """
        wanted = check_many(ids, name="ids")
        for number in wanted:
            check_number(number, name="ids", least=0)
        return tokenizer(model).text(wanted)

    def unload(self, model: str) -> bool:
        """Give back the memory that a model takes in this process; tell whether it took any.

        >>> db.models.unload("minilm") in (True, False)
        True
        """
        had_tokenizer = unload_tokenizer(check_text(model, name="model"))
        try:
            had_model = unload_model(model)
        except StrataError:
            had_model = False  # an endpoint's model takes memory there, not here
        return had_tokenizer or had_model


_TIMEOUT_MS_MAX = int(limits.ENDPOINT_TIMEOUT_S * 60_000)
