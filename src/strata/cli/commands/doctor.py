"""Doctor: is everything around the store as it should be?"""

from collections.abc import Iterator
from typing import Annotated

import click
import msgspec

import strata
from strata.base.shell import in_shell_words
from strata.cli.checks import (
    Check,
    check_clock,
    check_embeddings,
    check_file,
    check_format_of,
    check_models,
    check_python,
)
from strata.cli.command import Output, command
from strata.cli.output import plural
from strata.cli.session import Invocation
from strata.cli.show.progress import progress
from strata.cli.show.secrets import survey_lines
from strata.cli.show.tables import facts
from strata.cli.show.text import one_line, pad

_COLORS = {"ok": "green", "warn": "yellow", "fail": "red"}


@command("doctor")
def doctor(
    session: Invocation,
    *,
    deep: Annotated[bool, "Check every byte, as `strata verify` does."] = False,
    secrets: Annotated[bool, "Look for secrets in all values and all history."] = False,
    torture: Annotated[bool, "Prove on a scratch store that nothing is lost."] = False,
    seconds: Annotated[float, "How long to torture.", msgspec.Meta(ge=3, le=3600)] = 20,
) -> Output:
    """Check the store and its surroundings, with advice.

    Each line is ok, warn or fail; the exit code is 1 if something failed. --secrets lists the
    keys, tokens and passwords that are in the store already, and how to erase them; the exit
    code is 1 if there are any. --torture leaves
    the store alone: it makes one of its own, lets several processes write to it, kills them,
    fills the disk, and counts what was acknowledged and is gone.

        strata put greeting 안녕
        strata doctor
        strata doctor --deep --json
        strata doctor --secrets
    """
    if torture:
        return _torture(session, seconds)
    if secrets:
        with session.reading(anywhere=True) as db, progress("secrets") as report:
            found = db.find_secrets(progress=report)
        lines = survey_lines(found) if found else ["no secrets in the store"]
        return Output({"ok": not found, "secrets": found}, lines, code=1 if found else 0)
    checks = [*check_python(), *check_models(), *_check_store(session, deep=deep)]
    counts = {state: sum(check.state == state for check in checks) for state in _COLORS}
    return Output(
        {"ok": not counts["fail"], "checks": checks},
        _lines(checks),
        counts=counts,
        code=1 if counts["fail"] else 0,
    )


def _check_store(session: Invocation, *, deep: bool) -> Iterator[Check]:
    location = session.location
    place = f"{location.path} ({location.reason})"
    if not location.path.exists():
        yield Check(
            "store", "warn", f"none yet at {place}", "`strata init` or the first write makes it."
        )
        return
    yield Check("store", "ok", place)
    try:
        yield from check_file(location.path)
        yield from check_format_of(location.path)
        with session.reading(anywhere=True) as db:
            yield check_clock(db)
            yield check_embeddings(db)
            if deep:
                yield _verify(db)
    except strata.StrataError as error:
        yield Check("opening", "fail", error.message, in_shell_words(error.hint))


def _verify(db: strata.Workspace) -> Check:
    with progress("verify") as report:
        found = db.verify(progress=report)
    counts = f"{plural(found.commits, 'commit')}, {plural(found.versions, 'version')}"
    if found.ok:
        return Check("contents", "ok", f"every hash is right: {counts}")
    return Check(
        "contents",
        "fail",
        f"{plural(len(found.problems), 'problem')}, first: {found.problems[0].message}",
        "`strata verify` lists them; `strata restore` brings a backup back.",
    )


def _lines(checks: list[Check]) -> Iterator[str]:
    longest = max(len(check.name) for check in checks)
    for check in checks:
        state = click.style(f"{check.state:<4}", fg=_COLORS[check.state], bold=True)
        yield f"{state}  {pad(check.name, longest)}  {one_line(check.message)}"
        if check.advice:
            yield f"{'':4}  {'':{longest}}  → {one_line(check.advice)}"


def _torture(session: Invocation, seconds: float) -> Output:
    from strata.proof import torture  # noqa: PLC0415  (only this needs it)

    # On the disk that the store is on, or will be: that is the one to be trusted.
    beside = session.location.path.parent
    with progress("torture") as report:
        found = torture(beside if beside.is_dir() else None, seconds=seconds, progress=report)
    lines = [
        click.style("nothing was lost", fg="green", bold=True)
        if found.ok
        else click.style("the promise was broken", fg="red", bold=True),
        *facts(
            [
                ("acknowledged", f"{found.acknowledged:,} writes"),
                ("lost", f"{found.lost:,}"),
                ("corrupt", f"{found.corrupt:,}"),
                ("processes", f"{found.processes:,}, killed {found.kills:,} times"),
                ("disk full", f"{found.full_disk_refusals:,} writes refused"),
                ("took", f"{found.seconds:.1f} s"),
            ]
        ),
        *(one_line(note) for note in found.notes),
    ]
    return Output(found, lines, code=0 if found.ok else 1)
