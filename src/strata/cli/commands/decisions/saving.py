"""Saving decisions, checkpoints and insights, and telling what became of them."""

from collections.abc import Callable

import click

import strata
from strata.cli.commands.decisions.group import decisions, the_memory
from strata.cli.completion import complete_ids, complete_memories, complete_topics
from strata.cli.decorated import command
from strata.cli.output import answer
from strata.cli.session import Invocation
from strata.cli.show.memories import OUTCOMES, described, fitted
from strata.cli.show.text import one_line
from strata.decisions import Memory, Saved, WantedLink

_CONFIDENCE = click.option("--confidence", type=click.FloatRange(0, 1), default=0.7,
                           show_default=True, help="How sure you are, 0 to 1.")  # fmt: skip
_LINKS = click.option("--link", "links", metavar="WORD:ID", multiple=True,
                      help="Tie it to a memory by a word; may be repeated.")  # fmt: skip
_BECAUSE = click.option("--because", metavar="REASON", required=True, help="Why.")


@command(
    "save",
    group=decisions,
    takes="branch actor allow-secrets",
    examples="""
    strata decisions save auth "Use sessions" --because "Simple to revoke"
    strata decisions save auth "토큰을 쓴다" --because "모바일 앱이 생겼다" --confidence 0.9
    strata decisions save cache "Cache prices" --because "Speed" --supersedes none
    """,
)
@click.argument("topic", shell_complete=complete_topics, help="What it is about.")
@click.argument("decision", help="What was decided.")
@_BECAUSE
@_CONFIDENCE
@click.option("--supersedes", metavar="ID", shell_complete=complete_ids,
              help="Replace this one; none replaces nothing.")  # fmt: skip
@click.option("--implements", metavar="ID", shell_complete=complete_ids,
              help="The decision that this one carries out.")  # fmt: skip
@_LINKS
def save(
    session: Invocation, *, topic: str, decision: str, because: str, confidence: float,
    supersedes: str | None, implements: str | None, links: tuple[str, ...],
) -> None:  # fmt: skip
    """Save a decision and why it was made.

    It replaces the present decision on the same topic, which stays readable. The words of
    --link are yours: motivated_by, contradicts, 참고.
    """
    wanted = wanted_links(links)

    def work(db: strata.Workspace) -> Saved:
        return db.decisions.save(
            topic, decision, because, confidence=confidence, supersedes=supersedes,
            implements=implements, links=wanted,
        )  # fmt: skip

    _keep(session, work)


@command(
    "checkpoint",
    group=decisions,
    takes="branch actor allow-secrets",
    examples="""
    strata decisions checkpoint "검색을 마쳤다" --next "Write the tests" --file src/search.py
    strata decisions resume
    """,
)
@click.argument("summary", help="What was done, and how things stand.")
@click.option("--next", "next_steps", default="", help="What to do next.")
@click.option("--file", "files", metavar="PATH", multiple=True,
              help="A file that was being worked on; may be repeated.")  # fmt: skip
@click.option("--archived", is_flag=True, help="Only for the record: not to be resumed.")
def checkpoint(
    session: Invocation, *, summary: str, next_steps: str, files: tuple[str, ...], archived: bool
) -> None:
    """Save where the work stands, to go on another day.

    `strata decisions resume` shows the newest one and what changed since.
    """
    status = "archived" if archived else "active"

    def work(db: strata.Workspace) -> Saved:
        return db.decisions.checkpoint(
            summary, open_files=files, next_steps=next_steps, status=status
        )

    _keep(session, work)


@command(
    "insight",
    group=decisions,
    takes="branch actor allow-secrets",
    examples="""
    strata decisions insight "캐시는 느린 질의를 숨긴다" --tag perf --topic cache
    strata decisions list --type insight
    """,
)
@click.argument("insight", help="What was learned.")
@click.option("--category", help="Such as performance or process.")
@click.option("--tag", "tags", multiple=True, help="A tag; may be repeated.")
@click.option("--source", help="Where it comes from.")
@click.option("--topic", shell_complete=complete_topics, help="What it is about.")
@_LINKS
def insight(
    session: Invocation, *, insight: str, category: str | None, tags: tuple[str, ...],
    source: str | None, topic: str | None, links: tuple[str, ...],
) -> None:  # fmt: skip
    """Save a lesson learned.

    Searches find it by its words and by what it is linked to.
    """
    wanted = wanted_links(links)

    def work(db: strata.Workspace) -> Saved:
        return db.decisions.insight(
            insight, category=category, tags=tags, source=source, topic=topic, links=wanted
        )

    _keep(session, work)


