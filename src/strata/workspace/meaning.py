"""What the models make of a question: joins embedders, vectors and search."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, NamedTuple

from strata.base import limits
from strata.base.embedder import TextInContext
from strata.base.errors import StrataError
from strata.models import (
    Embedder,
    Loader,
    MiniLM,
    is_shipped,
    judge_loader,
    loader,
)
from strata.search import (
    Embeddings,
    Model,
    Passage,
    PassageRequest,
    Passes,
    TokenQuestion,
    VectorIndex,
)
from strata.sql import Read
from strata.workspace.settings import Settings, api_key
from strata.workspace.trust_notes import HINT, distrust_of, is_trusted

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

# The main model reads all texts. Once one of them is in a script that it cannot read, the
# multilingual model reads those, and memories, which are linked across languages. It reads the
# others only where a question in such a script was asked, and last of all.
MAIN, MULTILINGUAL, CROSSLINGUAL = "main", "multilingual", "crosslingual"
SCOPES = {MULTILINGUAL: True, CROSSLINGUAL: False}
_SHIPPED = {MAIN: "minilm", MULTILINGUAL: "multilingual", CROSSLINGUAL: "multilingual"}
_ACROSS = (MULTILINGUAL, CROSSLINGUAL)
# Questions whose vectors are kept: those of all threads that search at once, and repeated ones.
_QUESTIONS_MAX = 64


class Loaders:
    """Finds the models that make a store's vectors, whichever process chose them.

    A model that answers is found as long as its vectors do, also while another is to replace it.
    """

    def __init__(self, embeddings: Embeddings) -> None:
        self._embeddings = embeddings
        # What this process was given, by id: no name leads to it.
        self._given: dict[str, Loader[Embedder]] = {}
        self.roles: tuple[str, ...] = (MAIN,)
        known = {model.role for model in embeddings.models()}
        for role in (MULTILINGUAL, CROSSLINGUAL):
            if role in known:
                self.add(role)

    def add(self, role: str) -> bool:
        """Take a role in; tell whether it is a new one."""
        is_new = role not in self.roles
        if is_new:
            self.roles = (*self.roles, role)
        return is_new

    def give(self, embedder: Embedder) -> None:
        """Let an embedder of this process's own be found."""
        self._given[embedder.id] = Loader(embedder.name, lambda: embedder)

    def find(self, name: str, id_: str) -> Loader[Embedder] | None:
        """Return what loads a model.

        None for one that its own program has to give, and for one that is named by a store
        that is not trusted: an endpoint would be sent texts, and a folder may hold anything.
        """
        if id_ in self._given:
            return self._given[id_]
        if not self._may_load(name):
            return None
        try:
            return loader(name, api_key)
        except StrataError:
            return None

    def _may_load(self, name: str) -> bool:
        return is_shipped(name) or is_trusted(self._embeddings.store)

    def of_role(self, role: str) -> Loader[Embedder] | None:
        """Return what loads the model that answers in a role, or is to be its first."""
        for model in self._embeddings.live(role):
            return self.find(model.name, model.embedder)
        return loader(_SHIPPED[role])

    def embedder(self, name: str, id_: str, timeout_s: float) -> Embedder | None:
        """Return a model, waiting while it loads; None when the right one cannot be had."""
        found = self.find(name, id_)
        try:
            embedder = None if found is None else found.wait(timeout_s)
        except StrataError:
            # Without the model the words still answer, and the status says why.
            return None
        return embedder if embedder is not None and embedder.id == id_ else None

    def are_ready(self) -> bool:
        """Tell whether all models that answer are loaded, so that no caller would wait for one."""
        found = [self.of_role(role) for role in self.roles]
        return all(loader is not None and loader.state == "ready" for loader in found)

    def is_coming(self, name: str, id_: str) -> bool:
        """Begin to load a model that is not there; tell whether it may be there soon."""
        found = self.find(name, id_)
        return found is not None and found.get() is None and found.state == "loading"

    def reason(self, model: Model) -> str | None:
        """Say why a model cannot be used here; None when nothing is known against it."""
        found = self.find(model.name, model.embedder)
        if found is None and not self._may_load(model.name):
            return f"It is not used: {distrust_of(self._embeddings.store)}. {HINT}"
        if found is None:
            return "A program chose it, and has to give it again: db.embeddings.use(…)."
        state = found.state
        if state == "absent":
            return "It is not installed."
        if self._embeddings.is_outdated(model.embedder):
            return "An earlier edition made its vectors: they are made anew."
        embedder = found.get() if state == "ready" else None
        if embedder is not None and embedder.id != model.embedder:
            return "Its vectors are of another edition: rebuild them."
        return found.reason

    def no_model(self) -> str | None:
        """Say why there is no model to begin with; None when there is one."""
        found = self.of_role(MAIN)
        if self._embeddings.live(MAIN) or found is None:
            return None
        if found.state == "absent":
            return f"The model {found.name} is not installed: search goes by words only."
        return found.reason


