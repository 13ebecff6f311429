"""What clients' hooks ask: what to add to a prompt, which tools to list, what was said."""

from typing import TYPE_CHECKING

from strata.base.lazy import lazily

if TYPE_CHECKING:
    from strata.hooks.beginning import read_input
    from strata.hooks.digest import counts_line, digest_lines, resuming_lines
    from strata.hooks.listing import ListFollower, ToolList
    from strata.hooks.prompt import (
        PromptEvent,
        PromptReply,
        answer_hook,
        hear,
        reply_to,
        run_hook,
    )
    from strata.hooks.turn import keep_turn, run_turn_hook

__all__ = [
    "ListFollower",
    "PromptEvent",
    "PromptReply",
    "ToolList",
    "answer_hook",
    "counts_line",
    "digest_lines",
    "hear",
    "keep_turn",
    "read_input",
    "reply_to",
    "resuming_lines",
    "run_hook",
    "run_turn_hook",
]

__getattr__ = lazily(
    __name__,
    {
        "strata.hooks.beginning": "read_input",
        "strata.hooks.digest": "counts_line digest_lines resuming_lines",
        "strata.hooks.listing": "ListFollower ToolList",
        "strata.hooks.prompt": ("PromptEvent PromptReply answer_hook hear reply_to run_hook"),
        "strata.hooks.turn": "keep_turn run_turn_hook",
    },
)
