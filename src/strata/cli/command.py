"""How commands are declared: a function over an opened store, whose signature is the usage.

A function below `reads` or `writes` takes the workspace and what the user typed: positional
parameters are arguments, keyword-only ones are options, `Annotated` says what each is for. Its
docstring is the help, and the indented lines at its end are the examples. It returns what to
print. Below `command` it takes the invocation instead, and opens the store itself if it needs one.
"""

from collections.abc import Callable, Iterable
from inspect import Parameter, cleandoc, signature
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    NamedTuple,
    TypeAlias,
    Union,
    cast,
    get_args,
    get_origin,
)

import click
import msgspec

from strata.base.results import plain
from strata.cli.completion import Completer, complete_branches, complete_spaces
from strata.cli.output import mention_moment, print_json
from strata.cli.session import Invocation, say

if TYPE_CHECKING:
    from strata.base.page import ResultPage

# A command takes the workspace or the invocation, and its own arguments by name.
Body: TypeAlias = "Callable[..., Output | int | None]"
# The same, with its arguments given. Any: a workspace, or an invocation.
Work: TypeAlias = "Callable[[Any], Output | int | None]"


class Spelling(NamedTuple):
    """How a parameter is typed, where its name and type do not tell; part of its `Annotated`."""

    # Its name in usage lines.
    metavar: str | None = None
    # The spellings of an option: "-m --message".
    flags: str = ""
    complete: Completer | None = None
    # Where click has a type that Python's do not express.
    type: click.ParamType[Any] | None = None
    # What an option says that is given without a value.
    alone: str | None = None


def more_notes(page: "ResultPage[Any, Any]", option: str) -> list[str]:
    """Return a note with the option that shows the next page, where there is one."""
    return [f"there is more: {option} {page.next} shows the next"] if page.more else []


class Output:
    """What a command prints: with --json the document and the extra members, else the lines.

    A single line may be given as it is. Where there are no lines, the user reads `empty` on
    stderr instead; `notes` go there too. With --json, neither lines nor notes are asked for.
    """

    def __init__(
        self,
        document: object,
        lines: str | Iterable[str] = (),
        *,
        empty: str | None = None,
        notes: Iterable[str] = (),
        code: int = 0,
        **extra: object,
    ) -> None:
        is_json = Invocation.current().json
        self.document = document
        # All of them now, while the store is open.
        self.lines = [] if is_json else [lines] if isinstance(lines, str) else list(lines)
        self.notes = [] if is_json else list(notes)
        self.empty, self.code, self.extra = empty, code, extra

    def print(self) -> int:
        """Print it, and return the exit code."""
        session = Invocation.current()
        if session.json:
            members: dict[str, Any] = {} if self.document is None else plain(self.document)
            members |= {name: plain(value) for name, value in self.extra.items()}
            if session.as_of is not None:
                members["as_of"] = plain(session.as_of)
            print_json(members)
            return self.code
        for line in self.lines:
            click.echo(line)
        if not self.lines and self.empty:
            say(self.empty)
        mention_moment(session)
        for note in self.notes:
            say(note)
        return self.code


class _Explained:
    """Help with the shared options apart, and with examples at its end."""

    examples: tuple[str, ...] = ()

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the command's own options, then the ones it shares."""
        assert isinstance(self, click.Command)
        own: list[tuple[str, str]] = []
        shared: list[tuple[str, str]] = []
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                (shared if isinstance(parameter, SharedOption) else own).append(record)
        for title, records in (("Options", own), ("Where and how", shared)):
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)

    def format_epilog(
        self,
        ctx: click.Context,  # noqa: ARG002  (click's signature)
        formatter: click.HelpFormatter,
    ) -> None:
        """Write the examples, each on a line of its own, ready to be pasted."""
        if self.examples:
            with formatter.section("Examples"):
                for line in self.examples:
                    formatter.write(f"{'':>{formatter.current_indent}}{line}\n")


# Marks a text that begins as an option would; no word of a command line holds it.
_TEXT = "\0"


class Command(_Explained, click.Command):
    """A command with examples. What begins with three hyphens is a text, such as frontmatter."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words of a command line."""
        return super().parse_args(
            ctx, [f"{_TEXT}{word}" if word.startswith("---") else word for word in args]
        )


def as_typed(value: object) -> object:
    """Return an argument, or several, without the mark."""
    if isinstance(value, tuple):
        return tuple(as_typed(one) for one in cast("tuple[object, ...]", value))
    return value.removeprefix(_TEXT) if isinstance(value, str) else value


