"""What `strata setup` writes is what the clients read."""

import os
import sys
from pathlib import Path

import pytest

import strata
from tests.journey.clients import PROMPT, Client, Server
from tests.journey.conftest import followed, left_running
from tests.journey.model import LAST_WORDS, Call

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(os.name == "nt", reason="ends what clients start by their process group"),
]
NAMES = {"claude": "claude-code"}
# opencode has no hook for prompts.
TAKE_THE_HOOK = {"claude", "codex", "gemini"}
KNOWN = "the script says to paint the shed 파란색으로"


def test_a_client_that_was_set_up_starts_our_server_and_runs_the_hook(
    client: Client, path: Path, tmp_path: Path
) -> None:
    with strata.open(path) as db:
        db.kv.put("결정/색", "파랑")
        db.kv.put("shed", KNOWN)
    name = NAMES.get(client.name, client.name)
    setup = [sys.executable, "-m", "strata", "setup", name, "--scope", "user", "--db", str(path)]
    script = [
        Call("strata_recall", {"key": "결정/색"}),
        Call("strata_store", {"key": "결정/색", "value": "초록"}),
    ]
    talk = followed(client, Server(), script, tmp_path / "home", before=setup)
    assert talk.answers[0]["value"] == "파랑"
    prompt = talk.model.conversation[0].prompt
    assert (KNOWN in prompt) == (client.name in TAKE_THE_HOOK)
    assert list(left_running(str(path))) == []
    with strata.open(path) as db:
        found = db.kv.get("결정/색")
        assert found is not None
        assert found.value == "초록"


def test_a_client_that_keeps_conversations_leaves_what_was_said_in_the_store(
    client: Client, path: Path, tmp_path: Path
) -> None:
    with strata.open(path):
        pass
    name = NAMES.get(client.name, client.name)
    setup = [sys.executable, "-m", "strata", "setup", name, "--scope", "user", "--db", str(path)]
    script = [Call("strata_store", {"key": "결정/색", "value": "초록"})]
    home = tmp_path / "home"
    followed(client, Server(), script, home, before=[*setup, "--conversations"])
    with strata.open(path) as db:
        [conversation] = db.conversations.list()
        assert conversation.client == name
        turns = db.conversations.turns(conversation.id)
        # opencode puts a prompt of the shell into quotes.
        assert [turn.text.strip('"') for turn in turns] == [PROMPT, LAST_WORDS]
        assert any("결정/색" in tool for tool in turns[1].tools)
