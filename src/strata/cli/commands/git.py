"""Commands about the git repository that a project is in."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import strata
from strata.base.counts import plural
from strata.cli.command import Output, Spelling, group
from strata.cli.commands.branches import preview_lines
from strata.cli.commands.setup import offer_lines
from strata.cli.session import Invocation, say
from strata.cli.show.changes import outcome_lines
from strata.cli.show.text import facts, one_line
from strata.exchange import (
    GitMemory,
    GitSync,
    SharedPrefix,
    checkout_at,
    git_memory,
    sync_before_commit,
    sync_git,
    turn_git_off,
    turn_git_on,
)
from strata.workspace import GitState, Workspace

_NAMED = 10

git = group(
    "git",
    """Let memory follow a git repository, and travel with it.

    With the setting `branch = git`, commands, tools and hooks work on a branch for the git branch
    that is checked out. `strata git on` also keeps chosen facts and decisions as Markdown files
    beside the code: written before a commit, read after a pull.

        strata git
    """,
    alone="status",
)


@git.command_of("status")
def status(session: Invocation) -> Output:
    """Show which branches belong together, and what is shared as files.

    Names the git branch that is checked out, the branch of the store that belongs to it, branches
    to merge because git has merged theirs, and hooks of git that are missing.

        strata put note "읽어 주세요"
        strata git status
    """
    if not session.location.exists:
        memory = git_memory()
        pairs = [("store", "none here yet"), ("files", _files_line(memory))]
        return Output({"following": None, "memory": memory}, facts(pairs), notes=memory.notes)
    with session.reading(anywhere=True) as db:
        state = db.git.state()
    memory = None if state.checkout is None else git_memory()
    pairs = [("git", _git_line(state)), ("branch", _branch_line(state))]
    if memory is not None:
        pairs.append(("files", _files_line(memory)))
        wrong = [one for one in memory.hooks if one.state != "on"]
        pairs += [("hook", f"{one.name} is {one.state}: {one_line(one.path)}") for one in wrong]
    lines = [*facts(pairs), *(f"  {one}" for one in offer_lines(state.offers))]
    notes = [] if memory is None else [one_line(note) for note in memory.notes]
    return Output({"following": state, "memory": memory}, lines, notes=notes)


def _git_line(state: GitState) -> str:
    if state.checkout is None:
        return "no repository here"
    branch = "HEAD is detached" if state.git_branch is None else one_line(state.git_branch)
    busy = ", in the middle of a merge or a rebase" if state.is_busy else ""
    default = f", default {one_line(state.git_default)}" if state.git_default else ""
    return f"{branch}{default}{busy} ({one_line(state.checkout)})"


def _branch_line(state: GitState) -> str:
    name = one_line(state.branch)
    if not state.follows:
        return f"{name}, whatever is checked out (`strata config branch git` follows git)"
    if state.is_made:
        return f"{name}, follows git"
    return f"{name}, follows git; shows {one_line(state.parent or '')} until the first write"


def _files_line(memory: GitMemory) -> str:
    sharing = memory.sharing
    if sharing is None:
        return "none (`strata git on` shares facts and decisions)"
    shared = [one_line(one.prefix) for one in sharing.prefixes]
    shared += ["decisions"] if sharing.decisions else []
    listed = f"; decisions in force in {sharing.agents_file}" if sharing.agents_file else ""
    return f"{', '.join(shared)} in {one_line(sharing.folder)}{listed}"


@git.writes("merge", takes="actor", anywhere=True)
def merge(
    db: Workspace,
    names: Annotated[
        tuple[str, ...],
        "The branches; all that git has merged when none is named.",
        Spelling("[BRANCH]..."),
    ] = (),
    *,
    preview: Annotated[bool, "Only show what it would do."] = False,
) -> Output:
    """Merge branches whose git branches were merged.

    They are merged into default and deleted. A branch whose git branch is gone is taken only if it
    is named: git does not tell whether its work was merged by a squash or thrown away. Where both
    sides changed the same place nothing is written; `strata merge BRANCH --into default --choose …`
    decides it, and the next call of this command deletes the branch. A deleted branch can be
    restored for 30 days.

        strata put note 1
        strata git merge --preview
    """
    done = db.git.merge(names, preview=preview)
    lines = [line for one in done for line in _merge_lines(one, preview=preview)]
    return Output({"merges": done}, lines, empty="nothing to merge")


def _merge_lines(found: strata.Merge, *, preview: bool) -> Iterable[str]:
    if preview:
        return preview_lines(found)
    return outcome_lines(found, f"merged {one_line(found.source)} into {one_line(found.target)}")


@git.command_of("on", takes="space")
def turn_on(
    session: Invocation,
    *,
    prefix: Annotated[
        tuple[str, ...],
        "Share facts whose keys begin so; may be repeated.",
        Spelling("PREFIX"),
    ] = (),
    decisions: Annotated[
        bool | None,
        "Whether decisions are shared too.",
        Spelling(flags="--decisions/--no-decisions"),
    ] = None,
    folder: Annotated[
        str | None, "The folder for the files, inside the checkout.", Spelling("FOLDER")
    ] = None,
    agents_file: Annotated[
        str | None,
        "The file that lists the decisions in force; an empty name for none.",
        Spelling("FILE"),
    ] = None,
    agents_bytes: Annotated[int | None, "The most bytes that this list takes."] = None,
    one_branch: Annotated[
        bool, "Keep one memory for all git branches, instead of following them."
    ] = False,
) -> Output:
    """Share facts and decisions as Markdown files of this git repository.

    Git's hooks write them before a commit and read them after a pull, a merge, a rebase or a
    checkout; what both sides changed is joined or told as a conflict, and nothing is lost. Facts
    under the prefixes of the current space are shared, and all decisions; what holds a secret is
    not. The decisions in force are listed in AGENTS.md or CLAUDE.md, between marks of their own.
    Options that are left out are as before, or as the repository's own file proposes them.

        git init -q
        strata put conventions/naming "이름은 명사로"
        strata git on --prefix conventions/
        strata git off
    """
    space = session.space
    with session.writing(create=True, anywhere=True) as db:
        chosen = [SharedPrefix(one, space or db.space_name) for one in prefix]
        found = turn_git_on(
            db,
            memory_folder=folder,
            prefixes=chosen or None,
            decisions=decisions,
            agents_file=agents_file,
            agents_bytes=agents_bytes,
            follow=not one_branch,
        )
        lines = [f"on: {_files_line(found)}", *_sync_lines(found.sync)]
        foreign = [one for one in found.hooks if one.state != "on"]
        notes = [*found.notes, *(_foreign_note(one.name, one.path) for one in foreign)]
        if found.sync is not None and found.sync.written:
            notes.append("commit these files, so that others get them with their next pull")
        return Output(found, lines, notes=notes)


def _foreign_note(name: str, path: str) -> str:
    return (
        f"the hook {one_line(path)} is no shell script, so it was left as it is; let it run "
        f"`strata git hook {name}`"
    )


@git.command_of("off")
def turn_off(
    session: Invocation,
    *,
    remove: Annotated[bool, "Remove the files from the checkout and the index, too."] = False,
) -> Output:
    """Stop sharing memory as files.

    The hooks and the list of decisions are taken out. The store keeps everything, and other clones
    go on. Files stay unless --remove is given.

        git init -q
        strata git on
        strata git off
    """
    del session
    found = turn_git_off(keep=not remove)
    if found.sharing is None:
        return Output(found, "it was off already")
    return Output(found, "off", notes=found.notes)


@git.writes("sync", takes="branch actor")
def sync(
    db: Workspace,
    *,
    take: Annotated[
        tuple[str, ...],
        "Decide a conflict: the path of the file, and whether file or store counts.",
        Spelling("PATH=file|store"),
    ] = (),
) -> Output:
    """Bring shared files and store together now, as the hooks do.

    Only what a side changed since they last met is carried over. What both changed in the same
    lines is a conflict: it is listed, both stay as they are, and the exit code is 1.

        git init -q
        strata put conventions/naming "nouns"
        strata git on --prefix conventions/
        strata put conventions/naming "nouns, in singular"
        strata git sync
        strata git off
    """
    chosen = dict(_choice(one) for one in take)
    found = sync_git(db, prefer=chosen)  # pyright: ignore[reportArgumentType]
    code = 1 if found.sync is not None and found.sync.conflicts else 0
    return Output(found, _sync_lines(found.sync), notes=found.notes, code=code)


def _choice(text: str) -> tuple[str, str]:
    path, equals, side = text.rpartition("=")
    if not equals or side not in ("file", "store"):
        raise strata.InvalidArgument(
            f"Cannot read --take {text!r}.", hint="Write PATH=file or PATH=store.", parameter="take"
        )
    return path, side


def _sync_lines(done: GitSync | None) -> Iterator[str]:
    """Yield what was carried over, and what was not."""
    if done is None:
        return
    if done.skipped is not None:
        yield f"nothing done: {done.skipped}"
        return
    parts = [
        (done.taken, "taken into the store"),
        (done.deleted, "deleted in the store"),
        (done.joined, "joined with the store"),
        (done.written, "written"),
        (done.removed, "removed"),
    ]
    for paths, what in parts:
        if paths:
            more = "" if len(paths) <= _NAMED else ", …"
            named = ", ".join(one_line(path) for path in paths[:_NAMED])
            yield f"{plural(len(paths), 'file')} {what}: {named}{more}"
    is_done = any(paths for paths, _what in parts)
    if not is_done and not done.conflicts and not done.problems:
        yield "files and store have the same"
    for path in done.conflicts:
        yield (
            f"conflict: {one_line(path)} was changed in the file and in the store; `strata git "
            f"sync --take {one_line(path)}=file` or `=store` decides"
        )
    for one in done.problems:
        yield f"left as it is: {one_line(one.path)}: {one_line(one.reason)}"


@git.command_of("hook")
def hook(
    session: Invocation,
    name: Annotated[str, "The hook of git.", Spelling("HOOK")],
    arguments: Annotated[tuple[str, ...], "What git tells it.", Spelling("[ARGUMENT]...")] = (),
) -> None:
    """Answer a hook of git; `strata git on` has git call this.

    It never stops git: an error is a line on stderr, and the exit code is 0.

        strata git hook post-merge 0
    """
    try:
        _answer(session, name, arguments)
    except (strata.StrataError, OSError) as error:
        say(f"git {one_line(name)}: {one_line(str(error))}")


def _answer(session: Invocation, name: str, arguments: tuple[str, ...]) -> None:
    # Single files were checked out, or a commit was amended, which another hook has seen.
    if (name, *arguments[-1:]) in (("post-checkout", "0"), ("post-rewrite", "amend")):
        return
    if not session.location.exists:
        return
    checkout = checkout_at(Path.cwd())
    if not git_memory(folder=checkout.folder).is_on:
        return
    session.warns = False
    with session.writing() as db:
        if not db.trust.is_given:
            say(f"git {one_line(name)}: {db.trust.warning}")
            return
        if name == "pre-commit":
            found = sync_before_commit(db, checkout)
        else:
            found = sync_git(db, folder=checkout.folder, writes=False, hook=name)
        offers = db.git.offers() if name == "post-merge" and db.settings.follows_git() else ()
    if found is None or found.sync is None:
        return
    done = found.sync
    if done.conflicts or done.problems or done.taken or done.deleted or done.joined:
        for line in _sync_lines(done):
            say(line)
    for note in (*found.notes, *offer_lines(offers)):
        say(note)


hook.ignore_unknown_options = True
