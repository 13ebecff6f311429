"""The six tools in the order in which they are listed: one finds, reads and then writes."""

from strata.tools.declare import Tool
from strata.tools.documents import editing, finding, images, reading, sections
from strata.tools.documents.surface import core

_ORDER = [
    "find", "read_document", "edit_document", "get_document_graph", "get_image",
    "app_get_section_content",
]  # fmt: skip


def _place(tool: Tool) -> int:
    return _ORDER.index(tool.name)


assert {editing, finding, images, reading, sections}, "importing them declares their tools"
core.tools.sort(key=_place)
SURFACES = (core,)
