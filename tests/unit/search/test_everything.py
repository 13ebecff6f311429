"""One search finds facts, events, decisions and documents; each user finds what they may read."""

import pytest

import strata
from strata.documents import Request


@pytest.fixture
def filled(db: strata.Workspace) -> strata.Workspace:
    db.kv.put("cache", "Prices are cached for sixty seconds")
    db.events.append("deploy", "the price service was deployed")
    db.decisions.save("price_source", "Prices come from the warehouse", "one source of truth")
    db.documents.create(
        "가격 안내", "# 캐시\n가격은 1분 동안 캐시한다.\n\n# Price\nHow a price is made."
    )
    return db


def found(db: strata.Workspace, question: str, **filters: object) -> set[str]:
    return {hit.kind for hit in db.search(question, mode="keyword", **filters)}  # type: ignore[arg-type]


def test_every_kind_is_found_at_once(filled: strata.Workspace) -> None:
    assert found(filled, "price") == {"kv", "event", "memory", "document"}
    assert found(filled, "price", kinds=["document", "event"]) == {"document", "event"}
    assert found(filled, "price", kinds=["kv"]) == {"kv"}
    assert found(filled, "price", spaces=["default"]) == {"kv", "event"}


def test_a_document_is_found_once_by_its_best_part(filled: strata.Workspace) -> None:
    [hit] = filled.search("캐시 가격", kinds=["document"], mode="keyword").hits
    assert hit.value == {"title": "가격 안내", "section": "캐시"}
    assert "1분" in hit.snippet
    [item] = filled.documents.find(Request(query="캐시 가격")).items
    assert hit.key == item.id


def test_a_document_found_by_its_title_is_shown_by_a_passage_of_its_text(
    filled: strata.Workspace,
) -> None:
    text = "먼저 읽을 말.\n\n# 준비\n열쇠를 받는다.\n\n# Rollout\nWe ship on Tuesday morning."
    guide = filled.documents.create("배포 안내서", text).document
    asked = {"배포 안내서 Tuesday": "We ship on Tuesday", "배포 안내서": ""}
    for question, passage in asked.items():
        hit = filled.search(question, kinds=["document"], mode="keyword")[0]
        assert (hit.key, hit.value["title"]) == (guide, "배포 안내서")
        assert hit.snippet != "배포 안내서"
        assert passage in hit.snippet
        item = filled.documents.find(Request(query=question)).items[0]
        assert passage in item.snippet
    assert filled.documents.create("빈 문서", "").document == filled.search("빈 문서")[0].key


def test_branches_and_the_past_have_their_own_documents(filled: strata.Workspace) -> None:
    before = filled.log(limit=1)[0].version
    branch = filled.on(filled.branches.fork("실험").name)
    branch.documents.create("Tariffs", "The tariff of the branch")
    assert found(branch, "tariff") == {"document"}
    assert found(filled, "tariff") == set()
    filled.documents.create("Quotas", "quota of the day")
    assert found(filled, "quota") == {"document"}
    assert found(filled.at(before), "quota") == set()


def test_a_user_finds_only_documents_that_they_may_read(filled: strata.Workspace) -> None:
    ann = filled.as_user(filled.users.add("ann@example.com", "소연").id)
    assert "document" not in found(ann, "price")
    shared = filled.documents.create("Price list", "the price of everything")
    before = [(hit.key, hit.score) for hit in ann.search("price", mode="keyword")]
    filled.documents.create("Price of secrets", "price price price")
    assert [(hit.key, hit.score) for hit in ann.search("price", mode="keyword")] == before
    filled.documents.share(shared.document, "ann@example.com", "viewer")
    assert {h.key for h in ann.search("price", kinds=["document"])} == {shared.document}


def test_what_is_in_the_trash_is_not_found(filled: strata.Workspace) -> None:
    [hit] = filled.search("캐시", kinds=["document"], mode="keyword").hits
    filled.documents.trash(hit.key)
    assert found(filled, "캐시") == set()
