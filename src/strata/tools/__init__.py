"""What can be asked of Strata, declared once for every way of asking."""

from strata.tools.arguments import plain
from strata.tools.budget import as_text, cut, tokens
from strata.tools.call import CallOutcome, call_tool, refusal
from strata.tools.declare import Parameter, Surface, Tool
from strata.tools.exposure import DEFAULT_GROUPS, Exposure, Names, expose
from strata.tools.guide import INSTRUCTIONS, PROMPTS, Prompt, instructions_for
from strata.tools.pages import MEDIA_TYPE, PAGES, SECTION_VIEW
from strata.tools.registry import GROUPS, Registry, registry
from strata.tools.session import Call, Cancel, Progress, Session, StoreHost

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
    "StoreHost",
    "Surface",
    "Tool",
    "as_text",
    "call_tool",
    "cut",
    "expose",
    "instructions_for",
    "plain",
    "refusal",
    "registry",
    "tokens",
]
