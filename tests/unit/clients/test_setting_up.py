"""Setting up and taking back: what is kept, what is refused, and how files are replaced."""

import os
import stat
from pathlib import Path

import msgspec
import pytest

from strata import AlreadyExists, Conflict, InvalidArgument, NotAllowed, Unusable
from strata.clients import CLIENTS, carry_out, plan_undo, scopes_set_up
from tests.unit.clients.conftest import LINE, WORDS, Desk

CURSOR = CLIENTS["cursor"]
OTHERS = '{\n  "mcpServers": {\n    "a": {"command": "x"}\n  }\n}\n'


def undo(editing: Desk, client: str = "cursor") -> list[str]:
    """Take it back wherever it is; return what became of the files that were changed."""
    changes = plan_undo(CLIENTS[client], editing.host, name="strata")
    carry_out(changes)
    return [change.state for change in changes if change.state != "unchanged"]


def lay(editing: Desk, text: str = OTHERS) -> Path:
    path = editing.file(CURSOR)
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    return path


def test_planning_changes_nothing(editing: Desk) -> None:
    path = lay(editing)
    (change,) = editing.plan("cursor")
    assert change.state == "changed"
    assert path.read_text(encoding="utf-8") == OTHERS
    assert [file.name for file in path.parent.iterdir()] == ["mcp.json"]


def test_the_file_as_it_was_is_kept_beside_it_until_undo_brings_it_back(editing: Desk) -> None:
    path = lay(editing)
    carry_out(editing.plan("cursor"))
    backup = path.with_name("mcp.json.strata-backup")
    assert backup.read_text(encoding="utf-8") == OTHERS
    assert undo(editing) == ["restored"]
    assert path.read_text(encoding="utf-8") == OTHERS
    assert not backup.exists()
    assert undo(editing) == []


def test_undo_keeps_what_others_wrote_meanwhile(editing: Desk) -> None:
    path = lay(editing)
    carry_out(editing.plan("cursor"))
    text = path.read_text(encoding="utf-8").replace('"a": {', '"가": {"url": "u"}, "a": {')
    path.write_text(text, encoding="utf-8")
    assert undo(editing) == ["changed"]
    assert path.read_text(encoding="utf-8") == OTHERS.replace(
        '"a": {', '"가": {"url": "u"}, "a": {'
    )


def test_undo_takes_along_what_was_made_for_the_entry_and_nothing_else(editing: Desk) -> None:
    path = lay(editing, '{\n  "a": 1\n}\n')
    carry_out(editing.plan("cursor"))
    path.write_text(path.read_text(encoding="utf-8").replace("1", "2"), encoding="utf-8")
    undo(editing)
    assert path.read_text(encoding="utf-8") == '{\n  "a": 2\n}\n'


def test_undo_leaves_an_empty_object_that_was_there_before(editing: Desk) -> None:
    path = lay(editing, '{\n  "mcpServers": {},\n  "a": 1\n}\n')
    carry_out(editing.plan("cursor"))
    path.write_text(path.read_text(encoding="utf-8").replace("1", "2"), encoding="utf-8")
    undo(editing)
    assert path.read_text(encoding="utf-8") == '{\n  "mcpServers": {},\n  "a": 2\n}\n'


def test_a_file_that_we_made_is_removed_with_its_empty_folder(editing: Desk) -> None:
    carry_out(editing.plan("cursor"))
    assert undo(editing) == ["removed"]
    assert list(editing.project.iterdir()) == []


def test_a_file_that_we_made_stays_when_others_use_it(editing: Desk) -> None:
    carry_out(editing.plan("cursor"))
    path = editing.file(CURSOR)
    text = path.read_text(encoding="utf-8").replace(
        '"strata": {', '"a": {"command": "x"},\n"strata": {'
    )
    path.write_text(text, encoding="utf-8")
    assert undo(editing) == ["changed"]
    assert '"strata"' not in path.read_text(encoding="utf-8")
    assert '"a": {"command": "x"}' in path.read_text(encoding="utf-8")


