"""The group `strata decisions`, and finding the memory that somebody means."""

import strata
from strata.cli.commands.decisions.pages import show_newest
from strata.cli.decorated import group
from strata.cli.session import Invocation
from strata.decisions import Memory


@group(
    "decisions",
    takes="branch at",
    examples="""
    strata decisions save auth "Use sessions" --because "Simple to revoke"
    strata decisions save auth "토큰을 쓴다" --because "모바일 앱이 생겼다"
    strata decisions outcome auth failed --reason "A token leaked"
    strata decisions graph auth
    strata decisions
    """,
)
def decisions(session: Invocation) -> None:
    """Keep decisions, their reasons, and what came of them.

    Alone it lists the newest memories: decisions, checkpoints and insights. A decision on a
    topic replaces the one before it, which stays readable; `graph` draws how a topic evolved.
    """
    show_newest(session)


def the_memory(db: strata.Workspace, word: str) -> Memory:
    """Return the memory that an id means, or a topic by its present decision."""
    found = db.decisions.get(word)
    if found is not None:
        return found
    heads = db.decisions.heads(word)
    if len(heads) > 1:
        ids = [head.id for head in heads]
        raise strata.Conflict(
            f"{word!r} has {len(heads)} current decisions.",
            hint=f"Name one of them: {', '.join(ids)}.", ids=ids,
        )  # fmt: skip
    if not heads:
        raise unknown(db, word)
    return heads[0]


def unknown(db: strata.Workspace, word: str) -> strata.NotFound:
    """Return the error that nothing goes by a name, with what may have been meant."""
    near = db.decisions.on_topic(word).near_topics
    hint = "`strata decisions list` shows what there is."
    if near:
        hint = f"There is {', '.join(map(repr, near))}; `strata decisions search` finds more."
    message = f"There is no memory and no topic {word!r} on branch {db.branch!r}."
    return strata.NotFound(message, hint=hint, topics=list(near))
