"""Beginning with a store, seeing it at a glance, its settings, help and completion."""

import os
from pathlib import Path

import click

import strata
from strata.cli.decorated import command
from strata.cli.meaning import look, told
from strata.cli.output import answer, local_time, plural, size
from strata.cli.session import Invocation
from strata.cli.show.tables import facts, table
from strata.cli.show.text import inline, one_line
from strata.workspace import SETTINGS, require_setting, user_folder


@command(
    "init",
    examples="""
    strata init
    strata init another-project
    """,
)
@click.argument(
    "folder",
    required=False,
    type=click.Path(file_okay=False, path_type=Path),
    help="Where to make it, instead of here.",
)
def init(session: Invocation, *, folder: Path | None) -> None:
    """Make a store.

    In a project (a folder with .git, pyproject.toml or package.json, or one inside it) the
    store is made at the project's root; elsewhere in the folder you are in. FOLDER names
    another place. A store that is there already is left as it is.
    """
    path = _place(session, folder)
    is_new = not path.exists()
    path.parent.parent.mkdir(parents=True, exist_ok=True)
    strata.open(path, auto_embed=False).close()
    line = f"made a store at {path}" if is_new else f"there is a store already: {path}"
    answer(session, {"path": path, "created": is_new}, [line])


def _place(session: Invocation, folder: Path | None) -> Path:
    if folder is not None:
        return folder.resolve() / ".strata" / "store.db"
    found = session.location.path
    here = Path.cwd()
    is_for_everything = here in (Path.home().resolve(), here.parent)
    if found.parent == user_folder() and session.db is None and not is_for_everything:
        return here / ".strata" / "store.db"
    return found


@command(
    "status",
    takes="branch space at",
    examples="""
    strata init
    strata status
    """,
)
def status(session: Invocation) -> None:
    """Show the store at a glance.

    Where it is and why, where you are in it, what it holds, whether search finds by meaning,
    and what was done last.
    """
    location = session.location
    with session.reading() as db:
        info, newest, count = db.info(), db.log(limit=1), len(db.spaces.list())
        last, meaning = newest[0] if newest else None, look(db)
        history = f"{plural(info.commits, 'commit')}, {plural(info.versions, 'version')}"
        warning = db.resolve("now").warning
        lines = facts(
            [
                ("store", f"{location.path} ({location.reason})"),
                ("branch", f"{one_line(info.branch)}, of {plural(info.branches, 'branch')}"),
                ("space", f"{one_line(info.space)}, of {plural(count, 'space')}"),
                ("actor", one_line(db.actor or "-")),
                ("holds", _holdings(info)),
                ("history", history),
                ("size", f"{size(info.size_bytes)}, format {info.format}"),
                ("durability", info.durability),
                ("search", one_line(told(meaning))),
                ("last commit", _last(last)),
                *([("clock", warning)] if warning is not None else []),
            ]
        )
        answer(
            session, info, lines,
            reason=location.reason, spaces=count, actor=db.actor, last_commit=last,
            search=meaning,
        )  # fmt: skip


def _holdings(info: strata.Info) -> str:
    found = [plural(info.keys, "key"), plural(info.events, "event")]
    return ", ".join([*found, plural(info.documents, "document")] if info.documents else found)


def _last(commit: strata.Commit | None) -> str:
    if commit is None:
        return "none yet"
    when = local_time(commit.timestamp)
    told = f": {one_line(commit.message)}" if commit.message else ""
    return f"version {commit.version}, {when}, {commit.operation}{told}"


@command(
    "config",
    examples="""
    strata config actor 소연
    strata config actor
    strata config
    strata config --unset actor
    """,
)
@click.argument("name", required=False, help="The setting.")
@click.argument("value", required=False, help="What to set it to.")
@click.option("--unset", is_flag=True, help="Forget the setting.")
def config(session: Invocation, *, name: str | None, value: str | None, unset: bool) -> None:
    """Show or change the settings.

    The store remembers them. Alone it lists them, with a NAME it prints one, with a VALUE it
    sets it. The environment wins over the store, and an option over both.
    """
    if name is None:
        if unset:
            raise click.UsageError("Name the setting to forget.")
        _list_settings(session)
    elif unset:
        if value is not None:
            raise click.UsageError("--unset takes no value.")
        with session.writing(anywhere=True) as db:
            was_set = db.settings.unset(name)
            line = f"forgot {name}" if was_set else f"{name} was not set"
            answer(session, {"name": name, "unset": was_set}, [line])
    elif value is not None:
        session.rehearse(lambda db: db.settings.set(name, value), anywhere=True)
        with session.writing(create=True, anywhere=True) as db:
            db.settings.set(name, value)
            answer(session, {"name": name, "value": value}, [f"{name} = {one_line(value)}"])
    else:
        require_setting(name)
        with session.reading(anywhere=True) as db:
            found = db.settings.get(name)
            answer(session, {"name": name, "value": found}, [inline(found)] if found else [])


def _list_settings(session: Invocation) -> None:
    with session.reading(anywhere=True) as db:
        found = {name: (value, _source(name, value)) for name, value in db.settings.list().items()}
        rows = [
            (name, inline(value) if value is not None else "-", source)
            for name, (value, source) in found.items()
        ]
        members = {
            name: {"value": value, "source": source} for name, (value, source) in found.items()
        }
        answer(session, {"settings": members}, table(("SETTING", "VALUE", "FROM"), rows))


def _source(name: str, value: object) -> str:
    setting = SETTINGS[name]
    if setting.variable in os.environ:
        return setting.variable
    return "default" if value == setting.default else "store"


@command(
    "help",
    examples="""
    strata help
    strata help put
    """,
)
@click.argument("words", metavar="[COMMAND]...", nargs=-1, help="What to explain.")
def show_help(_session: Invocation, *, words: tuple[str, ...]) -> None:
    """Explain a command, or list all of them.

    The same as --help behind the command.
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


@command(
    "completion",
    examples="""
    strata completion bash > strata-completion.bash
    strata completion fish | head -n 3
    """,
)
@click.argument(
    "shell", type=click.Choice(["bash", "zsh", "fish"]), help="The shell that is to complete."
)
def completion(_session: Invocation, *, shell: str) -> None:
    """Print a script for the completion of a shell.

    It completes commands, options, and the branches, keys and tags of the store. Let your shell
    read it at its start: for bash put `eval "$(strata completion bash)"` into ~/.bashrc, for
    zsh the same with zsh into ~/.zshrc, for fish write it to
    ~/.config/fish/completions/strata.fish.
    """
    from click.shell_completion import get_completion_class  # noqa: PLC0415  (slow to load)

    root = click.get_current_context().find_root().command
    made = get_completion_class(shell)
    assert made is not None, "click knows these shells"
    click.echo(made(root, {}, "strata", "_STRATA_COMPLETE").source(), color=True)
