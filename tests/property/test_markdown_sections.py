"""Sections are what a full CommonMark parser takes for headings, on any text at all."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from strata.documents.markdown import Section, resections, sections
from strata.documents.markdown.frontmatter import frontmatter_end
from strata.documents.text import Splice

PARSER = MarkdownIt("commonmark", {"maxNesting": 500})
LINE = re.compile(r"\r\n|\n|\r")

INDENTS = ["", "", "", "", " ", "  ", "   ", "    ", "\t", " \t", "     ", "  \t "]
MARKS = [
    "", "", "", "# ", "## ", "#", "###### ", "####### ", "#\t", "- ", "-", "* ", "+ ", "-   ",
    "-     ", "-\t", "1. ", "1) ", "2. ", "10. ", "1234567890. ", "01. ", "1.", "> ", ">", ">\t",
    "> > ", "- > ", "> - ", "1. - ", "```", "````", "~~~", "~~~~", "``` ", "<div>", "</div>",
    "<b>", "<!--", "-->", "<?", "?>", "<!X", ">", "<![CDATA[", "]]>", "<pre", "</pre>", "<script>",
    "</Script>", "<a href='", "[a]: ", "[a]:", "[a", "]: /u", "[ㄱ]: /u 'x", "[b]: <u> \"",
]  # fmt: skip
ENDS = [
    "", "", "text", "글자", "日本", "===", "=", "---", "--", "-", "***", "* * *", "- - -", "___",
    "#", " #", " ##", "\\#", "'", '"', ")", "(x", "\\", "`", "```", "~~~", "`x`", "/u", "<u>",
    "/u 'x'", "'x' y", "''", "x\f", "\f", "\v", "\u2028", "\x85", "\xa0", "\0", "\ufeff", "👩‍🚀",
    "e\u0301", "עברית", "| a | b |", "|---|---|", "    x", " ", "\t", "  ", "# x", "- x", "> x",
    "</b>", "-->", "?>", "<b>", "<i a=b c>", "x", "[x]", "*x*", "1. x", ":",
]  # fmt: skip
lines = st.builds(
    lambda indent, marks, end: indent + "".join(marks) + end,
    st.sampled_from(INDENTS),
    st.lists(st.sampled_from(MARKS), max_size=2),
    st.sampled_from(ENDS),
)
line_ends = st.sampled_from(["\n"] * 12 + ["\n\n"] * 3 + ["\r\n", "\r", "\n \n"])
texts = st.lists(st.tuples(lines, line_ends), max_size=14).map(
    lambda pairs: "".join(line + end for line, end in pairs)
)


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


@given(texts)
def test_headings_are_those_of_a_full_parser(text: str) -> None:
    assert found(text) == expected(text)


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


@given(edits())
def test_sections_after_an_edit_are_those_of_the_new_text(edit: tuple[str, list[Splice]]) -> None:
    text, splices = edit
    after = changed(text, splices)
    assert resections(after, sections(text), splices) == sections(after)
