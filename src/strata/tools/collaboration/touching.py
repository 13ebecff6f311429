"""Noting where agents are: after a call that was about a document."""

from typing import Any

from strata.base import ids
from strata.tools.session import Call, Session

# What an agent is called that does not say its name.
_NAMELESS = "agent"
# Which actions change the text, by tool.
_EDITS = {
    "edit_document": {"create", "createFromTemplate", "edit", "write", "finalizeUpload"},
    "manage_suggestions": {"accept"},
}
# Arguments that quote what a call is about, the text that is there afterwards first.
_QUOTES = ("new_string", "quoted_text", "original_text", "replacement_text")
# What tells agents of one process without tokens from those of others.
_PROCESS = ids.token()


def agent_of(session: Session) -> str | None:
    """Return what the agent of a session is called; None where a person acts themself."""
    if session.creator != "llm":
        return None
    return session.client or _NAMELESS


def note_call(call: Call, tool: str, *, given: dict[str, Any], result: Any) -> None:
    """Note that an agent has used a document, if a call was about one."""
    via = agent_of(call.session)
    document = getattr(result, "document_id", None) or given.get("document_id")
    if via is None or not isinstance(document, str):
        return
    is_edit = given.get("action", "") in _EDITS.get(tool, ())
    call.db.presence.touch_soon(
        document, session=_session_of(call.session, via), via=via,
        status="editing" if is_edit else "viewing",
        section=_section_of(result), quote=_quote_of(given),
    )  # fmt: skip


def _session_of(session: Session, via: str) -> str:
    """Return what one agent is told from others by: its token, else its process."""
    principal = session.grant.principal if session.grant is not None else ""
    return f"{principal or _PROCESS}:{via}"


def _section_of(result: Any) -> str | None:
    path: Any = getattr(result, "heading_path", None) or ()
    named: Any = getattr(result, "sections", None) or ()
    return " > ".join(path) or next(iter(named), None)


def _quote_of(given: dict[str, Any]) -> str | None:
    found = (given.get(name) for name in _QUOTES)
    return next((text for text in found if isinstance(text, str) and text.strip()), None)
