"""A glance at the newest texts: by words, at once, and only what is likely meant."""

import subprocess
import sys
from pathlib import Path

import pytest

import strata
from strata import Workspace
from strata.base import limits
from strata.search.quick import scan
from strata.search.quick.words import words_of
from strata.search.relevance import FLOOR


@pytest.fixture
def notes(db: Workspace) -> Workspace:
    db.kv.put("cache/prices", "Prices are cached for sixty seconds")
    db.kv.put("rules/release", "배포는 금요일에 하지 않는다")
    db.kv.put("auth/why", "우리는 JWT 대신 패스키를 쓰기로 했다. 세션 만료는 1시간.")
    db.json.set("queue", "$", {"decision": "Redis for the job queue", "owner": "소연"})
    db.events.append("deploy", {"text": "The green cluster took over in Seoul"})
    return db


@pytest.mark.parametrize(
    ("prompt", "key"),
    [
        ("how long do we cache a price before we ask the shop again?", "cache/prices"),
        ("금요일에 배포해도 돼?", "rules/release"),
        ("JWT를 왜 안 쓰기로 했지?", "auth/why"),
        ("패스키 세션 만료가 얼마였지?", "auth/why"),
        ("which queue do our jobs use, redis?", "queue"),
        ("when did the green cluster take over?", "1"),
    ],
)
def test_a_prompt_finds_what_was_written_about_it(notes: Workspace, prompt: str, key: str) -> None:
    hits = notes.glance(prompt)
    assert hits[0].key == key
    assert hits[0].rank == 1
    assert 0.3 <= hits[0].score <= 1
    assert hits[0].snippet
    assert hits[0].relevance >= FLOOR


@pytest.mark.parametrize(
    ("prompt", "named"),
    [
        ("Where does Caroline say, after Marseille, how prices are cached?", "Caroline, Marseille"),
        ("민준 씨가 금요일에 말한 배포 회의록은 어디에?", "민준"),
    ],
)
def test_a_prompt_that_names_what_nothing_mentions_finds_nothing(
    notes: Workspace, prompt: str, named: str
) -> None:
    assert notes.glance(prompt) == ()
    notes.kv.put("people", f"We met {named} today, 오늘 만났다")
    assert notes.glance(prompt) != ()


@pytest.mark.parametrize(
    "prompt",
    [
        "refactor this function",
        "이 함수 설명해줘",
        "cache",
        "yes",
        "응",
        "",
        "!!!",
        "add a button to the page that shows the total with prices and a spinner while loading",
    ],
)
def test_a_prompt_about_something_else_finds_nothing(notes: Workspace, prompt: str) -> None:
    assert notes.glance(prompt) == ()


def test_without_a_text_it_returns_the_newest_first(notes: Workspace) -> None:
    assert [hit.key for hit in notes.glance(None, 3)] == ["1", "queue", "auth/why"]
    assert [hit.rank for hit in notes.glance(None, 3)] == [1, 2, 3]
    assert len(notes.glance(limit=100)) == 5


def test_what_was_replaced_or_deleted_is_not_shown(notes: Workspace) -> None:
    notes.kv.put("cache/prices", "Prices are cached for ten minutes")
    (hit,) = notes.glance("are prices cached for sixty seconds?")
    assert "ten minutes" in hit.snippet
    notes.kv.delete("cache/prices")
    assert notes.glance("are prices cached for sixty seconds?") == ()


def test_a_branch_shows_its_own_and_what_it_was_forked_from(notes: Workspace) -> None:
    notes.branches.fork("try")
    notes.on("try").kv.put("limit", "Retry limit is five attempts")
    notes.kv.put("later", "Retry limit of the mailer is nine")
    assert [hit.key for hit in notes.on("try").glance("what is the retry limit?")] == ["limit"]
    assert [hit.key for hit in notes.glance("what is the retry limit?")] == ["later"]
    assert notes.on("try").glance("prices cached seconds")[0].key == "cache/prices"


def test_the_past_is_shown_as_it_was(notes: Workspace) -> None:
    before = notes.kv.put("limit", "Retry limit is five attempts").version
    notes.kv.put("limit", "Retry limit is nine attempts")
    assert "five" in notes.at(before).glance("retry limit attempts")[0].snippet
    assert "nine" in notes.glance("retry limit attempts")[0].snippet


def test_what_was_erased_is_not_found(notes: Workspace) -> None:
    notes.purge("cache/prices")
    assert notes.glance("are prices cached for sixty seconds?") == ()


def test_a_common_word_counts_less_than_a_rare_one(db: Workspace) -> None:
    for number in range(300):
        db.kv.put(f"n{number}", f"the service of team {number} was deployed on cluster blue")
    db.kv.put("odd", "the service for invoices speaks gRPC")
    assert db.glance("is the service deployed as we planned it on monday evening?") == ()
    assert [hit.key for hit in db.glance("does the invoices service speak grpc?")] == ["odd"]


def test_it_looks_back_page_by_page_until_its_time_is_over(
    notes: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(40):
        notes.kv.put(f"n{number}", f"noise {number} without anything to say")
    monkeypatch.setattr(scan, "_PAGE", 10)
    assert notes.glance("prices cached seconds")[0].key == "cache/prices"
    monkeypatch.setattr(limits, "LOOK_TEXTS_MAX", 20)
    assert notes.glance("prices cached seconds") == ()
    monkeypatch.setattr(limits, "LOOK_TEXTS_MAX", 1000)
    monkeypatch.setattr(limits, "LOOK_S", -1.0)
    assert notes.glance("prices cached seconds") == ()


def test_of_a_long_prompt_the_beginning_and_the_end_count() -> None:
    middle = "filler " * 10_000
    words = words_of(f"start {middle} finish")
    assert ("start",) in words
    assert ("finish",) in words
    assert len(words_of(" ".join(f"word{n}x" for n in range(1000)))) == limits.LOOK_WORDS_MAX


def test_bad_input_is_refused(db: Workspace) -> None:
    with pytest.raises(strata.InvalidArgument):
        db.glance("x", 0)
    with pytest.raises(strata.InvalidArgument):
        db.glance(7)  # pyright: ignore[reportArgumentType]


def test_a_glance_loads_neither_numpy_nor_a_model(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with strata.open(path, auto_embed=False) as db:
        db.kv.put("cache", "Prices are cached for sixty seconds")
    code = (
        "import sys, strata\n"
        f"db = strata.open({str(path)!r}, create=False, auto_embed=False)\n"
        "print(len(db.glance('are the prices cached?')), *sys.modules)\n"
        "db.close()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    count, *loaded = done.stdout.split()
    assert count == "1"
    assert not {"numpy", "zstandard", "strata_embed", "asyncio"} & set(loaded)
