"""Decisions, checkpoints and insights: saving them, what became of them, reading them."""

from collections.abc import Iterable, Mapping
from typing import Annotated, cast

import click
import msgspec

import strata
from strata.base import limits
from strata.base.counts import plural
from strata.base.results import plain
from strata.cli.command import Output, Spelling, group, more_notes
from strata.cli.commands.decision_graph import graph, link, prune, relink
from strata.cli.commands.foreign import export_decisions, import_decisions
from strata.cli.completion import complete_ids, complete_memories, complete_topics
from strata.cli.show.memories import (
    OUTCOMES,
    described,
    described_links,
    fitted,
    listed,
    states,
    when,
)
from strata.cli.show.text import facts, one_line, table
from strata.cli.words import LIMIT, Query, ReviewBy, Since, Sources, Until
from strata.decisions import Link, Memory, News, SavedMemory, Stats, Topic, Type, WantedLink
from strata.hooks import counts_line
from strata.workspace import Workspace, first_moment

_NAME = Spelling("ID|TOPIC", complete=complete_memories)
_TOPIC = Spelling(complete=complete_topics)
Because = Annotated[str, "Why.", Spelling("REASON")]
Confidence = Annotated[float, "How sure you are, 0 to 1.", msgspec.Meta(ge=0, le=1)]
Links = Annotated[
    tuple[str, ...],
    "Tie it to a memory by a word; may be repeated.",
    Spelling("WORD:ID", "--link"),
]
Types = Annotated[tuple[Type, ...], "Only this type; may be repeated.", Spelling(flags="--type")]

decisions = group(
    "decisions",
    """Record decisions, their reasons and their outcomes.

    Alone it lists the newest memories: decisions, checkpoints and insights. A decision on a
    topic replaces the one before it, which stays readable; `graph` draws how a topic evolved.

        strata decisions save auth "Use sessions" --because "Simple to revoke"
        strata decisions save auth "토큰을 쓴다" --because "모바일 앱이 생겼다"
        strata decisions outcome auth failed --reason "A token leaked"
        strata decisions graph auth
        strata decisions
    """,
    takes="branch at",
    alone="list",
)
for _command in (graph, link, prune, relink, import_decisions, export_decisions):
    decisions.add_command(_command)


# Saving.


@decisions.writes("save", takes="branch actor allow-secrets", creates=True)
def save(
    db: Workspace,
    topic: Annotated[str, "What it is about.", _TOPIC],
    decision: Annotated[str, "What was decided."],
    *,
    because: Because,
    confidence: Confidence = 0.7,
    supersedes: Annotated[
        str | None,
        "Replace this one; none replaces nothing.",
        Spelling("ID", complete=complete_ids),
    ] = None,
    implements: Annotated[
        str | None,
        "The decision that this one carries out.",
        Spelling("ID", complete=complete_ids),
    ] = None,
    links: Links = (),
    since: Since = None,
    until: Until = None,
    review_by: ReviewBy = None,
    sources: Sources = (),
) -> Output:
    """Save a decision and why it was made.

    It replaces the present decision on the same topic, which stays readable. The words of
    --link are yours: motivated_by, contradicts, 참고.

        strata decisions save auth "Use sessions" --because "Simple to revoke"
        strata decisions save auth "토큰을 쓴다" --because "모바일 앱이 생겼다" --confidence 0.9
        strata decisions save cache "Cache prices" --because "Speed" --supersedes none
    """
    saved = db.decisions.save(
        topic,
        decision,
        because,
        confidence=confidence,
        supersedes=supersedes,
        implements=implements,
        links=_wanted(links),
        since=since,
        until=until,
        review_by=review_by,
        sources=sources,
    )
    return _saved(db, saved)


@decisions.writes("checkpoint", takes="branch actor allow-secrets", creates=True)
def checkpoint(
    db: Workspace,
    summary: Annotated[str, "What was done, and how far the work is."],
    *,
    next_steps: Annotated[str, "What to do next.", Spelling(flags="--next")] = "",
    files: Annotated[
        tuple[str, ...],
        "A file that was being worked on; may be repeated.",
        Spelling("PATH", "--file"),
    ] = (),
    archived: Annotated[bool, "Only for the record: not to be resumed."] = False,
) -> Output:
    """Save how far the work is, to go on another day.

    `strata decisions resume` shows the newest one and what changed since.

        strata decisions checkpoint "검색을 마쳤다" --next "Write the tests" --file src/search.py
        strata decisions resume
    """
    status = "archived" if archived else "active"
    saved = db.decisions.checkpoint(summary, open_files=files, next_steps=next_steps, status=status)
    return _saved(db, saved)


