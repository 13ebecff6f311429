"""Counts of memories and links."""

from collections.abc import Mapping

import click

from strata.cli.commands.decisions.group import decisions
from strata.cli.decorated import command
from strata.cli.output import answer, plural
from strata.cli.session import Invocation
from strata.cli.show.memories import when
from strata.cli.show.tables import facts, table
from strata.cli.show.text import one_line
from strata.decisions import Stats, Topic


@command(
    "stats",
    group=decisions,
    takes="branch at",
    examples="""
    strata decisions save auth "Use sessions" --because "Simple to revoke"
    strata decisions outcome auth success
    strata decisions stats
    """,
)
@click.option("-n", "--limit", type=click.IntRange(1, 10_000), default=20, show_default=True,
              help="How many topics at most.")  # fmt: skip
def stats(session: Invocation, *, limit: int) -> None:
    """Count memories by type, outcome and topic, and links.

    Topics with two current decisions are in conflict; decide one of them again, or supersede
    one by its id. Suggested links wait for `strata decisions link confirm`.
    """
    with session.reading() as db:
        found = db.decisions.stats()
        answer(
            session, found, _lines(found, limit), branch=db.branch,
            topics=[_described(topic) for topic in found.topics[:limit]],
            topics_total=len(found.topics),
            conflicts=[_described(topic) for topic in found.conflicts],
        )  # fmt: skip


def _described(topic: Topic) -> dict[str, object]:
    return {"name": topic.name, "decisions": topic.decisions, "current": topic.current}


def _lines(found: Stats, limit: int) -> list[str]:
    pairs = [
        ("memories", f"{found.memories:,}{_parts(found.types)}"),
        ("outcomes", _parts(found.outcomes).strip(" ()") or "-"),
        ("links", f"{found.links:,}{_parts(found.link_types)}{_parts(found.link_creators)}"),
        ("suggestions", f"{found.suggestions:,} waiting"),
        ("conflicts", _conflicts(found)),
    ]
    rows = [
        (one_line(topic.name), f"{topic.decisions:,}", f"{len(topic.current)}",
         when(topic.newest))
        for topic in found.topics[:limit]
    ]  # fmt: skip
    headers = ("TOPIC", "DECISIONS", "CURRENT", "NEWEST")
    lines = table(headers, rows, right=headers[1:3])
    return [*facts(pairs), *([""] if lines else []), *lines]


def _parts(counts: Mapping[str, int]) -> str:
    told = [f"{name.lower()} {count:,}" for name, count in counts.items() if count]
    return f" ({', '.join(told)})" if told else ""


def _conflicts(found: Stats) -> str:
    if not found.conflicts:
        return "none"
    named = ", ".join(one_line(topic.name) for topic in found.conflicts)
    return click.style(f"{plural(len(found.conflicts), 'topic')}: {named}", fg="red")
