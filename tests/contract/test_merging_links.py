"""Links that two branches add are one link after a merge, whichever way it goes."""

import pytest
from msgspec.structs import replace

import strata
from strata.decisions import Link, WantedLink


def told(db: strata.Workspace, id_: str) -> list[Link]:
    """Return the links of a memory; their versions differ from branch to branch."""
    return [replace(link, version=0) for link in db.decisions.links(id_)]


@pytest.mark.parametrize("first", ["default", "try"])
def test_the_same_link_added_on_two_branches_is_one(db: strata.Workspace, first: str) -> None:
    a = db.decisions.insight("캐시를 쓴다").memory.id
    b = db.decisions.insight("가격은 자주 바뀐다").memory.id
    db.branches.fork("try")
    for branch in (first, "try" if first == "default" else "default"):
        db.on(branch).decisions.link(b, a, "contradicts")
    db.branches.merge("try", into="default")
    (link,) = [link for link in db.decisions.links(a) if link.link_type == "association"]
    assert link.relationship == "contradicts"
    db.branches.merge("default", into="try")
    assert told(db.on("try"), a) == told(db, a)


def test_a_confirmed_link_wins_over_the_same_one_as_it_was(db: strata.Workspace) -> None:
    a = db.decisions.insight("a").memory.id
    b = db.decisions.insight("b").memory.id
    db.branches.fork("try")
    plain = db.decisions.link(b, a, "supports")
    other = db.on("try").decisions
    confirmed = other.confirm(other.link(b, a, "supports").id)
    assert confirmed.id == plain.id
    db.branches.merge("try", into="default")
    found = {link.id: link.confidence for link in db.decisions.links(a)}
    assert found[plain.id] == 1.0


def test_saves_with_links_on_two_branches_merge_strictly(db: strata.Workspace) -> None:
    base = db.decisions.save("auth", "Use sessions", "Simple").memory.id
    db.branches.fork("try")
    for branch, text in (("default", "Use mTLS"), ("try", "Use passkeys")):
        there = db.on(branch).decisions
        there.save("auth", text, "why", links=[WantedLink(base, "motivated_by")])
    merged = db.branches.merge("try", into="default")
    assert merged.conflicts == ()
    assert db.decisions.on_topic("auth").has_conflict
