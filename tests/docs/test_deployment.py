"""The files for deployment are what the programs that read them accept, and what they promise."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from fnmatch import fnmatch
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

import pytest
import yaml

from tests.databases import address_of

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
UNIT = DEPLOY / "strata.service"
PROGRAM = Path(sys.executable).with_name("strata")
NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    copy = tmp_path / UNIT.name
    copy.write_text(UNIT.read_text().replace("/opt/strata/bin/strata", str(PROGRAM)))
    found = subprocess.run(
        ["systemd-analyze", "verify", str(copy)], capture_output=True, text=True, check=False
    )
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")


def steps(name: str) -> list[str]:
    """Return the instructions of the Containerfile of one kind, each in a line."""
    text = re.sub(r"\\\n\s*", "", (DEPLOY / "Containerfile").read_text())
    return [
        line.removeprefix(f"{name} ") for line in text.splitlines() if line.startswith(f"{name} ")
    ]


def test_the_image_gets_what_it_copies() -> None:
    copied = [word for step in steps("COPY") if "--from" not in step for word in step.split()[:-1]]
    assert copied
    ignored = (DEPLOY / "Containerfile.containerignore").read_text()
    assert (DEPLOY / "Containerfile.dockerignore").read_text() == ignored, "each tool has its own"
    kept = [line[1:] for line in ignored.splitlines() if line.startswith("!")]
    for source in copied:
        assert (ROOT / source).exists(), source
        assert any(fnmatch(source, pattern) for pattern in kept), source


def test_the_image_is_installed_from_the_lock_with_known_extras() -> None:
    [install] = [step for step in steps("RUN") if "requirements.lock" in step]
    [extras] = re.findall(r"'\.\[(.*)\]'", install)
    known = (ROOT / "pyproject.toml").read_text()
    assert all(f"\n{extra} = [" in known for extra in extras.split(","))


def test_the_image_runs_a_server(tmp_path: Path) -> None:
    [entry], [command] = steps("ENTRYPOINT"), steps("CMD")
    assert json.loads(entry) == ["strata"]
    answer = strata(*json.loads(command), "--check", at=address_of(None), home=tmp_path)
    assert "http://" in answer


def services() -> dict[str, Any]:
    """Return the services of the compose file, with the values that a user would set."""
    text = (DEPLOY / "compose.yaml").read_text()
    values = {"STRATA_PASSWORD": "비밀", "STRATA_URL": "https://strata.example.com"}
    text = re.sub(r"\$\{(\w+)[^}]*\}", lambda match: values[match[1]], text)
    return yaml.safe_load(text)["services"]


def strata(*words: str, at: str, home: Path) -> str:
    environment = {**os.environ, "STRATA_DB": at, "HOME": str(home), "XDG_DATA_HOME": str(home)}
    command = [str(PROGRAM), *words]
    done = subprocess.run(
        command, env=environment, cwd=home, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_the_services_run_what_this_program_understands(tmp_path: Path) -> None:
    found = services()
    at = address_of(None)
    strata(*found["tables"]["command"], at=at, home=tmp_path)
    for name in ("server-1", "server-2"):
        command = found[name]["command"]
        assert "https://strata.example.com" in strata(*command, "--check", at=at, home=tmp_path)


def test_services_wait_for_each_other_and_keep_their_data() -> None:
    found = services()
    volumes = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["volumes"]
    for name, service in found.items():
        waits = service.get("depends_on", {})
        assert set(waits) <= set(found), name
        for volume in service.get("volumes", []):
            place = volume.partition(":")[0]
            assert place in volumes or (DEPLOY / place).is_file(), volume
        build = service.get("build")
        if build:
            context = (DEPLOY / build["context"]).resolve()
            assert (context / build["dockerfile"]).is_file()
    assert found["database"]["healthcheck"]
    assert found["tables"]["depends_on"]["database"]["condition"] == "service_healthy"


def test_the_proxy_asks_the_servers_of_the_compose_file() -> None:
    asked = re.findall(
        r"^ +server ([\w-]+):(\d+)", (DEPLOY / "nginx.conf").read_text(), re.MULTILINE
    )
    served = [name for name in services() if name.startswith("server-")]
    assert asked == [(name, "7433") for name in served]
    assert steps("EXPOSE") == ["7433"]


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@contextmanager
def running(*command: object, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    words = [str(word) for word in command]
    with subprocess.Popen(words, env={**os.environ, **environment}) as process:
        try:
            yield process
        finally:
            process.terminate()
            process.wait(30)


def health(port: int) -> str | None:
    try:
        with urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as answer:
            return json.load(answer)["status"]
    except (HTTPError, URLError, OSError):
        return None


def until_ready(port: int) -> None:
    end = time.monotonic() + 60
    while health(port) != "ready":
        assert time.monotonic() < end, "no answer within a minute"
        time.sleep(0.1)


@pytest.mark.skipif(NGINX is None, reason="needs nginx")
def test_a_killed_server_is_replaced_by_the_other_one(tmp_path: Path) -> None:
    ports = [free_port(), free_port()]
    front, at = free_port(), address_of(None)
    part = (DEPLOY / "nginx.conf").read_text().replace("listen 80;", f"listen 127.0.0.1:{front};")
    for number, port in enumerate(ports, start=1):
        part = part.replace(f"server-{number}:7433", f"127.0.0.1:{port}")
    (tmp_path / "part.conf").write_text(part)
    (tmp_path / "nginx.conf").write_text(
        f"daemon off;\npid {tmp_path}/pid;\nerror_log {tmp_path}/errors;\nevents {{}}\n"
        f"http {{\n  access_log off;\n  client_body_temp_path {tmp_path}/body;\n"
        f"  proxy_temp_path {tmp_path}/proxy;\n  include {tmp_path}/part.conf;\n}}\n"
    )
    strata("db", "init", at=at, home=tmp_path)
    with ExitStack() as stack:
        servers = [
            stack.enter_context(
                running(
                    *(PROGRAM, "serve", "--port", port, "--no-auto-embed"),
                    *("--public-url", f"http://127.0.0.1:{front}"),
                    STRATA_DB=at,
                    XDG_DATA_HOME=str(tmp_path),
                )
            )
            for port in ports
        ]
        for port in ports:
            until_ready(port)
        stack.enter_context(running(NGINX, "-c", tmp_path / "nginx.conf", "-p", tmp_path))
        until_ready(front)
        for server in servers:
            assert [health(front) for _request in range(20)] == ["ready"] * 20
            if server is servers[0]:
                server.kill()
                server.wait(30)
