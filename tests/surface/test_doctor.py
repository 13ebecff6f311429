"""doctor: what it looks at, and what it says."""

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import strata
from tests.surface.conftest import Run

Checks = Callable[..., dict[str, dict[str, Any]]]


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out what the other tests give to hooks."""
    monkeypatch.delenv("STRATA_HOOK_SECONDS")


@pytest.fixture
def checks(run: Run) -> Checks:
    """Run the doctor; return its findings by name."""

    def call(*words: object, code: int = 0) -> dict[str, dict[str, Any]]:
        answer = run("doctor", "--json", *words)
        assert answer.code == code, answer.out
        return {check["name"]: check for check in answer.json["checks"]}

    return call


def test_every_variable_that_strata_reads_means_something(
    checks: Checks, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = (path.read_text() for path in Path(strata.__file__).parent.rglob("*.py"))
    read = {name for text in sources for name in re.findall(r'"(STRATA_[A-Z_]+)"', text)}
    assert {"STRATA_DB", "STRATA_HOOK_SECONDS", "STRATA_TRUST", "STRATA_USER"} <= read
    for name in sorted(read - {"STRATA_NONCE"}):
        monkeypatch.setenv(name, os.environ.get(name, ""))
    assert checks()["environment"]["state"] == "ok"


def test_a_sound_store_is_ok_in_every_respect(ok: Run, checks: Checks) -> None:
    ok("put", "k", "v")
    found = checks("--deep")
    assert {check["state"] for check in found.values()} == {"ok"}
    assert found.keys() >= {
        "versions",
        "import name",
        "environment",
        "store",
        "file system",
        "disk space",
        "write-ahead log",
        "leftovers",
        "format",
        "journal",
        "structure",
        "clock",
        "contents",
    }
    assert "WAL" in found["journal"]["message"]
    assert all(line.startswith("ok ") for line in ok("doctor").out.splitlines())


def test_without_a_store_it_says_where_one_would_be(checks: Checks, project: Path) -> None:
    found = checks()["store"]
    assert found["state"] == "warn"
    assert str(project / ".strata" / "store.db") in found["message"]
    assert not (project / ".strata").exists()


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such modes")
def test_a_store_that_others_may_read_is_warned_of(ok: Run, checks: Checks, project: Path) -> None:
    ok("put", "k", "v")
    (project / ".strata" / "store.db").chmod(0o644)
    found = checks()["permissions"]
    assert (found["state"], found["message"][:4]) == ("warn", "0644")
    assert found["advice"].startswith("chmod 600 ")


def test_unfinished_copies_are_named(ok: Run, checks: Checks, project: Path) -> None:
    ok("put", "k", "v")
    (project / ".strata" / ".copy.abc.part").write_bytes(b"")
    assert ".copy.abc.part" in checks()["leftovers"]["message"]


def test_a_clock_behind_the_newest_commit_is_warned_of(
    ok: Run, checks: Checks, monkeypatch: pytest.MonkeyPatch
) -> None:
    ok("put", "k", "v")
    monkeypatch.setattr("strata.cli.commands.doctor.now_us", lambda: 1_000_000_000_000_000)
    found = checks()["clock"]
    assert found["state"] == "warn"
    assert "behind the newest commit" in found["message"]


def test_a_full_disk_is_warned_of(ok: Run, checks: Checks, monkeypatch: pytest.MonkeyPatch) -> None:
    ok("put", "k", "v")
    monkeypatch.setattr("shutil.disk_usage", lambda _path: SimpleNamespace(free=4096))
    assert checks()["disk space"]["message"] == "4 KiB free"
    assert checks()["disk space"]["state"] == "warn"


def test_a_log_that_never_shrinks_is_warned_of(
    ok: Run, checks: Checks, monkeypatch: pytest.MonkeyPatch
) -> None:
    ok("put", "k", "v")
    monkeypatch.setattr("strata.cli.commands.doctor._WAL_BYTES_MAX", -1)
    assert "strata compact" in checks()["write-ahead log"]["advice"]


def test_variables_in_force_are_shown_and_unknown_ones_warned_of(
    ok: Run, checks: Checks, monkeypatch: pytest.MonkeyPatch
) -> None:
    ok("put", "k", "v")
    monkeypatch.setenv("STRATA_ACTOR", "소연")
    assert checks()["environment"] == {
        "name": "environment",
        "state": "ok",
        "message": "STRATA_ACTOR=소연",
        "advice": None,
    }
    monkeypatch.setenv("STRATA_BRNCH", "x")
    found = checks()["environment"]
    assert found["state"] == "warn"
    assert "STRATA_BRANCH" in found["advice"]


def test_another_distribution_with_a_package_called_strata_fails(
    ok: Run, checks: Checks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ok("put", "k", "v")
    other = tmp_path / "site"
    record = other / "strata_config-1.0.dist-info"
    record.mkdir(parents=True)
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: strata-config\nVersion: 1.0\n")
    (record / "RECORD").write_text("strata/__init__.py,,\nstrata_config-1.0.dist-info/METADATA,,\n")
    monkeypatch.setattr(sys, "path", [*sys.path, str(other)])
    found = checks(code=1)["import name"]
    assert found["state"] == "fail"
    assert "strata-config" in found["message"]
    assert "pip uninstall strata-config" in found["advice"]


@pytest.mark.slow
def test_a_damaged_store_fails_and_a_foreign_file_too(
    ok: Run, checks: Checks, project: Path
) -> None:
    ok("put", "k", "가나다라마바사아")
    store = project / ".strata" / "store.db"
    data = store.read_bytes()
    place = data.index("가나다라마바사아".encode())
    store.write_bytes(data[:place] + b"\xeb" + data[place + 1 :])
    assert checks()["structure"]["state"] == "ok"
    assert checks("--deep", code=1)["contents"]["state"] == "fail"
    store.write_bytes(b"somebody else's file, certainly no database" * 100)
    assert checks(code=1)["opening"]["state"] == "fail"


def test_torture_reports_what_it_proved(ok: Run, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from strata.proof import TortureReport

    ok("put", "k", "v")
    asked: list[float] = []

    def stand_in(folder: Path | None, *, seconds: float, progress: object) -> TortureReport:
        asked.append(seconds)
        lost = 0 if seconds == 5 else 2
        return TortureReport(not lost, 100, lost, 7, 9, 3, 0, seconds, ("메모",))

    monkeypatch.setattr("strata.proof.torture", stand_in)
    text = ok("doctor", "--torture", "--seconds", 5).out
    assert text.startswith("nothing was lost\n")
    assert text.endswith("메모\n")
    broken = run("doctor", "--torture", "--seconds", 6, "--json")
    assert (broken.code, broken.json["lost"], asked) == (1, 2, [5, 6])
    assert run("doctor", "--torture", "--seconds", 0).code == 2


@pytest.mark.slow
def test_torture_runs_for_real(process: Run) -> None:
    answer = process("doctor", "--torture", "--seconds", 3, "--json")
    assert (answer.code, answer.json["ok"], answer.json["lost"]) == (0, True, 0)
    assert answer.json["acknowledged"] > 0


def test_versions_are_the_ones_in_use(checks: Checks) -> None:
    message = checks()["versions"]["message"]
    assert f"strata {strata.__version__}" in message
    assert "SQLite 3." in message


def test_the_key_of_an_endpoint_is_not_shown(
    checks: Checks, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STRATA_API_KEY", "비밀-열쇠")
    assert checks()["environment"]["message"] == "STRATA_API_KEY=(set)"
    assert "비밀" not in run("doctor").out
