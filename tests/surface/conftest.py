"""The command line as a person meets it: in a project of its own, with nothing set."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

from strata.cli.main import cli

Run = Callable[..., "Answer"]


class Answer(NamedTuple):
    """What a command printed, and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def error(self) -> Any:
        return json.loads(self.err)


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project that one stands in, and a home elsewhere."""
    folder, home = tmp_path / "프로젝트", tmp_path / "home"
    (folder / ".git").mkdir(parents=True)
    home.mkdir()
    for name in list(os.environ):
        if name == "STRATA_HOOK_SECONDS":  # A hook has all the time it needs on a busy machine.
            continue
        if name.startswith("STRATA_") or name in ("NO_COLOR", "COLUMNS", "XDG_DATA_HOME"):
            monkeypatch.delenv(name)
    for name in ("HOME", "USERPROFILE", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(home))
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def run() -> Run:
    """Run a command line in this process."""

    def call(*words: object, input: str | bytes | None = None) -> Answer:
        result = CliRunner().invoke(cli, [str(word) for word in words], input=input)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Answer(result.exit_code, result.stdout, result.stderr)

    return call


@pytest.fixture
def ok(run: Run) -> Run:
    """Run a command line that has to succeed."""

    def call(*words: object, input: str | bytes | None = None) -> Answer:
        answer = run(*words, input=input)
        assert answer.code == 0, f"strata {' '.join(map(str, words))}: {answer.err}"
        return answer

    return call


@pytest.fixture
def process() -> Run:
    """Run a command line in a process of its own."""

    def call(*words: object, input: bytes | None = None, **environment: str) -> Answer:
        done = subprocess.run(
            [sys.executable, "-m", "strata", *map(str, words)],
            env=os.environ | environment,
            input=input,
            capture_output=True,
            check=False,
            timeout=60,
        )
        return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())

    return call
