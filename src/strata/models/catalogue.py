"""Which models there are, and in what state: the shipped ones, and those of installed libraries."""

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Literal, NamedTuple

from strata.base.errors import InvalidArgument, NotFound, Unavailable
from strata.base.results import Result
from strata.models import judge, minilm, multilingual
from strata.models.embedder import Embedder
from strata.models.endpoint import Endpoint
from strata.models.extras import FastEmbed, SentenceTransformers
from strata.models.files import Files
from strata.models.loading import Loader, Model, State
from strata.models.remote import EndpointEmbedder

Origin = Literal["shipped", "library", "endpoint"]


class ModelInfo(Result, frozen=True):
    """What is known about one model, or about a library that has models."""

    name: str
    origin: Origin
    state: State
    about: str
    dimension: int | None = None
    languages: tuple[str, ...] = ()
    size_bytes: int | None = None
    reason: str | None = None
    task: Literal["embed", "judge", "generate"] = "embed"
    architecture: str | None = None
    quantization: str | None = None
    path: str | None = None

    @property
    def is_local(self) -> bool:
        """Whether it lies on this disk."""
        if self.origin == "shipped":
            return self.state != "absent"
        return self.origin == "library" and (self.path is not None or self.state == "ready")


_EXTRAS: dict[str, Callable[..., Embedder]] = {
    FastEmbed.library: FastEmbed,
    SentenceTransformers.library: SentenceTransformers,
}

_ENDPOINT = "endpoint:"


def _has_files(model: str) -> bool:
    try:
        return not Files(model).missing()
    except Unavailable:
        return False


class _Shipped(NamedTuple):
    """A model that comes with the installation: its loader, and what users see of it."""

    loader: Loader[Embedder] | Loader[judge.Judge]
    about: str
    languages: tuple[str, ...]
    architecture: str
    quantization: str
    dimension: int | None = None
    task: Literal["embed", "judge"] = "embed"


def _from_files(name: str, load: Callable[[], Model]) -> Loader[Model]:
    return Loader(name, load, is_installed=lambda: _has_files(name))


# One loader for the whole process: two stores opened side by side share the weights.
_LOADERS: dict[str, Loader[Embedder]] = {
    minilm.NAME: _from_files(minilm.NAME, minilm.MiniLM),
    multilingual.NAME: _from_files(multilingual.NAME, multilingual.Multilingual),
}
_JUDGE = _from_files(judge.NAME, judge.Judge)
_SHIPPED = {
    minilm.NAME: _Shipped(
        _LOADERS[minilm.NAME],
        "all-MiniLM-L6-v2 trained further for English and Korean, int8",
        minilm.MiniLM.languages,
        "bert",
        "int8",
        minilm.DIMENSION,
    ),
    multilingual.NAME: _Shipped(
        _LOADERS[multilingual.NAME],
        "universal-sentence-encoder-multilingual 3",
        multilingual.Multilingual.languages,
        "cnn",
        "uint8",
        multilingual.DIMENSION,
    ),
    judge.NAME: _Shipped(
        _JUDGE,
        "reads question and text together, to order what is found in conversations, int8",
        judge.Judge.languages,
        "bert",
        "int8",
        task="judge",
    ),
}
_EMBEDDERS = tuple(_LOADERS)
# Where libraries keep what this process had them download.
_PULLED: dict[str, str] = {}


def loader(name: str, api_key: Callable[[str], str | None] = lambda _url: None) -> Loader[Embedder]:
    """Return the loader of a model: `minilm`, `multilingual`, `LIBRARY:MODEL`, or
    `endpoint:URL#MODEL`, for whose URL `api_key` is asked whenever it is loaded.

    Raises `NotFound` for any other name, `InvalidArgument` for a URL that is none. It is the
    same loader for the whole process.
    """
    if name not in _LOADERS:
        made = _endpoint(name, api_key) if name.startswith(_ENDPOINT) else _library(name)
        # Another thread may have been quicker; then its loader serves both.
        return _LOADERS.setdefault(name, made)
    return _LOADERS[name]


def judge_loader() -> Loader[judge.Judge]:
    """Return the loader of the model that reads question and text together."""
    return _JUDGE


def unload_model(name: str) -> bool:
    """Give back the memory that a model takes in this process; tell whether it took any."""
    return (_JUDGE if name == judge.NAME else loader(name)).unload()


def _library(name: str) -> Loader[Embedder]:
    library, model = _split(name)
    make = _EXTRAS[library]
    return Loader(name, lambda: make(model), is_installed=lambda: _is_installed(library))


