"""Proposals: what agents want to remember, and what a user decides about it."""

import sys
from collections.abc import Callable, Iterator
from typing import Annotated, Literal

import click
import msgspec

import strata
from strata.base.counts import plural
from strata.base.shell import in_shell_words
from strata.base.values import Json, decode
from strata.cli.command import Output, Spelling, command, more_notes
from strata.cli.output import local_time
from strata.cli.session import Invocation, say
from strata.cli.show.changes import change_lines
from strata.cli.show.text import TWIN_COLUMNS, cut, inline, one_line
from strata.cli.words import Limit
from strata.documents import DRAFT
from strata.proposals import ProposalVerdict, ProposedChange
from strata.workspace import Workspace

_CHOICES = {
    "a": "accept",
    "r": "reject",
    "e": "reword",
    "s": "skip",
    "q": "quit",
}
# Lines of a proposed document that a list shows.
_TEXT_LINES = 20
_QUESTION = "[a]ccept, [r]eject, r[e]word, [s]kip, [q]uit"


@command("review", takes="branch user actor allow-secrets")
def review(
    session: Invocation,
    names: Annotated[
        tuple[str, ...], "Ids or keys; several at once.", Spelling("[PROPOSAL]...")
    ] = (),
    *,
    accept: Annotated[bool, "Make the changes, as commits on this branch."] = False,
    reject: Annotated[bool, "Take them out of what waits."] = False,
    reword: Annotated[
        str | None, "Accept one proposal with this value: JSON or text.", Spelling("VALUE")
    ] = None,
    every: Annotated[bool, "All that wait.", Spelling(flags="--all")] = False,
    force: Annotated[bool, "Accept also where this branch has changed since."] = False,
    because: Annotated[
        str | None, "Why they are rejected; it is noted.", Spelling("REASON")
    ] = None,
    limit: Limit = 50,
    after: Annotated[
        str | None, "Go on behind this proposal, by its id.", Spelling("PROPOSAL")
    ] = None,
) -> Output:
    """Look at what agents propose, and accept, reword or reject it.

    Agents propose with `strata mcp --propose`, or with a token made by `strata token create
    --propose`. What they write waits on branches of its own and is left out of reading and
    searching. In a terminal this command shows one change after the other and asks; with
    --accept, --reject or --reword it asks nothing. Each change is shown with its difference,
    who proposed it and why, its sources, and facts that say nearly the same. Where this branch
    has changed since, a change is a conflict and needs --force.

        strata call strata_store --propose --actor claude --key deploy/day --value Thursday
        strata review --json
        strata review deploy/day --reword "Thursday, after lunch"
        strata call strata_store --propose --actor claude --key limit --value 100
        strata review --reject --all --because "out of date"
    """
    verb = _verb(accept=accept, reject=reject, reword=reword)
    if verb is None and (every or force or because is not None):
        raise click.UsageError("Say what to do with them: --accept, --reject or --reword VALUE.")
    if verb is None:
        return _look(session, names, limit=limit, after=after)
    if bool(names) == every or (reword is not None and len(names) != 1):
        raise click.UsageError(
            "--reword takes one proposal." if reword is not None else "Name proposals, or --all."
        )
    if because is not None and verb != "reject":
        raise click.UsageError("--because is for --reject.")
    with session.writing() as db:
        chosen = tuple(one.id for one in db.proposals.list().all()) if every else names
        if not chosen:
            return Output({"decided": [], "refused": []}, empty="nothing waits")
        if reword is not None:
            done = db.proposals.reword(chosen[0], _value(reword), force=force)
        elif verb == "accept":
            done = db.proposals.accept(*chosen, force=force)
        else:
            done = db.proposals.reject(*chosen, reason=because)
    return _decided(done, "accepted" if verb == "accept" else "rejected")


def _verb(*, accept: bool, reject: bool, reword: str | None) -> Literal["accept", "reject"] | None:
    if accept + reject + (reword is not None) > 1:
        raise click.UsageError("Use one of --accept, --reject and --reword.")
    if reject:
        return "reject"
    return "accept" if accept or reword is not None else None


def _decided(done: ProposalVerdict, word: str) -> Output:
    return Output(
        done,
        [
            f"{word} {one_line(one.title)}, proposed by {one_line(one.proposed_by)}"
            for one in done.decided
        ],
        notes=[
            f"{one_line(one.title)}: {one.message} {in_shell_words(one.hint) or ''}".rstrip()
            for one in done.refused
        ],
        code=1 if done.refused else 0,
    )


# Looking.


