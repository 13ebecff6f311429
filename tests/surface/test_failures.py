"""How commands fail: exit codes, one line and a hint, and never a traceback."""

import subprocess
import sys
from pathlib import Path

import pytest

import strata
from tests.surface.conftest import Run


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["get", "없다"], 1),
        (["list", "--branch", "없다"], 1),
        (["get", "k", "--at", "tag:없다"], 1),
        (["list", "--at", "헛소리"], 2),
        (["get", "k", "--path", "$["], 2),
        (["put", "", "v"], 2),
        (["put"], 2),
        (["list", "--limit", "0"], 2),
        (["list", "--unknown"], 2),
        (["nonsense"], 2),
        (["vector", "nonsense"], 2),
        (["log", "--help"], 0),
        (["--help"], 0),
        ([], 0),
    ],
)
def test_exit_codes_tell_what_happened(ok: Run, run: Run, words: list[str], code: int) -> None:
    ok("put", "k", '{"a": 1}')
    answer = run(*words)
    assert answer.code == code
    if code:
        assert answer.out == ""
        assert answer.err.startswith("strata: ")
        assert len(answer.err.splitlines()) <= 2


@pytest.mark.parametrize(
    "words",
    [["doc", "show"], ["doc", "history"], ["decisions", "show"], ["decisions", "link", "list"]],
)
def test_bytes_that_are_no_text_are_named_as_such(ok: Run, run: Run, words: list[str]) -> None:
    ok("put", "k", "v")
    answer = run(*words, "\udcff")
    assert (answer.code, answer.out) == (2, "")
    assert "not UTF-8" in answer.err


def test_an_error_is_json_when_json_was_asked_for(run: Run) -> None:
    for words in (["get", "k", "--json"], ["--json", "list", "--oops"], ["typo", "--json"]):
        answer = run(*words)
        assert answer.out == ""
        assert {"code", "message", "hint"} <= answer.error.keys()
    assert run("typo", "--json").error["code"] == "usage"


def test_an_unknown_command_names_the_nearest(run: Run) -> None:
    assert "Did you mean 'cherry-pick'?" in run("cherrypick").err
    assert "Did you mean 'merge'?" in run("merg").err
    assert "Did you mean '--branch'?" in run("list", "--brnch", "x").err


def test_a_file_that_is_no_store_is_refused_untouched(run: Run, project: Path) -> None:
    text = "this is somebody's letter, not a database\n" * 30
    (project / "letter.txt").write_text(text)
    for words in (["list"], ["put", "k", "v"], ["verify"]):
        answer = run(*words, "--db", "letter.txt", "--json")
        assert (answer.code, answer.error["code"]) == (1, "not_a_store")
    assert (project / "letter.txt").read_text() == text


def test_an_error_of_the_system_is_one_line(run: Run, ok: Run) -> None:
    ok("put", "k", "v")
    answer = run("backup", "no/such/folder/copy")
    assert answer.code == 1
    assert answer.err.startswith("strata: ")
    assert "Traceback" not in answer.err


def test_a_closed_pipe_is_silent(ok: Run, process: Run) -> None:
    with strata.open() as db:
        db.kv.put_many({f"k{number:05}": "글" * 50 for number in range(5000)})
    command = [sys.executable, "-m", "strata", "list", "--all"]
    reader = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert reader.stdout is not None
    assert reader.stderr is not None
    reader.stdout.readline()
    reader.stdout.close()
    assert reader.stderr.read() == b""
    reader.stderr.close()
    assert reader.wait(timeout=30) in (0, 1)


def test_an_interrupted_command_ends_with_130(
    run: Run, ok: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    ok("put", "k", "v")

    def interrupted(*_arguments: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("strata.cli.commands.values.read_value", interrupted)
    answer = run("put", "k", "-")
    assert (answer.code, answer.out) == (130, "")
    assert ok("get", "k").out == "v\n"


def test_output_is_utf_8_whatever_the_locale(ok: Run, process: Run) -> None:
    ok("put", "인사", "안녕")
    for name in ("LC_ALL", "LANG"):
        answer = process("get", "인사", **{name: "C", "PYTHONIOENCODING": "ascii"})
        assert answer.out == "안녕\n"


def test_the_module_and_the_script_are_one_command(process: Run) -> None:
    assert process("--version").out == f"strata {strata.__version__}\n"
    assert process("--help").out.startswith("Usage: strata ")
