"""Finding things by their words and by their meaning."""

from typing import TYPE_CHECKING

from strata.base.lazy import lazily

if TYPE_CHECKING:
    from strata.search.entry import TextIndexer
    from strata.search.fusion import reciprocal
    from strata.search.hits import Place, hit_of, turn_time
    from strata.search.index.checking import drop_wrong_segments, wrong_segments
    from strata.search.index.sealing import Sealer, drop_holders
    from strata.search.query import MODES, Answer, Hit, Mode, Part, Query, Ranking, check_query
    from strata.search.quick.nearness import Nearness
    from strata.search.quick.scan import look, newest
    from strata.search.scoring import Meaning
    from strata.search.search import Search, nearest_of, settled
    from strata.search.snippets import snippet
    from strata.search.stemming import stem
    from strata.search.text import SEARCHABLE, TURN, text_of_row, turn_key, turn_name, whole_of
    from strata.search.tokens import foreignness
    from strata.search.twins import LIKENESS_MIN, TextMark, TextTwin, likeness, mark_of, twins_of
    from strata.search.vectors.background import Following
    from strata.search.vectors.embeddings import Embeddings, Model, ModelStatus, Status
    from strata.search.vectors.erasure import forget_words
    from strata.search.vectors.follow import Follower, Texts, Turn
    from strata.search.vectors.nearest import Passes, TokenQuestion, VectorIndex
    from strata.search.vectors.passages import Passage, PassageRequest

__all__ = [
    "LIKENESS_MIN",
    "MODES",
    "SEARCHABLE",
    "TURN",
    "Answer",
    "Embeddings",
    "Follower",
    "Following",
    "Hit",
    "Meaning",
    "Mode",
    "Model",
    "ModelStatus",
    "Nearness",
    "Part",
    "Passage",
    "PassageRequest",
    "Passes",
    "Place",
    "Query",
    "Ranking",
    "Sealer",
    "Search",
    "Status",
    "TextIndexer",
    "TextMark",
    "TextTwin",
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
    "likeness",
    "look",
    "mark_of",
    "nearest_of",
    "newest",
    "reciprocal",
    "settled",
    "snippet",
    "stem",
    "text_of_row",
    "turn_key",
    "turn_name",
    "turn_time",
    "twins_of",
    "whole_of",
    "wrong_segments",
]

__getattr__ = lazily(
    __name__,
    {
        "strata.search.entry": "TextIndexer",
        "strata.search.fusion": "reciprocal",
        "strata.search.hits": "Place hit_of turn_time",
        "strata.search.index.checking": "drop_wrong_segments wrong_segments",
        "strata.search.index.sealing": "Sealer drop_holders",
        "strata.search.query": "MODES Answer Hit Mode Part Query Ranking check_query",
        "strata.search.quick.nearness": "Nearness",
        "strata.search.quick.scan": "look newest",
        "strata.search.scoring": "Meaning",
        "strata.search.search": "Search nearest_of settled",
        "strata.search.snippets": "snippet",
        "strata.search.stemming": "stem",
        "strata.search.text": "SEARCHABLE TURN text_of_row turn_key turn_name whole_of",
        "strata.search.tokens": "foreignness",
        "strata.search.twins": "LIKENESS_MIN TextMark TextTwin likeness mark_of twins_of",
        "strata.search.vectors.background": "Following",
        "strata.search.vectors.embeddings": "Embeddings Model ModelStatus Status",
        "strata.search.vectors.erasure": "forget_words",
        "strata.search.vectors.follow": "Follower Texts Turn",
        "strata.search.vectors.nearest": "Passes TokenQuestion VectorIndex",
        "strata.search.vectors.passages": "Passage PassageRequest",
    },
)
