"""Where facts and decisions come from, and leaving out what no longer holds."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import strata


@pytest.fixture
def db() -> Iterator[strata.Workspace]:
    with strata.open(durability="cache", auto_embed=False) as made:
        yield made


@pytest.fixture
def source(db: strata.Workspace, tmp_path: Path) -> str:
    """A turn that can be cited."""
    line = {"type": "user", "sessionId": "7f2a", "message": {"content": "포트는 8443으로 하자"}}
    (tmp_path / "a.jsonl").write_text(json.dumps(line), encoding="utf-8")
    db.conversations.import_files([tmp_path / "a.jsonl"])
    return "claude-code/7f2a#1"


def test_a_fact_tells_who_wrote_it_from_which_turn_and_what_was_there_before(
    db: strata.Workspace, source: str
) -> None:
    db.as_actor("old-agent").kv.put("port", 8080)
    db.as_actor("codex", task="t1").facts.remember("port", 8443, sources=[source, "docs/a.md"])
    found = db.why("port")
    assert (found.kind, found.value, found.commit.actor, found.commit.task) == (
        "kv",
        8443,
        "codex",
        "t1",
    )
    assert found.commit.branch == "default"
    cited, other = found.sources
    assert [turn.text for turn in cited.turns] == ["포트는 8443으로 하자"]
    assert (other.source, other.kind) == ("docs/a.md", "text")
    assert [(one.value, one.commit.actor) for one in found.earlier] == [(8080, "old-agent")]


def test_a_source_that_is_not_here_is_named_as_a_text(db: strata.Workspace) -> None:
    db.facts.remember("port", 1, sources=["codex/elsewhere#4"])
    assert [(one.source, one.kind) for one in db.why("port").sources] == [
        ("codex/elsewhere#4", "text")
    ]


def test_a_document_as_a_source_has_its_title_for_those_who_may_read_it(
    db: strata.Workspace,
) -> None:
    document = db.documents.create("배포 계획").document
    db.facts.remember("port", 1, sources=[document])
    assert db.why("port").sources[0].title == "배포 계획"
    other = db.users.add("ben@example.com", "Ben")
    assert db.as_user(other.id).why("port").sources[0].title == ""


def test_facts_tell_what_replaces_them_and_what_they_replace(db: strata.Workspace) -> None:
    db.facts.remember("old", "a")
    db.facts.remember("new", "b", tags=["supersedes:old"])
    assert db.why("old").replaced_by == ("new",)
    assert db.why("old").caveat == "replaced by new"
    assert db.why("new").replaces == ("old",)


def test_a_decision_is_found_by_its_topic_and_tells_what_it_replaced(
    db: strata.Workspace, source: str
) -> None:
    first = db.decisions.save("auth", "Use sessions", "Simple").memory
    second = db.decisions.save(
        "auth",
        "토큰을 쓴다",
        "모바일",
        sources=[source],
        until="2026-01-01",
        review_by="2025-12-01",
    ).memory
    found = db.why("auth")
    assert (found.key, found.replaces) == (second.id, (first.id,))
    assert found.sources[0].kind == "turn"
    assert found.caveat == "expired 2026-01-01"
    assert db.why(first.id).replaced_by == (second.id,)


def test_what_is_unknown_is_an_error(db: strata.Workspace) -> None:
    with pytest.raises(strata.NotFound, match="Nothing is known by the name"):
        db.why("missing")


def test_marks_take_the_place_of_earlier_ones_and_other_tags_stay(db: strata.Workspace) -> None:
    db.facts.remember("sale", 1, tags=["shop"], until="2026-01-01")
    held = db.facts.remember("sale", 1, until="2027-01-01").held
    assert held.tags == ("shop", "until:2027-01-01")


def test_a_search_leaves_out_what_has_expired_and_names_it(db: strata.Workspace) -> None:
    db.facts.remember("sale/spring", "The sale gives 20 % off", until="2026-05-03")
    db.facts.remember("sale/always", "The sale page is cached", since="2999-01-01")
    found = db.search("how much off does the sale give")
    assert [hit.key for hit in found] == ["sale/always"]
    assert found[0].caveat == "holds from 2999-01-01"
    assert "Left out because it has expired: sale/spring." in found.notes
    every = db.search("how much off does the sale give", expired=True)
    assert every[0].key == "sale/spring"
    assert every[0].caveat == "expired 2026-05-03"
    assert [hit.key for hit in db.glance("the sale gives off")] != ["sale/spring"]


def test_what_has_expired_takes_no_place_of_what_holds(db: strata.Workspace) -> None:
    for number in range(5):
        db.facts.remember(f"old/{number}", "The sale gives 20 % off now", until="2026-05-03")
    for number in range(3):
        db.facts.remember(f"new/{number}", f"The sale gives some money off, shop {number}")
    found = db.search("what does the sale give off now", 3)
    assert sorted(hit.key for hit in found) == ["new/0", "new/1", "new/2"]


def test_the_past_shows_what_held_then(db: strata.Workspace) -> None:
    db.facts.remember("sale", "The sale gives 20 % off", until="2026-05-03")
    assert len(db.search("sale")) == 0
    assert db.facts.recall("sale") is not None


def test_decisions_that_have_expired_are_left_out_of_every_search(db: strata.Workspace) -> None:
    db.decisions.save("discount", "Give 20 % off", "Spring", until="2026-05-03")
    assert db.decisions.search("discount off") == []
    assert len(db.decisions.search("discount off", expired=True)) == 1
    assert len(db.search("how much discount off")) == 0
    assert db.search("how much discount off", expired=True)[0].caveat == "expired 2026-05-03"


def test_events_are_read_by_when_they_happened(db: strata.Workspace) -> None:
    times = ["2026-03-03", "2026-03-01", "2026-03-05", "2026-03-02"]  # the clock went back
    db.events.append_many([("deploy", {"n": n}, f"{day}T12:00Z") for n, day in enumerate(times)])
    db.events.append("note", {}, time="2026-03-02T13:00Z")

    def numbers(**limits: str) -> list[int]:
        return [one.sequence for one in db.events.list(**limits)]  # pyright: ignore[reportArgumentType]

    assert numbers(since="2026-03-02T00:00Z", until="2026-03-03") == [1, 4, 5]
    assert numbers(type="deploy", since="2026-03-02T00:00Z", until="2026-03-03") == [1, 4]
    assert numbers(since="2026-03-04T00:00Z") == [3]
    assert numbers(until="2026-02-01") == []
    page = db.events.list(until="2026-03-03", limit=1)
    assert [one.sequence for one in page.all()] == [1, 2, 4, 5]
