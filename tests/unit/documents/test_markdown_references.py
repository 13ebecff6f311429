"""What a text points at, in every way of writing it, and not what only looks like it."""

import pytest

from strata.documents.markdown import references

DOCUMENT = "doc_01ARZ3NDEKTSV4RRFFQ69G5FAV"


def found(text: str) -> list[tuple[str, str, str, str | None]]:
    return [(one.kind, one.target, one.label, one.heading) for one in references(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[프로젝트 계획]]", ("wiki", "프로젝트 계획", "프로젝트 계획", None)),
        ("[[Plan#Week 2|the week]]", ("wiki", "Plan", "the week", "Week 2")),
        ("| [[Plan\\|p]] |", ("wiki", "Plan", "p", None)),
        ("![[그림.png]]", ("image", "그림.png", "그림.png", None)),
        ("![[Other note]]", ("wiki", "Other note", "Other note", None)),
        ("[x](a.md)", ("link", "a.md", "x", None)),
        ("[*x*](<a b.md> 'title')", ("link", "a b.md", "x", None)),
        ('[x](a\\).md\n  "two\nlines")', ("link", "a).md", "x", None)),
        ("[a [b] c](d(e(f)).md)", ("link", "d(e(f)).md", "a [b] c", None)),
        ("[a \\] b](c)", ("link", "c", "a ] b", None)),
        ("[글](%EA%B8%80.md#%EC%A0%9C%EB%AA%A9)", ("link", "글.md", "글", "제목")),
        ("[x](https://a.org/%20b#c)", ("link", "https://a.org/%20b#c", "x", None)),
        ("![عنوان](a&amp;b.png)", ("image", "a&b.png", "عنوان", None)),
        (f"@[Plan]({DOCUMENT})", ("mention", DOCUMENT, "Plan", None)),
        (f"[Plan](/d/{DOCUMENT}#목표)", ("mention", DOCUMENT, "Plan", "목표")),
        (f"[Plan](https://s.org/d/{DOCUMENT}?a=1)", ("mention", DOCUMENT, "Plan", None)),
    ],
)
def test_each_way_of_pointing_is_understood(
    text: str, expected: tuple[str, str, str, str | None]
) -> None:
    assert found(text) == [expected]
    assert found(f"앞 {text} 뒤") == [expected]
    one = references(f"앞 {text} 뒤")[0]
    assert f"앞 {text} 뒤"[one.start : one.end].startswith(("[", "!", "@"))


@pytest.mark.parametrize(
    "text",
    [
        "`[[a]]`",
        "``a ` [[a]]``",
        "```\n[[a]]\n```",
        "~~~ x\n[[a]]\n\n[a](b)",
        "- ```\n  [[a]]\n  ```",
        "> ```\n> [[a]]\n> ```",
        "    [[a]]",
        "text\n\n\t[[a]]\n\n    [[b]]\n",
        "<!-- [[a]] -->",
        "<!--\n\n[[a]]",
        "---\nlink: '[[a]]'\n---\n",
        "\\[[a]\\]",
        "\\[a](b)",
        "[[]]",
        "[[#here]]",
        "[here](#here)",
        "[x]()",
        "[ ] todo",
        "[a]\n\n(b)",
        "[^1]\n\n[^1]: note",
        "a[0](",
        "[a\n\nb](c)",
        "[[a\nb]]",
        "",
    ],
)
def test_what_only_looks_like_a_link_is_none(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "`a [[x]]",
        "a\\`[[x]]`",
        "- a\n\n    [[x]]",
        "1. a\n   - b\n\n     [[x]]",
        "text\n    [[x]]",
        "```\ncode\n```\n[[x]]",
        "<!-- a --> [[x]]",
        "a ``` b\n[[x]]",
        "`a\n\n[[x]] b`",
        "~~a~~ [[x]]",
    ],
)
def test_a_link_beside_code_is_found(text: str) -> None:
    assert found(text) == [("wiki", "x", "x", None)]


def test_definitions_give_targets_in_any_case_and_the_first_counts() -> None:
    text = "[a][Ref] [REF][] [ref] [other]\n\n[ref]: /one 't'\n[Ref]: /two\n"
    assert [(kind, target) for kind, target, _, _ in found(text)] == [("link", "/one")] * 3


def test_an_image_in_the_label_of_a_link_is_found_too() -> None:
    assert found("[![그림](i.png)](to.md)") == [
        ("link", "to.md", "그림", None),
        ("image", "i.png", "그림", None),
    ]
    assert [target for _, target, _, _ in found("[a [b](c) d](e)")] == ["c"]
