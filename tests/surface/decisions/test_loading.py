"""Resuming from a checkpoint, and loading a memory with what is around it."""

from collections.abc import Callable

import pytest

import strata
from strata.base import limits
from strata.decisions import Memory, change_of_memory
from strata.tools import tokens
from tests.surface.decisions.conftest import Call

Decide = Callable[..., str]


def test_without_a_checkpoint_the_answer_says_so(call: Call) -> None:
    found = call("load_checkpoint")
    assert found["found"] is False
    assert "search_recent" in found["message"]


def test_the_newest_active_checkpoint_is_loaded(call: Call) -> None:
    call("save_checkpoint", summary="어제")
    today = call(
        "save_checkpoint",
        summary="오늘까지 한 일",
        open_files=["src/검색.py"],
        next_steps="시험을 쓴다",
    )
    call("save_checkpoint", summary="Not this one", status="archived")
    found = call("load_checkpoint")
    assert found["id"] == today["id"]
    assert found["summary"] == "오늘까지 한 일"
    assert found["open_files"] == ["src/검색.py"]
    assert found["next_steps"] == "시험을 쓴다"
    assert found["version"] == today["version"]
    assert found["success"] is True
    assert "truncated" not in found


def test_a_checkpoint_tells_what_changed_since(
    call: Call, decide: Decide, db: strata.Workspace
) -> None:
    decide("cache", "An hour")
    tokens_id = decide("auth", "Tokens")
    db.kv.put("before", 1)
    call("save_checkpoint", summary="Half done")
    nothing = call("load_checkpoint")
    assert nothing["since"] == {}, "no zeros"
    assert [one["topic"] for one in nothing["without_outcome"]["newest"]] == ["auth", "cache"]
    minute = decide("cache", "A minute")
    call("evolve_outcome", id=tokens_id, outcome="failed", reason="새어 나갔다")
    db.kv.put("배포/대상", "blue")
    db.kv.put("배포/대상", "green")
    db.json.set("plan", "$", {"steps": 1})
    db.events.append("deploy", {"to": "green"})
    since = call("load_checkpoint")["since"]
    assert since["decisions"] == since["superseded"] == since["judged"] == since["insights"] == 1
    assert since["facts"] == 2
    assert since["events"] == 1
    assert [(one["key"], one["value"]) for one in since["keys"]] == [
        ("plan", {"steps": 1}),
        ("배포/대상", "green"),
    ]
    newest = [db.facts.history(one["key"], limit=1)[0].version for one in since["keys"]]
    assert [one["version"] for one in since["keys"]] == newest
    assert [one["id"] for one in since["memories"]] == [tokens_id, minute]
    assert since["memories"][0]["caveat"] == "FAILED: 새어 나갔다"
    assert "more" not in since


def test_the_news_of_a_busy_week_stay_short(
    call: Call, db: strata.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "NEWS_CHANGES_MAX", 50)
    call("save_checkpoint", summary="s")
    with db.transaction() as rooms:
        for number in range(80):
            rooms.kv.put(f"key/{number:03d}", number)
    since = call("load_checkpoint")["since"]
    assert since["more"] is True
    assert since["facts"] <= 50
    assert len(since["keys"]) == limits.NEWS_NAMED_MAX


def test_an_older_checkpoint_is_loaded_by_its_id_or_by_time(call: Call, fail: Call) -> None:
    first = call("save_checkpoint", summary="first")
    decision = call("save_decision", topic="t", decision="d", reasoning="r")
    call("save_checkpoint", summary="second")
    by_id = call("load_checkpoint", id=first["id"])
    assert by_id["summary"] == "first"
    assert by_id["since"]["decisions"] == 1
    past = call("load_checkpoint", as_of=str(first["version"]))
    assert past["summary"] == "first"
    assert past["since"] == {}, "seen from that time, nothing had happened yet"
    assert past["as_of"] >= by_id["timestamp"]
    error = fail("load_checkpoint", id=decision["id"])
    assert error["code"] == "invalid_input"
    assert "load_context" in error["hint"]
    assert fail("load_checkpoint", id="checkpoint_0")["code"] == "not_found"


