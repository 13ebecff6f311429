"""`strata export` and `strata import`, as a person uses them."""

import json
from pathlib import Path

import pytest

from tests.surface.conftest import Run


@pytest.fixture
def kept(ok: Run) -> None:
    ok("put", "deploy/target", "운영", "--tag", "배포")
    ok("put", "count", "1")
    ok("put", "todo", "우유", "--space", "메모")
    ok("event", "append", "deploy", '{"env": "운영"}')


@pytest.mark.usefixtures("kept")
def test_an_export_says_what_it_wrote(ok: Run, project: Path) -> None:
    assert ok("export", "all.jsonl").out == "wrote all.jsonl\n  3 facts, 1 event\n"
    lines = (project / "all.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[0])["format"] == "strata-export"
    assert [json.loads(line).get("key") for line in lines[1:]] == [
        "count",
        "deploy/target",
        None,
        "todo",
    ]
    found = ok("export", "all.md", "--json").json
    assert (found["format"], found["records"]) == ("markdown", {"kv": 3, "event": 1})


@pytest.mark.usefixtures("kept")
def test_an_export_goes_to_standard_output_and_back_in(ok: Run) -> None:
    text = ok("export").out
    assert text == ok("export", "-", "--format", "jsonl").out
    ok("fork", "empty", "--at", "0")
    assert ok("import", "-", "--branch", "empty", "--json", input=text).json["written"] == {
        "kv": 3,
        "event": 1,
    }
    assert ok("get", "deploy/target", "--branch", "empty").out == "운영\n"
    assert ok("get", "todo", "--branch", "empty", "--space", "메모").out == "우유\n"


@pytest.mark.usefixtures("kept")
def test_options_narrow_an_export(ok: Run, run: Run) -> None:
    def keys(*words: str) -> list[str]:
        lines = ok("export", *words).out.splitlines()[1:]
        return [json.loads(line).get("key", "-") for line in lines]

    assert keys("--space", "메모") == ["todo"]
    assert keys("--prefix", "dep") == ["deploy/target"]
    assert keys("--kinds", "event") == ["-"]
    assert keys("--at", "1") == ["deploy/target"]
    assert "# Strata export" in ok("export", "--format", "markdown").out
    assert ok("export", "--history").out.count('"kind":"commit"') == 4
    assert run("export", "--kinds", "vector").code == 2
    assert run("export", "--json").code == 2


@pytest.mark.usefixtures("kept")
def test_a_file_is_not_overwritten_by_accident(ok: Run, run: Run) -> None:
    ok("export", "all.jsonl")
    assert "exists already" in run("export", "all.jsonl").err
    ok("export", "all.jsonl", "--force")


@pytest.mark.usefixtures("kept")
def test_other_values_are_listed_and_need_a_choice(ok: Run, run: Run) -> None:
    ok("export", "all.jsonl")
    ok("put", "count", "2")
    refused = run("import", "all.jsonl")
    assert refused.code == 1
    assert "default/count" in refused.err
    preview = ok("import", "all.jsonl", "--preview").out
    assert preview.splitlines() == [
        "would write nothing on branch default (jsonl)",
        "  3 unchanged: here already",
        "  1 in conflict: choose with --on-conflict",
        "    default/count",
    ]
    ok("import", "all.jsonl", "--on-conflict", "skip")
    assert ok("get", "count").out == "2\n"
    done = ok("import", "all.jsonl", "--on-conflict", "replace").out
    assert done.splitlines()[0] == "wrote 1 fact in 1 commit on branch default (jsonl)"
    assert ok("get", "count").out == "1\n"


def test_a_bad_line_is_named_and_makes_no_store(run: Run, ok: Run, project: Path) -> None:
    file = project / "memory.jsonl"
    good = {"type": "entity", "name": "하나", "entityType": "person", "observations": []}
    file.write_text(json.dumps(good) + "\n{oops\n", encoding="utf-8")
    refused = run("import", file)
    assert refused.code == 1
    assert "line 2" in refused.err
    assert not (project / ".strata").exists()
    assert run("import", file, "--json").error["details"]["line"] == 2
    lenient = ok("import", file, "--lenient").out.splitlines()
    assert lenient[0] == "wrote 1 fact in 1 commit on branch default (memory-server)"
    assert lenient[1] == "  1 line that cannot be read: left out"
    assert lenient[2].startswith("    line 2: ")


def test_a_preview_makes_no_store(ok: Run, project: Path) -> None:
    memories = json.dumps([{"id": "1", "memory": "기억", "user_id": "u"}])
    found = ok("import", "-", "--preview", "--json", input=memories).json
    assert (found["written"], found["format"]) == ({"kv": 1}, "mem0")
    assert not (project / ".strata").exists()
    assert "would write 1 fact in 1 commit" in ok("import", "-", "--preview", input=memories).out


def test_an_import_names_its_actor_and_goes_to_its_space(ok: Run) -> None:
    memories = json.dumps({"results": [{"id": "1", "memory": "기억", "user_id": "u"}]})
    ok("import", "-", "--actor", "이사", "--space", "옛것", input=memories)
    assert json.loads(ok("get", "memory/u/1", "--space", "옛것").out)["memory"] == "기억"
    assert ok("log", "--json").json["commits"][0]["actor"] == "이사"


@pytest.mark.usefixtures("kept")
def test_a_history_travels_with_its_times(ok: Run) -> None:
    ok("export", "all.md", "--history")
    ok("fork", "empty", "--at", "0")
    done = ok("import", "all.md", "--branch", "empty").out
    assert done.startswith("wrote 3 facts, 1 event in 4 commits on branch empty (markdown)")
    times = [one["time"] for one in ok("log", "--json").json["commits"]]
    assert [
        one["time"] for one in ok("log", "--json", "--branch", "empty").json["commits"]
    ] == times
    assert ok("import", "all.md", "--branch", "empty").out.splitlines()[1:] == [
        "  4 unchanged: here already"
    ]


def test_a_file_that_is_not_there_is_told(run: Run, project: Path) -> None:
    refused = run("import", "없음.jsonl")
    assert refused.code == 1
    assert "There is no file" in refused.err
    assert not (project / ".strata").exists()


def test_secrets_are_listed_by_place_and_masked_when_asked(ok: Run) -> None:
    address = "postgres://app:" + "tr0ub4dor" + "@db/app"
    memories = json.dumps([{"id": "1", "memory": address, "user_id": "u"}])
    kept = ok("import", "-", "--preview", input=memories).out.splitlines()
    assert kept[1:] == [
        "  1 secret: kept; --mask-secrets puts marks in their place",
        "    line 1: url_password in memory/u/1 $.memory",
    ]
    done = ok("import", "-", "--mask-secrets", input=memories).out.splitlines()
    assert done[1] == "  1 secret: masked"
    assert "tr0ub4dor" not in ok("get", "memory/u/1").out
