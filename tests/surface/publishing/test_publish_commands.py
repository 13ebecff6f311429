"""`strata publish` in the shell."""

from tests.surface.conftest import Run


def test_publishing_from_the_shell_there_and_back(ok: Run) -> None:
    ok("doc", "new", "계획", "# 목표")
    out = ok("publish", "계획", "--pin").out
    assert "published" in out
    assert "/@owner/" in out
    listed = ok("publish").out
    assert "계획" in listed
    assert "yes" in listed
    ok("doc", "edit", "계획", "--replace", "목표", "다음")
    assert "unpublished changes  yes" in ok("publish", "status", "계획").out
    assert "2 of 2" in ok("publish", "document", "계획").out
    versions = ok("publish", "versions", "계획").out.splitlines()
    assert [line.split()[0] for line in versions[1:]] == ["*", "1"]
    assert "1 of 2" in ok("publish", "rollback", "계획", "1").out
    assert "pinned" not in ok("publish", "unpin", "계획").out
    assert "pinned" in ok("publish", "pin", "계획").out
    assert "draft" in ok("publish", "undo", "계획").out
    assert "draft" in ok("publish", "unpublish", "계획").out


def test_json_tells_the_same(ok: Run) -> None:
    ok("doc", "new", "Plan", "x")
    told = ok("publish", "Plan", "--json").json
    assert (told["state"], told["number"], told["url"]) == ("published", 1, "/@owner/plan")
    assert ok("publish", "list", "--json").json["publications"][0]["slug"] == "plan"
    assert ok("publish", "versions", "Plan", "--json").json["versions"][0]["is_shown"]


def test_a_profile_is_shown_and_changed(ok: Run) -> None:
    ok("publish", "profile", "--name", "소연", "--title", "Soyeon", "--about", "Bread.")
    told = ok("publish", "profile", "--json").json
    assert (told["name"], told["title"], told["about"]) == ("소연", "Soyeon", "Bread.")


def test_a_first_profile_that_is_refused_leaves_no_store(run: Run) -> None:
    assert run("publish", "profile", "--name", "x").code == 2
    assert "There is no store" in run("publish", "profile").err


def test_the_address_comes_from_the_setting(ok: Run) -> None:
    ok("doc", "new", "Plan", "x")
    ok("config", "public_url", "https://notes.example.com/")
    assert "https://notes.example.com/@owner/plan" in ok("publish", "Plan").out


def test_what_goes_wrong_is_told_with_what_helps(ok: Run, run: Run) -> None:
    ok("doc", "new", "Plan", "x")
    assert "strata doc list" in run("publish", "Nothing").err
    assert "publish versions" in run("publish", "rollback", "Plan", "3").err
    assert "Publish it first" in run("publish", "pin", "Plan").err
    ok("doc", "trash", "Plan")
    assert "`strata doc trash DOCUMENT --undo`" in run("publish", "Plan").err
