"""How quick are documents: editing, opening, the past, merging, finding with rights?

Each figure is one line: `figure NAME VALUE BOUND ok|short`. Exits with 1 if any figure is short.
"""

import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

from finding.documents import measure_find
from measure.figures import Report
from measure.records import records
from measure.rounds import time_each, time_once
from measure.running import run_parts, tell

import strata
from strata import Workspace
from strata.documents import NewDocument, WriteResult
from strata.documents.log import load
from strata.documents.text import anchor, resolve
from strata.sql import Durability

MEGABYTE = 1_000_000
EDITS = 10_000
DOCUMENTS = 20_000
MERGED = 20


class Run:
    """Where figures go, where stores are made, and how large and how often."""

    def __init__(self, report: Report, folder: Path, *, quick: bool) -> None:
        self.report = report
        self.folder = folder
        self.edits = 1_000 if quick else EDITS
        self.documents = 2_000 if quick else DOCUMENTS
        self.calls = 30 if quick else 100
        self.rounds = 3 if quick else 7
        self._edited: tuple[Path, WriteResult, list[int]] | None = None

    def edited(self) -> tuple[Path, WriteResult, list[int]]:
        """Return a store with a document of a megabyte that was edited often, and its versions."""
        if self._edited is None:
            path = self.folder / "edited.db"
            with opened(path) as db:
                made = db.documents.create("큰 문서", text_of(MEGABYTE))
                started = time.monotonic()
                versions = [edit_somewhere(db, made.document, n) for n in range(self.edits)]
            taken = time.monotonic() - started
            self.report.note(
                f"{self.edits:,} edits of a document of {MEGABYTE:,} bytes in {taken:.0f} s"
                f" ({taken / self.edits * 1000:.1f} ms each, without syncing), the store has"
                f" {path.stat().st_size / 1e6:.0f} MB"
            )
            self._edited = path, made, versions
        return self._edited


def opened(path: Path, durability: Durability = "standard") -> Workspace:
    """Open a store in which nothing is embedded."""
    return strata.open(path, durability=durability, auto_embed=False)


def text_of(size: int) -> str:
    """Return running text in sections of some paragraphs, in several scripts."""
    parts: list[str] = []
    length = 0
    for number, record in enumerate(records(size // 100)):
        head = f"## 장 {number // 4} part\n\n" if number % 4 == 0 else ""
        parts.append(f"{head}Marker {number:06d}: {record['note']}.\n\n")
        length += len(parts[-1].encode())
        if length >= size:
            break
    return "".join(parts)


def edit_somewhere(db: Workspace, document: str, number: int) -> int:
    """Replace one word of a paragraph; return the version."""
    at = number * 7919 % 5_000
    old = f"Marker {at:06d}"
    rounds = number // 5_000
    new = f"Marker {at:06d} 고침{number}" if rounds % 2 == 0 else f"Marker {at:06d}"
    text = old if rounds == 0 else f"{old} 고침{number - 5_000}"
    return db.documents.edit(document, text, new).version


def measure_edit(run: Run) -> None:
    """Edit a large document that was edited often before: by one process, synced to the disk."""
    path, made, _versions = run.edited()
    with opened(path, "always") as db:
        document = made.document
        # A word that stands once, and is another one after each edit.
        db.documents.edit(document, "Marker 002500", "Marker 002500 표0")
        db._store.forget_removed()
        steps = [(document, f"표{n}", f"표{n + 1}") for n in range(3 * run.calls)]
        first, *times = time_each(db.documents.edit, steps)
        run.report.note(f"first edit of a process {first / 1000:.1f} ms")
        middle = tell(run.report, "edit of 1 MB, many edits before", times)
        run.report.at_most("edit_1mb_ms", middle, 25)


def measure_open(run: Run) -> None:
    """Read a large document with a long log in a process that has not read it before."""
    path, made, _versions = run.edited()
    with opened(path) as db:

        def cold() -> None:
            db._store.forget_removed()
            assert len(db.documents.text(made.document).encode()) >= MEGABYTE

        times = [time_once(cold) for _ in range(run.calls)]
        run.report.at_most("open_1mb_ms", tell(run.report, "open 1 MB with its log", times), 50)
        again = time_each(db.documents.text, [(made.document,)] * run.calls)
        tell(run.report, "read it again", again)
        tell(run.report, "blame it", [time_once(lambda: db.documents.blame(made.document))] * 1)


def measure_past(run: Run) -> None:
    """Read the document as any of its versions had it."""
    path, made, versions = run.edited()
    chosen = random.Random(7).sample(versions, run.calls)
    with opened(path) as db:
        times: list[float] = []
        for version in chosen:
            db._store.forget_removed()
            times += time_each(
                lambda version=version: db.documents.text(made.document, version=version), [()]
            )
        middle = tell(run.report, "any version of it", times)
        run.report.at_most("past_1mb_ms", middle, 100)
        run.report.at_most("past_1mb_slowest_ms", max(times) / 1000, 100)


def measure_merge(run: Run) -> None:
    """Merge a branch in which twenty documents were edited, and on main elsewhere."""
    taken: list[float] = []
    for number in range(run.rounds):
        with opened(run.folder / f"merge-{number}.db", "always") as db:
            new = [NewDocument(title=f"문서 {n}", content=text_of(10_000)) for n in range(MERGED)]
            ids = [written.document for written in db.documents.create_many(new)]
            db.branches.fork("try")
            anchors = [_edited_on_both(db, id_) for id_ in ids]
            taken.append(time_once(lambda: db.branches.merge("try")))
            kept = sum(_is_kept(db, *one) for one in zip(ids, anchors, strict=True))
            assert kept == 2 * MERGED, f"{kept} of {2 * MERGED} anchors"
            assert all("둘 다" in db.documents.text(id_) for id_ in ids)
    run.report.note(f"merges took {', '.join(f'{one / 1000:.0f}' for one in taken)} ms")
    run.report.at_most("merge_20_documents_ms", statistics.median(taken) / 1000, 100)


def _edited_on_both(db: Workspace, document: str) -> list[tuple[str, tuple[bytes, bytes]]]:
    there = db.on("try")
    there.documents.edit(document, "Marker 000003", "Marker 000003 둘 다")
    db.documents.edit(document, "Marker 000010", "Marker 000010 here")
    found: list[tuple[str, tuple[bytes, bytes]]] = []
    for side, words in ((there, "000003 둘 다"), (db, "000010 here")):
        replica = load(side._view.snapshot, document)
        at = replica.text.index(words)
        found.append((words, anchor(replica, at, at + len(words))))
    return found


def _is_kept(db: Workspace, document: str, anchors: list[tuple[str, tuple[bytes, bytes]]]) -> int:
    replica = load(db._view.snapshot, document)
    kept = 0
    for words, pair in anchors:
        start, end = resolve(replica, pair)
        kept += replica.text[start:end] == words
    return kept


PARTS: dict[str, Callable[[Run], None]] = {
    "edit": measure_edit,
    "open": measure_open,
    "past": measure_past,
    "merge": measure_merge,
    "find": measure_find,
}


def main() -> int:
    """Run all parts, or those that were named, and return the exit code."""
    return run_parts(
        "documents",
        __doc__,
        PARTS,
        packages=("apsw", "msgspec", "pycrdt"),
        quick="end within two minutes",
        start=lambda report, folder, quick: Run(report, folder, quick=quick),
    )


if __name__ == "__main__":
    sys.exit(main())
