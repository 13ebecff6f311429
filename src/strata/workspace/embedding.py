"""Embeddings as the workspace offers them: how far they are, waiting, another model."""

from collections.abc import Sequence

from msgspec.structs import replace

from strata.base import limits
from strata.base.checks import check_many, check_text
from strata.base.errors import InvalidArgument, StrataError, Unavailable
from strata.models import Embedder, Loader, Vectors, is_shipped, loader
from strata.search import ModelStatus, Status
from strata.workspace.followers import Followers
from strata.workspace.meaning import MAIN
from strata.workspace.settings import api_key
from strata.workspace.trust_notes import require_trust


class StoreEmbeddings:
    """The vectors behind search by meaning. Reached as `db.embeddings`."""

    def __init__(self, followers: Followers, *, is_whole: bool) -> None:
        self._followers = followers
        self._is_whole = is_whole

    def status(self) -> Status:
        """Return how far the vectors are.

        >>> db.embeddings.status().pending
        0
        """
        found = self._followers.status()
        return found if self._is_whole else _without_documents(self._followers, found)

    @property
    def is_automatic(self) -> bool:
        """Whether this process makes the vectors of what is written by itself."""
        return self._followers.is_automatic

    @property
    def is_working(self) -> bool:
        """Whether this process has a thread that makes vectors."""
        return self._followers.following.is_running

    def start(self, *, after_s: float = 0.0) -> None:
        """Make pending vectors in the background from now on, or after a pause.

        Without this a program starts with its first commit or search.

        >>> db.embeddings.start()
        >>> db.embeddings.is_working
        True
        """
        self._followers.start(after_s=after_s)

    def wait(self, timeout_s: float = 3600.0) -> bool:
        """Make what is pending, here or in whatever process has the turn; wait for its end.

        >>> _ = db.kv.put("k", "Prices are cached for sixty seconds")
        >>> db.embeddings.wait()
        True
        """
        self._followers.start()
        return self._followers.following.wait(timeout_s)

    def rebuild(self) -> None:
        """Make all vectors anew in the background; the old ones answer until then.

        >>> db.embeddings.rebuild()
        """
        for role in self._followers.loaders.roles:
            self._rebuild(role)
        self._go_on()

    def _rebuild(self, role: str) -> None:
        """Begin a role's vectors anew, by the model of that name as it is here."""
        embeddings, loaders = self._followers.embeddings, self._followers.loaders
        for model in embeddings.live(role)[:1]:
            found = loaders.find(model.name, model.embedder)
            embedder = _loaded(found) if found is not None else None
            if embedder is None or embedder.id == model.embedder:
                embeddings.rebuild(role)
            else:
                embeddings.use(role, embedder, name=model.name)

    def _go_on(self) -> None:
        self._followers.start()
        self._followers.following.wake()

    def use(self, model: "str | Embedder") -> None:
        """Change the model; its vectors are made in the background, the old ones answer.

        A name is one of `strata models list`, or `endpoint:URL#MODEL` for an OpenAI-compatible
        server, whose key is read from STRATA_API_KEY; the store remembers it. An
        embedder of your own serves this process; give it again whenever you open the store.

        >>> db.embeddings.use("minilm")
        """
        if isinstance(model, str):
            if not is_shipped(check_text(model, name="model")):
                require_trust(self._followers.embeddings.store, f"{model} would not be used")
            embedder, name = _required(loader(model, api_key)), model
        else:
            embedder, name = _checked(model), getattr(model, "address", model.name)
            self._followers.loaders.give(embedder)
        self._followers.embeddings.use(MAIN, embedder, name=name)
        self._followers.look_again(MAIN)
        self._go_on()

    def retry(self) -> int:
        """Try again what could not be embedded; return how many texts that are.

        >>> db.embeddings.retry()
        0
        """
        return sum(self._followers.embeddings.retry(role) for role in self._followers.loaders.roles)

    def embed(self, text: str) -> Vectors:
        """Return the vector of a text by the model in use.

        >>> db.embeddings.embed("안녕하세요").shape
        (384,)
        """
        return self.embed_many([check_text(text, name="text")])[0]

    def embed_many(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of several texts, one row each.

        >>> db.embeddings.embed_many(["one", "둘"]).shape
        (2, 384)
        """
        given = [check_text(text, name="texts") for text in check_many(texts, name="texts")]
        found = self._followers.loaders.of_role(MAIN)
        if found is None:
            [model, *_] = self._followers.embeddings.live(MAIN)
            raise Unavailable(
                f"The model {model.name} cannot be used here.",
                hint=self._followers.loaders.reason(model),
            )
        return _required(found).embed(given)


def _checked(model: Embedder) -> Embedder:
    if not callable(getattr(model, "embed", None)):
        raise InvalidArgument(
            f"{model!r} is neither the name of a model nor an embedder.",
            hint="Wrap a function: CallableEmbedder(function, name=…, dimension=…).",
            parameter="model",
        )
    return model


def _required(found: Loader[Embedder]) -> Embedder:
    """Return a model, waiting while it loads; raise Unavailable when it cannot be had."""
    embedder = found.wait(limits.MODEL_WAIT_S)
    if embedder is None:
        raise Unavailable(f"The model {found.name} takes too long to load.", hint="Try again.")
    return embedder


def _loaded(found: Loader[Embedder]) -> Embedder | None:
    try:
        return found.wait(limits.MODEL_WAIT_S)
    except StrataError:
        return None


def _without_documents(followers: Followers, status: Status) -> Status:
    """Leave the texts of documents out: how many there are is not for everybody."""
    embeddings = followers.embeddings
    models, hidden = list[ModelStatus](), 0
    for model, known in zip(embeddings.models(), status.models, strict=False):
        embedded, failed, redo = embeddings.guarded_vectors(model)
        is_live = model.state != "retired"
        behind = embeddings.guarded_texts(model.role, embeddings.followed(model))
        pending = redo + behind if is_live else 0
        hidden += pending
        models.append(
            replace(
                known,
                embedded=known.embedded - embedded,
                failed=known.failed - failed,
                pending=known.pending - pending,
            )
        )
    roles = {model.role for model in models if model.state != "retired"}
    hidden += sum(embeddings.guarded_texts(role) for role in {*followers.loaders.roles} - roles)
    return replace(status, pending=status.pending - hidden, models=tuple(models))
