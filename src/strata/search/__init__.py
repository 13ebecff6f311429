"""Finding things by their words and by their meaning."""

from strata.search.entry import TextIndexer
from strata.search.fusion import reciprocal
from strata.search.hits import Place, hit_of
from strata.search.index import Sealer, drop_holders, drop_wrong_segments, wrong_segments
from strata.search.query import MODES, Answer, Hit, Mode, Part, Query, Ranking, check_query
from strata.search.quick import look, newest
from strata.search.scoring import Meaning
from strata.search.search import Search, settled
from strata.search.snippets import snippet
from strata.search.stem import stem
from strata.search.text import SEARCHABLE, text_of_row
from strata.search.tokens import foreignness
from strata.search.vectors import (
    Embeddings,
    Follower,
    Following,
    Model,
    ModelStatus,
    Passes,
    Status,
    Texts,
    TokenQuestion,
    Turn,
    VectorIndex,
    forget_words,
)

__all__ = [
    "MODES",
    "SEARCHABLE",
    "Answer",
    "Embeddings",
    "Follower",
    "Following",
    "Hit",
    "Meaning",
    "Mode",
    "Model",
    "ModelStatus",
    "Part",
    "Passes",
    "Place",
    "Query",
    "Ranking",
    "Sealer",
    "Search",
    "Status",
    "TextIndexer",
    "Texts",
    "TokenQuestion",
    "Turn",
    "VectorIndex",
    "check_query",
    "drop_holders",
    "drop_wrong_segments",
    "foreignness",
    "forget_words",
    "hit_of",
    "look",
    "newest",
    "reciprocal",
    "settled",
    "snippet",
    "stem",
    "text_of_row",
    "wrong_segments",
]
