"""Paths that name one place in a JSON document."""

from typing import Any

import pytest

from strata.base.errors import InvalidPath, LimitExceeded
from strata.memory.json_path import MISSING, assign, format_path, lookup, parse, remove


@pytest.mark.parametrize(
    ("path", "steps"),
    [
        ("$", ()),
        ("$.a.b", ("a", "b")),
        ("a.b", ("a", "b")),
        (".a", ("a",)),
        ("[0].a", (0, "a")),
        ("  $.a  ", ("a",)),
        ("$.이름[0].값", ("이름", 0, "값")),
        ("$.設定.語言", ("設定", "語言")),
        ('$["key with space"]', ("key with space",)),
        ("$['x']", ("x",)),
        ('$[ "x" ][ 0 ]', ("x", 0)),
        ("$[-1]", (-1,)),
        ("$[10][0]", (10, 0)),
        ("$.foo-bar", ("foo-bar",)),
        ("$.2026", ("2026",)),
        ("$.@type", ("@type",)),
        ("$.$ref", ("$ref",)),
        ("$.xml:lang", ("xml:lang",)),
        ('$[""]', ("",)),
        ('$["a.b"][".."]["*"]', ("a.b", "..", "*")),
        (r'$["say \"hi\"\n"]', ('say "hi"\n',)),
        (r"""$['it\'s "x"']""", ('it\'s "x"',)),
        (r"$['a\\']", ("a\\",)),
        (r'$["\u0041\ud83d\ude00"]', ("A😀",)),
        ("$['[0]']", ("[0]",)),
    ],
)
def test_a_path_is_read_as_its_steps(path: str, steps: tuple[str | int, ...]) -> None:
    assert parse(path) == steps


@pytest.mark.parametrize(
    "path",
    [
        "$.a[*]",
        "$.*",
        "*",
        "$[ * ]",
        "$..a",
        "a..b",
        "$[?(@.price < 10)]",
        "$[?@.a]",
        "$[0:2]",
        "$[:]",
        "$[-1:]",
        "$[0,1]",
        "$['a','b']",
        '$["a", "b"]',
        "$[(@.length-1)]",
    ],
)
def test_a_path_that_could_name_several_places_is_refused_as_such(path: str) -> None:
    with pytest.raises(InvalidPath, match="only one can be addressed") as caught:
        parse(path)
    assert caught.value.details["parameter"] == "path"


@pytest.mark.parametrize(
    "path",
    [
        "",
        "   ",
        ".",
        "$.",
        "$a",
        "$$",
        "$.a.",
        "$.a b",
        "$.a]",
        "$[",
        "$[]",
        "$[a]",
        "$[01]",
        "$[-0]",
        "$[1.0]",
        "$[١]",
        '$["a]',
        "$['a\"]",
        r'$["\x"]',
        r'$["\ud800"]',
        '$["a\nb"]',
        "$.a'b'",
        "$.length()",
        "$.\ud800",
        '$["\ud800"]',
        "$[9007199254740992]",
        pytest.param("$[" + "9" * 4000 + "]", id="an index of 4000 digits"),
    ],
)
def test_a_malformed_path_is_refused_with_the_ways_to_write_one(path: str) -> None:
    with pytest.raises(InvalidPath, match="malformed") as caught:
        parse(path)
    assert "$.name" in (caught.value.hint or "")
    assert len(str(caught.value).encode()) < 400


def test_paths_have_limits_with_numbers() -> None:
    assert len(parse("$" + ".a" * 64)) == 64
    with pytest.raises(LimitExceeded) as caught:
        parse("$" + ".a" * 65)
    assert (caught.value.details["limit"], caught.value.details["size"]) == (64, 65)
    assert parse("$." + "가" * 4094) == ("가" * 4094,)
    with pytest.raises(LimitExceeded) as caught:
        parse("$." + "가" * 4095)
    assert (caught.value.details["limit"], caught.value.details["size"]) == (4096, 4097)


@pytest.mark.parametrize(
    ("steps", "path"),
    [
        ((), "$"),
        (("a", 0, "b_1"), "$.a[0].b_1"),
        (("이름", -1), "$.이름[-1]"),
        (("foo-bar",), '$["foo-bar"]'),
        (("2026",), '$["2026"]'),
        (("",), '$[""]'),
        (('say "hi"\n',), '$["say \\"hi\\"\\n"]'),
        (("it's",), '$["it\'s"]'),
        (("😀",), '$["😀"]'),
    ],
)
def test_steps_have_one_spelling(steps: tuple[str | int, ...], path: str) -> None:
    assert format_path(steps) == path
    assert parse(path) == steps


DOCUMENT: dict[str, Any] = {"이름": "서울", "list": [1, {"x": None}], "empty": {}, "0": "zero"}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("$", (True, DOCUMENT)),
        ("$.이름", (True, "서울")),
        ("$.list[0]", (True, 1)),
        ("$.list[-1].x", (True, None)),
        ("$.list[-2]", (True, 1)),
        ("$.list[2]", (False, None)),
        ("$.list[-3]", (False, None)),
        ("$.0", (True, "zero")),
        ("$[0]", (False, None)),
        ("$.list.x", (False, None)),
        ("$.이름[0]", (False, None)),
        ("$.list[1].x.y", (False, None)),
        ("$.nothing.here[0]", (False, None)),
    ],
)
def test_looking_up_tells_null_from_nothing(path: str, expected: tuple[bool, object]) -> None:
    assert lookup(DOCUMENT, parse(path)) == expected


