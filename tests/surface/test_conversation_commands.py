"""`strata conversations`, `strata hook turn` and `strata why`, as a user and a client run them."""

import json
from pathlib import Path

import pytest

import strata
from tests.surface.conftest import Run


def line(number: int, text: str) -> str:
    told = {
        "type": "user",
        "sessionId": "7f2a",
        "uuid": f"u{number}",
        "timestamp": f"2026-03-01T10:00:{number:02d}Z",
        "message": {"role": "user", "content": text},
    }
    return json.dumps(told, ensure_ascii=False) + "\n"


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    path = tmp_path / "7f2a.jsonl"
    path.write_text(line(1, "배포 포트는 8443으로 하자"), encoding="utf-8")
    return path


@pytest.fixture
def store(project: Path) -> Path:
    path = project / ".strata" / "store.db"
    with strata.open(path, auto_embed=False):
        pass
    return path


def kept(store: Path) -> list[str]:
    with strata.open(store, auto_embed=False) as db:
        return [turn.text for turn in db.conversations.turns("claude-code/7f2a")]


def test_files_are_taken_in_listed_shown_and_forgotten(run: Run, transcript: Path) -> None:
    done = run("conversations", "import", str(transcript))
    assert "1 new turn in 1 conversation" in done.out
    assert "claude-code/7f2a" in run("conversations").out
    assert "배포 포트는 8443으로 하자" in run("conversations", "show", "7f2a").out
    assert "8443" in run("conversations", "show", "claude-code/7f2a#1").out
    assert run("conversations", "show", "7f2a#9").code == 1
    assert "7f2a" in run("conversations", "forget", "7f2a", "--preview").out
    assert "7f2a" in run("conversations").out
    assert run("conversations", "forget", "7f2a").code == 2  # there is no terminal to ask at
    assert run("conversations", "forget", "7f2a", "--yes").code == 0
    assert "forgotten here before" in run("conversations", "import", str(transcript)).out


def test_a_foreign_file_makes_no_store(run: Run, project: Path, tmp_path: Path) -> None:
    other = tmp_path / "notes.json"
    other.write_text('{"a": 1}', encoding="utf-8")
    found = run("conversations", "import", str(other))
    assert found.code == 1
    assert "cannot be read as a conversation" in found.err
    assert not (project / ".strata").exists()


def test_without_a_path_the_files_of_this_project_are_shown_and_read_only_after_a_yes(
    run: Run, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "claude"
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home))
    for name in ("CODEX_HOME", "GEMINI_CLI_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    (project / ".git").mkdir(exist_ok=True)
    folder = "".join(c if c.isalnum() and c.isascii() else "-" for c in str(project.resolve()))
    own, other = home / "projects" / folder, home / "projects" / "-other"
    for place in (own, other):
        place.mkdir(parents=True)
        (place / "7f2a.jsonl").write_text(line(1, f"in {place.name}"), encoding="utf-8")
    shown = run("conversations", "import", "--preview")
    assert str(own / "7f2a.jsonl") in shown.out
    assert "-other" not in shown.out
    assert not (project / ".strata").exists()
    assert run("conversations", "import").code == 2
    done = run("conversations", "import", "--yes")
    assert "1 new turn" in done.out


def test_the_hook_appends_what_is_new_and_says_nothing(
    process: Run, store: Path, transcript: Path
) -> None:
    told = json.dumps({"transcript_path": str(transcript), "hook_event_name": "Stop"}).encode()
    for text in ("둘째", "셋째"):
        answer = process("hook", "turn", input=told)
        assert (answer.code, answer.out, answer.err) == (0, "", "")
        with transcript.open("a", encoding="utf-8") as file:
            file.write(line(len(kept(store)) + 1, text))
    process("hook", "turn", input=told)
    assert kept(store) == ["배포 포트는 8443으로 하자", "둘째", "셋째"]


@pytest.mark.parametrize(
    "told",
    [
        b"",
        b"no json",
        b"[]",
        b'{"transcript_path": 5}',
        b'{"transcript_path": "/nowhere/a.jsonl"}',
        b'{"transcript_path": null, "cwd": "/nowhere"}',
    ],
)
def test_a_hook_never_fails_and_never_makes_a_store(
    process: Run, project: Path, told: bytes
) -> None:
    answer = process("hook", "turn", input=told)
    assert (answer.code, answer.out) == (0, "")
    assert not (project / ".strata").exists()


def test_a_hook_takes_in_nothing_that_is_no_transcript(
    process: Run, store: Path, tmp_path: Path
) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("not a transcript", encoding="utf-8")
    told = json.dumps({"transcript_path": str(secret)}).encode()
    answer = process("hook", "turn", input=told)
    assert (answer.code, answer.out) == (0, "")
    assert "cannot be read as a conversation" in answer.err
    with strata.open(store, auto_embed=False) as db:
        assert db.conversations.list() == []


def test_why_shows_the_turn_that_a_fact_cites(run: Run, transcript: Path) -> None:
    run("conversations", "import", str(transcript))
    run("put", "deploy/port", "8080")
    run("put", "deploy/port", "8443", "--source", "claude-code/7f2a#1", "--actor", "소연")
    found = run("why", "deploy/port").out
    assert "by 소연" in found
    assert "배포 포트는 8443으로 하자" in found
    assert "8080" in found
    assert run("why", "missing").code == 1
    assert run("put", "sale", "1", "--until", "tomorrowish").code == 2


def test_expired_facts_are_left_out_until_they_are_asked_for(run: Run) -> None:
    run("put", "sale", "The sale gives 20 % off", "--until", "2026-05-03")
    assert run("search", "sale off").code == 1
    found = run("search", "sale off", "--expired")
    assert "expired 2026-05-03" in found.out


def test_set_up_adds_the_hook_only_when_it_is_asked_for(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / ".git").mkdir(exist_ok=True)
    settings = project / ".claude" / "settings.json"

    def events() -> set[str]:
        return set(json.loads(settings.read_text(encoding="utf-8"))["hooks"])

    run("setup", "claude-code")
    assert events() == {"UserPromptSubmit"}
    run("setup", "claude-code", "--conversations")
    assert events() == {"UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"}
    run("setup", "claude-code")
    assert "Stop" in events()  # it stays
    run("setup", "claude-code", "--no-conversations")
    assert events() == {"UserPromptSubmit"}
    assert run("setup", "cursor", "--conversations").code == 2
    run("setup", "claude-code", "--undo")
    assert not settings.exists()
