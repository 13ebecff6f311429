"""The eight tools of an agent: store, recall, search, forget, log, branch, history, status."""

from strata.tools.memory.surfaces import SURFACES

__all__ = ["SURFACES"]
