"""Small deterministic embedders: texts that share words lie near each other."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from strata import Workspace
from strata.base.errors import Unavailable
from strata.search.vectors.embeddings import Embeddings
from strata.search.vectors.follow import Follower, Texts
from strata.sql import Row
from strata.store import Store, value_of
from tests.databases import rows_of

DIMENSION = 32
TOKEN_DIMENSION = 8
BAD = "독이 든"


class Encoded(NamedTuple):
    vector: Any
    tokens: Any
    token_ids: Any


class Words:
    """Embeds a text as the sum of its words' vectors. Counts what it is asked for."""

    languages: tuple[str, ...] = ()

    def __init__(self, name: str = "words", *, tokens_max: int = 34) -> None:
        self.id = f"{name}-1"
        self.name = name
        self.dimension = DIMENSION
        self.tokens_max = tokens_max
        self.asked: list[str] = []
        self.is_away = False
        self.meanwhile: Callable[[], object] = lambda: None

    def embed(self, texts: Sequence[str], kind: str = "document") -> Any:
        return np.stack([self.vector(text) for text in texts])

    def vector(self, text: str) -> Any:
        if self.is_away:
            raise Unavailable("The model is away.")
        if BAD in text:
            raise RuntimeError("이 글은 못 읽습니다")
        self.asked.append(text)
        self.meanwhile()
        return unit(sum((vector_of(word) for word in text.split()), np.zeros(DIMENSION)))

    def count(self, text: str) -> int:
        return len(text.split())


class Tokens(Words):
    """The same, which also reads a text behind another one and gives vectors of its words."""

    def encode(self, text: str, before: str = "") -> Encoded:
        words = text.split()
        own = self.vector(text)
        shaded = unit(own + 0.25 * unit(sum((vector_of(w) for w in before.split()), own * 0)))
        rows = [unit(vector_of(word)[:TOKEN_DIMENSION]) for word in words]
        tokens = np.rint(np.array(rows).reshape(-1, TOKEN_DIMENSION) * 127).astype(np.int8)
        return Encoded(shaded, tokens, np.array([token_id(word) for word in words], np.int32))


def vector_of(word: str) -> Any:
    return np.random.default_rng(crc32(word.encode())).standard_normal(DIMENSION)


def token_id(word: str) -> int:
    return crc32(word.encode()) % 5_000


def unit(vector: Any) -> Any:
    return (vector / (np.linalg.norm(vector) or 1.0)).astype(np.float32)


def text_of(row: Row) -> str:
    value = value_of(row[:5])
    return value if isinstance(value, str) else ""


def follower(db: Workspace, **embedders: Any) -> Follower:
    """A follower of the roles given by name; an embedder may be None for one not at hand."""
    return Follower(
        Embeddings(store_of(db)),
        {role: (lambda _model, found=found: found) for role, found in embedders.items()},
        texts=Texts(text_of),
        leases=db.leases,
    )


def store_of(db: Workspace) -> Store:
    return db._store


def run(following: Follower) -> int:
    """Do everything there is to do; return how many steps it took."""
    steps = 0
    while following.step():
        steps += 1
        assert steps < 1000
    return steps


def embedded(db: Workspace, model: int | None = None) -> dict[int, int | None]:
    """Return the embedding of every version, by its number, of one model or the first one."""
    statement = "SELECT model, version, number FROM embedded WHERE ws = :ws"
    rows = rows_of(db._store.database, statement)
    first = min((row[0] for row in rows), default=0)
    return {row[1]: row[2] for row in rows if row[0] == (model or first)}


def counted(db: Workspace, table: str) -> int:
    """Return how many rows a table has."""
    ((count,),) = rows_of(db._store.database, f"SELECT count(*) FROM {table} WHERE ws = :ws")
    return count
