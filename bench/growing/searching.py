"""Search, writing, numbers and the hook in stores of facts of every size."""

import random
import sys
import time
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from statistics import median

import msgspec
from msgspec.structs import astuple
from serving.client import Client

from growing.process import Embedded, Taken
from growing.run import Run, Usage, named
from growing.texts import Writer

_QUESTIONS = 9
_RANKED_QUESTIONS = 60
_OLDEST, _PROMPT_WORDS = 20, 14
# From here on candidates are chosen before they are ranked in full.
_TWO_STAGE_MIN = 100_000
_KEPT_MIN = {100_000: 0.99, 300_000: 0.99, 1_000_000: 0.985}


def questions(count: int) -> list[str]:
    """Return questions in the words of texts that a store has: everyday words and identifiers."""
    rng = random.Random(17)
    texts = [text.split() for _key, text in islice(Writer().facts(1_000), 1_000)]
    found: list[str] = []
    for number in range(count):
        words = rng.choice(texts)
        some = rng.sample(words, min(len(words), rng.randint(3, 7)))
        found.append(" ".join(some) if number % 3 else f"how does {' '.join(some)}?")
    return found


def measure_search(run: Run) -> None:
    """Search for the first time, warm, after another process's put, and on a new branch."""
    asked = questions(_QUESTIONS)
    for count in run.sizes:
        size, path = named(count), run.facts(count)
        empty = run.child("empty", run.folder / "empty.db", type=Taken)
        starts = [run.child("first", path, asked[0], type=Taken) for _ in range(run.rounds)]
        best = min(starts, key=lambda start: start.cpu_ms)
        run.report.at_most(f"first_search_{size}_ms", best.cpu_ms, 100)
        run.above_floor(f"first_search_{size}", best, loads_numpy=True)
        run.report.at_most(f"first_search_{size}_mb", best.resident_mb - empty.resident_mb, 100)
        run.report.note(
            f"resident {best.resident_mb:.0f} MB, highest {best.highest_mb:.0f};"
            f" a process without a search has {empty.resident_mb:.0f}"
        )
        written = run.copy(path)
        for name, bound in (("warm", 30), ("after_put", 35), ("branch", 50)):
            found = run.child(name, path if name == "warm" else written, *asked, type=Taken)
            _tell(run, f"search_{name}_{size}", found, bound=bound)
        written.unlink()


def measure_outside(run: Run) -> None:
    """Search for the first time over MCP and by the command line."""
    question = questions(1)[0]
    for count in run.sizes:
        size, path = named(count), run.facts(count)
        mcp = min((_mcp(run, path, question) for _ in range(run.rounds)), key=_cpu)
        run.report.at_most(f"first_search_mcp_{size}_ms", mcp.cpu_ms, 100)
        run.above_floor(f"first_search_mcp_{size}", mcp, loads_numpy=True)
        run.report.at_most(f"first_search_mcp_{size}_mb", mcp.resident_mb, 100)
        line = ("--db", path, "search", "--mode", "keyword", question)
        told = min((run.command(*line)[0] for _ in range(run.rounds)), key=_cpu)
        run.report.at_most(f"search_command_{size}_ms", told.cpu_ms, 300)
        run.above_floor(f"search_command_{size}", told, loads_numpy=False)


def _mcp(run: Run, path: Path, question: str) -> Taken:
    client = _server(run, path)
    before = client.memory_mb
    used = _called(client, "strata_search", query=question)
    grown = client.memory_mb - before
    client.close()
    return Taken(used.cpu_ms, used.wall_ms, grown, grown)


def _called(client: Client, tool: str, **arguments: str) -> Usage:
    """Call a tool; return what the server took for it, all its threads together."""
    started = _cpu_ms(client), time.perf_counter()
    client.call(tool, **arguments)
    wall = (time.perf_counter() - started[1]) * 1000
    return Usage(_cpu_ms(client) - started[0], wall)


def _cpu_ms(client: Client) -> float:
    threads = Path(f"/proc/{client.process.pid}/task").glob("*/schedstat")
    return sum(int(thread.read_text(encoding="ascii").split()[0]) for thread in threads) / 1e6


def _server(run: Run, path: Path) -> Client:
    command = [sys.executable, "-m", "strata", "mcp", "--no-auto-embed", "--db", str(path)]
    client = Client(command, run.folder)
    client.greet()
    client.call("strata_recall", key="note-000000")
    time.sleep(0.3)  # what is loaded behind the first reply
    return client


def measure_writers(run: Run) -> None:
    """Put one fact in a process that does nothing else, without its vector and with it."""
    for count in run.sizes:
        size, path = named(count), run.copy(run.facts(count))
        empty = run.child("empty", run.folder / "empty.db", type=Taken)
        found = run.child("put", path, type=Taken)
        run.report.at_most(f"writer_{size}_mb", found.highest_mb - empty.resident_mb, 20)
        found = run.child("embed", path, type=Taken)
        run.report.at_most(f"writer_embedding_{size}_mb", found.resident_mb, 130)
        run.report.note(f"{found.cpu_ms:.0f} ms of processor time, highest {found.highest_mb:.0f}")
        path.unlink()


