"""What was replaced, failed or has expired is below what holds, and is marked."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

import strata
from strata import Workspace
from strata.memory import Filter
from tests.counting import counted


@pytest.fixture
def db() -> Iterator[Workspace]:
    with strata.open(durability="cache", auto_embed=False) as db:
        yield db


def keys(answer: strata.Answer) -> list[str]:
    return [hit.key for hit in answer]


def test_a_replaced_decision_is_directly_below_the_one_that_holds(db: Workspace) -> None:
    # The question has the words of the old one, and hardly one of the new one.
    old = db.decisions.save("배포", "배포는 금요일 저녁에 한다", "트래픽이 적다").memory.id
    new = db.decisions.save("배포", "릴리스는 화요일에 한다", "고칠 시간이 있다").memory.id
    db.kv.put("noise", "금요일 저녁에 회식을 한다")
    found = db.search("배포는 금요일 저녁에 한다")
    assert keys(found)[:2] == [new, old]
    first, second = found[0], found[1]
    assert (first.superseded_by, first.caveat) == ((), "")
    assert (second.superseded_by, second.caveat) == ((new,), f"replaced by {new}")
    assert first.score >= second.score
    assert first.relevance >= second.relevance
    assert [hit.rank for hit in found] == list(range(1, len(found) + 1))


def test_what_holds_is_shown_even_if_no_word_of_the_question_finds_it(db: Workspace) -> None:
    old = db.decisions.save("auth", "Use sessions with cookies", "Simple").memory.id
    middle = db.decisions.save("auth", "Bearer tokens", "Mobile").memory.id
    new = db.decisions.save("auth", "패스키", "새어 나갈 것이 없다").memory.id
    for number in range(20):
        db.kv.put(f"note {number}", f"sessions and cookies are discussed in meeting {number}")
    found = db.search("use sessions with cookies", 3)
    assert len(found) == 3
    assert keys(found).index(new) + 1 == keys(found).index(old)
    assert middle not in keys(found), "it holds no more than the one that was found"
    caveats = {hit.key: hit.caveat for hit in found}
    assert caveats[old] == f"replaced by {new}"


def test_a_failed_decision_is_marked(db: Workspace) -> None:
    failed = db.decisions.save("cache", "Cache prices for an hour", "Speed").memory.id
    db.decisions.outcome("failed", id=failed, reason="가격이 틀렸다")
    caveats = {hit.key: hit.caveat for hit in db.search("cache prices", kinds=["memory"])}
    assert caveats.pop(failed) == "FAILED: 가격이 틀렸다"
    assert set(caveats.values()) == {""}, "the insight that tells of the outcome is true"


def test_a_fact_says_by_a_tag_which_one_it_replaces(db: Workspace) -> None:
    db.kv.put("owner/old", "The billing service belongs to the payments team in Busan")
    db.facts.remember("owner/new", "Ledger: team 하나", tags=["supersedes:owner/old"])
    found = db.search("which team does the billing service belong to?")
    assert keys(found) == ["owner/new", "owner/old"]
    assert [hit.caveat for hit in found] == ["", "replaced by owner/new"]
    assert found[1].superseded_by == ("owner/new",)
    db.kv.delete("owner/new")
    assert db.search("billing service team")[0].caveat == "", "nothing replaces it any more"


def test_what_holds_answers_as_well_as_what_it_replaces_though_that_is_left_out(
    db: Workspace,
) -> None:
    db.kv.put("owner/old", "The billing service belongs to the payments team in Busan")
    db.facts.remember("owner/new", "Ledger: team 하나", tags=["supersedes:owner/old"])
    question = "which team does the billing service belong to?"
    both, [alone] = db.search(question), db.search(question, 1)
    assert (alone.key, alone.score, alone.relevance) == (
        "owner/new",
        both[0].score,
        both[0].relevance,
    )
    assert alone.relevance >= both[1].relevance > 0.3


def test_a_tag_replaces_in_its_own_space_and_on_its_own_branch_only(db: Workspace) -> None:
    db.kv.put("rule", "왜가리는 새벽에 먹이를 준다")
    db.space("other").kv.put("new", "다른 규칙", tags=["supersedes:rule"])
    db.branches.fork("try")
    db.on("try").kv.put("try", "왜가리는 저녁에 먹이를 준다", tags=["supersedes:rule"])
    [hit] = [hit for hit in db.search("왜가리 먹이") if hit.key == "rule"]
    assert hit.caveat == ""
    assert keys(db.search("왜가리 먹이", branch="try"))[:2] == ["try", "rule"]


def test_a_fact_expires_with_the_day_that_its_tag_names(
    db: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    db.settings.set("timezone", "Asia/Seoul")
    db.kv.put("freeze", "배포 동결 기간입니다", tags=["until:2026-05-03"])
    db.kv.put("plain", "배포 동결 안내", tags=["until:the end", "until:2026-99-99", "until:7"])
    last = db.time_of("2026-05-03T23:59:59+09:00")
    for now, caveat in ((last, ""), (last + 2_000_000, "expired 2026-05-03")):
        monkeypatch.setattr(db.kv._view.store, "clock", lambda now=now: now)
        caveats = {hit.key: hit.caveat for hit in db.search("배포 동결", expired=True)}
        assert caveats == {"freeze": caveat, "plain": ""}
        left = {hit.key for hit in db.search("배포 동결")}
        assert left == ({"plain"} if caveat else {"freeze", "plain"})


def test_what_a_filter_leaves_out_is_not_brought_in(db: Workspace) -> None:
    db.kv.put("old", {"text": "heron feeding at dawn"}, tags=["zoo"])
    last = db.kv.put("new", {"text": "storks at noon"}, tags=["supersedes:old"]).timestamp
    assert keys(db.search("heron feeding")) == ["new", "old"]
    tagged = db.search("heron feeding", tags=["zoo"])
    assert keys(tagged) == ["old"]
    assert tagged[0].caveat == "replaced by new", "it is marked all the same"
    at_dawn: list[Filter] = [{"field": "text", "op": "contains", "value": "dawn"}]
    assert keys(db.search("heron feeding", filter=at_dawn)) == ["old"]
    before = datetime.fromtimestamp((last - 1) / 1e6, UTC)
    assert keys(db.search("heron feeding", until=before)) == ["old"]


def test_the_past_does_not_know_what_came_later(db: Workspace) -> None:
    old = db.decisions.save("auth", "Use sessions", "Simple").memory
    db.decisions.save("auth", "Use tokens", "Mobile")
    [hit] = db.at(old.version).search("sessions")
    assert (hit.key, hit.caveat) == (old.id, "")


def test_facts_that_replace_each_other_do_not_hang_a_search(db: Workspace) -> None:
    db.kv.put("a", "heron one", tags=["supersedes:b", "supersedes:a"])
    db.kv.put("b", "heron two", tags=["supersedes:a"])
    assert sorted(keys(db.search("heron"))) == ["a", "b"]


def test_a_decision_search_has_what_holds_above_what_it_replaces(db: Workspace) -> None:
    old = db.decisions.save("cache", "Cache prices for an hour", "Speed").memory.id
    db.decisions.outcome("success", id=old)
    middle = db.decisions.save("cache", "Prices: ten minutes", "Fresh").memory.id
    db.decisions.outcome("failed", id=middle, reason="늦었다")
    new = db.decisions.save("cache", "1분", "Fresher").memory.id
    found = [one.memory.id for one in db.decisions.search("cache prices for an hour")]
    assert [one for one in found if one in (old, middle, new)] == [new, middle, old]


def test_an_old_chain_costs_a_search_no_more_than_its_hits(db: Workspace) -> None:
    for number in range(40):
        db.kv.put(f"note {number}", f"heron number {number}")
    db.search("heron", 10)
    _calls, few = counted(lambda: db.search("heron", 10))
    for number in range(400):
        db.kv.put(f"more {number}", f"heron again {number}", tags=[f"supersedes:{number}"])
    db.search("heron", 10)
    _calls, many = counted(lambda: db.search("heron", 10))
    assert many <= few + 4
