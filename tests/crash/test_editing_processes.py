"""Several processes edit one document at once, and some are killed: no edit is lost or doubled."""

import re
import subprocess
from pathlib import Path

import pytest

import strata
from strata import Workspace
from tests.crash.processes import run_together, start

pytestmark = pytest.mark.crash
TEXT = "# 머리\n\n가운데 문단 é\u0301 عربي\n\n꼬리\n"
WORD = re.compile(r"(\S+·\d+)😀")


def made(path: Path) -> str:
    with strata.open(path, auto_embed=False) as db:
        return db.documents.create("함께", TEXT).document


def words(db: Workspace, document: str) -> list[str]:
    return WORD.findall(db.documents.text(document))


def test_six_processes_that_edit_at_once_lose_nothing(path: Path) -> None:
    document = made(path)
    outputs = run_together(*[start("edits", path, document, f"p{n}", 15) for n in range(6)])
    told = [word for output in outputs for word in output.split()]
    with strata.open(path, auto_embed=False) as db:
        assert sorted(words(db, document)) == sorted(told)
        assert len(told) == 90
        assert WORD.sub("", db.documents.text(document)).replace(" ", "") == TEXT.replace(" ", "")
        authors = {version.via for version in db.documents.history(document, limit=200)}
        assert authors >= {(f"p{n}",) for n in range(6)}
        assert db.verify().ok


def test_killed_editors_leave_what_was_acknowledged(path: Path) -> None:
    document = made(path)
    processes = [start("edits", path, document, f"p{n}", 400 if n < 3 else 15) for n in range(5)]
    for process in processes:
        assert read(process) == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    told: list[str] = []
    for number, process in enumerate(processes[:3]):
        lines = [read(process) for _ in range(5 + 3 * number)]
        process.kill()
        rest = process.communicate()[0]
        told += [line.strip() for line in lines] + rest[: rest.rfind("\n") + 1].split()
    for process in processes[3:]:
        output, complaint = process.communicate(timeout=90)
        assert process.returncode == 0, complaint[-3000:]
        told += output.split()
    with strata.open(path, auto_embed=False) as db:
        found = words(db, document)
        assert len(found) == len(set(found)), "an edit stands twice"
        assert set(told) <= set(found), "an acknowledged edit is lost"
        assert len(told) >= 5 + 8 + 11 + 30
        assert db.verify().ok
        assert db.documents.edit(document, "가운데", "다시 가운데").status == "applied"


def read(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline()
