"""The fields in front of a document: read where they can be, told where they cannot."""

import pytest

from strata.documents.markdown import frontmatter, sections


def test_fields_become_json() -> None:
    text = (
        "---\ntitle: 회의록\ntags: [가, b]\ndue: 2026-03-01\nat: 2026-03-01T10:00:00Z\n"
        "7: one\ntrue: yes\nnull: x\nbig: 123456789012345678901234567890\nnot: .nan\n"
        "set: !!set {a}\nraw: !!binary aGk=\nnested: {a: {b: [1, 2.5]}}\n---\n# A\n"
    )
    found = frontmatter(text)
    assert found.error is None
    assert text[found.end :] == "# A\n"
    assert found.values == {
        "title": "회의록",
        "tags": ["가", "b"],
        "due": "2026-03-01",
        "at": "2026-03-01T10:00:00+00:00",
        "7": "one",
        "true": True,
        "null": "x",
        "big": "123456789012345678901234567890",
        "not": "nan",
        "set": ["a"],
        "raw": "aGk=",
        "nested": {"a": {"b": [1, 2.5]}},
    }


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("---\r\na: b\r\n---\r\nx", 16),
        ("---\ra: b\r---\rx", 13),
        ("\ufeff---\na: b\n...\nx", 14),
        ("---  \na: b\n---\t\n", 16),
        ("---\na: b\n---", 12),
        ("---\n---\nx", 8),
    ],
)
def test_the_block_ends_at_its_second_line_of_dashes(text: str, end: int) -> None:
    found = frontmatter(text)
    assert (found.end, found.error) == (end, None)
    assert found.values in ({"a": "b"}, {})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a: b",
        "---\na: b",
        "\n---\na: b\n---\n",
        " ---\na: b\n---\n",
        "----\na: b\n----\n",
        "---\n\ntext after a rule\n\n---\n",
        "# x\n---\na: b\n---\n",
    ],
)
def test_what_is_no_block_at_the_very_start_is_text(text: str) -> None:
    assert (frontmatter(text).end, frontmatter(text).values) == (0, {})


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("a: b\nc: [1, 2\nd: e", 4),
        ("a: b\n\tc: d", 3),
        ("a: *nobody", 2),
        ("- a\n- b", 2),
        ("just words", 2),
        ("a: 2026-13-45", 2),
        ("a: !!python/object/apply:os.getcwd []", 2),
        ("a: b\nc: \x01", 3),
        ("? [a]\n: b", 2),
    ],
)
def test_a_mistake_is_told_with_its_line(source: str, line: int) -> None:
    found = frontmatter(f"---\n{source}\n---\n# 제목\n")
    assert found.values == {}
    assert found.error is not None
    assert found.error.startswith(f"line {line}: ")
    assert sections(f"---\n{source}\n---\n# 제목\n")[0].title == "제목"


def test_of_two_fields_with_one_name_the_last_wins() -> None:
    assert frontmatter("---\na: 1\na: 2\n---\n").values == {"a": 2}


def test_fields_that_say_too_much_with_few_words_are_refused() -> None:
    bomb = "a0: &a0 [x, x]\n" + "".join(
        f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 40)
    )
    for source in (
        bomb,
        "a: &a [*a]\n",
        "a: " + "[" * 100 + "]" * 100 + "\n",
        "a: " + "x" * 70_000 + "\n",
    ):
        found = frontmatter(f"---\n{source}---\n")
        assert found.values == {}
        assert found.error


def test_aliases_within_bounds_are_read() -> None:
    assert frontmatter("---\na: &x [1]\nb: *x\n---\n").values == {"a": [1], "b": [1]}
