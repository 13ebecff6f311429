"""The tools of review, listed to whoever asks for the group `comments`."""

from strata.tools.comments.surfaces import SURFACES

__all__ = ["SURFACES"]
