"""What a user copies into a client, so that it uses this server or starts its own."""

import shlex

from strata.tools.page.group import PageAnswer, page
from strata.tools.session import Call

# What the page puts the address of the server and a token in place of.
_ADDRESS = "ADDRESS_OF_SERVER"
_TOKEN = "TOKEN_OF_CLIENT"  # noqa: S105  (the place of one)
_NAME = "strata"


class ClientLine(PageAnswer, frozen=True):
    """A client: its file, and what goes into it.

    ADDRESS_OF_SERVER and TOKEN_OF_CLIENT stand for the address of the server and a token.
    """

    name: str
    title: str
    file: str
    remote: str
    # A line for a shell that does the same as `remote`, where the client has such a command.
    command: str | None
    # For the store on the server's machine itself; the owner alone is shown where that is.
    local: str | None
    local_command: str | None


class ClientList(PageAnswer, frozen=True):
    """The clients that `strata setup` knows."""

    clients: list[ClientLine]


@page.reads(example={})
def clients(call: Call) -> ClientList:
    """List the clients that can be set up, each with the text to copy."""
    from strata.clients import (  # noqa: PLC0415  (seldom needed)
        CLIENTS,
        command_line,
        local_text,
        remote_command,
        remote_text,
        server_words,
        this_host,
        this_program,
    )

    host, program = this_host(), this_program()
    here = call.anywhere
    path = here.info().path if here.rights.user.is_owner else None
    lines: list[ClientLine] = []
    for one in CLIENTS.values():
        words = server_words(program, db=path, groups=None, read_only=False)
        setup = f"{command_line(program)} setup {one.name} --scope user"
        lines.append(
            ClientLine(
                name=one.name,
                title=one.title,
                file=str(one.files["user"](host)).replace(str(host.home), "~", 1),
                remote=remote_text(one, _NAME, address=_ADDRESS, token=_TOKEN),
                command=remote_command(one, _NAME, address=_ADDRESS, token=_TOKEN),
                local=None if path is None else local_text(one, _NAME, words),
                local_command=None if path is None else f"{setup} --db {shlex.quote(path)}",
            )
        )
    return ClientList(clients=lines)
