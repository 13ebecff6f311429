"""Agents that think with a model behind an endpoint."""

from strata.tools.agents.model.thinking import think

__all__ = ["think"]
