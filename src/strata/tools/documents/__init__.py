"""The tools of documents, the group `core`."""

from strata.tools.documents import editing, finding, reading
from strata.tools.documents.group import TOOL_GROUPS

__all__ = ["TOOL_GROUPS", "editing", "finding", "reading"]
