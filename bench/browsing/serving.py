"""What the browser of the benchmark visits: the store's server, and a page of one word."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from living.server import Server


class PageServer(Server):
    """A server that makes no vectors: those of 100,000 facts would fill both cores for minutes.

    The documents and decisions of the store have theirs.
    """

    def __init__(self, path: Path) -> None:
        options = ["--port", "0", "--json", "--no-auto-embed", "--db", str(path)]
        command = [sys.executable, "-m", "strata", "serve", *options]
        self.process = subprocess.Popen(command, cwd=path.parent, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        lines = iter(self.process.stdout.readline, "}\n")
        self.url = json.loads("".join(lines) + "}")["url"]


@contextmanager
def one_word() -> Iterator[str]:
    """Serve a page of one word without styles and scripts, and give its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _OneWord)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _OneWord(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = b"<!doctype html><title>One</title><p>Strata</p>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the benchmark prints figures only."""
