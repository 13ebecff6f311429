"""Machines that are not this one, and a client that is set up in a folder of the test."""

from collections.abc import Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest

from strata.clients import CLIENTS, Client, ClientHost, FileChange, Scope, Wish, plan_setup
from strata.clients.host import System

HOMES = {"linux": "/home/you", "darwin": "/Users/you", "win32": r"C:\Users\you"}
WORDS = ("/opt/strata/bin/strata-mcp", "--db", "/srv/메모/store.db")
LINE = "/opt/strata/bin/strata hook prompt"


def made_up_host(
    system: System,
    *,
    environment: Mapping[str, str] | None = None,
    files: tuple[str, ...] = (),
    programs: tuple[str, ...] = (),
    project: str | None = None,
) -> ClientHost:
    kind = PureWindowsPath if system == "win32" else PurePosixPath
    there = {kind(name) for name in files}
    return ClientHost(
        system=system,
        home=kind(HOMES[system]),
        environment=environment or {},
        project=None if project is None else kind(project),
        exists=there.__contains__,
        on_path=programs.__contains__,
    )


class Desk:
    """A project and a home in a folder of the test, where clients are set up for real."""

    def __init__(self, folder: Path) -> None:
        self.project = folder / "프로젝트"
        self.home = folder / "home"
        self.project.mkdir()
        self.home.mkdir()
        self.host = ClientHost(
            system="linux",
            home=self.home,
            environment={},
            project=self.project,
            exists=lambda path: Path(path).exists(),
            on_path=lambda _name: False,
        )

    def file(self, client: Client, scope: Scope | None = None) -> Path:
        return Path(client.files[scope or client.default_scope](self.host))

    def plan(
        self,
        client: Client | str,
        *,
        scope: Scope | None = None,
        name: str = "strata",
        words: tuple[str, ...] = WORDS,
        line: str | None = LINE,
    ) -> list[FileChange]:
        known = CLIENTS[client] if isinstance(client, str) else client
        return plan_setup(known, self.host, Wish(scope or known.default_scope, name, words, line))


@pytest.fixture
def editing(tmp_path: Path) -> Desk:
    return Desk(tmp_path)
