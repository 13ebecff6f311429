"""The example of the first page, versions of documents, and what settings show."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import strata
from tests.surface.web.conftest import Browser, Serve


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
    served.db.decisions.save("주제", "결정", "까닭")
    owner = served.signed_in()
    health = owner.ok("page_health")
    assert (health["path"], health["version"]) == (served.db.info().path, strata.__version__)
    found = owner.ok("page_statistics", days=3)
    assert (found["commits"], found["more"]) == (3, False)
    counted = {(one["who"], one["group"]): one["count"] for one in found["writes"]}
    assert counted["에이전트", "fact"] == 1
    assert {group for _who, group in counted} == {"fact", "event", "decision"}
    today = found["totals"][-1]
    assert (today["facts"], today["events"], today["decisions"]) == (1, 1, 1)
    assert [day["facts"] for day in found["totals"]] == [0, 0, 1]


def test_statistics_count_the_newest_commits_only(serve: Serve) -> None:
    served = serve()
    for number in range(5):
        served.db.kv.put(f"k{number}", number)
    found = served.signed_in().ok("page_statistics", commits=2)
    assert (found["commits"], found["more"]) == (2, True)
    assert sum(one["count"] for one in found["writes"]) == 2


def finished(browser: Browser, tool: str, member: str) -> dict[str, Any]:
    """Return long work of the server once it has ended."""
    until(lambda: browser.ok(tool)[member]["ended"] is not None)
    return browser.ok(tool)[member]


def until(holds: Callable[[], bool]) -> None:
    """Ask again until something holds; the deadline only stops a hang."""
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline, "it took too long"
        time.sleep(0.02)


def test_a_backup_is_made_beside_the_store_and_listed(serve: Serve) -> None:
    served = serve()
    served.db.kv.put("k", "값")
    owner = served.signed_in()
    assert owner.ok("page_backups")["backups"] == []
    owner.ok("page_backup")
    done = finished(owner, "page_backups", "making")
    assert done["error"] is None
    [listed] = owner.ok("page_backups")["backups"]
    copy = Path(listed["path"])
    assert served.db.path is not None
    assert copy.parent == served.db.path.parent / "backups"
    with strata.open(copy, read_only=True, auto_embed=False) as opened:
        assert opened.kv["k"] == "값"
        assert opened.verify().ok


def test_only_the_owner_downloads_a_backup_and_nothing_else(serve: Serve) -> None:
    served = serve()
    served.db.kv.put("k", "값")
    served.db.users.add("ann@example.com")
    owner, ann = served.signed_in(), served.signed_in("ann@example.com")
    owner.ok("page_backup")
    finished(owner, "page_backups", "making")
    [listed] = owner.ok("page_backups")["backups"]
    path = f"/api/backups/{listed['name']}"
    answer = owner.get(path)
    assert answer.status_code == 200
    assert answer.content == Path(listed["path"]).read_bytes()
    assert "attachment" in answer.headers["content-disposition"]
    assert ann.get(path).status_code == 403
    assert served.browser().get(path).status_code == 401
    for name in ("x.strata", "..%2F" + str(served.db.path and served.db.path.name)):
        assert owner.get(f"/api/backups/{name}").status_code == 404
    by_token = served.browser()
    by_token.sign_in(served.db.tokens.create("t").secret)
    assert by_token.get(path).status_code == 403


def test_a_verification_runs_in_the_background_and_its_result_is_kept(serve: Serve) -> None:
    served = serve()
    served.db.kv.put("k", 1)
    owner = served.signed_in()
    assert owner.ok("page_health")["verification"] is None
    owner.ok("page_verify")
    done = finished(owner, "page_health", "verification")
    assert (done["result"]["ok"], done["result"]["problems"]) == (True, [])
    assert done["result"]["commits"] == 1
    assert owner.ok("page_health")["verification"] == done


def test_another_server_shows_the_last_verification(serve: Serve) -> None:
    served = serve()
    found = {"ok": False, "problems": ["값이 없다"], "commits": 3, "versions": 5}
    served.db.audit.note_verification(1_700_000_000_000_000, found)
    line = served.signed_in().ok("page_health")["verification"]
    assert line["result"] == found
    assert line["started"] < line["ended"]


def test_the_text_index_is_made_anew_in_the_background(serve: Serve) -> None:
    served = serve()
    served.db.kv.put("k", "값")
    owner = served.signed_in()
    owner.ok("page_reindex")
    assert finished(owner, "page_models", "reindex")["result"] == {"changed": 0, "damaged": 0}


def test_a_user_is_added_and_signs_in_with_the_shown_code(serve: Serve) -> None:
    served = serve()
    owner = served.signed_in()
    made = owner.ok("page_add_person", email="ann@example.com", name="소연")
    ann = served.browser()
    assert ann.sign_in(made["code"]).status_code == 303
    assert ann.get("/api/me").json()["person"]["name"] == "소연"
    assert ann.ok("page_settings")["parts"] == ["me", "tokens", "clients"]
    assert ann.call("page_add_person", email="x@example.com").status_code == 403
    assert ann.call("page_sign_in_code", personId="owner").status_code == 403
    ann.ok("page_rename_person", personId=made["person"]["id"], name="김소연")
    assert served.db.users.require("ann@example.com").name == "김소연"


def test_an_admin_manages_people_but_not_the_owner(serve: Serve) -> None:
    served = serve()
    ann = served.db.users.add("ann@example.com").id
    served.db.teams.set_member("workspace", ann, "admin")
    admin = served.signed_in(ann)
    assert set(admin.ok("page_settings")["parts"]) >= {"people", "teams", "audit"}
    assert "backups" not in admin.ok("page_settings")["parts"]
    assert admin.call("page_sign_in_code", personId="owner").status_code == 403
    assert admin.call("page_rename_person", personId="owner", name="x").status_code == 403
    assert admin.call("page_backups").status_code == 403
    assert admin.ok("page_audit")["entries"]


def test_removing_a_user_hands_their_documents_over(serve: Serve) -> None:
    served = serve()
    ann = served.db.users.add("ann@example.com").id
    document = served.db.as_user(ann).documents.create("메모", "x").document
    owner = served.signed_in()
    assert owner.ok("page_belongings", personId=ann) == {"documents": 1, "spaces": 0}
    refused = owner.call("page_remove_person", personId=ann)
    assert refused.status_code == 403
    owner.ok("page_remove_person", personId=ann, giveTo="owner")
    assert served.db.as_user("owner").documents.get(document).title == "메모"


def test_a_user_signs_out_one_browser_and_all_others(serve: Serve) -> None:
    served = serve()
    ann = served.db.users.add("ann@example.com").id
    here, second, third = (served.signed_in(ann) for _ in range(3))
    listed = here.ok("page_browsers")["browsers"]
    assert [one["isThis"] for one in listed].count(True) == 1
    other = next(one for one in second.ok("page_browsers")["browsers"] if one["isThis"])
    here.ok("page_close_browser", browserId=other["id"])
    assert second.get("/api/me").status_code == 401
    assert here.ok("page_close_browsers", personId=ann) == {"browsers": 1}
    assert third.get("/api/me").status_code == 401
    assert here.get("/api/me").status_code == 200


def test_a_token_is_made_used_shown_as_used_and_revoked(serve: Serve) -> None:
    served = serve()
    owner = served.signed_in()
    made = owner.ok("page_make_token", label="노트북", groups=["memory"], isReadOnly=True)
    secret, token = made["secret"], made["token"]["id"]
    assert (made["token"]["lastUsed"], made["token"]["isReadOnly"]) == (None, True)
    client = served.browser()
    headers = {"Authorization": f"Bearer {secret}"}
    assert client.get("/api/me", headers=headers).status_code == 401  # not for documents

    def last_used() -> str | None:
        return owner.ok("page_tokens", tokenId=token)["tokens"][0]["lastUsed"]

    until(lambda: last_used() is not None)
    assert secret not in str(owner.ok("page_tokens"))
    assert owner.ok("page_revoke_token", tokenId=token)["revoked"] is not None
    assert served.db.tokens.check(secret) is None


def test_a_user_gives_only_groups_that_they_have(serve: Serve) -> None:
    served = serve()
    served.db.users.add("ann@example.com")
    ann = served.signed_in("ann@example.com")
    assert "memory" not in ann.ok("page_tokens")["groups"]
    refused = ann.call("page_make_token", label="x", groups=["memory"])
    assert (refused.status_code, refused.json()["code"]) == (403, "not_allowed")
    assert ann.call("page_make_token", label="x", personId="owner").status_code == 403
    made = ann.ok("page_make_token", label="x")
    assert set(made["token"]["groups"]) <= set(ann.ok("page_tokens")["groups"])


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("page_make_token", {"label": "x"}),
        ("page_sign_in_code", {"personId": "owner"}),
        ("page_add_person", {"email": "x@example.com"}),
        ("page_set_secrets", {"mode": "allow"}),
        ("page_backup", {}),
    ],
)
def test_a_token_opens_the_workspace_to_nobody_else(
    serve: Serve, tool: str, arguments: dict[str, Any]
) -> None:
    served = serve()
    secret = served.db.tokens.create("agent").secret
    headers = {"Authorization": f"Bearer {secret}"}
    browser = served.browser()
    sent = browser.post(f"/api/tools/{tool}", json=arguments, headers=headers)
    assert (sent.status_code, sent.json()["code"]) == (403, "not_allowed")
    browser.sign_in(secret)
    assert browser.call(tool, **arguments).status_code == 403


def test_teams_are_made_filled_and_removed(serve: Serve) -> None:
    served = serve()
    ann = served.db.users.add("ann@example.com", "Ann").id
    owner = served.signed_in()
    team = owner.ok("page_add_team", name="디자인")
    below = owner.ok("page_add_team", name="글자", parentId=team["id"])
    assert below["parent"] == team["id"]
    changed = owner.ok("page_set_member", teamId=team["id"], personId=ann, role="commenter")
    assert [(one["name"], one["role"]) for one in changed["members"]] == [("Ann", "commenter")]
    assert owner.ok("page_rename_team", teamId=team["id"], name="Studio")["name"] == "Studio"
    assert owner.call("page_remove_team", teamId=team["id"]).status_code == 403
    owner.ok("page_remove_member", teamId=team["id"], personId=ann)
    owner.ok("page_remove_team", teamId=below["id"])
    left = owner.ok("page_remove_team", teamId=team["id"])["teams"]
    assert [one["name"] for one in left] == ["workspace"]


def test_every_client_has_a_text_for_this_server_and_the_owner_one_for_the_store(
    serve: Serve,
) -> None:
    served = serve()
    served.db.users.add("ann@example.com")
    lines = served.signed_in().ok("page_clients")["clients"]
    assert len(lines) == 9
    for line in lines:
        assert "ADDRESS_OF_SERVER" in line["remote"]
        assert "Bearer TOKEN_OF_CLIENT" in line["remote"]
        assert str(served.db.info().path) in line["local"]
        assert line["localCommand"].split(" setup ")[1].startswith(line["name"])
    others = served.signed_in("ann@example.com").ok("page_clients")["clients"]
    assert {line["local"] for line in others} == {None}
    assert str(served.db.info().path) not in str(others)


def test_a_text_is_tried_without_being_kept(serve: Serve) -> None:
    served = serve()
    owner = served.signed_in()
    secret = "ghp_" + "a1B2" * 9
    before = served.db.info().versions
    found = owner.ok("page_try_secrets", text=f"first\ntoken {secret}")
    assert found["mode"] == "refuse"
    assert found["found"] == [{"kind": "github_token", "line": 2}]
    assert secret not in str(found)
    assert owner.ok("page_try_secrets", text="배포는 목요일")["found"] == []
    assert served.db.info().versions == before
    assert owner.ok("page_set_secrets", mode="mask")["mode"] == "mask"
    assert owner.ok("page_try_secrets", text=secret)["mode"] == "mask"


def test_refused_secrets_are_counted_and_shown_to_those_who_manage(serve: Serve) -> None:
    served = serve()
    served.db.users.add("ann@example.com", "Ann")
    owner, ann = served.signed_in(), served.signed_in("ann@example.com")
    secret = "ghp_" + "a1B2" * 9
    assert owner.ok("page_secrets")["refused"] == []
    for _again in range(2):
        refused = ann.call("edit_document", action="create", title="키", content=secret)
        assert refused.json()["code"] == "secret_refused"
    shown = owner.ok("page_secrets")
    assert [(one["kind"], one["times"]) for one in shown["refused"]] == [("github_token", 2)]
    assert shown["refused"][0]["who"]["person"] == "Ann"
    assert secret not in str(shown)
    assert shown["days"] == 30
    # Those who may call it without managing the workspace see the mode and no counts.
    user = served.db.users.get("ann@example.com")
    assert user is not None
    token = served.db.tokens.create("t", user=user.id, groups=["core", "memory"]).secret
    browser = served.browser()
    browser.sign_in(token)
    assert browser.ok("page_secrets")["refused"] == []


def test_the_audit_log_is_filtered_and_paged(serve: Serve) -> None:
    served = serve()
    ann = served.db.users.add("ann@example.com", "Ann")
    served.db.teams.set_member("workspace", ann.id, "admin")
    owner = served.signed_in()
    served.db.as_user(ann.id).tokens.create("앤의 것")
    by_ann = owner.ok("page_audit", personId=ann.id)["entries"]
    assert [(one["who"], one["action"]) for one in by_ann] == [("Ann", "token.create")]
    added = owner.ok("page_audit", action="user")["entries"]
    assert [(one["action"], one["subjectName"]) for one in added] == [("user.add", "Ann")]
    first = owner.ok("page_audit", limit=2)
    rest = owner.ok("page_audit", limit=1000, before=first["next"])
    numbers = [one["number"] for one in first["entries"] + rest["entries"]]
    assert numbers == sorted(numbers, reverse=True)
    assert len(numbers) == len(set(numbers)) == len(owner.ok("page_audit", limit=1000)["entries"])
    assert owner.ok("page_audit", until="2020-01-01")["entries"] == []
    assert len(owner.ok("page_audit", since="2020-01-01", limit=1000)["entries"]) == len(numbers)


def test_hints_stay_dismissed_for_their_user(serve: Serve) -> None:
    served = serve()
    served.db.users.add("ann@example.com", "Ann")
    owner, ann = served.signed_in(), served.signed_in("ann@example.com")
    first = owner.ok("page_welcome")
    assert (first["dismissed"], first["isNamed"], first["hasCalled"]) == ([], False, False)
    assert first["hasExample"] is False
    owner.ok("page_make_example")
    assert owner.ok("page_welcome")["hasExample"] is True
    assert owner.ok("page_dismiss", hint="example")["dismissed"] == ["example"]
    assert served.signed_in().ok("page_welcome")["dismissed"] == ["example"]
    assert ann.ok("page_welcome")["dismissed"] == []
    assert ann.ok("page_welcome")["hasExample"] is None
    assert ann.call("page_dismiss", hint="a b").status_code == 400
