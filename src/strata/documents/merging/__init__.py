"""Merging branches of documents."""

from strata.documents.merging.joiner import TextJoiner

__all__ = ["TextJoiner"]
