"""The searchable text of a version: what a person would read of its value."""

from typing import Any

import pytest

from strata.base.values import Json, decode, encode
from strata.search.text import readable, text_of, text_of_change, text_of_row
from strata.store import BINARY, DELETED, ERASED, TRIMMED, Record, StagedChange


def row(value: Json, flags: int = 0, meta: bytes | None = None) -> Record:
    return (1, 1, flags, None if value is None else encode(value), meta)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("안녕, Strata", "안녕, Strata"),
        (5, "5"),
        (0.25, "0.25"),
        (True, "true"),
        (None, ""),
        ([], ""),
        ({}, ""),
        ({"지역": "서울", "replicas": 3, "ok": False}, "지역: 서울\nreplicas: 3\nok: false"),
        ({"a": {"b": {"c": "deep"}}, "d": None}, "c: deep"),
        (["one", {"two": 2}, ["three"]], "one\ntwo: 2\nthree"),
        ({"tags": ["빨강", "blue"], "n": [[1, 2], 3]}, "tags: 빨강\nblue\nn: 1\n2\n3"),
    ],
)
def test_a_value_reads_as_lines_each_member_behind_its_name(value: Any, text: str) -> None:
    assert readable(value) == text


@pytest.mark.parametrize(
    ("record", "text"),
    [
        ({"speaker": "Caroline", "text": "Hi!"}, "Caroline: Hi!"),
        ({"role": "user", "content": "왜 느리지?"}, "user: 왜 느리지?"),
        ({"author": "김지수", "body": "네", "at": "3시"}, "김지수: 네\nat: 3시"),
        ({"text": "same", "name": "same", "to": "same"}, "same: same\nto: same"),
        ({"content": ["no text"], "role": "user"}, "content: no text\nrole: user"),
        ({"text": "alone"}, "text: alone"),
        ({"from": 7, "user": "Bo", "message": "hi"}, "Bo: hi\nfrom: 7"),
    ],
)
def test_a_record_of_a_conversation_reads_as_who_says_what(record: Any, text: str) -> None:
    assert readable(record) == text


def test_the_type_of_an_event_comes_first() -> None:
    meta = encode({"type": "배포", "id": "e1"})
    assert text_of("event", encode({"to": "blue"}), meta) == "배포: to: blue"
    assert text_of("kv", encode("blue"), meta) == "blue"


@pytest.mark.slow
def test_a_deep_value_is_read_without_recursion() -> None:
    deep: Any = "바닥"
    for _ in range(50_000):
        deep = [deep]
    assert readable({"top": deep}) == "top: 바닥"


def test_a_long_name_over_a_long_list_is_written_once() -> None:
    value: Json = {"이름" * 1_000: list(range(1_000))}
    assert len(readable(value)) < len(encode(value))


@pytest.mark.parametrize("flags", [DELETED, TRIMMED, ERASED, BINARY])
def test_what_is_gone_or_no_json_has_no_text(flags: int) -> None:
    assert text_of_change(StagedChange("default", "kv", "k", b'"text"', flags)) is None
    assert text_of_row("kv", row("text", flags)) == ""


def test_what_has_no_bytes_has_no_text() -> None:
    assert text_of_change(StagedChange("default", "kv", "k", b"")) is None
    assert text_of_row("kv", row(None)) == ""
    assert text_of_change(StagedChange("default", "kv", "k", encode(""))) == ""


def test_kinds_that_nobody_searches_have_no_text() -> None:
    assert text_of_change(StagedChange("default", "policy", "k", b'"text"')) is None
    assert text_of_row("policy", row("text")) == ""


def test_the_text_of_a_row_begins_behind_its_date() -> None:
    assert text_of_row("kv", row("[2026-03-19] Anna: hi")) == "Anna: hi"
    assert text_of_row("state", row({"지역": "서울"})) == "지역: 서울"


def test_a_value_reads_the_same_after_it_was_stored() -> None:
    value: Json = {"a": [1, 2.5, True, None, "셋"], "b": {"c": "é"}}
    assert readable(decode(encode(value))) == readable(value)
