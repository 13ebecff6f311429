"""What can be asked of Strata, declared once for every way of asking."""

from strata.tools.arguments import plain
from strata.tools.budget import as_text, cut, tokens
from strata.tools.call import CallOutcome, call_tool, refusal
from strata.tools.declare import Parameter, Tool, ToolGroup
from strata.tools.guide import (
    INSTRUCTIONS,
    MEDIA_TYPE,
    PAGES,
    PROMPTS,
    SECTION_VIEW,
    Prompt,
    instructions_for,
)
from strata.tools.registry import (
    DEFAULT_GROUPS,
    GROUPS,
    Exposure,
    Names,
    Registry,
    expose,
    registry,
)
from strata.tools.session import (
    Call,
    Cancel,
    Progress,
    Session,
    SessionState,
    StoreHost,
    process_caller,
)

__all__ = [
    "DEFAULT_GROUPS",
    "GROUPS",
    "INSTRUCTIONS",
    "MEDIA_TYPE",
    "PAGES",
    "PROMPTS",
    "SECTION_VIEW",
    "Call",
    "CallOutcome",
    "Cancel",
    "Exposure",
    "Names",
    "Parameter",
    "Progress",
    "Prompt",
    "Registry",
    "Session",
    "SessionState",
    "StoreHost",
    "Tool",
    "ToolGroup",
    "as_text",
    "call_tool",
    "cut",
    "expose",
    "instructions_for",
    "plain",
    "process_caller",
    "refusal",
    "registry",
    "tokens",
]
