"""Real clients from npm work with a store through our server, led by a scripted model."""

import json
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import strata
from tests.journey.clients import CLIENTS, Client, Server, Talk
from tests.journey.conftest import chosen, followed, journey, left_running, serving
from tests.journey.model import Call, Step
from tests.journey.stdio import introduction
from tests.journey.wires import Result

pytestmark = [
    pytest.mark.slow,
    # The first run installs the client; each run has a limit of its own.
    pytest.mark.timeout(600),
    pytest.mark.skipif(os.name == "nt", reason="ends what clients start by their process group"),
]

EIGHT = [
    f"strata_{verb}"
    for verb in ("store", "recall", "search", "forget", "log", "branch", "history", "status")
]
KEY = "결정/배포"
BLUE = {"방법": "파란 배포", "port": 8080}
GREEN = {"방법": "초록 배포", "port": 9090}


@pytest.fixture(scope="module")
def met(client: Client, tmp_path_factory: pytest.TempPathFactory) -> tuple[Server, Talk]:
    """A client that starts for the first time, on a store that is not there yet."""
    folder = tmp_path_factory.mktemp(client.name)
    server = serving(folder / "store.db")._replace(is_awaited=False)
    return server, journey(client, server, [Call("strata_status", {})], folder / "home")


def test_the_first_request_of_a_client_offers_the_eight_tools(
    client: Client, met: tuple[Server, Talk]
) -> None:
    first = met[1].model.conversation[0]
    assert {name for name in first.offered if "strata" in name} == client.mangled(EIGHT)


def test_a_client_passes_the_schemas_on(client: Client, met: tuple[Server, Talk]) -> None:
    last = met[1].model.conversation[-1]
    assert client.mangled(EIGHT) <= last.tools.keys()
    for tool in EIGHT:
        shown = last.tools[client.pattern.format(tool)]
        assert len(shown.description) > 40
        assert shown.schema["type"].lower() == "object"
    store = last.tools[client.pattern.format("strata_store")].schema["properties"]
    assert {"key", "value", "tags", "namespace", "branch"} <= store.keys()
    action = last.tools[client.pattern.format("strata_branch")].schema["properties"]["action"]
    assert {"fork", "switch", "diff", "merge"} <= set(action["enum"])


def test_a_client_puts_the_instructions_into_the_prompt(
    client: Client, met: tuple[Server, Talk]
) -> None:
    server, talk = met
    instructions = introduction(server.command)["instructions"]
    assert len(instructions) > 100
    assert json.dumps(instructions, ensure_ascii=False)[1:-1] in talk.model.conversation[0].prompt


class Told(NamedTuple):
    """What a client was told in one long conversation, and what the store held in its middle."""

    results: list[Result]
    held: dict[str, Any]
    events: list[Any]
    actors: set[str | None]


@pytest.fixture(scope="module")
def told(client: Client, tmp_path_factory: pytest.TempPathFactory) -> Told:
    """Let a client do everything, then read a long value, then make mistakes."""
    folder = tmp_path_factory.mktemp(client.name)
    path = folder / "store.db"
    seen: list[tuple[dict[str, Any], list[Any], set[str | None]]] = []

    def look_and_read(_results: list[Result]) -> Call:
        with strata.open(path, auto_embed=False) as db:
            events = [event.payload for event in db.events.list("배포")]
            seen.append((held(db), events, {commit.actor for commit in db.log()}))
            db.kv.put("긴 글", LONG)
        return Call("strata_recall", {"key": "긴 글"})

    script = [*EVERYTHING, look_and_read, follow, follow, *MISTAKES]
    return Told(journey(client, serving(path), script, folder / "home").results, *seen[0])


def test_a_client_stores_recalls_searches_and_branches(client: Client, told: Told) -> None:
    said = {step: result.data for step, result in zip(STEPS, told.results, strict=False)}
    assert said["store"]["key"] == KEY
    assert said["recall"]["value"] == BLUE
    assert KEY in [hit["key"] for hit in said["search"]["results"]]
    assert said["fork"]["branch"] == said["switch"]["branch"] == "초록-시험"
    assert said["change"]["branch"] == "초록-시험"
    assert [change["key"] for change in said["diff"]["changes"]] == [KEY]
    assert said["recall on default"]["value"] == BLUE
    assert said["merge"]["applied"] == 1
    assert said["recall after the merge"]["value"] == GREEN
    assert [version["value"] for version in said["history"]["versions"]] == [GREEN, BLUE]
    assert said["recall the past"]["value"] == BLUE
    assert said["status"]["keys"] == 1
    assert told.held == {KEY: GREEN}
    assert told.events == ["초록으로 갔다"]
    assert told.actors == {client.actor}


