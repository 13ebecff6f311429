"""Finding everything from one place: the search of the page and of its palette."""

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from strata.base import limits
from strata.base.errors import InvalidArgument
from strata.search import nearest_of
from strata.tools.declare import When
from strata.tools.page.group import PageAnswer, Who, iso, page, permits, writers
from strata.tools.page.recent import KINDS, id_of, place_of, title_of
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.access import Grant
    from strata.search import Hit
    from strata.workspace import Workspace

# The kinds of the store that a kind of the page stands for, and the group that may see them.
_STORED: dict[str, tuple[str, ...]] = {
    "document": ("document",),
    "fact": ("kv", "json", "state"),
    "decision": ("memory",),
    "event": ("event",),
}
_GROUPS: dict[str, str] = {
    "document": "core",
    "fact": "memory",
    "decision": "memory",
    "event": "memory",
}


# Who indexes what was typed live.
_SERVER = "strata"

# Signs of Markdown as they are in the line of a snippet; of links, the words are shown.
_SIGNS = re.compile(
    r"!?\[\[?(?P<shown>[^\[\]]*)\](?:\]|\([^()\s]*\))"
    r"|(?:^|(?<=\s))(?:\#{1,6}|\|(?:[\s|:-]*\|)?)(?:\s+|$)"
    r"|(?:^|(?<=\s))(?:[-*+]\s+)?\[[ xX]\]\s+"
    r"|(?:^|(?<=\s\s))(?:>|[-*+])\s+"
    r"|\*\*|__|~~|`+"
)


class FoundThing(PageAnswer, frozen=True):
    """Something that was found; `marks` are places of the words in `snippet`, in UTF-16."""

    kind: str
    id: str
    title: str
    place: str
    snippet: str
    marks: list[list[int]]
    # By its words, or by its meaning alone.
    why: Literal["words", "meaning"]
    relevance: float
    changed: str
    who: Who
    # What holds in its place, that it failed, or that it has expired; empty for most.
    caveat: str


class FoundThings(PageAnswer, frozen=True):
    """What was found, best first. Where nothing is `known`, there are no hits but a nearest."""

    hits: list[FoundThing]
    known: bool
    nearest: FoundThing | None
    # What the question names and nothing mentions.
    missing: tuple[str, ...]
    next: str | None


@page.reads(example={"query": "how long do we cache a price?", "limit": 8})
def find(
    call: Call,
    *,
    query: Annotated[str, "Words or a question, in any language"],
    kinds: Annotated[list[str], "Only documents, facts, decisions, events: document, fact, …"] = [],  # noqa: B006  (never changed)
    by: Annotated[str, "Written by: part of a name"] = "",
    since: Annotated[When | None, 'Written since: "1 week ago", ISO 8601'] = None,
    cursor: Annotated[str | None, "Go on here: `next` of the answer before"] = None,
    limit: Annotated[int, Meta(description="Most hits", ge=1, le=100)] = 20,
) -> FoundThings:
    """Find documents, facts, decisions and events by words and meaning.

    Says why each was found, marks its words, and says so where nothing is relevant.
    """
    wanted = _stored(kinds, call.session.grant)
    if not query.strip() or not wanted:
        return FoundThings(hits=[], known=True, nearest=None, missing=(), next=None)
    here, first = call.db, _offset(cursor)
    most = min(first + limit + 1, limits.SEARCH_RESULTS_MAX)
    answer = here.search(query, most, kinds=wanted, since=since)
    found = _things(here, answer.hits)
    if by:
        found = [one for one in found if _is_by(one.who, by)]
    nearest = None
    if not answer.known:
        closest = nearest_of(here.search(query, kinds=wanted, since=since, strict=False).hits)
        nearest = None if closest is None else next(iter(_things(here, [closest])), None)
    is_more = len(found) > first + limit
    return FoundThings(
        hits=found[first : first + limit],
        known=answer.known,
        nearest=nearest,
        missing=answer.missing,
        next=str(first + limit) if is_more else None,
    )


