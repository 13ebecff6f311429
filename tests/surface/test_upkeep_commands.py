"""verify, backup, restore, compact, retention, bundle, vector."""

import os
from pathlib import Path

import pytest

import strata
from tests.surface.conftest import Run


def test_a_backup_brings_the_store_back(ok: Run, run: Run) -> None:
    ok("put", "k", "처음")
    assert ok("backup", "월요일.strata").out.startswith("wrote 월요일.strata: version 1, ")
    ok("put", "k", "나중")
    assert run("restore", "월요일.strata", "--json").error["code"] == "already_exists"
    assert run("restore", "월요일.strata", "--force").code == 2
    assert ok("get", "k").out == "나중\n"
    ok("restore", "월요일.strata", "--force", "--yes")
    assert ok("get", "k").out == "처음\n"
    assert run("backup", "월요일.strata").code == 1
    ok("backup", "월요일.strata", "--force")


def test_a_backup_can_be_restored_where_no_store_was(ok: Run, tmp_path: Path) -> None:
    ok("put", "k", "v")
    ok("backup", tmp_path / "copy.strata")
    elsewhere = tmp_path / "다른 곳"
    (elsewhere / ".git").mkdir(parents=True)
    os.chdir(elsewhere)
    ok("restore", tmp_path / "copy.strata")
    assert ok("get", "k").out == "v\n"
    assert (elsewhere / ".strata" / ".gitignore").exists()


def test_something_that_is_no_backup_is_not_restored(run: Run, project: Path) -> None:
    (project / "note.txt").write_text("no database at all, but long enough to look at" * 20)
    assert run("restore", "note.txt").code == 1
    assert run("restore", "missing").code == 2
    assert not (project / ".strata").exists()


def test_verify_finds_a_flipped_byte(ok: Run, run: Run, project: Path) -> None:
    ok("put", "k", "가나다라마바사아")
    assert ok("verify").out == "ok: 1 commit, 1 version (0 erased, 0 trimmed)\n"
    store = project / ".strata" / "store.db"
    data = store.read_bytes()
    place = data.index("가나다라마바사아".encode())
    store.write_bytes(data[:place] + b"\xeb" + data[place + 1 :])
    hurt = run("verify")
    assert hurt.code == 1
    assert "1 problem" in hurt.out
    as_json = run("verify", "--json").json
    assert (as_json["ok"], as_json["problems"][0]["kind"]) == (False, "value")


def test_compact_tells_both_sizes(ok: Run) -> None:
    ok("put", "k", "v")
    sizes = ok("compact", "--json").json
    assert 0 < sizes["after_bytes"] <= sizes["before_bytes"]
    assert ok("compact").out.endswith(" now\n")


def test_retention_is_set_previewed_applied_and_removed(ok: Run, run: Run) -> None:
    for number in range(4):
        ok("put", "k", number)
    assert ok("retention").out == "no policy: everything is kept\n"
    assert run("retention", "set").code == 2
    ok("retention", "set", "--max-versions", 1, "--kind", "kv")
    ok("retention", "set", "--space", "메모", "--max-age", "30d")
    policies = ok("retention", "--json").json["policies"]
    assert [(policy["space"], policy["kind"]) for policy in policies] == [
        ("*", "kv"),
        ("메모", "*"),
    ]
    assert "30 d" in ok("retention").out
    assert ok("retention", "apply", "--preview", "--json").json["versions"] == 3
    assert run("retention", "apply").code == 2
    assert ok("get", "k", "--at", 1).out == "0\n"
    assert ok("retention", "apply", "--yes").out.startswith("dropped 3 versions")
    assert run("get", "k", "--at", 1, "--json").error["code"] == "history_trimmed"
    assert ok("retention", "apply").out.startswith("dropped 0 versions")
    ok("retention", "remove", "--kind", "kv")
    assert run("retention", "remove", "--kind", "kv").code == 1


