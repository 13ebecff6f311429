"""The ten tools of decisions: save, load, search, evolve."""

from strata.tools.decisions.surfaces import SURFACES

__all__ = ["SURFACES"]