def test_an_older_entry_of_ours_is_brought_up_to_date_and_keeps_what_the_user_added(
    editing: Desk,
) -> None:
    path = lay(
        editing,
        '{"mcpServers": {"strata": '
        '{"command": "/old/bin/strata", "args": ["mcp"], "env": {"A": "1"}}}}',
    )
    carry_out(editing.plan("cursor"))
    text = path.read_text(encoding="utf-8")
    assert '"command": "/opt/strata/bin/strata-mcp", "args": ["--db", "/srv/메모/store.db"]' in text
    assert '"env": {"A": "1"}' in text
    assert "/old" not in text


def test_an_upgrade_does_not_lose_the_way_back_to_the_first_file(editing: Desk) -> None:
    path = lay(editing)
    carry_out(editing.plan("cursor", words=("/old/strata-mcp",)))
    carry_out(editing.plan("cursor"))
    assert undo(editing) == ["restored"]
    assert path.read_text(encoding="utf-8") == OTHERS


def test_a_server_that_the_user_switched_off_stays_off(editing: Desk) -> None:
    carry_out(editing.plan("opencode"))
    path = editing.file(CLIENTS["opencode"])
    path.write_text(path.read_text(encoding="utf-8").replace("true", "false"), encoding="utf-8")
    carry_out(editing.plan("opencode", words=("strata-mcp",)))
    assert '"enabled": false' in path.read_text(encoding="utf-8")
    assert '"strata-mcp"' in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("client", ["cursor", "codex"])
def test_a_server_of_that_name_which_is_not_ours_is_left_alone(editing: Desk, client: str) -> None:
    path = editing.file(CLIENTS[client])
    path.parent.mkdir()
    text = (
        "[mcp_servers.strata]\ncommand = 'other'\n"
        if client == "codex"
        else '{"mcpServers": {"strata": {"command": "other"}}}'
    )
    path.write_text(text, encoding="utf-8")
    with pytest.raises(AlreadyExists) as caught:
        editing.plan(client)
    assert "--name" in (caught.value.hint or "")
    assert undo(editing, client) == []
    assert path.read_text(encoding="utf-8") == text
    carry_out(editing.plan(client, name="strata-2"))
    assert scopes_set_up(CLIENTS[client], editing.host, name="strata-2") == ["project"]


def test_a_hook_is_added_changed_and_removed_beside_those_of_others(editing: Desk) -> None:
    path = editing.project / ".claude" / "settings.json"
    path.parent.mkdir()
    before = (
        '{"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "date"}]}]}}'
    )
    path.write_text(before, encoding="utf-8")
    carry_out(editing.plan("claude-code", line="/old/strata hook prompt"))
    carry_out(editing.plan("claude-code"))
    assert path.read_text(encoding="utf-8").count("hook prompt") == 1
    assert LINE in path.read_text(encoding="utf-8")
    carry_out(editing.plan("claude-code", line=None))
    assert path.read_text(encoding="utf-8") == before


def test_a_hook_that_the_user_moved_into_a_group_of_others_leaves_the_others(editing: Desk) -> None:
    path = editing.project / ".claude" / "settings.json"
    path.parent.mkdir()
    ours = '{"type": "command", "command": "strata hook prompt"}'
    path.write_text(
        f'{{"hooks": {{"UserPromptSubmit": [{{"hooks": [{ours}, {{"command": "date"}}]}}]}}}}',
        encoding="utf-8",
    )
    undo(editing, "claude-code")
    assert path.read_text(encoding="utf-8") == (
        '{"hooks": {"UserPromptSubmit": [{"hooks": [{"command": "date"}]}]}}'
    )


