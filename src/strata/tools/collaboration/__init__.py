"""Who is at a document now: the tool that tells it, and how every call of an agent is noted."""

from strata.tools.collaboration.present import SURFACES

__all__ = ["SURFACES"]
