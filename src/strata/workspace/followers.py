"""What is derived from a store and trails its commits: kept once for all views of it."""

from strata.base import limits
from strata.base.errors import StrataError
from strata.memory import Matrices
from strata.models import Embedder, Loader, loader
from strata.search import Embeddings, Follower, Following, Search, Status, Texts, text_of_row
from strata.sql import Row
from strata.store import Store
from strata.upkeep import Leases
from strata.workspace.meaning import MAIN, MULTILINGUAL, StoreMeaning


class Followers:
    """The arrays behind vector collections and search, and the thread that makes vectors."""

    def __init__(self, store: Store, *, auto_embed: bool = False) -> None:
        self._store = store
        self.matrices = Matrices()
        self.embeddings = Embeddings(store)
        self._loaders: dict[str, Loader] = {}
        self._getters: dict[str, Getter] = {}
        self.follow_with(MAIN, loader("minilm"))
        if any(model.role == MULTILINGUAL for model in self.embeddings.models()):
            self._add_multilingual()
        self.meaning = StoreMeaning(
            self.embeddings, self._loaders, on_foreign=self._add_multilingual
        )
        self.search = Search(store, self.meaning)
        self.following = Following(self._follower())
        if auto_embed and not store.database.read_only:
            store.after_commit = self._begin

    def _follower(self) -> Follower:
        return Follower(
            self.embeddings, self._getters, texts=Texts(self._text_of, self._before),
            leases=Leases(self._store),
        )  # fmt: skip

    def follow_with(self, role: str, model: Loader) -> None:
        """Let a model make the vectors of a role."""
        self._loaders[role] = model
        self._getters[role] = Getter(model)

    def _add_multilingual(self) -> None:
        """Follow with the multilingual model too: something here is not in English."""
        if MULTILINGUAL not in self._loaders:
            self.follow_with(MULTILINGUAL, loader("multilingual"))

    def model(self, role: str) -> Loader:
        """Return the model that makes the vectors of a role."""
        return self._loaders[role]

    def roles(self) -> tuple[str, ...]:
        """Return what vectors are made for: `main`, and `multilingual` where it is needed."""
        return tuple(self._loaders)

    def status(self) -> Status:
        """Return how far the vectors are."""
        return self.embeddings.status(self.roles())

    def start(self) -> None:
        """Make vectors in the background from now on."""
        self._store.after_commit = self.following.wake
        self.following.start()

    def _begin(self) -> None:
        """Start with the first commit: a program that only reads needs no thread."""
        self.start()
        self.following.wake()

    def _text_of(self, row: Row) -> str:
        kind = self._store.shelf_name(row[6])[1]
        return text_of_row(kind, (row[0], row[1], row[2], row[3], row[4]))

    def _before(self, version: int) -> int | None:
        corpus = self.search.corpus
        with corpus.lock:
            if corpus.upto < version:
                corpus.refresh()
            if corpus.has_foreign:
                self._add_multilingual()
            return corpus.before(version)

    def forget(self) -> None:
        """Drop everything held in memory, after values were erased or trimmed."""
        self.matrices.forget()
        self.search.forget()
        self.meaning.forget()

    def close(self) -> None:
        """Stop the work in the background."""
        self.following.stop()


class Getter:
    """Gets a role's embedder for the follower, waiting while it loads."""

    def __init__(self, model: Loader) -> None:
        self._model = model

    def __call__(self) -> Embedder | None:
        """Return the embedder, or None when it cannot be had."""
        try:
            return self._model.wait(limits.MODEL_WAIT_S)
        except StrataError:
            return None
