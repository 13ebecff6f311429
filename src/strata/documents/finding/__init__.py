"""Finding documents: by words and meaning, by time and place, and by what links them."""

from strata.documents.finding.finding import Finding
from strata.documents.finding.graph import Edge, Graph, Node
from strata.documents.finding.request import (
    Direction,
    Filters,
    Found,
    Info,
    Intent,
    Item,
    Request,
    Scope,
    ScopeType,
    Source,
    Status,
)
from strata.documents.finding.sight import Sights

__all__ = [
    "Direction",
    "Edge",
    "Filters",
    "Finding",
    "Found",
    "Graph",
    "Info",
    "Intent",
    "Item",
    "Node",
    "Request",
    "Scope",
    "ScopeType",
    "Sights",
    "Source",
    "Status",
]
