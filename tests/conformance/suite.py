"""Runs the official conformance suite against both our servers, on both revisions.

`python -m tests.conformance.suite [http|stdio] [2026-07-28|2025-11-25]` runs all of it, or a part.
"""

import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.conformance.shim import Shim
from tests.node.packages import environment, npm_bin

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
BASELINES = {
    "http": [HERE / "baseline.yml", HERE / "baseline-http.yml"],
    "stdio": [HERE / "baseline.yml", HERE / "baseline-stdio.yml"],
}
REVISIONS = ("2026-07-28", "2025-11-25")
SERVERS = ("http", "stdio")
SECONDS = 120
PROGRAM = [sys.executable, "-m", "tests.conformance.server"]


@contextmanager
def served(kind: str, folder: Path) -> Iterator[str]:
    """Serve the fixtures, and give the address."""
    store = ["--db", str(folder / f"{kind}.db"), "--no-auto-embed"]
    with (over_http if kind == "http" else over_stdio)(store) as url:
        yield url


@contextmanager
def over_http(store: list[str]) -> Iterator[str]:
    command = [*PROGRAM, "serve", "--no-auth", "--port", "0", "--groups", "memory", *store]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found is not None, "the server did not start"
            yield found.group()
        finally:
            server.terminate()
            server.wait(timeout=20)


@contextmanager
def over_stdio(store: list[str]) -> Iterator[str]:
    shim = Shim([*PROGRAM, "mcp", *store])
    threading.Thread(target=shim.serve_forever, daemon=True).start()
    try:
        yield shim.url
    finally:
        shim.close()


def judge(kind: str, url: str, *options: str) -> "subprocess.CompletedProcess[str]":
    """Run scenarios; the exit code says whether nothing fails but what the baseline names."""
    with tempfile.TemporaryDirectory() as folder:
        baseline = Path(folder, "baseline.yml")
        baseline.write_text(baseline_of(kind), encoding="utf-8")
        return subprocess.run(
            [
                *npm_bin("conformance", "conformance"),
                "server",
                "--url",
                url,
                *options,
                "--expected-failures",
                str(baseline),
            ],
            cwd=ROOT,
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS,
        )


def baseline_of(kind: str) -> str:
    """Return what may fail on a server, with the reasons."""
    return "\n".join(path.read_text(encoding="utf-8") for path in BASELINES[kind])


def main(words: list[str]) -> int:
    """Run the parts that were asked for, and tell how they went."""
    servers = [name for name in SERVERS if name in words] or SERVERS
    revisions = [name for name in REVISIONS if name in words] or REVISIONS
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for kind in servers:
            with served(kind, Path(folder)) as url:
                for revision in revisions:
                    started = time.monotonic()
                    done = judge(kind, url, "--requirements", revision)
                    failed += done.returncode != 0
                    print(done.stdout[done.stdout.find("=== SUMMARY ===") :])
                    took = time.monotonic() - started
                    result = "FAILED" if done.returncode else "as expected"
                    print(f"{kind} {revision}: {result} after {took:.1f} s\n", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
