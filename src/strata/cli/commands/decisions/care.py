"""Care of links: making those that follow from meaning, and pruning those that have faded."""

import click

from strata.cli.commands.decisions.group import decisions
from strata.cli.commands.decisions.reading import now_ms
from strata.cli.decorated import command
from strata.cli.output import answer, plural
from strata.cli.session import Invocation, say
from strata.cli.show.memories import described_link
from strata.cli.show.progress import progress
from strata.cli.show.tables import table
from strata.cli.show.text import one_line
from strata.decisions import RULES, Link, Rule


@command(
    "prune",
    group=decisions,
    takes="branch",
    examples="""
    strata decisions save auth "Use sessions" --because "Simple to revoke"
    strata decisions prune --preview
    strata decisions prune
    """,
)
@click.option("--preview", is_flag=True, help="Show what would be removed, remove nothing.")
def prune(session: Invocation, *, preview: bool) -> None:
    """Remove automatic links that have faded.

    Links that a person or a model named stay, whatever their age. A server does this once a week;
    `strata undo --actor system` brings back what it removed last.
    """
    if preview:
        with session.reading() as db:
            found = db.decisions.prune(preview=True).links
    else:
        with session.writing() as db, progress("prune"):
            found = db.decisions.prune().links
    _pruned(session, found, done="would be removed" if preview else "removed")


def _pruned(session: Invocation, found: tuple[Link, ...], *, done: str) -> None:
    moment = now_ms(session)
    rows = [
        (one.id, one.link_type, one_line(one.relationship), f"{one.faded(moment):.2f}",
         one.from_id, one.to_id)
        for one in found
    ]  # fmt: skip
    lines = table(("LINK", "TYPE", "WORD", "NOW", "FROM", "TO"), rows, right=["NOW"])
    documents = [described_link(one, now_ms=moment) for one in found]
    answer(session, {"links": documents}, lines, count=len(found))
    if not session.json:
        say(f"{plural(len(found), 'link')} {done}")


@command(
    "relink",
    group=decisions,
    takes="branch",
    examples="""
    strata decisions save cache "Cache prices" --because "Speed"
    strata decisions save latency "Answer within 100 ms" --because "Speed"
    strata embeddings wait
    strata decisions relink
    """,
)
@click.option("--linking", "rule", type=click.Choice(RULES), help="Another rule than is set.")
def relink(session: Invocation, *, rule: Rule | None) -> None:
    """Link memories by meaning now, as far as their vectors are made.

    Servers do it in the background. What looks alike without being certain becomes a suggestion:
    `strata decisions link suggestions` lists them.
    """
    with session.writing() as db, progress("relink") as report:
        found = db.decisions.relink(rule=rule, progress=report)
    made = f"{plural(found.links, 'link')} and {plural(found.suggestions, 'suggestion')} made"
    answer(session, found, [f"{found.memories:,} memories looked at, {made}"])
    if found.waiting and not session.json:
        say(f"{found.waiting:,} wait for their vectors: `strata embeddings wait`")
