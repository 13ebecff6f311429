"""Edits that were kept as suggestions, as the answers of edits and merges list them."""

from typing import TYPE_CHECKING, Any

from strata.tools.reviewed.paging import shortened

if TYPE_CHECKING:
    from strata.store import FiledEdit


def shown_filed(one: "FiledEdit") -> dict[str, Any]:
    """Return where an edit waits, the words that are in the text, and those that are suggested."""
    known = {} if one.suggestion is None else {"suggestion": one.suggestion}
    return {
        "document": one.document, "title": one.title, **known, "line": one.line,
        "section": one.section, "current": shortened(one.original)[0],
        "suggested": shortened(one.replacement)[0],
    }  # fmt: skip