class Group(_Explained, click.Group):
    """A command with commands of its own; alone it runs a harmless one, such as listing."""

    # The command that is meant when another word follows.
    otherwise: str | None = None
    # The shared options of its commands that name none.
    takes: str = ""
    # The command that runs when none follows: one of its own by name, or another.
    alone: str | Command | None = None

    def reads(
        self, name: str, *, takes: str | None = None, anywhere: bool = False
    ) -> "Callable[[Body], Command]":
        """Declare a command of this group that only reads; see `reads`."""
        return self._declare(name, reads, takes=takes, anywhere=anywhere)

    def writes(
        self, name: str, *, takes: str | None = None, anywhere: bool = False, creates: bool = False
    ) -> "Callable[[Body], Command]":
        """Declare a command of this group that changes the store; see `writes`."""
        return self._declare(name, writes, takes=takes, anywhere=anywhere, creates=creates)

    def command_of(self, name: str, *, takes: str | None = None) -> "Callable[[Body], Command]":
        """Declare a command of this group that opens the store itself, if at all."""
        return self._declare(name, command, takes=takes)

    def _declare(
        self,
        name: str,
        way: "Callable[..., Callable[[Body], Command]]",
        *,
        takes: str | None,
        **settings: bool,
    ) -> "Callable[[Body], Command]":
        def decorate(body: Body) -> Command:
            given = self.takes if takes is None else takes
            made = way(name, takes=given, **settings)(body)
            self.add_command(made)
            return made

        return decorate

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that was typed."""
        if self.otherwise is not None and args[0] not in self.commands:
            args = [self.otherwise, *args]
        return super().resolve_command(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands inside, then the options."""
        self.format_commands(ctx, formatter)
        super().format_options(ctx, formatter)


class FindingGroup(Group):
    """A group that looks its commands up when they are asked for."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that was typed, or name the nearest."""
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as error:
            raise click.NoSuchCommand(
                error.command_name, possibilities=self.list_commands(ctx), ctx=ctx
            ) from None


def reads(name: str, *, takes: str = "", anywhere: bool = False) -> Callable[[Body], Command]:
    """Make a command of a function that reads; `takes` names the shared options it understands.

    `anywhere` is for what does not depend on the branch, which may be gone.
    """

    def run(session: Invocation, work: Work) -> "Output | int | None":
        with session.reading(anywhere=anywhere) as db:
            return work(db)

    return _declared(name, run, takes=takes)


def writes(
    name: str, *, takes: str = "", anywhere: bool = False, creates: bool = False
) -> Callable[[Body], Command]:
    """Make a command of a function that changes the store.

    With `creates` a missing store is made. The function then runs in memory first, so that a
    command that fails leaves no store behind.
    """

    def run(session: Invocation, work: Work) -> "Output | int | None":
        if creates:
            return session.creating(work, anywhere=anywhere)
        with session.writing(anywhere=anywhere) as db:
            return work(db)

    return _declared(name, run, takes=takes)


def command(name: str, *, takes: str = "") -> Callable[[Body], Command]:
    """Make a command of a function that takes the invocation, and opens the store itself."""
    return _declared(name, lambda session, work: work(session), takes=takes)


def group(
    name: str,
    help_text: str,
    *,
    takes: str = "",
    alone: str | Command | None = None,
    otherwise: str | None = None,
) -> Group:
    """Make a group; `alone` is the command that runs when none follows, else it is the help."""

    def run() -> object:
        context = click.get_current_context()
        if context.invoked_subcommand is not None:
            return None
        if made.alone is None:
            return click.echo(context.get_help())
        meant = made.commands[made.alone] if isinstance(made.alone, str) else made.alone
        assert meant.callback is not None, f"{meant.name} runs nothing"
        # As this group: errors name what was typed.
        return context.invoke(meant.callback)

    about, examples = _help_of(help_text)
    made = Group(name, callback=run, invoke_without_command=True, help=about)
    made.params += shared_options(takes)
    made.examples, made.takes = examples, takes
    made.alone, made.otherwise = alone, otherwise
    return made


def _declared(
    name: str, run: "Callable[[Invocation, Work], Output | int | None]", *, takes: str
) -> Callable[[Body], Command]:
    """Make a command of a function: `run` opens what it works on, what it returns is printed."""

    def decorate(body: Body) -> Command:
        def callback(**arguments: object) -> int | None:
            session = Invocation.current()
            if session.at is not None and "at" not in takes.split():
                # Answering from the present would be worse than not answering.
                path = click.get_current_context().command_path
                raise click.UsageError(f"{path} cannot look at the past (--at).")
            typed = {
                name: as_typed(given) for name, given in arguments.items() if given is not None
            }
            found = run(session, lambda opened: body(opened, **typed))
            return found.print() if isinstance(found, Output) else found

        about, examples = _help_of(body.__doc__ or "")
        parameters = [_parameter(found) for found in list(signature(body).parameters.values())[1:]]
        parameters += shared_options(takes)
        made = Command(name, callback=callback, params=parameters, help=about)
        made.examples = examples
        return made

    return decorate


def _help_of(text: str) -> tuple[str, tuple[str, ...]]:
    """Split a docstring into the help and the examples, which are indented at its end."""
    lines = cleandoc(text).splitlines()
    count = 0
    while count < len(lines) and lines[-1 - count].startswith("    "):
        count += 1
    cut = len(lines) - count
    return "\n".join(lines[:cut]).rstrip(), tuple(line.strip() for line in lines[cut:])