class Getter:
    """Gets the embedders of a role for the follower, waiting while they load."""

    def __init__(self, loaders: Loaders, role: str) -> None:
        self._loaders = loaders
        self._role = role

    def __call__(self, model: Model | None) -> Embedder | None:
        """Return a model's embedder, or the role's first one; None when it cannot be had."""
        if model is not None:
            return self._loaders.embedder(model.name, model.embedder, limits.MODEL_WAIT_S)
        found = self._loaders.of_role(self._role)
        try:
            return None if found is None else found.wait(limits.MODEL_WAIT_S)
        except StrataError:
            return None


class StoreMeaning:
    """Compares questions with the vectors of one store."""

    def __init__(
        self,
        embeddings: Embeddings,
        loaders: Loaders,
        *,
        on_question: Callable[[], None],
        add: Callable[[str], None],
    ) -> None:
        self._store = embeddings.store
        self._on_question = on_question
        # Lets the texts of a role be followed.
        self._add = add
        self._embeddings = embeddings
        self._loaders = loaders
        self._indexes: dict[str, VectorIndex] = {}
        self._lock = threading.Lock()
        # By text and embedder, the last one asked at the end.
        self._questions: OrderedDict[tuple[str, str], EncodedQuestion] = OrderedDict()

    def reads(self) -> Iterator[Read]:
        """Yield what is read before every question to see whether anything is new."""
        yield from self._embeddings.reads_of((*_ACROSS, MAIN))

    def prepare(self, question: str, *, is_foreign: bool, is_korean: bool, waits: bool) -> None:
        """Let the models read a question, which takes long, before anything is locked."""
        if is_foreign:
            self._add(MULTILINGUAL)
            self._add(CROSSLINGUAL)
        # What these two lack is made like everything else that is pending.
        self._on_question()
        roles = self._loaders.roles
        if is_foreign:
            roles = (*_ACROSS, MAIN) if is_korean else _ACROSS
        for role in roles:
            index = self._index(role)
            if not index.refresh(self._loaders.is_coming):
                continue
            # Beside the others, the main model is asked for its tokens alone.
            if role != MAIN or not is_foreign or index.has_tokens:
                wait_s = limits.MODEL_WAIT_S if waits else limits.MODEL_WAIT_AUTO_S
                self._read(index, question, wait_s)

    def vectors(self, question: str, versions: "Array") -> "Array | None":
        """Return how near each version's meaning is, from -1 to 1."""
        return self._cosines(MAIN, question, versions)

    def languages(self, question: str, versions: "Array") -> "Array | None":
        """Return how near each version's meaning is across languages, from -1 to 1."""
        # Search asks for it where there are texts, or a question, in other scripts.
        self._add(MULTILINGUAL)
        return _either([self._cosines(role, question, versions) for role in _ACROSS])

    def usual(self, question: str, *, is_foreign: bool) -> float | None:
        """Return how near a question, once read, is to texts that have nothing to do with it."""
        for role in _ACROSS if is_foreign else (MAIN,):
            embedder = self._index(role).embedder
            read = self._questions.get((question, embedder)) if embedder else None
            if read is not None:
                return read.usual
        return None

    def nearest(
        self, question: str, k: int, *, is_foreign: bool, is_korean: bool, passes: Passes
    ) -> "Array | None":
        """Return the versions whose meaning is nearest, of those that pass.

        The main model reads Korean too: it finds what the others have not read yet.
        """
        import numpy

        roles: list[tuple[str, ...]] = [_ACROSS if is_foreign else (MAIN,)]
        if is_foreign and is_korean and self._index(MAIN).has_tokens and self._waits(CROSSLINGUAL):
            roles.append((MAIN,))
        nearest = [self._nearest(question, k, roles=one, passes=passes) for one in roles]
        found = [versions for versions in nearest if versions is not None]
        return numpy.concatenate(found) if found else None

    def _nearest(
        self, question: str, k: int, *, roles: tuple[str, ...], passes: Passes
    ) -> "Array | None":
        """Return the nearest by roles whose cosines can be compared, nearest first."""
        import numpy

        found = [
            index.nearest(read.vector, k, passes)
            for index in map(self._index, roles)
            if (read := self._read(index, question)) is not None
        ]
        if not found:
            return None
        versions, cosines = map(numpy.concatenate, zip(*found, strict=True))
        return versions[numpy.lexsort((-versions, -cosines))[:k]]

    def _waits(self, role: str) -> bool:
        """Tell whether texts of a role wait for their vectors."""
        live = self._embeddings.live(role)[:1]
        return not live or self._embeddings.pending(live[0]) > 0

    def words(self, question: str, versions: "Array") -> "Array | None":
        """Return how well each version's words mean what the question's do, from 0 to 1."""
        index = self._index(MAIN)
        with index.lock:
            read = self._read(index, question) if index.has_tokens else None
            if read is None or read.tokens is None or read.token_ids is None:
                return None
            if not len(read.tokens):
                return None
            tokens, weights = read.tokens.astype("f4") / 127, index.token_weights(read.token_ids)
            return index.token_scores(TokenQuestion(read.vector, tokens, weights), versions)

    def passages(self, wanted: PassageRequest, texts: Mapping[int, str]) -> dict[int, Passage]:
        """Return of each version's text the passage that answers best."""
        index = self._index(MAIN)
        with index.lock:
            read = self._read(index, wanted.question) if index.has_tokens else None
            if read is None or read.tokens is None or not len(read.tokens):
                return {}
            embedder = self._loaders.embedder(index.name, index.embedder or "", 0.0)
            if embedder is None:
                return {}
            query = read.tokens.astype("f4") / 127
            return index.passages(query, texts, embedder=embedder, wanted=wanted)

    def judge(self, question: str, texts: Sequence[TextInContext]) -> Sequence[float]:
        """Return how well each of the first texts answers, given it and the text before it."""
        if Settings(self._store).get("judging") != "on":
            return ()
        try:
            judge = judge_loader().wait(limits.MODEL_WAIT_AUTO_S)
        except StrataError:
            return ()  # The order of words and vectors stays.
        return () if judge is None else judge.score(question, texts)

    def followed(self) -> int:
        """Return the version up to which every text has its vectors; 0 without a model."""
        last = self._store.last_version()
        # What is read for questions in other scripts alone is not waited for.
        roles = [role for role in self._loaders.roles if role != CROSSLINGUAL]
        models = [self._embeddings.live(role)[:1] for role in roles]
        if not models[0]:
            return 0
        waiting = (one for found in models for one in found if self._embeddings.pending(one))
        return min([last, *map(self._embeddings.followed, waiting)])

    def matrices(self, versions: "Array") -> "list[Array]":
        """Return unit vectors of versions by each model that has some, the main one first."""
        if not self._index(MAIN).refresh():
            return []
        main = self._index(MAIN).vectors(versions)
        across = _either([self._vectors(role, versions) for role in _ACROSS])
        return [main] if across is None else [main, across]

    def likeness(self, own: "Array", versions: "Array", *, is_foreign: bool) -> "Array | None":
        """Return how near each version is to what some versions mean together."""
        roles = _ACROSS if is_foreign else (MAIN,)
        found = _either([self._vectors(role, own) for role in roles])
        known = None if found is None else found[found[:, 0] == found[:, 0]]
        if known is None or not len(known):  # a vector that is still to be made is NaN
            return None
        middle = known.sum(axis=0)
        return _either([self._index(role).cosines(middle, versions) for role in roles])

    def _vectors(self, role: str, versions: "Array") -> "Array | None":
        index = self._index(role)
        with index.lock:
            return index.vectors(versions) if index.refresh() else None

    def pending(self) -> int:
        """Return how many texts that a search finds wait for their vectors."""
        # A question in another script alone makes no work for a store without such texts.
        return self._embeddings.pending_in_search(MAIN)

    def forget(self) -> None:
        """Drop the vectors in memory, and the questions."""
        with self._lock:
            self._indexes.clear()
            self._questions.clear()

    def _cosines(self, role: str, question: str, versions: "Array") -> "Array | None":
        index = self._index(role)
        # Another thread may follow a change of model at any moment; not between these two.
        with index.lock:
            read = self._read(index, question)
            return None if read is None else index.cosines(read.vector, versions)

    def _read(
        self, index: VectorIndex, question: str, wait_s: float = 0.0
    ) -> "EncodedQuestion | None":
        """Return a question as the model reads it whose vectors are in the index."""
        if index.embedder is None:
            return None
        key = (question, index.embedder)
        with self._lock:
            if key in self._questions:
                self._questions.move_to_end(key)
                return self._questions[key]
        embedder = self._loaders.embedder(index.name, index.embedder, wait_s)
        read = None if embedder is None else _encoded(question, embedder)
        if read is None:
            return None
        with self._lock:
            self._questions[key] = read
            while len(self._questions) > _QUESTIONS_MAX:
                self._questions.popitem(last=False)
        return read

    def _index(self, role: str) -> VectorIndex:
        with self._lock:
            if role not in self._indexes:
                self._indexes[role] = VectorIndex(self._store, role)
            return self._indexes[role]


