"""Decisions, their reasons and outcomes, checkpoints, insights, and the links between them."""

from strata.decisions.counting import Stats, Topic
from strata.decisions.decisions import Decisions
from strata.decisions.evolving import RecordedOutcome
from strata.decisions.finding import RankedMemory, TopicHistory
from strata.decisions.graph import Graphs, Walk, WalkStep
from strata.decisions.linking import (
    RULES,
    SYSTEM,
    LinkCandidates,
    Linker,
    LinkingResult,
    LinkingStatus,
    NearPair,
    PrunedLinks,
    Pruner,
    Rule,
    check_rule,
    near_pairs,
    seed_pairs,
)
from strata.decisions.links import CREATORS, LINK_TYPES, RIVALS, Creator, Link, LinkType, new_link
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
from strata.decisions.tables import Projection
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
