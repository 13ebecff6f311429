"""Facts, cells, JSON documents, events, vectors and the spaces they live in."""

from typing import TYPE_CHECKING

from strata.base.lazy import lazily

if TYPE_CHECKING:
    from strata.memory import json_path
    from strata.memory.cells import Cell, State
    from strata.memory.events import Event, Events
    from strata.memory.facts import (
        Fact,
        Facts,
        NewFact,
        keys_replaced_by,
        reads_of_replaced,
        replaced_keys,
        superseding,
    )
    from strata.memory.filters import Filter, compile_filter
    from strata.memory.json import JsonDocuments
    from strata.memory.keyed import Version, check_tags
    from strata.memory.kv import Kv
    from strata.memory.matrix import Matrices
    from strata.memory.spaces import Spaces
    from strata.memory.vectors import Collection, Match, Metric, Vector, Vectors

__all__ = [
    "Cell",
    "Collection",
    "Event",
    "Events",
    "Fact",
    "Facts",
    "Filter",
    "JsonDocuments",
    "Kv",
    "Match",
    "Matrices",
    "Metric",
    "NewFact",
    "Spaces",
    "State",
    "Vector",
    "Vectors",
    "Version",
    "check_tags",
    "compile_filter",
    "json_path",
    "keys_replaced_by",
    "reads_of_replaced",
    "replaced_keys",
    "superseding",
]

__getattr__ = lazily(
    __name__,
    {
        "strata.memory.cells": "Cell State",
        "strata.memory.events": "Event Events",
        "strata.memory.facts": (
            "Fact Facts NewFact keys_replaced_by reads_of_replaced replaced_keys superseding"
        ),
        "strata.memory.filters": "Filter compile_filter",
        "strata.memory.json": "JsonDocuments",
        "strata.memory.keyed": "Version check_tags",
        "strata.memory.kv": "Kv",
        "strata.memory.matrix": "Matrices",
        "strata.memory.spaces": "Spaces",
        "strata.memory.vectors": "Collection Match Metric Vector Vectors",
    },
)
