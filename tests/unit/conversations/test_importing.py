"""Taking conversations in: every program's files, again, grown, rewritten, cut and forged."""

import json
import os
import zipfile
from pathlib import Path
from typing import Any

import pytest

import strata
from strata.base import limits
from strata.conversations import ImportedConversation

TOKEN = "ghp_" + "x7Rk2mQ9pLw4vTz8nBc6dFg3hJs5yUa1eKo0"


def claude_line(number: int, text: str, *, speaker: str = "user", **members: Any) -> str:
    """Return a line of Claude Code, a second after the one before it."""
    content: Any = text if speaker == "user" else [{"type": "text", "text": text}]
    line = {
        "type": speaker,
        "sessionId": "7f2a",
        "uuid": f"u{number}",
        "cwd": "/home/you/work",
        "timestamp": f"2026-03-01T10:00:{number:02d}.000Z",
        "message": {"role": speaker, "content": content},
    }
    return json.dumps(line | members, ensure_ascii=False) + "\n"


def texts(db: strata.Workspace, id_: str = "claude-code/7f2a") -> list[str]:
    return [turn.text for turn in db.conversations.turns(id_).all()]


def take(db: strata.Workspace, path: Path, **options: Any) -> ImportedConversation:
    [file] = db.conversations.import_files([path], **options)
    [found] = file.conversations
    return found


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A transcript of two turns."""
    made = tmp_path / "7f2a.jsonl"
    lines = claude_line(1, "어느 포트를 쓰나요?"), claude_line(2, "8443.", speaker="assistant")
    made.write_text("".join(lines), encoding="utf-8")
    return made


SAID = "기억해 줘: the deploy port is 8443. Do what the script says."
DONE = "The script is done."
EXPECTED = {
    "claude-code": ("claude-code/f8316332-ec0f-4637-86aa-54a8749e3f30", SAID, DONE),
    "codex": ("codex/01a1ed19-9bde-71d2-a7ce-b3ca417dc508", SAID, DONE),
    "gemini": ("gemini/5d7e0a47-a4a5-4e1b-8c95-437586f45b90", SAID, DONE),
    "opencode": ("opencode/ses_e12e63524ffea1gB1ltBCZp6tN", f'"{SAID}"', DONE),
    "chatgpt": (
        "chatgpt/68a1f0c2-1111-4222-8333-944455556666",
        "[image]\n운영 배포는 어떤 순서로 하나요?",
        "Migrate the database first, then roll out the servers one by one.",
    ),
    "claude-ai": (
        "claude-ai/0f6c1d7e-aaaa-4bbb-8ccc-1234567890ab",
        "How often should the importer retry?\n[file: 로그.txt]",
        "Three times, with a growing pause.",
    ),
}


@pytest.mark.parametrize("client", EXPECTED)
def test_what_a_user_and_a_model_said_is_taken_in(
    db: strata.Workspace, files: dict[str, Path], client: str
) -> None:
    id_, *words = EXPECTED[client]
    done = take(db, files[client])
    assert (done.id, done.state, done.turns) == (id_, "new", 2)
    turns = db.conversations.turns(id_)
    assert [turn.text for turn in turns] == words
    assert [turn.speaker for turn in turns] == ["user", "assistant"]
    assert turns[0].timestamp < turns[1].timestamp
    assert take(db, files[client]).state == "unchanged"
    assert len(db.conversations.turns(id_)) == 2


@pytest.mark.parametrize("client", ["claude-code", "codex", "gemini", "opencode"])
def test_the_tools_that_a_model_called_are_named_before_what_it_said(
    db: strata.Workspace, files: dict[str, Path], client: str
) -> None:
    take(db, files[client])
    calls = " ".join(db.conversations.turns(EXPECTED[client][0])[1].tools)
    assert "strata_store deploy/port 8443 (배포 포트)" in calls
    assert "strata_recall deploy/port" in calls


def test_a_turn_has_its_own_time_and_not_that_of_the_import(
    db: strata.Workspace, path: Path
) -> None:
    take(db, path)
    turn = db.conversations.turns("claude-code/7f2a")[0]
    assert turn.iso_time == "2026-03-01T10:00:01.000000Z"


@pytest.mark.parametrize("client", ["claude-code", "codex", "gemini"])
def test_a_file_taken_in_while_it_grows_gives_the_same_as_one_taken_in_at_the_end(
    files: dict[str, Path], client: str
) -> None:
    path = files[client]
    lines = path.read_bytes().splitlines(keepends=True)
    with (
        strata.open(durability="cache", auto_embed=False) as slow,
        strata.open(durability="cache", auto_embed=False) as quick,
    ):
        take_all = quick.conversations.import_files([path])
        assert take_all[0].conversations[0].turns == 2
        for count in range(1, len(lines) + 1):
            path.write_bytes(b"".join(lines[:count]) + b'{"cut in the mid')
            if count > 5 or client != "claude-code":
                slow.conversations.import_files([path])
        path.write_bytes(b"".join(lines))
        slow.conversations.import_files([path])
        keys = [hit.key for hit in quick.search("script", strict=False, kinds=["turn"])]
        assert keys == [hit.key for hit in slow.search("script", strict=False, kinds=["turn"])]
        for id_ in (EXPECTED[client][0],):
            one, other = quick.conversations.turns(id_), slow.conversations.turns(id_)
            assert [(t.text, t.tools, t.timestamp) for t in one] == [
                (t.text, t.tools, t.timestamp) for t in other
            ]


def test_only_what_is_new_is_appended(db: strata.Workspace, path: Path) -> None:
    take(db, path)
    with path.open("a", encoding="utf-8") as file:
        file.write(claude_line(3, "감사합니다"))
    done = take(db, path)
    assert (done.state, done.turns) == ("grown", 1)
    assert texts(db) == ["어느 포트를 쓰나요?", "8443.", "감사합니다"]


def test_a_last_line_that_is_cut_is_read_the_next_time(db: strata.Workspace, path: Path) -> None:
    whole = path.read_text(encoding="utf-8") + claude_line(3, "셋째")
    path.write_text(whole[:-40], encoding="utf-8")
    [file] = db.conversations.import_files([path])
    assert file.notes == ("its last line is not finished; it is read the next time",)
    assert texts(db) == ["어느 포트를 쓰나요?", "8443."]
    path.write_text(whole, encoding="utf-8")
    assert take(db, path).turns == 1
    assert texts(db)[-1] == "셋째"


def test_a_file_that_was_written_anew_brings_what_is_not_known_yet(
    db: strata.Workspace, path: Path
) -> None:
    take(db, path)
    new = claude_line(2, "8443.", speaker="assistant") + claude_line(4, "넷째")
    path.write_text(new, encoding="utf-8")
    done = take(db, path)
    assert (done.state, done.turns) == ("grown", 1)
    assert texts(db) == ["어느 포트를 쓰나요?", "8443.", "넷째"]


def test_a_shorter_file_takes_nothing_away(db: strata.Workspace, path: Path) -> None:
    take(db, path)
    path.write_text(claude_line(1, "어느 포트를 쓰나요?"), encoding="utf-8")
    assert take(db, path).state == "unchanged"
    assert len(texts(db)) == 2


def test_what_the_client_added_is_no_word_of_the_user(db: strata.Workspace, path: Path) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(claude_line(3, "<command-name>/clear</command-name>"))
        file.write(claude_line(4, "of a subagent", isSidechain=True))
        file.write(claude_line(5, "a note of the client", isMeta=True))
        file.write(claude_line(6, "a summary", isCompactSummary=True))
    assert take(db, path).turns == 2


def test_secrets_are_masked_whatever_the_setting_says(db: strata.Workspace, path: Path) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(claude_line(3, f"토큰은 {TOKEN} 입니다"))
    done = take(db, path)
    assert done.masked == 1
    assert TOKEN not in texts(db)[2]
    assert "[masked: " in texts(db)[2]
    assert db.find_secrets() == []


def test_a_view_that_allows_secrets_keeps_them(db: strata.Workspace, path: Path) -> None:
    path.write_text(claude_line(1, f"token {TOKEN}"), encoding="utf-8")
    take(db.allowing_secrets(), path)
    assert TOKEN in texts(db)[0]


def test_clocks_that_go_back_or_ahead_are_kept_in_bounds(db: strata.Workspace, path: Path) -> None:
    lines = [
        claude_line(1, "first", timestamp="2026-03-01T10:00:09Z"),
        claude_line(2, "the clock went back", timestamp="2026-03-01T10:00:02Z"),
        claude_line(3, "without a time", timestamp=None),
        claude_line(4, "no time at all", timestamp="gestern"),
        claude_line(5, "the future", timestamp="2999-01-01T00:00:00Z"),
    ]
    path.write_text("".join(lines), encoding="utf-8")
    take(db, path)
    turns = db.conversations.turns("claude-code/7f2a")
    assert [turn.iso_time[:19] for turn in turns[:4]] == [
        "2026-03-01T10:00:09",
        "2026-03-01T10:00:02",
        "2026-03-01T10:00:02",
        "2026-03-01T10:00:02",
    ]
    assert turns[4].timestamp <= db.time_of("now")


def test_a_line_in_the_middle_that_is_no_json_is_passed_over_and_named(
    db: strata.Workspace, path: Path
) -> None:
    broken = path.read_text(encoding="utf-8") + "\x00\x00 not json\n" + claude_line(3, "셋째")
    path.write_text(broken, encoding="utf-8")
    [file] = db.conversations.import_files([path])
    assert file.notes == ("line 3 is no JSON object",)
    assert len(texts(db)) == 3


def test_a_line_that_is_too_long_is_passed_over(
    db: strata.Workspace, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "TRANSCRIPT_LINE_BYTES_MAX", 1000)
    with path.open("a", encoding="utf-8") as file:
        file.write(claude_line(3, "x" * 5000) + claude_line(4, "넷째"))
    [file_] = db.conversations.import_files([path])
    assert "line 3 is longer" in file_.notes[0]
    assert texts(db)[-1] == "넷째"


def test_a_very_long_turn_keeps_its_beginning(
    db: strata.Workspace, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "TURN_CHARACTERS_MAX", 10)
    path.write_text(claude_line(1, "가" * 25), encoding="utf-8")
    take(db, path)
    assert texts(db) == ["가" * 10 + "\n[cut: 25 characters]"]


FOREIGN = {
    "empty": b"",
    "text": "그냥 글\n".encode(),
    "binary": bytes(range(256)) * 10,
    "object": b'{"name": "package", "version": "1.0"}',
    "list": b'[{"memory": "not a conversation"}]',
    "numbers": b"1\n2\n3\n",
    "nested": b"[" * 100_000,
    "deep line": b'{"a":' * 100_000,
    "cut export": (b'[{"mapping": {}, "id": "a", "current_node": "b"}, {"mapping": {"x"'),
    "cut archive": b"PK\x03\x04" + b"\0" * 100,
    "database": b"SQLite format 3\0" + b"\0" * 500,
}


@pytest.mark.parametrize("name", FOREIGN)
def test_a_file_of_another_program_is_refused_and_changes_nothing(
    db: strata.Workspace, path: Path, tmp_path: Path, name: str
) -> None:
    foreign = tmp_path / "foreign"
    foreign.write_bytes(FOREIGN[name])
    before = db.resolve("now")
    if name == "database":
        with pytest.raises(strata.StrataError):
            db.conversations.import_files([foreign])
    else:
        with pytest.raises(strata.Unusable, match="cannot be read as a conversation"):
            db.conversations.import_files([path, foreign])
    assert db.resolve("now").version == before.version


def test_a_cut_export_gives_none_of_its_conversations(
    db: strata.Workspace, files: dict[str, Path]
) -> None:
    whole = files["claude-ai"].read_bytes().rstrip().removesuffix(b"]")
    files["claude-ai"].write_bytes(whole + b', {"uuid": "b", "chat_messages": [{"uu')
    with pytest.raises(strata.Unusable, match="no JSON"):
        db.conversations.import_files([files["claude-ai"]])
    assert db.conversations.list() == []


def test_the_zip_file_of_an_export_is_read_as_it_came(
    db: strata.Workspace, files: dict[str, Path], tmp_path: Path
) -> None:
    archive = tmp_path / "export.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.write(files["chatgpt"], "conversations.json")
        file.writestr("user.json", "{}")
    assert take(db, archive).id == EXPECTED["chatgpt"][0]
    assert take(db, archive).state == "unchanged"


def test_a_zip_file_without_conversations_is_refused(db: strata.Workspace, tmp_path: Path) -> None:
    archive = tmp_path / "other.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("photo.json", "[]")
    with pytest.raises(strata.Unusable, match=r"no conversations\.json"):
        db.conversations.import_files([archive])


def test_an_import_can_be_limited_to_a_client_and_a_time(
    db: strata.Workspace, files: dict[str, Path]
) -> None:
    every = list(files.values())
    done = db.conversations.import_files(every, client="chatgpt")
    assert [file.client for file in done] == ["chatgpt"]
    done = db.conversations.import_files([files["claude-ai"]], since="2026-06-01")
    assert done[0].conversations == ()
    with pytest.raises(strata.InvalidArgument):
        db.conversations.import_files(every, client="netscape")


def test_of_opencode_only_the_sessions_of_a_folder_can_be_taken(
    db: strata.Workspace, files: dict[str, Path]
) -> None:
    path = files["opencode"]
    elsewhere = db.conversations.import_files([path], folders=["/home/you/other"])
    assert elsewhere[0].conversations == ()
    assert take(db, path, folders=["/home/you"]).turns == 2


def test_what_was_forgotten_stays_forgotten_until_it_is_asked_for_again(
    db: strata.Workspace, path: Path
) -> None:
    take(db, path)
    assert db.conversations.forget("claude-code/7f2a") == 2
    assert db.conversations.list() == []
    assert take(db, path).state == "forgotten"
    assert texts(db) == []
    assert take(db, path, again=True).turns == 2


def test_two_branches_that_take_in_the_same_file_merge_without_a_conflict(
    db: strata.Workspace, path: Path
) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0])
    take(db, path)
    db.branches.fork("try")
    path.write_bytes(b"".join(lines))
    take(db, path)
    path.write_bytes(b"".join(lines) + claude_line(3, "셋째").encode())
    take(db.on("try"), path)
    db.branches.merge("try")
    assert len(texts(db)) == 3


def test_a_huge_transcript_is_read_line_by_line(db: strata.Workspace, path: Path) -> None:
    """Of 30 MB of tool results no more is held than a line."""
    import tracemalloc

    result = {"type": "user", "sessionId": "7f2a", "message": {"content": [{"x": "y" * 100_000}]}}
    with path.open("a", encoding="utf-8") as file:
        for _ in range(300):
            file.write(json.dumps(result) + "\n")
        file.write(claude_line(3, "the end"))
    tracemalloc.start()
    take(db, path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10_000_000
    assert texts(db)[-1] == "the end"


def test_progress_is_told_by_the_bytes_of_a_file(db: strata.Workspace, path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    take(db, path, progress=lambda *figures: told.append(figures))
    size = path.stat().st_size
    assert told == [("7f2a.jsonl", size, size)]


def test_an_import_that_was_cut_off_goes_on_where_it_stopped(
    db: strata.Workspace, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "TURNS_A_COMMIT", 2)
    with path.open("a", encoding="utf-8") as file:
        file.writelines(claude_line(number, f"turn {number}") for number in range(3, 8))

    def stop(_stage: str, done: int, total: int) -> None:
        if done > total / 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        take(db, path, progress=stop)
    kept = len(texts(db))
    assert 0 < kept < 7
    assert take(db, path).turns == 7 - kept
    assert texts(db)[2:] == [f"turn {number}" for number in range(3, 8)]


@pytest.mark.parametrize("client", ["claude-code", "chatgpt"])
def test_two_imports_at_once_take_every_turn_in_once(
    db: strata.Workspace,
    files: dict[str, Path],
    monkeypatch: pytest.MonkeyPatch,
    client: str,
) -> None:
    monkeypatch.setattr(limits, "TURNS_A_COMMIT", 1)
    meanwhile = [True]

    def import_meanwhile(*_progress: object) -> None:
        if meanwhile and meanwhile.pop():
            db.conversations.import_files([files[client]])

    db.conversations.import_files([files[client]], progress=import_meanwhile)
    with strata.open(durability="cache", auto_embed=False) as alone:
        alone.conversations.import_files([files[client]])
        for one in alone.conversations.list():
            said = [[turn.text for turn in at.conversations.turns(one.id)] for at in (db, alone)]
            assert len(said[1]) > 1
            assert said[0] == said[1]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_what_is_no_file_is_refused_and_not_waited_for(
    db: strata.Workspace, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    with pytest.raises(strata.StrataError, match="no regular file"):
        db.conversations.import_files([tmp_path / "pipe.jsonl"])
