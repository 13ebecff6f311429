"""The tools of publishing, listed to whoever asks for the group `publishing`."""

from strata.tools.publishing.publishing import SURFACES

__all__ = ["SURFACES"]
