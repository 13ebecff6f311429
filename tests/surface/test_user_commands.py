"""`strata user`, `team`, `folder`, `space` and `audit`: people and places from the shell."""

import pytest

import strata
from tests.surface.conftest import Run


def test_somebody_is_added_listed_shown_renamed_and_removed(ok: Run, run: Run) -> None:
    made = ok("user", "add", "소연@예시.한국", "--name", "김소연", "--json").json
    assert (made["email"], made["name"], made["is_owner"]) == ("소연@예시.한국", "김소연", False)
    listed = ok("user", "list", "--json").json["users"]
    assert [one["is_owner"] for one in listed] == [True, False]
    assert "김소연" in ok("user").out
    ok("team", "member", "workspace", "소연@예시.한국", "--role", "editor")
    shown = ok("user", "show", made["id"], "--json").json
    assert [team["role"] for team in shown["teams"]] == ["editor"]
    assert shown["documents"] == 0
    assert "workspace (editor)" in ok("user", "show", "소연@예시.한국").out
    assert ok("user", "rename", made["id"], "소연", "--json").json["name"] == "소연"
    assert run("user", "rename", made["id"]).code == 2
    ok("user", "remove", "소연@예시.한국")
    gone = run("user", "show", made["id"], "--json")
    assert (gone.code, gone.error["code"]) == (1, "not_found")


def test_who_has_documents_is_removed_with_an_heir(ok: Run, run: Run) -> None:
    ok("user", "add", "ann@example.com")
    ok("doc", "new", "계획", "--user", "ann@example.com")
    kept = run("user", "remove", "ann@example.com")
    assert kept.code == 1
    assert "--give-to" in kept.err
    ok("user", "remove", "ann@example.com", "--give-to", "owner")
    with strata.open(auto_embed=False) as db:
        assert list(db.rights.visible().values()) == ["owner"]


def test_teams_are_a_tree_with_members(ok: Run, run: Run) -> None:
    ok("team", "add", "디자인")
    ok("team", "add", "Type", "--under", "디자인")
    lines = ok("team").out.splitlines()
    assert [line.partition("  ")[2] for line in lines[1:]] == [
        "workspace",
        "  디자인",
        "    Type",
    ]
    ok("user", "add", "ann@example.com")
    ok("team", "member", "Type", "ann@example.com", "--role", "admin")
    assert ok("team", "member", "Type", "--json").json["members"][0]["role"] == "admin"
    assert "no members of its own" in ok("team", "member", "디자인").err
    assert run("team", "member", "Type", "ann@example.com").code == 2
    assert run("team", "member", "Type", "--role", "admin").code == 2
    assert run("team", "member", "Type", "ann@example.com", "--role", "king").code == 2
    ok("team", "member", "Type", "ann@example.com", "--remove")
    assert run("team", "remove", "디자인").code == 1
    ok("team", "move", "Type", "--under", "workspace")
    ok("team", "rename", "Type", "글자")
    ok("team", "remove", "디자인")
    assert [one["name"] for one in ok("team", "list", "--json").json["teams"]] == [
        "workspace",
        "글자",
    ]


def test_folders_are_ones_own_or_a_teams(ok: Run, run: Run) -> None:
    own = ok("folder", "add", "초안", "--json").json
    ok("team", "add", "디자인")
    shared = ok("folder", "add", "Briefs", "--team", "디자인", "--templates", "--json").json
    assert (own["kind"], shared["kind"], shared["templates"]) == ("personal", "team", True)
    inner = ok("folder", "add", "2026", "--in", "Briefs", "--json").json
    assert (inner["team"], inner["parent"]) == (shared["team"], shared["id"])
    text = ok("folder").out
    assert "templates" in text
    assert "디자인" in text
    ok("folder", "rename", "2026", "2027")
    assert run("folder", "remove", "Briefs").code == 1
    ok("folder", "remove", "2027")
    ok("folder", "remove", "Briefs")
    assert [one["name"] for one in ok("folder", "list", "--json").json["folders"]] == [
        "Personal",
        "초안",
    ]


def test_a_command_acts_for_whom_it_is_told(
    ok: Run, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    ok("user", "add", "ann@example.com")
    ok("folder", "add", "비밀", "--user", "ann@example.com")
    assert "비밀" not in ok("folder").out
    assert "비밀" in ok("folder", "--user", "ann@example.com").out
    refused = run("team", "add", "x", "--user", "ann@example.com", "--json")
    assert refused.error["code"] == "not_allowed"
    monkeypatch.setenv("STRATA_USER", "ann@example.com")
    assert "비밀" in ok("folder").out
    assert run("audit").code == 1


def test_the_two_kinds_of_space_stand_beside_each_other(ok: Run, run: Run) -> None:
    ok("put", "todo", "우유 사기", "--space", "notes")
    made = ok("space", "add", "읽을거리", "--json").json
    alone = ok("space")
    assert "* default" in alone.out
    assert f"읽을거리 ({made['id']}, of documents)" in alone.out
    found = ok("space", "--json").json
    assert (found["spaces"], found["current"]) == (["default", "notes"], "default")
    assert [one["name"] for one in found["document_spaces"]] == ["읽을거리"]
    ok("doc", "new", "계획")
    assert ok("space", "put", "읽을거리", "계획", "--json").json["added"]
    assert not ok("space", "put", "읽을거리", "계획", "--json").json["added"]
    assert len(ok("space", "list", "읽을거리", "--json").json["documents"]) == 1
    assert "1 document" in ok("space", "list").out
    assert ok("space", "take", "읽을거리", "계획", "--json").json["removed"]
    ok("space", "rename", made["id"], "Reading")
    ok("space", "remove", "Reading")
    assert "no Spaces of documents" in ok("space", "list").err
    assert run("space", "remove", "notes").code == 1
    ok("space", "delete", "notes", "--force", "--yes")


def test_the_audit_log_tells_who_did_what(ok: Run) -> None:
    ok("user", "add", "ann@example.com", "--name", "소연")
    ok("folder", "add", "초안", "--user", "ann@example.com")
    assert [one["action"] for one in ok("audit", "--json").json["entries"]] == [
        "folder.add",
        "user.add",
    ]
    text = ok("audit", "--by", "ann@example.com").out
    assert "소연" in text
    assert "user.add" not in text
    first = ok("audit", "--limit", "1", "--json").json["entries"][0]
    rest = ok("audit", "--before", first["number"], "--json").json["entries"]
    assert [one["action"] for one in rest] == ["user.add"]


def test_a_token_belongs_to_a_user_and_may_only_suggest(ok: Run, run: Run) -> None:
    ann = ok("user", "add", "ann@example.com", "--name", "소연", "--json").json
    made = ok("token", "create", "x", "--user", "ann@example.com", "--suggest-only", "--json").json
    assert (made["user"], made["suggest_only"]) == (ann["id"], True)
    ok("token", "create", "mine")
    text = ok("token").out
    assert "소연" in text
    assert "owner" in text
    assert "core, collaboration" in text
    assert "suggesting" in text
    assert "use every group" in text
    assert run("token", "create", "y", "--user", "nobody@example.com").code == 1
