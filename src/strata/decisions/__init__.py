"""Decisions, their reasons and outcomes, checkpoints, insights, and the links between them."""

from typing import TYPE_CHECKING

from strata.base.lazy import lazily

if TYPE_CHECKING:
    from strata.decisions.counting import Stats, Topic
    from strata.decisions.decisions import Decisions
    from strata.decisions.evolving import RecordedOutcome
    from strata.decisions.finding import RankedMemory, TopicHistory
    from strata.decisions.graph import Graphs, Walk, WalkStep
    from strata.decisions.linking.candidates import LinkCandidates
    from strata.decisions.linking.linker import Linker, LinkingResult, LinkingStatus
    from strata.decisions.linking.nearness import NearPair, near_pairs, seed_pairs
    from strata.decisions.linking.pruning import PrunedLinks, Pruner
    from strata.decisions.linking.rules import RULES, SYSTEM, Rule, check_rule
    from strata.decisions.links import (
        CREATORS,
        LINK_TYPES,
        RIVALS,
        Creator,
        Link,
        LinkType,
        new_link,
    )
    from strata.decisions.links import change_of as change_of_link
    from strata.decisions.news import ChangedFact, Digest, News
    from strata.decisions.reader import MemoryReader
    from strata.decisions.records import (
        IMPORTS,
        OUTCOMES,
        SPACE,
        TYPES,
        Memory,
        Outcome,
        Type,
        topic_key,
    )
    from strata.decisions.records import change_of as change_of_memory
    from strata.decisions.relationships import MappedRelationship, map_relationship
    from strata.decisions.saving import Draft, SavedMemory, WantedLink
    from strata.decisions.tables.projection import Projection
    from strata.decisions.transaction import TransactionDecisions

__all__ = [
    "CREATORS",
    "IMPORTS",
    "LINK_TYPES",
    "OUTCOMES",
    "RIVALS",
    "RULES",
    "SPACE",
    "SYSTEM",
    "TYPES",
    "ChangedFact",
    "Creator",
    "Decisions",
    "Digest",
    "Draft",
    "Graphs",
    "Link",
    "LinkCandidates",
    "LinkType",
    "Linker",
    "LinkingResult",
    "LinkingStatus",
    "MappedRelationship",
    "Memory",
    "MemoryReader",
    "NearPair",
    "News",
    "Outcome",
    "Projection",
    "PrunedLinks",
    "Pruner",
    "RankedMemory",
    "RecordedOutcome",
    "Rule",
    "SavedMemory",
    "Stats",
    "Topic",
    "TopicHistory",
    "TransactionDecisions",
    "Type",
    "Walk",
    "WalkStep",
    "WantedLink",
    "change_of_link",
    "change_of_memory",
    "check_rule",
    "map_relationship",
    "near_pairs",
    "new_link",
    "seed_pairs",
    "topic_key",
]

__getattr__ = lazily(
    __name__,
    {
        "strata.decisions.counting": "Stats Topic",
        "strata.decisions.decisions": "Decisions",
        "strata.decisions.evolving": "RecordedOutcome",
        "strata.decisions.finding": "RankedMemory TopicHistory",
        "strata.decisions.graph": "Graphs Walk WalkStep",
        "strata.decisions.linking.candidates": "LinkCandidates",
        "strata.decisions.linking.linker": "Linker LinkingResult LinkingStatus",
        "strata.decisions.linking.nearness": "NearPair near_pairs seed_pairs",
        "strata.decisions.linking.pruning": "PrunedLinks Pruner",
        "strata.decisions.linking.rules": "RULES SYSTEM Rule check_rule",
        "strata.decisions.links": (
            "CREATORS LINK_TYPES RIVALS Creator Link LinkType new_link change_of=change_of_link"
        ),
        "strata.decisions.news": "ChangedFact Digest News",
        "strata.decisions.reader": "MemoryReader",
        "strata.decisions.records": (
            "IMPORTS OUTCOMES SPACE TYPES Memory Outcome Type topic_key change_of=change_of_memory"
        ),
        "strata.decisions.relationships": "MappedRelationship map_relationship",
        "strata.decisions.saving": "Draft SavedMemory WantedLink",
        "strata.decisions.tables.projection": "Projection",
        "strata.decisions.transaction": "TransactionDecisions",
    },
)