def test_one_unreadable_file_stops_all_before_anything_is_written(editing: Desk) -> None:
    settings = editing.project / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{\n  "hooks": {\n', encoding="utf-8")
    with pytest.raises(Unusable) as caught:
        editing.plan("claude-code")
    assert f"{settings}, line 3" in caught.value.message
    assert not (editing.project / ".mcp.json").exists()


def test_a_file_in_another_encoding_is_refused(editing: Desk) -> None:
    path = lay(editing, "")
    path.write_bytes('{"a": "나"}'.encode("utf-16"))
    with pytest.raises(Unusable, match="not UTF-8"):
        editing.plan("cursor")
    path.write_bytes(b'{\n"a": "\xff"}')
    with pytest.raises(Unusable, match="line 2"):
        editing.plan("cursor")


def test_a_backup_that_somebody_spoilt_is_not_brought_back(editing: Desk) -> None:
    path = lay(editing)
    carry_out(editing.plan("cursor"))
    path.with_name("mcp.json.strata-backup").write_bytes(b"{ \xff")
    assert undo(editing) == ["changed"]
    assert path.read_text(encoding="utf-8") == OTHERS


def test_a_file_that_changes_between_looking_and_writing_is_left_alone(editing: Desk) -> None:
    path = lay(editing)
    changes = editing.plan("cursor")
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(Conflict):
        carry_out(changes)
    assert path.read_text(encoding="utf-8") == "{}"
    assert [file.name for file in path.parent.iterdir()] == ["mcp.json"]


def test_a_link_stays_a_link_and_its_target_is_changed(editing: Desk, tmp_path: Path) -> None:
    target = tmp_path / "dotfiles.json"
    target.write_text(OTHERS, encoding="utf-8")
    path = editing.file(CURSOR)
    path.parent.mkdir()
    path.symlink_to(target)
    carry_out(editing.plan("cursor"))
    assert path.is_symlink()
    assert '"strata"' in target.read_text(encoding="utf-8")
    undo(editing)
    assert path.is_symlink()
    assert target.read_text(encoding="utf-8") == OTHERS


@pytest.mark.skipif(os.name != "posix", reason="modes are a matter of POSIX")
def test_the_mode_of_a_file_is_kept_by_it_and_by_its_copy(editing: Desk) -> None:
    path = lay(editing)
    path.chmod(0o640)
    carry_out(editing.plan("cursor"))
    for file in path.parent.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o640, file
    undo(editing)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_file_that_may_not_be_written_is_refused(
    editing: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = lay(editing)
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)
    with pytest.raises(NotAllowed):
        carry_out(editing.plan("cursor"))
    assert path.read_text(encoding="utf-8") == OTHERS


def test_a_write_that_fails_half_way_leaves_the_file_and_no_rest(
    editing: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = lay(editing)

    def no_room(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_room)
    with pytest.raises(OSError, match="No space"):
        carry_out(editing.plan("cursor"))
    assert path.read_text(encoding="utf-8") == OTHERS
    assert {file.name for file in path.parent.iterdir()} == {"mcp.json", "mcp.json.strata-backup"}


def test_a_scope_that_a_client_has_not_is_refused(editing: Desk) -> None:
    with pytest.raises(InvalidArgument, match="no files of a project"):
        editing.plan("windsurf", scope="project")


def test_undo_finds_every_scope_and_a_list_names_them(editing: Desk) -> None:
    carry_out(editing.plan("codex", scope="user"))
    carry_out(editing.plan("codex", scope="project", words=WORDS[:1]))
    assert scopes_set_up(CLIENTS["codex"], editing.host, name="strata") == ["project", "user"]
    assert undo(editing, "codex") == ["removed"] * 4
    assert scopes_set_up(CLIENTS["codex"], editing.host, name="strata") == []


def test_two_scopes_that_a_variable_leads_to_one_file_are_undone_once(editing: Desk) -> None:
    folder = str(editing.project / ".codex")
    editing.host = msgspec.structs.replace(editing.host, environment={"CODEX_HOME": folder})
    carry_out(editing.plan("codex"))
    assert undo(editing, "codex") == ["removed", "removed"]


def test_an_unreadable_file_does_not_break_the_list(editing: Desk) -> None:
    lay(editing, "{")
    assert scopes_set_up(CURSOR, editing.host, name="strata") == []
