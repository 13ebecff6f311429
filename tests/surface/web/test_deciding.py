"""Deciding about suggestions where they wait, by users with every role."""

from typing import Any

import pytest

from tests.surface.web.conftest import Serve, Served


@pytest.fixture
def served(serve: Serve) -> Served:
    return serve()


def suggest(served: Served, text: str = "Ship in May.\n") -> dict[str, Any]:
    plan = served.db.documents.create("계획", text).document
    for who, role in (("ann", "editor"), ("bora", "commenter"), ("vic", "viewer")):
        served.db.users.add(f"{who}@example.com", who.title())
        served.db.shares.share(plan, f"{who}@example.com", role)
    found = served.db.review.propose(plan, "May", "June").suggestion
    return {"documentId": plan, "suggestionId": found.id}


def test_an_editor_decides_and_takes_it_back_by_a_commit(served: Served) -> None:
    asked = suggest(served)
    ann = served.signed_in("ann@example.com")
    assert ann.ok("page_decide", **asked, decision="accept")["status"] == "accepted"
    assert served.db.documents.text(asked["documentId"]) == "Ship in June.\n"
    taken = ann.ok("page_reverse_decision", **asked)
    assert taken["version"] == served.db.log(limit=1)[0].version
    assert served.db.documents.text(asked["documentId"]) == "Ship in May.\n"
    assert ann.ok("page_inbox")["counts"]["suggestion"] == 1
    assert ann.ok("page_reverse_decision", **asked) == {"version": None}


def test_what_waits_is_counted_for_each_user(served: Served) -> None:
    asked = suggest(served)
    served.db.review.comment(asked["documentId"], "@Ann 언제?", quote="Ship")
    served.db.as_actor("codex").proposing().kv.put("limit", 1)
    counts = {
        who: served.signed_in(who).ok("page_waiting")
        for who in (None, "ann@example.com", "vic@example.com")
    }
    assert [one["count"] for one in counts.values()] == [2, 2, 0]
    for who, counted in counts.items():
        found = served.signed_in(who).ok("page_inbox")
        assert counted == {"count": len(found["items"]), "more": False}


def test_words_that_were_changed_since_are_not_taken_back(served: Served) -> None:
    asked = suggest(served)
    ann = served.signed_in("ann@example.com")
    ann.ok("page_decide", **asked, decision="accept")
    served.db.documents.edit(asked["documentId"], "June", "July")
    assert ann.call("page_reverse_decision", **asked).status_code == 409
    assert served.db.documents.text(asked["documentId"]) == "Ship in July.\n"


def test_a_stale_suggestion_says_so_and_takes_words(served: Served) -> None:
    asked = suggest(served)
    served.db.documents.edit(asked["documentId"], "in May", "in Mai")
    ann = served.signed_in("ann@example.com")
    [item] = ann.ok("page_inbox")["items"]
    assert (item["state"], item["now"]) == ("changed", "Mai")
    assert item["can"] == ["apply", "reject", "edit", "open"]
    assert ann.call("page_decide", **asked, decision="accept").status_code == 409
    ann.ok("page_decide", **asked, decision="accept", words="early June")
    assert served.db.documents.text(asked["documentId"]) == "Ship in early June.\n"
    [newest, *_rest] = ann.ok("page_versions", documentId=asked["documentId"])["versions"]
    assert newest["who"][0]["person"] == "Ann"


def test_users_without_the_role_decide_nothing(served: Served) -> None:
    asked = suggest(served)
    for who in ("bora", "vic"):
        browser = served.signed_in(f"{who}@example.com")
        assert browser.call("page_decide", **asked, decision="accept").status_code == 403
        assert browser.call("page_decide", **asked, decision="reject").status_code == 403
    served.signed_in().ok("page_decide", **asked, decision="reject")
    for who in ("bora", "vic"):
        browser = served.signed_in(f"{who}@example.com")
        assert browser.call("page_reverse_decision", **asked).status_code == 403
    assert served.db.review.suggestion(asked["documentId"], asked["suggestionId"])