def test_a_long_checkpoint_is_cut_and_the_rest_can_be_read(call: Call) -> None:
    summary = "".join(f"문장 {number}입니다. " for number in range(900))[:9_990]
    steps = "".join(f"step {number}; " for number in range(900))[:9_990]
    files = [f"src/모듈_{number:03d}.py" for number in range(200)]
    saved = call("save_checkpoint", summary=summary, next_steps=steps, open_files=files)
    found = call("load_checkpoint")
    assert found["truncated"] is True
    assert tokens(found) <= limits.ANSWER_TOKENS_MAX
    assert summary.startswith(found["summary"])
    text, following = "", found["next"]
    for _page in range(10):
        part = call(following["tool"], **following["arguments"])
        assert part["memory"]["id"] == saved["id"]
        assert tokens(part) <= limits.ANSWER_TOKENS_MAX
        text += part["text"]
        if "next" not in part:
            break
        following = part["next"]
    assert summary in text
    assert steps in text
    assert files[-1] in text


def test_a_memory_comes_with_its_chain_and_its_links(call: Call, decide: Decide) -> None:
    lesson = call("save_insight", insight="비밀번호는 잊힌다")["id"]
    first = decide("auth", "Passwords")
    second = decide("auth", "Tokens", links=[{"to_id": lesson, "relationship": "motivated_by"}])
    found = call("load_context", id=second, depth=1)
    assert found["memory"]["id"] == second
    assert [one["id"] for one in found["chain"]] == [first]
    assert found["chain"][0]["superseded_by"] == [second]
    near = {one["memory"]["id"]: one for one in found["related"]}
    assert near.keys() == {lesson}, "the chain is not told twice"
    link = near[lesson]["link"]
    assert (link["relationship"], link["type"]) == ("motivated_by", "association")
    assert link["from_id"] == second
    assert all(one["depth"] == 1 for one in found["related"])


def test_a_topic_means_its_current_decision_and_names_rivals(
    call: Call, fail: Call, decide: Decide
) -> None:
    decide("인증", "Sessions")
    current = decide("인증", "Tokens")
    found = call("load_context", topic="인증")
    assert found["memory"]["id"] == current
    assert "conflict" not in found
    rival = decide("인증", "Passkeys", supersedes="none")
    split = call("load_context", topic="인증")
    assert sorted(split["conflict"]) == sorted([current, rival])
    error = fail("load_context", topic="nobody knows")
    assert "search_by_context" in error["hint"]
    assert fail("load_context")["parameter"] == "id"
    assert fail("load_context", id=current, topic="인증")["parameter"] == "id"
    assert fail("load_context", id=current, depth=6)["parameter"] == "depth"


def test_how_far_links_are_followed_is_what_depth_says(call: Call, db: strata.Workspace) -> None:
    ids = [call("save_insight", insight=f"link {n} of a chain")["id"] for n in range(8)]
    for link in db.decisions.links():
        db.decisions.unlink(link.id)
    for newer, older in zip(ids[1:], ids, strict=False):
        db.decisions.link(newer, older, "supports")
    for depth in range(1, 6):
        related = call("load_context", id=ids[0], depth=depth)["related"]
        assert [one["memory"]["id"] for one in related] == ids[1 : depth + 1]
        assert [one["depth"] for one in related] == list(range(1, depth + 1))


def test_a_cycle_of_links_ends(call: Call, db: strata.Workspace) -> None:
    ids = [call("save_insight", insight=f"part {n}")["id"] for n in range(3)]
    for one, other in zip(ids, [*ids[1:], ids[0]], strict=True):
        db.decisions.link(one, other, "leads_to")
    related = call("load_context", id=ids[0], depth=5)["related"]
    assert {one["memory"]["id"] for one in related} == set(ids[1:])


