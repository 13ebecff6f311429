"""The words that start Strata, and knowing them again in somebody's file."""

from pathlib import Path

import pytest

from strata.clients import (
    PORTABLE,
    Program,
    hook_line,
    may_vanish,
    server_words,
    this_program,
)
from strata.clients.launch import is_prompt_hook, is_server


def test_the_scripts_beside_python_are_taken_by_their_full_path(tmp_path: Path) -> None:
    python = tmp_path / "python"
    assert this_program(str(python)).server == (str(python), "-m", "strata", "mcp")
    assert this_program(str(python)).command == (str(python), "-m", "strata")
    (tmp_path / "strata").touch()
    assert this_program(str(python)).server == (str(tmp_path / "strata"), "mcp")
    (tmp_path / "strata-mcp").touch()
    assert this_program(str(python)).server == (str(tmp_path / "strata-mcp"),)
    assert this_program(str(python)).command == (str(tmp_path / "strata"),)


def test_on_windows_the_scripts_may_stand_in_their_own_folder(tmp_path: Path) -> None:
    (tmp_path / "Scripts").mkdir()
    script = tmp_path / "Scripts" / "strata-mcp.exe"
    script.touch()
    assert this_program(str(tmp_path / "python.exe")).server == (str(script),)


def test_this_installation_is_started_by_a_full_path_that_is_there() -> None:
    program = this_program()
    assert Path(program.server[0]).is_absolute()
    assert Path(program.server[0]).is_file()
    assert is_server(program.server)


def test_an_installation_in_the_cache_of_uv_is_known_to_be_passing() -> None:
    assert may_vanish(Program(("/home/you/.cache/uv/archive-v0/x1/bin/strata-mcp",), ()))
    assert not may_vanish(Program(("/home/you/.local/share/uv/tools/x/bin/strata-mcp",), ()))
    assert not may_vanish(this_program())


def test_options_follow_the_words_of_the_server() -> None:
    words = server_words(PORTABLE, db="/srv/메모.db", groups="memory,decisions", read_only=True)
    assert words == (
        "strata",
        "mcp",
        "--db",
        "/srv/메모.db",
        "--groups",
        "memory,decisions",
        "--read-only",
    )
    assert server_words(PORTABLE, db=None, groups=None, read_only=False) == ("strata", "mcp")


@pytest.mark.parametrize(
    ("command", "db", "line"),
    [
        (("/opt/a b/strata",), None, "'/opt/a b/strata' hook prompt"),
        (("/opt/strata",), "/srv/내 것.db", "/opt/strata hook prompt --db '/srv/내 것.db'"),
        ((r"C:\strata\strata.exe",), None, "C:/strata/strata.exe hook prompt"),
        ((r"C:\a b\strata.exe",), None, '"C:/a b/strata.exe" hook prompt'),
        (("/usr/bin/python", "-m", "strata"), None, "/usr/bin/python -m strata hook prompt"),
    ],
)
def test_the_line_of_the_hook_is_quoted_for_a_shell(
    command: tuple[str, ...], db: str | None, line: str
) -> None:
    assert hook_line(Program((), command), db=db) == line
    assert is_prompt_hook(line)


@pytest.mark.parametrize(
    "words",
    [
        ["strata-mcp"],
        ["/opt/strata-mcp", "--db", "x"],
        [r"C:\Scripts\strata-mcp.EXE"],
        ["/opt/strata", "mcp", "--read-only"],
        ["python3.12", "-m", "strata", "mcp"],
    ],
)
def test_a_server_of_ours_is_known_again(words: list[str]) -> None:
    assert is_server(words)


@pytest.mark.parametrize(
    "words",
    [[], ["npx", "strata"], ["strata"], ["strata", "serve"], ["stratadb", "mcp"], ["python", "-m"]],
)
def test_another_program_is_not_taken_for_ours(words: list[str]) -> None:
    assert not is_server(words)


def test_another_hook_is_not_taken_for_ours() -> None:
    for line in ("", "echo hook prompt", "strata hook", "mystrata hook prompt", "npx strata log"):
        assert not is_prompt_hook(line)
