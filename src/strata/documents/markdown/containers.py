"""Where the lists and quotes of a text end: the plain ones at once, the others line by line."""

import re

from strata.documents.markdown.nested import NestedLines, Tangled
from strata.documents.markdown.patterns import LIST, TERMINATOR

# How much is looked at first. Most lists and quotes end within it.
WINDOW_CHARACTERS = 160


def _items(*forms: tuple[str, int]) -> str:
    """Return the pattern of a plain list: items without indent, and lines indented below them."""
    each = "|".join(
        rf"{mark}(?=[^ \t\n])[^\n]*+\n"
        rf"(?:(?: {{{width}}}| {{0,{width - 1}}}\t)[^\n]*+\n|[ \t]*+\n)*+"
        for mark, width in forms
    )
    return rf"((?:{each})++)"


def _bullets(mark: str) -> str:
    # A line of nothing but marks is a rule, and no item.
    no_rule = rf"(?![{mark} \t]*\n)"
    return _items((rf"\{mark} {no_rule}", 2), (rf"\{mark} {{3}}{no_rule}", 4))


def _numbers(mark: str) -> str:
    return _items((rf"[0-9]\{mark} ", 3), (rf"[0-9]{{2}}\{mark} ", 4))


_QUOTE = r"((?: {0,3}>[^\n]*+\n)++)"
_PLAIN = re.compile("|".join([*map(_bullets, "-*+"), *map(_numbers, ".)"), _QUOTE]))
_MARKS = ("", "-", "*", "+", ".", ")", "")
_MARKERS = frozenset(" -+*0123456789")
# What surely ends a list or a quote, though it may end before.
_APART = re.compile(r"\n[ \t]*\n(?=[^ \t\n>0-9*+-])")
_INDENT = re.compile(r" {0,3}")


def container_end(text: str, at: int) -> int:
    """Return where the list or quote ends that begins with the line at `at`."""
    return _quick_end(text, at) or _exact_end(text, at)


def _exact_end(text: str, at: int) -> int:
    """Go through the lines, with more of them whenever the end was not seen for certain."""
    size = WINDOW_CHARACTERS
    while True:
        stop = text.find("\n", at + size) + 1 or len(text)
        lines = NestedLines(text[at:stop])
        try:
            end = lines.block(0, lines.count)
        except Tangled:
            found = _APART.search(text, at)
            return found.end() if found else len(text)
        if stop == len(text) or (end < lines.count and not lines.looked_past):
            return at + lines.end[end - 1] + 1
        size *= 4


def _quick_end(text: str, at: int) -> int:
    """Return the end where lines alone show it; 0 when what they contain matters."""
    found = _PLAIN.match(text, at)
    if found is None:
        return 0
    end = found.end()
    if end == len(text) or (text[end - 2] == "\n" and text[end] not in _MARKERS):
        return end
    content = _content(text, end)
    if TERMINATOR.match(text, content):
        return end
    if item := LIST.match(text, content):
        # An item written in another way may still be one of this list.
        return 0 if item[0][-1] == _MARKS[found.lastindex or 0] else end
    # Text right below a line may belong to a paragraph in there.
    is_apart = _is_blank(text, end) or _is_blank(text, text.rindex("\n", 0, end - 1) + 1)
    return end if is_apart else 0


def _content(text: str, line: int) -> int:
    found = _INDENT.match(text, line)
    return found.end() if found else line


def _is_blank(text: str, line: int) -> bool:
    return not text[line : text.index("\n", line)].strip(" \t")