def _look(session: Invocation, names: tuple[str, ...], *, limit: int, after: str | None) -> Output:
    asks = not session.json and sys.stdin.isatty() and sys.stdout.isatty()
    with session.writing() if asks else session.reading() as db:
        if names:
            found = [db.proposals.get(name) for name in names]
            notes = []
        else:
            page = db.proposals.list(limit=limit, after=after, twins=True)
            found, notes = list(page), more_notes(page, "--after")
        if asks and found:
            return _review_each(db, found)
        total = db.proposals.count() if not names else len(found)
        lines = [line for one in found for line in _lines(one, whole=bool(names))]
        return Output(
            {"proposals": found, "total": total}, lines, empty="nothing waits", notes=notes
        )


def _lines(one: ProposedChange, *, whole: bool = True) -> Iterator[str]:
    """Yield a proposal: its difference, where it comes from, and what is like it."""
    if one.kind == DRAFT:
        head, *rest = _document_lines(one, whole=whole)
    else:
        change = strata.Change(
            one.space, one.kind, one.key, one.action, one.before, one.after, one.version
        )
        head, *rest = change_lines([change])
    yield f"{head}  {click.style(one.id, dim=True)}"
    yield from rest
    told = [f"by {one_line(one.proposed_by)}", local_time(one.timestamp)]
    told += [one_line(one.task)] if one.task else []
    yield f"    {', '.join(told)}"
    if one.reason:
        yield f"    because {one_line(one.reason)}"
    if one.sources:
        yield f"    from {', '.join(map(one_line, one.sources))}"
    if one.conflict:
        yield click.style(f"    {one_line(one.base)} has changed there since", fg="magenta")
    for twin in one.twins:
        shown = cut(inline(twin.value), TWIN_COLUMNS)
        yield f"    like {one_line(twin.key)} ({twin.likeness:.0%}): {shown}"


def _document_lines(one: ProposedChange, *, whole: bool) -> Iterator[str]:
    """Yield a proposed document: its title, and its text or the beginning of it."""
    yield click.style(f"+ doc   {one_line(one.title)}", fg="green", bold=True)
    lines = str(one.words).splitlines()
    shown = lines if whole else lines[:_TEXT_LINES]
    yield from (click.style(f"    + {one_line(line)}", fg="green") for line in shown)
    if len(shown) < len(lines):
        yield f"    … {plural(len(lines) - len(shown), 'more line')}: strata review {one.id}"


# Asking.


def _review_each(db: Workspace, found: list[ProposedChange]) -> Output:
    """Show one proposal after the other, and do what the user says."""
    decided: list[str] = []
    for number, one in enumerate(found, 1):
        click.echo(click.style(f"{number} of {len(found)}", dim=True))
        for line in _lines(one):
            click.echo(line)
        choice = _choice()
        if choice == "q":
            break
        if choice == "s":
            continue
        done = _done(db, one, choice)
        if done is not None:
            decided.append(one.id)
    left = db.proposals.count()
    return Output(
        {"decided": decided, "total": left},
        f"{plural(len(decided), 'proposal')} decided, {left:,} left",
    )


def _choice() -> str:
    while True:
        typed = str(click.prompt(_QUESTION, default="s", show_default=False)).strip().lower()[:1]
        if typed in _CHOICES:
            return typed
        say(f"Type one of {', '.join(_CHOICES)}.")


def _done(db: Workspace, one: ProposedChange, choice: str) -> ProposalVerdict | None:
    """Carry a choice out; the user reads an error, and the next proposal follows."""
    force = False
    if choice in "ae" and one.conflict:
        force = click.confirm("Write it over what is there now?", default=False)
        if not force:
            return None
    ways: dict[str, Callable[[], ProposalVerdict]] = {
        "a": lambda: db.proposals.accept(one.id, force=force),
        "r": lambda: db.proposals.reject(one.id),
        "e": lambda: db.proposals.reword(one.id, _typed(one), force=force),
    }
    try:
        done = ways[choice]()
    except strata.StrataError as error:
        say(f"{error.message} {in_shell_words(error.hint) or ''}".rstrip())
        return None
    for refused in done.refused:
        say(refused.message)
    return done if done.decided else None


def _typed(one: ProposedChange) -> Json:
    """Let the user write other words, in their editor or in a line."""
    content = one.words
    text = content if isinstance(content, str) else msgspec.json.encode(content).decode()
    edited = click.edit(text)
    if edited is None:
        edited = str(click.prompt("New value", default=text, show_default=False))
    words = edited.rstrip("\n")
    return words if isinstance(content, str) else _value(words)


def _value(text: str) -> Json:
    try:
        return decode(text.encode())
    except (ValueError, strata.StrataError):
        return text