@decisions.writes("insight", takes="branch actor allow-secrets", creates=True)
def insight(
    db: Workspace,
    insight: Annotated[str, "What was learned."],
    *,
    category: Annotated[str | None, "Such as performance or process."] = None,
    tags: Annotated[tuple[str, ...], "A tag; may be repeated.", Spelling(flags="--tag")] = (),
    source: Annotated[str | None, "Where it comes from."] = None,
    topic: Annotated[str | None, "What it is about.", _TOPIC] = None,
    links: Links = (),
) -> Output:
    """Save a lesson learned.

    Searches find it by its words and by what it is linked to.

        strata decisions insight "캐시는 느린 질의를 숨긴다" --tag perf --topic cache
        strata decisions list --type insight
    """
    wanted = _wanted(links)
    saved = db.decisions.insight(
        insight, category=category, tags=tags, source=source, topic=topic, links=wanted
    )
    return _saved(db, saved)


@decisions.writes("supersede", takes="branch actor allow-secrets")
def supersede(
    db: Workspace,
    name: Annotated[str, "The decision to replace.", _NAME],
    decision: Annotated[str, "What holds from now on."],
    *,
    because: Because,
    confidence: Confidence = 0.7,
) -> Output:
    """Replace a decision by another one.

    For a topic, `save` does the same; this one also takes an id, and refuses what is not there.

        strata decisions save cache "Cache for an hour" --because "Speed"
        strata decisions supersede cache "Cache for a minute" --because "Prices move"
    """
    old = db.decisions.called(name)
    saved = db.decisions.supersede(decision, because, id=old.id, confidence=confidence)
    return _saved(db, saved)


def _wanted(links: tuple[str, ...]) -> list[WantedLink]:
    """Read links as they are typed: a word, a colon, an id."""
    found: list[WantedLink] = []
    for text in links:
        word, colon, id_ = text.rpartition(":")
        if not (colon and word.strip() and id_.strip()):
            raise strata.InvalidArgument(
                f"{text!r} is no link.",
                hint="Write WORD:ID, such as motivated_by:insight_…",
                parameter="link",
            )
        found.append(WantedLink(id_.strip(), word.strip()))
    return found


def _saved(db: Workspace, saved: SavedMemory) -> Output:
    """Say what was saved, what it replaced, and what is like it."""
    similar = [one.memory for one in db.decisions.similar(saved.memory.id)]
    lines = [f"saved {click.style(saved.memory.id, fg='yellow')}"]
    lines += [f"  replaces {old}" for old in saved.superseded]
    for one in similar:
        about = f" ({one_line(one.topic)})" if one.topic else ""
        lines.append(f"  similar: {one.id}{about} {fitted(one.content, 50)}")
    return Output(
        described(saved.memory),
        lines,
        superseded=list(saved.superseded),
        links=[link.id for link in saved.links],
        similar=[described(one) for one in similar],
        branch=db.branch,
    )


@decisions.writes("outcome", takes="branch actor allow-secrets")
def outcome(
    db: Workspace,
    name: Annotated[str, "The decision.", _NAME],
    outcome: Annotated[str, "How it turned out.", Spelling("success|failed|partial")],
    *,
    reason: Annotated[str | None, "Why; a failure needs one."] = None,
    limitation: Annotated[str | None, "Where it does not hold."] = None,
) -> Output:
    """Tell how a decision turned out.

    The reason is kept as an insight beside it, so that searches find it.

        strata decisions save cache "Cache for an hour" --because "Speed"
        strata decisions outcome cache failed --reason "가격이 틀렸다"
        strata decisions show cache
    """
    decision = db.decisions.called(name)
    found = db.decisions.outcome(outcome, id=decision.id, reason=reason, limitation=limitation)
    memory = found.memory
    return Output(
        described(memory, replaced=db.decisions.superseded_by(memory.id)),
        [
            f"{memory.id} {OUTCOMES[memory.outcome or '']}",
            f"kept the reason as {found.insight.id}",
        ],
        insight=described(found.insight),
        branch=db.branch,
    )


