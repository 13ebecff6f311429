"""Real clients reach a store over HTTP with a token."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import strata
from tests.journey.clients import Client, Server
from tests.journey.conftest import followed
from tests.journey.model import Call

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(os.name == "nt", reason="ends what clients start by their process group"),
]
END_SECONDS = 20


@pytest.fixture
def served(path: Path) -> Iterator[Server]:
    """Our server, listening on a free port of this machine."""
    with strata.open(path) as db:
        token = db.tokens.create("시험").secret
    with listening(path, token, "--groups", "memory") as server:
        yield server


@contextmanager
def listening(path: Path, token: str, *options: str) -> Iterator[Server]:
    """Serve a store until the block ends."""
    where = ["--port", "0", "--db", str(path), "--json", *options]
    serve = [sys.executable, "-m", "strata", "serve", *where]
    with subprocess.Popen(serve, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            said = json.loads(first_document(process.stdout))
            yield Server(serve, said["url"], token)
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(END_SECONDS) == 0


def first_document(lines: Iterable[str]) -> str:
    """Read up to the end of the JSON that says where the server listens."""
    text = ""
    for line in lines:
        text += line
        if line == "}\n":
            break
    return text


def test_a_client_stores_and_finds_over_http(
    client: Client, served: Server, path: Path, tmp_path: Path
) -> None:
    script = [
        Call("strata_store", {"key": "서버/주소", "value": "바다"}),
        Call("strata_branch", {"action": "fork", "name": "시험"}),
        Call("strata_store", {"key": "서버/주소", "value": "산", "branch": "시험"}),
        Call("strata_recall", {"key": "서버/주소"}),
        Call("strata_recall", {"key": "서버/주소", "branch": "시험"}),
        Call("strata_search", {"query": "바다"}),
    ]
    answers = followed(client, served, script, tmp_path / "home").answers
    assert [answer.get("value") for answer in answers[3:5]] == ["바다", "산"]
    assert "서버/주소" in [hit["key"] for hit in answers[5]["results"]]
    with strata.open(path) as db:
        found = db.kv.get("서버/주소")
        assert found is not None
        assert found.value == "바다"


def test_a_client_without_the_right_token_gets_no_tools(
    client: Client, served: Server, path: Path, tmp_path: Path
) -> None:
    wrong = served._replace(token="strata_wrong", is_awaited=False)
    talk = followed(client, wrong, [], tmp_path / "home")
    assert not [name for name in talk.model.conversation[0].offered if "strata" in name]
