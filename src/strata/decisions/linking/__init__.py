"""Automatic links: found by meaning, and removed when they have faded."""

from strata.decisions.linking.candidates import LinkCandidates
from strata.decisions.linking.linker import (
    RULES,
    SYSTEM,
    Linker,
    LinkingResult,
    LinkingStatus,
    Meanings,
    Rule,
    check_rule,
)
from strata.decisions.linking.nearness import NearPair, near_pairs, seed_pairs
from strata.decisions.linking.pruning import PrunedLinks, Pruner, prune, withered

__all__ = [
    "RULES",
    "SYSTEM",
    "LinkCandidates",
    "Linker",
    "LinkingResult",
    "LinkingStatus",
    "Meanings",
    "NearPair",
    "PrunedLinks",
    "Pruner",
    "Rule",
    "check_rule",
    "near_pairs",
    "prune",
    "seed_pairs",
    "withered",
]
