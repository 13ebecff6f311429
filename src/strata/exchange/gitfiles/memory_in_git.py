"""Memory in a git repository: turned on and off, brought together with the store, and staged."""

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec

from strata.base.checkout import Checkout, find_checkout
from strata.base.errors import NotAllowed, NotFound, StrataError, Unavailable, Unusable
from strata.base.git_command import run_git
from strata.base.results import Result
from strata.exchange.gitfiles.agents_block import (
    decisions_block,
    default_agents_file,
    read_instructions,
    with_block,
    write_block,
)
from strata.exchange.gitfiles.baseline import forget_baselines
from strata.exchange.gitfiles.file_side import check_folder, write_file
from strata.exchange.gitfiles.git_hooks import (
    HookState,
    hook_states,
    install_hooks,
    remove_hooks,
)
from strata.exchange.gitfiles.sharing import (
    FOLDER,
    PROPOSAL,
    GitSharing,
    SharedPrefix,
    check_sharing,
    forget_sharing,
    proposal_text,
    read_proposal,
    read_sharing,
    write_sharing,
)
from strata.exchange.gitfiles.sync import GitSync, sync_files
from strata.workspace import Workspace

_ATTRIBUTES = ".gitattributes"
# Lines end alike on every system, so that two machines write the same bytes.
_ATTRIBUTES_TEXT = "*.md text eol=lf\n*.json text eol=lf\n"


# What the hook says where git, which has looked already, finds nothing to commit.
_LATE = (
    "the memory is the only change of this commit; if git finds nothing to commit, run it again: "
    "the files are staged now"
)


class GitMemory(Result, frozen=True, kw_only=True):
    """What a repository shares, how its hooks are, and what was brought together."""

    checkout: str
    is_on: bool
    sharing: GitSharing | None = None
    hooks: tuple[HookState, ...] = ()
    sync: GitSync | None = None
    notes: tuple[str, ...] = ()


def checkout_at(folder: Path | None = None) -> Checkout:
    """Return the git checkout around a folder, or raise NotFound."""
    start = (folder or Path.cwd()).resolve()
    found = find_checkout(start)
    if found is None:
        raise NotFound(
            f"{start} is in no git repository.", hint="`git init` makes one.", path=str(start)
        )
    return found


def turn_git_on(
    db: Workspace,
    *,
    folder: Path | None = None,
    memory_folder: str | None = None,
    prefixes: Sequence[SharedPrefix] | None = None,
    decisions: bool | None = None,
    agents_file: str | None = None,
    agents_bytes: int | None = None,
    follow: bool = True,
) -> GitMemory:
    """Share facts under prefixes, and decisions, as Markdown files of a git repository.

    What is not said is as this clone had it before, or as the repository proposes it. Git's hooks
    write the files before a commit and read them after a pull, a merge or a checkout. `follow`
    also lets the branch of the store follow the git branch. An empty `agents_file` leaves out the
    list of decisions.

    >>> import subprocess
    >>> from strata.exchange import SharedPrefix, turn_git_on
    >>> _ = subprocess.run(["git", "init", "-q", folder], check=True)
    >>> _ = db.kv.put("conventions/naming", "nouns")
    >>> on = turn_git_on(db, folder=folder, prefixes=[SharedPrefix("conventions/")])
    >>> (folder / "memory/facts/conventions/naming.md").read_text().splitlines()[-1]
    'nouns'
    """
    checkout = checkout_at(folder)
    _check_place(db, checkout)
    given = {
        "folder": memory_folder,
        "prefixes": None if prefixes is None else tuple(prefixes),
        "decisions": decisions,
        "agents_file": agents_file,
        "agents_bytes": agents_bytes,
    }
    sharing = _chosen(checkout, {name: one for name, one in given.items() if one is not None})
    check_folder(checkout.folder / sharing.folder)
    if sharing.agents_file is not None:
        # Damaged marks are found before anything is written.
        path = checkout.folder / sharing.agents_file
        with_block(read_instructions(path), "")
    hooks = install_hooks(checkout)
    notes = list(_follow(db) if follow else ())
    here = db.on("git") if db.settings.follows_git() else db
    place = checkout.folder / sharing.folder
    write_file(place, PROPOSAL, proposal_text(sharing))
    write_file(place, _ATTRIBUTES, _ATTRIBUTES_TEXT)
    write_sharing(checkout, sharing)
    done = sync_files(here, checkout, sharing, writes=True)
    notes += _write_agents(here, checkout, sharing)
    return GitMemory(
        checkout=str(checkout.folder),
        is_on=True,
        sharing=sharing,
        hooks=tuple(hooks),
        sync=done,
        notes=tuple(notes),
    )


