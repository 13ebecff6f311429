"""What grows with other things than facts: branches, and documents."""

import random
from pathlib import Path

from measure.records import records

import strata
from growing.process import Taken
from growing.run import Run
from growing.texts import Writer

_FEW, _MANY = 10, 3_000
_FORKS = 60
_EDITS = 40
_EDIT_MS = {1: 6, 5: 15}


def measure_forks(run: Run) -> None:
    """Fork in a store of ten branches and in one of thousands."""
    few, many = (_forked(run.folder / f"forks-{count}.db", count) for count in (_FEW, _MANY))
    at_few, at_many = run.child("forks", few, many, _FORKS, type=tuple[float, float])
    run.report.at_most("fork_at_3000_times_10", at_many / at_few, 1.5)
    run.report.note(f"{at_few:.0f} us at {_FEW} branches, {at_many:.0f} us at {_MANY:,}")
    listing, info = run.child("listed", many, type=tuple[float, float])
    run.report.note(f"at {_MANY:,}: branches.list {listing:.1f} ms, info {info:.1f} ms")


def _forked(path: Path, count: int) -> Path:
    with strata.open(path, durability="standard", auto_embed=False) as db:
        db.kv.put("k", 1)
        for number in range(count - 1):
            db.branches.fork(f"task-{number:05d}")
    return path


def measure_edits(run: Run) -> None:
    """Change one word in large documents."""
    for size in run.megabytes:
        path = run.folder / f"edit-{size}.db"
        with strata.open(path, durability="standard", auto_embed=False) as db:
            document = db.documents.create("큰 문서", text_of(size)).document
        first, found = run.child("edit", path, document, _EDITS, type=tuple[float, Taken])
        run.report.at_most(f"edit_{size}mb_ms", found.cpu_ms, _EDIT_MS[size])
        run.report.note(
            f"{found.wall_ms:.1f} ms by the clock; the first edit of a process {first:.0f} ms"
            f" of processor time; highest {found.highest_mb:.0f} MB"
        )


def text_of(megabytes: int) -> str:
    """Return running text in several scripts, in 1,500 sections whatever its size."""
    parts: list[str] = []
    length, section = 0, 4 * megabytes
    for number, record in enumerate(records(megabytes * 10_000)):
        head = f"## 장 {number // section} part\n\n" if number % section == 0 else ""
        parts.append(f"{head}Marker {number:06d}: {record['note']}.\n\n")
        length += len(parts[-1].encode())
        if length >= megabytes * 1_000_000:
            break
    return "".join(parts)


def measure_find(run: Run) -> None:
    """Find documents: the first time, warm, and after another was written."""
    writer, rng = Writer(11), random.Random(19)
    texts = [writer.document()[1].split() for _ in range(50)]
    words = [word for text in texts for word in text if word.isalpha() and len(word) > 4]
    asked = [" ".join(rng.sample(words, 4)) for _ in range(7)]
    path = run.copy(run.written_documents())
    empty = run.child("empty", run.folder / "empty.db", type=Taken)
    found = run.child("find", path, *asked, type=dict[str, Taken])
    size = f"{run.documents:,} documents"
    run.report.at_most("find_first_ms", found["first"].cpu_ms, 150)
    run.report.at_most("find_first_mb", found["first"].resident_mb - empty.resident_mb, 100)
    run.report.at_most("find_warm_ms", found["warm"].cpu_ms, 30)
    run.report.at_most("find_after_write_ms", found["after"].cpu_ms, 35)
    clock = ", ".join(f"{name} {taken.wall_ms:.1f} ms" for name, taken in found.items())
    run.report.note(f"{size}; by the clock: {clock}")
    path.unlink()
