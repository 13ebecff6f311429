"""Files of clients: any document keeps every byte outside our entry, and undo gives all back."""

import json
import tomllib
from copy import deepcopy
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from strata.clients import (
    CLIENTS,
    ClientHost,
    Wish,
    carry_out,
    json_edit,
    plan_setup,
    plan_undo,
    toml_edit,
)
from strata.clients.jsonc import find, parse

ENTRY = {"command": "/opt/strata-mcp", "args": ["--db", "/srv/메모.db"]}
NAMES = ["a", "이름", "mcpServers", "strata", "a b", "\U0001f642", 'quo"te', "hooks"]

spaces = st.sampled_from(
    ["", " ", "\n", "\r\n", "\t", "\n  ", " // 말\n", "/* b */", "\n/* ,}] */ "]
)
scalars = st.sampled_from(
    ["1", "-0.5e3", "true", "null", '"가"', '"// no /* comment */"', '"\\"}"']
)


def spelt(draw: st.DrawFn, parts: list[str], brackets: str) -> str:
    """Write a list or an object with any space, comments and perhaps a comma too many."""
    text = brackets[0]
    for at, part in enumerate(parts):
        text += draw(spaces) + part + draw(spaces) + ("," if at < len(parts) - 1 else "")
    if parts and draw(st.booleans()):
        text += ","
    return text + draw(spaces) + brackets[1]


@st.composite
def json_values(draw: st.DrawFn, depth: int = 2) -> str:
    kind = draw(st.sampled_from(["scalar", "object", "array"])) if depth else "scalar"
    if kind == "scalar":
        return draw(scalars)
    inner = json_values(depth=depth - 1)
    if kind == "array":
        return spelt(draw, draw(st.lists(inner, max_size=3)), "[]")
    return spelt(draw, [pair(draw, name, inner) for name in draw(names)], "{}")


def pair(draw: st.DrawFn, name: str, inner: st.SearchStrategy[str]) -> str:
    key = json.dumps(name, ensure_ascii=draw(st.booleans()))
    return f"{key}{draw(spaces)}:{draw(spaces)}{draw(inner)}"


names = st.lists(st.sampled_from(NAMES), max_size=4, unique=True)


@st.composite
def json_documents(draw: st.DrawFn) -> str:
    """Write a document whose servers, where it has some, are an object without ours."""
    others = [name for name in draw(names) if name != "mcpServers"]
    pairs = [pair(draw, name, json_values()) for name in others]
    if draw(st.booleans()):
        inside = [name for name in draw(names) if name != "strata"]
        servers = spelt(draw, [pair(draw, name, json_values()) for name in inside], "{}")
        at = draw(st.integers(0, len(pairs)))
        pairs.insert(at, pair(draw, "mcpServers", st.just(servers)))
    return draw(spaces) + spelt(draw, pairs, "{}") + draw(spaces)


def is_inside(short: str, long: str) -> bool:
    """Tell whether one text comes of another by adding characters only."""
    rest = iter(long)
    return all(character in rest for character in short)


def without_space(text: str) -> str:
    return "".join(text.split())


@given(json_documents())
def test_an_entry_is_added_and_nothing_else_of_the_document_moves(text: str) -> None:
    changed = json_edit.put(text, ("mcpServers", "strata"), ENTRY)
    before, after = parse(text), parse(changed)
    assert before is not None
    assert after is not None
    expected: Any = deepcopy(before.value)
    expected.setdefault("mcpServers", {})["strata"] = ENTRY
    assert after.value == expected
    # An empty object may lose the space inside it; all else is only added to.
    assert is_inside(without_space(text), changed)
    node = find(before, ("mcpServers",))
    if node is not None and node.items:
        assert is_inside(text, changed)


@given(json_documents())
def test_cutting_the_entry_out_gives_the_document_back(text: str) -> None:
    changed = json_edit.put(text, ("mcpServers", "strata"), ENTRY)
    cut = json_edit.drop(changed, ("mcpServers", "strata"))
    node = find(parse(text), ("mcpServers",))
    if node is not None and node.items:
        assert cut == text
    else:
        found, before = parse(cut), parse(text)
        assert found is not None
        assert before is not None
        assert isinstance(before.value, dict)
        assert found.value == {**before.value, "mcpServers": {}}


