"""Two hundred sockets on twenty documents: how soon others see a letter, and when it bends."""

import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import msgspec
from measure.figures import Report

import strata
from living.crowd import Met, Task
from living.server import Server
from living.words import percentile, told

BENCH = Path(__file__).parent.parent
SOCKETS, DOCUMENTS, PEOPLE = 200, 20, 10
RATE = 5.0
BOUND_MS = 120
_TITLE, _PARAGRAPH = "# 함께\n\n", "글 " * 20


class Overloaded(Exception):
    """The server gave up sockets, because it was too late with what they sent."""


class Load(NamedTuple):
    """What one load came to."""

    met: Met
    # What the server and the crowd used of one core.
    share: float
    crowd: float


def loaded(path: Path, *, rate: float, seconds: float, at_one_place: bool = False) -> Load:
    """Let a crowd type on a new store, and check that nothing of it is lost."""
    documents, tokens, states = _prepared(path)
    places = range(SOCKETS)
    server = Server(path)
    try:
        task = Task(
            server.port,
            [documents[place % DOCUMENTS] for place in places],
            [tokens[place % PEOPLE] for place in places],
            [0 if at_one_place else _caret(place // DOCUMENTS) for place in places],
            not at_one_place,
            states,
            rate,
            seconds,
        )
        process = subprocess.Popen(
            [sys.executable, "-m", "living.crowd"],
            cwd=BENCH,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        before = server.processor_s
        out, _error = process.communicate(msgspec.json.encode(task) + b"\n", timeout=900)
        share = (server.processor_s - before) / seconds
    finally:
        server.end()
    met = msgspec.json.decode(out, type=Met)
    _check(path, met)
    return Load(met, share, met.processor_s / seconds)


def _caret(paragraph: int) -> int:
    """Return where a paragraph of a document ends."""
    return len(_TITLE) + paragraph * (len(_PARAGRAPH) + 2) + len(_PARAGRAPH)


def _prepared(path: Path) -> tuple[list[str], list[str], dict[str, bytes]]:
    with strata.open(path) as db:
        made = [
            db.documents.create(f"문서 {n}", _TITLE + f"{_PARAGRAPH}\n\n" * (SOCKETS // DOCUMENTS))
            for n in range(DOCUMENTS)
        ]
        documents = [one.document for one in made]
        tokens: list[str] = []
        for number in range(PEOPLE):
            user = db.users.add(f"p{number}@example.com", f"사람 {number}")
            for document in documents:
                db.shares.share(document, user.email, "editor")
            tokens.append(db.tokens.create(f"t{number}", user=user.id).secret)
        db.embeddings.wait()
        live = db.documents.live()
        return documents, tokens, {one: live.difference(one).update for one in documents}


def _check(path: Path, met: Met) -> None:
    """Every mark that was typed is there once, and everybody was shown everything."""
    if met.closed:
        raise Overloaded(f"{len(met.closed)} of {SOCKETS} sockets were closed")
    assert len(met.shown) == met.expected, (len(met.shown), met.expected)
    with strata.open(path, auto_embed=False) as db:
        for document, marks in met.marks.items():
            text = db.documents.text(document)
            there = Counter(f"⟦{part}⟧" for part in text.replace("⟧", "⟦").split("⟦")[1::2])
            lost = [mark for mark in marks if there[mark] != 1]
            assert not lost, (document, lost[:5])


def measure_load(report: Report, folder: Path, *, seconds: float, rates: list[float]) -> None:
    """Load a server as heavily as we promise to bear, then more, to see where it bends."""
    for name, at_one_place in (("", False), ("_at_one_place", True)):
        path = folder / f"load{name}.db"
        found = loaded(path, rate=RATE, seconds=seconds, at_one_place=at_one_place)
        _report(report, found, seconds=seconds, name=name)
    for rate in rates:
        each = f"{rate:g} edits a second each ({rate * SOCKETS:g} in all)"
        try:
            more = loaded(folder / f"load-{rate:g}.db", rate=rate, seconds=min(seconds, 15))
        except Overloaded as overloaded:
            # Far above what we promise to bear; in the loads before, this ends the benchmark.
            report.note(f"{each}: {overloaded}")
            break
        report.note(
            f"{each}: shown {told(more.met.shown)}; {more.share:.0%} of a core;"
            f" crowd late by p99 {percentile(more.met.late, 0.99):.1f} ms"
        )


def _report(report: Report, found: Load, *, seconds: float, name: str) -> None:
    met = found.met
    where = "all at one place of it, none hearing the others" if name else "each at an own place"
    report.note(
        f"{SOCKETS} sockets on {DOCUMENTS} documents, {where}, {RATE:g} edits a second each for"
        f" {seconds:g} s: {met.sent:,} edits, {len(met.shown):,} times shown by"
        f" {met.messages:,} messages, none lost"
    )
    report.note(f"shown to others: {told(met.shown)}")
    report.note(f"safe on disk:    {told(met.saved)}")
    report.note(f"the crowd itself was late by p99 {percentile(met.late, 0.99):.1f} ms")
    report.note(f"of one core, the server used {found.share:.0%} and the crowd {found.crowd:.0%}")
    figure = f"load_200_sockets{name}_shown_p95_ms"
    report.at_most(figure, percentile(met.shown, 0.95), BOUND_MS)
