"""The scripted model itself: every wire form, streamed and whole, says the same."""

import json
import urllib.error
import urllib.request
from typing import Any

import pytest

from tests.journey.model import LAST_WORDS, Call, ScriptedModel
from tests.journey.wires import Result

KOREAN = {"key": "결정", "value": "파랑"}
MESSAGES = {"messages": [{"role": "user", "content": "hello"}], "model": "m"}
FUNCTION = {"name": "strata_store", "description": "d", "parameters": {"type": "object"}}
DECLARED = [{"functionDeclarations": [FUNCTION]}]
REQUESTS: dict[str, dict[str, Any]] = {
    "/v1/messages": {**MESSAGES, "tools": [{"name": "strata_store", "input_schema": {}}]},
    "/v1/chat/completions": {**MESSAGES, "tools": [{"type": "function", "function": FUNCTION}]},
    "/v1/responses": {"input": [], "model": "m", "tools": [{"type": "function", **FUNCTION}]},
    "/v1beta/models/m:generateContent": {"contents": [], "tools": DECLARED},
    "/v1beta/models/m:streamGenerateContent?alt=sse": {"contents": [], "tools": DECLARED},
}


def ask(url: str, request: dict[str, Any]) -> str:
    """Send a request and return the answer as it comes, its escapes undone once."""
    asked = urllib.request.Request(url, json.dumps(request).encode())
    with urllib.request.urlopen(asked, timeout=60) as answer:
        return answer.read().decode().replace("\\", "")


@pytest.mark.parametrize("is_stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("path", REQUESTS)
def test_a_script_is_told_in_every_form(path: str, *, is_stream: bool) -> None:
    with ScriptedModel([Call("store", KOREAN)]) as model:
        text = ask(model.url + path, {**REQUESTS[path], "stream": is_stream})
    assert "strata_store" in text
    assert '"결정"' in text
    assert '"파랑"' in text
    assert text.startswith(("event:", "data:")) == (is_stream or "stream" in path)


@pytest.mark.parametrize("path", REQUESTS)
def test_a_script_that_is_done_ends_in_words(path: str) -> None:
    with ScriptedModel([]) as model:
        assert LAST_WORDS in ask(model.url + path, REQUESTS[path])
        assert [set(turn.tools) for turn in model.conversation] == [{"strata_store"}]


def test_a_fault_in_a_script_is_kept_for_the_test() -> None:
    def broken(results: list[Result]) -> Call:
        raise KeyError(len(results))

    path = "/v1/chat/completions"
    with ScriptedModel([broken]) as model:
        assert "The script failed." in ask(model.url + path, REQUESTS[path])
    assert [repr(fault) for fault in model.faults] == ["KeyError(0)"]


def test_results_come_with_the_words_of_a_client_around_them() -> None:
    text = 'Wall time: 0.1 seconds\nOutput:\n{"key":"결정","n":1}\n</untrusted_context>'
    assert Result(text).data == {"key": "결정", "n": 1}


def test_an_attempt_to_leave_the_machine_is_noticed() -> None:
    with ScriptedModel([]) as model:
        proxy = urllib.request.ProxyHandler({"https": model.url})
        with pytest.raises(urllib.error.URLError):
            urllib.request.build_opener(proxy).open("https://example.com/", timeout=60)
        assert model.escapes == ["example.com:443"]
