"""Texts changed at one place: JSON with comments, and TOML."""

import pytest

from strata.clients import json_edit, toml_edit
from strata.clients.jsonc import parse
from strata.clients.spans import Unreadable

ENTRY = {"command": "x", "args": ["a"]}
PATH = ("mcpServers", "strata")
TABLE = ("mcp_servers", "strata")


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ('{"a": 1\n "b": 2}', 2, "a comma or }"),
        ("{\n\n  a: 1}", 3, "a name in double quotes"),
        ('{"a"\n1}', 2, "a colon"),
        ("[1, 2", 1, "a comma or ]"),
        ("{\n/* 끝이 없다", 2, "a comment is not closed"),
        ('{}\n{"b": 1}', 2, "after the end"),
        ("{\"a\": 'one'}", 1, "a value is expected"),
        ('{"a": 01}', 1, "a comma or }"),
        ('{"a": NaN}', 1, "a value is expected"),
        ('{"a": "\\x"}', 1, "a value is expected"),
        ('{"a": "line\nbreak"}', 1, "a value is expected"),
        ("[" * 300, 1, "nested more than"),
        (f'{{"a": {"9" * 5000}}}', 1, "too long"),
    ],
)
def test_what_is_no_json_is_refused_with_its_line(text: str, line: int, told: str) -> None:
    with pytest.raises(Unreadable) as caught:
        parse(text)
    assert told in caught.value.message
    assert caught.value.line == line


def test_comments_and_trailing_commas_are_read_over() -> None:
    text = '/* 가 */ {"a": [1, /* b */ 2,], // c\n "b": {"c": null,},} // d'
    node = parse(text)
    assert node is not None
    assert node.value == {"a": [1, 2], "b": {"c": None}}
    assert parse(" \r\n// nothing\n") is None


def test_of_two_members_with_one_name_the_last_is_changed() -> None:
    text = '{"mcpServers": {}, "mcpServers": {"strata": 1}}'
    assert json_edit.put(text, PATH, 2) == '{"mcpServers": {}, "mcpServers": {"strata": 2}}'


@pytest.mark.parametrize("text", ["[]", "1", '{"mcpServers": []}', '{"mcpServers": "none"}'])
def test_an_entry_is_not_put_where_there_is_no_object(text: str) -> None:
    with pytest.raises(Unreadable, match="an object is expected"):
        json_edit.put(text, PATH, ENTRY)


def test_an_element_is_not_put_where_there_is_no_list() -> None:
    with pytest.raises(Unreadable, match="a list is expected"):
        json_edit.append('{"hooks": {"Stop": {}}}', ("hooks", "Stop"), ENTRY)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ('{"strata": 1, "a": 2}', '{"a": 2}'),
        ('{"a": 2, "strata": 1}', '{"a": 2}'),
        ('{"a": 2, "strata": 1,}', '{"a": 2,}'),
        ('{"a": 2\n, "strata": 1}', '{"a": 2\n}'),
        ('{\n  "strata": 1,\n  // about a\n  "a": 2\n}', '{\n  // about a\n  "a": 2\n}'),
        ('{\n  "a": 2, // a\n  "strata": 1\n}', '{\n  "a": 2 // a\n}'),
        ('{\r\n  "a": 2,\r\n  "strata": 1\r\n}', '{\r\n  "a": 2\r\n}'),
        ('{ /* mine */ "strata": 1 }', "{ /* mine */ }"),
        ('{"b": {"strata": 1}}', '{"b": {"strata": 1}}'),
        ("{}", "{}"),
        ("", ""),
    ],
)
def test_cutting_a_member_leaves_the_rest_as_it_stands(text: str, rest: str) -> None:
    assert json_edit.drop(text, ("strata",)) == rest


def test_a_list_on_one_line_stays_on_one_line() -> None:
    assert json_edit.put('{"args": ["a"]}', ("args",), ["b", "c"]) == '{"args": ["b", "c"]}'
    assert json_edit.append("[1,]", (), 2) == "[1, 2,]"


