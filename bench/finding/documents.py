"""Finding documents with rights: search, lists, neighbours, surroundings."""

import random
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol
from zlib import crc32

import numpy as np
from measure.figures import Report
from measure.rounds import time_each

import strata
from finding.sources import sentences
from strata import Workspace
from strata.documents import Filters, NewDocument, Request, Scope

_SECTIONS = 5
_BATCH = 500
_DIMENSION = 384
_SEARCH_MS, _LIST_MS = 50.0, 30.0


class Run(Protocol):
    """What the benchmark of documents hands to each part."""

    report: Report
    folder: Path
    documents: int
    calls: int


class StandIn:
    """Makes vectors as large as the shipped model's, of words alone, without taking its time."""

    id, name, dimension, tokens_max, languages = "stand-in-1", "stand-in", _DIMENSION, 512, ()

    def __init__(self) -> None:
        self._words: dict[str, Any] = {}

    def embed(self, texts: Sequence[str], kind: str = "document") -> Any:  # noqa: ARG002
        """Return the sum of each text's words."""
        return np.stack([self._vector(text) for text in texts])

    def count(self, text: str) -> int:
        """Return how many tokens a text has."""
        return len(text.split())

    def _vector(self, text: str) -> Any:
        total = sum((self._word(word) for word in text.split()), np.zeros(_DIMENSION, "f4"))
        return (total / (np.linalg.norm(total) or 1)).astype("f4")

    def _word(self, word: str) -> Any:
        if word not in self._words:
            chance = np.random.default_rng(crc32(word.encode()))
            self._words[word] = chance.standard_normal(_DIMENSION).astype("f4")
        return self._words[word]


def measure_find(run: Run) -> None:
    """Ask as somebody who sees half of the documents, by words and by vectors."""
    with strata.open(run.folder / "find.db", durability="standard", auto_embed=False) as db:
        ann, folder = _filled(db, run)
        db.embeddings.use(StandIn())
        while not db.embeddings.wait(10):
            print(f"    embedding, {db.embeddings.status().pending} left", flush=True)
        room = db.as_user(ann).documents
        seen = len(db.as_user(ann).rights.visible())
        run.report.note(f"{run.documents:,} documents of {_SECTIONS} sections; {seen:,} are seen")
        chance = random.Random(11)
        words = [word for sentence in sentences()[:2_000] for word in sentence if len(word) > 4]

        def question() -> str:
            return " ".join(chance.sample(words, 4))

        some = next(iter(db.as_user(ann).rights.visible()))
        asked: dict[str, Callable[[], Request]] = {
            "search": lambda: Request(query=question()),
            "search_50": lambda: Request(query=question(), limit=50),
            "search_folder": lambda: Request(query=question(), scope=Scope("folder", folder)),
            "search_owner": lambda: Request(query=question(), filters=Filters(owner="me")),
            "related": lambda: Request(intent="related", scope=Scope("document", some)),
            "list": lambda: Request(intent="list"),
            "list_filtered": lambda: Request(
                intent="list", limit=50, filters=Filters(updated_after="2 days ago", owner="me")
            ),
            "recent": lambda: Request(intent="recent"),
        }
        for name, request in asked.items():
            _tell(run, name, lambda request=request: room.find(request()))
        _tell(run, "graph", lambda: room.graph(some))
        found = room.find(Request(query=question()))
        assert found.mode == "hybrid"
        assert found.items


def _tell(run: Run, name: str, call: Callable[[], object]) -> None:
    bound = _LIST_MS if name.startswith(("list", "recent")) else _SEARCH_MS
    first, *times = (taken / 1000 for taken in time_each(call, [()] * (run.calls + 1)))
    late = statistics.quantiles(times, n=20)[-1]
    run.report.at_most(f"find_{name}_ms", statistics.median(times), bound)
    run.report.note(f"{name}: 95 % below {late:.1f} ms, the first call {first:.1f} ms")


def _filled(db: Workspace, run: Run) -> tuple[str, str]:
    """Make two people, a team, and documents of which each second one is the team's."""
    ann = db.users.add("ann@example.com").id
    team = db.teams.add("Design")
    db.teams.set_member(team.id, ann, "editor")
    folder = db.folders.add("Shared", team=team.id).id
    chance, prose = random.Random(7), sentences()
    started = time.monotonic()
    for start in range(0, run.documents, _BATCH):
        for owner, place in ((db, None), (db.as_user(ann), folder)):
            owner.documents.create_many(
                [_document(chance, prose, folder=place) for _ in range(_BATCH // 2)]
            )
        if start % 5_000 == 0:
            print(f"    {start:,} documents, {time.monotonic() - started:.0f} s", flush=True)
    taken = (time.monotonic() - started) / run.documents
    run.report.note(f"{run.documents:,} documents made, {taken * 1000:.1f} ms each")
    return ann, folder


def _document(chance: random.Random, prose: list[list[str]], *, folder: str | None) -> NewDocument:
    parts: list[str] = []
    for _ in range(_SECTIONS):
        head, *body = (" ".join(sentence) for sentence in chance.choices(prose, k=4))
        parts.append(f"# {head[:40]}\n\n{' '.join(body)}\n\n")
    return NewDocument(
        title=" ".join(chance.choice(prose)[:5]), content="".join(parts), folder=folder
    )
