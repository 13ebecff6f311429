"""People, what they may do, and the documents that they write together."""

from strata.workspace.together.people import WithPeople

__all__ = ["WithPeople"]
