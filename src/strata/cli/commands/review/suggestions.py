"""`strata suggest`: changes that somebody proposes, and others decide about."""

from collections.abc import Callable
from functools import partial

import click
import msgspec

from strata.base.errors import StrataError
from strata.base.shell import in_shell_words
from strata.cli.commands.documents.group import DOCUMENT
from strata.cli.commands.review.shown import meant, show_waiting, suggestion_lines
from strata.cli.decorated import command, group
from strata.cli.output import answer
from strata.cli.session import Invocation, say
from strata.review import Decided, Review

_IDS = click.argument("ids", metavar="SUGGESTION...", nargs=-1,
                      help="Their ids, or how these end if only one ends so.")  # fmt: skip
_STATUS = click.Choice(["pending", "accepted", "rejected", "withdrawn", "all"])
_ALL = click.option("--all", "every", is_flag=True, help="All that are pending and still apply.")


class _Refused(msgspec.Struct, frozen=True):
    """A suggestion that could not be decided about."""

    id: str
    code: str
    message: str
    hint: str | None


@group(
    "suggest",
    takes="branch at user",
    examples="""
    strata doc new Plan "Ship in May"
    strata suggest new Plan May June --because "The review takes four weeks"
    strata suggest list Plan
    strata suggest
    """,
)
def suggest(session: Invocation) -> None:
    """Propose changes to documents, and decide about them.

    Alone it lists the documents that have pending suggestions or active comments. Edits that
    came too late, and words that a merge could not join, wait here too.
    """
    show_waiting(session)


@command(
    "new",
    group=suggest,
    takes="branch user actor allow-secrets",
    examples="""
    strata doc new Plan "Ship in May"
    strata suggest new Plan May 유월 --severity warning --confidence 0.8
    """,
)
@DOCUMENT
@click.argument("original", metavar="OLD", help="The words to replace, exactly as they stand.")
@click.argument("replacement", metavar="NEW", help="What they should become; '' deletes them.")
@click.option("--under", metavar="HEADING", multiple=True,
              help="A heading above the words, if they occur more than once; "
                   "may be repeated.")  # fmt: skip
@click.option("--because", metavar="REASON", help="Why.")
@click.option("--severity", type=click.Choice(["info", "warning", "error"]), default="info",
              show_default=True, help="How much it matters.")  # fmt: skip
@click.option("--confidence", type=click.FloatRange(0, 1), help="How sure you are, from 0 to 1.")
def new(
    session: Invocation,
    *,
    name: str,
    original: str,
    replacement: str,
    under: tuple[str, ...],
    because: str | None,
    severity: str,
    confidence: float | None,
) -> None:
    """Propose other words; the text changes when somebody accepts them.

    The suggestion follows its words wherever edits move them.
    """
    with session.writing() as db:
        done = db.review.propose(
            db.documents.called(name), original, replacement, under=under, rationale=because,
            severity=severity,  # pyright: ignore[reportArgumentType]  (click has checked it)
            confidence=confidence,
        )  # fmt: skip
    answer(session, done, [done.suggestion.id])


@command(
    "list",
    group=suggest,
    takes="branch at user",
    examples="""
    strata doc new Plan "Ship in May"
    strata suggest new Plan May June
    strata suggest list Plan
    strata suggest list Plan --status all --json
    """,
)
@DOCUMENT
@click.option("--status", type=_STATUS, default="pending", show_default=True,
              help="Which of them.")  # fmt: skip
@click.option("--ids", is_flag=True, help="Only their ids, one a line, for other commands.")
def list_suggestions(session: Invocation, *, name: str, status: str, ids: bool) -> None:
    """List suggestions as differences, oldest first.

    Each says whether it still applies, and which others are about the same words.
    """
    with session.reading() as db:
        wanted = None if status == "all" else status
        found = db.review.suggestions(db.documents.called(name), status=wanted)
        names = db.people.names()
    if ids:
        lines = [one.suggestion.id for one in found]
    else:
        lines = [line for one in found for line in suggestion_lines(one, names)]
    answer(session, {"suggestions": found}, lines, empty="no suggestions here")