def test_nothing_is_found_in_a_document_that_does_not_exist() -> None:
    assert lookup(MISSING, ()) == (False, None)
    assert lookup(MISSING, ("a", 0)) == (False, None)


@pytest.mark.parametrize(
    ("document", "path", "expected"),
    [
        ({"a": 1}, "$", "new"),
        ({"a": 1}, "$.a", {"a": "new"}),
        ({"a": 1}, "$.b", {"a": 1, "b": "new"}),
        ({}, "$.가.나.다", {"가": {"나": {"다": "new"}}}),
        ({"l": [1, 2]}, "$.l[0]", {"l": ["new", 2]}),
        ({"l": [1, 2]}, "$.l[-1]", {"l": [1, "new"]}),
        ({"l": [1, 2]}, "$.l[2]", {"l": [1, 2, "new"]}),
        ({"l": [1]}, "$.l[1].x", {"l": [1, {"x": "new"}]}),
        ({}, "$.l[0]", {"l": ["new"]}),
        ({}, "$.l[0][0].x", {"l": [[{"x": "new"}]]}),
        ([], "$[0]", ["new"]),
        (MISSING, "$", "new"),
        (MISSING, "$.a.b", {"a": {"b": "new"}}),
        (MISSING, "$[0]", ["new"]),
        (None, "$", "new"),
    ],
)
def test_assigning_makes_what_is_missing(document: Any, path: str, expected: object) -> None:
    assert assign(document, parse(path), "new") == expected


@pytest.mark.parametrize(
    ("document", "path", "place", "reason"),
    [
        ({"a": "text"}, "$.a.b", "$.a", "is text, not an object"),
        ({"a": 1}, "$.a.b", "$.a", "is a number, not an object"),
        ({"a": 1.5}, "$.a[0]", "$.a", "is a number, not a list"),
        ({"a": True}, "$.a.b", "$.a", "is a boolean, not an object"),
        ({"a": None}, "$.a.b", "$.a", "is null, not an object"),
        ({"a": {"목록": [1]}}, "$.a.목록.b", "$.a.목록", "is a list, not an object"),
        ({"a": [{}]}, "$.a[0][0]", "$.a[0]", "is an object, not a list"),
        ({"l": [1, 2]}, "$.l[3]", "$.l", "has 2 items"),
        ({"l": [1, 2]}, "$.l[-3]", "$.l", "has 2 items"),
        ({}, "$.l[1]", "$.l", "has 0 items"),
        ({}, "$.l[-1]", "$.l", "has 0 items"),
        (MISSING, "$[1]", "$", "has 0 items"),
        (None, "$.a", "$", "is null"),
    ],
)
def test_assigning_where_a_step_does_not_fit_names_the_place(
    document: Any, path: str, place: str, reason: str
) -> None:
    with pytest.raises(InvalidPath, match=reason) as caught:
        assign(document, parse(path), 1)
    assert caught.value.details["place"] == place
    assert f": {place} " in caught.value.message


def test_assigning_copies_only_what_lies_on_the_path() -> None:
    beside: dict[str, Any] = {"deep": [1]}
    document: dict[str, Any] = {"a": {"b": 1}, "beside": beside}
    changed = assign(document, ("a", "b"), 2)
    assert document == {"a": {"b": 1}, "beside": {"deep": [1]}}
    assert isinstance(changed, dict)
    assert changed["beside"] is beside
    assert changed["a"] is not document["a"]


def test_assigning_keeps_the_order_of_members() -> None:
    changed = assign({"z": 1, "a": 2, "m": 3}, ("a",), 9)
    assert isinstance(changed, dict)
    assert list(changed.items()) == [("z", 1), ("a", 9), ("m", 3)]


@pytest.mark.parametrize(
    ("document", "path", "expected"),
    [
        ({"a": 1, "b": 2}, "$.a", ({"b": 2}, True)),
        ({"a": {"b": 1, "c": 2}}, "$.a.b", ({"a": {"c": 2}}, True)),
        ({"a": None}, "$.a", ({}, True)),
        ({"l": [1, 2, 3]}, "$.l[0]", ({"l": [2, 3]}, True)),
        ({"l": [1, 2, 3]}, "$.l[-1]", ({"l": [1, 2]}, True)),
        ({"l": [{"x": 1}]}, "$.l[0].x", ({"l": [{}]}, True)),
        ({"l": [[1, 2]]}, "$.l[0][1]", ({"l": [[1]]}, True)),
        ({"a": 1}, "$", (MISSING, True)),
        (None, "$", (MISSING, True)),
        ({"a": 1}, "$.b", ({"a": 1}, False)),
        ({"a": 1}, "$.a.b", ({"a": 1}, False)),
        ({"l": [1]}, "$.l[1]", ({"l": [1]}, False)),
        ({"l": [1]}, "$.l.x", ({"l": [1]}, False)),
        (MISSING, "$", (MISSING, False)),
        (MISSING, "$.a", (MISSING, False)),
    ],
)
def test_removing_tells_whether_there_was_anything(
    document: Any, path: str, expected: tuple[object, bool]
) -> None:
    assert remove(document, parse(path)) == expected
