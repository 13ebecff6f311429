"""How soon does the MCP server answer, what does a call cost, and what does it take of memory?

Each figure is one line: `figure NAME VALUE BOUND ok|short`. Exits with 1 if any figure is short.
"""

import gc
import runpy
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from measure.arguments import parser
from measure.figures import Report
from serving.client import Client
from serving.hook import measure_hook

import strata
from strata.mcp.core import Core, Message
from strata.mcp.encode import tool_entries
from strata.tools import Session, StoreHost, expose

ROOT = Path(__file__).parent.parent
PYTHON = sys.executable


class Run(msgspec.Struct, frozen=True):
    """Where figures go, where stores are made, and how often things are done."""

    report: Report
    folder: Path
    rounds: int
    calls: int


def servers(run: Run) -> dict[str, tuple[list[str], dict[str, str]]]:
    """Return the servers to compare, each as a command and variables."""
    store = str(run.folder / "cold.db")
    node = runpy.run_path(str(ROOT / "tests" / "node" / "packages.py"))["npm_bin"]
    peer = {"MEMORY_FILE_PATH": str(run.folder / "memory.json")}
    return {
        "strata": ([PYTHON, "-m", "strata", "mcp", "--db", store], {}),
        "SDK, one tool": ([PYTHON, str(ROOT / "bench" / "serving" / "sdk_server.py")], {}),
        "server-memory": ([str(part) for part in node("memory", "mcp-server-memory")], peer),
    }


def measure_cold(run: Run) -> None:
    """Time the first reply and the list of tools after it, everybody in turns."""
    found = servers(run)
    first: dict[str, list[float]] = {name: [] for name in found}
    listed: dict[str, list[float]] = {name: [] for name in found}
    memory: dict[str, float] = {}
    used: dict[str, list[float]] = {name: [] for name in found}
    for number in range(run.rounds + 1):
        for name, (command, variables) in found.items():
            client = Client(command, run.folder, **variables)
            client.greet()
            at_first = client.taken_ms
            client.ask("tools/list")
            at_list = client.taken_ms
            time.sleep(0.3)  # what is loaded behind the first reply counts for memory
            memory[name] = client.memory_mb
            cpu = client.close()
            if number:  # the first round fills the caches of files
                first[name].append(at_first)
                listed[name].append(at_list)
                used[name].append(cpu)
    for name in found:
        run.report.note(
            f"{name:<16} first reply {statistics.median(first[name]):6.0f} ms (best"
            f" {min(first[name]):.0f}), tools/list {statistics.median(listed[name]):6.0f} ms,"
            f" CPU {statistics.median(used[name]):5.0f} ms, memory {memory[name]:.0f} MB"
        )
    pairs = zip(first["strata"], first["SDK, one tool"], strict=True)
    ratio = statistics.median(ours / theirs for ours, theirs in pairs)
    run.report.at_most("first_reply_times_sdk", ratio, 0.1)
    run.report.at_most("first_reply_ms", min(first["strata"]), 150)
    pairs = zip(listed["strata"], listed["server-memory"], strict=True)
    ratio = statistics.median(ours / theirs for ours, theirs in pairs)
    run.report.at_most("tools_list_times_server_memory", ratio, 1)
    run.report.at_most("memory_mb", memory["strata"], 40)


def measure_calls(run: Run) -> None:
    """Time calls: inside the server, and over standard input and output."""
    taken = _inside(run)
    for name, times in taken.items():
        run.report.note(f"inside, {name:<16} {statistics.median(times):8.1f} us")
    run.report.at_most("call_ms", statistics.median(taken["strata_recall"]) / 1000, 0.2)
    client = Client(
        [PYTHON, "-m", "strata", "mcp", "--no-auto-embed", "--db", str(run.folder / "calls.db")],
        run.folder,
    )
    client.greet()
    client.call("strata_store", key="k", value="값")
    jobs: dict[str, Callable[[int], Any]] = {
        "recall": lambda _n: client.call("strata_recall", key="k"),
        "store": lambda n: client.call("strata_store", key=f"k{n}", value={"번호": n}),
        "search": lambda _n: client.call("strata_search", query="값"),
        "status": lambda _n: client.call("strata_status"),
    }
    for name, job in jobs.items():
        times: list[float] = []
        for number in range(run.calls):
            started = time.perf_counter()
            job(number)
            times.append((time.perf_counter() - started) * 1e6)
        late = sorted(times)[int(len(times) * 0.95)]
        run.report.note(
            f"over stdio, {name:<10} {statistics.median(times):8.0f} us, 95 % below {late:.0f} us"
        )
    client.close()


class _Inline:
    """Runs work at once, where it was submitted."""

    def submit(self, work: Callable[[], None]) -> None:
        """Run it."""
        work()


def _inside(run: Run) -> dict[str, list[float]]:
    """Time calls from the decoded request to the encoded answer, without a pipe."""
    with strata.open(run.folder / "inside.db", auto_embed=False) as db:
        db.kv.put("k", "값")
        sent: list[bytes] = []
        encode = msgspec.json.Encoder().encode

        def send(message: Message) -> None:
            sent.append(encode(message))

        core = Core(Session(StoreHost(lambda: db), caller="owner"), send, _Inline())
        core.receive(
            {
                "jsonrpc": "2.0",
                "id": 0,
                "method": "initialize",
                "params": {"protocolVersion": "2025-11-25", "capabilities": {}},
            }
        )
        calls = {"strata_recall": {"key": "k"}, "strata_status": {}, "strata_history": {"key": "k"}}
        found: dict[str, list[float]] = {}
        for name, arguments in calls.items():
            params = {"name": name, "arguments": arguments}
            found[name] = []
            for number in range(run.calls):
                request = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
                started = time.perf_counter_ns()
                core.receive(request)
                found[name].append((time.perf_counter_ns() - started) / 1000)
        assert b'isError":true' not in b"".join(sent)
    return found


def measure_list(run: Run) -> None:
    """Count the characters of `tools/list`."""
    for groups in ("memory", "developer_compact", "developer"):
        text = msgspec.json.encode({"tools": tool_entries(expose(groups))}).decode()
        run.report.note(f"tools/list of {groups}: {len(text):,} characters")
        if groups == "memory":
            run.report.at_most("tools_list_characters", len(text), 9000)


def measure_prompts(run: Run) -> None:
    """Time the hook that runs before every prompt."""
    measure_hook(run.report, run.folder, run.rounds)


PARTS: dict[str, Callable[[Run], None]] = {
    "cold": measure_cold,
    "calls": measure_calls,
    "list": measure_list,
    "hook": measure_prompts,
}


def main() -> int:
    """Run all parts, or those that were named, and return the exit code."""
    arguments = parser(__doc__, PARTS).parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    gc.disable()
    report = Report(f"mcp, {'quick' if arguments.quick else 'full'} run")
    report.machine(f"strata {strata.__version__}", "apsw", "msgspec", "mcp")
    with tempfile.TemporaryDirectory(dir=arguments.folder, prefix="mcp-") as folder:
        quick = arguments.quick
        run = Run(report, Path(folder), rounds=5 if quick else 15, calls=300 if quick else 2000)
        for name in arguments.only or PARTS:
            PARTS[name](run)
            gc.collect()
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
