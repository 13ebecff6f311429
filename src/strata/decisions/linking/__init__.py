"""Automatic links: found by meaning, and removed when they have faded."""

from strata.decisions.linking.candidates import LinkCandidates
from strata.decisions.linking.linker import (
    RULES,
    SYSTEM,
    Linked,
    Linker,
    LinkingStatus,
    Meanings,
    Rule,
    check_rule,
)
from strata.decisions.linking.nearness import NearPair, near_pairs, seed_pairs
from strata.decisions.linking.pruning import Pruned, Pruner, prune, withered

__all__ = [
    "RULES",
    "SYSTEM",
    "LinkCandidates",
    "Linked",
    "Linker",
    "LinkingStatus",
    "Meanings",
    "NearPair",
    "Pruned",
    "Pruner",
    "Rule",
    "check_rule",
    "near_pairs",
    "prune",
    "seed_pairs",
    "withered",
]
