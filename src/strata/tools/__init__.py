"""What can be asked of Strata, declared once for every way of asking."""

from strata.tools.arguments import plain
from strata.tools.budget import tokens
from strata.tools.call import CallOutcome, call_tool
from strata.tools.context import Context, detect, narrow
from strata.tools.declare import Parameter, Surface, Tool
from strata.tools.digest import counts_line, digest_lines, resuming_lines
from strata.tools.dynamic import Action, Dynamic, client_id, context_of, mode_of
from strata.tools.exposure import DEFAULT_GROUPS, Exposure, Names, expose
from strata.tools.guide import INSTRUCTIONS, PROMPTS, Prompt, instructions_for
from strata.tools.hints import hint_for_tools
from strata.tools.pages import MEDIA_TYPE, PAGES, SECTION_VIEW
from strata.tools.prompted import (
    PromptEvent,
    PromptReply,
    answer_hook,
    hear,
    read_input,
    reply_to,
    run_hook,
)
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
    "Action",
    "Call",
    "CallOutcome",
    "Cancel",
    "Context",
    "Dynamic",
    "Exposure",
    "Names",
    "Parameter",
    "Progress",
    "Prompt",
    "PromptEvent",
    "PromptReply",
    "Registry",
    "Session",
    "StoreHost",
    "Surface",
    "Tool",
    "answer_hook",
    "call_tool",
    "client_id",
    "context_of",
    "counts_line",
    "detect",
    "digest_lines",
    "expose",
    "hear",
    "hint_for_tools",
    "instructions_for",
    "mode_of",
    "narrow",
    "plain",
    "read_input",
    "registry",
    "reply_to",
    "resuming_lines",
    "run_hook",
    "tokens",
]
