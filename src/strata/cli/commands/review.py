"""Review of documents: comments on them, and suggestions that change them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Literal, NamedTuple

import click
import msgspec

from strata.base.errors import StrataError
from strata.base.shell import in_shell_words
from strata.cli.command import Output, Spelling, group, reads
from strata.cli.output import local_time
from strata.cli.show.text import cut, one_line, table
from strata.cli.words import DocumentName, OnlyIds, Under
from strata.documents import Severity, path_name
from strata.review import CommentResult, Proposal, Spot, SuggestionResult, Thread
from strata.workspace import Workspace

CommentId = Annotated[str, "Its id, or how the id ends if only one ends so.", Spelling("COMMENT")]
CommentIds = Annotated[tuple[str, ...], "Their ids, or how these end.", Spelling("COMMENT...")]
_QUOTE_COLUMNS = 100


@reads("waiting", takes="branch at user")
def waiting(db: Workspace) -> Output:
    """List the documents that have active comments or pending suggestions."""
    found = db.review.waiting()
    rows = [(one.document, one.title, one.comments, one.suggestions) for one in found]
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
def add_comment(
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
        edited = ", edited" if said.edited else ""
        yield f"{indent}{who}  {click.style(f'{local_time(said.created)}{edited}', dim=True)}"
        body = click.style("(deleted)", dim=True) if said.deleted else said.body
        yield from (f"{indent}{one_line(line)}" for line in body.splitlines())


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
    done = db.review.reply(found, meant(id_, _known_comments(db, found)), body)
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
    known = _known_comments(db, found)
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
    known = _known_comments(db, found)
    return _changed([db.review.reopen(found, meant(one, known)) for one in ids])


def _changed(done: list[CommentResult]) -> Output:
    lines = [f"{one.comment.id} {'was' if one.unchanged else 'is'} {one.status}" for one in done]
    return Output({"comments": done}, lines)


@comment.writes("edit", takes="branch user actor allow-secrets")
def edit(
    db: Workspace,
    document: DocumentName,
    id_: CommentId,
    body: Annotated[str, "What it should say."],
) -> Output:
    """Change what a comment or a reply of yours says.

    It is shown as edited; the past keeps what it said before.

        strata doc new Plan "Ship in May"
        strata comment add Plan "Wyh?"
        strata comment edit Plan $(strata comment list Plan --ids) Why && strata comment list Plan
    """
    found = db.documents.called(document)
    done = db.review.edit(found, meant(id_, _known_comments(db, found)), body)
    return Output(done, f"{done.comment.id} {'was so already' if done.unchanged else 'is edited'}")


@comment.writes("delete", takes="branch user actor")
def delete(db: Workspace, document: DocumentName, id_: CommentId) -> Output:
    """Take back a comment or a reply of yours.

    Where others replied, an empty place stays above their replies. Users who manage the document
    may delete what others wrote. The past keeps it, as it keeps everything; `strata purge
    --document` erases a document with all that was said.

        strata doc new Plan "Ship in May"
        strata comment add Plan "Oops"
        strata comment delete Plan $(strata comment list Plan --ids) && strata comment list Plan
    """
    found = db.documents.called(document)
    done = db.review.delete(found, meant(id_, _known_comments(db, found)))
    return Output(done, f"{done.comment.id} is deleted")


def _known_comments(db: Workspace, document: str) -> list[str]:
    threads = db.review.comments(document)
    return [one.id for thread in threads for one in (thread.comment, *thread.replies)]


def meant(typed: str, known: Iterable[str]) -> str:
    """Return the id that ends as what was typed, if only one does."""
    ids = list(known)
    found = [typed] if typed in ids else [one for one in ids if one.endswith(typed.upper())]
    return found[0] if len(found) == 1 else typed


def place_of(spot: Spot | None) -> str:
    """Say in which line and section words are."""
    if spot is None:
        return "nowhere any more"
    path = path_name(spot.path)
    return f"line {spot.line}{f', {one_line(path)}' if path else ''}"


def author_of(author: str, via: str | None, names: Mapping[str, str]) -> str:
    """Name a user, and the agent that wrote for them."""
    name = one_line(names.get(author, author))
    return f"{name} by {one_line(via)}" if via else name


SuggestionIds = Annotated[
    tuple[str, ...],
    "Their ids, or how these end if only one ends so.",
    Spelling("SUGGESTION..."),
]
SomeSuggestionIds = Annotated[
    tuple[str, ...],
    "Their ids, or how these end if only one ends so.",
    Spelling("[SUGGESTION]..."),
]
_CONTEXT_LINES = 2
_STATES = {
    "done": "the text says so already",
    "changed": "the words have changed since",
    "gone": "the words are gone",
}
_COLORS = {"warning": "yellow", "error": "red"}

suggest = group(
    "suggest",
    """Propose changes to documents, and accept or reject them.

    Alone it lists the documents that have pending suggestions or active comments. Edits that
    came too late, and words that a merge could not join, wait here too.

        strata doc new Plan "Ship in May"
        strata suggest new Plan May June --because "The review takes four weeks"
        strata suggest list Plan
        strata suggest
    """,
    takes="branch at user",
    alone=waiting,
)


@suggest.writes("new", takes="branch user actor allow-secrets")
def new(
    db: Workspace,
    document: DocumentName,
    original: Annotated[str, "The words to replace, exactly as they are.", Spelling("OLD")],
    replacement: Annotated[str, "What they should become; '' deletes them.", Spelling("NEW")],
    *,
    under: Under = (),
    because: Annotated[str | None, "Why.", Spelling("REASON")] = None,
    severity: Annotated[Severity, "How much it matters."] = "info",
    confidence: Annotated[
        float | None, "How sure you are, from 0 to 1.", msgspec.Meta(ge=0, le=1)
    ] = None,
) -> Output:
    """Propose other words; the text changes when an editor accepts them.

    The suggestion follows its words wherever edits move them.

        strata doc new Plan "Ship in May"
        strata suggest new Plan May 유월 --severity warning --confidence 0.8
    """
    done = db.review.propose(
        db.documents.called(document),
        original,
        replacement,
        under=under,
        rationale=because,
        severity=severity,
        confidence=confidence,
    )
    return Output(done, done.suggestion.id)


@suggest.reads("list")
def list_suggestions(
    db: Workspace,
    document: DocumentName,
    *,
    status: Annotated[
        Literal["pending", "accepted", "rejected", "withdrawn", "all"], "Which of them."
    ] = "pending",
    ids: OnlyIds = False,
) -> Output:
    """List suggestions as differences, oldest first.

    Each says whether it still applies, and which others are about the same words.

        strata doc new Plan "Ship in May"
        strata suggest new Plan May June
        strata suggest list Plan
        strata suggest list Plan --status all --json
    """
    wanted = None if status == "all" else status
    found = db.review.suggestions(db.documents.called(document), status=wanted)
    names = db.users.names()
    if ids:
        lines = [one.suggestion.id for one in found]
    else:
        lines = [line for one in found for line in _suggestion_lines(one, names)]
    return Output({"suggestions": found}, lines, empty="no suggestions here")


@suggest.reads("show")
def show(
    db: Workspace,
    document: DocumentName,
    id_: Annotated[str, "Its id, or how the id ends.", Spelling("SUGGESTION")],
) -> Output:
    """Show one suggestion with the lines around it.

    It need not be pending.

        strata doc new Plan "Ship in May"
        strata suggest new Plan May June
        strata suggest show Plan $(strata suggest list Plan --ids) && strata suggest list Plan
    """
    called = db.documents.called(document)
    found = db.review.suggestion(called, meant(id_, _known_suggestions(db, called)))
    return Output(found, _suggestion_lines(found, db.users.names(), text=db.documents.text(called)))


def _suggestion_lines(
    found: Proposal, names: Mapping[str, str], *, text: str | None = None
) -> Iterator[str]:
    """Yield a suggestion as a difference; with the text, of whole lines and those around."""
    one = found.suggestion
    told = [author_of(one.author, one.via, names), local_time(one.created)]
    if one.reason != "proposed":
        told.append(one.reason)
    if one.severity != "info":
        told.append(click.style(one.severity, fg=_COLORS[one.severity]))
    if one.confidence is not None:
        told.append(f"{one.confidence:.0%} sure")
    if one.status != "pending":
        told.append(one.status)
    yield f"{click.style(one.id, dim=True)}  {place_of(found.spot)}"
    yield f"  {', '.join(told)}"
    sides = _sides(found, text)
    yield from (f"    {one_line(line)}" for line in sides.before)
    yield from (click.style(f"  - {one_line(line)}", fg="red") for line in sides.old)
    yield from (click.style(f"  + {one_line(line)}", fg="green") for line in sides.new)
    yield from (f"    {one_line(line)}" for line in sides.behind)
    if one.rationale:
        yield f"  {one_line(one.rationale)}"
    if one.status == "pending" and found.state in _STATES:
        yield click.style(f"  {_STATES[found.state]}", fg="yellow")
    if found.overlaps:
        yield f"  about the same words: {', '.join(found.overlaps)}"


class _Sides(NamedTuple):
    """The lines of a difference, and those around it."""

    old: Sequence[str]
    new: Sequence[str]
    before: Sequence[str] = ()
    behind: Sequence[str] = ()


def _sides(found: Proposal, text: str | None) -> _Sides:
    one, spot = found.suggestion, found.spot
    if text is None or spot is None or found.state != "applies":
        return _Sides(one.original.splitlines(), one.replacement.splitlines())
    begin = text.rfind("\n", 0, spot.start) + 1
    end = text.find("\n", spot.end)
    end = len(text) if end < 0 else end
    changed = text[begin : spot.start] + one.replacement + text[spot.end : end]
    return _Sides(
        text[begin:end].splitlines(),
        changed.splitlines(),
        text[:begin].splitlines()[-_CONTEXT_LINES:],
        text[end + 1 :].splitlines()[:_CONTEXT_LINES],
    )


@suggest.writes("accept", takes="branch user actor allow-secrets")
def accept(
    db: Workspace,
    document: DocumentName,
    ids: SomeSuggestionIds = (),
    *,
    every: Annotated[
        bool, "All that are pending and still apply.", Spelling(flags="--all")
    ] = False,
) -> Output:
    """Make the edits that suggestions propose; it takes an editor.

    One whose words have changed since is left pending, and its error shows them. Each is a
    commit of its own, which `strata undo` takes back together with the decision.

        strata doc new Plan "Ship in May"
        strata suggest new Plan May June
        strata suggest list Plan --ids | xargs strata suggest accept Plan
        strata suggest accept Plan --all
    """
    return _decide(db, document, "accept", ids=ids, every=every)


@suggest.writes("reject", takes="branch user actor")
def reject(
    db: Workspace,
    document: DocumentName,
    ids: SomeSuggestionIds = (),
    *,
    every: Annotated[bool, "All that are pending.", Spelling(flags="--all")] = False,
) -> Output:
    """Decline suggestions; the text stays as it is. It takes an editor.

    They stay in the list of rejected ones.

        strata doc new Plan "Ship in May"
        strata suggest new Plan May June
        strata suggest reject Plan $(strata suggest list Plan --ids) && strata suggest list Plan
    """
    return _decide(db, document, "reject", ids=ids, every=every)


@suggest.writes("withdraw", takes="branch user actor")
def withdraw(db: Workspace, document: DocumentName, ids: SuggestionIds) -> Output:
    """Take back suggestions of your own, or of agents that act for you.

    Only pending ones can be withdrawn.

        strata doc new Plan "Ship in May"
        strata suggest new Plan May June
        strata suggest withdraw Plan $(strata suggest list Plan --ids) && strata suggest list Plan
    """
    return _decide(db, document, "withdraw", ids=ids)


class _Refused(msgspec.Struct, frozen=True):
    """A suggestion that could not be decided about."""

    id: str
    code: str
    message: str
    hint: str | None


def _decide(
    db: Workspace,
    name: str,
    verb: Literal["accept", "reject", "withdraw"],
    *,
    ids: tuple[str, ...],
    every: bool = False,
) -> Output:
    """Decide about suggestions one after the other; those that are refused stop no others."""
    if bool(ids) == every:
        raise click.UsageError("Name suggestions, or give --all: one of them.")
    document, review = db.documents.called(name), db.review
    if every:
        pending = review.suggestions(document)
        chosen = [one.suggestion.id for one in pending if verb == "reject" or one.applies]
    else:
        known = _known_suggestions(db, document)
        chosen = [meant(one, known) for one in ids]
    decide = {"accept": review.accept, "reject": review.reject, "withdraw": review.withdraw}[verb]
    done: list[SuggestionResult] = []
    refused: list[_Refused] = []
    for one in chosen:
        try:
            done.append(decide(document, one))
        except StrataError as error:
            if len(chosen) == 1:
                raise
            refused.append(_Refused(one, error.code, error.message, in_shell_words(error.hint)))
    return Output(
        {"decided": done, "refused": refused},
        [
            f"{one.suggestion.id} {'was' if one.unchanged else 'is'} {one.suggestion.status}"
            for one in done
        ],
        empty=f"nothing to {verb}",
        notes=[f"{one.id}: {one.message} {one.hint or ''}".rstrip() for one in refused],
        code=1 if refused else 0,
    )


def _known_suggestions(db: Workspace, document: str) -> list[str]:
    return [one.suggestion.id for one in db.review.suggestions(document, status=None)]
