"""Each of 42 kinds of damage that were met in real databases is taken as it should be."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from strata import Workspace
from strata.decisions import Link, Memory
from strata.exchange import MamaImport, import_mama
from tests.contract.mama.conftest import FILES, Given, rows, state
from tests.contract.mama.test_rows import check_decision

CASES: list[dict[str, Any]] = json.loads((FILES / "dirty_cases.json").read_text(encoding="utf-8"))
NAMES = [f"{case['case']}-{case.get('id', case.get('checkpoint'))}" for case in CASES]


class Found:
    """A dirty database after its import, and questions to it."""

    def __init__(
        self, db: Workspace, report: MamaImport, source: dict[str, dict[str, Any]]
    ) -> None:
        self.db, self.report, self.source = db, report, source
        self.memories, self.links = state(db)

    def memory(self, case: dict[str, Any]) -> Memory:
        name = f"checkpoint_{case['checkpoint']}" if "checkpoint" in case else case["id"]
        found = self.db.decisions.get(name)
        assert found is not None
        return found

    def v1(self, case: dict[str, Any]) -> dict[str, Any]:
        return self.memory(case).metadata.get("v1", {})

    def warned(self, id_: str, *words: str) -> bool:
        return any(
            one.id == id_ and all(word in one.what for word in words)
            for one in self.report.warnings
        )

    def evolution(self, id_: str) -> list[Link]:
        return [
            link
            for link in self.links.values()
            if link.from_id == id_ and link.link_type == "evolution" and not link.is_suggestion
        ]

    def heads(self, topic: str) -> list[str]:
        return [memory.id for memory in self.db.decisions.heads(topic)]


@pytest.fixture
def found(db: Workspace, given: Given) -> Found:
    path = given("dirty")
    source = {row["id"]: row for row in rows(path, "decisions")}
    return Found(db, import_mama(db, path), source)


def seconds_timestamp(found: Found, case: dict[str, Any]) -> None:
    assert found.memory(case).created_at == found.source[case["id"]]["created_at"] * 1000


def iso_text_timestamp(found: Found, case: dict[str, Any]) -> None:
    assert found.memory(case).created_at == 1763634600000


def null_timestamp(found: Found, case: dict[str, Any]) -> None:
    age = found.db.log(limit=1)[0].timestamp // 1000 - found.memory(case).created_at
    assert 0 <= age < 60_000
    assert found.warned(case["id"], "created_at", "missing")


def dangling_supersedes(found: Found, case: dict[str, Any]) -> None:
    missing = found.source[case["id"]]["supersedes"]
    assert found.evolution(case["id"]) == []
    assert found.v1(case)["supersedes"] == missing
    assert found.warned(case["id"], missing)


def dangling_superseded_by(found: Found, case: dict[str, Any]) -> None:
    missing = found.source[case["id"]]["superseded_by"]
    assert found.heads("dangling_forward") == [case["id"]]
    assert found.v1(case)["superseded_by"] == missing
    assert found.warned(case["id"], missing)


def two_heads(found: Found, case: dict[str, Any]) -> None:
    assert case["id"] in found.heads("two_heads")
    split = next(one for one in found.report.conflicts if one.topic == "two_heads")
    assert case["id"] in split.ids
    assert len(split.ids) == 2


def cycle(found: Found, case: dict[str, Any]) -> None:
    kept = [link.to_id for link in found.evolution("decision_cycle_2_aaaa")]
    assert kept == ["decision_cycle_1_aaaa"]
    assert found.evolution("decision_cycle_1_aaaa") == []
    assert found.warned("decision_cycle_1_aaaa", "decision_cycle_2_aaaa", "dropped")
    assert found.heads("cycle") == ["decision_cycle_2_aaaa"]
    assert len(found.db.decisions.evolution(case["id"])) == 2
    assert len(found.db.decisions.walk(case["id"], depth=5)) >= 1


def field_without_edge(found: Found, case: dict[str, Any]) -> None:
    links = found.evolution("decision_noedge_2_aaaa")
    assert [link.to_id for link in links] == ["decision_noedge_1_aaaa"]
    assert found.memory(case).topic == "noedge"


def edge_without_field(found: Found, case: dict[str, Any]) -> None:
    links = found.evolution("decision_edgeonly_2_aaaa")
    assert [link.to_id for link in links] == ["decision_edgeonly_1_aaaa"]
    assert found.memory(case).topic == "edgeonly"


def self_loop_edge_in_seconds(found: Found, case: dict[str, Any]) -> None:
    assert not any(link.from_id == link.to_id for link in found.links.values())
    assert found.warned(case["id"], "itself")
    assert min(link.created_at for link in found.links.values()) > 1_577_836_800_000


def edge_to_missing(found: Found, case: dict[str, Any]) -> None:
    assert found.warned(case["id"], case["id"], "decision_never_existed_2_zzzz")
    assert found.v1(case)["edges"][0]["to_id"] == "decision_never_existed_2_zzzz"


def refined_from_json(found: Found, case: dict[str, Any]) -> None:
    links = found.evolution(case["id"])
    assert {link.to_id for link in links} == {
        "decision_two_heads_1_aaaa",
        "decision_two_heads_2_aaaa",
    }
    assert {link.relationship for link in links} == {"refines"}


def refined_from_not_json(found: Found, case: dict[str, Any]) -> None:
    assert found.v1(case)["refined_from"] == found.source[case["id"]]["refined_from"]
    assert found.warned(case["id"], "refined_from")


def trust_context(found: Found, case: dict[str, Any]) -> None:
    raw = found.source[case["id"]]["trust_context"]
    assert found.memory(case).metadata["trust_context"] == json.loads(raw)


def trust_context_not_json(found: Found, case: dict[str, Any]) -> None:
    assert found.v1(case)["trust_context"] == "{broken"
    assert found.warned(case["id"], "trust_context")


def null_reasoning(found: Found, case: dict[str, Any]) -> None:
    assert "reasoning" not in found.memory(case).metadata


def empty_decision(found: Found, case: dict[str, Any]) -> None:
    assert found.memory(case).content == ""
    assert found.warned(case["id"], "empty")


def confidence_edges(found: Found, case: dict[str, Any]) -> None:
    wanted = {"decision_conf_0_aaaa": 0.0, "decision_conf_1_aaaa": 1.0}
    assert found.memory(case).confidence == wanted[case["id"]]


def longest_fields(found: Found, case: dict[str, Any]) -> None:
    row, memory = found.source[case["id"]], found.memory(case)
    assert len(memory.topic or "") == 200
    assert memory.content == row["decision"]
    assert memory.reasoning == row["reasoning"]


def nfc_topic(found: Found, case: dict[str, Any]) -> None:
    topic = found.source[case["id"]]["topic"]
    assert found.memory(case).topic == topic
    for spelling in ("\ubc30\ud3ec \uc804\ub7b5", topic):
        assert case["id"] in [one.id for one in found.db.decisions.on_topic(spelling).chain]


def nfd_topic(found: Found, case: dict[str, Any]) -> None:
    nfc_topic(found, case)
    assert case["id"] in found.heads("\ubc30\ud3ec \uc804\ub7b5")
    assert any(len(group) == 2 and group[0] != group[1] for group in found.report.same_topics)
    assert found.evolution(case["id"]) == []


def topic_case_and_space(found: Found, case: dict[str, Any]) -> None:
    assert found.memory(case).topic == "Auth Strategy "
    assert ("auth_strategy", "Auth Strategy ") in found.report.same_topics
    assert found.evolution(case["id"]) == []


def duplicate_text(found: Found, case: dict[str, Any]) -> None:
    assert found.memory(case).content == "same words"
    assert {"decision_dup_1_aaaa", "decision_dup_2_aaaa"} <= found.memories.keys()


def involvement_values(found: Found, case: dict[str, Any]) -> None:
    row = found.source[case["id"]]
    assert found.memory(case).metadata["user_involvement"] == row["user_involvement"]


def assistant_insight(found: Found, case: dict[str, Any]) -> None:
    assert found.memory(case).type == "decision"
    assert "user_involvement" not in found.memory(case).metadata
    assert found.v1(case)["needs_validation"] == 1


def usage_counters(found: Found, case: dict[str, Any]) -> None:
    row = found.source[case["id"]]
    for name in ("usage_count", "usage_success", "usage_failure", "time_saved", "duration_days"):
        assert found.v1(case)[name] == row[name]


def quotes_and_sql(found: Found, case: dict[str, Any]) -> None:
    check_decision(found.memory(case), found.source[case["id"]])


def vector_without_decision(found: Found, case: dict[str, Any]) -> None:
    assert case["id"] not in found.memories
    assert found.warned(f"rowid {case['rowid']}", "vector")
    assert found.report.vectors == 63


def checkpoint_archived(found: Found, case: dict[str, Any]) -> None:
    assert found.memory(case).metadata["status"] == "archived"
    last = found.db.decisions.last_checkpoint()
    assert last is not None
    assert last.id != found.memory(case).id


def checkpoint_null_files(found: Found, case: dict[str, Any]) -> None:
    assert found.memory(case).metadata["open_files"] == []


def checkpoint_bad_json(found: Found, case: dict[str, Any]) -> None:
    assert found.v1(case)["open_files"] == "src/a.ts, src/b.ts"
    assert found.warned("checkpoint_13", "open_files")


def checkpoint_seconds(found: Found, case: dict[str, Any]) -> None:
    assert found.memory(case).created_at == 1_771_000_000_000


def checkpoint_status_null(found: Found, case: dict[str, Any]) -> None:
    assert found.memory(case).metadata["status"] == "active"


def session_row(found: Found, case: dict[str, Any]) -> None:
    memory = found.memory(case)
    assert (memory.type, memory.content) == ("context", "Auth work")
    assert memory.metadata["latest_exchange"][0]["content"] == "이어서"
    assert memory.created_at == 1_763_000_000_000
    assert found.v1(case)["action_count"] == 12


def error_pattern_row(found: Found, case: dict[str, Any]) -> None:
    memory = found.db.decisions.get(f"error_pattern_{case['id']}")
    assert memory is not None
    assert memory.type == "insight"
    assert memory.metadata["category"] == "error_pattern"
    assert "lsof" in memory.content


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_a_kind_of_damage_is_taken_as_it_should_be(found: Found, case: dict[str, Any]) -> None:
    check: Callable[[Found, dict[str, Any]], None] = globals()[case["case"]]
    check(found, case)


def test_every_case_has_its_check() -> None:
    assert len(CASES) == 42
    assert {case["case"] for case in CASES} <= globals().keys()


def test_no_row_of_a_dirty_database_is_left_out(found: Found) -> None:
    assert found.source.keys() <= found.memories.keys()
    assert found.report.memories == {"decision": 95, "checkpoint": 15, "context": 1, "insight": 1}


def test_what_mama_linked_by_itself_comes_as_suggestions(found: Found) -> None:
    automatic = [link for link in found.links.values() if "(similarity:" in str(link.metadata)]
    assert len(automatic) == 139
    assert all(link.is_suggestion and link.confidence == 0.4 for link in automatic)
    assert {link.created_by for link in automatic} == {"system"}
    assert {link.relationship for link in automatic} == {"refines", "contradicts"}
