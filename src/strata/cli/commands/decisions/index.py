"""Every command of `strata decisions`, joined to the group by being imported."""

from strata.cli.commands.decisions import care, counts, drawing, links, moving, reading, saving
from strata.cli.commands.decisions.group import decisions

__all__ = ["care", "counts", "decisions", "drawing", "links", "moving", "reading", "saving"]
