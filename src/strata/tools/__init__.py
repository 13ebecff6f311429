"""Floor 6: what can be asked of Strata, declared once for every way of asking."""

from strata.tools.budget import tokens
from strata.tools.call import Outcome, call_tool
from strata.tools.declare import Parameter, Surface, Tool
from strata.tools.exposure import DEFAULT_GROUPS, Exposure, Names, expose
from strata.tools.guide import INSTRUCTIONS, PROMPTS, Prompt
from strata.tools.registry import GROUPS, Registry, registry
from strata.tools.session import Call, Cancel, Host, Progress, Session

__all__ = [
    "DEFAULT_GROUPS",
    "GROUPS",
    "INSTRUCTIONS",
    "PROMPTS",
    "Call",
    "Cancel",
    "Exposure",
    "Host",
    "Names",
    "Outcome",
    "Parameter",
    "Progress",
    "Prompt",
    "Registry",
    "Session",
    "Surface",
    "Tool",
    "call_tool",
    "expose",
    "registry",
    "tokens",
]
