"""Another model for a store: nobody who searches notices, and the next opening finds it."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from strata import Workspace
from strata.base import limits
from strata.base.errors import InvalidArgument, NotFound, Unavailable
from strata.models import (
    CallableEmbedder,
    Endpoint,
    EndpointEmbedder,
    Loader,
    catalogue,
    list_models,
    minilm,
)
from strata.sql import copied_tables, reading_rows
from tests.contract.test_model_endpoints import KEY, Reply, Server, ok
from tests.databases import IS_POSTGRES
from tests.unit.search.embedders import Tokens, Words

ROOT = Path(__file__).resolve().parents[2]
TEXTS = 120
# Latin letters throughout: what is not written in them asks the shipped multilingual model.
QUESTIONS = ("ghi chú số 77", "Übergröße 5", "note number 31")
Names = Callable[..., None]


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Names:
    """Lets models be found by name, as installed ones are."""
    known = dict(catalogue._LOADERS)
    monkeypatch.setattr(catalogue, "_LOADERS", known)

    def name(**models: Any) -> None:
        for one, model in models.items():
            known[one] = Loader(one, lambda model=model: model)

    return name


@pytest.fixture
def db(open_store: Callable[..., Workspace]) -> Workspace:
    return open_store(auto_embed=False)


def furnish(db: Workspace) -> None:
    db.kv.put_many({f"n{n}": f"note number {n} ghi chú số {n} Übergröße {n}" for n in range(TEXTS)})


def models(db: Workspace) -> dict[str, str]:
    """The state of each model by its name, without those that are being removed."""
    found = db.embeddings.status().models
    return {one.name: one.state for one in found if one.state != "retired"}


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.01)


class Searching:
    """Threads that search by meaning without a pause, and note every answer that lacks it."""

    def __init__(self, db: Workspace) -> None:
        self._db = db
        self._stop = threading.Event()
        self.answers = 0
        self.silent: list[str] = []
        self._threads = [
            threading.Thread(target=self._run, args=(question,)) for question in QUESTIONS
        ]

    def _run(self, question: str) -> None:
        while not self._stop.is_set():
            found = self._db.search(question, mode="semantic")
            self.answers += 1
            if found.mode != "semantic" or not found.hits:
                self.silent.append(question)

    def __enter__(self) -> "Searching":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(30)


def slow(model: Words, seconds: float = 0.002) -> Words:
    model.meanwhile = lambda: time.sleep(seconds)
    return model


def test_no_search_falls_silent_while_a_model_takes_over(db: Workspace) -> None:
    db.embeddings.use(Words("old"))
    furnish(db)
    assert db.embeddings.wait(60)
    with Searching(db) as searching:
        until(lambda: searching.answers > 5)
        before = searching.answers
        db.embeddings.use(slow(Tokens("new")))
        assert models(db) == {"old": "active", "new": "building"}
        assert db.embeddings.wait(60)
        assert models(db) == {"new": "active"}
        during = searching.answers - before
        until(lambda: searching.answers > before + during + 5)
    assert during > 5
    assert searching.silent == []


def test_no_search_falls_silent_while_vectors_are_rebuilt(db: Workspace) -> None:
    model = Tokens("only")
    db.embeddings.use(model)
    furnish(db)
    assert db.embeddings.wait(60)
    slow(model)
    with Searching(db) as searching:
        until(lambda: searching.answers > 5)
        db.embeddings.rebuild()
        assert db.embeddings.wait(60)
        asked = searching.answers
        until(lambda: searching.answers > asked + 5)
    assert searching.silent == []
    texts = [text for text in model.asked if text not in QUESTIONS]
    assert len(texts) == 2 * TEXTS


def keys(db: Workspace, question: str) -> list[str]:
    """Return what is near to a question by meaning; nothing is while a vector is to be made."""
    return [hit.key for hit in db.search(question, mode="semantic")]


def test_new_texts_are_found_by_meaning_while_another_model_is_built(db: Workspace) -> None:
    old, new = Words("old"), Words("new")
    db.embeddings.use(old)
    furnish(db)
    assert db.embeddings.wait(60)
    gate = threading.Event()
    new.meanwhile = lambda: gate.wait(30)
    db.embeddings.use(new)
    until(lambda: bool(new.asked))
    db.kv.put("late", "späte Änderung")
    gate.set()
    new.meanwhile = lambda: time.sleep(0.05)
    until(lambda: "späte Änderung" in old.asked)
    until(lambda: keys(db, "späte Änderung")[:1] == ["late"])
    assert models(db) == {"old": "active", "new": "building"}


OTHER_PROCESS = """
import pathlib, sys, time
import strata
from strata.models import Loader, catalogue
from tests.unit.search.embedders import Words
path, stop = sys.argv[1], pathlib.Path(sys.argv[2])