def _either(found: "list[Array | None]") -> "Array | None":
    """Return what the first of several indexes knows, and the next where it knows nothing."""
    import numpy

    known = [one for one in found if one is not None]
    if not known:
        return None
    return reduce(lambda one, other: numpy.where(numpy.isnan(one), other, one), known)


class EncodedQuestion(NamedTuple):
    """A question as a model reads it.

    `usual` is how near it is to texts that have nothing to do with it, where the model knows.
    """

    vector: "Array"
    usual: float | None = None
    tokens: "Array | None" = None
    token_ids: "Array | None" = None


def _encoded(question: str, embedder: Embedder) -> EncodedQuestion | None:
    """Have a model read a question; None when it cannot, for then the words answer."""
    if isinstance(embedder, MiniLM):
        found = embedder.encode(question)
        usual = float(found.vector @ embedder.centre)
        return EncodedQuestion(found.vector, usual, found.tokens, found.token_ids)
    from strata.models import Multilingual  # noqa: PLC0415  (the main one may read all questions)

    try:
        vector = embedder.embed([question], kind="query")[0]
        is_known = isinstance(embedder, Multilingual)
        return EncodedQuestion(vector, float(vector @ embedder.centre) if is_known else None)
    except Exception as error:  # noqa: BLE001  (an endpoint, or a user's function)
        import logging  # noqa: PLC0415  (7 ms that only a failure needs)

        logging.getLogger(__name__).warning(
            "%s could not read a question: %s", embedder.name, error
        )
        return None
