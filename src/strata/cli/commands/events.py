"""Events: appending and reading what happened."""

from typing import Annotated

import msgspec

import strata
from strata.cli.command import Output, Spelling, group, more_notes
from strata.cli.commands.values import masked_in, masked_lines, read_value
from strata.cli.output import local_time
from strata.cli.show.text import inline, pretty, table
from strata.cli.words import Contents, Limit
from strata.workspace import Workspace, first_moment

event = group(
    "event",
    """Append and read events.

    Events are numbered, chained by hash and never changed. Alone it lists the first ones.

        strata event append deploy '{"env": "운영"}'
        strata event
    """,
    takes="branch space at",
    alone="list",
)


@event.writes("append", takes="branch space actor allow-secrets", creates=True)
def append(
    db: Workspace,
    type_: Annotated[str, "What kind of thing happened.", Spelling("TYPE")],
    payload: Annotated[str | None, "JSON or text; - reads it from standard input."] = None,
    *,
    file: Contents = None,
    time: Annotated[str | None, "When it happened, if not now.", Spelling("WHEN")] = None,
) -> Output:
    """Append an event.

    PAYLOAD is JSON if it can be read as JSON, otherwise text; `-` reads standard input.
    Without one the event has an empty object. --time takes what --at takes elsewhere.

        strata event append deploy '{"env": "운영"}'
        strata event append incident "전원이 나갔다" --time "2h ago"
        echo '{"lines": 3}' | strata event append log -
    """
    content = {} if payload is None and file is None else read_value(payload, file)
    found = db.events.append(type_, content, time=time)
    masked = masked_in(content, found.payload)
    lines = [f"event {found.sequence}, version {found.version}", *masked_lines(masked)]
    return Output(found, lines, masked=masked)


@event.reads("list")
def list_events(
    db: Workspace,
    type_: Annotated[str | None, "What kind of thing happened.", Spelling("[TYPE]")] = None,
    *,
    after: Annotated[int, "Begin behind this number.", msgspec.Meta(ge=0)] = 0,
    since: Annotated[str | None, "Only what happened since then.", Spelling("TIME")] = None,
    until: Annotated[str | None, "Only what happened until then.", Spelling("TIME")] = None,
    limit: Limit = 100,
) -> Output:
    """List events, oldest first, of one type or all.

    Events that a merge brought are where they were appended. --since and --until go by when
    something happened, whenever it was written.

        strata event append deploy '{"env": "운영"}' && strata event append note "둘째"
        strata event list
        strata event list deploy --after 0 --limit 10
        strata event list --since yesterday
    """
    first = None if since is None else first_moment(since)
    found = db.events.list(type_, after=after, limit=limit, since=first, until=until)
    rows = [
        (
            one.sequence,
            _time(one),
            one.type,
            inline(one.payload) if one.state == "live" else f"({one.state})",
        )
        for one in found
    ]
    return Output(
        {"events": found, "more": found.more},
        table(("EVENT", "TIME", "TYPE", "PAYLOAD"), rows, right=["EVENT"]),
        empty="no events here; `strata event append` makes one",
        notes=more_notes(found, "--after"),
    )


def _time(event: strata.Event) -> str:
    """Return when an event happened, and when it was written if that was later."""
    happened = local_time(event.timestamp)
    written = local_time(event.recorded_at)
    return happened if happened == written else f"{happened} (written {written})"


@event.reads("get")
def get_event(
    db: Workspace, number: Annotated[int, "Its number in the list.", msgspec.Meta(ge=1)]
) -> Output:
    """Show one event's payload.

    With --json also its type, its time, its hash and, for a merged one, where it came from.

        strata event append deploy '{"env": "운영"}'
        strata event get 1
    """
    found = db.events.get(number)
    if found is None:
        raise strata.NotFound(
            f"There is no event {number} in space {db.space_name!r} on branch {db.branch!r}.",
            hint="`strata event` lists them.",
        )
    text = found.payload if isinstance(found.payload, str) else pretty(found.payload)
    return Output(found, text)