def load_slowly():
    time.sleep(1.5)  # longer than a search waits
    return Words("new")

catalogue._LOADERS["old"] = Loader("old", lambda: Words("old"))
catalogue._LOADERS["new"] = Loader("new", load_slowly)
with strata.open(path, durability="standard", auto_embed=False) as db:
    # It may wait for its first model; from then on there is always one.
    assert db.search("note number 31", mode="semantic").mode == "semantic"
    print("ready", flush=True)
    modes, seen, answers = set(), set(), 0
    while not stop.exists():
        answer = db.search("note number 31")
        modes.add(answer.mode)
        seen.add(db._followers.meaning._index("main").embedder)
        answers += 1
    print(sorted(modes), sorted(seen), answers > 5)
"""


def test_a_process_opened_before_the_change_follows_it_without_a_gap(
    db: Workspace, names: Names, folder: Path
) -> None:
    names(old=Words("old"), new=slow(Words("new")))
    db.embeddings.use("old")
    furnish(db)
    assert db.embeddings.wait(60)
    stop = folder / "stop"
    words = [sys.executable, "-c", OTHER_PROCESS, db._store.database.location, str(stop)]
    other = subprocess.Popen(
        words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert other.stdout is not None
    assert other.stdout.readline() == "ready\n"
    db.embeddings.use("new")
    assert db.embeddings.wait(60)
    time.sleep(3.0)
    stop.touch()
    said, complaint = other.communicate(timeout=60)
    assert (said, complaint) == ("['hybrid'] ['new-1', 'old-1'] True\n", "")


def test_the_next_opening_finds_the_chosen_model(
    open_store: Callable[..., Workspace], names: Names
) -> None:
    chosen = Words("chosen")
    names(chosen=chosen)
    db = open_store(auto_embed=False)
    db.embeddings.use("chosen")
    furnish(db)
    assert db.embeddings.wait(60)
    db.close()
    db = open_store(auto_embed=False)
    assert db.search("note number 31", mode="semantic")[0].key == "n31"
    db.kv.put("more", "noch ein Zettel")
    assert db.embeddings.wait(60)
    assert "noch ein Zettel" in chosen.asked
    assert db.embeddings.embed("Zettel").shape == (chosen.dimension,)


def test_a_model_that_is_gone_leaves_the_words_and_a_reason(
    open_store: Callable[..., Workspace], monkeypatch: pytest.MonkeyPatch, names: Names
) -> None:
    names(**{"fastembed:a/b": Words("a/b")})
    db = open_store(auto_embed=False)
    db.embeddings.use("fastembed:a/b")
    furnish(db)
    assert db.embeddings.wait(60)
    db.close()
    catalogue._LOADERS.pop("fastembed:a/b")
    monkeypatch.setitem(sys.modules, "fastembed", None)
    db = open_store(auto_embed=False)
    found = db.search("note number 31", mode="semantic")
    assert (found.mode, found[0].key) == ("keyword", "n31")
    (model,) = db.embeddings.status().models
    assert (model.name, model.state) == ("fastembed:a/b", "active")
    assert "installed" in (model.reason or "")
    with pytest.raises(Unavailable):
        db.embeddings.embed("Zettel")


def test_a_function_of_ones_own_is_given_again_and_embeds_nothing_twice(
    open_store: Callable[..., Workspace],
) -> None:
    model = Words()
    mine = CallableEmbedder(model.embed, name="mine", dimension=model.dimension)
    db = open_store(auto_embed=False)
    db.embeddings.use(mine)
    furnish(db)
    assert db.embeddings.wait(60)
    assert db.search("note number 31", mode="semantic")[0].key == "n31"
    db.close()
    asked = len(model.asked)
    db = open_store(auto_embed=False)
    assert db.search("note number 31", mode="semantic").mode == "keyword"
    (status,) = db.embeddings.status().models
    assert "give it again" in (status.reason or "")
    db.embeddings.use(mine)
    assert db.search("note number 31", mode="semantic").mode == "semantic"
    assert db.embeddings.status().models[0].reason is None
    assert db.embeddings.wait(60)
    assert len(model.asked) == asked + 1, "the question alone"


def test_a_function_that_fails_at_a_question_leaves_the_words(db: Workspace) -> None:
    model = Words()
    db.embeddings.use(CallableEmbedder(model.embed, name="mine", dimension=model.dimension))
    furnish(db)
    assert db.embeddings.wait(60)
    model.is_away = True
    found = db.search("note number 31")
    assert (found.mode, found[0].key) == ("keyword", "n31")


def test_vectors_of_another_edition_are_rebuilt_by_this_one(
    open_store: Callable[..., Workspace], names: Names
) -> None:
    furnish_by_the_edition_before(open_store, names, "model")
    db = open_store(auto_embed=False)
    assert db.search("note number 31", mode="semantic").mode == "keyword"
    (status,) = db.embeddings.status().models
    assert "another edition" in (status.reason or "")
    db.embeddings.rebuild()
    assert db.embeddings.wait(60)
    assert db.search("note number 31", mode="semantic").mode == "semantic"


def furnish_by_the_edition_before(
    open_store: Callable[..., Workspace], names: Names, name: str
) -> Words:
    """Make a store's vectors by the edition of a model before the one that is returned."""
    names(**{name: Words(name)})
    db = open_store(auto_embed=False)
    db.embeddings.use(name)
    furnish(db)
    assert db.embeddings.wait(60)
    db.close()
    later = Words(name)
    later.id = f"{name}-2"
    names(**{name: later})
    return later


