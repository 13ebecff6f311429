"""What clients' hooks ask: what a prompt is about, what to add to it, which tools to list then."""

from typing import TYPE_CHECKING

from strata.base.lazy import lazily

if TYPE_CHECKING:
    from strata.hooks.digest import counts_line, digest_lines, resuming_lines
    from strata.hooks.listing import ListFollower, ToolList
    from strata.hooks.prompt import (
        PromptEvent,
        PromptReply,
        answer_hook,
        hear,
        read_input,
        reply_to,
        run_hook,
    )

__all__ = [
    "ListFollower",
    "PromptEvent",
    "PromptReply",
    "ToolList",
    "answer_hook",
    "counts_line",
    "digest_lines",
    "hear",
    "read_input",
    "reply_to",
    "resuming_lines",
    "run_hook",
]

__getattr__ = lazily(
    __name__,
    {
        "strata.hooks.digest": "counts_line digest_lines resuming_lines",
        "strata.hooks.listing": "ListFollower ToolList",
        "strata.hooks.prompt": (
            "PromptEvent PromptReply answer_hook hear read_input reply_to run_hook"
        ),
    },
)