def _endpoint(name: str, api_key: Callable[[str], str | None]) -> Loader[Embedder]:
    url, _, model = name.removeprefix(_ENDPOINT).rpartition("#")
    if not url or not model:
        raise _unknown(name)
    Endpoint(url)  # a wrong URL raises now, not at the first request

    def load() -> Embedder:
        found = EndpointEmbedder(Endpoint(url, api_key=api_key(url)), model)
        # Asked here, where a failure is remembered and told.
        assert found.dimension > 0, "an endpoint gives vectors"
        return found

    return Loader(name, load)


def is_shipped(name: str) -> bool:
    """Tell whether a model of vectors came with the installation: it needs no other machine."""
    return name in _EMBEDDERS


def is_outdated(id_: str) -> bool:
    """Tell by its id whether an embedder is an earlier edition of a shipped model."""
    return id_ in minilm.EARLIER


def list_models(endpoints: Sequence[EndpointEmbedder] = ()) -> list[ModelInfo]:
    """Say what there is. Reads no weights and asks no endpoint."""
    return [
        *(_shipped_info(name) for name in _SHIPPED),
        *(_library_info(name) for name in _EXTRAS),
        *(_loader_info(name) for name in _LOADERS if name not in _SHIPPED),
        *(_endpoint_info(one) for one in endpoints),
    ]


def verify_model(name: str) -> ModelInfo:
    """Compare the files of a shipped model with their checksums; raise `Unavailable`."""
    if name not in _SHIPPED:
        raise InvalidArgument(f"{name} is not a shipped model.", parameter="name")
    Files(name).verify(again=True)
    return _shipped_info(name)


def pull(name: str) -> ModelInfo:
    """Let a library download a model, such as `fastembed:BAAI/bge-small-en-v1.5`.

    This is the only thing in Strata that fetches weights. A shipped model is verified instead.
    """
    if name in _SHIPPED:
        return verify_model(name)
    library, model = _split(name)
    made = _EXTRAS[library](model, may_download=True)
    _PULLED[name] = str(getattr(made, "path", ""))
    loader(name)
    return _loader_info(name)


def _split(name: str) -> tuple[str, str]:
    library, _, model = name.partition(":")
    if library not in _EXTRAS or not model:
        raise _unknown(name)
    return library, model


def _unknown(name: str) -> NotFound:
    known = (*_EMBEDDERS, *(f"{library}:MODEL" for library in _EXTRAS), f"{_ENDPOINT}URL#MODEL")
    return NotFound(f"There is no model {name!r}.", hint=f"There are {', '.join(known)}.")


def _shipped_info(name: str) -> ModelInfo:
    one = _SHIPPED[name]
    size: int | None = None
    path: str | None = None
    reason = one.loader.reason
    try:
        files = Files(name)
        path = str(files.folder)
        size = sum(part.size_bytes for part in files.parts().values())
        missing = files.missing()
        reason = f"missing or cut short: {', '.join(missing)}" if missing else reason
    except Unavailable as problem:
        reason = str(problem)
    return ModelInfo(
        name=name,
        origin="shipped",
        state=one.loader.state,
        about=one.about,
        dimension=one.dimension,
        languages=one.languages,
        size_bytes=size,
        reason=reason,
        task=one.task,
        architecture=one.architecture,
        quantization=one.quantization,
        path=path,
    )


def _library_info(library: str) -> ModelInfo:
    state: State = "not loaded" if _is_installed(library) else "absent"
    hint = None if state != "absent" else f"pip install 'strata-workspace[{library}]'"
    about = f"any model that {library} knows, as {library}:MODEL"
    return ModelInfo(name=library, origin="library", state=state, about=about, reason=hint)


def _loader_info(name: str) -> ModelInfo:
    one = _LOADERS[name]
    origin: Origin = "endpoint" if name.startswith(_ENDPOINT) else "library"
    about = f"through {name.partition(':')[0]}"
    return ModelInfo(
        name=name,
        origin=origin,
        state=one.state,
        about=about,
        reason=one.reason,
        path=_PULLED.get(name),
    )


def _endpoint_info(embedder: EndpointEmbedder) -> ModelInfo:
    about = f"at {embedder.url}"
    return ModelInfo(
        name=embedder.name,
        origin="endpoint",
        state="not loaded",
        about=about,
        dimension=embedder.known_dimension,
    )


def _is_installed(library: str) -> bool:
    return find_spec(library.replace("-", "_")) is not None