def _stored(kinds: Sequence[str], grant: "Grant | None") -> list[str]:
    """Return the kinds of the store to look through: those asked for, as far as one may."""
    odd = [kind for kind in kinds if kind not in _STORED]
    if odd:
        raise InvalidArgument(
            f"Nothing here is of the kind {odd[0][:40]!r}.",
            hint=f"Use {', '.join(_STORED)}.",
            parameter="kinds",
        )
    allowed = [kind for kind in kinds or _STORED if permits(grant, _GROUPS[kind])]
    return [stored for kind in allowed for stored in _STORED[kind]]


def _offset(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) <= 6):
        raise InvalidArgument("This cursor is of no answer.", parameter="cursor")
    return int(cursor)


def _is_by(who: Who, part: str) -> bool:
    names = (who.person, who.agent, who.label)
    return any(part.casefold() in name.casefold() for name in names if name)


def _things(here: "Workspace", hits: Iterable["Hit"]) -> list[FoundThing]:
    kept = list(hits)
    authors = writers(here, (hit.version for hit in kept))
    # What was typed live was indexed a moment later by the server: the text says who wrote it.
    texts = {
        hit.version: here.documents.get(hit.key).version
        for hit in kept
        if hit.kind == "document" and authors[hit.version].label == _SERVER
    }
    typed = writers(here, texts.values())
    authors |= {version: typed[text] for version, text in texts.items()}
    return [_thing(hit, authors[hit.version]) for hit in kept]


def _thing(hit: "Hit", by: Who) -> FoundThing:
    snippet, marks = hit.snippet, hit.marks
    if hit.kind == "document":
        snippet, marks = as_read(*_below_heading(hit))
    return FoundThing(
        kind=KINDS.get(hit.kind, hit.kind),
        id=id_of(hit),
        title=title_of(hit),
        place=place_of(hit),
        snippet=snippet,
        marks=[[_units(snippet, end) for end in mark] for mark in marks],
        why="words" if hit.marks else "meaning",
        relevance=round(hit.relevance, 3),
        changed=iso(hit.timestamp),
        who=by,
        caveat=hit.caveat,
    )


def _below_heading(hit: "Hit") -> tuple[str, list[tuple[int, int]]]:
    """Return the words of a section behind its heading, which is shown as title and place.

    Where words of the heading were found, it stays.
    """
    section = place_of(hit) or title_of(hit)
    head = re.match(rf"{re.escape(section)} #{{1,6}} .*?\s\s(?=\S)", hit.snippet)
    cut = head.end() if head and all(start >= head.end() for start, _end in hit.marks) else 0
    return hit.snippet[cut:], [(start - cut, end - cut) for start, end in hit.marks]


def as_read(text: str, marks: Sequence[tuple[int, int]]) -> tuple[str, list[tuple[int, int]]]:
    """Return words of a document without the signs of Markdown, and where the marks are then.

    >>> as_read("# Limits **in review** | a | see [the plan](x.md)", [(11, 13)])
    ('Limits in review a see the plan', [(7, 9)])
    >>> as_read("Now: - [x] ask partners - [ ] tell them", [])[0]
    'Now: ask partners tell them'
    """
    kept: list[str] = []
    places = [0]
    last = 0
    for found in _SIGNS.finditer(text):
        shown = found["shown"] or ""
        begin = found.start("shown") if shown else found.end()
        _copy(text[last : found.start()], kept, places)
        places += [places[-1]] * (begin - found.start())
        _copy(shown, kept, places)
        places += [places[-1]] * (found.end() - begin - len(shown))
        last = found.end()
    _copy(text[last:], kept, places)
    whole = "".join(kept)
    return whole, [(places[a], places[b]) for a, b in marks if places[a] < places[b]]


def _copy(text: str, kept: list[str], places: list[int]) -> None:
    """Keep a text as it is, and note where each of its characters comes to be."""
    kept.append(text)
    places += range(places[-1] + 1, places[-1] + 1 + len(text))


def _units(text: str, end: int) -> int:
    """Return a place as pages count it."""
    return len(text[:end].encode("utf-16-le")) // 2
