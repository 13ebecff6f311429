"""Links for what MAMA left apart: signal by default, the first design's numbers when asked for."""

import math
import random
from pathlib import Path

import pytest

from strata import InvalidArgument, Workspace
from strata.decisions import Link
from strata.exchange import Backfill, MamaImport, import_mama
from tests.contract.mama.conftest import Given, state
from tests.contract.mama.made import add_vectors, decision, make

HOUR = 3_600_000


def made(db: Workspace, link_type: str) -> list[Link]:
    """The links of a type that the backfill made."""
    return [
        link
        for link in state(db)[1].values()
        if link.link_type == link_type and link.metadata.get("backfill")
    ]


def counts(found: MamaImport) -> dict[str, tuple[int, int]]:
    return {one.link_type: (one.backfilled, one.backfilled_suggestions) for one in found.links}


def test_consecutive_decisions_of_a_topic_are_joined_and_both_stay_current(
    db: Workspace, tmp_path: Path
) -> None:
    path = make(tmp_path / "m.db", decisions=[decision(n, topic="배포") for n in (1, 2, 3)])
    found = import_mama(db, path)
    pairs = {(link.from_id, link.to_id) for link in made(db, "evolution")}
    assert pairs == {
        ("decision_2_aaaa", "decision_1_aaaa"),
        ("decision_3_aaaa", "decision_2_aaaa"),
    }
    assert len(db.decisions.heads("배포")) == 3
    assert [split.topic for split in found.conflicts] == ["배포"]
    assert len(db.decisions.evolution("decision_1_aaaa")) == 3


def test_what_is_linked_explicitly_is_not_linked_again(db: Workspace, given: Given) -> None:
    found = import_mama(db, given("small"))
    assert counts(found)["evolution"] == (0, 0)


def test_an_automatic_refinement_does_not_stand_for_the_evolution_of_a_topic(
    db: Workspace, tmp_path: Path
) -> None:
    edge = {
        "from_id": "decision_2_aaaa",
        "to_id": "decision_1_aaaa",
        "relationship": "refines",
        "reason": "Refines previous approach (similarity: 0.91)",
    }
    path = make(
        tmp_path / "m.db", decisions=[decision(n, topic="t") for n in (1, 2)], decision_edges=[edge]
    )
    import_mama(db, path)
    assert len(made(db, "evolution")) == 1


def test_things_done_within_a_quarter_of_an_hour_on_one_topic_or_session_are_joined(
    db: Workspace, tmp_path: Path
) -> None:
    at, minute = 1_764_000_000_000, 60_000
    rows = [
        decision(1, topic="a", session_id="s", created_at=at),
        decision(2, topic="b", session_id="s", created_at=at + 10 * minute),
        decision(3, topic="c", session_id="s", created_at=at + 26 * minute),
        decision(4, topic="b", session_id="z", created_at=at + 12 * minute),
        decision(5, topic="d", session_id="y", created_at=at + 12 * minute),
    ]
    import_mama(db, make(tmp_path / "m.db", decisions=rows))
    links = made(db, "temporal")
    assert {(link.from_id[9], link.to_id[9]) for link in links} == {("2", "1"), ("4", "2")}
    assert all(0.3 <= link.confidence <= 0.5 for link in links)


def test_the_first_design_joins_everything_within_an_hour_and_over_a_fixed_cosine(
    db: Workspace, tmp_path: Path
) -> None:
    rows = [decision(n, created_at=1_764_000_000_000 + n * HOUR // 4) for n in range(8)]
    path = make(tmp_path / "m.db", decisions=rows)
    add_vectors(path, {n + 1: [1.0, 0.1 * n] + [0.0] * 382 for n in range(8)})
    import_mama(db, path, backfill="seed")
    temporal, alike = made(db, "temporal"), made(db, "association")
    assert {link.confidence for link in temporal} == {0.3}
    assert {link.confidence for link in alike} == {0.4}
    assert not any(link.is_suggestion for link in (*temporal, *alike))
    assert len(temporal) == 7 + 6 + 5
    assert all(link.metadata["similarity"] > 0.75 for link in alike)


def test_alike_texts_are_suggested_by_how_they_stand_out_and_not_by_their_cosine(
    db: Workspace, tmp_path: Path
) -> None:
    chance = random.Random(3)
    # All texts are alike by this model, as unrelated ones are by some; two pairs are more so.
    vectors = {n + 1: [20.0] + [chance.gauss(0, 1) for _ in range(383)] for n in range(60)}
    for one, other in ((1, 2), (31, 32)):
        vectors[other] = [value + chance.gauss(0, 0.05) for value in vectors[one]]
    path = make(tmp_path / "m.db", decisions=[decision(n) for n in range(60)])
    add_vectors(path, vectors)
    assert cosine(vectors[5], vectors[9]) > 0.4
    import_mama(db, path)
    links = made(db, "association")
    pairs = {tuple(sorted((link.from_id, link.to_id))) for link in links}
    assert ("decision_0_aaaa", "decision_1_aaaa") in pairs
    assert ("decision_30_aaaa", "decision_31_aaaa") in pairs
    assert len(links) < 20
    assert all(link.is_suggestion and link.confidence == 0.4 for link in links)
    assert all(
        step.link.id not in {link.id for link in links}
        for step in db.decisions.walk("decision_0_aaaa", depth=5)
    )


def cosine(a: list[float], b: list[float]) -> float:
    dot = sum(x * y for x, y in zip(a, b, strict=True))
    return dot / math.sqrt(sum(x * x for x in a) * sum(y * y for y in b))


def test_no_backfill_makes_no_link(db: Workspace, given: Given) -> None:
    found = import_mama(db, given("dirty"), backfill="none")
    assert set(counts(found).values()) == {(0, 0)}
    assert not any(link.metadata.get("backfill") for link in state(db)[1].values())


def test_vectors_that_are_none_are_told_and_do_no_harm(db: Workspace, tmp_path: Path) -> None:
    path = make(tmp_path / "m.db", decisions=[decision(n) for n in range(40)])
    vectors = {n + 1: [float(n + 1)] * 384 for n in range(40)}
    vectors[7] = [0.0] * 384
    vectors[9] = [math.nan] * 384
    vectors[99] = [1.0] * 384
    add_vectors(path, vectors)
    found = import_mama(db, path)
    assert {(one.id, one.what) for one in found.warnings} == {
        ("decision_6_aaaa", "its vector has no length"),
        ("decision_8_aaaa", "its vector has no length"),
        ("rowid 99", "the vector belongs to no decision"),
    }
    assert found.vectors == 38


@pytest.mark.parametrize("backfill", ["", "all", None])
def test_an_unknown_backfill_is_refused(db: Workspace, given: Given, backfill: Backfill) -> None:
    with pytest.raises(InvalidArgument, match="standard"):
        import_mama(db, given("small"), backfill=backfill)