def measure_embedding(run: Run) -> None:
    """Make the vectors of facts and of pages, by the clock and by the time of two processors."""
    facts, pages = run.facts(1_000), run.pages(100 if run.quick else 500)
    for name, path, least, most_kb in (("texts", facts, 150, 2.5), ("pages", pages, 15, 24)):
        rounds = [_embedding(run, path) for _ in range(run.rounds)]
        wall = min(one.wall_s / one.texts for one in rounds)
        cpu = min(one.cpu_s / one.texts for one in rounds)
        run.report.at_least(f"embedded_{name}_a_second_min", 1 / wall, least)
        run.report.at_least(f"embedded_{name}_a_processor_second_times_2_min", 2 / cpu, least)
        run.report.at_most(f"embedded_{name}_kb", rounds[0].bytes_each / 1000, most_kb)
        run.report.note(f"{cpu * 1000:.1f} ms of processor time, {wall * 1000:.1f} by the clock")


def _embedding(run: Run, path: Path) -> Embedded:
    copied = run.copy(path)
    found = run.child("embedding", copied, type=Embedded)
    copied.unlink()
    return found


def measure_numbers(run: Run) -> None:
    """Ask for status and counts, by the SDK, the tool and the command."""
    for count in run.sizes:
        size, path = named(count), run.facts(count)
        found = run.child("numbers", path, type=dict[str, float])
        for name in ("info", "count", "embeddings"):
            run.report.at_most(f"{name}_{size}_ms", found[name], 3)
        told = (f"{name} {taken:.2f}" for name, taken in found.items())
        run.report.note(f"processor ms: {', '.join(told)}")
        client = _server(run, path)
        first, *times = (_called(client, "strata_status").cpu_ms for _ in range(10))
        client.close()
        run.report.at_most(f"status_tool_{size}_ms", median(times), 3)
        told_by = run.command("--db", path, "status")[0]
        run.report.note(f"the tool's first call {first:.1f} ms; `strata status`: {told_by}")


def measure_hook(run: Run) -> None:
    """Ask the hook for the oldest facts by their first words, also where there are vectors."""
    for count in run.sizes:
        _ask_hook(run, run.facts(count), Writer().facts(count), size=named(count))
    count = run.embedded_facts
    _ask_hook(run, run.embedded(count), Writer(13).facts(count), size="vectors")


def _ask_hook(run: Run, path: Path, facts: Iterable[tuple[str, str]], *, size: str) -> None:
    seen, times = 0, list[Usage]()
    for key, text in islice(facts, _OLDEST):
        prompt = " ".join(text.split()[:_PROMPT_WORDS])
        feed = msgspec.json.encode({"prompt": prompt, "session_id": "growth"})
        used, printed = run.command("hook", "prompt", "--db", path, feed=feed)
        times.append(used)
        seen += key in printed
    run.report.at_least(f"hook_finds_oldest_{size}_min", seen, _OLDEST)
    middle = Usage(*(median(one) for one in zip(*map(astuple, times), strict=True)))
    run.report.at_most(f"hook_{size}_ms", middle.cpu_ms, 120)
    run.above_floor(f"hook_{size}", middle, loads_numpy=False)


def measure_size(run: Run) -> None:
    """Tell how large the files are."""
    for count in run.sizes:
        path = run.facts(count)
        size = path.stat().st_size
        run.report.note(f"{named(count)}: {size / 1e6:.1f} MB, {size / count:.0f} bytes a fact")


def measure_ranks(run: Run) -> None:
    """Compare the best ten with those of a search that ranks every text in full."""
    asked = questions(_RANKED_QUESTIONS)
    for count in run.sizes:
        if count < _TWO_STAGE_MIN:
            continue
        path = run.facts(count)
        exact = run.child("ranked", path, "exact", *asked, type=list[list[str]])
        quick = run.child("ranked", path, "quick", *asked, type=list[list[str]])
        kept = sum(len({*a} & {*b}) for a, b in zip(quick, exact, strict=True))
        same = sum(a == b for a, b in zip(quick, exact, strict=True))
        share = kept / sum(map(len, exact))
        bound = _KEPT_MIN.get(count, _KEPT_MIN[1_000_000])
        run.report.at_least(f"top_ten_kept_{named(count)}_min", share, bound)
        run.report.note(f"{same} of {len(asked)} lists are the same in every place")


def measure_pages(run: Run) -> None:
    """Search by words among pages of 2,000 characters, warm."""
    found = run.child(
        "warm", run.pages(500 if run.quick else 10_000), *questions(_QUESTIONS), type=Taken
    )
    _tell(run, "search_pages", found, bound=15)


def measure_hybrid(run: Run) -> None:
    """Search by words and meaning in a process that has to load the model first."""
    path = run.embedded(run.embedded_facts)
    found = [run.child("hybrid", path, questions(1)[0], type=Taken) for _ in range(run.rounds)]
    best = min(found, key=_cpu)
    run.report.at_most("first_hybrid_ms", best.cpu_ms, 600)
    run.report.note(f"{best.wall_ms:.0f} ms by the clock, {best.resident_mb:.0f} MB")


def _cpu(found: Taken | Usage) -> float:
    return found.cpu_ms


def _tell(run: Run, name: str, found: Taken, *, bound: float) -> None:
    run.report.at_most(f"{name}_ms", found.cpu_ms, bound)
    run.report.note(f"{name}: {found.wall_ms:.1f} ms by the clock")