def furnish_by_an_earlier_edition(
    open_store: Callable[..., Workspace], names: Names, monkeypatch: pytest.MonkeyPatch
) -> Words:
    """Make a store's vectors by an earlier edition of the shipped model; return the later one."""
    later = furnish_by_the_edition_before(open_store, names, "minilm")
    monkeypatch.setattr(minilm, "EARLIER", frozenset({"minilm-1"}))
    return later


def test_vectors_of_an_earlier_edition_are_made_anew_without_a_command(
    open_store: Callable[..., Workspace], names: Names, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = furnish_by_an_earlier_edition(open_store, names, monkeypatch)
    gate = threading.Event()
    later.meanwhile = lambda: gate.wait(30)
    db = open_store(auto_embed=False)
    status = db.embeddings.status()
    assert status.pending == TEXTS
    assert "earlier edition" in (status.models[0].reason or "")
    db.close()
    db = open_store(auto_embed=True)
    assert db.search("note number 31").mode == "keyword"
    gate.set()
    until(lambda: not db.embeddings.status().pending)
    assert db.search("note number 31", mode="semantic")[0].key == "n31"
    assert models(db) == {"minilm": "active"}
    # The vectors of the earlier edition are removed in the background.
    until(lambda: [one.reason for one in db.embeddings.status().models] == [None])
    db.close()


def test_what_a_later_edition_has_made_so_far_answers(
    open_store: Callable[..., Workspace], names: Names, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = furnish_by_an_earlier_edition(open_store, names, monkeypatch)
    monkeypatch.setattr(limits, "EMBED_BATCH_S", 0.05)
    slow(later, 0.02)
    db = open_store(auto_embed=True)
    until(lambda: keys(db, "note number 0")[:1] == ["n0"])
    assert db.embeddings.status().pending > 0
    db.close()


def test_vectors_of_a_later_edition_are_left_alone(
    open_store: Callable[..., Workspace], names: Names, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two installations that share a store must not undo each other's work for ever."""
    furnish_by_an_earlier_edition(open_store, names, monkeypatch)
    monkeypatch.setattr(minilm, "EARLIER", frozenset[str]())
    db = open_store(auto_embed=True)
    assert db.search("note number 31").mode == "keyword"
    assert db.embeddings.wait(60)
    (status,) = db.embeddings.status().models
    assert "another edition" in (status.reason or "")
    assert (status.embedded, status.pending) == (TEXTS, 0)
    db.close()


def test_an_installed_earlier_edition_makes_nothing_anew(
    open_store: Callable[..., Workspace], names: Names, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = furnish_by_an_earlier_edition(open_store, names, monkeypatch)
    later.id = "minilm-1"
    db = open_store(auto_embed=True)
    assert db.search("note number 31", mode="semantic").mode == "semantic"
    assert db.search("note number 7", mode="semantic").mode == "semantic"
    assert not db.embeddings.wait(0.5)
    assert set(later.asked) == {"note number 31", "note number 7"}
    db.close()


# Behind an endpoint.


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    server.script = [answer]
    yield server
    server.close()


def answer(body: dict[str, Any]) -> Reply:
    rows = Words().embed(body["input"]).tolist()
    return ok({"data": [{"index": n, "embedding": row} for n, row in enumerate(rows)]})


def test_an_endpoint_is_chosen_by_name_and_found_again(
    open_store: Callable[..., Workspace],
    server: Server,
    monkeypatch: pytest.MonkeyPatch,
    names: Names,
) -> None:
    names()
    monkeypatch.setenv("STRATA_API_KEY", KEY)
    db = open_store(auto_embed=False)
    name = f"endpoint:{server.url}#bge-m3"
    db.embeddings.use(name)
    furnish(db)
    assert db.embeddings.wait(60)
    db.close()
    catalogue._LOADERS.pop(name)
    db = open_store(auto_embed=False)
    assert db.search("note number 31", mode="semantic")[0].key == "n31"
    assert models(db) == {name: "active"}
    assert [one.origin for one in list_models() if one.name == name] == ["endpoint"]
    assert {request[2]["model"] for request in server.requests} == {"bge-m3"}
    assert {request[1]["Authorization"] for request in server.requests} == {f"Bearer {KEY}"}
    place = db._store.database.location
    with reading_rows(place if IS_POSTGRES else Path(place)) as rows:
        kept = [
            row for name, columns in copied_tables().items() for row in rows.read(name, columns)
        ]
    assert f"endpoint:{server.url}" in str(kept)
    assert KEY not in str(kept), "the key is not kept"


def test_an_endpoint_given_as_an_object_is_found_by_name(
    open_store: Callable[..., Workspace], server: Server, names: Names
) -> None:
    names()
    db = open_store(auto_embed=False)
    db.embeddings.use(EndpointEmbedder(Endpoint(server.url), "bge-m3"))
    furnish(db)
    assert db.embeddings.wait(60)
    db.close()
    db = open_store(auto_embed=False)
    assert db.search("note number 31", mode="semantic")[0].key == "n31"


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("endpoint:", NotFound),
        ("endpoint:http://127.0.0.1:1/v1", NotFound),
        ("endpoint:http://127.0.0.1:1/v1#", NotFound),
        ("endpoint:ftp://127.0.0.1#m", InvalidArgument),
        ("endpoint:http://me:secret@127.0.0.1/v1#m", InvalidArgument),
        ("모름", NotFound),
        (7, InvalidArgument),
        (len, InvalidArgument),
    ],
)
def test_what_is_no_model_is_refused_and_changes_nothing(
    db: Workspace, name: Any, error: type[Exception]
) -> None:
    with pytest.raises(error):
        db.embeddings.use(name)
    assert db.embeddings.status().models == ()


def test_vectors_of_one_length_are_what_an_endpoint_gives(server: Server, names: Names) -> None:
    names()
    found = catalogue.loader(f"endpoint:{server.url}#bge-m3").wait(30)
    assert found is not None
    assert np.allclose(np.linalg.norm(found.embed(["하나", "two"]), axis=1), 1)


def test_a_store_whose_endpoint_is_away_is_searched_by_words(
    open_store: Callable[..., Workspace], server: Server, names: Names
) -> None:
    names()
    db = open_store(auto_embed=False)
    db.embeddings.use(f"endpoint:{server.url}#bge-m3")
    furnish(db)
    assert db.embeddings.wait(60)
    db.close()
    server.close()
    catalogue._LOADERS.pop(f"endpoint:{server.url}#bge-m3")
    db = open_store(auto_embed=False)
    assert db.search("note number 31")[0].key == "n31"
