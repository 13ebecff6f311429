"""The example of the first page, versions of documents, and what settings show."""

from pathlib import Path

import pytest

import strata
from tests.surface.web.conftest import Serve


@pytest.mark.parametrize(("language", "title"), [("en", "Menu"), ("ko", "차림표")])
def test_the_example_is_made_on_its_branch_and_deleted(
    serve: Serve, language: str, title: str
) -> None:
    served = serve()
    owner = served.signed_in()
    made = owner.ok("page_make_example", language=language)
    assert made == {"branch": "example", "exists": True}
    assert owner.ok("page_make_example", language=language) == made
    there = served.db.on("example")
    assert there.kv.count() == 3
    assert len(there.decisions.recent(types=["decision"])) == 3
    [waiting] = there.review.waiting()
    assert (waiting.title, waiting.comments, waiting.suggestions) == (title, 1, 1)
    document = waiting.document
    assert there.documents.graph(document).edges
    assert served.db.kv.count() == 0
    found = owner.post("/api/tools/page_inbox?branch=example", json={}).json()
    assert found["counts"]["suggestion"] == 1
    assert owner.ok("page_remove_example")["exists"] is False
    assert not served.db.branches.exists("example")
    assert owner.ok("page_remove_example")["exists"] is False


def test_a_branch_of_the_user_is_no_example(serve: Serve) -> None:
    served = serve()
    served.db.branches.fork("example")
    served.db.on("example").kv.put("mine", 1)
    owner = served.signed_in()
    assert owner.call("page_make_example").status_code == 409
    assert owner.ok("page_remove_example")["exists"] is True
    assert served.db.on("example").kv.get("mine") is not None


def test_versions_of_a_document_and_their_texts(serve: Serve) -> None:
    served = serve()
    made = served.db.documents.create("계획", "봄")
    for before, after in (("봄", "여름"), ("여름", "가을")):
        served.db.documents.edit(made.document, before, after)
    owner = served.signed_in()
    first = owner.ok("page_versions", documentId=made.document, limit=2)
    rest = owner.ok("page_versions", documentId=made.document, before=int(first["next"]), limit=2)
    listed = first["versions"] + rest["versions"]
    texts = [
        owner.ok("page_text", documentId=made.document, version=one["version"])["text"]
        for one in listed
    ]
    assert texts == ["가을", "여름", "봄"]
    assert listed[0]["who"][0]["person"] == "owner"
    assert owner.ok("page_text", documentId=made.document)["title"] == "계획"


def test_people_and_tokens_are_shown_to_those_who_manage_them(serve: Serve) -> None:
    served = serve()
    ann = served.db.users.add("ann@example.com", "소연")
    served.db.tokens.create("owner's")
    served.db.tokens.create("ann's", user=ann.id)
    owner, visitor = served.signed_in(), served.signed_in(ann.id)
    assert [one["name"] for one in owner.ok("page_people")["people"]] == ["owner", "소연"]
    assert [one["name"] for one in visitor.ok("page_people")["people"]] == ["소연"]
    assert [one["label"] for one in owner.ok("page_tokens")["tokens"]] == ["ann's", "owner's"]
    assert [one["label"] for one in visitor.ok("page_tokens")["tokens"]] == ["ann's"]


def test_health_and_statistics_count_what_is_there(serve: Serve) -> None:
    served = serve()
    served.db.as_actor("에이전트").kv.put("k", 1)
    served.db.events.append("배포", {})
    owner = served.signed_in()
    health = owner.ok("page_health")
    assert (health["path"], health["version"]) == (str(served.db.path), strata.__version__)
    found = owner.ok("page_statistics")
    assert (found["facts"], found["events"], found["commits"]) == (1, 1, 2)
    assert {"name": "에이전트", "count": 1} in found["actors"]
    assert sum(day["count"] for day in found["days"]) == 2


def test_a_backup_is_made_beside_the_store(serve: Serve) -> None:
    served = serve()
    served.db.kv.put("k", "값")
    done = served.signed_in().ok("page_backup")
    copy = Path(done["path"])
    assert served.db.path is not None
    assert copy.parent == served.db.path.parent / "backups"
    with strata.open(copy, read_only=True, auto_embed=False) as opened:
        assert opened.kv["k"] == "값"
