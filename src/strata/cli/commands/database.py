"""Databases in PostgreSQL: their tables, settings and roles, and the workspaces in them."""

from collections.abc import Iterator
from typing import Annotated

import strata
from strata.cli.command import Output, Spelling, group
from strata.cli.output import confirm, local_time, size
from strata.cli.session import Invocation
from strata.cli.show.text import facts, one_line, table
from strata.cli.words import Yes
from strata.sql import (
    DatabaseSetting,
    DatabaseSetup,
    create_workspace,
    database_status,
    delete_workspace,
    is_address,
    list_workspaces,
    parse_address,
    prepare_database,
)

WorkspaceName = Annotated[str, "Its name; any language.", Spelling("NAME")]

db = group(
    "db",
    """Prepare a PostgreSQL database for stores, and look after it.

    The database is named by --db or STRATA_DB: postgresql://USER@HOST/DATABASE. Passwords are best
    kept in ~/.pgpass or PGPASSWORD. Alone it shows the database's state.

        strata db init --db postgresql://strata@localhost/strata
        strata db status --db postgresql://strata@localhost/strata
    """,
    alone="status",
)


@db.command_of("init")
def init(
    session: Invocation,
    *,
    role: Annotated[
        str | None, "Let this role of the server use the tables.", Spelling("NAME")
    ] = None,
    distributed: Annotated[
        bool, "Spread the workspaces over the nodes of a Citus cluster."
    ] = False,
) -> Output:
    """Make Strata's tables in a database, and the workspace of the address.

    They are in the schema strata; other tables are left alone. Tables that are there already are
    brought up to date. An address without ?workspace=NAME means the workspace called default,
    which is made if the database has no other one. Settings that Strata's plans need become the
    database's own, where the address's role may set them. --role lets a role with fewer rights read
    and write, for servers; it can neither change tables nor make or delete workspaces.

    --distributed divides the tables of a database with the extension citus, so that each workspace
    is on one of its nodes. Do so while no server uses them, and again after an upgrade.

        strata db init --db postgresql://strata@localhost/strata
    """
    address = address_of(session)
    done = prepare_database(address, role=role, distributed=distributed, makes_workspace=True)
    return Output(done, _prepared(done))


@db.command_of("upgrade")
def upgrade(session: Invocation) -> Output:
    """Bring the tables of a database up to this program's format.

    All workspaces share the tables. Programs of an older version refuse the new format, so stop
    them before, and start new ones after. Roles that were given rights need them for new tables
    too: `strata db init --role NAME` again.

        strata db upgrade --db postgresql://strata@localhost/strata
    """
    address = address_of(session)
    done = prepare_database(address)
    return Output(done, _prepared(done))


def _prepared(done: DatabaseSetup) -> Iterator[str]:
    if done.format_before == done.format:
        yield f"{done.address} has the tables of format {done.format} already"
    elif done.format_before == 0:
        yield f"made the tables of format {done.format} in {done.address}"
    else:
        yield f"{done.address} was brought from format {done.format_before} to {done.format}"
    if done.workspace is not None:
        yield f"made the workspace {one_line(done.workspace)}"
    if done.role is not None:
        yield f"the role {one_line(done.role)} may read and write them"
    if done.is_distributed:
        yield "the workspaces are spread over the nodes of the cluster"
    if done.differing:
        yield "some settings could not be made the database's own; its owner may set them:"
        yield from _settings(done.differing)


def _settings(differing: tuple[DatabaseSetting, ...]) -> list[str]:
    rows = [(one.name, one.found, one.wanted) for one in differing]
    return table(("SETTING", "NOW", "WANTED"), rows)


@db.command_of("status")
def status(session: Invocation) -> Output:
    """Show a database at a glance.

    The server's version, the format of the tables, the workspaces, the room that all of them take,
    connections, and settings that differ from what plans need. Strata's own connections set
    these for themselves.

        strata db status --db postgresql://strata@localhost/strata
    """
    address = address_of(session)
    found = database_status(address)
    known = found.known_format
    note = "" if found.format == known else f"; this Strata reads {known}: `strata db upgrade`"
    spread = ", spread over the nodes of a cluster" if found.is_distributed else ""
    lines = facts(
        [
            ("database", found.address),
            ("server", f"PostgreSQL {found.server_version}"),
            ("format", f"{found.format}{note}" if found.format else "no tables: `strata db init`"),
            ("workspaces", f"{len(found.workspaces):,}{spread}"),
            ("size", size(found.size_bytes)),
            ("connections", f"{found.connections} of {found.connections_max}"),
        ]
    )
    return Output(found, [*lines, *_settings(found.differing)])


workspace = group(
    "workspace",
    """Make, list and delete the workspaces of a PostgreSQL database.

    Each is a store of its own: with its users, documents, branches and settings. An address names
    one by ?workspace=NAME; without it, it is the one called default. Alone it lists them.

        strata workspace create 연구 --db postgresql://strata@localhost/strata
        strata workspace list --db postgresql://strata@localhost/strata
    """,
    alone="list",
)


@workspace.command_of("list")
def list_all(session: Invocation) -> Output:
    """List the workspaces of a database.

    By name, with the time when each was made.

        strata workspace list --db postgresql://strata@localhost/strata
    """
    address = address_of(session)
    found = list_workspaces(address)
    rows = [(one_line(one.name), local_time(one.created)) for one in found]
    return Output({"workspaces": found}, table(("WORKSPACE", "MADE"), rows), empty="none yet")


@workspace.command_of("create")
def create(session: Invocation, name: WorkspaceName) -> Output:
    """Make an empty workspace.

    It is opened by the database's address with ?workspace=NAME at its end.

        strata workspace create 연구 --db postgresql://strata@localhost/strata
    """
    address = address_of(session)
    made = create_workspace(address, name)
    shown = parse_address(address)._replace(workspace=made.name).display
    return Output({"workspace": made, "address": shown}, f"made {shown}")


@workspace.command_of("delete")
def delete(session: Invocation, name: WorkspaceName, *, yes: Yes = False) -> Output:
    """Delete a workspace with everything in it.

    Its documents, its whole past and its users are gone, but for backups of the database.
    `strata copy` makes a copy in a file before.

        strata workspace create 연구 --db postgresql://strata@localhost/strata
        strata workspace delete 연구 --yes --db postgresql://strata@localhost/strata
    """
    address = address_of(session)
    if any(one.name == name for one in list_workspaces(address)):
        confirm(f"Delete the workspace {one_line(name)} and everything in it?", yes=yes)
    delete_workspace(address, name)
    return Output({"deleted": name}, f"deleted the workspace {one_line(name)}")


def address_of(session: Invocation) -> str:
    """Return the address that was named; refuse a file."""
    location = session.location
    if not is_address(location.place):
        raise strata.InvalidArgument(
            f"This needs a PostgreSQL database, and the store is {location.display}.",
            hint="Name one with --db postgresql://USER@HOST/DATABASE, or in STRATA_DB.",
            parameter="db",
        )
    return location.place
