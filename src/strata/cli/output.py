"""Answers: one JSON document, or text for people; and questions before something is lost."""

# Names of the SDK in signatures would load it, and with it every package.
from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any

import click
import msgspec

import strata
from strata.base.clock import iso
from strata.base.results import TimedResult
from strata.cli.session import Invocation, say


def with_times(result: TimedResult, *times: str) -> dict[str, Any]:
    """Return the fields of a result for --json, its time or those named spelled out in place."""
    members = {name: getattr(result, name) for name in result.__struct_fields__}
    given = {name: members[name] for name in times or (result.TIME,)}
    return members | {name: None if us is None else iso(us) for name, us in given.items()}


def mention_moment(session: Invocation) -> None:
    """Say which moment a question about the past came to mean."""
    if session.as_of is not None:
        found = session.as_of
        when = local_time(found.timestamp) if found.version else "before the first write"
        say(f"as of version {found.version}, {when}")
        if found.warning is not None:
            say(found.warning)


def print_json(document: object) -> None:
    """Print JSON for people and programs; escape codes inside values stay as they are."""
    text = msgspec.json.format(msgspec.json.encode(document), indent=2).decode()
    click.echo(text, color=True)


def local_time(timestamp: int) -> str:
    """Spell a time to the second, in the zone of the settings or the system's own."""
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=timestamp)
    return moment.astimezone(_zone(Invocation.current().zone)).strftime("%Y-%m-%d %H:%M:%S")


def _zone(name: str | None) -> tzinfo | None:
    if name is None:
        return None
    from zoneinfo import ZoneInfo  # noqa: PLC0415  (needed only where a zone is set)

    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # what zoneinfo raises for names it cannot find
        raise strata.InvalidArgument(
            f"There is no time zone {name!r}.",
            hint="Change STRATA_TIMEZONE, or `strata config timezone Asia/Seoul`.",
        ) from None


def size(count: int) -> str:
    """Spell a number of bytes: 512 B, 3.4 KiB, 120 MiB."""
    amount, unit = float(count), "B"
    for larger in ("KiB", "MiB", "GiB", "TiB"):
        if amount < 1024:
            break
        amount, unit = amount / 1024, larger
    return f"{count} B" if unit == "B" else f"{amount:.3g} {unit}"


def confirm(question: str, *, yes: bool) -> None:
    """Ask before something is lost; where there is no terminal to ask at, --yes must be given."""
    if yes:
        return
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise click.UsageError(f"{question} There is no terminal to ask at; add --yes to go ahead.")
    if not click.confirm(question, err=True):
        raise strata.NotAllowed("Nothing was changed.")