def _parameter(found: Parameter) -> click.Parameter:
    """Return the argument or the option that a parameter of a function is."""
    kind, about, spelling, bounds = _described(found.annotation)
    is_many = get_args(kind)[1:] == (...,)
    kind = get_args(kind)[0] if is_many else kind
    is_needed = found.default is Parameter.empty
    settings: dict[str, Any] = {
        "type": spelling.type or _type_of(kind, bounds),
        "help": about,
        "metavar": spelling.metavar,
        "shell_complete": spelling.complete,
        "required": is_needed,
    }
    if not is_needed and found.default:
        settings["default"] = found.default
    if found.kind is not Parameter.KEYWORD_ONLY:
        return click.Argument([found.name], nargs=-1 if is_many else 1, **settings)
    flags = spelling.flags.split() or [f"--{found.name.strip('_').replace('_', '-')}"]
    settings["show_default"] = "default" in settings
    if kind is bool:
        settings["is_flag"] = True
        if found.default is None:  # neither yes nor no was said
            settings["default"] = None
    elif spelling.alone is not None:
        # Only here: where it is said at all, click takes no value that begins with a hyphen.
        settings |= {"is_flag": False, "flag_value": spelling.alone}
    return click.Option([*flags, found.name], multiple=is_many, **settings)


def _described(annotation: Any) -> tuple[Any, str, Spelling, msgspec.Meta]:
    """Split `Annotated[T | None, "what it is for", …]` into its parts."""
    annotation = _present(annotation)
    assert get_origin(annotation) is Annotated, f"{annotation!r} does not say what it is for"
    kind, *notes = get_args(annotation)
    about = next((note for note in notes if isinstance(note, str)), "")
    spelling = next((note for note in notes if isinstance(note, Spelling)), Spelling())
    bounds = next((note for note in notes if isinstance(note, msgspec.Meta)), msgspec.Meta())
    return _present(kind), about, spelling, bounds


def _present(kind: Any) -> Any:
    """Return what a parameter is when it is given: T of `T | None`."""
    if get_origin(kind) in (Union, UnionType):
        (kind,) = (part for part in get_args(kind) if part is not NoneType)
    return kind


def _type_of(kind: Any, bounds: msgspec.Meta) -> click.ParamType[Any]:
    if get_origin(kind) is Literal:
        return click.Choice(get_args(kind))
    if kind is Path:
        return click.Path(path_type=Path)
    if get_origin(kind) is tuple:
        return click.Tuple(list(get_args(kind)))
    if (bounds.ge, bounds.le) == (None, None):
        return cast("click.ParamType[Any]", click.types.convert_type(kind))
    # Any: a bound is of the type that it bounds.
    within: Any = click.IntRange if kind is int else click.FloatRange
    return within(bounds.ge, bounds.le)


# The options that commands share; each may come before or after the command's name.


class SharedOption(click.Option):
    """An option of every command that can use it; where it is typed last wins."""


def shared_options(takes: str) -> list[click.Parameter]:
    """Return the named options and those that every command has."""
    wanted = {"db", *takes.split(), "json", "color"}
    return [
        SharedOption([f"--{name}"], expose_value=False, callback=_keep, **settings)
        for name, settings in _DECLARED.items()
        if name in wanted
    ]


def _keep(context: click.Context, parameter: click.Parameter, value: object) -> None:
    """Remember an option if it was given, so that it overrides one given further left."""
    session = context.ensure_object(Invocation)
    if value not in (None, False):
        setattr(session, parameter.name or "", value)
    if parameter.name == "color":
        context.color = session.wants_color


# What click.Option takes is open, so the values are too.
_DECLARED: dict[str, dict[str, Any]] = {
    "db": {
        "metavar": "PATH",
        "type": click.Path(),
        "help": "Use the store in this file, or at this postgresql:// address.",
    },
    "branch": {
        "metavar": "NAME",
        "shell_complete": complete_branches,
        "help": "Work on this branch.",
    },
    "space": {
        "metavar": "NAME",
        "shell_complete": complete_spaces,
        "help": "Work in this space.",
    },
    "user": {
        "metavar": "WHO",
        "help": "Act for this user (id or email) instead of the owner.",
    },
    "actor": {"metavar": "NAME", "help": "Name this actor in the log."},
    "allow-secrets": {
        "is_flag": True,
        "help": "Keep keys, tokens and passwords as they are.",
    },
    "at": {
        "metavar": "TIME",
        "help": 'Look at the past: a version, "1h ago", "어제", tag:NAME.',
    },
    "json": {"is_flag": True, "help": "Answer with one JSON document."},
    "color": {
        "type": click.Choice(["auto", "always", "never"]),
        "help": "Use colours; auto is on a terminal.",
    },
}
ALL_OPTIONS = " ".join(_DECLARED)
