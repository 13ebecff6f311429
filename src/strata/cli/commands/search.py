"""Search: what answers a question, now or in the past."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import groupby
from typing import Annotated

import click
import msgspec

from strata.base import limits
from strata.base.counts import plural
from strata.base.values import Json, decode
from strata.cli.command import Output, Spelling, command
from strata.cli.completion import complete_spaces
from strata.cli.meaning import unusable
from strata.cli.output import local_time
from strata.cli.session import Invocation
from strata.cli.show.text import one_line, terminal_width, width
from strata.cli.words import Query
from strata.memory import Filter
from strata.search import SEARCHABLE, Answer, Hit, Mode
from strata.workspace import Workspace

_OPERATORS = ("eq", "ne", "gt", "gte", "lt", "lte", "in", "contains")
_CONDITION = click.Tuple([str, click.Choice(_OPERATORS), str])
_HOW = {"keyword": "by words", "semantic": "by meaning", "hybrid": "by words and meaning"}

Spaces = Annotated[
    tuple[str, ...],
    "Only this space; may be repeated. All of them otherwise.",
    Spelling("NAME", "--space", complete_spaces),
]
Kinds = Annotated[
    tuple[str, ...],
    "Only this kind; may be repeated.",
    Spelling(flags="--kind", type=click.Choice(sorted(SEARCHABLE))),
]
Tags = Annotated[
    tuple[str, ...],
    "Only what carries this tag; may be repeated, for all of them.",
    Spelling(flags="--tag"),
]
Conditions = Annotated[
    tuple[tuple[str, str, str], ...],
    "Only values with such a member; may be repeated.",
    Spelling("FIELD OP VALUE", "--filter", type=_CONDITION),
]
Time = Spelling("TIME")


@command("search", takes="branch at")
def search(
    session: Invocation,
    words: Query,
    *,
    count: Annotated[
        int,
        "How many hits at most.",
        Spelling("N", "-k"),
        msgspec.Meta(ge=1, le=limits.SEARCH_RESULTS_MAX),
    ] = 10,
    spaces: Spaces = (),
    kinds: Kinds = (),
    tags: Tags = (),
    since: Annotated[str | None, "Only what was written since then.", Time] = None,
    until: Annotated[str | None, "Only what was written until then.", Time] = None,
    as_of: Annotated[str | None, "Search the past; the same as --at.", Time] = None,
    mode: Annotated[Mode, "By words, by meaning, or both."] = "auto",
    filters: Conditions = (),
    expand: Annotated[bool, "Let the model of the settings ask in other words as well."] = False,
    rerank: Annotated[bool, "Let it put the best hits in order."] = False,
    no_strict: Annotated[bool, "Show the nearest, relevant or not."] = False,
    expired: Annotated[bool, "Show what no longer holds, too."] = False,
    verbose: Annotated[
        bool, "Show scores, versions and tags as well.", Spelling(flags="-v --verbose")
    ] = False,
) -> Output:
    """Find what answers a question, best first.

    Looks through facts, JSON values, cells, events and decisions of all spaces, through
    documents, and through conversations, whose turns rank below what was kept. `strata doc
    search` looks through documents alone, --kind turn through conversations. A word that ends
    in * matches all words that begin with it; quotes and operators are plain text. -- goes
    before a word that begins with a dash. OP is eq, ne, gt, gte, lt, lte, in or contains. When
    nothing relevant is found, the exit code is 1, and --no-strict shows what comes nearest.
    Facts and decisions with a date until which they hold are left out after it; --expired shows
    them.

        strata put cache/prices "Prices are cached for sixty seconds" --tag decision
        strata put 배포/규칙 "배포는 금요일에 하지 않는다"
        strata search how long do we cache a price
        strata search 금요일 배포 -k 3
        strata search cach* --tag decision --since yesterday --json
    """
    query = " ".join(words)
    session.at = as_of or session.at
    # Before the command it names one space, as everywhere; the settings' space limits nothing.
    spaces = spaces or ((session.space,) if session.space else ())
    conditions = [_condition(*one) for one in filters]
    with session.reading() as db:
        found = db.search(
            query,
            count,
            spaces=spaces,
            kinds=kinds,
            tags=tags,
            since=since,
            until=until,
            mode=_mode(db, mode),
            filter=conditions,
            expand=expand,
            rerank=rerank,
            strict=not no_strict,
            expired=expired,
        )
        narrows = any((spaces, kinds, tags, since, until, filters))
        return Output(
            found,
            hit_lines(found.hits, space=db.space_name, verbose=verbose),
            notes=_notes(db, found, narrows=narrows),
            code=0 if found.hits else 1,
            branch=db.branch,
        )


def _mode(db: Workspace, mode: Mode) -> Mode:
    """Wait for the model where there are vectors: a new process has never loaded it before."""
    has_vectors = any(model.embedded for model in db.embeddings.status().models)
    return "hybrid" if mode == "auto" and has_vectors else mode


def _condition(field: str, op: str, typed: str) -> Filter:
    value: Json = typed
    # Text that is not JSON is meant as it is.
    with suppress(msgspec.MsgspecError, ValueError, RecursionError):
        value = decode(typed)
    return {"field": field, "op": op, "value": value}


def _notes(db: Workspace, found: Answer, *, narrows: bool) -> Iterator[str]:
    """Say how it was searched, what is missing, and what to try when nothing was found."""
    where = f" on branch {one_line(db.branch)}" if Invocation.current().branch else ""
    is_empty = not (found.hits or (info := db.info()).keys or info.events)
    if found.hits:
        yield f"{plural(len(found.hits), 'hit')} {_HOW[found.mode]}{where}"
    elif is_empty:
        yield f"nothing found{where}; nothing is kept here"
    else:
        yield f"nothing found {_HOW[found.mode]}{where}; {_advice(db, narrows=narrows)}"
        if found.missing:
            yield f"nothing here mentions {one_line(' or '.join(found.missing))}"
        if found.nearest:
            yield f"nearest is {one_line(found.nearest)}; --no-strict shows more"
    if not is_empty and not found.nearest:
        yield from map(one_line, found.notes)
    if found.hits:
        yield from _notes_on_models(db, found)


def _advice(db: Workspace, *, narrows: bool) -> str:
    if narrows:
        return "try it with fewer conditions"
    if pending := db.embeddings.status().pending:
        made = f"after `strata embeddings wait` ({pending:,} pending) it finds by meaning, too"
        return f"try other words; {made}"
    return "try other words, or the beginning of one with a * behind it"


def _notes_on_models(db: Workspace, found: Answer) -> Iterator[str]:
    problems = unusable(db.embeddings.status()) if found.mode == "keyword" else {}
    for name, reason in problems.items():
        yield f"{one_line(name)} cannot be used: {one_line(reason)}"
    if found.pending and not problems:
        yield f"{plural(found.pending, 'vector')} to be made yet: `strata embeddings wait`"


_NARROWEST = 20
# What is shown for one character, and whether it belongs to a match.
_Cell = tuple[str, bool]


def hit_lines(hits: Iterable[Hit], *, space: str, verbose: bool = False) -> Iterator[str]:
    """Yield each hit as a line that names it and the part of its text that matches.

    `space` is the one that need not be named.
    """
    found = list(hits)
    indent = len(str(len(found))) + 2
    for hit in found:
        rank = click.style(f"{hit.rank}".rjust(indent - 2), dim=True)
        when = click.style(local_time(hit.timestamp), dim=True)
        caveat = click.style(f"  {one_line(hit.caveat)}", fg="yellow") if hit.caveat else ""
        yield f"{rank}  {click.style(_name(hit), bold=True)}{_place(hit, space)}  {when}{caveat}"
        room = None
        if (columns := terminal_width()) is not None:
            room = max(columns - indent, _NARROWEST)
        for line in _wrapped(_cells(hit), room):
            yield f"{'':{indent}}{_colored(line)}".rstrip()
        if verbose:
            yield click.style(f"{'':{indent}}{_details(hit)}", dim=True)


def _name(hit: Hit) -> str:
    if hit.kind == "document":
        return one_line(f"{hit.value['title']} {hit.key}")
    return f"event {hit.key}" if hit.kind == "event" else one_line(hit.key)


def _place(hit: Hit, space: str) -> str:
    """Say what is not as usual: another kind than a plain value, another space."""
    parts = [] if hit.kind in ("kv", "event") else [hit.kind]
    if hit.namespace != space and hit.kind != "document":
        parts.append(f"space {one_line(hit.namespace)}")
    return f"  ({', '.join(parts)})" if parts else ""


def _details(hit: Hit) -> str:
    tags = f", tags {', '.join(map(one_line, hit.tags))}" if hit.tags else ""
    likely = f"relevance {hit.relevance:.2f}"
    return f"score {hit.score:.4f}, {likely}, version {hit.version}{tags}"


def _cells(hit: Hit) -> list[_Cell]:
    is_marked = [False] * len(hit.snippet)
    for start, end in hit.marks:
        is_marked[start:end] = [True] * (end - start)
    # Each character by itself, so that one which is written out does not move the marks.
    return [(one_line(letter), mark) for letter, mark in zip(hit.snippet, is_marked, strict=True)]


def _wrapped(cells: list[_Cell], room: int | None) -> Iterator[list[_Cell]]:
    """Yield lines that fit, broken at a blank where there is one."""
    line: list[_Cell] = []
    used = 0
    for cell in cells:
        columns = width(cell[0])
        if room is not None and line and used + columns > room:
            at = next((at for at in range(len(line), 0, -1) if line[at - 1][0] == " "), 0)
            whole, line = (line[:at], line[at:]) if at else (line, [])
            yield whole
            used = sum(width(text) for text, _mark in line)
        line.append(cell)
        used += columns
    if line:
        yield line


def _colored(cells: list[_Cell]) -> str:
    runs = groupby(cells, key=lambda cell: cell[1])
    parts = [("".join(text for text, _mark in run), mark) for mark, run in runs]
    return "".join(click.style(text, fg="red", bold=True) if mark else text for text, mark in parts)
