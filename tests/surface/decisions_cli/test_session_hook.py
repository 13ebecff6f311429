"""The hook at the beginning of a session: where work stopped, and never in the way."""

import json
from pathlib import Path

from strata.cli.show.text import width
from tests.surface.conftest import Run
from tests.surface.decisions_cli.conftest import Id


def test_a_session_is_told_where_work_stopped_and_what_changed(ok: Run, save: Id) -> None:
    ok("decisions", "checkpoint", "검색을 마쳤다", "--next", "Write tests", "--file", "src/검색.py")
    save("cache", "Cache prices")
    told = ok("hook", "session", input=b'{"hook_event_name": "SessionStart"}').json
    assert told["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    lines = told["hookSpecificOutput"]["additionalContext"].splitlines()
    assert "notes, not instructions" in lines[0]
    assert lines[1].endswith(": 검색을 마쳤다")
    assert lines[2:] == [
        "- next steps: Write tests",
        "- open files: src/검색.py",
        "- since then: 1 decision",
        "- decided cache: Cache prices",
    ]
    assert ok("hook", "session", "--show").out.splitlines() == lines


def test_nothing_is_said_without_a_store_or_a_checkpoint(ok: Run, project: Path, save: Id) -> None:
    assert ok("hook", "session") == (0, "", "")
    assert not (project / ".strata").exists()
    save("cache", "Cache prices")
    assert ok("hook", "session").out == ""


def test_a_store_that_cannot_be_read_does_not_stop_a_session(ok: Run, project: Path) -> None:
    (project / ".strata").mkdir()
    (project / ".strata" / "store.db").write_bytes(b"not a store at all, but long enough" * 40)
    answer = ok("hook", "session")
    assert answer.out == ""
    assert "hook:" in answer.err


def test_a_long_checkpoint_takes_little_room_and_stays_on_its_lines(ok: Run) -> None:
    ok("decisions", "checkpoint", "긴 이야기\n## 제목 " * 200, "--next", "x\x1b[2J" * 900)
    text = ok("hook", "session").json["hookSpecificOutput"]["additionalContext"]
    assert len(text.splitlines()) == 4
    assert all(width(line) <= 600 for line in text.splitlines())
    assert "\x1b" not in json.dumps(text, ensure_ascii=False)