def held(db: strata.Workspace) -> dict[str, Any]:
    """Return every key with its value."""
    keys = list(db.kv.list())
    return {
        key: found.value for key, found in zip(keys, db.kv.get_many(keys), strict=True) if found
    }


def at_first(results: list[Result]) -> Call:
    """Ask for what was there right after the first write."""
    return Call("strata_recall", {"key": KEY, "as_of": results[0].data["version"]})


def branch(action: str, **arguments: Any) -> Call:
    return Call("strata_branch", {"action": action, **arguments})


STEPS: dict[str, Step] = {
    "store": Call("strata_store", {"key": KEY, "value": BLUE, "tags": ["운영"]}),
    "recall": Call("strata_recall", {"key": KEY}),
    "search": Call("strata_search", {"query": "파란 배포"}),
    "fork": branch("fork", name="초록-시험"),
    "switch": branch("switch", name="초록-시험"),
    "change": Call("strata_store", {"key": KEY, "value": GREEN}),
    "diff": branch("diff", branch="default", compare="초록-시험"),
    "switch back": branch("switch", name="default"),
    "recall on default": Call("strata_recall", {"key": KEY}),
    "merge": branch("merge", source="초록-시험"),
    "recall after the merge": Call("strata_recall", {"key": KEY}),
    "history": Call("strata_history", {"key": KEY}),
    "recall the past": at_first,
    "log": Call("strata_log", {"event": "배포", "data": "초록으로 갔다"}),
    "status": Call("strata_status", {}),
}
EVERYTHING = list(STEPS.values())


MISTAKES: list[Step] = [
    Call("strata_history", {"key": KEY, "event": "배포"}),
    branch("switch", name="없는-가지"),
    Call("strata_store", {"key": KEY, "value": "이제 맞다"}),
]
LONG = "".join(f"{number}. 줄 — a line of a long text\n" for number in range(2200))


def test_an_error_reaches_the_model_and_teaches_it(client: Client, told: Told) -> None:
    clash, missing, stored = told.results[-len(MISTAKES) :]
    assert "invalid_input" in clash.text
    assert "Give key or event" in clash.text
    assert "not_found" in missing.text
    assert "없는-가지" in missing.text
    assert stored.data["key"] == KEY


def test_a_long_value_arrives_whole_by_following_next(client: Client, told: Told) -> None:
    parts = [result.data for result in told.results[len(EVERYTHING) : -len(MISTAKES)]]
    assert [part.get("truncated", False) for part in parts] == [True, True, False]
    assert "".join(part["value"] for part in parts) == LONG


def follow(results: list[Result]) -> Call:
    """Make the call that the last answer named for the rest."""
    following = results[-1].data["next"]
    return Call(following["tool"], following["arguments"])


def test_clients_at_once_lose_nothing(path: Path, tmp_path: Path) -> None:
    names = chosen()
    # A client that goes alone meets itself.
    met = names if len(names) > 1 else names * 2
    sides = {f"{place}-쪽": CLIENTS[name] for place, name in enumerate(met)}
    together = threading.Barrier(len(sides), timeout=300)

    def write(side: str) -> Talk:
        return followed(sides[side], serving(path), busy(side, together.wait), tmp_path / side)

    with ThreadPoolExecutor(len(sides)) as pool:
        talks = dict(zip(sides, pool.map(write, sides), strict=True))
    assert list(left_running(str(path))) == []
    versions = [answer["version"] for talk in talks.values() for answer in talk.answers]
    assert len(set(versions)) == len(versions) == len(sides) * 2 * COUNT
    with strata.open(path) as db:
        stored = held(db)
        logged = [(event.type, event.payload) for event in db.events.list()]
    assert stored == {f"{side}/{n}": n for side in sides for n in range(COUNT)}
    assert sorted(logged) == sorted((side, n) for side in sides for n in range(COUNT))


COUNT = 8


def busy(side: str, wait: Callable[[], object]) -> list[Step]:
    """Store and log in turn, from the moment when both clients have begun."""

    def first(_results: list[Result]) -> Call:
        wait()
        return Call("strata_store", {"key": f"{side}/0", "value": 0})

    script: list[Step] = [first]
    for number in range(COUNT):
        script.append(Call("strata_log", {"event": side, "data": number}))
        script.append(Call("strata_store", {"key": f"{side}/{number + 1}", "value": number + 1}))
    return script[:-1]
