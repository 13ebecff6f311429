"""Sections are what a full CommonMark parser takes for headings, on any text at all."""

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from strata.documents.markdown import incremental, resections, sections
from strata.documents.markdown.frontmatter import frontmatter_end
from strata.documents.text import Splice
from tests.property.examples import examples

PARSER = MarkdownIt("commonmark", {"maxNesting": 500})
LINE = re.compile(r"\r\n|\n|\r")

INDENTS = ["", "", "", "", " ", "  ", "   ", "    ", "\t", " \t", "     ", "  \t "]
MARKS = [
    "",
    "",
    "",
    "# ",
    "## ",
    "#",
    "###### ",
    "####### ",
    "#\t",
    "- ",
    "-",
    "* ",
    "+ ",
    "-   ",
    "-     ",
    "-\t",
    "1. ",
    "1) ",
    "2. ",
    "10. ",
    "1234567890. ",
    "01. ",
    "1.",
    "> ",
    ">",
    ">\t",
    "> > ",
    "- > ",
    "> - ",
    "1. - ",
    "```",
    "````",
    "~~~",
    "~~~~",
    "``` ",
    "<div>",
    "</div>",
    "<b>",
    "<!--",
    "-->",
    "<?",
    "?>",
    "<!X",
    ">",
    "<![CDATA[",
    "]]>",
    "<pre",
    "</pre>",
    "<script>",
    "</Script>",
    "<a href='",
    "[a]: ",
    "[a]:",
    "[a",
    "]: /u",
    "[ㄱ]: /u 'x",
    '[b]: <u> "',
]
ENDS = [
    "",
    "",
    "text",
    "글자",
    "日本",
    "===",
    "=",
    "---",
    "--",
    "-",
    "***",
    "* * *",
    "- - -",
    "___",
    "#",
    " #",
    " ##",
    "\\#",
    "'",
    '"',
    ")",
    "(x",
    "\\",
    "`",
    "```",
    "~~~",
    "`x`",
    "/u",
    "<u>",
    "/u 'x'",
    "'x' y",
    "''",
    "x\f",
    "\f",
    "\v",
    "\u2028",
    "\x85",
    "\xa0",
    "\0",
    "\ufeff",
    "👩‍🚀",
    "e\u0301",
    "עברית",
    "| a | b |",
    "|---|---|",
    "    x",
    " ",
    "\t",
    "  ",
    "# x",
    "- x",
    "> x",
    "</b>",
    "-->",
    "?>",
    "<b>",
    "<i a=b c>",
    "x",
    "[x]",
    "*x*",
    "1. x",
    ":",
]
LINE_ENDS = ["\n"] * 12 + ["\n\n"] * 3 + ["\r\n", "\r", "\n \n"]


@st.composite
def drawn_texts(draw: st.DrawFn) -> str:
    """Draw a text from a few kinds of pieces: with all kinds at once most would be one block."""
    indents, marks, ends = (
        st.sampled_from(draw(st.lists(st.sampled_from(pool), min_size=3, max_size=6)))
        for pool in (INDENTS, MARKS, ENDS)
    )
    lines = st.tuples(indents, marks, marks | st.just(""), ends, st.sampled_from(LINE_ENDS))
    return "".join("".join(line) for line in draw(st.lists(lines, max_size=16)))


texts = drawn_texts()


# What the CommonMark specification has examples for, and more of the kind.
EXAMPLES = [
    "# foo",
    "#5 bolt",
    "\\## foo",
    "#\tfoo",
    "## foo ##",
    "### foo ### b",
    "# foo#",
    "#",
    "### ###",
    "foo\n# bar",
    "Foo *bar*\n===",
    "Foo\nbar\n===",
    "Foo\n   ----      ",
    "Foo\n= =",
    "Foo\n--- -",
    "Foo\\\n----",
    "`Foo\n----\n`",
    "> Foo\n---",
    "> foo\nbar\n===",
    "- Foo\n---",
    "- foo\nbar\n===",
    "---\nFoo\n---\nBar\n---",
    "\n====",
    "---\n---",
    "- foo\n-----",
    "> foo\n-----",
    "Foo\n\nbar\n---",
    "```\n# a\n```\n# b",
    "~~~\n# a\n```\n~~~\n# b",
    "````\n# a\n```\n``````\n# b",
    "```\n# a",
    "> ```\n> # a\n\n# b",
    "``` a`b\n# c\n```",
    "``\n# a\n``",
    "  ```\n # a\n    ```\n# b\n  ```\n# c",
    "~~~ a ``` ~~~\n# a\n~~~\n# b",
    "- ```\n# a\n- ```\nb\n===",
    "<pre>\n# a\n</pre>\n# b",
    "<div>\n# a\n\n# b",
    "<!--\n\n# a\n--> x\n# b",
    "<!-->\n# a",
    "<?php\n\n# a\n?>\n# b",
    "<!X\n# a\n>\n# b",
    "<![CDATA[\n# a\n\n]]>\n# b",
    "<b>\n# a\n\n# b",
    "<b c='\n'>\n# a",
    "text\n<b>\n# a",
    "text\n<div>\n# a",
    "</ins\n# a",
    "<DIV CLASS='x'\n# a\n\n# b",
    "<style\n\n# a\n</STYLE>x\n# b",
    "<i> x\n# a",
    "- a\n  # b\n\n  c\n  ===",
    "- a\n # b",
    "-\n  # a",
    "-\n\n  # a",
    "-     # a\n  # b",
    "1.  a\n   # b",
    "10. a\n   # b\n\n    # c",
    "-\ta\n\t# b\n  # c",
    "- a\n\n\n  # b",
    "- a\n\n text\n  ===",
    "2. a\n# b",
    "text\n2. a\n===",
    "text\n1. a\n===",
    "text\n-\n# a",
    "text\n*\n===",
    "- - a\n  ===\n    ===",
    "* a\n+ b\n  # c",
    "> # a\n# b",
    "> a\n    ===",
    "> - a\n> # b\n===",
    "> [a]: /u '\nx'\n===",
    ">\na\n===",
    "> a\n- b\n===",
    ">\t# a\n # b",
    "[a]: /u\n===",
    "[a]: /u 't'\n===",
    "[a]:\n/u\n't\n===\n'\n===",
    "[a]: <b c>\n===",
    "[a]: /u 'x' y\n===",
    "[a\nb]: /u\n===",
    "[]: /u\n===",
    '[a]: /u ""x\n===',
    "[a]: /u\n''x\n===",
    "[a] /u\n===",
    "[a]: (b\n===",
    "[a]: b\\\n'c'\n===",
    "[a]: /u\n    code\n===",
    "[가]: /나\n[다]: /라\n마\n===",
    "a\r\n===\r\nb\r---\rc",
    "# a\r# b\r\n# c",
    "a\u2028===",
    "a\n\x0c===",
    "a\n\xa0\n===",
    "\x0c# a",
    "\ufeff# a",
    "# \0",
    "<a b\0c>\n# d",
    "| a | b |\n|---|---|\n===",
    "a | b\n---",
    "\t# a",
    " \t# a",
    "a\n\t===",
    "***\n===",
    "a\n***\n===",
    "_ _ _\n===",
    "- - -\n===",
    "+++\n===",
    "# 한국어 👩‍🚀 é",
    "עברית\n===",
    "한국어\n日本語\n---",
]


