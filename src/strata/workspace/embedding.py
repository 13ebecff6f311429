"""Embeddings as the workspace offers them: how far they are, waiting, another model."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from strata.base import limits
from strata.base.checks import check_many, check_text
from strata.base.errors import Unavailable
from strata.models import Embedder, Loader, loader
from strata.search import Status
from strata.workspace.followers import Followers
from strata.workspace.meaning import MAIN

if TYPE_CHECKING:
    from strata.models.embedder import Vectors


class EmbeddingRoom:
    """The vectors behind search by meaning. Reached as `db.embeddings`."""

    def __init__(self, followers: Followers) -> None:
        self._followers = followers

    def status(self) -> Status:
        """Return how far the vectors are.

        >>> db.embeddings.status().pending
        0
        """
        return self._followers.status()

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
        for role in self._followers.roles():
            self._followers.embeddings.rebuild(role)
        self._followers.start()
        self._followers.following.wake()

    def use(self, model: "str | Embedder") -> None:
        """Change the model; its vectors are made in the background, the old ones answer.

        A name is one of `strata models list`. An embedder of your own serves this process;
        give it again whenever you open the store.

        >>> db.embeddings.use("minilm")
        """
        found = loader(model) if isinstance(model, str) else Loader(model.name, lambda: model)
        embedder = found.wait(limits.MODEL_WAIT_S)
        if embedder is None:
            raise Unavailable(
                f"The model {found.name} takes too long to load.", hint="Try again.",
            )  # fmt: skip
        self._followers.follow_with(MAIN, found)
        self._followers.embeddings.use(MAIN, embedder)
        self._followers.start()
        self._followers.following.wake()

    def retry(self) -> int:
        """Try again what could not be embedded; return how many texts that are.

        >>> db.embeddings.retry()
        0
        """
        return sum(self._followers.embeddings.retry(role) for role in self._followers.roles())

    def embed(self, text: str) -> "Vectors":
        """Return the vector of a text by the model in use.

        >>> db.embeddings.embed("안녕하세요").shape
        (384,)
        """
        return self.embed_many([check_text(text, name="text")])[0]

    def embed_many(self, texts: Sequence[str]) -> "Vectors":
        """Return the vectors of several texts, one row each.

        >>> db.embeddings.embed_many(["one", "둘"]).shape
        (2, 384)
        """
        given = [check_text(text, name="texts") for text in check_many(texts, name="texts")]
        embedder = self._followers.model(MAIN).wait(limits.MODEL_WAIT_S)
        if embedder is None:
            raise Unavailable("The model takes too long to load.", hint="Try again.")
        return embedder.embed(given)