# Reading.


@decisions.reads("list")
def list_memories(
    db: Workspace,
    *,
    topic: Annotated[str | None, "Only this topic.", _TOPIC] = None,
    types: Types = (),
    since: Annotated[str | None, "Only what was saved since then.", Spelling("TIME")] = None,
    limit: Annotated[
        int, "How many at most.", LIMIT, msgspec.Meta(ge=1, le=limits.PAGE_ITEMS_MAX)
    ] = 20,
    before: Annotated[str | None, "Only memories before this one.", Spelling("ID")] = None,
) -> Output:
    """List memories, newest first.

    Each with its id, its topic, and for a decision whether it is current or was replaced, and
    how it turned out.

        strata decisions save auth "Use sessions" --because "Simple to revoke"
        strata decisions insight "캐시는 느린 질의를 숨긴다" --tag perf
        strata decisions list
        strata decisions list --topic auth --type decision --since yesterday
    """
    since_ms = 0 if since is None else db.time_of(first_moment(since)) // 1000
    found = db.decisions.recent(
        limit=limit, types=types, since_ms=since_ms, topic=topic, before=before
    )
    replaced = {memory.id: db.decisions.superseded_by(memory.id) for memory in found}
    return Output(
        {
            "memories": [described(one, replaced=replaced[one.id]) for one in found],
            "more": found.more,
        },
        [line for one in found for line in listed(one, replaced=replaced[one.id])],
        empty="no memories here; `strata decisions save` makes one",
        notes=more_notes(found, "--before"),
        branch=db.branch,
    )


@decisions.reads("search")
def search(
    db: Workspace,
    words: Query,
    *,
    types: Types = (),
    min_confidence: Annotated[
        float, "Leave out decisions that were less sure.", msgspec.Meta(ge=0, le=1)
    ] = 0.0,
    limit: Annotated[
        int,
        "How many at most.",
        Spelling(flags="-k --limit"),
        msgspec.Meta(ge=1, le=limits.SEARCH_RESULTS_MAX),
    ] = 10,
    expired: Annotated[bool, "Show what no longer holds, too."] = False,
) -> Output:
    """Find memories that answer a question, best first.

    What is linked to a hit comes up with it; what failed or was replaced comes after what holds.
    When nothing is found, the exit code is 1.

        strata decisions save cache "Cache prices for a minute" --because "The supplier limits us"
        strata decisions search how long are prices cached
        strata decisions search 캐시 --type decision --json
    """
    query = " ".join(words)
    found = db.decisions.search(
        query, limit=limit, types=types, min_confidence=min_confidence, expired=expired
    )
    documents: list[object] = []
    lines: list[str] = []
    for one in found:
        replaced = db.decisions.superseded_by(one.memory.id)
        score = round(one.score, 4)
        documents.append(described(one.memory, replaced=replaced, score=score, via=one.via))
        note = f"by a link from {one.via}" if one.via else ""
        lines += listed(one.memory, replaced=replaced, note=note)
    return Output(
        {"memories": documents},
        lines,
        empty="nothing found; try other words, or `strata decisions list`",
        code=0 if found else 1,
        branch=db.branch,
    )


@decisions.reads("show")
def show(
    db: Workspace, name: Annotated[str, "An id, or a topic: its present decision.", _NAME]
) -> Output:
    """Show one memory and all that belongs to it.

    What it says and why, how it turned out, the decisions before and after it, its links with
    their confidence as it has faded by now, and what is similar.

        strata decisions save auth "Use sessions" --because "Simple to revoke"
        strata decisions save auth "토큰을 쓴다" --because "모바일 앱이 생겼다" --confidence 0.9
        strata decisions show auth
    """
    memory = db.decisions.called(name)
    links = [link for link in db.decisions.links(memory.id) if not link.is_only_in_time]
    chain = db.decisions.evolution(memory.id) if memory.type == "decision" else [memory]
    similar = [one.memory for one in db.decisions.similar(memory.id)]
    replaced = db.decisions.superseded_by(memory.id)
    lines = [
        *_head(memory, replaced),
        "",
        *_paragraph(memory.content),
        *_section("Why", _paragraph(memory.reasoning)),
        *_section("Outcome", _outcome(memory)),
        *_section("Evolution", _chain(db, chain, here=memory.id)),
        *_section("Links", _link_lines(db, memory, links)),
        *_section("Similar", (line for one in similar for line in _brief(one))),
    ]
    return Output(
        described(memory, replaced=replaced),
        lines,
        branch=db.branch,
        links=described_links(db, links),
        chain=[one.id for one in chain],
        similar=[described(one) for one in similar],
    )


