"""Floor 5: agents that people can ask for something, and the queue of what they were asked."""

from strata.agents.files import definitions_in, read_definition
from strata.agents.platform import PLATFORM
from strata.agents.queue import Queue
from strata.agents.records import (
    ENDED,
    STATUSES,
    Agent,
    Caller,
    Definition,
    Status,
    Task,
    Thinking,
    caller_of,
    check_endpoint,
)
from strata.agents.room import Agents

__all__ = [
    "ENDED",
    "PLATFORM",
    "STATUSES",
    "Agent",
    "Agents",
    "Caller",
    "Definition",
    "Queue",
    "Status",
    "Task",
    "Thinking",
    "caller_of",
    "check_endpoint",
    "definitions_in",
    "read_definition",
]
