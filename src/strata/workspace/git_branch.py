"""The branch of a session where the setting `branch` says "git": it follows the git checkout.

The repository's default branch is the branch `default` here. Every other git branch has one of its
own name, forked by its first write; until then it shows its parent. A detached HEAD is no branch,
so it works on `default`, as does a folder without a checkout.
"""

import os
from hashlib import blake2b
from pathlib import Path
from urllib.parse import quote

from strata.base import limits
from strata.base.checkout import Checkout, find_checkout
from strata.base.errors import InvalidArgument
from strata.base.git_branches import (
    current_branch,
    default_branch,
    former_name,
    has_branch,
    parent_branch,
)
from strata.store import DEFAULT_BRANCH, PROPOSALS, Store, UnbornBranch, check_name

# The value of the setting, and the beginning of names for git branches that need another one.
GIT = "git"
_RESERVED = f"{GIT}/"
_DIGEST_BYTES = 6


def followed_branch(store: Store, folder: Path | None = None) -> str:
    """Return the branch here for the git branch of a folder, by default the working folder.

    One that does not exist yet is made by the first write.
    """
    checkout = checkout_of(store, folder)
    git_name = None if checkout is None else current_branch(checkout)
    if checkout is None or git_name is None:
        return DEFAULT_BRANCH
    return branch_for(store, checkout, git_name)


def branch_for(store: Store, checkout: Checkout, git_name: str) -> str:
    """Return the branch here for a git branch, which the first write makes if it is missing."""
    if git_name == default_branch(checkout):
        return DEFAULT_BRANCH
    name = name_for(git_name)
    if store.catalog.find(name, store.connection()) is None:
        store.catalog.unborn[name] = _unborn(store, checkout, git_name)
    return name


def name_for(git_name: str) -> str:
    """Return the name of the branch here for a git branch other than the default one.

    It is git's own, unless that is not allowed here or means something else.
    """
    try:
        check_name(git_name, what="branch")
        if git_name not in (DEFAULT_BRANCH, GIT) and not git_name.startswith(
            (_RESERVED, PROPOSALS)
        ):
            return git_name
    except InvalidArgument:
        pass
    plain = "".join(one if one.isprintable() and one != "%" else quote(one) for one in git_name)
    if len(_RESERVED) + len(plain) <= limits.NAME_CHARACTERS_MAX:
        return f"{_RESERVED}{plain}"
    mark = blake2b(git_name.encode(), digest_size=_DIGEST_BYTES).hexdigest()
    room = limits.NAME_CHARACTERS_MAX - len(_RESERVED) - len(mark) - 1
    return f"{_RESERVED}{plain[:room].rstrip()}~{mark}"


def git_name_of(name: str, metadata: object) -> str | None:
    """Return the git branch that a branch here follows, or None for one made for other work."""
    noted = metadata.get(GIT) if isinstance(metadata, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    if not isinstance(noted, str):
        return None
    # One that was renamed with its git branch keeps the note of its first name.
    return noted if name_for(noted) == name else name


def checkout_of(store: Store, folder: Path | None = None) -> Checkout | None:
    """Return the checkout whose branch counts: around the folder, or around the store's project.

    A folder in another repository than the store's says nothing about the store.
    """
    try:
        here = find_checkout(Path(os.path.realpath(folder or Path.cwd())))
    except FileNotFoundError:  # the working folder was removed
        here = None
    path = store.database.real_path
    if path is None:
        return here
    if here is not None and any(path.is_relative_to(one) for one in (here.folder, here.home)):
        return here
    return find_checkout(path.parent.parent)


def _unborn(store: Store, checkout: Checkout, git_name: str) -> UnbornBranch:
    """Return how a git branch's own branch begins: as its parent, or under its former name."""
    before = former_name(checkout, git_name)
    if before is not None and not has_branch(checkout, before):
        row = store.catalog.find(name_for(before), store.connection())
        if row is not None and git_name_of(row.name, row.metadata) == before:
            return UnbornBranch(row.name, renames=True)
    return UnbornBranch(_parent(store, checkout, git_name), metadata={GIT: git_name})


def _parent(store: Store, checkout: Checkout, git_name: str) -> str:
    """Return the nearest parent of a git branch that has a branch here."""
    default, name = default_branch(checkout), git_name
    for _step in range(limits.GIT_PARENTS_MAX):
        above = parent_branch(checkout, name)
        if above is None or above == default:
            break
        if store.catalog.find(name_for(above), store.connection()) is not None:
            return name_for(above)
        name = above
    return DEFAULT_BRANCH
