"""`strata setup`: the configuration of clients, written, shown and taken back."""

import json
import sys
import tomllib
from pathlib import Path

import pytest

from tests.surface.conftest import Run

VARIABLES = (
    "APPDATA",
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "GEMINI_CLI_HOME",
    "OPENCODE_CONFIG_DIR",
    "VSCODE_PORTABLE",
    "XDG_CONFIG_HOME",
)
CLIENTS = [
    "claude-code",
    "claude-desktop",
    "codex",
    "cursor",
    "vscode",
    "gemini",
    "opencode",
    "windsurf",
    "antigravity",
]


@pytest.fixture(autouse=True)
def home(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    return project.parent / "home"


def files_in(folder: Path) -> dict[str, bytes]:
    found = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def test_alone_it_lists_the_clients_and_what_is_set_up(ok: Run, home: Path) -> None:
    (home / ".cursor").mkdir()
    ok("setup", "codex")
    found = {one["client"]: one for one in ok("setup", "--json").json["clients"]}
    assert list(found) == CLIENTS
    assert found["cursor"]["installed"]
    assert found["cursor"]["set_up"] == []
    assert found["codex"]["set_up"] == ["project"]
    assert found["windsurf"]["scopes"] == ["user"]
    assert ok("setup").out == ok("setup", "codex", "--list").out
    assert "seems so" in ok("setup").out


@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_is_set_up_once_and_taken_back_whole(
    client: str, ok: Run, project: Path, home: Path
) -> None:
    before = files_in(project), files_in(home)
    first = ok("setup", client, "--json").json
    assert first["changed"]
    assert {file["state"] for file in first["files"]} == {"created"}
    after = files_in(project), files_in(home)
    assert after != before
    second = ok("setup", client)
    assert "already set up" in second.out
    assert (files_in(project), files_in(home)) == after
    undone = ok("setup", client, "--undo", "--json").json
    assert {file["state"] for file in undone["files"]} == {"removed"}
    assert (files_in(project), files_in(home)) == before
    assert "nothing to undo" in ok("setup", client, "--undo").out


def test_the_change_is_shown_as_a_diff_of_the_lines_that_change(ok: Run, project: Path) -> None:
    path = project / ".mcp.json"
    path.write_text('{\n  "mcpServers": {\n    "a": {"env": {"KEY": "비밀"}}\n  }\n}\n')
    out = ok("setup", "claude-code").out
    assert f"--- {path}" in out
    assert '+    "strata": {' in out
    assert "as it was: .mcp.json.strata-backup" in out
    assert "비밀" not in out  # its line got a comma, and is nobody's business all the same
    undone = ok("setup", "claude-code", "--undo").out
    assert '-    "strata": {' in undone
    assert "is what it was before" in undone


def test_a_long_line_is_not_shown_for_it_may_hold_secrets(ok: Run, project: Path) -> None:
    secret = "비밀" * 100
    (project / ".mcp.json").write_text(f'{{"mcpServers":{{"a":{{"env":{{"KEY":"{secret}"}}}}}}}}')
    shown = ok("setup", "claude-code")
    assert "비밀" not in shown.out
    assert "characters)" in shown.out


def test_print_changes_nothing_and_says_the_same(ok: Run, project: Path, home: Path) -> None:
    before = files_in(project), files_in(home)
    shown = ok("setup", "claude-code", "--print", "--json").json
    assert (files_in(project), files_in(home)) == before
    assert not shown["changed"]
    assert "would make" in ok("setup", "claude-code", "--print").out
    done = ok("setup", "claude-code", "--json").json
    assert done["files"] == shown["files"]
    assert "would remove" in ok("setup", "claude-code", "--undo", "--print").out
    assert (project / ".mcp.json").exists()


def test_the_server_is_started_by_the_path_of_this_installation(ok: Run, project: Path) -> None:
    words = ok("setup", "claude-code", "--json").json["command"]
    assert Path(words[0]).is_absolute()
    assert Path(words[0]).parent == Path(sys.executable).parent
    entry = json.loads((project / ".mcp.json").read_text())["mcpServers"]["strata"]
    assert [entry["command"], *entry["args"]] == words
    assert "--db" not in words  # the project's, found from the folder it is started in


def test_options_reach_the_words_of_the_server(ok: Run, project: Path) -> None:
    answer = ok(
        "setup",
        "codex",
        "--groups",
        "memory,decisions",
        "--read-only",
        "--name",
        "memory-2",
        "--portable",
        "--json",
    )
    words = ["strata", "mcp", "--groups", "memory,decisions", "--read-only"]
    assert answer.json["command"] == words
    table = tomllib.loads((project / ".codex" / "config.toml").read_text())
    assert [[one["command"], *one["args"]] for one in table["mcp_servers"].values()] == [words]


@pytest.mark.parametrize("client", ["claude-desktop", "windsurf", "antigravity"])
def test_a_client_without_a_project_gets_the_users_own_store_or_the_one_named(
    client: str, ok: Run, home: Path, tmp_path: Path
) -> None:
    found = ok("setup", client, "--json").json
    assert found["scope"] == "user"
    assert found["db"].startswith(str(home))
    assert found["command"][-2:] == ["--db", found["db"]]
    named = ok("setup", client, "--db", "../메모.db", "--json").json
    assert named["db"] == str(tmp_path / "메모.db")


def test_a_store_that_the_environment_names_is_written_out(
    ok: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STRATA_DB", str(tmp_path / "x.db"))
    assert ok("setup", "claude-code", "--print", "--json").json["db"] == str(tmp_path / "x.db")


def test_an_editor_is_told_the_store_of_the_project(ok: Run, project: Path) -> None:
    for client in ("cursor", "vscode"):
        found = ok("setup", client, "--print", "--json").json
        assert found["db"] == str(project / ".strata" / "store.db")
        shared = ok("setup", client, "--print", "--portable", "--json").json
        inside = "${workspaceFolder}/.strata/store.db"
        assert shared["command"][:4] == ["strata", "mcp", "--db", inside]


def test_commands_come_only_with_the_tools_that_they_call(ok: Run, project: Path) -> None:
    found = ok("setup", "claude-code", "--json").json
    assert found["command"][-2:] == ["--groups", "memory,decisions"]
    assert found["plugin"] is True
    assert list(project.rglob("decision.md"))
    for options in (("--groups", "memory"), ("--groups", "memory,core"), ("--read-only",)):
        less = ok("setup", "claude-code", *options, "--json").json
        assert less["plugin"] is False
        assert "no commands" in less["notes"][-1]
        assert not list(project.rglob("decision.md")), "the earlier ones are taken away"
    plain = ok("setup", "claude-desktop", "--print", "--json").json
    assert "--groups" not in plain["command"]


def test_commands_run_the_program_by_its_path_unless_the_shell_finds_it(
    ok: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(sys.executable).parent
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    ok("setup", "claude-code")
    (text,) = [path.read_text() for path in project.rglob("decision.md")]
    assert f"`{folder / 'strata'} decisions save" in text
    assert f"Bash({folder / 'strata'} decisions:*)" in text
    assert "Written by `strata setup`" in text
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    ok("setup", "claude-code")
    (text,) = [path.read_text() for path in project.rglob("decision.md")]
    assert "`strata decisions save" in text


def test_one_entry_for_all_projects_can_leave_each_its_store(ok: Run, run: Run) -> None:
    user = ["setup", "claude-code", "--scope", "user", "--print", "--json"]
    assert ok(*user).json["db"] is not None
    found = ok(*user, "--per-project").json
    assert found["db"] is None
    assert found["hook"].endswith("hook prompt")
    assert run("setup", "claude-code", "--per-project").code == 2
    assert run("setup", "windsurf", "--per-project").code == 2
    assert run(*user, "--per-project", "--db", "x.db").code == 2


def test_two_scopes_at_once_are_mentioned(ok: Run) -> None:
    assert ok("setup", "codex", "--json").json["notes"] == []
    both = ok("setup", "codex", "--scope", "user")
    assert "here the project's entry counts" in both.err
    ok("setup", "codex", "--undo", "--scope", "user")
    assert ok("setup", "codex").err == ""


def test_the_hook_is_installed_unless_told_otherwise(ok: Run, project: Path) -> None:
    settings = project / ".claude" / "settings.json"
    assert ok("setup", "claude-code", "--no-hook", "--json").json["hook"] is None
    assert not settings.exists()
    ok("setup", "claude-code")
    group = json.loads(settings.read_text())["hooks"]["UserPromptSubmit"][0]
    assert group["hooks"][0]["command"].endswith("strata hook prompt")
    ok("setup", "claude-code", "--no-hook")
    assert "hook prompt" not in settings.read_text()
    assert ok("setup", "cursor", "--json").json["hook"] is None


def test_a_file_that_cannot_be_read_is_named_with_its_line(run: Run, project: Path) -> None:
    path = project / ".mcp.json"
    path.write_text('{\n  "mcpServers": {,\n}\n')
    answer = run("setup", "claude-code", "--json")
    assert answer.code == 1
    assert answer.error["code"] == "unusable"
    assert answer.error["details"] == {"path": str(path), "line": 2}
    assert path.read_text() == '{\n  "mcpServers": {,\n}\n'
    assert not (project / ".claude").exists()


def test_what_does_not_fit_is_refused_with_what_would(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "windsurf" in run("setup", "windsurff").err
    assert run("setup", "cursor", "--name", "한글 이름").code == 2
    assert "memory,decisions" in run("setup", "cursor", "--groups", "memory decisions").err
    assert "mcp_config.json" in run("setup", "windsurf", "--scope", "project").err
    outside = tmp_path / "밖"
    outside.mkdir()
    monkeypatch.chdir(outside)
    assert "--scope user" in run("setup", "cursor").err
    assert list(outside.iterdir()) == []


def test_opencode_gets_a_plugin_that_keeps_conversations(ok: Run, project: Path) -> None:
    plugin = project / ".opencode/plugins/strata-turns.js"
    ok("setup", "opencode")
    assert not plugin.exists()
    ok("setup", "opencode", "--conversations")
    text = plugin.read_text(encoding="utf-8")
    assert "hook turn" in text
    assert "session.idle" in text
    ok("setup", "opencode")
    assert plugin.exists()
    ok("setup", "opencode", "--no-conversations")
    assert not plugin.exists()
    plugin.parent.mkdir(parents=True, exist_ok=True)
    plugin.write_text("// mine", encoding="utf-8")
    ok("setup", "opencode", "--conversations")
    ok("setup", "opencode", "--undo")
    assert plugin.read_text(encoding="utf-8") == "// mine"