def test_the_confidence_of_a_link_has_faded_as_of_the_time_that_is_asked_for(
    call: Call, db: strata.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = call("save_insight", insight="one")["id"]
    wish = [{"to_id": first, "relationship": "supports", "link_type": "association"}]
    second = call("save_insight", insight="two", links=wish)
    store = db.decisions._view.store
    now = store.clock()
    monkeypatch.setattr(store, "clock", lambda: now + 20 * 86_400_000_000)
    (neighbour,) = call("load_context", id=second["id"])["related"]
    assert neighbour["link"]["confidence"] == pytest.approx(0.8 * 0.3679, abs=0.01)
    (then,) = call("load_context", id=second["id"], as_of=str(db.resolve("now").version))["related"]
    assert then["link"]["confidence"] == 0.8


def test_a_crowded_neighbourhood_still_fits_an_answer(call: Call, db: strata.Workspace) -> None:
    centre = call("save_decision", topic="t", decision="가" * 2000, reasoning="나" * 5000)["id"]
    for number in range(60):
        lesson = db.decisions.insight(f"{number} " + "다" * 3000).memory.id
        db.decisions.link(lesson, centre, "supports")
    found = call("load_context", id=centre, depth=1)
    assert tokens(found) <= limits.ANSWER_TOKENS_MAX * 1.1
    assert len(found["related"]) + found["more_related"] == 60
    assert found["truncated"] is True


def test_what_was_erased_is_no_neighbour_any_more(call: Call, db: strata.Workspace) -> None:
    first, second = (call("save_insight", insight=text)["id"] for text in ("비밀", "another"))
    db.decisions.link(second, first, "supports")
    assert [one["memory"]["id"] for one in call("load_context", id=second)["related"]] == [first]
    db.purge(first, kind="memory", space="decisions")
    found = call("load_context", id=second)
    assert found["memory"]["id"] == second
    assert "related" not in found
    assert call("search_by_context", query="비밀")["results"] == []


def test_memories_that_were_imported_later_are_no_news(call: Call, db: strata.Workspace) -> None:
    saved = call("save_checkpoint", summary="Before the import")
    yesterday = db.decisions.require(saved["id"]).created_at - 86_400_000
    old = Memory(
        id="decision_1700000000000_0123abcd",
        type="decision",
        content="세션을 쓴다",
        topic="auth",
        metadata={"reasoning": "Simple"},
        created_at=yesterday,
        updated_at=yesterday,
    )
    with db._view.writing("import") as transaction:
        transaction.stage(change_of_memory(old))
    assert call("load_checkpoint")["since"] == {}
    call("save_decision", topic="t", decision="새 결정", reasoning="r")
    assert call("load_checkpoint")["since"]["decisions"] == 1


def test_a_checkpoint_that_was_found_comes_with_its_files(call: Call) -> None:
    saved = call(
        "save_checkpoint",
        summary="검색을 마쳤다",
        open_files="src/a.py, src/나.py\nREADME.md",
        next_steps=["Write the tests", "문서를 쓴다"],
    )
    files = ["src/a.py", "src/나.py", "README.md"]
    found = call("load_checkpoint")
    assert (found["open_files"], found["next_steps"]) == (files, "Write the tests\n문서를 쓴다")
    assert call("load_context", id=saved["id"])["memory"]["open_files"] == files
    assert call("search_recent")["results"][0]["open_files"] == files
    (hit,) = call("search_by_context", query="검색")["results"]
    assert hit["open_files"] == files
    call("save_checkpoint", summary="One file", open_files=["a, b.py"])
    assert call("load_checkpoint")["open_files"] == ["a, b.py"], "a list is taken as it is"


def test_neighbours_in_time_are_left_out_of_answers(call: Call, decide: Decide) -> None:
    decide("결제", "Stripe")
    call("evolve_outcome", topic="결제", outcome="FAILED", reason="수수료")
    decide("배포_전략", "카나리")
    decide("배포_전략", "블루 그린")
    found = call("search_by_topic", topic="배포_전략")
    assert "related" not in found
    around = call("load_context", topic="배포_전략", depth=5)
    assert "related" not in around
    assert len(around["chain"]) == 1


def test_an_answer_has_no_words_of_the_inside(call: Call, decide: Decide) -> None:
    lesson = call("save_insight", insight="Tokens leak", tags=["보안"])["id"]
    decide("auth", "Tokens", links=[{"to_id": lesson, "relationship": "zorbs"}])
    answers = [
        call("load_context", topic="auth"),
        call("search_by_topic", topic="auth"),
        call("search_by_context", query="tokens"),
        call("search_recent"),
        call("strata_search", query="tokens"),
    ]
    for answer in answers:
        text = str(answer)
        for word in ("schema_version", "created_at", "mapping", "fallback", "llm"):
            assert word not in text
        assert tokens(answer) <= 300
