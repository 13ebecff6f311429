"""Where the files of clients are, on three systems, computed on one."""

from pathlib import Path

import pytest

from strata.clients import CLIENTS, Client, seems_installed, this_host
from strata.clients.host import System
from strata.workspace import user_folder
from tests.unit.clients.conftest import made_up_host

GOLDEN = Path(__file__).parent / "golden" / "places.txt"


PROJECTS: dict[System, str] = {"linux": "/srv/일", "darwin": "/srv/일", "win32": r"D:\일"}


def described() -> str:
    lines: list[str] = []
    for system, project in PROJECTS.items():
        host = made_up_host(system, project=project)
        lines += [f"{system}: the user's own store: {host.user_store}"]
        for client in CLIENTS.values():
            for scope, find in client.files.items():
                lines.append(f"{system} {client.name} {scope}: {find(host)}")
                if client.hook is not None:
                    hook = client.hook.files[scope](host)
                    lines.append(f"{system} {client.name} {scope} {client.hook.event}: {hook}")
    return "\n".join(lines) + "\n"


def test_every_file_is_where_the_client_looks_for_it_on_each_system() -> None:
    assert described() == GOLDEN.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("client", "variable", "expected"),
    [
        ("claude-code", "CLAUDE_CONFIG_DIR", "/else/.claude.json"),
        ("claude-desktop", "XDG_CONFIG_HOME", "/else/Claude/claude_desktop_config.json"),
        ("codex", "CODEX_HOME", "/else/config.toml"),
        ("vscode", "XDG_CONFIG_HOME", "/else/Code/User/mcp.json"),
        ("vscode", "VSCODE_PORTABLE", "/else/user-data/User/mcp.json"),
        ("gemini", "GEMINI_CLI_HOME", "/else/.gemini/settings.json"),
        ("opencode", "XDG_CONFIG_HOME", "/else/opencode/opencode.json"),
        ("opencode", "OPENCODE_CONFIG_DIR", "/else/opencode.json"),
    ],
)
def test_a_variable_moves_the_file_of_a_user(client: str, variable: str, expected: str) -> None:
    host = made_up_host("linux", environment={variable: "/else"})
    assert str(CLIENTS[client].files["user"](host)) == expected
    ignored = made_up_host("linux", environment={variable: "not/absolute"})
    assert str(CLIENTS[client].files["user"](ignored)).startswith("/home/you/")


def test_the_variables_of_windows_move_its_files() -> None:
    host = made_up_host("win32", environment={"APPDATA": r"E:\설정", "LOCALAPPDATA": r"E:\지역"})
    desktop = CLIENTS["claude-desktop"].files["user"](host)
    assert str(desktop) == r"E:\설정\Claude\claude_desktop_config.json"
    assert str(host.user_store) == r"E:\지역\strata\store.db"


def test_the_settings_of_claude_code_move_with_its_folder() -> None:
    hook = CLIENTS["claude-code"].hook
    assert hook is not None
    host = made_up_host("linux", environment={"CLAUDE_CONFIG_DIR": "/else"})
    assert str(hook.files["user"](host)) == "/else/settings.json"


def test_the_store_package_of_claude_desktop_has_its_own_copy_of_the_settings() -> None:
    package = r"C:\Users\you\AppData\Local\Packages\Claude_pzs8sxrjxfjjc"
    found = CLIENTS["claude-desktop"].files["user"](made_up_host("win32", files=(package,)))
    assert str(found) == rf"{package}\LocalCache\Roaming\Claude\claude_desktop_config.json"


def test_opencode_keeps_the_file_with_comments_where_there_is_one() -> None:
    there = "/srv/일/opencode.jsonc"
    host = made_up_host("linux", project="/srv/일", files=(there,))
    assert str(CLIENTS["opencode"].files["project"](host)) == there
    assert str(CLIENTS["opencode"].files["user"](host)).endswith("opencode.json")


def test_antigravity_keeps_its_first_file_until_the_shared_folder_is_there() -> None:
    first = "/home/you/.gemini/antigravity/mcp_config.json"
    find = CLIENTS["antigravity"].files["user"]
    assert str(find(made_up_host("linux", files=(first,)))) == first
    both = made_up_host("linux", files=(first, "/home/you/.gemini/config"))
    assert str(find(both)) == "/home/you/.gemini/config/mcp_config.json"


@pytest.mark.parametrize("client", CLIENTS.values(), ids=CLIENTS)
def test_a_client_seems_installed_by_its_program_or_its_folder(client: Client) -> None:
    nothing = made_up_host("linux")
    assert not seems_installed(client, nothing)
    assert seems_installed(client, made_up_host("linux", programs=client.programs[-1:]))
    folder = str(client.folders[-1](nothing))
    assert seems_installed(client, made_up_host("linux", files=(folder,)))


def test_the_users_own_store_is_the_one_that_the_workspace_finds() -> None:
    assert this_host().user_store == user_folder() / "store.db"


def test_the_project_is_the_nearest_folder_with_a_mark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    deep = tmp_path / "일" / "packages" / "a"
    deep.mkdir(parents=True)
    assert this_host(deep).project is None
    (tmp_path / ".git").mkdir()  # a home that is a repository is still no project
    assert this_host(deep).project is None
    (deep / "package.json").touch()
    assert this_host(deep).project == deep
    (tmp_path / "일" / ".strata").mkdir()  # a store further up counts for more
    assert this_host(deep).project == tmp_path / "일"
