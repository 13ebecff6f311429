"""What only pages ask for: operations with the rights of tools that no MCP client sees."""

from strata.tools.page import (
    activity,
    agents,
    branches,
    care,
    decisions,
    documents,
    events,
    example,
    find,
    inbox,
    memory,
    merging,
    published,
    recent,
    sharing,
    versions,
)
from strata.tools.page.group import TOOL_GROUPS

__all__ = [
    "TOOL_GROUPS",
    "activity",
    "agents",
    "branches",
    "care",
    "decisions",
    "documents",
    "events",
    "example",
    "find",
    "inbox",
    "memory",
    "merging",
    "published",
    "recent",
    "sharing",
    "versions",
]
