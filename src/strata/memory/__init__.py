"""Floor 4: facts, cells, JSON documents, events, vectors and the spaces they live in."""

from strata.memory.cells import Cell, State
from strata.memory.events import Event, Events
from strata.memory.json import JsonDocuments
from strata.memory.keyed import Version
from strata.memory.kv import Kv
from strata.memory.matrix import Matrices
from strata.memory.spaces import Spaces
from strata.memory.vectors import Collection, Match, Vector, Vectors

__all__ = [
    "Cell",
    "Collection",
    "Event",
    "Events",
    "JsonDocuments",
    "Kv",
    "Match",
    "Matrices",
    "Spaces",
    "State",
    "Vector",
    "Vectors",
    "Version",
]
