"""Arguments that follow a tool's schema, and arguments that do not: never a defect of ours.

What a tool answers must fit the schema that it promises.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import strata
from strata.tools import Session, StoreHost, Tool, call_tool, expose, registry
from tests.property.examples import examples

# These reach for files and other machines; their own tests have them at hand.
TOOLS = [tool for tool in registry().all() if not tool.local and tool.name != "strata_generate"]
QUICK = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
EXAMPLES = examples(40)
pytestmark = pytest.mark.hypothesis  # by which `./dev property` finds these; they search inside

KEYS = st.sampled_from(["키", "a", "b", "문서", "cell", "col", "note", "default", "side", "없다"])
TEXTS = st.one_of(
    KEYS, st.text(max_size=30), st.sampled_from(["1h ago", "어제", "$.a", "*", "2026-01-01"])
)
NUMBERS = st.one_of(
    st.integers(0, 20), st.integers(), st.floats(), st.sampled_from([2**63, -(2**63) - 1, 10**30])
)
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS),
    lambda below: st.one_of(
        st.lists(below, max_size=4), st.dictionaries(st.text(max_size=8), below, max_size=4)
    ),
    max_leaves=8,
)


def fitting(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Return values that a schema allows, or nearly: bounds are often missed."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    kind = schema.get("type")
    if isinstance(kind, list) or kind is None:
        return JSON
    if kind == "array":
        return st.lists(fitting(schema.get("items", {})), max_size=4)
    if kind == "object":
        return objects(schema)
    plain = {"string": TEXTS, "integer": NUMBERS, "number": NUMBERS, "boolean": st.booleans()}
    return plain.get(kind, JSON)


def objects(schema: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    properties = schema.get("properties", {})
    if not properties:
        return st.dictionaries(TEXTS, JSON, max_size=3)
    required = {name: fitting(properties[name]) for name in schema.get("required", ())}
    optional = {name: fitting(inner) for name, inner in properties.items() if name not in required}
    return st.fixed_dictionaries(required, optional=optional)


def arguments_of(tool: Tool) -> st.SearchStrategy[dict[str, Any]]:
    """Return arguments: most of them fit, some have one odd value, some are anything."""
    right = objects(tool.input_schema)
    names = st.sampled_from([*tool.input_schema["properties"], "없는것"])
    odd = st.builds(lambda base, name, value: base | {name: value}, right, names, JSON)
    return st.one_of(right, right, odd, st.dictionaries(st.text(max_size=8), JSON, max_size=3))


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoreHost]:
    """A store in memory with something of everything in it."""
    place = Path(tmp_path_factory.mktemp("arguments"))

    def opened() -> strata.Workspace:
        db = strata.open(durability="cache", auto_embed=False)
        db.kv.put_many({"a": 1, "b": {"글": "기억"}, "키": "값"})
        db.json.set("문서", "$", {"a": {"b": [1, 2]}})
        db.state.set("cell", 1)
        db.events.append_many([("note", {"n": n}) for n in range(5)])
        db.vectors.create("col", 3)
        db.vectors.upsert("col", "a", [1.0, 0.0, 0.0], metadata={"m": 1})
        db.branches.fork("side")
        db.on("side").kv.put("a", 2)
        db.tags.create("v1")
        return db

    location = strata.Location(place / "store.db", "given")
    host = StoreHost(opened, location=lambda: location, auto_embed=False)
    yield host
    host.close()


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: f"{tool.group}-{tool.name}")
def test_no_arguments_lead_to_a_defect(
    host: StoreHost, tool: Tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    session = Session(host, caller="owner", exposure=expose("memory,developer,developer_compact"))

    @settings(max_examples=EXAMPLES, suppress_health_check=QUICK)
    @given(arguments=arguments_of(tool))
    def calls(arguments: dict[str, Any]) -> None:
        outcome = call_tool(session, tool, arguments)
        assert outcome.value.get("code") != "internal", arguments
        if not outcome.is_error and tool.output_schema is not None:
            on_the_wire = msgspec.json.decode(msgspec.json.encode(outcome.value))
            jsonschema.validate(on_the_wire, tool.output_schema)

    try:
        calls()
    finally:
        session.close()
    assert host.db.verify().problems == ()
    assert list(here.iterdir()) == []


def test_a_defect_would_be_noticed(host: StoreHost) -> None:
    tool = next(tool for tool in TOOLS if tool.name == "strata_status")

    def broken(_call: object) -> None:
        raise ZeroDivisionError

    outcome = call_tool(
        Session(host, caller="owner"), msgspec.structs.replace(tool, function=broken), {}
    )
    assert outcome.value["code"] == "internal"
