"""`strata comment`: what is said about documents."""

import click

from strata.cli.commands.documents.group import DOCUMENT
from strata.cli.commands.review.shown import meant, show_waiting, thread_lines
from strata.cli.decorated import command, group
from strata.cli.output import answer
from strata.cli.session import Invocation
from strata.review import Commented, Review

_COMMENT = click.argument("id_", metavar="COMMENT",
                          help="Its id, or how the id ends if only one ends so.")  # fmt: skip
_COMMENTS = click.argument("ids", metavar="COMMENT...", nargs=-1, required=True,
                           help="Their ids, or how these end.")  # fmt: skip


@group(
    "comment",
    takes="branch at user",
    examples="""
    strata doc new Plan "Ship in May"
    strata comment add Plan "왜 5월?" --quote May
    strata comment list Plan
    strata comment
    """,
)
def comment(session: Invocation) -> None:
    """Discuss documents: comments on them, or on words of them.

    Alone it lists the documents that have active comments or pending suggestions. A comment
    follows the words it is about wherever edits move them, and never changes the text.
    """
    show_waiting(session)


@command(
    "add",
    group=comment,
    takes="branch user actor allow-secrets",
    examples="""
    strata doc new Plan "# Now and later"
    strata comment add Plan "Good plan"
    strata comment add Plan "When?" --quote later
    strata comment add Plan "이게 무슨 뜻?" --quote Now --under "Now and later"
    """,
)
@DOCUMENT
@click.argument("body", help="What to say.")
@click.option("--quote", metavar="WORDS", help="The words it is about, exactly as they stand.")
@click.option("--under", metavar="HEADING", multiple=True,
              help="A heading above the words, if they occur more than once; "
                   "may be repeated.")  # fmt: skip
def add(
    session: Invocation, *, name: str, body: str, quote: str | None, under: tuple[str, ...]
) -> None:
    """Comment on a document, or on words of it.

    Without --quote it is about the whole document.
    """
    with session.writing() as db:
        document = db.documents.called(name)
        done = db.review.comment(document, body, quote=quote, under=under)
    answer(session, done, [done.comment.id])


@command(
    "list",
    group=comment,
    takes="branch at user",
    examples="""
    strata doc new Plan "Ship in May"
    strata comment add Plan "왜?" --quote May
    strata comment list Plan
    strata comment list Plan --status resolved --json
    """,
)
@DOCUMENT
@click.option("--status", type=click.Choice(["active", "resolved", "all"]), default="active",
              show_default=True, help="Which threads.")  # fmt: skip
@click.option("--ids", is_flag=True, help="Only their ids, one a line, for other commands.")
def list_comments(session: Invocation, *, name: str, status: str, ids: bool) -> None:
    """List the threads on a document, oldest first.

    Each says where its words stand now, and what was replied.
    """
    with session.reading() as db:
        wanted = None if status == "all" else status
        found = db.review.comments(db.documents.called(name), status=wanted)
        names = db.people.names()
    if ids:
        lines = [thread.comment.id for thread in found]
    else:
        lines = [line for thread in found for line in thread_lines(thread, names)]
    answer(session, {"threads": found}, lines, empty="no comments here")


@command(
    "reply",
    group=comment,
    takes="branch user actor allow-secrets",
    examples="""
    strata doc new Plan "Ship in May"
    strata comment add Plan "왜?" --quote May
    strata comment reply Plan $(strata comment list Plan --ids) "Because." && strata comment
    """,
)
@DOCUMENT
@_COMMENT
@click.argument("body", help="What to say.")
def reply(session: Invocation, *, name: str, id_: str, body: str) -> None:
    """Reply to a comment.

    A reply to a reply joins the same thread.
    """
    with session.writing() as db:
        document = db.documents.called(name)
        done = db.review.reply(document, meant(id_, _known(db.review, document)), body)
    answer(session, done, [done.comment.id])


@command(
    "resolve",
    group=comment,
    takes="branch user actor",
    examples="""
    strata doc new Plan "Ship in May"
    strata comment add Plan "왜?" --quote May
    strata comment resolve Plan $(strata comment list Plan --ids) && strata comment list Plan
    """,
)
@DOCUMENT
@_COMMENTS
def resolve(session: Invocation, *, name: str, ids: tuple[str, ...]) -> None:
    """Mark threads as done.

    Whoever may comment on the document may; `strata comment reopen` takes it back.
    """
    with session.writing() as db:
        document = db.documents.called(name)
        known = _known(db.review, document)
        done = [db.review.resolve(document, meant(one, known)) for one in ids]
    _tell(session, done)


@command(
    "reopen",
    group=comment,
    takes="branch user actor",
    examples="""
    strata doc new Plan "Ship in May"
    strata comment add Plan "왜?" --quote May
    strata comment list Plan --ids | xargs strata comment resolve Plan
    strata comment reopen Plan $(strata comment list Plan --ids --status all) && strata comment
    """,
)
@DOCUMENT
@_COMMENTS
def reopen(session: Invocation, *, name: str, ids: tuple[str, ...]) -> None:
    """Make resolved threads active again.

    Whoever may comment on the document may.
    """
    with session.writing() as db:
        document = db.documents.called(name)
        known = _known(db.review, document)
        done = [db.review.reopen(document, meant(one, known)) for one in ids]
    _tell(session, done)


@command(
    "delete",
    group=comment,
    takes="branch user actor",
    examples="""
    strata doc new Plan "Ship in May"
    strata comment add Plan "Oops"
    strata comment delete Plan $(strata comment list Plan --ids) && strata comment list Plan
    """,
)
@DOCUMENT
@_COMMENT
def delete(session: Invocation, *, name: str, id_: str) -> None:
    """Take back a comment of yours, with the replies to it.

    What others wrote or replied to, whoever manages the document may delete. The past keeps it,
    as it keeps everything; `strata purge --document` erases a document with all that was said.
    """
    with session.writing() as db:
        document = db.documents.called(name)
        done = db.review.delete(document, meant(id_, _known(db.review, document)))
    answer(session, done, [f"{done.comment.id} is deleted"])


def _known(review: Review, document: str) -> list[str]:
    threads = review.comments(document)
    return [one.id for thread in threads for one in (thread.comment, *thread.replies)]


def _tell(session: Invocation, done: list[Commented]) -> None:
    lines = [f"{one.comment.id} {'was' if one.unchanged else 'is'} {one.status}" for one in done]
    answer(session, {"comments": done}, lines)
