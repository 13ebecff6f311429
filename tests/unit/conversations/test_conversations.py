"""Listing, reading, citing and finding conversations."""

from pathlib import Path

import pytest

import strata
from tests.unit.conversations.test_importing import EXPECTED, claude_line, take


@pytest.fixture
def full(db: strata.Workspace, files: dict[str, Path]) -> strata.Workspace:
    db.conversations.import_files(files.values())
    return db


def test_conversations_are_listed_by_their_newest_turn(full: strata.Workspace) -> None:
    listed = full.conversations.list()
    assert {one.id for one in listed} == {id_ for id_, *_words in EXPECTED.values()}
    times = [one.timestamp for one in listed]
    assert times == sorted(times, reverse=True)
    page = full.conversations.list(limit=2)
    assert page.more
    assert [one.id for one in page.all()] == [one.id for one in listed]


def test_a_list_can_be_limited_to_a_client_and_a_time(full: strata.Workspace) -> None:
    assert [one.client for one in full.conversations.list(client="codex")] == ["codex"]
    late = full.conversations.list(since="2026-06-01")
    assert {one.client for one in late} == {"claude-code", "codex", "gemini", "opencode"}


def test_the_beginning_of_an_id_is_enough(full: strata.Workspace) -> None:
    assert full.conversations.called("0f6c").title == "Retry limits"
    with pytest.raises(strata.NotFound):
        full.conversations.called("zzz")
    with pytest.raises(strata.InvalidArgument, match="beginning of 6"):
        full.conversations.called("")


def test_citations_name_one_turn_or_several(full: strata.Workspace) -> None:
    id_ = EXPECTED["claude-ai"][0]
    [turn] = full.conversations.cited(f"{id_}#2")
    assert turn.text == "Three times, with a growing pause."
    assert turn.citation == f"{id_}#2"
    assert [one.number for one in full.conversations.cited(f"{id_}#1-9")] == [1, 2]
    assert full.conversations.cited(f"{id_}#0") == []
    assert full.conversations.cited("https://example.com/a#2") == []


def test_search_finds_turns_below_facts_of_the_same_words(full: strata.Workspace) -> None:
    full.facts.remember("retry", "The importer should retry three times")
    hits = full.search("how often should the importer retry").hits
    assert [hit.kind for hit in hits[:2]] == ["kv", "turn"]
    turn = hits[1]
    assert turn.key == f"{EXPECTED['claude-ai'][0]}#1"
    assert turn.time.isoformat() == "2026-01-02T09:00:01.500000+00:00"


def test_a_turn_that_answers_better_is_above_a_fact(full: strata.Workspace) -> None:
    full.facts.remember("retry", "Retry buttons are blue")
    assert full.search("how often should the importer retry")[0].kind == "turn"


def test_search_can_be_limited_to_turns_and_by_when_they_were_said(
    full: strata.Workspace,
) -> None:
    full.facts.remember("retry", "The importer should retry three times")
    asked = "how often should the importer retry"
    assert {hit.kind for hit in full.search(asked, kinds=["turn"])} == {"turn"}
    assert len(full.search(asked, kinds=["turn"], since="2026-01-01", until="2026-01-03")) > 0
    assert len(full.search(asked, kinds=["turn"], since="2026-01-03", until="2026-02-01")) == 0


def test_a_question_about_users_does_not_find_every_turn_of_the_user(
    db: strata.Workspace, tmp_path: Path
) -> None:
    path = tmp_path / "7f2a.jsonl"
    path.write_text("".join(claude_line(n, f"줄 {n} 이것") for n in range(1, 9)), encoding="utf-8")
    take(db, path)
    db.facts.remember("user/limit", "A user may have ten tokens")
    assert [hit.kind for hit in db.search("how many tokens may a user have")] == ["kv"]


def test_a_glance_never_returns_what_was_only_said(full: strata.Workspace) -> None:
    assert full.glance("how often should the importer retry?") == ()
    assert full.glance() == ()


def test_turns_are_no_facts(full: strata.Workspace) -> None:
    assert full.totals().facts == 0
    assert full.info().keys == 0


def test_the_past_shows_what_was_taken_in_by_then(full: strata.Workspace) -> None:
    version = full.resolve("now").version
    full.conversations.forget(EXPECTED["codex"][0])
    assert len(full.conversations.list()) == 5
    assert len(full.at(version).conversations.list()) == 6
    with pytest.raises(strata.ReadOnly):
        full.at(version).conversations.import_files([])
