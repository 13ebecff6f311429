"""Threads and suggestions as a terminal shows them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import click

from strata.cli.output import answer, local_time
from strata.cli.session import Invocation
from strata.cli.show.tables import table
from strata.cli.show.text import cut, one_line
from strata.documents import path_name
from strata.review import Comment, Proposal, Spot, Thread

_QUOTE_COLUMNS = 100
_CONTEXT_LINES = 2
_STATES = {
    "done": "the text says so already",
    "changed": "the words have changed since",
    "gone": "the words are gone",
}
_SEVERITIES = {"warning": "yellow", "error": "red"}
Names = Mapping[str, str]


def show_waiting(session: Invocation) -> None:
    """Print which documents have something to look at."""
    with session.reading() as db:
        found = db.review.waiting()
    rows = [
        (one.document, one_line(one.title), str(one.comments), str(one.suggestions))
        for one in found
    ]
    headers = ("DOCUMENT", "TITLE", "COMMENTS", "SUGGESTIONS")
    answer(
        session, {"documents": found}, table(headers, rows, right=headers[2:]),
        empty="nothing waits: no active comments, no pending suggestions",
    )  # fmt: skip


def meant(typed: str, known: Iterable[str]) -> str:
    """Return the id that ends as what was typed, if only one does."""
    ids = list(known)
    if typed in ids:
        return typed
    found = [id_ for id_ in ids if id_.endswith(typed.upper())]
    return found[0] if len(found) == 1 else typed


def thread_lines(thread: Thread, names: Names) -> Iterator[str]:
    """Yield a thread: where it is, what was said, what was replied."""
    first = thread.comment
    mark = "✓" if first.status == "resolved" else "●"
    color = "green" if first.status == "resolved" else "yellow"
    where = _where(thread.spot) if first.quote is not None else "the whole document"
    if thread.orphaned:
        where = "its words are gone"
    yield f"{click.style(mark, fg=color)} {click.style(first.id, dim=True)}  {where}"
    if first.quote is not None:
        yield f"  {click.style(f'“{_short(first.quote)}”', fg='cyan')}"
    if thread.changed and thread.spot is not None:
        yield f"  now: {click.style(f'“{_short(thread.spot.text)}”', fg='cyan')}"
    for comment in (first, *thread.replies):
        yield from _said(comment, names, indent="  " if comment is first else "    ")


def _said(comment: Comment, names: Names, *, indent: str) -> Iterator[str]:
    who = _who(comment.author, comment.via, names)
    when = click.style(local_time(comment.created), dim=True)
    yield f"{indent}{click.style(who, bold=True)}  {when}"
    yield from (f"{indent}{one_line(line)}" for line in comment.body.splitlines())


def suggestion_lines(found: Proposal, names: Names, *, text: str | None = None) -> Iterator[str]:
    """Yield a suggestion as a difference; with the text, of whole lines and those around."""
    one = found.suggestion
    told = [_who(one.author, one.via, names), local_time(one.created)]
    told += [] if one.reason == "proposed" else [one.reason]
    told += (
        [] if one.severity == "info" else [click.style(one.severity, fg=_SEVERITIES[one.severity])]
    )
    told += [] if one.confidence is None else [f"{one.confidence:.0%} sure"]
    told += [] if one.status == "pending" else [one.status]
    yield f"{click.style(one.id, dim=True)}  {_where(found.spot)}"
    yield f"  {', '.join(told)}"
    before, old, new, after = _sides(found, text)
    yield from (f"    {one_line(line)}" for line in before)
    yield from (click.style(f"  - {one_line(line)}", fg="red") for line in old)
    yield from (click.style(f"  + {one_line(line)}", fg="green") for line in new)
    yield from (f"    {one_line(line)}" for line in after)
    if one.rationale:
        yield f"  {one_line(one.rationale)}"
    if one.status == "pending" and found.state in _STATES:
        yield click.style(f"  {_STATES[found.state]}", fg="yellow")
    if found.overlaps:
        yield f"  about the same words: {', '.join(found.overlaps)}"


def _sides(
    found: Proposal, text: str | None
) -> tuple[Sequence[str], Sequence[str], Sequence[str], Sequence[str]]:
    """Return the lines before, the old ones, the new ones and those behind."""
    one, spot = found.suggestion, found.spot
    if text is None or spot is None or found.state != "applies":
        return (), one.original.splitlines(), one.replacement.splitlines(), ()
    begin = text.rfind("\n", 0, spot.start) + 1
    end = text.find("\n", spot.end)
    end = len(text) if end < 0 else end
    changed = text[begin : spot.start] + one.replacement + text[spot.end : end]
    before, behind = text[:begin].splitlines(), text[end + 1 :].splitlines()
    return (
        before[-_CONTEXT_LINES:], text[begin:end].splitlines(), changed.splitlines(),
        behind[:_CONTEXT_LINES],
    )  # fmt: skip


def _where(spot: Spot | None) -> str:
    if spot is None:
        return "nowhere any more"
    path = path_name(spot.path)
    return f"line {spot.line}{f', {one_line(path)}' if path else ''}"


def _who(author: str, via: str | None, names: Names) -> str:
    name = one_line(names.get(author, author))
    return f"{name} by {one_line(via)}" if via else name


def _short(text: str) -> str:
    return cut(one_line(text), _QUOTE_COLUMNS)
