"""The decisions of the branch `default` as plain SQL tables, for whoever asks by SQL."""

from strata.decisions.tables.projection import Projection

__all__ = ["Projection"]
