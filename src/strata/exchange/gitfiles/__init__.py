"""Facts and decisions as Markdown files of a git repository, brought together with the store."""

from strata.exchange.gitfiles.git_hooks import HookState
from strata.exchange.gitfiles.memory_in_git import (
    GitMemory,
    checkout_at,
    git_memory,
    sync_before_commit,
    sync_git,
    turn_git_off,
    turn_git_on,
)
from strata.exchange.gitfiles.sharing import GitSharing, SharedPrefix
from strata.exchange.gitfiles.sync import GitSync, SharedProblem

__all__ = [
    "GitMemory",
    "GitSharing",
    "GitSync",
    "HookState",
    "SharedPrefix",
    "SharedProblem",
    "checkout_at",
    "git_memory",
    "sync_before_commit",
    "sync_git",
    "turn_git_off",
    "turn_git_on",
]
