"""Finding documents: by words and meaning, by time and place, and by what links them."""

from strata.documents.finding.finding import DocumentFinder
from strata.documents.finding.graph import DocumentEdge, DocumentGraph, DocumentNode
from strata.documents.finding.links import BrokenLink
from strata.documents.finding.readable import VisibleDocumentsCache
from strata.documents.finding.request import (
    Direction,
    Filters,
    FoundDocuments,
    FoundItem,
    Intent,
    PlaceInfo,
    Request,
    Scope,
    ScopeType,
    Source,
    Status,
)
from strata.documents.finding.tables import DocumentRow, DocumentRows, TableOrder, TableRequest

__all__ = [
    "BrokenLink",
    "Direction",
    "DocumentEdge",
    "DocumentFinder",
    "DocumentGraph",
    "DocumentNode",
    "DocumentRow",
    "DocumentRows",
    "Filters",
    "FoundDocuments",
    "FoundItem",
    "Intent",
    "PlaceInfo",
    "Request",
    "Scope",
    "ScopeType",
    "Source",
    "Status",
    "TableOrder",
    "TableRequest",
    "VisibleDocumentsCache",
]