def expected(text: str) -> list[tuple[int, int, int]]:
    """Return level, first line and line behind of each heading at the top level."""
    start = frontmatter_end(text)
    before = len(LINE.findall(text, 0, start))
    return [
        (int(token.tag[1]), token.map[0] + before, token.map[1] + before)
        for token in PARSER.parse(text[start:])
        if token.type == "heading_open" and token.level == 0 and token.map
    ]


def found(text: str) -> list[tuple[int, int, int]]:
    """Return the same of our own sections."""
    result: list[tuple[int, int, int]] = []
    for section in sections(text):
        if section.level:
            first = len(LINE.findall(text, 0, section.start))
            inside = text[section.start : section.body]
            count = len(LINE.findall(inside)) + (not inside.endswith(("\n", "\r")))
            result.append((section.level, first, first + count))
    return result


@settings(max_examples=examples(1_000))
@given(texts)
def test_headings_are_those_of_a_full_parser(text: str) -> None:
    assert found(text) == expected(text)


@pytest.mark.parametrize("text", EXAMPLES)
def test_headings_of_known_hard_texts_are_those_of_a_full_parser(text: str) -> None:
    for indent in ("", "   ", "    "):
        for before in ("", "word\n", "\n", "- item\n", "> quote\n", "    code\n", "[a]: /u\n"):
            for behind in ("", "\n", "\nword", "\n===", "\n---", "\n# end", "\n\n  # end\n"):
                whole = before + indent + text + behind
                assert found(whole) == expected(whole), whole


@given(texts, st.integers(2, 60))
def test_a_long_list_or_quote_ends_where_a_full_parser_ends_it(text: str, times: int) -> None:
    whole = f"- first\n{text}\n" + f"  more {text}\n> x\n" * times + "\n# end\n"
    assert found(whole) == expected(whole)


@st.composite
def edits(draw: st.DrawFn) -> tuple[str, list[Splice]]:
    """Draw a text and splices of it, in order and apart from each other."""
    text = draw(texts) + draw(texts)
    places = sorted(draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=6)))
    pairs = zip(places[::2], places[1::2], strict=False)
    return text, [Splice(start, end, draw(PIECES)) for start, end in pairs]


PIECES = st.sampled_from(["", "x", "\n", "\n\n", "#", "# x\n", "---\n", "'", '"', "```\n", "\r"])
PIECES |= texts


def changed(text: str, splices: list[Splice]) -> str:
    for splice in reversed(splices):
        text = text[: splice.start] + splice.text + text[splice.end :]
    return text


@settings(max_examples=examples(300))
@given(edits())
@example(("[a]: /u\n'x\n===\ny\n\n# z\n", [Splice(17, 17, "'")]))
@example(("---\na: b\n# x\n\ny\n# z\n", [Splice(16, 16, "---\n")]))
@example(("# a\rb\n# c\n", [Splice(4, 4, "\n")]))
def test_sections_after_an_edit_are_those_of_the_new_text(edit: tuple[str, list[Splice]]) -> None:
    text, splices = edit
    before, after = sections(text), changed(text, splices)
    with pytest.MonkeyPatch.context() as patch:
        # In texts as short as these, an edit would look at all headings behind it.
        patch.setattr(incremental, "_FIRST_SCAN", 1)
        found = resections(after, before, splices)
    assert found.sections == sections(after)
    if found.moved:
        pairs = zip(before[-found.moved :], found.sections[-found.moved :], strict=True)
        assert all(
            (old.path, text[old.start : old.end]) == (new.path, after[new.start : new.end])
            for old, new in pairs
        )


@given(texts)
def test_sections_follow_each_other_and_have_paths_of_their_own(text: str) -> None:
    result = sections(text)
    assert len({section.path for section in result}) == len(result)
    behind = frontmatter_end(text)
    for section in result:
        assert behind <= section.start <= section.body <= section.end <= section.whole_end
        assert not text[behind : section.start].strip()
        behind = section.end
    assert not text[behind:].strip()
    for section in result:
        below = [one for one in result if section.start < one.start < section.whole_end]
        assert all(one.path[: len(section.path)] == section.path for one in below)
        assert all(section.level < one.level for one in below)
