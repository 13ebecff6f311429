"""What a store takes on the disk, and how long it takes to open."""

import statistics
import subprocess
import sys
import time
from pathlib import Path

import msgspec
from contenders.contender import Contender, size_bytes
from contenders.sqlite_kv import RawSqlite
from contenders.strata_kv import Ours
from measure.records import key

from parts.opener import Opened
from parts.run import BATCH, Run, spoken

OPENER = Path(__file__).with_name("opener.py")


def measure_disk(run: Run) -> None:
    """Compare the files of the same records, closed and so checkpointed."""
    count = run.scale.records
    ours, raw = _sizes(run, "disk", count=count)
    path = run.folder / "disk-indexed.db"
    _fill(run, Ours(path, text_index=True), count=count, one_by_one=False)
    indexed = size_bytes(path)
    run.report.at_most(f"disk_{spoken(count)}_vs_sqlite", ours / raw, 1.5)
    run.report.at_most(f"disk_{spoken(count)}_indexed_vs_sqlite", indexed / raw, 2.2)
    run.report.note(
        f"batches of 1000: strata {_mb(ours)}, with text index {_mb(indexed)}, sqlite {_mb(raw)}"
    )
    count = run.scale.single_puts
    ours, raw = _sizes(run, "single", count=count, one_by_one=True)
    run.report.note(
        f"{spoken(count)} single puts: strata {_mb(ours)}, sqlite {_mb(raw)},"
        f" ratio {ours / raw:.2f}"
    )


def _sizes(run: Run, name: str, *, count: int, one_by_one: bool = False) -> tuple[int, int]:
    """Fill a store of ours and a raw one with the same records; return their bytes."""
    ours, raw = run.folder / f"{name}-ours.db", run.folder / f"{name}-raw.db"
    _fill(run, Ours(ours), count=count, one_by_one=one_by_one)
    _fill(run, RawSqlite(raw), count=count, one_by_one=one_by_one)
    return size_bytes(ours), size_bytes(raw)


def _fill(run: Run, contender: Contender, *, count: int, one_by_one: bool) -> None:
    for start in range(0, count, BATCH):
        pairs = run.pairs(start)
        if not one_by_one:
            contender.put_many(pairs)
            continue
        for name, value in pairs:
            contender.put(name, value)
    contender.close()


def _mb(size: int) -> str:
    return f"{size / 1e6:.1f} MB"


def measure_opening(run: Run, path: Path) -> None:
    """Open a big store and read one value, each time in a new process; the best one counts."""
    command = [sys.executable, str(OPENER), str(path), key(run.scale.big // 2)]
    found: list[Opened] = []
    totals: list[float] = []
    for _ in range(run.scale.process_rounds + 2):
        started = time.perf_counter()
        done = subprocess.run(command, check=True, capture_output=True)
        totals.append((time.perf_counter() - started) * 1000)
        found.append(msgspec.json.decode(done.stdout, type=Opened))
    both = [opened.open_ms + opened.get_ms for opened in found]
    name = f"open_ms_{spoken(run.scale.big)}"
    run.report.at_most(name, min(both), 20)
    for part in ("import_ms", "open_ms", "get_ms"):
        taken = [getattr(opened, part) for opened in found]
        middle = statistics.median(taken)
        run.report.note(f"{part:<10} {middle:7.2f}   {min(taken):.2f} to {max(taken):.2f}")
    run.report.note(
        f"whole process from cold Python: {statistics.median(totals):.0f} ms;"
        f" the file has {_mb(size_bytes(path))}"
    )