@command(
    "supersede",
    group=decisions,
    takes="branch actor allow-secrets",
    examples="""
    strata decisions save cache "Cache for an hour" --because "Speed"
    strata decisions supersede cache "Cache for a minute" --because "Prices move"
    """,
)
@click.argument("name", metavar="ID|TOPIC", shell_complete=complete_memories,
                help="The decision to replace.")  # fmt: skip
@click.argument("decision", help="What holds from now on.")
@_BECAUSE
@_CONFIDENCE
def supersede(
    session: Invocation, *, name: str, decision: str, because: str, confidence: float
) -> None:
    """Replace a decision by another one.

    For a topic, `save` does the same; this one also takes an id, and refuses what is not there.
    """
    with session.writing() as db:
        old = the_memory(db, name)
        saved = db.decisions.supersede(decision, because, id=old.id, confidence=confidence)
        _told(session, db, saved)


@command(
    "outcome",
    group=decisions,
    takes="branch actor allow-secrets",
    examples="""
    strata decisions save cache "Cache for an hour" --because "Speed"
    strata decisions outcome cache failed --reason "가격이 틀렸다"
    strata decisions show cache
    """,
)
@click.argument("name", metavar="ID|TOPIC", shell_complete=complete_memories,
                help="The decision.")  # fmt: skip
@click.argument("outcome", metavar="success|failed|partial", help="How it turned out.")
@click.option("--reason", help="Why; a failure needs one.")
@click.option("--limitation", help="Where it does not hold.")
def outcome(
    session: Invocation, *, name: str, outcome: str, reason: str | None, limitation: str | None
) -> None:
    """Tell how a decision turned out.

    The reason is kept as an insight beside it, so that searches find it.
    """
    with session.writing() as db:
        decision = the_memory(db, name)
        found = db.decisions.outcome(outcome, id=decision.id, reason=reason, limitation=limitation)
        told = OUTCOMES[found.memory.outcome or ""]
        replaced = db.decisions.superseded_by(found.memory.id)
        answer(
            session, described(found.memory, replaced=replaced),
            [f"{found.memory.id} {told}", f"kept the reason as {found.insight.id}"],
            insight=described(found.insight), branch=db.branch,
        )  # fmt: skip


def wanted_links(words: tuple[str, ...]) -> list[WantedLink]:
    """Read links as they are typed: a word, a colon, an id."""
    found: list[WantedLink] = []
    for text in words:
        word, colon, id_ = text.rpartition(":")
        if not (colon and word.strip() and id_.strip()):
            raise strata.InvalidArgument(
                f"{text!r} is no link.", hint="Write WORD:ID, such as motivated_by:insight_…",
                parameter="link",
            )  # fmt: skip
        found.append(WantedLink(id_.strip(), word.strip()))
    return found


def _keep(session: Invocation, work: Callable[[strata.Workspace], Saved]) -> None:
    """Save something, making the store if it is the first thing."""
    session.rehearse(work)
    with session.writing(create=True) as db:
        _told(session, db, work(db))


def _told(session: Invocation, db: strata.Workspace, saved: Saved) -> None:
    """Say what was saved, what it replaced, and what is like it."""
    memory = saved.memory
    similar = [one.memory for one in db.decisions.similar(memory.id)]
    answer(
        session, described(memory), _saved_lines(saved, similar),
        superseded=list(saved.superseded), links=[link.id for link in saved.links],
        similar=[described(one) for one in similar], branch=db.branch,
    )  # fmt: skip


def _saved_lines(saved: Saved, similar: list[Memory]) -> list[str]:
    lines = [f"saved {click.style(saved.memory.id, fg='yellow')}"]
    lines += [f"  replaces {old}" for old in saved.superseded]
    for one in similar:
        about = f" ({one_line(one.topic)})" if one.topic else ""
        lines.append(f"  similar: {one.id}{about} {fitted(one.content, 50)}")
    return lines
