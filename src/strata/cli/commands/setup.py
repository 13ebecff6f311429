"""Beginning with a store, seeing it at a glance, its settings, help and completion."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

import click

import strata
from strata.base.counts import plural
from strata.cli.command import Output, Spelling, command, reads
from strata.cli.meaning import look, status_line
from strata.cli.output import local_time, size
from strata.cli.session import Invocation
from strata.cli.show.text import facts, inline, one_line, table
from strata.sql import database_status, parse_address
from strata.workspace import SETTINGS, MergeOffer, Workspace, require_setting

# Branches to merge that a command names, at most.
_OFFERS_NAMED = 10


@command("init")
def init(
    session: Invocation,
    folder: Annotated[
        Path | None,
        "Where to make it, instead of here.",
        Spelling(type=click.Path(file_okay=False, path_type=Path)),
    ] = None,
) -> Output:
    """Make a store.

    In a project (a folder with .git, pyproject.toml or package.json, or one inside it) the
    store is made at the project's root; elsewhere in the folder you are in. FOLDER names
    another place. A store that is there already is left as it is.

        strata init
        strata init another-project
    """
    place = session.new_place(folder)
    if isinstance(place, str):
        is_new = not _is_there(place)
        shown = parse_address(place).display
    else:
        is_new, shown = not place.exists(), str(place)
        place.parent.parent.mkdir(parents=True, exist_ok=True)
    strata.open(place, auto_embed=False).close()
    line = f"made a store at {shown}" if is_new else f"there is a store already: {shown}"
    return Output({"path": shown, "created": is_new}, line)


def _is_there(address: str) -> bool:
    """Whether a database has the workspace of an address; a bare database has none."""
    found = database_status(address)
    return parse_address(address).workspace in [one.name for one in found.workspaces]


@reads("status", takes="branch space at")
def status(db: Workspace) -> Output:
    """Show the store at a glance.

    Where it is and why, where you are in it, what it holds, whether search finds by meaning,
    and what was done last.

        strata init
        strata status
    """
    location = Invocation.current().location
    info, newest, count = db.info(), db.log(limit=1), len(db.spaces.list())
    last, meaning = newest[0] if newest else None, look(db)
    warning = db.resolve("now").warning
    holds = [plural(info.keys, "key"), plural(info.events, "event")]
    if info.documents:
        holds.append(plural(info.documents, "document"))
    lines = facts(
        [
            ("store", f"{location.display} ({location.reason})"),
            ("database", info.database),
            ("branch", _branch(db, info)),
            ("space", f"{one_line(info.space)}, of {plural(count, 'space')}"),
            ("actor", one_line(db.actor or "-")),
            ("holds", ", ".join(holds)),
            ("history", f"{plural(info.commits, 'commit')}, {plural(info.versions, 'version')}"),
            ("size", f"{size(info.size_bytes)}, format {info.format}"),
            ("durability", info.durability),
            ("search", one_line(status_line(meaning))),
            ("last commit", "none yet" if last is None else _last(last)),
            *([("clock", warning)] if warning is not None else []),
        ]
    )
    unused = [] if location.unused is None else [own_store_note(location)]
    offers = offers_of(db)
    return Output(
        info,
        lines,
        reason=location.reason,
        spaces=count,
        actor=db.actor,
        last_commit=last,
        search=meaning,
        merge_offers=offers,
        notes=[*unused, *offer_lines(offers)],
    )


def _branch(db: Workspace, info: strata.Info) -> str:
    line = f"{one_line(info.branch)}, of {plural(info.branches, 'branch')}"
    if not db.settings.follows_git() or Invocation.current().branch is not None:
        return line
    made = "" if db.branches.exists(info.branch) else "; the first write makes it"
    return f"{line}, follows git{made}"


def offers_of(db: Workspace) -> tuple[MergeOffer, ...]:
    """Return the branches to merge because git merged theirs; none where branches follow no git."""
    if not db.settings.follows_git():
        return ()
    try:
        return db.git.offers()
    except strata.StrataError:
        return ()  # `strata git status` says what is wrong with the repository


def offer_lines(offers: Sequence[MergeOffer]) -> Iterator[str]:
    """Yield a line for each branch whose git branch was merged or is gone."""
    for one in offers[:_OFFERS_NAMED]:
        name = one_line(one.branch)
        what = f"{name}: its git branch is {one.reason}"
        if not one.commits:
            yield f"{what}, and all of it is in default; `strata git merge` deletes it"
        elif one.reason == "merged":
            yield f"{what}; `strata git merge` brings {plural(one.commits, 'commit')} to default"
        else:
            yield (
                f"{what}, with {plural(one.commits, 'commit')} of its own; `strata git merge "
                f"{name}` keeps them, `strata branch {name} --delete --force` does not"
            )


def own_store_note(location: strata.Location) -> str:
    """Say that a git worktree has a store of its own, and how to bring it to the others."""
    return (
        f"this git worktree has a store of its own, and the main checkout's is {location.unused}. "
        "To bring it there: `strata bundle export worktree.bundle` here; in the main checkout "
        "`strata bundle import worktree.bundle --as worktree` and `strata merge worktree`; then "
        f"remove {location.path.parent}"
    )


def _last(commit: strata.Commit) -> str:
    message = f": {one_line(commit.message)}" if commit.message else ""
    return f"version {commit.version}, {local_time(commit.timestamp)}, {commit.operation}{message}"


@command("config")
def config(
    session: Invocation,
    name: Annotated[str | None, "The setting."] = None,
    value: Annotated[str | None, "What to set it to."] = None,
    *,
    unset: Annotated[bool, "Forget the setting."] = False,
) -> Output:
    """Show or change the settings.

    The store remembers them. Alone it lists them, with a NAME it prints one, with a VALUE it
    sets it. The environment wins over the store, and an option over both.

        strata config actor 소연
        strata config actor
        strata config
        strata config --unset actor
    """
    if unset:
        if name is None:
            raise click.UsageError("Name the setting to forget.")
        if value is not None:
            raise click.UsageError("--unset takes no value.")
        with session.writing(anywhere=True) as db:
            was_set = db.settings.unset(name)
        line = f"forgot {name}" if was_set else f"{name} was not set"
        return Output({"name": name, "unset": was_set}, line)
    if name is None:
        with session.reading(anywhere=True) as db:
            return _settings(db)
    if value is None:
        require_setting(name)
        with session.reading(anywhere=True) as db:
            found = db.settings.get(name)
        return Output({"name": name, "value": found}, [inline(found)] if found else [])
    session.rehearse(lambda db: db.settings.set(name, value), anywhere=True)
    with session.writing(create=True, anywhere=True) as db:
        db.settings.set(name, value)
    return Output({"name": name, "value": value}, f"{name} = {one_line(value)}")


def _settings(db: Workspace) -> Output:
    found = {name: (value, _source(name, value)) for name, value in db.settings.list().items()}
    rows = [
        (name, "-" if value is None else inline(value), source)
        for name, (value, source) in found.items()
    ]
    members = {name: {"value": value, "source": source} for name, (value, source) in found.items()}
    return Output({"settings": members}, table(("SETTING", "VALUE", "FROM"), rows))


def _source(name: str, value: object) -> str:
    setting = SETTINGS[name]
    if setting.variable in os.environ:
        return setting.variable
    return "default" if value == setting.default else "store"


@command("help")
def show_help(
    _session: Invocation,
    words: Annotated[tuple[str, ...], "What to explain.", Spelling("[COMMAND]...")] = (),
) -> None:
    """Explain a command, or list all of them.

    The same as --help behind the command.

        strata help
        strata help put
    """
    context = click.get_current_context().find_root()
    for word in words:
        parent = context.command
        if not isinstance(parent, click.Group):
            raise click.UsageError(f"{context.command_path} has no commands of its own.")
        name, found, _rest = parent.resolve_command(context, [word])
        assert found is not None, "a name that is not there was refused"
        context = click.Context(found, parent=context, info_name=name)
    click.echo(context.get_help())


@command("completion")
def completion(
    _session: Invocation,
    shell: Annotated[Literal["bash", "zsh", "fish"], "The shell that is to complete."],
) -> None:
    """Print a script for the completion of a shell.

    It completes commands, options, and the branches, keys and tags of the store. Let your shell
    read it at its start: for bash put `eval "$(strata completion bash)"` into ~/.bashrc, for
    zsh the same with zsh into ~/.zshrc, for fish write it to
    ~/.config/fish/completions/strata.fish.

        strata completion bash > strata-completion.bash
        strata completion fish | head -n 3
    """
    from click.shell_completion import get_completion_class  # noqa: PLC0415  (slow to load)

    root = click.get_current_context().find_root().command
    made = get_completion_class(shell)
    assert made is not None, "click knows these shells"
    click.echo(made(root, {}, "strata", "_STRATA_COMPLETE").source(), color=True)
