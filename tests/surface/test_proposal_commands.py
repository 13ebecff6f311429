"""`strata review` and `strata call --propose`: proposals in a shell, and on a terminal."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.surface.conftest import Run


@pytest.fixture
def proposed(ok: Run) -> Run:
    """Propose a fact as an agent."""

    def call(key: str, value: object, *more: str) -> object:
        text = value if isinstance(value, str) else json.dumps(value)
        words = ("call", "strata_store", "--propose", "--actor", "claude", *more)
        return ok(*words, "--key", key, "--value", text)

    return call  # pyright: ignore[reportReturnType]


def test_proposals_are_shown_and_left_out_of_everything_else(ok: Run, proposed: Run) -> None:
    ok("put", "ops/deploy", "We deploy to Frankfurt on Fridays")
    answer = proposed("배포/요일", "On Fridays we deploy to Frankfurt").json
    assert answer["branch"] == "proposals/claude"
    assert "waits" in answer["proposed"]
    assert [one["key"] for one in answer["similar"]] == ["ops/deploy"]
    assert "배포/요일" not in ok("list").out
    shown = ok("review").out
    for part in ("배포/요일", "by claude for owner", "like ops/deploy (100%)", "prop_"):
        assert part in shown
    [one] = ok("review", "--json").json["proposals"]
    assert (one["key"], one["agent"], one["before"]) == ("배포/요일", "claude", None)
    assert ok("review", one["id"][-6:], "--json").json["proposals"][0]["id"] == one["id"]


def test_several_are_decided_at_once(ok: Run, run: Run, proposed: Run) -> None:
    for n in range(4):
        proposed(f"k{n}", n)
    assert ok("review", "--accept", "k0", "k1").out.count("accepted k") == 2
    ok("review", "--reject", "k2", "--because", "틀렸다")
    assert ok("review", "--accept", "--all", "--json").json["decided"][0]["key"] == "k3"
    assert ok("get", "k1").out.strip() == "1"
    assert run("get", "k2").code == 1
    event = ok("event", "list", "--space", "proposals", "--json").json["events"][0]
    assert event["payload"]["reason"] == "틀렸다"
    assert run("review", "--accept", "k2").code == 1
    assert ok("review").out == ""


def test_a_proposed_document_is_shown_with_its_text_and_decided(ok: Run) -> None:
    text = "# 배포\n\n" + "".join(f"- 단계 {n}\n" for n in range(40))
    propose = ("call", "edit_document", "--propose", "--actor", "claude", "--action", "create")
    assert ok(*propose, "--title", "배포 계획", "--content", text).json["status"] == "proposed"
    listed = ok("review").out
    assert "+ doc   배포 계획" in listed
    assert "+ - 단계 3" in listed
    assert "22 more lines" in listed
    assert "+ - 단계 39" in ok("review", "배포 계획").out
    assert "배포" not in ok("doc", "list").out
    assert "accepted 배포 계획, proposed by claude for owner" in ok(
        "review", "--accept", "배포 계획"
    ).out  # fmt: skip
    assert ok("doc", "show", "배포 계획").out.rstrip() == text.rstrip()
    ok(*propose, "--title", "Zweites", "--content", "alt")
    ok("review", "Zweites", "--reword", "# Neu")
    assert ok("doc", "show", "Zweites").out.rstrip() == "# Neu"


def test_a_conflict_needs_force(ok: Run, run: Run, proposed: Run) -> None:
    ok("put", "limit", "10")
    proposed("limit", 20)
    ok("put", "limit", "15")
    refused = run("review", "--accept", "limit")
    assert refused.code == 1
    assert "since the change was proposed" in refused.err
    assert "has changed there since" in ok("review", "limit").out
    ok("review", "--accept", "limit", "--force")
    assert ok("get", "limit").out.strip() == "20"


def test_other_words_are_read_as_values_are(ok: Run, proposed: Run) -> None:
    proposed("plan", {"steps": 1})
    ok("review", "plan", "--reword", '{"steps": 2}')
    assert json.loads(ok("get", "plan").out) == {"steps": 2}


@pytest.mark.parametrize(
    "words",
    [
        ("--accept",),
        ("--accept", "--reject", "k"),
        ("--all",),
        ("--reword", "x"),
        ("--reword", "x", "a", "b"),
        ("--accept", "k", "--all"),
        ("--accept", "k", "--because", "no"),
        ("--force",),
    ],
)
def test_what_makes_no_sense_is_refused(run: Run, proposed: Run, words: tuple[str, ...]) -> None:
    proposed("k", 1)
    assert run("review", *words).code == 2
    assert run("review").out.startswith("+ kv")


def test_a_token_that_proposes_is_listed_as_one(ok: Run) -> None:
    made = ok("token", "create", "claude", "--propose", "--json").json
    assert made["proposes"] is True
    assert "use every group, proposing" in ok("token", "list").out


def test_put_takes_what_it_replaces(ok: Run, run: Run) -> None:
    ok("put", "old", "We deploy on Fridays")
    ok("put", "new", "We deploy on Mondays", "--replaces", "old", "--tag", "ops")
    shown = ok("why", "old").out
    assert "replaced by new" in shown
    assert run("put", "x", "1", "--replaces", "missing").code == 1
    assert run("put", "new", "1", "--replaces", "new").code == 2
    assert run("put", "x", "1", "--replaces", "old", "--kind", "json").code == 2


def test_the_curator_runs_from_the_shell(ok: Run, project: Path) -> None:
    (project / "docs").mkdir()
    (project / "docs" / "a.md").write_text("가")
    ok("put", "sale", "20 % off all chairs", "--until", "2020-12-31")
    ok("put", "cites", "see there", "--source", "docs/gone.md")
    shown = ok("agent", "run", "curator", "--instruction", "at most 1").out
    assert "proposed 1 change." in shown
    assert "There is more" in shown
    assert "proposed 1 change." in ok("agent", "run", "curator").out
    assert sorted(one["key"] for one in ok("review", "--json").json["proposals"]) == [
        "cites",
        "sale",
    ]
    [task] = {one["task"] for one in ok("review", "--json").json["proposals"][:1]}
    assert task.startswith("task_")


@pytest.mark.skipif(sys.platform == "win32", reason="terminals are opened otherwise on Windows")
def test_a_terminal_is_asked_about_each(ok: Run, proposed: Run) -> None:
    import pty

    for key in ("a", "b", "c", "d"):
        proposed(key, f"value of {key}")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "strata", "review"]
    done = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL)
    os.close(theirs)
    os.write(ours, b"x\na\nr\ns\nq\n")
    text = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:
            break
        if not part:
            break
        text += part
    assert done.wait(60) == 0
    os.close(ours)
    assert b"1 of 4" in text
    assert b"2 proposals decided, 2 left" in text
    assert ok("get", "a").out.strip() == "value of a"
    assert sorted(one["key"] for one in ok("review", "--json").json["proposals"]) == ["c", "d"]
