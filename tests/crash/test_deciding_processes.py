"""Several processes decide on one topic at once: no decision is lost, and the chain is a chain."""

import subprocess
from pathlib import Path

import pytest

import strata
from strata import Workspace
from tests.crash.processes import run_together, start

pytestmark = pytest.mark.crash
TOPIC = "배포 전략"


def chain(db: Workspace) -> list[tuple[str, list[str]]]:
    """Return every decision in the order of its commit, with what it replaces."""
    decisions = sorted(db.decisions.recent(limit=9999), key=lambda memory: memory.version)
    replaced = {
        memory.id: [
            link.to_id
            for link in db.decisions.links(memory.id)
            if link.from_id == memory.id and link.supersedes
        ]
        for memory in decisions
    }
    return list(replaced.items())


def assert_each_replaced_the_one_before(db: Workspace) -> None:
    found = chain(db)
    expected = [[], *([id_] for id_, _replaced in found)]
    assert [replaced for _id, replaced in found] == expected[: len(found)]
    assert [memory.id for memory in db.decisions.heads(TOPIC)] == [found[-1][0]]


def acknowledged(output: str) -> list[tuple[str, list[str]]]:
    lines = [line.split() for line in output.splitlines()]
    return [(id_, replaced) for id_, *replaced in lines]


def test_eight_processes_that_decide_at_once_make_one_chain(path: Path) -> None:
    strata.open(path).close()
    outputs = run_together(*[start("decides", path, f"p{n}", 12) for n in range(8)])
    told = dict(line for output in outputs for line in acknowledged(output))
    assert len(told) == 96
    with strata.open(path, auto_embed=False) as db:
        assert dict(chain(db)) == told, "what was acknowledged is what is there"
        assert_each_replaced_the_one_before(db)
        contents = [memory.content for memory in db.decisions.recent(limit=9999)]
        assert sorted(contents) == sorted(f"p{n} decides {m}" for n in range(8) for m in range(12))
        assert db.verify().ok  # the tables for SQL included


def test_killing_some_of_them_loses_nothing_and_breaks_no_chain(path: Path) -> None:
    strata.open(path).close()
    processes = [start("decides", path, f"p{n}", 400 if n < 4 else 10) for n in range(8)]
    for process in processes:
        assert read(process) == "ready\n"
    for process in processes:
        tell(process, "go\n")
    told: list[tuple[str, list[str]]] = []
    # The first four would go on for long, and are killed at different places.
    for number, process in enumerate(processes[:4]):
        lines = [read(process) for _ in range(3 + 2 * number)]
        process.kill()
        rest = process.communicate()[0]
        told += acknowledged("".join(lines)) + acknowledged(whole_lines(rest))
    for process in processes[4:]:
        output, complaint = process.communicate(timeout=90)
        assert process.returncode == 0, complaint[-3000:]
        told += acknowledged(output)
    with strata.open(path, auto_embed=False) as db:
        found = dict(chain(db))
        assert {id_: found.get(id_) for id_, _replaced in told} == dict(told)
        assert len(told) >= 4 * 3 + 4 * 10
        assert_each_replaced_the_one_before(db)
        assert db.verify().ok
        db.decisions.save(TOPIC, "다시 정한다", "The others are gone")
        assert_each_replaced_the_one_before(db)


def whole_lines(output: str) -> str:
    """Return what was printed to its end: a killed process may stop within a line."""
    return output[: output.rfind("\n") + 1]


def read(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def tell(process: "subprocess.Popen[str]", text: str) -> None:
    assert process.stdin is not None
    process.stdin.write(text)
    process.stdin.flush()
