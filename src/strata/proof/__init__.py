"""Showing on this machine that no acknowledged write is lost."""

from strata.proof.torture import TortureReport, torture

__all__ = ["TortureReport", "torture"]