@command(
    "show",
    group=suggest,
    takes="branch at user",
    examples="""
    strata doc new Plan "Ship in May"
    strata suggest new Plan May June
    strata suggest show Plan $(strata suggest list Plan --ids) && strata suggest list Plan
    """,
)
@DOCUMENT
@click.argument("id_", metavar="SUGGESTION", help="Its id, or how the id ends.")
def show(session: Invocation, *, name: str, id_: str) -> None:
    """Show one suggestion with the lines around it.

    It need not be pending.
    """
    with session.reading() as db:
        document = db.documents.called(name)
        found = db.review.suggestion(document, meant(id_, _known(db.review, document)))
        text, names = db.documents.text(document), db.people.names()
    answer(session, found, suggestion_lines(found, names, text=text))


@command(
    "accept",
    group=suggest,
    takes="branch user actor allow-secrets",
    examples="""
    strata doc new Plan "Ship in May"
    strata suggest new Plan May June
    strata suggest list Plan --ids | xargs strata suggest accept Plan
    strata suggest accept Plan --all
    """,
)
@DOCUMENT
@_IDS
@_ALL
def accept(session: Invocation, *, name: str, ids: tuple[str, ...], every: bool) -> int:
    """Make the edits that suggestions propose; it takes an editor.

    One whose words have changed since is left pending, and its error shows them. Each is a
    commit of its own, which `strata undo` takes back together with the decision.
    """
    return _decide(session, name, "accept", ids=ids, every=every)


@command(
    "reject",
    group=suggest,
    takes="branch user actor",
    examples="""
    strata doc new Plan "Ship in May"
    strata suggest new Plan May June
    strata suggest reject Plan $(strata suggest list Plan --ids) && strata suggest list Plan
    """,
)
@DOCUMENT
@_IDS
@click.option("--all", "every", is_flag=True, help="All that are pending.")
def reject(session: Invocation, *, name: str, ids: tuple[str, ...], every: bool) -> int:
    """Decline suggestions; the text stays as it is. It takes an editor.

    They stay in the list of rejected ones.
    """
    return _decide(session, name, "reject", ids=ids, every=every)


@command(
    "withdraw",
    group=suggest,
    takes="branch user actor",
    examples="""
    strata doc new Plan "Ship in May"
    strata suggest new Plan May June
    strata suggest withdraw Plan $(strata suggest list Plan --ids) && strata suggest list Plan
    """,
)
@DOCUMENT
@_IDS
def withdraw(session: Invocation, *, name: str, ids: tuple[str, ...]) -> int:
    """Take back suggestions of your own, or of agents that act for you.

    Only pending ones can be withdrawn.
    """
    return _decide(session, name, "withdraw", ids=ids, every=False)


def _decide(session: Invocation, name: str, verb: str, *, ids: tuple[str, ...], every: bool) -> int:
    """Decide about suggestions one after the other; return an exit code."""
    if bool(ids) == every:
        raise click.UsageError("Name suggestions, or give --all: one of them.")
    with session.writing() as db:
        document, review = db.documents.called(name), db.review
        known = _known(review, document)
        chosen = [meant(one, known) for one in ids] or _pending(review, document, verb)
        decide = partial(_way(review, verb), document)
        # What is wrong with a single one is said as any other error is.
        tried = [decide(one) if len(chosen) == 1 else _tried(decide, one) for one in chosen]
    done = [one for one in tried if isinstance(one, Decided)]
    refused = [one for one in tried if isinstance(one, _Refused)]
    lines = [
        f"{one.suggestion.id} {'was' if one.unchanged else 'is'} {one.suggestion.status}"
        for one in done
    ]
    answer(session, {"decided": done, "refused": refused}, lines, empty=f"nothing to {verb}")
    for one in () if session.json else refused:
        say(f"{one.id}: {one.message} {one.hint or ''}".rstrip())
    return 1 if refused else 0


def _way(review: Review, verb: str) -> Callable[[str, str], Decided]:
    ways = {"accept": review.accept, "reject": review.reject, "withdraw": review.withdraw}
    return ways[verb]


def _tried(decide: Callable[[str], Decided], id_: str) -> Decided | _Refused:
    try:
        return decide(id_)
    except StrataError as error:
        return _Refused(id_, error.code, error.message, in_shell_words(error.hint))


def _pending(review: Review, document: str, verb: str) -> list[str]:
    found = review.suggestions(document)
    return [one.suggestion.id for one in found if verb == "reject" or one.applies]


def _known(review: Review, document: str) -> list[str]:
    return [one.suggestion.id for one in review.suggestions(document, status=None)]
