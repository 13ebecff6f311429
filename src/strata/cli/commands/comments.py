"""Comments on documents, and on words of them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Literal

import click

from strata.cli.command import Output, Spelling, group, reads
from strata.cli.output import local_time
from strata.cli.show.review import author_of, place_of
from strata.cli.show.tables import table
from strata.cli.show.text import cut, one_line
from strata.cli.words import DocumentName, OnlyIds, Under
from strata.review import Commented, Thread
from strata.workspace import Workspace

CommentId = Annotated[str, "Its id, or how the id ends if only one ends so.", Spelling("COMMENT")]
CommentIds = Annotated[tuple[str, ...], "Their ids, or how these end.", Spelling("COMMENT...")]
_QUOTE_COLUMNS = 100


@reads("waiting", takes="branch at user")
def waiting(db: Workspace) -> Output:
    """List the documents that have active comments or pending suggestions."""
    found = db.review.waiting()
    rows = [
        (one.document, one_line(one.title), str(one.comments), str(one.suggestions))
        for one in found
    ]
    headers = ("DOCUMENT", "TITLE", "COMMENTS", "SUGGESTIONS")
    return Output(
        {"documents": found},
        table(headers, rows, right=headers[2:]),
        empty="nothing waits: no active comments, no pending suggestions",
    )


comment = group(
    "comment",
    """Comment on documents, or on words of them.

    Alone it lists the documents that have active comments or pending suggestions. A comment
    follows the words it is about wherever edits move them, and never changes the text.

        strata doc new Plan "Ship in May"
        strata comment add Plan "왜 5월?" --quote May
        strata comment list Plan
        strata comment
    """,
    takes="branch at user",
    alone=waiting,
)


@comment.writes("add", takes="branch user actor allow-secrets")
def add(
    db: Workspace,
    document: DocumentName,
    body: Annotated[str, "What to say."],
    *,
    quote: Annotated[
        str | None, "The words it is about, exactly as they are.", Spelling("WORDS")
    ] = None,
    under: Under = (),
) -> Output:
    """Comment on a document, or on words of it.

    Without --quote it is about the whole document.

        strata doc new Plan "# Now and later"
        strata comment add Plan "Good plan"
        strata comment add Plan "When?" --quote later
        strata comment add Plan "이게 무슨 뜻?" --quote Now --under "Now and later"
    """
    done = db.review.comment(db.documents.called(document), body, quote=quote, under=under)
    return Output(done, done.comment.id)


@comment.reads("list")
def list_comments(
    db: Workspace,
    document: DocumentName,
    *,
    status: Annotated[Literal["active", "resolved", "all"], "Which threads."] = "active",
    ids: OnlyIds = False,
) -> Output:
    """List the threads on a document, oldest first.

    Each says where its words are now, and what was replied.

        strata doc new Plan "Ship in May"
        strata comment add Plan "왜?" --quote May
        strata comment list Plan
        strata comment list Plan --status resolved --json
    """
    wanted = None if status == "all" else status
    found = db.review.comments(db.documents.called(document), status=wanted)
    names = db.users.names()
    if ids:
        lines = [thread.comment.id for thread in found]
    else:
        lines = [line for thread in found for line in _thread_lines(thread, names)]
    return Output({"threads": found}, lines, empty="no comments here")


def _thread_lines(thread: Thread, names: Mapping[str, str]) -> Iterator[str]:
    """Yield a thread: where it is, what was said, what was replied."""
    first = thread.comment
    mark, color = ("✓", "green") if first.status == "resolved" else ("●", "yellow")
    where = "the whole document" if first.quote is None else place_of(thread.spot)
    if thread.orphaned:
        where = "its words are gone"
    yield f"{click.style(mark, fg=color)} {click.style(first.id, dim=True)}  {where}"
    if first.quote is not None:
        yield f"  {_quoted(first.quote)}"
    if thread.changed and thread.spot is not None:
        yield f"  now: {_quoted(thread.spot.text)}"
    for said in (first, *thread.replies):
        indent = "  " if said is first else "    "
        who = click.style(author_of(said.author, said.via, names), bold=True)
        yield f"{indent}{who}  {click.style(local_time(said.created), dim=True)}"
        yield from (f"{indent}{one_line(line)}" for line in said.body.splitlines())


def _quoted(text: str) -> str:
    return click.style(f"“{cut(one_line(text), _QUOTE_COLUMNS)}”", fg="cyan")


@comment.writes("reply", takes="branch user actor allow-secrets")
def reply(
    db: Workspace,
    document: DocumentName,
    id_: CommentId,
    body: Annotated[str, "What to say."],
) -> Output:
    """Reply to a comment.

    A reply to a reply joins the same thread.

        strata doc new Plan "Ship in May"
        strata comment add Plan "왜?" --quote May
        strata comment reply Plan $(strata comment list Plan --ids) "Because." && strata comment
    """
    found = db.documents.called(document)
    done = db.review.reply(found, meant(id_, _known(db, found)), body)
    return Output(done, done.comment.id)


@comment.writes("resolve", takes="branch user actor")
def resolve(db: Workspace, document: DocumentName, ids: CommentIds) -> Output:
    """Mark threads as done.

    Every user who may comment on the document may; `strata comment reopen` takes it back.

        strata doc new Plan "Ship in May"
        strata comment add Plan "왜?" --quote May
        strata comment resolve Plan $(strata comment list Plan --ids) && strata comment list Plan
    """
    found = db.documents.called(document)
    known = _known(db, found)
    return _changed([db.review.resolve(found, meant(one, known)) for one in ids])


@comment.writes("reopen", takes="branch user actor")
def reopen(db: Workspace, document: DocumentName, ids: CommentIds) -> Output:
    """Make resolved threads active again.

    Every user who may comment on the document may.

        strata doc new Plan "Ship in May"
        strata comment add Plan "왜?" --quote May
        strata comment list Plan --ids | xargs strata comment resolve Plan
        strata comment reopen Plan $(strata comment list Plan --ids --status all) && strata comment
    """
    found = db.documents.called(document)
    known = _known(db, found)
    return _changed([db.review.reopen(found, meant(one, known)) for one in ids])


def _changed(done: list[Commented]) -> Output:
    lines = [f"{one.comment.id} {'was' if one.unchanged else 'is'} {one.status}" for one in done]
    return Output({"comments": done}, lines)


@comment.writes("delete", takes="branch user actor")
def delete(db: Workspace, document: DocumentName, id_: CommentId) -> Output:
    """Take back a comment of yours, with the replies to it.

    Users who manage the document may delete what others wrote or replied to. The past keeps it,
    as it keeps everything; `strata purge --document` erases a document with all that was said.

        strata doc new Plan "Ship in May"
        strata comment add Plan "Oops"
        strata comment delete Plan $(strata comment list Plan --ids) && strata comment list Plan
    """
    found = db.documents.called(document)
    done = db.review.delete(found, meant(id_, _known(db, found)))
    return Output(done, f"{done.comment.id} is deleted")


def _known(db: Workspace, document: str) -> list[str]:
    threads = db.review.comments(document)
    return [one.id for thread in threads for one in (thread.comment, *thread.replies)]


def meant(typed: str, known: Iterable[str]) -> str:
    """Return the id that ends as what was typed, if only one does."""
    ids = list(known)
    found = [typed] if typed in ids else [one for one in ids if one.endswith(typed.upper())]
    return found[0] if len(found) == 1 else typed