def test_bundles_of_one_branch_go_back_and_forth_between_stores(
    ok: Run, run: Run, tmp_path: Path
) -> None:
    here, there = ("--db", tmp_path / "here.db"), ("--db", tmp_path / "there.db")
    file = tmp_path / "가지.bundle"
    ok(*here, "put", "x", "one")
    ok(*here, "put", "y", "one")
    ok(*here, "bundle", "export", file)
    assert (
        "moved branch default forward by 2 new commits" in ok(*there, "bundle", "import", file).out
    )
    ok(*there, "put", "x", "둘")
    ok(*there, "bundle", "export", file, "--force")
    ok(*here, "put", "y", "둘")
    back = ok(*here, "bundle", "import", file)
    assert "made branch default-2 with 1 new commit" in back.out
    assert "merge 'default-2'" in back.err
    ok(*here, "merge", "default-2")
    assert [ok(*here, "get", key).out for key in ("x", "y")] == ["둘\n", "둘\n"]
    ok(*there, "delete", "x")
    ok(*there, "bundle", "export", file, "--force")
    assert (
        "moved branch default-2 forward by 1 new commit" in ok(*here, "bundle", "import", file).out
    )
    ok(*here, "merge", "default-2")
    assert run(*here, "get", "x").code == 1


def test_a_bundle_carries_a_branch(ok: Run, run: Run, tmp_path: Path) -> None:
    ok("put", "k", "값")
    ok("bundle", "export", tmp_path / "b")
    assert run("bundle", "export", tmp_path / "b").code == 1
    assert ok("bundle", "validate", tmp_path / "b", "--json").json["commits"] == 1
    assert ok("bundle", "import", tmp_path / "b").out.startswith("branch default has all of it")
    assert ok("bundle", "import", tmp_path / "b", "--as", "받은 것", "--json").json["branch"] == (
        "받은 것"
    )
    assert ok("get", "k", "--branch", "받은 것").out == "값\n"
    data = (tmp_path / "b").read_bytes()
    (tmp_path / "cut").write_bytes(data[: len(data) // 2])
    assert run("bundle", "validate", tmp_path / "cut", "--json").error["code"] == "damaged_bundle"
    assert ok("bundle").out.startswith("Usage: strata bundle")


def test_vectors_are_kept_and_found(ok: Run, run: Run, project: Path) -> None:
    ok("vector", "create", "places", 2)
    ok("vector", "put", "places", "서울", "[1, 0]", "--metadata", '{"country": "kr"}')
    ok("vector", "put", "places", "도쿄", "-", input="[0, 1]")
    condition = '{"field": "country", "op": "eq", "value": "kr"}'
    nearest = ok("vector", "search", "places", "[0.2, 0.9]", "--json").json["matches"]
    assert [match["key"] for match in nearest] == ["도쿄", "서울"]
    filtered = ok("vector", "search", "places", "[0.2, 0.9]", "--filter", condition, "-k", 1)
    assert filtered.out.splitlines()[1].startswith("서울")
    assert ok("vector", "get", "places", "서울").json["metadata"] == {"country": "kr"}
    assert ok("vector", "--json").json["collections"][0]["count"] == 2
    assert run("vector", "put", "places", "x", "north").code == 2
    assert run("vector", "put", "places", "x", "[1, 2, 3]", "--json").error["code"] == (
        "dimension_mismatch"
    )
    assert run("vector", "search", "places", "[1, 0]", "--filter", "[]").code == 2
    ok("vector", "delete", "places", "서울")
    assert run("vector", "get", "places", "서울").code == 1
    assert ok("vector", "drop", "places").out == "dropped places with 1 vector\n"


def test_status_shows_the_store_at_a_glance(ok: Run, project: Path) -> None:
    ok("put", "k", "v", "-m", "첫 쓰기")
    ok("event", "append", "note")
    text = ok("status").out
    for part in (str(project / ".strata" / "store.db"), "1 key, 1 event", "always", "version 2"):
        assert part in text
    found = ok("status", "--json").json
    assert (found["keys"], found["events"], found["commits"]) == (1, 1, 2)
    assert found["last_commit"]["time"].endswith("Z")


@pytest.mark.parametrize("command", ["backup copy.strata", "bundle export b", "verify", "compact"])
def test_progress_stays_away_from_pipes(ok: Run, command: str) -> None:
    with strata.open() as db:
        db.kv.put_many({f"k{number}": "글" * 100 for number in range(2000)})
    assert ok(*command.split()).err == ""
