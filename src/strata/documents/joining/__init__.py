"""Merging branches of documents."""

from strata.documents.joining.merging import TextJoiner

__all__ = ["TextJoiner"]
