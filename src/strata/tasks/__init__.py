"""Agents that users can ask, their definitions, and the queue of their tasks."""

from strata.tasks.agents import Agents
from strata.tasks.files import definitions_in, read_definition
from strata.tasks.platform import PLATFORM
from strata.tasks.queue import Queue, agent_names, forget_tasks
from strata.tasks.records import (
    ENDED,
    STATUSES,
    Agent,
    Caller,
    Definition,
    Status,
    Task,
    TaskStep,
    Thinking,
    caller_of,
    check_endpoint,
)

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
    "TaskStep",
    "Thinking",
    "agent_names",
    "caller_of",
    "check_endpoint",
    "definitions_in",
    "forget_tasks",
    "read_definition",
]