def test_indentation_follows_the_file() -> None:
    text = '{\n\t"a": {\n\t\t"b": 1\n\t}\n}\n'
    assert json_edit.put(text, ("a", "c"), {"d": 1}) == (
        '{\n\t"a": {\n\t\t"b": 1,\n\t\t"c": {\n\t\t\t"d": 1\n\t\t}\n\t}\n}\n'
    )


@pytest.mark.parametrize(
    ("text", "line"),
    [("a = 1\nb =\n", 2), ("[a\n", 1), ("x = 'open\n", 1), ("a = 1\na = 2\n", 2)],
)
def test_what_is_no_toml_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(Unreadable) as caught:
        toml_edit.put(text, TABLE, ENTRY)
    assert caught.value.line == line


@pytest.mark.parametrize(
    "text",
    [
        "mcp_servers = {a = {command = 'x'}}\n",
        "[mcp_servers]\nstrata = {command = 'strata-mcp'}\n",
        "[mcp_servers]\nstrata.command = 'strata-mcp'\n",
        "mcp_servers.strata.command = 'strata-mcp'\n",
        "[[mcp_servers]]\na = 1\n",
        "mcp_servers = 3\n",
    ],
)
def test_a_table_in_another_form_is_refused_and_told_how_to_write_it(text: str) -> None:
    with pytest.raises(Unreadable, match=r"make it \[mcp_servers"):
        toml_edit.put(text, TABLE, ENTRY)


def test_members_of_a_table_are_replaced_and_its_others_kept() -> None:
    text = (
        "[ mcp_servers . 'strata' ] # ours\r\n"
        'command = "old" # why\r\n'
        "startup_timeout_sec = 20\r\n"
        "args = [\r\n  'x', # ]\r\n]\r\n"
        "[mcp_servers.strata.env]\r\nA = '1'\r\n"
    )
    changed = toml_edit.put(text, TABLE, {**ENTRY, "type": "stdio"})
    assert changed == (
        "[ mcp_servers . 'strata' ] # ours\r\n"
        'command = "x" # why\r\n'
        "startup_timeout_sec = 20\r\n"
        'args = ["a"]\r\n'
        'type = "stdio"\r\n'
        "[mcp_servers.strata.env]\r\nA = '1'\r\n"
    )


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(("end", "gap"), [("", 2), ("|", 1), ("||", 0)])
def test_one_empty_line_parts_the_table_from_what_stands_before(
    newline: str, end: str, gap: int
) -> None:
    text = f"a = 1{newline}b = 2{end.replace('|', newline)}"
    assert toml_edit.put(text, TABLE, {}) == f"{text}{newline * gap}[mcp_servers.strata]{newline}"


def test_a_member_is_added_to_a_table_that_ends_without_a_newline() -> None:
    text = "[mcp_servers.strata]\ncommand = 'x'"
    assert toml_edit.put(text, TABLE, {"args": []}) == f"{text}\nargs = []\n"


def test_cutting_a_table_takes_the_tables_inside_it_and_no_comment_of_the_next() -> None:
    text = (
        'a = """\n[mcp_servers.strata]\n"""\n\n'
        "[mcp_servers.strata]\ncommand = 'x'\n\n"
        "[mcp_servers.strata.env]\nA = '1'\n\n"
        "# about the next\n[mcp_servers.strata2]\ncommand = 'y'\n"
    )
    assert toml_edit.drop(text, TABLE) == (
        'a = """\n[mcp_servers.strata]\n"""\n\n'
        "# about the next\n[mcp_servers.strata2]\ncommand = 'y'\n"
    )
    assert toml_edit.drop("a = 1\n", TABLE) == "a = 1\n"


def test_names_and_texts_are_spelt_so_that_toml_reads_them_back() -> None:
    odd = {"command": 'C:\\a "b"\x7f\t가', "args": ["\\", "'"]}
    text = toml_edit.put("", ("mcp_servers", "이름"), odd)
    assert toml_edit.find(text, ("mcp_servers", "이름")) == odd
