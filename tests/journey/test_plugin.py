"""Commands and skills that `strata setup` writes, and what the clients make of them."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import strata
from strata.clients import plugin_files
from tests.journey.clients import CLIENTS, PROMPT, Server, isolated, run
from tests.journey.model import ScriptedModel
from tests.node.packages import INSTALLED, fingerprint, npm_bin

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.skipif(os.name == "nt", reason="ends what clients start by their process group"),
]
# What a command begins with once a client has put it in the place of its name.
EXPANDED = "Save a decision: 금요일에는 배포하지 않는다"


def need(name: str) -> None:
    if not (INSTALLED / f"{name}-{fingerprint(name)}").exists():
        pytest.skip(f"{name} is not installed; `./dev clients {name}` does that")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with a checkpoint in it."""
    path = tmp_path / "store.db"
    with strata.open(path, auto_embed=False) as db:
        db.decisions.checkpoint("검색을 마쳤다", next_steps="Write the tests")
    return path


def heard(name: str, arguments: Sequence[str], store: Path, home: Path) -> str:
    """Set a client up for all projects, run it with a prompt, and return what the model read."""
    need(name)
    client = CLIENTS[name]
    work = home / "work"
    for folder in (home, work, home / "tmp"):
        folder.mkdir()
    with ScriptedModel([]) as model:
        launch = client.set_up(home, Server(), model.url)
        environment = {**isolated(home, model.url), **launch.environment}
        known = "claude-code" if name == "claude" else name
        setup = [sys.executable, "-m", "strata", "setup", known, "--scope", "user"]
        code, output = run([*setup, "--db", str(store)], environment, work)
        assert code == 0, output
        given = [word for word in launch.arguments if word != PROMPT]
        at = launch.arguments.index(PROMPT)
        words = [*given[:at], *arguments, *given[at:]]
        code, output = run([*npm_bin(name, name), *words], environment, work)
        assert code == 0, output[-4000:]
        return "\n".join(turn.prompt for turn in model.conversation)


def test_claude_code_finds_nothing_wrong_with_the_plugin(tmp_path: Path) -> None:
    need("claude")
    folder = tmp_path / "plugin"
    for name, text in plugin_files().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    words = [*npm_bin("claude", "claude"), "plugin", "validate", "--strict", "--json", str(folder)]
    environment = isolated(tmp_path, "http://127.0.0.1:9")
    done = subprocess.run(
        words, env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (folder / ".claude-plugin" / "plugin.json").write_text('{"name": "not a name"}')
    wrong = subprocess.run(words, env=environment, capture_output=True, check=False, timeout=60)
    assert wrong.returncode != 0
    assert json.loads(done.stdout)


def test_claude_code_runs_the_commands_and_is_told_where_work_stopped(
    store: Path, tmp_path: Path
) -> None:
    told = heard(
        "claude", ["/strata:decision 금요일에는 배포하지 않는다"], store, tmp_path / "home"
    )
    assert EXPANDED in told
    assert "검색을 마쳤다" in told  # the hook at the beginning of a session
    assert "strata:strata" in told  # the skill, by name
    assert "settled before" in told  # and by what it says of itself


def test_gemini_runs_the_commands(store: Path, tmp_path: Path) -> None:
    told = heard(
        "gemini", ["/strata:decision 금요일에는 배포하지 않는다"], store, tmp_path / "home"
    )
    assert EXPANDED in told


def test_opencode_runs_the_commands(store: Path, tmp_path: Path) -> None:
    words = ["--command", "strata-decision", "금요일에는", "배포하지", "않는다"]
    assert EXPANDED in heard("opencode", words, store, tmp_path / "home")


def test_codex_is_told_of_the_skill(store: Path, tmp_path: Path) -> None:
    told = heard("codex", ["What did we decide?"], store, tmp_path / "home")
    assert "settled before" in told
    assert "strata/SKILL.md" in told


def test_claude_code_keeps_what_was_said_before_it_compacts(tmp_path: Path) -> None:
    """Only the hook before a compaction is left, so nothing else can have kept the turns."""
    need("claude")
    home, path = tmp_path / "home", tmp_path / "said.db"
    work = home / "work"
    for folder in (home, work, home / "tmp"):
        folder.mkdir()
    with strata.open(path, auto_embed=False):
        pass
    with ScriptedModel([]) as model:
        launch = CLIENTS["claude"].set_up(home, Server(), model.url)
        environment = {**isolated(home, model.url), **launch.environment}
        setup = [sys.executable, "-m", "strata", "setup", "claude-code", "--scope", "user"]
        code, output = run([*setup, "--conversations", "--db", str(path)], environment, work)
        assert code == 0, output
        settings = home / "claude" / "settings.json"
        found = json.loads(settings.read_text(encoding="utf-8"))
        assert {"Stop", "PreCompact", "SessionEnd"} <= found["hooks"].keys()
        found["hooks"] = {"PreCompact": found["hooks"]["PreCompact"]}
        settings.write_text(json.dumps(found), encoding="utf-8")
        program = npm_bin("claude", "claude")
        code, output = run([*program, *launch.arguments], environment, work)
        assert code == 0, output[-4000:]
        with strata.open(path, auto_embed=False) as db:
            assert list(db.conversations.list()) == []
        code, output = run([*program, "-p", "/compact", "--continue"], environment, work)
        assert code == 0, output[-4000:]
    with strata.open(path, auto_embed=False) as db:
        [conversation] = db.conversations.list()
        assert [turn.text for turn in db.conversations.turns(conversation.id)][:1] == [PROMPT]
