"""People, what they may do, and the documents that they write together."""

from strata.workspace.together.people import WithPeople
from strata.workspace.together.reviewing import REVIEWED

__all__ = ["REVIEWED", "WithPeople"]
