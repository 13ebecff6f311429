"""Where a fact or a decision comes from."""

from collections.abc import Iterator
from typing import Annotated

import click

from strata.cli.command import Output, Spelling, reads
from strata.cli.completion import complete_keys
from strata.cli.output import local_time
from strata.cli.show.text import inline, one_line
from strata.store import Commit
from strata.workspace import Provenance, Workspace

_SHOWN_CHARACTERS = 200


@reads("why", takes="branch space at")
def why(
    db: Workspace,
    name: Annotated[
        str,
        "The key of a fact, or the id or the topic of a decision.",
        Spelling("KEY", complete=complete_keys),
    ],
) -> Output:
    """Show where a fact or a decision comes from.

    Who wrote it, when, in which commit, task and branch; which turns of conversations, documents
    or other sources it names; until when it holds; what it replaced and what replaced it.

        strata put port 8080
        strata put port 8443 --source docs/ports.md --until 2099-12-31
        strata why port
    """
    found = db.why(name)
    return Output(found, list(_lines(found)))


def _lines(found: Provenance) -> Iterator[str]:
    yield f"{click.style(one_line(found.key), bold=True)}  {_short(inline(found.value))}"
    if found.caveat:
        yield click.style(f"  {one_line(found.caveat)}", fg="yellow")
    yield f"  written   {_written(found.commit)}"
    times = {"since": found.since, "until": found.until, "review by": found.review_by}
    yield from (f"  {name:<10}{one_line(when)}" for name, when in times.items() if when)
    for source in found.sources:
        title = f"  {one_line(source.title)}" if source.title else ""
        yield f"  source    {one_line(source.source)}{title}"
        for turn in source.turns:
            when = local_time(turn.timestamp)
            yield f"            #{turn.number} {turn.speaker}, {when}: {_short(turn.text)}"
    yield from (f"  replaces  {one_line(key)}" for key in found.replaces)
    yield from (f"  replaced by {one_line(key)}" for key in found.replaced_by)
    for one in found.earlier:
        value = "" if one.value is None else f"  {_short(inline(one.value))}"
        yield f"  before    {_written(one.commit)}{value}"


def _written(commit: Commit) -> str:
    """Say who made a commit, when and where."""
    is_for_user = commit.person_name not in (None, commit.actor)
    user = f" for {commit.person_name}" if is_for_user else ""
    task = f", task {commit.task}" if commit.task else ""
    why_ = f': "{_short(commit.message)}"' if commit.message else ""
    who = f" by {commit.actor}{user}" if commit.actor else ""
    place = f"on {commit.branch}, commit {commit.version}"
    return one_line(f"{local_time(commit.timestamp)}{who} {place}{task}{why_}")


def _short(text: str) -> str:
    line = one_line(" ".join(text.split()))
    return line if len(line) <= _SHOWN_CHARACTERS else f"{line[: _SHOWN_CHARACTERS - 1]}…"
