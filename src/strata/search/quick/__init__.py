"""A look at the newest texts that loads nothing: no arrays, no model, no index in memory."""

from strata.search.quick.scan import look, newest

__all__ = ["look", "newest"]
