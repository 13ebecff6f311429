"""Search by words: at two sizes, beside FTS5 and a plain scan, and the first one of a process."""

import statistics
import subprocess
import sys
from pathlib import Path

import msgspec
from parts.run import spoken

from finding.peers import Fts5, Scan
from finding.process import Steps
from finding.questions import Questions
from finding.run import Run, ask_in_turns, by_words
from strata import Workspace

PROCESS = Path(__file__).with_name("process.py")
_SCANNED = 4


def measure_keywords(run: Run) -> None:
    """Ask everyday questions, the commonest words, and single identifiers."""
    for count, bound_ms in ((run.scale.small, 3.0), (run.scale.large, 10.0)):
        db, asked = run.store(count), run.questions(count)
        _check(run, db, asked)
        kinds = msgspec.structs.asdict(asked)
        for kind, texts in kinds.items():
            found = ask_in_turns({"ours": by_words(db)}, texts, passes=run.scale.passes)["ours"]
            run.report.at_most(f"keyword_{kind}_ms_{spoken(count)}", found.median, bound_ms)
            run.report.note(f"keyword, {kind:<12} {found}")


def _check(run: Run, db: Workspace, asked: Questions) -> None:
    """Make sure that what is timed are answers: an identifier is found where it stands."""
    missed = [name for name in asked.identifiers if not _is_found(db, name)]
    run.report.note(f"identifiers that no text among the first ten holds: {missed or 'none'}")
    assert 10 * len(missed) <= len(asked.identifiers)
    assert all(len(db.search(pair, 10, mode="keyword")) == 10 for pair in asked.commonest)


def _is_found(db: Workspace, name: str) -> bool:
    found = db.search(name, 10, mode="keyword")
    return any(name.lower() in str(hit.value).lower() for hit in found)


def measure_peers(run: Run) -> None:
    """Ask FTS5 and a scan of all texts the same; for information."""
    for count in (run.scale.small, run.scale.large):
        texts = [item.text for item in run.items(count)]
        db, asked = run.store(count), run.questions(count)
        fts5 = Fts5(run.folder / f"fts5-{count}.db", texts)
        for kind, questions in (("everyday", asked.everyday[:60]), ("commonest", asked.commonest)):
            found = ask_in_turns({"strata": by_words(db), "fts5": fts5.ask}, questions, passes=1)
            times = found["strata"].times(found["fts5"])
            run.report.note(f"{spoken(count)}, {kind}: {times:.2f} x fts5")
            for name, latency in found.items():
                run.report.note(f"    {name:<8} {latency}")
        fts5.close()
        _scan(run, db, texts, questions=asked.everyday[1 : 1 + _SCANNED])


def _scan(run: Run, db: Workspace, texts: list[str], *, questions: list[str]) -> None:
    scan = Scan(texts)
    found = ask_in_turns({"strata": by_words(db), "scan": scan.ask}, questions, passes=1)
    times = found["strata"].times(found["scan"])
    run.report.note(f"{spoken(len(texts))}: {times:.4f} x a scan, {found['scan']}")
    same = [_shared(db, scan, question) for question in questions]
    run.report.note(f"    of the scan's ten best, ours shares {statistics.mean(same):.1f}")


def _shared(db: Workspace, scan: Scan, question: str) -> int:
    ours = {str(hit.value) for hit in db.search(question, 10, mode="keyword")}
    return len(ours & set(scan.ask(question)))


def measure_cold(run: Run) -> None:
    """Open a store in a new process and search once; for information."""
    for count in (run.scale.small, run.scale.large):
        run.store(count)
        question = run.questions(count).commonest[0]
        command = [sys.executable, str(PROCESS), "cold", str(run.path(count)), question]
        found: list[Steps] = []
        for _ in range(run.scale.starts):
            done = subprocess.run(command, check=True, capture_output=True)
            found.append(msgspec.json.decode(done.stdout, type=Steps))
        first = min(step.open_ms + step.first_ms for step in found)
        best = {name: min(getattr(s, name) for s in found) for name in Steps.__struct_fields__}
        run.report.note(f"first search at {spoken(count)}: {first:.0f} ms with open, best of all")
        run.report.note("    " + ", ".join(f"{name} {value:.1f}" for name, value in best.items()))
