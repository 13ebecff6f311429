"""A real `strata mcp`: clean ends, a clean stdout, and lines of every kind and size."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import strata
from strata.base import limits
from strata.mcp import protocol
from tests.surface.mcp.conftest import Start
from tests.surface.mcp.wire import PATIENCE_S, Server, call, hello, modern, request, strata_mcp

ODD = "tests.surface.mcp.odd_tools"
# `strata` that would wait for an hour, if there were anything to wait for when it stops.
PATIENT = """
from strata.__main__ import main
from strata.base import limits
limits.SHUTDOWN_S = 3_600.0
main()
"""


def test_a_session_of_the_older_kind(start: Start, path: Path) -> None:
    server = start()
    assert server.greet()["serverInfo"]["name"] == "strata"
    assert len(server.ask("tools/list")["result"]["tools"]) == 8
    server.call("strata_store", key="배포/대상", value={"색": "파랑", "수": [1, 2.5, None, True]})
    server.call("strata_log", event="deploy", data={"결과": "성공"})
    found = server.call("strata_recall", key="배포/대상")
    assert found["value"] == {"색": "파랑", "수": [1, 2.5, None, True]}
    assert server.close() == 0
    assert server.odd == []
    with strata.open(path) as db:
        assert db.log(limit=1)[0].actor == "시험"
        assert db.verify().ok


def test_a_session_of_requests_that_stand_alone(start: Start) -> None:
    server = start()
    result = server.ask("server/discover", modern())["result"]
    assert result["supportedVersions"] == [protocol.MODERN_REVISION]
    stored = server.ask("tools/call", modern(call("strata_store", key="k", value=1)))["result"]
    assert stored["structuredContent"]["version"] == 1
    assert stored["resultType"] == "complete"
    assert server.close() == 0


def test_no_store_is_made_before_the_first_write(start: Start, path: Path) -> None:
    server = start()
    server.greet()
    server.ask("tools/list")
    for name, arguments in (
        ("strata_status", {}),
        ("strata_recall", {"key": "없다"}),
        ("strata_search", {"query": "무엇"}),
        ("strata_history", {"key": "없다"}),
        ("strata_branch", {"action": "list"}),
    ):
        server.call(name, **arguments)
    time.sleep(0.3)
    assert list(path.parent.glob(f"{path.name}*")) == []
    server.call("strata_store", key="k", value=1)
    assert path.exists()
    assert server.call("strata_recall", key="k")["value"] == 1


def test_nothing_but_protocol_goes_to_stdout_even_when_something_prints(start: Start) -> None:
    server = start(tools=ODD)
    server.greet()
    server.call("odd_prints")
    assert server.close() == 0
    assert server.odd == []
    for text in ("printed", "written", "raw bytes", "by a child"):
        assert text in server.complaint


def test_logs_go_to_stderr_or_to_a_file_and_never_to_stdout(start: Start, tmp_path: Path) -> None:
    noisy = start("--groups", "memory,없는것", "--verbose")
    noisy.greet()
    assert noisy.close() == 0
    assert "없는것" in noisy.complaint
    log = tmp_path / "server.log"
    quiet = start("--groups", "memory,없는것", "--log-file", str(log))
    quiet.greet()
    assert quiet.close() == 0
    assert "없는것" not in quiet.complaint
    assert "없는것" in log.read_text(encoding="utf-8")
    assert log.stat().st_mode & 0o777 == 0o600, "others may read the log"
    assert noisy.odd == quiet.odd == []


def test_a_quiet_session_writes_nothing_to_stderr(start: Start) -> None:
    server = start()
    server.greet()
    server.call("strata_store", key="k", value="v")
    assert server.close() == 0
    assert server.complaint == ""


# Ends.


def test_the_end_of_the_input_ends_the_server(start: Start) -> None:
    silent, greeted = start(), start()
    greeted.greet()
    assert (silent.close(), greeted.close()) == (0, 0)


def test_calls_that_run_at_the_end_of_the_input_are_still_answered(start: Start) -> None:
    server = start(tools=ODD)
    server.greet()
    for number in range(3):
        server.send(request(number, "tools/call", call("odd_sleeps", seconds=0.5)))
    assert server.close() == 0
    answers = {server.next()["id"] for _ in range(3)}
    assert answers == {0, 1, 2}


def test_a_whole_conversation_in_a_pipe_is_answered(path: Path) -> None:
    lines = [hello(0), request(1, "tools/list"), request(2, "tools/call", call("strata_status"))]
    done = subprocess.run(
        strata_mcp(path),
        input="".join(json.dumps(line) + "\n" for line in lines),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [0, 1, 2]


def begin_sleeping(server: Server, request_id: str, seconds: float) -> None:
    """Call a tool that sleeps, and return when it does."""
    params = call("odd_sleeps", seconds=seconds) | {"_meta": {"progressToken": request_id}}
    server.send(request(request_id, "tools/call", params))
    assert server.next()["method"] == "notifications/progress"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends processes without asking")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_after_the_calls_that_run(
    start: Start, number: signal.Signals
) -> None:
    server = start(tools=ODD)
    server.greet()
    begin_sleeping(server, "läuft", 0.6)
    server.process.send_signal(number)
    assert server.wait() == 0
    assert server.answer_to("läuft")["result"]["isError"] is False
    assert "Traceback" not in server.complaint


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends processes without asking")
@pytest.mark.slow
def test_a_call_that_does_not_end_is_given_up_when_the_server_stops(start: Start) -> None:
    server = start(tools=ODD)
    server.greet()
    begin_sleeping(server, "schläft", 3_600)
    server.process.send_signal(signal.SIGTERM)
    assert server.wait() == 0


def test_a_signal_while_nothing_runs_ends_the_server_at_once(path: Path) -> None:
    server = Server(sys.executable, "-c", PATIENT, "mcp", "--db", path)
    try:
        server.greet()
        server.process.terminate()
        assert server.wait() == 0
    finally:
        server.end()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends processes without asking")
def test_a_client_that_reads_no_more_cannot_keep_the_server_from_stopping(path: Path) -> None:
    with strata.open(path) as db:
        db.kv.put("k", "가" * 7_000)
    process = subprocess.Popen(strata_mcp(path), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    wanted = modern({"notifications": {"toolsListChanged": True}})
    lines = [request("귀", "subscriptions/listen", wanted)]
    lines += [request(n, "tools/call", modern(call("strata_recall", key="k"))) for n in range(50)]
    process.stdin.write(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
    process.stdin.flush()
    time.sleep(2)
    process.terminate()
    try:
        assert process.wait(timeout=PATIENCE_S) == 0
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()
    with strata.open(path) as db:
        assert db.verify().ok


def test_a_transaction_that_the_client_left_open_is_rolled_back(start: Start, path: Path) -> None:
    for end in ("eof", "kill"):
        server = start("--developer")
        server.greet()
        server.call("strata_kv_put", key="bleibt", value=end)
        server.call("strata_txn_begin")
        server.call("strata_kv_put", key="offen", value=1)
        assert server.call("strata_kv_get", key="offen")["value"] == 1
        if end == "kill":
            server.process.kill()
        server.close()
        with strata.open(path) as db:
            assert not db.kv.exists("offen")
            assert db.kv.exists("bleibt")
            assert db.verify().ok


def test_calls_sent_all_at_once_share_the_open_transaction(start: Start, path: Path) -> None:
    server = start("--developer")
    server.greet()
    server.call("strata_txn_begin")
    for number in range(60):
        params = call("strata_kv_put", key=f"키/{number}", value=number)
        server.send(request(number, "tools/call", params))
    for number in range(60):
        assert server.answer_to(number)["result"]["isError"] is False
    server.call("strata_txn_commit")
    assert server.close() == 0
    with strata.open(path) as db:
        assert db.kv.count("키/") == 60
        assert len(db.log()) == 1


def test_a_closed_stdout_is_no_crash(path: Path) -> None:
    process = subprocess.Popen(
        strata_mcp(path), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdout.close()
    for line in (hello(0), request(1, "tools/call", call("strata_store", key="k", value=1))):
        process.stdin.write(json.dumps(line).encode() + b"\n")
    process.stdin.close()
    assert process.wait(timeout=PATIENCE_S) == 0
    assert process.stderr is not None
    assert b"Traceback" not in process.stderr.read()
    process.stderr.close()
    with strata.open(path) as db:
        assert db.kv.exists("k")


# Lines.


def test_a_line_that_is_no_json_is_refused_and_the_next_one_served(start: Start) -> None:
    server = start()
    for line in (
        b"{",
        b"nonsense",
        b"\xff\xfe\x00",
        b'{"a":1}}',
        b"[" * 100_000,
        b'{"id":' * 50_000,
        b'"\\ud800"',
        b'{"jsonrpc":"2.0","id":1,"method":"ping"',
        b"NaN",
        b"\x00" * 100,
    ):
        server.send_line(line)
        refused = server.next()
        assert refused["id"] is None
        assert refused["error"]["code"] in (protocol.PARSE_ERROR, protocol.INVALID_REQUEST)
        assert server.ask("ping")["result"] == {}


def test_empty_lines_and_windows_ends_of_lines_are_borne(start: Start) -> None:
    server = start()
    for line in (b"", b"   ", b"\r", b"\t\r"):
        server.send_line(line)
    server.send_line(json.dumps(hello(1)).encode() + b"\r")
    assert server.next()["result"]["protocolVersion"] == protocol.HANDSHAKE_REVISIONS[0]


def test_a_line_without_an_end_is_served_when_the_input_ends(start: Start) -> None:
    server = start()
    assert server.process.stdin is not None
    server.process.stdin.write(json.dumps(hello(1)).encode())
    assert server.close() == 0
    assert server.next()["id"] == 1


def test_a_value_of_many_megabytes_comes_back_whole(start: Start, path: Path) -> None:
    server = start()
    server.greet()
    text = "기억 " * 500_000
    server.call("strata_store", key="groß", value=text)
    with strata.open(path, read_only=True) as db:
        held = db.kv.get("groß")
        assert held is not None
        assert held.value == text
    found = server.call("strata_recall", key="groß")
    assert found["truncated"] is True
    assert text.startswith(found["value"])


@pytest.mark.slow
def test_a_line_above_the_limit_is_refused_and_the_next_one_served(start: Start) -> None:
    server = start()
    server.greet()
    huge = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"'
    huge += b"x" * limits.MESSAGE_BYTES_MAX + b'"}}'
    server.send_line(huge)
    refused = server.next()
    assert refused["id"] is None
    assert refused["error"]["code"] == protocol.INVALID_REQUEST
    assert f"{limits.MESSAGE_BYTES_MAX:,}" in refused["error"]["message"]
    assert server.ask("ping")["result"] == {}
    assert server.lines.empty()


def test_text_of_every_script_comes_back_as_it_was(start: Start) -> None:
    server = start()
    server.greet()
    for text in (
        "한국어 기억",
        "日本語 記憶",
        "ذاكرة عربية",
        "память",
        "👩🏽‍💻 🇰🇷",
        "e\u0301 é",
        "\u2028\u2029",
        "a\u0000b",
        "\ufeff",
        "\u200b",
        "\U0010ffff",
        "\r\n\t\x7f",
    ):
        server.call("strata_store", key="글", value={"글": text, text: 1})
        assert server.call("strata_recall", key="글")["value"] == {"글": text, text: 1}
    assert server.close() == 0
    assert server.odd == []


def test_a_surrogate_without_its_half_is_an_error_and_no_end(start: Start) -> None:
    server = start()
    server.greet()
    server.send_line(
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"strata_store",'
        b'"arguments":{"key":"k","value":"\\ud800"}}}'
    )
    answer = server.next()
    assert "error" in answer or answer["result"]["isError"]
    assert server.ask("ping")["result"] == {}
