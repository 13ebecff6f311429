"""What can be asked of Strata, declared once for every way of asking."""

from typing import TYPE_CHECKING

from strata.base.lazy import lazily

if TYPE_CHECKING:
    from strata.tools.arguments import plain
    from strata.tools.budget import as_text, cut, tokens
    from strata.tools.call import CallOutcome, call_tool, refusal
    from strata.tools.declare import Parameter, Tool, ToolGroup
    from strata.tools.exposing import (
        DEFAULT_GROUPS,
        GROUPS,
        PAGE_GROUP,
        Exposure,
        Names,
        Registry,
        expose,
        registry,
    )
    from strata.tools.guide import (
        INSTRUCTIONS,
        MEDIA_TYPE,
        PAGES,
        PROMPTS,
        SECTION_VIEW,
        Prompt,
        instructions_for,
    )
    from strata.tools.page.group import Who, who_signed
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
    "PAGE_GROUP",
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
    "Who",
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
    "who_signed",
]

__getattr__ = lazily(
    __name__,
    {
        "strata.tools.arguments": "plain",
        "strata.tools.budget": "as_text cut tokens",
        "strata.tools.call": "CallOutcome call_tool refusal",
        "strata.tools.declare": "Parameter Tool ToolGroup",
        "strata.tools.exposing": (
            "DEFAULT_GROUPS GROUPS PAGE_GROUP Exposure Names Registry expose registry"
        ),
        "strata.tools.guide": (
            "INSTRUCTIONS MEDIA_TYPE PAGES PROMPTS SECTION_VIEW Prompt instructions_for"
        ),
        "strata.tools.page.group": "Who who_signed",
        "strata.tools.session": (
            "Call Cancel Progress Session SessionState StoreHost process_caller"
        ),
    },
)
