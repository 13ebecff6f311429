"""The developer tools: everything the store can do, one small tool each."""

from strata.tools.developer.categories import CATEGORIES, TOOL_GROUPS

__all__ = ["CATEGORIES", "TOOL_GROUPS"]
