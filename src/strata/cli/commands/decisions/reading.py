"""Reading memories: lists, one with all that belongs to it, searches, and where work stands."""

import click

import strata
from strata.base import limits
from strata.base.clock import now_us
from strata.cli.commands.decisions.group import decisions, the_memory
from strata.cli.commands.decisions.pages import SHOWN, show_newest
from strata.cli.completion import complete_memories, complete_topics
from strata.cli.decorated import command
from strata.cli.output import answer
from strata.cli.session import Invocation, say
from strata.cli.show.memories import (
    OUTCOMES,
    described,
    described_link,
    fitted,
    joined,
    link_line,
    listed,
    paragraph,
    section,
    states,
    when,
)
from strata.cli.show.tables import facts
from strata.cli.show.text import one_line
from strata.decisions import TYPES, Link, Memory, News, Ranked, Type
from strata.hooks import counts_line

_TYPES = click.option("--type", "types", type=click.Choice(TYPES), multiple=True,
                      help="Only this type; may be repeated.")  # fmt: skip


@command(
    "list",
    group=decisions,
    takes="branch at",
    examples="""
    strata decisions save auth "Use sessions" --because "Simple to revoke"
    strata decisions insight "캐시는 느린 질의를 숨긴다" --tag perf
    strata decisions list
    strata decisions list --topic auth --type decision --since yesterday
    """,
)
@click.option("--topic", shell_complete=complete_topics, help="Only this topic.")
@_TYPES
@click.option("--since", metavar="TIME", help="Only what was saved since then.")
@click.option("-n", "--limit", type=click.IntRange(1, limits.PAGE_ITEMS_MAX), default=SHOWN,
              show_default=True, help="How many at most.")  # fmt: skip
def list_memories(
    session: Invocation,
    *,
    topic: str | None,
    types: tuple[Type, ...],
    since: str | None,
    limit: int,
) -> None:
    """List memories, newest first.

    Each with its id, its topic, and for a decision whether it is current or was replaced, and
    how it turned out.
    """
    show_newest(session, limit=limit, types=types, topic=topic, since=since)


@command(
    "search",
    group=decisions,
    takes="branch at",
    examples="""
    strata decisions save cache "Cache prices for a minute" --because "The supplier limits us"
    strata decisions search how long are prices cached
    strata decisions search 캐시 --type decision --json
    """,
)
@click.argument("words", metavar="QUERY...", nargs=-1, required=True,
                help="What to look for, in any language; quotes are not needed.")  # fmt: skip
@_TYPES
@click.option("--min-confidence", type=click.FloatRange(0, 1), default=0.0,
              help="Leave out decisions that were less sure.")  # fmt: skip
@click.option("-k", "--limit", type=click.IntRange(1, limits.SEARCH_RESULTS_MAX), default=10,
              show_default=True, help="How many at most.")  # fmt: skip
def search(
    session: Invocation, *, words: tuple[str, ...], types: tuple[Type, ...], min_confidence: float,
    limit: int,
) -> None:  # fmt: skip
    """Find memories that answer a question, best first.

    What is linked to a hit comes up with it; what failed or was replaced comes after what holds.
    """
    with session.reading() as db:
        found = db.decisions.search(
            " ".join(words), limit=limit, types=types, min_confidence=min_confidence
        )
        _ranked(session, db, found)
    if not found and not session.json:
        say("nothing found; try other words, or `strata decisions list`")


def _ranked(session: Invocation, db: strata.Workspace, found: list[Ranked]) -> None:
    documents: list[object] = []
    lines: list[str] = []
    for one in found:
        replaced = db.decisions.superseded_by(one.memory.id)
        note = f"by a link from {one.via}" if one.via else ""
        extra: dict[str, object] = {"score": round(one.score, 4), "via": one.via}
        documents.append(described(one.memory, replaced=replaced, **extra))
        lines += listed(one.memory, replaced=replaced, note=note)
    answer(session, {"memories": documents}, lines, branch=db.branch)


@command(
    "show",
    group=decisions,
    takes="branch at",
    examples="""
    strata decisions save auth "Use sessions" --because "Simple to revoke"
    strata decisions save auth "토큰을 쓴다" --because "모바일 앱이 생겼다" --confidence 0.9
    strata decisions show auth
    """,
)
@click.argument("name", metavar="ID|TOPIC", shell_complete=complete_memories,
                help="An id, or a topic: its present decision.")  # fmt: skip
def show(session: Invocation, *, name: str) -> None:
    """Show one memory and all that belongs to it.

    What it says and why, how it turned out, the decisions before and after it, its links with
    their confidence as it has faded by now, and what is similar.
    """
    with session.reading() as db:
        memory = the_memory(db, name)
        links = [link for link in db.decisions.links(memory.id) if not link.is_only_in_time]
        chain = db.decisions.evolution(memory.id) if memory.type == "decision" else [memory]
        similar = [one.memory for one in db.decisions.similar(memory.id)]
        replaced = db.decisions.superseded_by(memory.id)
        moment = now_ms(session)
        lines = [
            *_head(memory, replaced),
            *section("Evolution", _chain(db, chain, here=memory.id)),
            *section("Links", _links(db, memory, links, moment=moment)),
            *section("Similar", (line for one in similar for line in _brief(one))),
        ]
        document = described(memory, replaced=replaced)
        answer(
            session, document, lines, branch=db.branch,
            links=[described_link(link, now_ms=moment) for link in links],
            chain=[one.id for one in chain], similar=[described(one) for one in similar],
        )  # fmt: skip


