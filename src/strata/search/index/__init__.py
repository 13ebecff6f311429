"""The text index: sealed segments, the entries behind them, and what a search sees of both."""

from strata.search.index.checking import drop_wrong_segments, wrong_segments
from strata.search.index.entries import hash_whole
from strata.search.index.parts import SLOT, DamagedSegment, Kind, SegmentParts, numbers, unframed
from strata.search.index.scope import Limits, Part, PartView, SearchScope, TermPostings
from strata.search.index.sealing import Sealer, drop_holders, drop_stamped
from strata.search.index.segment import Postings, begin_groups, is_apart
from strata.search.index.text_index import TextIndex

__all__ = [
    "SLOT",
    "DamagedSegment",
    "Kind",
    "Limits",
    "Part",
    "PartView",
    "Postings",
    "Sealer",
    "SearchScope",
    "SegmentParts",
    "TermPostings",
    "TextIndex",
    "begin_groups",
    "drop_holders",
    "drop_stamped",
    "drop_wrong_segments",
    "hash_whole",
    "is_apart",
    "numbers",
    "unframed",
    "wrong_segments",
]
