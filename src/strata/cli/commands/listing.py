"""Looking over keys, and over what one key held."""

from collections.abc import Iterator

import click

import strata
from strata.cli import kinds
from strata.cli.completion import complete_keys
from strata.cli.decorated import command
from strata.cli.output import answer, local_time, plain
from strata.cli.session import Invocation, say
from strata.cli.show.tables import table
from strata.cli.show.text import inline, one_line

_Entry = tuple[str, str, strata.Version]  # key, kind, what it holds


@command(
    "list",
    takes="branch space at",
    examples="""
    strata put user/하나 '{"age": 30}' --tag people && strata put user/둘 '{"age": 25}'
    strata list
    strata list user/ --keys
    strata list --tag people --json
    """,
)
@click.argument("prefix", default="", shell_complete=complete_keys, help="How the keys begin.")
@click.option("--keys", "only_keys", is_flag=True, help="Print the bare keys, one on each line.")
@click.option("--tag", "tags", multiple=True, help="Only values with this tag; may be repeated.")
@click.option("--kind", type=click.Choice(kinds.KINDS), help="Only keys of this kind.")
@click.option("-n", "--limit", type=click.IntRange(1, 9_999), default=100, show_default=True,
              help="How many keys at most.")  # fmt: skip
@click.option("--after", help="Begin behind this key.")
@click.option("--all", "everything", is_flag=True, help="Every key, however many.")
def list_keys(
    session: Invocation, *, prefix: str, only_keys: bool, tags: tuple[str, ...], kind: str | None,
    limit: int, after: str | None, everything: bool,
) -> None:  # fmt: skip
    """List keys and what they hold.

    Keys stand in order; PREFIX narrows them down. Values are cut to fit the terminal.
    """
    chosen = (kind,) if kind is not None else ("kv",) if tags else kinds.KINDS
    with session.reading() as db:
        found = [
            entry
            for name in chosen
            for entry in _entries(
                db, name, prefix, tags=tags, limit=None if everything else limit, after=after
            )
        ]
        found.sort()
        page = found if everything else found[:limit]
        if session.json:
            items = [plain(version) | {"key": key, "kind": name} for key, name, version in page]
            answer(session, {"items": items, "more": len(found) > len(page)})
            return
        where = f"in space {db.space_name} on branch {db.branch}"
        none = f"no keys {where}; `strata put` makes one"
        if prefix or tags or kind:
            none = f"no keys {where} match; `strata list` shows all"
        if prefix and not (tags or kind):
            none = f"no keys {where} begin with {one_line(prefix)}; `strata list` shows all"
        answer(session, None, _lines(page, only_keys=only_keys), empty=none)
        if len(found) > len(page):
            say(f"there is more: --after {page[-1][0]!r} shows the next, --all everything")


def _entries(
    db: strata.Workspace, kind: str, prefix: str, *,
    tags: tuple[str, ...], limit: int | None, after: str | None,
) -> Iterator[_Entry]:  # fmt: skip
    """Yield the keys of one kind, one more than the limit so that "more" can be told."""
    room = {"kv": db.kv, "json": db.json, "state": db.state}[kind]
    if tags:
        keys = room.list(prefix, limit=(limit or 9_999) + 1, after=after, tags=tags)
        values = ((key, db.kv.get(key)) for key in keys)
        yield from ((key, kind, found) for key, found in values if found is not None)
    elif limit is None:
        yield from ((key, kind, found) for key, found in room.scan(prefix))
    else:
        items = room.items(prefix, limit=limit + 1, after=after)
        yield from ((key, kind, found) for key, found in items)


def _lines(page: list[_Entry], *, only_keys: bool) -> list[str]:
    if only_keys:
        return [one_line(key) for key, _kind, _found in page]
    rows = [
        (one_line(key), kind, inline(found.value), ", ".join(found.tags),
         str(found.version), local_time(found.timestamp))
        for key, kind, found in page
    ]  # fmt: skip
    headers = ("KEY", "KIND", "VALUE", "TAGS", "VERSION", "WRITTEN")
    # A column that says the same, or nothing, in every row is left out.
    shown = [
        at
        for at, header in enumerate(headers)
        if not (header == "KIND" and all(row[at] == "kv" for row in rows))
        and not (header == "TAGS" and not any(row[at] for row in rows))
    ]
    return table(
        [headers[at] for at in shown], [[row[at] for at in shown] for row in rows],
        right=["VERSION"],
    )  # fmt: skip


@command(
    "history",
    takes="branch space at",
    examples="""
    strata put greeting 안녕 && strata put greeting 안녕하세요
    strata history greeting
    """,
)
@click.argument("key", shell_complete=complete_keys, help="The name of the value.")
@click.option("--kind", type=click.Choice(kinds.KINDS), help="Only this kind; otherwise any.")
@click.option("-n", "--limit", type=click.IntRange(1, 10_000), help="How many at most.")
def history(session: Invocation, *, key: str, kind: str | None, limit: int | None) -> None:
    """Show what a key held, newest first.

    Deletions are shown too, and values that retention trimmed or that were erased. Read an old
    value with `strata get KEY --at VERSION`.
    """
    with session.reading() as db:
        rooms = {"kv": db.kv, "json": db.json, "state": db.state}
        chosen = (kind,) if kind is not None else kinds.KINDS
        found = {name: rooms[name].history(key, limit=limit) for name in chosen}
        name = next((name for name in chosen if found[name]), None)
        if name is None:
            raise strata.NotFound(
                f"The key {key!r} never held anything in space {db.space_name!r} on branch "
                f"{db.branch!r}.",
                hint="`strata list` shows the keys.",
            )
        rows = [
            (str(one.version), local_time(one.timestamp),
             inline(one.value) if one.state == "live" else f"({one.state})")
            for one in found[name]
        ]  # fmt: skip
        lines = table(("VERSION", "WRITTEN", "VALUE"), rows, right=["VERSION"])
        answer(session, {"versions": found[name]}, lines, key=key, kind=name)
