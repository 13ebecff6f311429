"""Commands and skills: one source, the form of each client, and files that stay their owner's."""

import json
import tomllib
from pathlib import Path

import pytest

import strata
from strata.clients import CLIENTS, FileChange, Wish, carry_out, plan_setup, plan_undo, plugin_files
from tests.unit.clients.conftest import LINE, WORDS, Desk

SESSION = "/opt/strata/bin/strata hook session"
TAKE_EXTRAS = ["claude-code", "codex", "cursor", "gemini", "opencode"]
COMMANDS = ["checkpoint", "decision", "decisions-graph", "insight", "resume", "strata-configure"]
PLACES = {
    "claude-code": ".claude/skills/strata",
    "codex": ".agents/skills/strata",
    "cursor": ".cursor/commands",
    "gemini": ".gemini/commands/strata",
    "opencode": ".opencode/commands",
}


def plan(editing: Desk, name: str, *, session: str | None = SESSION) -> list[FileChange]:
    client = CLIENTS[name]
    wish = Wish(client.default_scope, "strata", WORDS, LINE, session)
    return plan_setup(client, editing.host, wish)


def written(editing: Desk, name: str) -> dict[str, str]:
    """Return the files below a client's folder for commands."""
    folder = editing.project / PLACES[name]
    found = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in found}


def everything(editing: Desk) -> list[Path]:
    return sorted([*editing.project.rglob("*"), *editing.home.rglob("*")])


def test_clients_that_take_commands_are_known() -> None:
    assert [name for name, client in CLIENTS.items() if client.extras] == TAKE_EXTRAS


@pytest.mark.parametrize("name", TAKE_EXTRAS)
def test_what_was_written_is_taken_back_with_its_folders(name: str, editing: Desk) -> None:
    carry_out(plan(editing, name))
    assert written(editing, name)
    assert {change.state for change in plan(editing, name)} == {"unchanged"}
    carry_out(plan_undo(CLIENTS[name], editing.host, name="strata"))
    assert everything(editing) == []


@pytest.mark.parametrize("name", TAKE_EXTRAS)
def test_commands_that_are_not_wanted_any_more_go_and_the_rest_stays(
    name: str, editing: Desk
) -> None:
    carry_out(plan(editing, name))
    carry_out(plan(editing, name, session=None))
    assert written(editing, name) == {}
    assert editing.file(CLIENTS[name]).exists()


@pytest.mark.parametrize("name", ["cursor", "gemini", "opencode"])
def test_a_file_that_is_somebody_elses_is_left_alone(name: str, editing: Desk) -> None:
    ending = "toml" if name == "gemini" else "md"
    mine = "decision" if name == "gemini" else "strata-decision"
    path = editing.project / PLACES[name] / f"{mine}.{ending}"
    path.parent.mkdir(parents=True)
    path.write_text("# 내 것\n", "utf-8")
    carry_out(plan(editing, name))
    assert path.read_text("utf-8") == "# 내 것\n"
    assert len(written(editing, name)) == len(COMMANDS)
    carry_out(plan_undo(CLIENTS[name], editing.host, name="strata"))
    assert written(editing, name) == {path.name: "# 내 것\n"}


def test_an_older_text_of_ours_is_brought_up_to_date(editing: Desk) -> None:
    carry_out(plan(editing, "cursor"))
    path = editing.project / PLACES["cursor"] / "strata-resume.md"
    now = path.read_text("utf-8")
    path.write_text("<!-- Written by `strata setup`; an older one. -->\n", "utf-8")
    carry_out(plan(editing, "cursor"))
    assert path.read_text("utf-8") == now


def test_the_plugin_leaves_the_prompt_hook_to_the_settings(editing: Desk) -> None:
    carry_out(plan(editing, "claude-code"))
    found = written(editing, "claude-code")
    assert found.keys() == plugin_files().keys()
    hooks = json.loads(found["hooks/hooks.json"])["hooks"]
    assert list(hooks) == ["SessionStart"]
    assert hooks["SessionStart"][0]["hooks"][0]["command"] == SESSION
    settings = json.loads((editing.project / ".claude" / "settings.json").read_text("utf-8"))
    assert list(settings["hooks"]) == ["UserPromptSubmit"]
    assert ".mcp.json" not in found
    assert json.loads(found[".claude-plugin/plugin.json"])["version"] == strata.__version__


def test_the_shipped_plugin_works_by_itself(editing: Desk) -> None:
    files = plugin_files()
    assert json.loads(files[".claude-plugin/plugin.json"])["version"] == strata.__version__
    hooks = json.loads(files["hooks/hooks.json"])["hooks"]
    lines = {event: group[0]["hooks"][0]["command"] for event, group in hooks.items()}
    assert lines == {
        "SessionStart": "strata hook session",
        "UserPromptSubmit": "strata hook prompt",
    }
    names = [name.partition("/")[2][:-3] for name in files if name.startswith("commands/")]
    assert names == COMMANDS


def test_each_form_says_the_same_in_its_own_way(editing: Desk) -> None:
    for name in TAKE_EXTRAS:
        carry_out(plan(editing, name))
    toml = tomllib.loads(written(editing, "gemini")["decision.toml"])
    assert "Save a decision: {{args}}" in toml["prompt"]
    assert toml["description"] == "Save a decision and its reason in Strata"
    markdown = written(editing, "opencode")["strata-decision.md"]
    assert markdown.startswith("---\ndescription: Save a decision")
    assert "Save a decision: $ARGUMENTS" in markdown
    plain = written(editing, "cursor")["strata-decision.md"]
    assert "$ARGUMENTS" not in plain
    assert not plain.startswith("---")
    skill = written(editing, "codex")
    assert list(skill) == ["SKILL.md"]
    assert skill["SKILL.md"] == plugin_files()["skills/strata/SKILL.md"]


@pytest.mark.parametrize("name", [one for one in plugin_files() if one.endswith(".md")])
def test_no_text_runs_anything_or_reads_a_file_by_itself(name: str) -> None:
    text = plugin_files()[name]
    # What clients would carry out before a model reads it: !`command`, !{command}, @file.
    assert "!`" not in text
    assert "!{" not in text
    assert " @" not in text


def test_commands_name_only_tools_and_commands_that_exist() -> None:
    from strata.cli.commands.decisions import decisions
    from strata.tools import registry

    tools = {tool.name for tool in registry().tools("decisions")}
    for name, text in plugin_files().items():
        for word in text.replace("`", " ").replace(",", " ").split():
            if word.startswith("mcp__strata__"):
                assert word.removeprefix("mcp__strata__") in tools, name
        for part in text.split("strata decisions ")[1:]:
            command = part.split()[0].strip("`,.:*)")
            assert command in decisions.commands, f"{name}: {command}"
