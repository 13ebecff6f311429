"""The developer tools: everything the store can do, one small tool each."""

from strata.tools.developer.surfaces import CATEGORIES, SURFACES

__all__ = ["CATEGORIES", "SURFACES"]
