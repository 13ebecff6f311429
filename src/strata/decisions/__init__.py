"""Floor 4: what was decided, why, what came of it, and how it hangs together."""

from strata.decisions.counting import Stats, Topic
from strata.decisions.evolving import Judged
from strata.decisions.finding import Ranked, TopicHistory
from strata.decisions.graph import Found, Graphs, Walk
from strata.decisions.links import CREATORS, LINK_TYPES, Creator, Link, LinkType
from strata.decisions.mapping import Mapped, map_relationship
from strata.decisions.news import News
from strata.decisions.records import OUTCOMES, SPACE, TYPES, Memory, Outcome, Type
from strata.decisions.room import Decisions
from strata.decisions.saving import Draft, Saved, WantedLink

__all__ = [
    "CREATORS",
    "LINK_TYPES",
    "OUTCOMES",
    "SPACE",
    "TYPES",
    "Creator",
    "Decisions",
    "Draft",
    "Found",
    "Graphs",
    "Judged",
    "Link",
    "LinkType",
    "Mapped",
    "Memory",
    "News",
    "Outcome",
    "Ranked",
    "Saved",
    "Stats",
    "Topic",
    "TopicHistory",
    "Type",
    "Walk",
    "WantedLink",
    "map_relationship",
]
