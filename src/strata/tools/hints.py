"""What an error's hint says to a caller of tools: calls of tools, in place of commands.

Errors are raised below, where the caller is not known, and their hints name calls of the SDK. This
is the one place that says the same in the words of the tools.
"""

import re

from strata.base.errors import (
    BranchNotFound,
    CollectionNotFound,
    CommitNotFound,
    SpaceNotFound,
    StrataError,
    TagNotFound,
    TooOld,
    TransactionConflict,
)
from strata.base.shell import in_shell_words

_HINTS: dict[type[StrataError], str] = {
    BranchNotFound: "strata_branch: action list shows them, switch uses one, fork makes one.",
    CommitNotFound: "strata_branch with action log lists the commits of the branch.",
    TagNotFound: "Name a time or a version instead; tags are made in a terminal.",
    SpaceNotFound: "strata_space_list lists the spaces; the first value makes one.",
    CollectionNotFound: "strata_vector_create_collection makes it, with its dimension.",
    TooOld: "Ask for a later time; strata_history with the key shows what is left.",
    TransactionConflict: "Nothing was written. Read again and repeat the call.",
}
# Calls of the SDK that are tools.
_TOOLS = {
    "`db.decisions.search(QUERY)`": "search_by_context",
    "`db.models.configure(URL, NAME)`": "strata_configure_model",
    "`db.serving.uploads().presign(USER, length=BYTES)`": "presignUpload",
    "`Scope()`": '{"type": "all"}',
}
_SCOPE = re.compile(r'`Scope\("(\w+)", "(\w*…)"\)`')
# A command of the shell, or a call of the SDK.
_COMMAND = re.compile(r"`strata |\bdb\.\w|`?\b\w+\(…?\)")
_SENTENCE = re.compile(r"(?<=[.?!]) +")


def hint_for_tools(error: StrataError) -> str | None:
    """Return an error's hint in the words of the tools.

    What only a user can do, such as restoring a backup, stays and says where it is done.
    """
    told = next((_HINTS[kind] for kind in type(error).__mro__ if kind in _HINTS), None)
    if told is not None or error.hint is None:
        return told
    hint = in_shell_words(in_tool_words(error.hint)) or ""
    sentences = _SENTENCE.split(hint)
    plain = [one for one in sentences if not _COMMAND.search(one)]
    commands = [one for one in sentences if "`strata " in one]
    if commands and "terminal" not in hint and "shell" not in hint:
        plain.append(f"For the user, in a terminal: {' '.join(commands)}")
    elif commands:
        plain += commands
    return " ".join(plain) or None


def in_tool_words(hint: str) -> str:
    """Return a hint with tools in place of those calls of the SDK that are tools."""
    for call, tool in _TOOLS.items():
        hint = hint.replace(call, tool)
    return _SCOPE.sub(r'{"type": "\1", "id": "\2"}', hint)