def _check_place(db: Workspace, checkout: Checkout) -> None:
    """Refuse to share the store of another project in this repository."""
    path = db.path
    if path is None:
        return
    homes = (checkout.folder.resolve(), checkout.home.resolve())
    if not any(path.resolve().is_relative_to(home) for home in homes):
        raise NotAllowed(
            f"The store {path} does not belong to the repository {checkout.folder}.",
            hint="`strata.open(PATH)` makes one in the repository; share that.",
        )


def _chosen(checkout: Checkout, given: dict[str, object]) -> GitSharing:
    """Return what is to be shared: as given, else as before, else as proposed."""
    before: GitSharing | None = None
    with suppress(Unusable):  # it is written anew
        before = read_sharing(checkout)
    if before is None:
        name = str(given.get("folder", FOLDER))
        before = read_proposal(checkout.folder / name) or GitSharing(
            agents_file=default_agents_file(checkout.folder)
        )
        before = msgspec.structs.replace(before, folder=name)
    found = msgspec.structs.replace(before, **given)
    if not found.agents_file or not found.decisions:
        found = msgspec.structs.replace(found, agents_file=None)
    return check_sharing(found)


def _follow(db: Workspace) -> list[str]:
    if db.settings.follows_git():
        return []
    if db.settings.get("branch") != "default":
        return ["the setting branch names another branch, so it does not follow git"]
    db.git.follow()
    return []


def turn_git_off(*, folder: Path | None = None, keep: bool = True) -> GitMemory:
    """Stop sharing: take out hooks and the block of decisions; files stay unless `keep` is False.

    The store keeps what it has, and its branch goes on following git if it did.
    """
    checkout = checkout_at(folder)
    sharing = read_sharing(checkout)
    if sharing is not None and sharing.agents_file is not None:
        write_block(checkout.folder / sharing.agents_file, "")
    remove_hooks(checkout)
    forget_sharing(checkout)
    forget_baselines(checkout)
    notes: list[str] = []
    if sharing is not None:
        notes.append(_left(checkout, sharing, keep=keep))
    return GitMemory(
        checkout=str(checkout.folder), is_on=False, sharing=sharing, notes=tuple(notes)
    )


def _left(checkout: Checkout, sharing: GitSharing, *, keep: bool) -> str:
    if keep:
        return f"the files in {sharing.folder} stay; `git rm -r {sharing.folder}` removes them"
    run_git(checkout.folder, "rm", "-r", "-q", "-f", "--ignore-unmatch", "--", f"{sharing.folder}/")
    return f"removed {sharing.folder}"


def git_memory(*, folder: Path | None = None) -> GitMemory:
    """Return whether a repository shares memory, what of it, and whether its hooks are in place."""
    checkout = checkout_at(folder)
    sharing = read_sharing(checkout)
    notes: list[str] = []
    hooks: list[HookState] = []
    if sharing is None:
        with suppress(Unusable):
            if read_proposal(checkout.folder / FOLDER) is not None:
                notes.append(f"{FOLDER} holds shared memory: `strata git on` takes part")
    else:
        hooks = hook_states(checkout)
        notes += _difference(checkout, sharing)
    return GitMemory(
        checkout=str(checkout.folder),
        is_on=sharing is not None,
        sharing=sharing,
        hooks=tuple(hooks),
        notes=tuple(notes),
    )


