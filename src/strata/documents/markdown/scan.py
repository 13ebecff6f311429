"""Where the headings of a text are.

One pattern finds the lines that can begin something; everything between them is paragraphs,
indented code and link definitions, which are looked at only where it matters.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from strata.documents.markdown.containers import container_end
from strata.documents.markdown.definitions import definition_end
from strata.documents.markdown.patterns import (
    ATX_MARK,
    BLANK_LINE,
    FENCE_MARK,
    LIST_MARK,
    RULE,
    RUN_END,
    html_kind,
)
from strata.documents.markdown.titles import visible

_EVENT = re.compile(
    r"\n {0,3}+(?=[#`~<>=\-+*_0-9])(?:"
    rf"({ATX_MARK})([^\n]*+)|(?P<under>(?:=+|-+)[ \t]*(?=\n))|(?P<fence>{FENCE_MARK})"
    rf"|(?P<html><)|(?P<rule>{RULE})|(?P<quote>>)|(?P<list>{LIST_MARK}))"
)
_TITLE, _UNDER = 2, 3
_CLOSING_BARS = re.compile(r"(?:\A|[ \t])#+\Z")
_BRACKET = re.compile(r" {0,3}\[")
_CODE = re.compile(r" {0,3}\t| {4}")


class Heading(NamedTuple):
    """A heading at the top level of a text."""

    level: int
    start: int
    body: int
    title: str


def headings(text: str, start: int = 0, end: int | None = None) -> Iterator[Heading]:
    """Yield the headings behind a place where a block begins, in order.

    Before `end`, which follows a blank line, they are what they are in the whole text, up to a
    block that ends behind it: none is found in that one.
    """
    return _Scanner(text, start, end).headings()


def flat(text: str) -> str:
    """Return a text as long as it was, with plain line ends, and one more in front and behind."""
    if "\r" in text:
        text = text.replace("\r\n", " \n").replace("\r", "\n")
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    return f"\n{text}\n"


class _Scanner:
    """Goes from event to event; `floor` is where the last block that is no paragraph ended."""

    def __init__(self, text: str, start: int, end: int | None) -> None:
        self.text = flat(text[start:end])
        self.floor = 1
        # A paragraph that was seen: where it begins, and how far it is known to reach.
        self.seen = (0, 0)
        # Lines that were seen to hang together, as far as link definitions go.
        self.run = (0, 0)
        # The flat text has one more line end in front, and one behind.
        self.move = start - 1
        self.last = len(text)

    def headings(self) -> Iterator[Heading]:
        search, text, line = _EVENT.search, self.text, 1
        while event := search(text, line - 1):
            kind = event.lastindex
            if kind == _TITLE:
                line = self.floor = event.end() + 1
                yield self._barred(event)
            elif kind == _UNDER:
                line, heading = self._underlined(event)
                if heading:
                    yield heading
            else:
                line = self._block_end(event)

    def _barred(self, event: re.Match[str]) -> Heading:
        bars, title = event.group(1, 2)
        title = title.strip(" \t")
        if "#" in title:
            title = _CLOSING_BARS.sub("", title)
        begin, end = event.span()
        return self._heading(len(bars), title, lines=(begin + 1, end + 1))

    def _heading(self, level: int, source: str, *, lines: tuple[int, int]) -> Heading:
        start, body = lines[0] + self.move, lines[1] + self.move
        return Heading(level, start, min(self.last, body), visible(source))

    def _underlined(self, event: re.Match[str]) -> tuple[int, Heading | None]:
        """Return where to go on, and the heading above a line of `=` or `-` if there is one."""
        line, behind = event.start() + 1, event.end() + 1
        start = self._paragraph(line)
        if start > line:
            return self._passed(start), None
        mark = event["under"].rstrip(" \t")
        if start:
            level = 1 if mark[0] == "=" else 2
            heading = self._heading(level, self.text[start : line - 1], lines=(start, behind))
            return self._passed(behind), heading
        if mark == "-":
            return self._passed(container_end(self.text, line)), None
        is_rule = mark[0] == "-" and len(mark) > 2
        return self._passed(behind) if is_rule else behind, None

    def _block_end(self, event: re.Match[str]) -> int:
        """Return the line behind what begins here: a block, or one line of a paragraph."""
        line, kind = event.start() + 1, event.lastgroup
        if kind == "fence":
            return self._passed(self._fence_end(event))
        if kind == "html":
            return self._html_end(event)
        if kind == "rule":
            return self._passed(event.end() + 1)
        # Most lists follow a blank line, and need no look at the text before.
        is_close = kind == "list" and self.text[line - 2] != "\n"
        if is_close and self._is_weak(event) and self._paragraph(line):
            return self.text.index("\n", line) + 1
        return self._passed(container_end(self.text, line))

    def _passed(self, line: int) -> int:
        self.floor = line
        return line

    def _fence_end(self, event: re.Match[str]) -> int:
        closing = _closing_fence(event["fence"])
        found = closing.search(self.text, self.text.index("\n", event.end()))
        return found.end() if found else len(self.text)

    def _html_end(self, event: re.Match[str]) -> int:
        at, line = event.start("html"), event.start() + 1
        kind = html_kind(self.text, at)
        next_line = self.text.index("\n", at) + 1
        if kind is None:
            return next_line
        is_strong, closing = kind
        if not is_strong and (start := self._paragraph(line)):
            return self._passed(start) if start > line else next_line
        found = (closing or BLANK_LINE).search(self.text, at)
        if found is None:
            return self._passed(len(self.text))
        end = self.text.index("\n", found.end()) if closing else found.start()
        return self._passed(end + 1)

    def _is_weak(self, event: re.Match[str]) -> bool:
        """Tell whether a list item cannot break a paragraph: without text, or not the first."""
        number = event["list"][:-1]
        if number and int(number) != 1:
            return True
        return not self.text[event.end() : self.text.index("\n", event.end())].strip(" \t")

    def _paragraph(self, line: int) -> int:
        """Return where the paragraph begins that is open before a line; 0 when none is.

        When link definitions take that line too, return the line behind them.
        """
        start = self._run_start(line)
        if start == self.seen[0]:
            self.seen = (start, line)
            return start
        while start < line:
            if _CODE.match(self.text, start):
                start = self.text.index("\n", start) + 1
            elif end := self._definition_end(start):
                start = end
            else:
                self.seen = (start, line)
                return start
        return start if start > line else 0

    def _definition_end(self, line: int) -> int:
        if not _BRACKET.match(self.text, line):
            return 0
        first, limit = self.run
        if not first <= line < limit:
            found = RUN_END.search(self.text, line)
            limit = found.end() if found else len(self.text)
            self.run = (line, limit)
        return definition_end(self.text, line, limit)

    def _run_start(self, line: int) -> int:
        """Return the first line of those without a blank one between them and this line."""
        begin, known = self.seen
        while line > self.floor:
            before = self.text.rindex("\n", 0, line - 1) + 1
            if not self.text[before:line].strip(" \t\n"):
                break
            if self.floor <= begin <= before <= known:
                return begin
            line = before
        return line


@lru_cache(maxsize=64)
def _closing_fence(mark: str) -> re.Pattern[str]:
    return re.compile(rf"\n {{0,3}}{mark[0]}{{{len(mark)},}}[ \t]*\n")
