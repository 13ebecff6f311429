"""Branches of a git checkout, read from git's own files: current, default, parent, former name.

Nothing here runs `git`: every command, hook and call of a tool may ask for this.
"""

import re
from pathlib import Path
from typing import NamedTuple

from strata.base import limits
from strata.base.checkout import Checkout, read_line, read_settings
from strata.base.errors import Unavailable

_HEADS = "refs/heads/"
_REMOTE = "refs/remotes/origin/"
# Names of default branches, where nothing names one.
_USUAL = ("main", "master", "trunk")
# What git notes beside HEAD while it moves through commits of a branch, and the branch.
_UNDER_WAY = ("rebase-merge/head-name", "rebase-apply/head-name", "BISECT_START")
# Operations that end with a hook of their own, or with a commit.
_BUSY = ("rebase-merge", "rebase-apply", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD")
_RENAMED = re.compile(r"\tBranch: renamed refs/heads/(\S+) to refs/heads/(\S+)$")
_CREATED = re.compile(r"\tbranch: Created from (\S+)$")
_MOVED = re.compile(r" (\d+) [+-]\d+\tcheckout: moving from (\S+) to (\S+)$")


def current_branch(checkout: Checkout) -> str | None:
    """Return the branch that is checked out; None for a detached HEAD.

    During a rebase or a bisection it is the branch that git will return to. A branch without
    commits counts. Raises Unavailable for a repository whose branches are in no plain files.
    """
    head = read_line(checkout.records / "HEAD") or ""
    if not head.startswith("ref:"):
        return _branch_under_way(checkout)
    name = head.removeprefix("ref:").strip()
    if name == f"{_HEADS}.invalid":
        raise Unavailable(
            f"The git repository {checkout.repository} keeps its branches in the format reftable, "
            "which Strata cannot read.",
            hint='Set the setting branch to "default": the store then keeps its own branch.',
            path=str(checkout.repository),
        )
    return name.removeprefix(_HEADS) if name.startswith(_HEADS) else None


def _branch_under_way(checkout: Checkout) -> str | None:
    for note in _UNDER_WAY:
        name = (read_line(checkout.records / note) or "").removeprefix(_HEADS)
        if name and name != "detached HEAD" and has_branch(checkout, name):
            return name
    return None


def is_busy(checkout: Checkout) -> bool:
    """Whether a rebase, a merge or the like has begun and not ended."""
    return any((checkout.records / note).exists() for note in _BUSY)


def default_branch(checkout: Checkout) -> str | None:
    """Return the repository's default branch.

    It is what `strata.defaultBranch` of the repository's git configuration names, else what the
    remote `origin` calls its HEAD, else the first of main, master and trunk that exists, else the
    branch of a repository that has no other one.
    """
    repository = checkout.repository
    for section, key, value in read_settings(repository / "config"):
        if (section, key) == ("strata", "defaultbranch") and value:
            return value
    named = (read_line(repository / _REMOTE / "HEAD") or "").removeprefix("ref:").strip()
    if named.startswith(_REMOTE):
        return named.removeprefix(_REMOTE)
    usual = next((name for name in _USUAL if has_branch(checkout, name)), None)
    if usual is not None:
        return usual
    names = branch_names(checkout)
    return names[0] if len(names) == 1 else None if names else current_branch(checkout)


def has_branch(checkout: Checkout, name: str) -> bool:
    """Whether the repository has a branch with commits under that name."""
    if not _is_plain(name):
        return False
    if (checkout.repository / _HEADS / name).is_file():
        return True
    return f" {_HEADS}{name}\n" in _packed(checkout)


def branch_names(checkout: Checkout) -> list[str]:
    """Return the names of all branches that have commits, in order."""
    folder = checkout.repository / _HEADS
    loose = {found.relative_to(folder).as_posix() for found in folder.rglob("*") if found.is_file()}
    lines = _packed(checkout).splitlines()
    packed = {line.partition(_HEADS)[2] for line in lines if f" {_HEADS}" in line}
    return sorted(loose | packed)


def has_own_commits(checkout: Checkout, name: str) -> bool:
    """Whether a branch moved since it was made, as far as git's log tells.

    A branch without commits of its own counts as merged in git. Of a branch without a log nothing
    is known; it counts as moved.
    """
    log = _log(checkout.repository / "logs" / _HEADS, name)
    steps = [line for line in log if _RENAMED.search(line) is None]
    return not steps or _CREATED.search(steps[0]) is None or len(steps) > 1


def former_name(checkout: Checkout, name: str) -> str | None:
    """Return the name that a branch had before `git branch -m`, if git's log tells."""
    for line in reversed(_log(checkout.repository / "logs" / _HEADS, name)):
        found = _RENAMED.search(line)
        if found is not None and found[2] == name:
            return found[1]
    return None


def parent_branch(checkout: Checkout, name: str) -> str | None:
    """Return the branch that another one was made from, if git's logs tell."""
    log = _log(checkout.repository / "logs" / _HEADS, name)
    created = _CREATED.search(log[0]) if log else None
    if created is None:
        return None
    source = created[1]
    if source == "HEAD":
        return _checked_out_before(checkout, name, log[0])
    plain = source.removeprefix(_HEADS).removeprefix("origin/")
    return plain if plain != name and has_branch(checkout, plain) else None


def _checked_out_before(checkout: Checkout, name: str, created: str) -> str | None:
    """Return the branch that was checked out when another one was made from it."""
    time = int(created.partition("\t")[0].split()[-2])
    moves = _moves(checkout.records)
    there = next((move.source for move in moves if move.target == name and move.time >= time), None)
    if there is None and checkout.is_linked:
        # `git worktree add` leaves no such line. It is mostly run in the main checkout.
        earlier = [move.target for move in _moves(checkout.repository) if move.time <= time]
        there = earlier[-1] if earlier else None
    return there if there is not None and there != name and has_branch(checkout, there) else None


class _Move(NamedTuple):
    time: int
    source: str
    target: str


def _moves(records: Path) -> list[_Move]:
    """Return how HEAD moved from branch to branch, oldest first."""
    found = (_MOVED.search(line) for line in _log(records / "logs", "HEAD"))
    return [_Move(int(one[1]), one[2], one[3]) for one in found if one is not None]


def _is_plain(name: str) -> bool:
    """Whether a name, which may come from a file of a stranger, stays below its folder."""
    return "\0" not in name and all(part not in ("", ".", "..") for part in name.split("/"))


def _packed(checkout: Checkout) -> str:
    try:
        return (checkout.repository / "packed-refs").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _log(folder: Path, name: str) -> list[str]:
    """Return the lines of a log of git's; of a very long one the beginning is left out."""
    if not _is_plain(name):
        return []
    try:
        with (folder / name).open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - limits.GIT_LOG_BYTES))
            text = file.read(limits.GIT_LOG_BYTES).decode("utf-8", "replace")
    except OSError:
        return []
    return text.splitlines()
