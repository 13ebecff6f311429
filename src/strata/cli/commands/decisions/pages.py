"""Pages of memories, as several commands print them."""

import strata
from strata.cli.output import answer
from strata.cli.session import Invocation
from strata.cli.show.memories import described, listed
from strata.decisions import Memory, Type
from strata.workspace import first_moment

SHOWN = 20
NOTHING = "no memories here; `strata decisions save` makes one"


def show_newest(
    session: Invocation,
    *,
    limit: int = SHOWN,
    types: tuple[Type, ...] = (),
    topic: str | None = None,
    since: str | None = None,
) -> None:
    """Print memories, newest first, with marks of what still holds."""
    with session.reading() as db:
        since_ms = 0 if since is None else db.time_of(first_moment(since)) // 1000
        found = db.decisions.recent(limit=limit, types=types, since_ms=since_ms, topic=topic)
        page(session, db, found)


def page(session: Invocation, db: strata.Workspace, found: list[Memory]) -> None:
    """Print memories that were found."""
    replaced = {memory.id: db.decisions.superseded_by(memory.id) for memory in found}
    lines = [line for one in found for line in listed(one, replaced=replaced[one.id])]
    documents = [described(one, replaced=replaced[one.id]) for one in found]
    answer(session, {"memories": documents}, lines, empty=NOTHING, branch=db.branch)
