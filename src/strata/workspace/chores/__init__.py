"""Work in the background: several kinds of it, in one thread."""

from strata.workspace.chores.chores import Chores

__all__ = ["Chores"]