def now_ms(session: Invocation) -> int:
    """Return the moment from which age counts: that of the view."""
    return (now_us() if session.as_of is None else session.as_of.timestamp) // 1000


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
    pairs += _members(memory)
    return [
        *facts(pairs), "", *paragraph(memory.content), *section("Why", paragraph(memory.reasoning)),
        *section("Outcome", _outcome(memory)),
    ]  # fmt: skip


def _members(memory: Memory) -> list[tuple[str, str]]:
    """Return what the metadata of a type holds that a person would like to see."""
    shown = ("category", "tags", "source", "status", "open_files", "next_steps")
    found = [(name, memory.metadata.get(name)) for name in shown]
    return [(name.replace("_", " "), joined(value)) for name, value in found if value]


def _outcome(memory: Memory) -> list[str]:
    told = OUTCOMES.get(memory.outcome or "")
    if told is None:
        return []
    found = memory.metadata
    reason = found.get("failure_reason") or found.get("outcome_reason")
    lines = [f"{told}: {one_line(str(reason))}" if reason else told]
    if limitation := found.get("limitation"):
        lines.append(f"limitation: {one_line(str(limitation))}")
    return lines


def _chain(db: strata.Workspace, chain: list[Memory], *, here: str) -> list[str]:
    """Return a chain with more than one link, oldest first."""
    lines: list[str] = []
    for one in chain if len(chain) > 1 else ():
        mark = "▸" if one.id == here else " "
        marks = ", ".join(states(one, replaced=db.decisions.superseded_by(one.id)))
        text = fitted(one.content, 60)
        lines.append(f"{mark} {when(one.created_at)}  {text}  {marks}")
    return lines


def _links(db: strata.Workspace, memory: Memory, links: list[Link], *, moment: int) -> list[str]:
    ends = {link.to_id if link.from_id == memory.id else link.from_id for link in links}
    found = {id_: db.decisions.get(id_) for id_ in ends}
    names = {id_: one.content for id_, one in found.items() if one is not None}
    return [link_line(link, here=memory.id, names=names, now_ms=moment) for link in links]


def _brief(memory: Memory) -> list[str]:
    topic = f"  {one_line(memory.topic)}" if memory.topic else ""
    return [f"{click.style(memory.id, fg='yellow')}{topic}", f"  {fitted(memory.content, 4)}"]


@command(
    "resume",
    group=decisions,
    takes="branch at",
    examples="""
    strata decisions checkpoint "검색을 마쳤다" --next "Write the tests" --file src/search.py
    strata decisions save cache "Cache prices" --because "Speed"
    strata decisions resume
    """,
)
@click.argument("name", metavar="[ID]", required=False, shell_complete=complete_memories,
                help="A checkpoint; the newest active one otherwise.")  # fmt: skip
def resume(session: Invocation, *, name: str | None) -> None:
    """Show where work stands, and what changed since.

    The newest active checkpoint: its summary, open files and next steps; then what was decided
    and written on this branch after it.
    """
    with session.reading() as db:
        found = _checkpoint(db, name)
        news = db.decisions.since(found)
        lines = [
            *facts([("saved", when(found.created_at)), *_members(found)]),
            "",
            *paragraph(found.content),
            *section("Since then", _news(db, news)),
        ]
        since = {
            "decisions": news.decisions, "superseded": news.superseded, "judged": news.judged,
            "insights": news.insights, "facts": news.facts, "events": news.events,
            "memories": [described(one) for one in news.memories],
            "keys": [{"key": fact.key, "value": fact.value, "version": fact.version}
                     for fact in news.changed],
            "is_partial": news.is_partial,
        }  # fmt: skip
        answer(session, described(found), lines, since=since, branch=db.branch)


def _checkpoint(db: strata.Workspace, name: str | None) -> Memory:
    found = db.decisions.last_checkpoint() if name is None else the_memory(db, name)
    if found is None:
        raise strata.NotFound(
            f"There is no checkpoint on branch {db.branch!r}.",
            hint="`strata decisions checkpoint SUMMARY` saves where the work stands.",
        )
    if found.type != "checkpoint":
        raise strata.InvalidArgument(
            f"{found.id} is no checkpoint but a {found.type}.",
            hint="`strata decisions list --type checkpoint` shows them.", parameter="id",
        )  # fmt: skip
    return found


def _news(db: strata.Workspace, news: News) -> list[str]:
    lines = [told] if (told := counts_line(news)) else []
    for one in news.memories:
        lines += listed(one, replaced=db.decisions.superseded_by(one.id))
    lines += [
        f"{one_line(fact.key)} (version {fact.version})  {fitted(str(fact.value), 40)}"
        for fact in news.changed
    ]
    return lines
