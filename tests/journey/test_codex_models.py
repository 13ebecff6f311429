"""Models that Codex knows are shown no tools of servers, and find ours all the same."""

import os
from functools import partial
from pathlib import Path

import pytest

from tests.journey.clients import CLIENTS, Client, Server, codex
from tests.journey.conftest import chosen, journey
from tests.journey.model import Call

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(os.name == "nt", reason="ends what clients start by their process group"),
    pytest.mark.skipif("codex" not in chosen(), reason="Codex was not asked for"),
]
SCRIPT = [
    Call("strata_store", {"key": "결정/배포", "value": "파란 배포"}),
    Call("strata_search", {"query": "배포"}),
    Call("strata_recall", {"key": "결정/배포"}),
]


def thinking_with(brain: str) -> Client:
    return CLIENTS["codex"]._replace(set_up=partial(codex, brain=brain))


def test_a_model_that_searches_for_tools_finds_ours(server: Server, tmp_path: Path) -> None:
    talk = journey(thinking_with("gpt-5.5"), server, SCRIPT, tmp_path / "home")
    first, second = talk.model.conversation[:2]
    assert not [name for name in first.tools if "strata" in name]
    assert "mcp__strata::strata_store" in second.tools
    assert talk.answers[2]["value"] == "파란 배포"


def test_a_model_that_writes_programs_reaches_our_tools(server: Server, tmp_path: Path) -> None:
    talk = journey(thinking_with("gpt-6.1-sol"), server, SCRIPT, tmp_path / "home")
    assert not [name for name in talk.model.conversation[-1].tools if "strata" in name]
    assert [hit["key"] for hit in talk.answers[1]["results"]] == ["결정/배포"]
    assert talk.answers[2]["value"] == "파란 배포"
