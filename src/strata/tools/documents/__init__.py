"""The tools of documents, listed to whoever asks for the group `core`."""

from strata.tools.documents.surfaces import SURFACES

__all__ = ["SURFACES"]
