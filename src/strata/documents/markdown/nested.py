"""Where a list or a quote ends, by the rules for blocks inside blocks.

Only the ends are looked for. The rules for what continues what are CommonMark's, in the reading
of markdown-it: a line is first offered to the innermost block, and a paragraph takes what nothing
else wants.
"""

import re
from typing import Literal

from strata.documents.markdown.definitions import definition_end, is_open
from strata.documents.markdown.patterns import (
    BAR,
    FENCE,
    FENCE_END,
    LIST,
    RULE_LINE,
    TERMINATOR,
    UNDERLINE,
    html_kind,
)

# Deeper nesting is an accident or an attack; what is left of its lines is taken as its content.
DEPTH_MAX = 64

# How often the lines may be looked at. Texts that are made to be hard need more.
WORK_PER_LINE = 32

_INDENT = re.compile(r"[ \t]*")
# What a line breaks into: this decides which list markers count.
Broken = Literal["paragraph", "definition", "quote", "list"]


class Tangled(Exception):
    """The blocks are nested in a way that takes too long to tell apart."""


class NestedLines:
    """Lines of a text, and how much of each belongs to the blocks around it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.end = [found.start() for found in re.finditer("\n", text)]
        self.count = len(self.end)
        # Where the content of a line begins, in which column beyond the block around it, and
        # how many columns of the line were taken before: tabs reach to the next fourth.
        self.content: list[int] = []
        self.columns: list[int] = []
        self.taken = [0] * self.count
        for begin in (0, *(end + 1 for end in self.end[:-1])):
            self._indent(begin)
        self.margin = 0
        self.list_margin = -1
        self.limit: int = self.count
        self.depth = 0
        self.looked_past = False
        self.work = WORK_PER_LINE * self.count + 20_000

    def _indent(self, begin: int) -> None:
        found = _INDENT.match(self.text, begin)
        assert found is not None
        self.content.append(found.end())
        self.columns.append(len(found[0].expandtabs(4)))

    def _is_empty(self, line: int) -> bool:
        return line >= self.count or self.content[line] >= self.end[line]

    def _is_code(self, line: int) -> bool:
        return self.columns[line] - self.margin >= 4

    def blocks(self, line: int, stop: int) -> int:
        """Pass over blocks until one is left of the margin; return the line behind them."""
        while line < stop:
            while line < self.limit and self._is_empty(line):
                line += 1
            if line >= stop or self.columns[line] < self.margin:
                break
            if self.depth >= DEPTH_MAX:
                return stop
            line = self.block(line, stop)
            if line < stop and self._is_empty(line):
                line += 1
        return line

    def block(self, line: int, stop: int) -> int:
        """Pass over the one block that begins here; return the line behind it."""
        if self._is_code(line):
            return self._code_end(line, stop)
        text, at = self.text, self.content[line]
        if found := FENCE.match(text, at):
            return self._fence_end(line, stop, mark=found[0])
        if text[at] == ">":
            return self._quote_end(line, stop)
        if RULE_LINE.match(text, at):
            return line + 1
        if self._list_mark(line, "list"):
            return self._list_end(line, stop)
        if text[at] == "[" and (end := self._definition_end(line)):
            return end
        return self._leaf_end(line, stop)

    def _leaf_end(self, line: int, stop: int) -> int:
        """Pass over HTML, a heading or a paragraph."""
        text, at = self.text, self.content[line]
        if text[at] == "<" and (kind := html_kind(text, at)):
            return self._html_end(line, stop, closing=kind[1])
        if BAR.match(text, at):
            return line + 1
        return self._underlined_end(line, stop) or self._paragraph_end(line)

    def _code_end(self, line: int, stop: int) -> int:
        last = line = line + 1
        while line < stop and (self._is_empty(line) or self._is_code(line)):
            line += 1
            if not self._is_empty(line - 1):
                last = line
        return last

    def _fence_end(self, line: int, stop: int, *, mark: str) -> int:
        for at in range(line + 1, stop):
            if self._is_empty(at):
                continue
            if self.columns[at] < self.margin:
                return at
            closing = FENCE_END.match(self.text, self.content[at])
            if closing and not self._is_code(at) and closing[1].startswith(mark):
                return at + 1
        return stop

    def _html_end(self, line: int, stop: int, *, closing: re.Pattern[str] | None) -> int:
        """Pass over HTML: to the line that closes it, or else to a blank one."""
        for at in range(line, stop):
            empty = self._is_empty(at)
            if at > line and self.columns[at] < self.margin and (closing is None or not empty):
                return at
            if closing is None and empty:
                return at
            if closing and closing.search(self.text, self.content[at], self.end[at]):
                return at + 1
        return stop

    def _underlined_end(self, line: int, stop: int) -> int:
        """Pass over a heading with a line below it; 0 when there is no such line."""
        for at in range(line + 1, stop):
            if self._is_empty(at):
                return 0
            if self._is_code(at):
                continue
            inside = self.columns[at] >= self.margin
            if inside and UNDERLINE.match(self.text, self.content[at]):
                return at + 1
            if self.columns[at] >= 0 and self.breaks(at, "paragraph"):
                return 0
        return 0

    def _paragraph_end(self, line: int) -> int:
        for at in range(line + 1, self.limit):
            if not self._continues(at, "paragraph"):
                return at
        return self.limit

    def _continues(self, line: int, broken: Broken) -> bool:
        """Tell whether a line goes on with a paragraph or definition."""
        if self._is_empty(line):
            return False
        return self._is_code(line) or self.columns[line] < 0 or not self.breaks(line, broken)

    def breaks(self, line: int, broken: Broken) -> bool:
        """Tell whether a line begins something that ends the block before it."""
        self._count_work()
        if self._is_code(line):
            return False
        if TERMINATOR.match(self.text, self.content[line]):
            return True
        return bool(self._list_mark(line, broken))

    def _count_work(self) -> None:
        self.work -= 1
        if self.work < 0:
            raise Tangled

    def _list_mark(self, line: int, broken: Broken) -> str:
        """Return the marker of a list item, if one begins here."""
        column = self.columns[line]
        if 0 <= self.list_margin <= column - 4 and column < self.margin:
            return ""
        found = LIST.match(self.text, self.content[line])
        if found is None:
            return ""
        if broken == "paragraph" and column >= self.margin:
            # Within a paragraph a number or a dash is more likely a part of the sentence.
            number = found[0][:-1]
            is_bare = not self.text[found.end() : self.end[line]].strip(" \t")
            if is_bare or (number and int(number) != 1):
                return ""
        return found[0]

    def _definition_end(self, line: int) -> int:
        """Pass over one link definition; 0 when there is none."""
        stop = line + 1
        while (
            stop < self.limit and not self._is_empty(stop) and self._continues(stop, "definition")
        ):
            stop += 1
        run = "".join(self.text[self.content[at] : self.end[at] + 1] for at in range(line, stop))
        self.looked_past = self.looked_past or (stop == self.count and is_open(run))
        length = definition_end(run, 0, len(run))
        return line + run.count("\n", 0, length) if length else 0

    def _list_end(self, line: int, stop: int) -> int:
        """Pass over a list: item after item with markers of one kind."""
        mark = self._list_mark(line, "list")
        self.depth += 2
        while True:
            line, kind = self._item_end(line, stop, mark=mark), mark[-1]
            if line >= stop or self.columns[line] < self.margin or self._is_code(line):
                break
            at = self.content[line]
            found = LIST.match(self.text, at)
            if found is None or RULE_LINE.match(self.text, at) or found[0][-1] != kind:
                break
            mark = found[0]
        self.depth -= 2
        return line

    def _item_end(self, line: int, stop: int, *, mark: str) -> int:
        """Pass over one item of a list: what is indented as far as its own content."""
        before = self.content[line], self.columns[line], self.margin, self.list_margin
        begin = self.columns[line] + len(mark)
        self.content[line] += len(mark)
        self.columns[line] = begin
        self._skip_blanks(line)
        is_bare = self._is_empty(line)
        gap = 1 if is_bare else self.columns[line] - begin
        self.list_margin, self.margin = self.margin, begin + (gap if gap <= 4 else 1)
        if is_bare and self._is_empty(line + 1):
            end = min(line + 2, stop)
        else:
            end = self.blocks(line, stop)
        self.content[line], self.columns[line], self.margin, self.list_margin = before
        return end

    def _skip_blanks(self, line: int, *, spare: int = 0) -> None:
        """Move a line's content behind its blanks; `spare` columns of a tab count already."""
        at, column, base = self.content[line], self.columns[line], self.taken[line] + spare
        while self.text[at] in " \t":
            column += 1 if self.text[at] == " " else 4 - (column + base) % 4
            at += 1
        self.content[line], self.columns[line] = at, column

    def _quote_end(self, line: int, stop: int) -> int:
        """Pass over a quote: lines with a mark, and those that its last paragraph takes in."""
        start, limit, margin = line, self.limit, self.margin
        kept: list[tuple[int, int, int]] = []
        last_is_empty = False
        while line < stop and not self._is_empty(line):
            self._count_work()
            is_marked = self.text[self.content[line]] == ">" and self.columns[line] >= margin
            if not is_marked and (last_is_empty or self.breaks(line, "quote")):
                self.limit = limit if last_is_empty else line
                break
            kept.append((self.content[line], self.columns[line], self.taken[line]))
            if is_marked:
                self._unquote(line)
                last_is_empty = self._is_empty(line)
            else:
                self.columns[line] = -1
            line += 1
        self.margin = 0
        self.depth += 1
        end = self.blocks(start, line)
        self.depth -= 1
        self.limit, self.margin = limit, margin
        for at, (content, columns, taken) in enumerate(kept, start):
            self.content[at], self.columns[at], self.taken[at] = content, columns, taken
        return end

    def _unquote(self, line: int) -> None:
        """Take the mark of a quote, and one blank behind it, off a line."""
        column = self.columns[line]
        self.content[line] += 1
        begin = self.columns[line] = column + 1
        behind = self.text[self.content[line]]
        wide_tab = behind == "\t" and (self.taken[line] + begin) % 4 != 3
        if behind in " \t" and not wide_tab:
            self.content[line] += 1
            begin = self.columns[line] = begin + 1
        self._skip_blanks(line, spare=int(wide_tab))
        self.columns[line] -= begin
        self.taken[line] = column + 1 + (behind in " \t")
