"""Events: appending and reading what happened."""

import click

import strata
from strata.cli.decorated import command, group
from strata.cli.output import answer, local_time
from strata.cli.session import Invocation, say
from strata.cli.show.secrets import masked_in, masked_lines
from strata.cli.show.tables import table
from strata.cli.show.text import inline, one_line, pretty
from strata.cli.values import read_value


@group(
    "event",
    takes="branch space at",
    examples="""
    strata event append deploy '{"env": "운영"}'
    strata event
    """,
)
def event(session: Invocation) -> None:
    """Append and read events.

    Events are numbered, chained by hash and never changed. Alone it lists the first ones.
    """
    _list(session, None, after=0, limit=100)


@command(
    "append",
    group=event,
    takes="branch space actor allow-secrets",
    examples="""
    strata event append deploy '{"env": "운영"}'
    strata event append incident "전원이 나갔다" --time "2h ago"
    echo '{"lines": 3}' | strata event append log -
    """,
)
@click.argument("type_", metavar="TYPE", help="What kind of thing happened.")
@click.argument("payload", required=False, help="JSON or text; - reads it from standard input.")
@click.option("--file", type=click.Path(exists=True, dir_okay=False), help="Read it here.")
@click.option("--time", metavar="WHEN", help="When it happened, if not now.")
def append(
    session: Invocation, *, type_: str, payload: str | None, file: str | None, time: str | None
) -> None:
    """Append an event.

    PAYLOAD is JSON if it can be read as JSON, otherwise text; `-` reads standard input.
    Without one the event has an empty object. --time takes what --at takes elsewhere.
    """
    is_bare = payload is None and file is None
    content = {} if is_bare else read_value(payload, file)
    session.rehearse(lambda db: db.events.append(type_, content, time=time))
    with session.writing(create=True) as db:
        found = db.events.append(type_, content, time=time)
        masked = masked_in(content, found.payload)
        lines = [f"event {found.sequence}, version {found.version}", *masked_lines(masked)]
        answer(session, found, lines, masked=masked)


@command(
    "list",
    group=event,
    takes="branch space at",
    examples="""
    strata event append deploy '{"env": "운영"}' && strata event append note "둘째"
    strata event list
    strata event list deploy --after 0 --limit 10
    """,
)
@click.argument("type_", metavar="[TYPE]", required=False, help="What kind of thing happened.")
@click.option("--after", type=click.IntRange(0), default=0, help="Begin behind this number.")
@click.option("-n", "--limit", type=click.IntRange(1, 10_000), default=100, show_default=True,
              help="How many at most.")  # fmt: skip
def list_events(session: Invocation, *, type_: str | None, after: int, limit: int) -> None:
    """List events, oldest first, of one type or all.

    Events that a merge brought stand where they were appended.
    """
    _list(session, type_, after=after, limit=limit)


@command(
    "get",
    group=event,
    takes="branch space at",
    examples="""
    strata event append deploy '{"env": "운영"}'
    strata event get 1
    """,
)
@click.argument("number", type=click.IntRange(1), help="Its number in the list.")
def get_event(session: Invocation, *, number: int) -> None:
    """Show one event's payload.

    With --json also its type, its time, its hash and, for a merged one, where it came from.
    """
    with session.reading() as db:
        found = db.events.get(number)
        if found is None:
            raise strata.NotFound(
                f"There is no event {number} in space {db.space_name!r} on branch {db.branch!r}.",
                hint="`strata event` lists them.",
            )
        text = found.payload if isinstance(found.payload, str) else pretty(found.payload)
        answer(session, found, [text])


def _list(session: Invocation, type_: str | None, *, after: int, limit: int) -> None:
    with session.reading() as db:
        found = db.events.list(type_, after=after, limit=limit)
        rows = [
            (str(one.sequence), _time(one), one_line(one.type),
             inline(one.payload) if one.state == "live" else f"({one.state})")
            for one in found
        ]  # fmt: skip
        headers = ("EVENT", "TIME", "TYPE", "PAYLOAD")
        lines = table(headers, rows, right=["EVENT"])
        none = "no events here; `strata event append` makes one"
        answer(session, {"events": found, "more": found.more}, lines, empty=none)
        if found.more and not session.json:
            say(f"there is more: --after {found.next} shows the next")


def _time(event: strata.Event) -> str:
    """Return when an event happened, and when it was written if that was later."""
    happened = local_time(event.timestamp)
    written = local_time(event.recorded_at)
    return happened if happened == written else f"{happened} (written {written})"
