"""Vectors that another process left to be made: who makes them, and who says so."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import strata
from tests.surface.mcp.wire import Server, call, strata_mcp

PATIENCE_S = 60.0
NOTE = "Pictures may have at most 12 megapixels"
QUESTION = "largest photograph"


@pytest.fixture(name="path")
def fixture_path(tmp_path: Path) -> Path:
    """A store with two facts whose vectors nobody has made."""
    path = tmp_path / "사진.db"
    with strata.open(path, durability="standard", auto_embed=False) as db:
        db.kv.put("photo/limit", NOTE)
        db.kv.put("rules/release", "배포는 금요일에 하지 않는다")
    return path


@pytest.fixture(name="server")
def fixture_server(path: Path) -> Iterator[Server]:
    server = Server(*strata_mcp(path))
    yield server
    server.end()


def test_a_program_that_only_reads_makes_pending_vectors_once_it_searches(path: Path) -> None:
    with strata.open(path, durability="standard") as db:
        assert db.search(QUESTION).pending == 2
        wait_for(lambda: db.embeddings.status().pending == 0)
        assert [hit.key for hit in db.search(QUESTION, 1)] == ["photo/limit"]


def test_a_program_that_never_searches_starts_no_thread(path: Path) -> None:
    with strata.open(path, durability="standard") as db:
        db.kv.get("photo/limit")
        assert not db.embeddings.is_working


def test_a_program_that_ends_soon_makes_them_before_its_first_search(path: Path) -> None:
    with strata.open(path, durability="standard", auto_embed="before_search") as db:
        found = db.search(QUESTION, 1)
        assert [hit.key for hit in found] == ["photo/limit"]
        assert found.pending == 0
        assert not db.embeddings.is_working


def test_a_program_that_may_not_write_says_what_is_pending(path: Path) -> None:
    with strata.open(path, read_only=True, auto_embed="before_search") as db:
        assert db.search(QUESTION).pending == 2


def test_texts_of_documents_are_not_pending_in_a_search_that_does_not_find_them(path: Path) -> None:
    with strata.open(path, auto_embed=False) as db:
        db.documents.create("계획", "# 사진\n\nPictures are small.\n")
        assert db.search(QUESTION).pending == 2
        assert db.embeddings.status().pending > 2


def test_a_server_that_is_only_read_from_makes_them(server: Server) -> None:
    def pending() -> object:
        answer = server.ask("tools/call", call("strata_status"))
        return answer["result"]["structuredContent"]["pending_embeddings"]

    server.greet()
    wait_for(lambda: pending() == 0)
    answer = server.ask("tools/call", call("strata_search", query=QUESTION, k=1))
    assert answer["result"]["structuredContent"]["results"][0]["key"] == "photo/limit"


def wait_for(is_done: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE_S
    while not is_done():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.05)
