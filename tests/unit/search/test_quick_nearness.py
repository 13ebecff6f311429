"""A glance compares the vectors that the store has: fewer words are enough, or more are not."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import strata
from strata import Workspace, models
from strata.base import limits
from strata.search import Nearness, VectorIndex, look
from strata.search.quick import nearness
from strata.search.relevance import FLOOR
from tests.unit.search.embedders import Words, follower, run
from tests.unit.search.test_quick_sealed import seal

PRICES = "Prices are cached for sixty seconds"
GARDEN = [
    "Did you water the garden?",
    "Yes, the tomatoes are growing",
    "Do you still keep the red bicycle?",
    "I sold the red bicycle to my neighbour",
    "What did he pay for it?",
    "Forty euros",
]


class Given(Nearness):
    """Says how near each version is, as a test wants it."""

    def __init__(self, units: dict[int, float]) -> None:
        self.known = units

    def units(self, text: str, versions: Sequence[int]) -> dict[int, float]:
        del text
        return {version: self.known[version] for version in versions if version in self.known}


class Reading(NamedTuple):
    vector: tuple[float, ...]
    usual: float


class Reader:
    """Reads as the embedder of these tests does, and counts how often it is asked for."""

    embedder = "words-1"

    def __init__(self, usual: float = 0.25) -> None:
        self._words = Words()
        self._usual = usual
        self.asked = 0

    def __call__(self) -> "Reader":
        self.asked += 1
        return self

    def read(self, text: str) -> Reading | None:
        if text == "unreadable":
            return None
        return Reading(tuple(self._words.vector(text).tolist()), self._usual)


def glanced(db: Workspace, text: str, near: Nearness) -> dict[str, float]:
    """Return what a glance finds by its key, and how relevant it is."""
    return {hit.key: hit.relevance for hit in look(db._view.snapshot, text, 5, nearness=near)}


# ---------------------------------------------------------------- judging


def test_one_word_is_enough_for_a_text_that_is_near(db: Workspace) -> None:
    version = db.kv.put("cache", PRICES).version
    prompt = "how stale may a price be?"
    assert glanced(db, prompt, Given({})) == {}
    assert glanced(db, prompt, Given({version: 6.0}))["cache"] > 0.9
    assert glanced(db, prompt, Given({version: 0.0})) == {}


def test_a_text_that_shares_words_and_is_not_near_is_not_shown(db: Workspace) -> None:
    version = db.kv.put("cache", PRICES).version
    prompt = "add a page that lists prices in sixty currencies"
    assert glanced(db, prompt, Given({}))["cache"] > FLOOR
    assert glanced(db, prompt, Given({version: 0.5})) == {}


def test_what_has_no_vector_yet_is_judged_by_its_words_beside_what_has(db: Workspace) -> None:
    near = db.kv.put("near", "Shop prices, sixty of them").version
    db.kv.put("new", "Sixty seconds is how long prices are cached")
    found = glanced(db, "are prices cached for sixty seconds?", Given({near: 9.0}))
    assert list(found) == ["near", "new"]


def test_a_prompt_that_names_what_nothing_mentions_needs_more(db: Workspace) -> None:
    near = Given({db.kv.put("cache", PRICES).version: 3.0})
    known = glanced(db, "for how long are prices cached?", near)["cache"]
    person = glanced(db, "For how long are prices cached, says Marseille?", near)
    setting = glanced(db, "for how long are prices cached by CACHE_EPOCH?", near)
    assert max([*person.values(), 0.0]) < known
    assert max([*setting.values(), 0.0]) < known


@pytest.mark.parametrize("is_sealed", [False, True])
def test_a_part_of_a_talk_needs_more_than_a_text_of_its_own(
    db: Workspace, monkeypatch: pytest.MonkeyPatch, *, is_sealed: bool
) -> None:
    versions = [db.kv.put("alone", GARDEN[3]).version]
    for number, text in enumerate(GARDEN):
        told = db.kv.put(f"talk {number}", text, tags=["session:garden"])
        calm = db.kv.put(f"list {number}", text.replace("?", "."), tags=["session:list"])
        versions += [told.version, calm.version]
    if is_sealed:
        monkeypatch.setattr(limits, "SEAL_VERSIONS", 4)
        seal(db)
    near = Given(dict.fromkeys(versions, 3.5))
    found = glanced(db, "who has the red bicycle that was sold?", near)
    assert found["alone"] == found["list 3"]
    assert found.get("talk 3", 0) < found["alone"] - 0.2


# ---------------------------------------------------------------- comparing


@pytest.fixture
def embedded(db: Workspace) -> Workspace:
    """Three texts with vectors, one of them in several chunks."""
    db.kv.put("cache", PRICES)
    db.kv.put("deploy", "Nothing is deployed on Friday")
    db.kv.put("page", " ".join(f"word{number}." for number in range(120)))
    run(follower(db, main=Words()))
    return db


def versions_of(db: Workspace) -> list[int]:
    return [found.version for key in ("cache", "deploy", "page") if (found := db.kv.get(key))]


def test_nearness_is_that_of_a_search_with_the_same_vector(embedded: Workspace) -> None:
    versions, reader = versions_of(embedded), Reader(0.25)
    prompt = "Prices deployed word7."
    units = Nearness(embedded._store, reader).units(prompt, versions)
    index = VectorIndex(embedded._store, "main")
    index.refresh()
    cosines = index.cosines(Words().vector(prompt), np.array(versions))
    in_spreads = (cosines - 0.25) / nearness._SPREAD
    assert [units[version] for version in versions] == pytest.approx(in_spreads, abs=0.05)


def test_so_many_vectors_are_compared_and_no_more(
    embedded: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    versions = versions_of(embedded)
    monkeypatch.setattr(limits, "LOOK_VECTORS", 2)
    assert list(Nearness(embedded._store, Reader()).units("prices", versions)) == versions[:2]


def test_vectors_of_another_model_are_not_compared(embedded: Workspace) -> None:
    reader = Reader()
    reader.embedder = "words-2"
    assert Nearness(embedded._store, reader).units("prices", versions_of(embedded)) == {}


def test_without_a_reader_or_a_reading_the_words_judge(embedded: Workspace) -> None:
    versions = versions_of(embedded)
    assert Nearness(embedded._store, lambda: None).units("prices", versions) == {}
    assert Nearness(embedded._store, Reader()).units("unreadable", versions) == {}
    assert Nearness(embedded._store, Reader()).units("prices", []) == {}


def test_where_there_are_no_vectors_no_reader_is_asked_for(db: Workspace) -> None:
    version, reader = db.kv.put("cache", PRICES).version, Reader()
    assert Nearness(db._store, reader).units("prices", [version]) == {}
    assert reader.asked == 0


def test_of_a_long_prompt_only_the_beginning_and_the_end_are_read(embedded: Workspace) -> None:
    read: list[str] = []
    reader = Reader()
    reader.read = read.append  # pyright: ignore[reportAttributeAccessIssue]
    Nearness(embedded._store, reader).units("start " + "x" * 10**6 + " end", versions_of(embedded))
    assert len(read[0]) <= limits.PROMPT_CHARACTERS_MAX + 1
    assert read[0].startswith("start")
    assert read[0].endswith("end")


def test_an_erased_text_has_no_vector_to_compare(embedded: Workspace) -> None:
    versions = versions_of(embedded)
    embedded.purge("cache")
    found = Nearness(embedded._store, Reader()).units("prices", versions)
    assert list(found) == versions[1:]


# ---------------------------------------------------------------- with the shipped model


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """A store whose vectors were made, opened as a hook opens it."""
    path: Path = tmp_path_factory.mktemp("near") / "notes.db"
    with strata.open(path) as db:
        db.kv.put("cache", PRICES)
        db.kv.put("배포", "배포는 금요일에 하지 않는다")
        db.kv.put("logs", "Logs of the mobile app are kept for ninety days")
        assert db.embeddings.wait(60)
    with strata.open(path, auto_embed=False) as db:
        yield db


@pytest.mark.parametrize(
    ("prompt", "key"),
    [("how stale may a price be?", "cache"), ("금요일 저녁에 릴리스해도 되나?", "배포")],
)
def test_a_prompt_in_other_words_finds_what_is_meant(
    notes: Workspace, monkeypatch: pytest.MonkeyPatch, prompt: str, key: str
) -> None:
    assert [hit.key for hit in notes.glance(prompt)] == [key]
    monkeypatch.setattr(models, "quick_reader", lambda: None)
    assert notes.glance(prompt) == ()