def _head(memory: Memory, replaced: list[str]) -> list[str]:
    pairs = [("id", click.style(memory.id, fg="yellow")), ("type", memory.type)]
    if memory.topic:
        pairs.append(("topic", one_line(memory.topic)))
    pairs.append(("saved", when(memory.created_at)))
    if marks := states(memory, replaced=replaced):
        pairs.append(("state", ", ".join(marks)))
    if replaced:
        pairs.append(("replaced by", ", ".join(replaced)))
    if memory.type == "decision":
        pairs.append(("confidence", f"{memory.confidence:.2f}"))
    return facts([*pairs, *_members(memory)])


def _members(memory: Memory) -> list[tuple[str, str]]:
    """Return what the metadata of a type holds that a user would like to see."""
    shown = ("category", "tags", "source", "status", "open_files", "next_steps")
    found = [(name, memory.metadata.get(name)) for name in shown]
    return [(name.replace("_", " "), _joined(value)) for name, value in found if value]


def _joined(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(one_line(str(item)) for item in cast("list[object]", value))
    return one_line(str(value))


def _section(title: str, lines: Iterable[str]) -> list[str]:
    """Return lines under a title; nothing where there are none."""
    found = list(lines)
    return ["", click.style(title, bold=True), *(f"  {line}" for line in found)] if found else []


def _paragraph(text: str) -> list[str]:
    return [one_line(line) for line in text.splitlines()]


def _outcome(memory: Memory) -> list[str]:
    told = OUTCOMES.get(memory.outcome or "")
    if told is None:
        return []
    known = memory.metadata
    reason = known.get("failure_reason") or known.get("outcome_reason")
    lines = [f"{told}: {one_line(str(reason))}" if reason else told]
    if limitation := known.get("limitation"):
        lines.append(f"limitation: {one_line(str(limitation))}")
    return lines


def _chain(db: Workspace, chain: list[Memory], *, here: str) -> list[str]:
    """Return a chain with more than one link, oldest first."""
    lines: list[str] = []
    for one in chain if len(chain) > 1 else ():
        mark = "▸" if one.id == here else " "
        marks = ", ".join(states(one, replaced=db.decisions.superseded_by(one.id)))
        lines.append(f"{mark} {when(one.created_at)}  {fitted(one.content, 60)}  {marks}")
    return lines


def _link_lines(db: Workspace, memory: Memory, links: list[Link]) -> list[str]:
    """Return links as seen from one of their ends: → leaves it, ← comes to it."""
    lines: list[str] = []
    for one in links:
        first, second = one.reads
        arrow, other = ("→", second) if first == memory.id else ("←", first)
        found = db.decisions.get(other)
        sure = f"{db.decisions.faded(one):.2f}"
        if sure != f"{one.confidence:.2f}":
            sure += f" of {one.confidence:.2f}"
        told = [one.link_type, sure, one.created_by]
        told += ["suggested"] if one.is_suggestion else []
        word, name = one_line(one.relationship), fitted(found.content if found else "", 64)
        details = click.style(f"({', '.join(told)})", dim=True)
        lines.append(f"{arrow} {word} {click.style(other, fg='yellow')} {name} {details}")
    return lines


def _brief(memory: Memory) -> list[str]:
    topic = f"  {one_line(memory.topic)}" if memory.topic else ""
    return [f"{click.style(memory.id, fg='yellow')}{topic}", f"  {fitted(memory.content, 4)}"]


@decisions.reads("resume")
def resume(
    db: Workspace,
    name: Annotated[
        str | None,
        "A checkpoint; the newest active one otherwise.",
        Spelling("[ID]", complete=complete_memories),
    ] = None,
) -> Output:
    """Show how far the work is, and what changed since.

    The newest active checkpoint: its summary, open files and next steps; then what was decided
    and written on this branch after it.

        strata decisions checkpoint "검색을 마쳤다" --next "Write the tests" --file src/search.py
        strata decisions save cache "Cache prices" --because "Speed"
        strata decisions resume
    """
    found = _checkpoint(db, name)
    news = db.decisions.since(found)
    lines = [
        *facts([("saved", when(found.created_at)), *_members(found)]),
        "",
        *_paragraph(found.content),
        *_section("Since then", _news(db, news)),
    ]
    keys = [{"key": one.key, "value": one.value, "version": one.version} for one in news.changed]
    since = plain(news) | {"memories": [described(one) for one in news.memories], "keys": keys}
    del since["changed"]
    return Output(described(found), lines, since=since, branch=db.branch)


def _checkpoint(db: Workspace, name: str | None) -> Memory:
    found = db.decisions.last_checkpoint() if name is None else db.decisions.called(name)
    if found is None:
        raise strata.NotFound(
            f"There is no checkpoint on branch {db.branch!r}.",
            hint="`strata decisions checkpoint SUMMARY` saves how far the work is.",
        )
    if found.type != "checkpoint":
        raise strata.InvalidArgument(
            f"{found.id} is no checkpoint but a {found.type}.",
            hint="`strata decisions list --type checkpoint` shows them.",
            parameter="id",
        )
    return found


def _news(db: Workspace, news: News) -> list[str]:
    lines = [told] if (told := counts_line(news)) else []
    for one in news.memories:
        lines += listed(one, replaced=db.decisions.superseded_by(one.id))
    lines += [
        f"{one_line(fact.key)} (version {fact.version})  {fitted(str(fact.value), 40)}"
        for fact in news.changed
    ]
    return lines


@decisions.reads("stats")
def stats(
    db: Workspace,
    *,
    limit: Annotated[int, "How many topics at most.", LIMIT, msgspec.Meta(ge=1, le=10_000)] = 20,
) -> Output:
    """Count memories by type, outcome and topic, and links.

    Topics with two current decisions are in conflict; decide one of them again, or supersede
    one by its id. Suggested links wait for `strata decisions link confirm`.

        strata decisions save auth "Use sessions" --because "Simple to revoke"
        strata decisions outcome auth success
        strata decisions stats
    """
    found = db.decisions.stats()
    shown = found.topics[:limit]
    rows = [
        (one.name, f"{one.decisions:,}", f"{len(one.current)}", when(one.newest)) for one in shown
    ]
    headers = ("TOPIC", "DECISIONS", "CURRENT", "NEWEST")
    topics = table(headers, rows, right=headers[1:3])
    return Output(
        found,
        [*_count_lines(found), *([""] if topics else []), *topics],
        branch=db.branch,
        topics=[_described_topic(one) for one in shown],
        topics_total=len(found.topics),
        conflicts=[_described_topic(one) for one in found.conflicts],
    )


def _described_topic(topic: Topic) -> dict[str, object]:
    return {"name": topic.name, "decisions": topic.decisions, "current": topic.current}


def _count_lines(found: Stats) -> list[str]:
    conflicts = "none"
    if found.conflicts:
        named = ", ".join(one_line(topic.name) for topic in found.conflicts)
        conflicts = click.style(f"{plural(len(found.conflicts), 'topic')}: {named}", fg="red")
    return facts(
        [
            ("memories", f"{found.memories:,}{_parts(found.types)}"),
            ("outcomes", _parts(found.outcomes).strip(" ()") or "-"),
            ("links", f"{found.links:,}{_parts(found.link_types)}{_parts(found.link_creators)}"),
            ("suggestions", f"{found.suggestions:,} waiting"),
            ("conflicts", conflicts),
        ]
    )


def _parts(counts: Mapping[str, int]) -> str:
    told = [f"{name.lower()} {count:,}" for name, count in counts.items() if count]
    return f" ({', '.join(told)})" if told else ""
