"""Floor 7: showing, on this very machine, that nothing acknowledged is lost."""

from strata.proof.torture import TortureReport, torture

__all__ = ["TortureReport", "torture"]
