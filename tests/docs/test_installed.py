"""Both wheels, installed where nothing else is, do what the README shows."""

import ast
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.docs.examples import README, ROOT, blocks, run_commands, shell, variables_of
from tests.surface.mcp.wire import hello, notification, request

EMBED = ROOT / "packages" / "strata-embed"
PROGRAMS = "Scripts" if os.name == "nt" else "bin"
# What the extras bring; everything else that the source imports comes with the installation.
OF_EXTRAS = {"anthropic", "obstore", "openai", "psycopg", "psycopg_pool", "pydantic_ai"}
# Prints those of its arguments that are no modules of this environment.
MISSING = """
import sys
from importlib.util import find_spec
print(*(name for name in sys.argv[1:] if find_spec(name) is None))
"""


@pytest.fixture
def variables(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The variables of a shell in which the installation is the only one."""
    wheels, environment = tmp_path / "wheels", tmp_path / "environment"
    for package in (ROOT, EMBED):
        build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(wheels)]
        run(build, cwd=package)
    install(environment, sorted(map(str, wheels.iterdir())))
    variables = variables_of(environment / PROGRAMS)
    # Its compiled modules go away together with it.
    variables.pop("PYTHONPYCACHEPREFIX", None)
    yield variables
    for folder in (wheels, environment):  # 300 MB, which pytest would keep for three runs
        shutil.rmtree(folder)


def install(environment: Path, wheels: list[str]) -> None:
    """Install wheels, and what they require in the locked versions, as ./dev does: uv, else pip."""
    uv = str(Path(sys.executable).with_name("uv"))
    run([uv, "venv", "-q", "--python", sys.executable, str(environment)])
    python = str(environment / PROGRAMS / "python")
    by_uv = [uv, "pip", "install", "-q", "--python", python]
    # The cache of uv would keep every wheel ever built here.
    run([*by_uv, "--no-cache", "--no-index", "--no-deps", *wheels])
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    locked = environment / "locked.txt"
    locked.write_text(
        "\n".join(re.findall(r"^\S+==[^\\\n]+", lock, re.MULTILINE)), encoding="utf-8"
    )
    what = ["--constraint", str(locked), "strata-workspace"]
    try:
        run([*by_uv, *what], env={"UV_SYSTEM_CERTS": "1", **os.environ})
    except AssertionError:
        run([sys.executable, "-m", "pip", "--python", python, "install", "-q", *what])
    run([uv, "pip", "check", "-q", "--python", python])


def run(command: list[str], *, cwd: Path = ROOT, env: dict[str, str] | None = None) -> str:
    """Run a program that must succeed, and return what it prints."""
    done = subprocess.run(
        command,
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.mark.timeout(600)
def test_an_installation_does_what_the_readme_shows(
    variables: dict[str, str], tmp_path: Path
) -> None:
    project = tmp_path / "프로젝트"
    project.mkdir()
    where = run(
        ["python", "-c", "import strata; print(strata.__file__)"], cwd=project, env=variables
    )
    assert Path(where).is_relative_to(tmp_path / "environment")
    missing = run(["python", "-c", MISSING, *imported()], cwd=project, env=variables)
    assert set(missing.split()) == OF_EXTRAS

    run_commands(README, project, shell(project, variables))
    program = "\n".join(blocks(README, "python"))
    assert "strata.open" in program
    run(["python", "-c", program], cwd=project, env=variables)
    check_mcp(project, variables)
    check_pages(project, variables)


def imported() -> set[str]:
    """Every package of others that the source imports, wherever it does."""
    names: set[str] = set()
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                names.add(str(node.module))
    return {name.partition(".")[0] for name in names} - sys.stdlib_module_names - {"strata"}


def check_mcp(project: Path, variables: dict[str, str]) -> None:
    """Let a client over standard input and output list the tools."""
    messages = [hello(1), notification("notifications/initialized"), request(2, "tools/list")]
    with subprocess.Popen(
        ["strata", "mcp"],
        cwd=project,
        env=variables,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.writelines(json.dumps(message) + "\n" for message in messages)
        server.stdin.flush()
        # A server may answer in any order, and need not answer once its input has ended.
        answers = map(json.loads, server.stdout)
        found = next(answer for answer in answers if answer.get("id") == 2)
        server.stdin.close()
        assert server.wait(60) == 0
    assert "strata_store" in {tool["name"] for tool in found["result"]["tools"]}


def check_pages(project: Path, variables: dict[str, str]) -> None:
    """Look at the README's documents with a browser: its own page, and a published one."""
    with serving(project, variables) as url:
        visitor = urllib.request.build_opener()
        with visitor.open(f"{url}/@owner/plan", timeout=60) as page:
            assert "We ship in June" in page.read().decode()

        user = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        user.addheaders = [("Origin", url)]
        login = run(["strata", "--json", "user", "login"], cwd=project, env=variables)
        form = urlencode({"code": json.loads(login)["code"], "next": "/"}).encode()
        with user.open(f"{url}/sign-in", form, timeout=60) as page:
            files = re.findall(r'(?:src|href)="(/[^"]+\.(?:js|css))"', page.read().decode())
        assert {Path(file).suffix for file in files} == {".js", ".css"}
        for file in files:
            with user.open(f"{url}{file}", timeout=60) as answer:
                assert answer.read()


@contextmanager
def serving(project: Path, variables: dict[str, str]) -> Iterator[str]:
    """Serve a project as the README says, and give the address."""
    command = ["strata", "serve", "--port", "0"]
    with subprocess.Popen(
        command, cwd=project, env=variables, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            first = process.stdout.readline()
            yield first.split()[-1].removesuffix("/mcp")
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(60) == 0
