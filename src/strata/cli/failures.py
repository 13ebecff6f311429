"""How a command fails: a line, a hint and an exit code, or the same as JSON."""

# Names of the SDK in signatures would load it, and with it every package.
from __future__ import annotations

import click
import msgspec

import strata
from strata.base.results import plain
from strata.base.shell import in_shell_words
from strata.cli.session import Invocation
from strata.cli.show.text import one_line

EXPECTED, USAGE, INTERRUPTED = 1, 2, 130


class Failure(msgspec.Struct, frozen=True):
    """What a user or a program reads about an error."""

    code: str
    message: str
    hint: str | None = None
    details: object = None


def report(session: Invocation, error: Exception, *, as_json: bool) -> int:
    """Tell of an error on stderr; return the exit code that goes with it."""
    failure = _describe(error)
    if as_json:
        click.echo(msgspec.json.encode(plain(failure)).decode(), err=True)
    else:
        color = session.wants_color
        _line("strata: ", failure.message, style="red", color=color)
        if isinstance(error, strata.MergeConflict):
            _show_conflicts(error, color=color)
        if failure.hint:
            _line("hint: ", failure.hint, style="yellow", color=color)
        for note in getattr(error, "__notes__", ()):
            _line("note: ", one_line(note), style="yellow", color=color)
    is_usage = isinstance(error, (click.UsageError, strata.InvalidArgument))
    return USAGE if is_usage else EXPECTED


def _describe(error: Exception) -> Failure:
    if isinstance(error, strata.MergeConflict):
        hint = "Nothing was changed. Decide with --strategy source_wins, target_wins or newest."
        return Failure(error.code, error.message, hint, plain(error.details))
    if isinstance(error, strata.StrataError):
        hint = in_shell_words(error.hint)
        return Failure(error.code, error.message, hint, plain(error.details) or None)
    if isinstance(error, click.UsageError):
        known = error.ctx.command_path if error.ctx is not None else "strata"
        message = " ".join(error.format_message().split())
        hint = f"`{known} --help` explains it."
        if isinstance(error, click.NoSuchOption) and error.option_name[1:2].isdigit():
            hint = f"-- goes before a value that begins with a dash: `-- {error.option_name}`."
        return Failure("usage", message, hint)
    if isinstance(error, click.ClickException):
        return Failure("failed", error.format_message())
    assert isinstance(error, OSError), error
    place = f"{error.filename}: " if error.filename else ""
    return Failure("os_error", f"{place}{error.strerror or error}")


def _show_conflicts(error: strata.MergeConflict, *, color: bool | None) -> None:
    from strata.cli.show.diffs import conflict_lines  # noqa: PLC0415  (few commands need it)

    for line in conflict_lines(error.conflicts):
        click.echo(line, err=True, color=color)


def _line(label: str, text: str, *, style: str, color: bool | None) -> None:
    # One line, whatever the message quotes.
    shown = " ".join(text.splitlines())
    click.echo(click.style(label, fg=style, bold=True) + shown, err=True, color=color)
