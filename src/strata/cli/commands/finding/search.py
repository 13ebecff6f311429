"""Search: what answers a question, now or in the past."""

from contextlib import suppress

import click
import msgspec

import strata
from strata.base import limits
from strata.base.values import Json, decode
from strata.cli.completion import complete_spaces
from strata.cli.decorated import command
from strata.cli.meaning import unusable
from strata.cli.output import answer, plural
from strata.cli.session import Invocation, say
from strata.cli.show.hits import hit_lines
from strata.cli.show.text import one_line
from strata.documents import Request
from strata.memory import Filter
from strata.search import MODES, SEARCHABLE, Answer, Mode

_KINDS = click.Choice(sorted(SEARCHABLE))
_OPERATORS = ("eq", "ne", "gt", "gte", "lt", "lte", "in", "contains")
_CONDITION = (str, click.Choice(_OPERATORS), str)
# More documents than this are not counted.
_DOCUMENTS_MAX = 10
_HOW = {"keyword": "by words", "semantic": "by meaning", "hybrid": "by words and meaning"}


class _Asked(msgspec.Struct, frozen=True):
    """What was typed beside the words: where to look, and how."""

    spaces: tuple[str, ...]
    kinds: tuple[str, ...]
    tags: tuple[str, ...]
    since: str | None
    until: str | None
    filters: tuple[tuple[str, str, str], ...]
    expand: bool
    rerank: bool

    @property
    def narrows(self) -> bool:
        """Whether anything but the words could keep something out."""
        return any((self.spaces, self.kinds, self.tags, self.since, self.until, self.filters))


@command(
    "search",
    takes="branch at",
    examples="""
    strata put cache/prices "Prices are cached for sixty seconds" --tag decision
    strata put 배포/규칙 "배포는 금요일에 하지 않는다"
    strata search how long do we cache a price
    strata search 금요일 배포 -k 3
    strata search cach* --tag decision --since yesterday --json
    """,
)
@click.argument("words", metavar="QUERY...", nargs=-1, required=True,
                help="What to look for, in any language; quotes are not needed.")  # fmt: skip
@click.option("-k", "count", metavar="N", type=click.IntRange(1, limits.SEARCH_RESULTS_MAX),
              default=10, show_default=True, help="How many hits at most.")  # fmt: skip
@click.option("--space", "spaces", metavar="NAME", multiple=True, shell_complete=complete_spaces,
              help="Only this space; may be repeated. All of them otherwise.")  # fmt: skip
@click.option("--kind", "kinds", type=_KINDS, multiple=True,
              help="Only this kind; may be repeated.")  # fmt: skip
@click.option("--tag", "tags", multiple=True,
              help="Only what carries this tag; may be repeated, for all of them.")  # fmt: skip
@click.option("--since", metavar="TIME", help="Only what was written since then.")
@click.option("--until", metavar="TIME", help="Only what was written until then.")
@click.option("--as-of", metavar="TIME", help="Search the past; the same as --at.")
@click.option("--mode", type=click.Choice(MODES), default="auto", show_default=True,
              help="By words, by meaning, or both.")  # fmt: skip
@click.option("--filter", "filters", type=_CONDITION, metavar="FIELD OP VALUE", multiple=True,
              help="Only values with such a member; may be repeated.")  # fmt: skip
@click.option("--expand", is_flag=True,
              help="Let the model of the settings ask in other words as well.")  # fmt: skip
@click.option("--rerank", is_flag=True, help="Let it put the best hits in order.")
@click.option("-v", "--verbose", is_flag=True, help="Show scores, versions and tags as well.")
def search(
    session: Invocation, *, words: tuple[str, ...], count: int, mode: Mode, as_of: str | None,
    verbose: bool, **typed: object,
) -> int | None:  # fmt: skip
    """Find what answers a question, best first.

    Looks through facts, JSON values, cells, events and decisions of all spaces; documents that
    match are counted, and `strata doc search` shows them. A word that ends in *
    stands for all that begin like it; quotes and operators are plain text. -- goes before a
    word that begins with a dash. OP is eq, ne, gt, gte, lt, lte, in or contains. When nothing
    is found, the exit code is 1.
    """
    asked = msgspec.convert(typed, _Asked)
    session.at = as_of or session.at
    # Before the command it names one space, as everywhere; the settings' space limits nothing.
    spaces = asked.spaces or ((session.space,) if session.space else ())
    with session.reading() as db:
        found = db.search(
            " ".join(words), count, spaces=spaces, kinds=asked.kinds, tags=asked.tags,
            since=asked.since, until=asked.until, mode=_mode(db, mode),
            filter=[_condition(*one) for one in asked.filters],
            expand=asked.expand, rerank=asked.rerank,
        )  # fmt: skip
        lines = hit_lines(found.hits, space=db.space_name, verbose=verbose)
        answer(session, found, lines, branch=db.branch)
        if not session.json:
            narrows = asked.narrows or bool(spaces)
            _tell(session, db, found, narrows=narrows)
            if not narrows:
                _tell_of_documents(db, " ".join(words))
    return None if found.hits else 1


def _mode(db: strata.Workspace, mode: Mode) -> Mode:
    """Wait for the model where there are vectors: a new process has never loaded it before."""
    has_vectors = any(model.embedded for model in db.embeddings.status().models)
    return "hybrid" if mode == "auto" and has_vectors else mode


def _condition(field: str, op: str, typed: str) -> Filter:
    value: Json = typed
    # Text that is not JSON is meant as it is.
    with suppress(msgspec.MsgspecError, ValueError, RecursionError):
        value = decode(typed)
    return {"field": field, "op": op, "value": value}


def _tell(session: Invocation, db: strata.Workspace, found: Answer, *, narrows: bool) -> None:
    """Say how it was searched, what is missing, and what to try when nothing was found."""
    where = f" on branch {one_line(db.branch)}" if session.branch else ""
    notes = [one_line(note) for note in found.notes]
    if found.hits:
        say(f"{plural(len(found.hits), 'hit')} {_HOW[found.mode]}{where}")
    elif not (info := db.info()).keys + info.events:
        say(f"nothing found{where}; nothing is kept here")
        notes = []
    else:
        say(f"nothing found {_HOW[found.mode]}{where}; {_advice(db, narrows=narrows)}")
    for note in notes:
        say(note)
    if found.hits:
        _tell_of_models(db, found)


def _tell_of_models(db: strata.Workspace, found: Answer) -> None:
    problems = unusable(db.embeddings.status()) if found.mode == "keyword" else {}
    for name, reason in problems.items():
        say(f"{one_line(name)} cannot be used: {one_line(reason)}")
    if found.pending and not problems:
        say(f"{plural(found.pending, 'vector')} to be made yet: `strata embeddings wait`")


def _tell_of_documents(db: strata.Workspace, query: str) -> None:
    """Say how many documents have the words; they are searched by a command of their own."""
    found = db.documents.find(Request(query=query, limit=_DOCUMENTS_MAX, token_budget=1))
    count = sum(item.source != "semantic" for item in found.items)
    if count:
        most = " or more" if count == _DOCUMENTS_MAX else ""
        verb = "matches" if count == 1 else "match"
        say(f"{plural(count, 'document')}{most} {verb}: `strata doc search {one_line(query)}`")


def _advice(db: strata.Workspace, *, narrows: bool) -> str:
    if narrows:
        return "try it with fewer conditions"
    if pending := db.embeddings.status().pending:
        made = f"after `strata embeddings wait` ({pending:,} pending) it finds by meaning, too"
        return f"try other words; {made}"
    return "try other words, or the beginning of one with a * behind it"
