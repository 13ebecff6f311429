"""One search: the SDK, the tool, the command, the page and `find` give the same answer."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import strata
from strata.documents import Request
from strata.tools import PAGE_GROUP, Session, StoreHost, call_tool, expose
from tests.surface.conftest import Run

ANSWERED = ["how long are prices cached?", "배포는 금요일에 하나요?", "heron of the lake"]
UNKNOWN = ["quantum chromodynamics of gluons", "세종대왕의 생일 선물", "zebra crossing Manhattan"]


@pytest.fixture
def path(project: Path) -> Path:
    return project / ".strata" / "store.db"


@pytest.fixture
def db(path: Path) -> Iterator[strata.Workspace]:
    with strata.open(path, auto_embed=False) as opened:
        opened.kv.put("cache/prices", "Prices are cached for sixty seconds, then counted again")
        opened.kv.put("rules/release", "배포는 금요일에 하지 않는다")
        opened.kv.put("lake/birds", "A heron of the lake was seen twice")
        opened.events.append("birds", {"seen": "the heron of the lake, at noon"})
        opened.decisions.save("cache_policy", "Prices are cached for sixty seconds", "Quick enough")
        opened.documents.create("Prices", "# Cache\n\nHow long prices are cached: sixty seconds.\n")
        yield opened


@pytest.fixture
def session(db: strata.Workspace) -> Iterator[Session]:
    host = StoreHost(lambda: db, auto_embed=False)
    chosen = expose("memory,core")
    exposure = msgspec.structs.replace(chosen, groups=(*chosen.groups, PAGE_GROUP))
    made = Session(host, caller="owner", exposure=exposure)
    yield made
    made.close()


def called(session: Session, name: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool, also one that only the page has."""
    tool = session.exposure.find(name)
    assert tool is not None
    outcome = call_tool(session, tool, arguments)
    assert not outcome.is_error, outcome.value
    return msgspec.json.decode(msgspec.json.encode(outcome.value))


@pytest.mark.parametrize("question", ANSWERED)
@pytest.mark.parametrize("strict", [True, False])
def test_what_answers_is_the_same_everywhere(
    db: strata.Workspace, session: Session, run: Run, path: Path, question: str, *, strict: bool
) -> None:
    answer = db.search(question, 10, strict=strict)
    assert answer.known
    keys = [hit.key for hit in answer.hits]
    assert keys
    tool = called(session, "strata_search", query=question, strict=strict)
    assert [one["key"] for one in tool["results"]] == keys
    # By words, because a command would make the vectors that the others do without.
    command = ("search", "--mode", "keyword", "--json")
    options = () if strict else ("--no-strict",)
    told = run("--db", path, *command, question, *options).json
    assert [(one["key"], one["relevance"]) for one in told["hits"]] == [
        (hit.key, hit.relevance) for hit in answer.hits
    ]
    if strict:
        page = called(session, "page_find", query=question)
        assert page["known"]
        assert len(page["hits"]) == len(keys)


@pytest.mark.parametrize("question", UNKNOWN)
def test_where_nothing_is_relevant_every_way_is_silent(
    db: strata.Workspace, session: Session, run: Run, path: Path, question: str
) -> None:
    answer = db.search(question)
    assert (answer.known, list(answer.hits)) == (False, [])
    tool = called(session, "strata_search", query=question)
    assert (tool["known"], tool["results"]) == (False, [])
    assert tool.get("nearest", "") == answer.nearest
    told = run("--db", path, "search", "--mode", "keyword", "--json", question)
    assert (told.code, told.json["known"], told.json["hits"]) == (1, False, [])
    page = called(session, "page_find", query=question)
    assert (page["known"], page["hits"]) == (False, [])
    assert not db.documents.find(Request(query=question)).items
    found = called(session, "find", intent="search", query=question)
    assert found["items"] == []
    prompt = json.dumps({"prompt": question, "session_id": "s"})
    hook = run("hook", "prompt", "--db", path, input=prompt)
    assert (hook.code, hook.out) == (0, "")


def test_every_way_names_what_came_nearest(
    db: strata.Workspace, session: Session, run: Run, path: Path
) -> None:
    for number in range(20):
        db.kv.put(f"note{number}", "Boats wait in winter")
    # The day asked for puts a note first that has less to do with the question.
    db.kv.put("diary", "[2026-05-02] Some days")
    question = "Did prices of gluon days rise on May 2, 2026?"
    assert db.search(question, strict=False)[0].key == "diary"
    answer = db.search(question)
    assert (answer.known, list(answer.hits)) == (False, [])
    key, _colon, words = answer.nearest.partition(": ")
    assert called(session, "strata_search", query=question)["nearest"] == answer.nearest
    assert words.startswith("Cache")
    assert called(session, "page_find", query=question)["nearest"]["id"] == key
    told = run("--db", path, "search", "--mode", "keyword", question)
    assert f"nearest is {key}" in told.err
    document = called(session, "find", intent="search", query=question)
    assert document["nearest"] == "Prices: # Cache How long prices are cached: sixty seconds."
    # This command makes the vectors that the others do without: by these something is nearest.
    told = run("--db", path, "doc", "search", "Who of Manhattan gave away sixty gluons?")
    assert "Nearest is Prices:" in told.err


def test_what_find_shows_carries_its_relevance(session: Session) -> None:
    [item] = called(session, "find", intent="search", query="how long are prices cached?")["items"]
    [hit] = called(
        session, "strata_search", query="how long are prices cached?", kinds=["document"]
    )["results"]
    assert item["relevance"] == pytest.approx(hit["relevance"], abs=0.1)
    assert item["relevance"] >= 0.3
