"""The decisions of the branch `default` as plain SQL tables, for other programs."""

from strata.decisions.tables.projection import Projection

__all__ = ["Projection"]
