"""Agents at work: the worker, Strata's own agents, and agents that think with a model."""

from strata.agents.worker import Worker
from strata.tasks import Definition, Thinking

__all__ = ["Definition", "Thinking", "Worker"]