def _difference(checkout: Checkout, sharing: GitSharing) -> list[str]:
    """Say that the repository proposes to share something else than this clone does."""
    with suppress(Unusable):
        proposed = read_proposal(checkout.folder / sharing.folder)
        if proposed is not None and proposed != sharing:
            said = f"{sharing.folder}/{PROPOSAL} proposes to share something else"
            return [f"{said}: run `strata git on` with the options that you agree with"]
    return []


def sync_git(
    db: Workspace,
    *,
    folder: Path | None = None,
    writes: bool = True,
    prefer: Mapping[str, Literal["file", "store"]] | None = None,
    hook: str = "",
) -> GitMemory:
    """Bring files and store together now; `prefer` decides conflicts by the path of the file.

    `hook` is the hook of git that asks. After a checkout of another branch nothing is deleted
    where all git branches have one memory: that branch may just be behind.
    """
    checkout = checkout_at(folder)
    sharing = read_sharing(checkout)
    if sharing is None:
        raise NotAllowed(
            f"The repository {checkout.folder} shares no memory.",
            hint="`strata git on` turns it on.",
        )
    done = sync_files(
        db,
        checkout,
        sharing,
        writes=writes,
        prefer=prefer,
        deletes=hook != "post-checkout" or db.settings.follows_git(),
        after_rebase=hook == "post-rewrite",
    )
    notes = _write_agents(db, checkout, sharing) if writes and done.skipped is None else []
    return GitMemory(
        checkout=str(checkout.folder), is_on=True, sharing=sharing, sync=done, notes=tuple(notes)
    )


def _write_agents(db: Workspace, checkout: Checkout, sharing: GitSharing) -> list[str]:
    """Write the block of decisions; return what is wrong with the file."""
    if sharing.agents_file is None:
        return []
    try:
        block = decisions_block(db, sharing.agents_bytes)
        write_block(checkout.folder / sharing.agents_file, block)
    except StrataError as error:
        return [f"{error.message} {error.hint or ''}".strip()]
    return []


def sync_before_commit(db: Workspace, checkout: Checkout) -> GitMemory | None:
    """Bring files and store together before a commit, and let the commit have the files.

    None where nothing is shared, and for a commit of named files only: git makes it from an index
    of its own, in which other files would be lost afterwards.
    """
    sharing = read_sharing(checkout)
    index = os.environ.get("GIT_INDEX_FILE", "index")
    # `git commit --all` has the whole index in its lock file.
    if sharing is None or Path(index).name not in ("index", "index.lock"):
        return None
    has_more = bool(_staged(checkout))
    found = sync_git(db, folder=checkout.folder)
    if found.sync is not None and found.sync.skipped is None:
        words = ("add", "-A", "--", f"{sharing.folder}/")
        run_git(checkout.folder, *words, keeps_index=True)
        _stage_block(db, checkout, sharing)
        if not has_more and _staged(checkout):
            return msgspec.structs.replace(found, notes=(*found.notes, _LATE))
    return found


def _staged(checkout: Checkout) -> bytes:
    """Return the names of the files that the next commit changes."""
    words = ("diff", "--cached", "--name-only", "--no-renames")
    return run_git(checkout.folder, *words, keeps_index=True)


def _stage_block(db: Workspace, checkout: Checkout, sharing: GitSharing) -> None:
    """Stage the block alone: other edits of the file are the user's to stage."""
    name = sharing.agents_file
    if name is None:
        return
    block = decisions_block(db, sharing.agents_bytes)
    try:
        staged = run_git(checkout.folder, "cat-file", "blob", f":0:{name}", keeps_index=True)
    except Unavailable:
        staged = b""
    with suppress(Unusable):
        wanted = with_block(staged, block)
        if wanted == staged:
            return
        path = checkout.folder / name
        blob = run_git(checkout.folder, "hash-object", "-w", "--stdin", stdin=wanted)
        mode = "100755" if path.exists() and os.access(path, os.X_OK) else "100644"
        entry = f"{mode},{blob.decode().strip()},{name}"
        words = ("update-index", "--add", "--cacheinfo", entry)
        run_git(checkout.folder, *words, keeps_index=True)