@given(json_documents(), json_values())
def test_a_value_is_replaced_and_all_around_it_stays(text: str, value: str) -> None:
    first = json_edit.put(text, ("mcpServers", "strata"), ENTRY)
    node, wanted = find(parse(first), ("mcpServers", "strata")), parse(value)
    assert node is not None
    assert wanted is not None
    second = json_edit.put(first, ("mcpServers", "strata"), wanted.value)
    assert second.startswith(first[: node.start])
    assert second.endswith(first[node.end :])


lines = st.sampled_from(["", "# 말", "  # [mcp_servers.strata]", "\t"])
toml_scalars = st.sampled_from(
    [
        "1",
        "1979-05-27",
        '"가 # no"',
        "'[x]'",
        '"""a\n[mcp_servers.strata]\n"""',
        "'''\n''''",
        "[1, # ]\n 2,\n]",
        "{ a = 1, b = [ '}' ] }",
        "true",
        '"\\"["',
        '""""quoted""""',
    ]
)
toml_names = st.sampled_from(["model", "'이름'", '"a.b"', "x-1", "_"])


@st.composite
def toml_documents(draw: st.DrawFn) -> str:
    """Write tables with remarks between them, some of them other servers."""
    parts: list[str] = []
    tables = draw(
        st.lists(
            st.sampled_from(
                [
                    "tui",
                    "mcp_servers.other",
                    "mcp_servers.strata2",
                    '"mcp_servers"."가"',
                    "a.strata",
                ]
            ),
            max_size=3,
            unique=True,
        )
    )
    for header in (None, *tables):
        parts += draw(st.lists(lines, max_size=2))
        if header is not None:
            parts.append(draw(st.sampled_from([f"[{header}]", f" [ {header} ] # 말"])))
        for name in draw(st.lists(toml_names, max_size=3, unique=True)):
            tail = draw(st.sampled_from(["", " ", " # end"]))
            parts.append(f"{name} = {draw(toml_scalars)}{tail}")
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    return newline.join(parts) + draw(st.sampled_from(["", newline, newline * 2]))


@given(toml_documents())
def test_a_table_is_added_behind_all_that_was_there(text: str) -> None:
    changed = toml_edit.put(text, ("mcp_servers", "strata"), ENTRY)
    assert changed.startswith(text)
    expected = tomllib.loads(text)
    expected.setdefault("mcp_servers", {})["strata"] = ENTRY
    assert tomllib.loads(changed) == expected


@given(toml_documents(), st.sampled_from(["", "\n[after]\nx = 1\n", "# last\n"]))
def test_cutting_the_table_out_leaves_what_stands_before_and_behind(text: str, rest: str) -> None:
    changed = toml_edit.put(text, ("mcp_servers", "strata"), ENTRY) + rest
    cut = toml_edit.drop(changed, ("mcp_servers", "strata"))
    assert cut.startswith(text.rstrip())
    assert cut.endswith(rest)
    assert not cut[len(text.rstrip()) : len(cut) - len(rest)].strip()
    assert tomllib.loads(cut) == tomllib.loads(text + ("\n" if text else "") + rest)


@given(
    st.one_of(json_documents(), st.sampled_from(["", "\n", "// 말\n", "{}"])),
    st.sampled_from(["", "\ufeff"]),
)
def test_undo_gives_back_the_very_bytes_of_a_json_file(text: str, mark: str) -> None:
    assert_undone("cursor", (mark + text).encode())


@given(toml_documents(), st.sampled_from(["", "\ufeff"]))
def test_undo_gives_back_the_very_bytes_of_a_toml_file(text: str, mark: str) -> None:
    assert_undone("codex", (mark + text).encode())


def assert_undone(name: str, data: bytes) -> None:
    client = CLIENTS[name]
    with TemporaryDirectory() as folder:
        place = Path(folder)
        host = ClientHost(
            system="linux",
            home=place,
            environment={},
            project=place,
            exists=lambda path: Path(path).exists(),
            on_path=lambda _name: False,
        )
        path = Path(client.files["project"](host))
        path.parent.mkdir(parents=True)
        path.write_bytes(data)
        carry_out(plan_setup(client, host, Wish("project", "strata", ("strata-mcp",), None)))
        assert path.read_bytes() != data
        carry_out(plan_undo(client, host, name="strata"))
        assert path.read_bytes() == data
        assert [file.name for file in path.parent.iterdir()] == [path.name]
