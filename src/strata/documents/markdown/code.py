"""Where code and comments are, in which brackets mean nothing."""

import re
from functools import lru_cache

_RUN = re.compile(r"`+|~+")
_CONTAINERS = re.compile(r"(?:[ \t>]|[-+*][ \t]|[0-9]{1,9}[.)][ \t])*")
_BLANK_LINE = re.compile(r"(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)")
_ITEM = re.compile(r" {0,3}(?:[-+*]|[0-9]{1,9}[.)])[ \t]")
_CODE = re.compile(r" {0,3}\t| {4}")
# What comes before a fence or a comment that takes lines: quotes and lists, never so many.
_OPENING_MAX = 1_000


def code_end(text: str, at: int, line: int) -> int:
    """Return where to read on behind a mark that may open code or a comment, or escape.

    `line` is where the mark's line begins: in a long one, looking for that takes long.
    """
    mark = text[at]
    if mark == "\\":
        return at + 2
    if mark == "<":
        return _comment_end(text, at, line) if text.startswith("<!--", at) else at + 1
    run = _RUN.match(text, at)
    assert run is not None
    return _fence_end(text, run, line) or (_span_end(text, run) if mark == "`" else run.end())


def _comment_end(text: str, at: int, line: int) -> int:
    end = text.find("-->", at + 2)
    if end >= 0:
        return end + 3
    # Without an end only a comment that begins a line takes everything.
    is_block = at - line <= _OPENING_MAX and not text[line:at].strip(" ")
    return len(text) if is_block else at + 4


def _fence_end(text: str, run: re.Match[str], line: int) -> int:
    """Return where a fenced block ends whose fence this is; 0 when it is none."""
    mark = run[0]
    if len(mark) < 3 or run.start() - line > _OPENING_MAX:
        return 0
    if not _CONTAINERS.fullmatch(text, line, run.start()):
        return 0
    line_end = text.find("\n", run.end())
    if line_end < 0:
        line_end = len(text)
    if mark[0] == "`" and "`" in text[run.end() : line_end]:
        return 0
    closing = _closing(mark[0], len(mark)).search(text, line_end)
    return closing.end() if closing else len(text)


@lru_cache(maxsize=64)
def _closing(mark: str, length: int) -> re.Pattern[str]:
    return re.compile(rf"\n[ \t>]*{mark}{{{length},}}[ \t\r]*(?=\n|\Z)")


def _span_end(text: str, run: re.Match[str]) -> int:
    """Return where a code span ends: at as many backticks, within the paragraph."""
    closing = _ticks(len(run[0])).search(text, run.end())
    if closing is None or _BLANK_LINE.search(text, run.end(), closing.start()):
        return run.end()
    return closing.end()


@lru_cache(maxsize=64)
def _ticks(length: int) -> re.Pattern[str]:
    return re.compile(rf"(?<!`)`{{{length}}}(?!`)")


def is_indented_code(text: str, line: int, known: dict[int, bool]) -> bool:
    """Tell whether a line is code by its indent. `known` keeps answers."""
    if text[line] not in " \t" or not _CODE.match(text, line):
        return False
    answer = known.get(line)
    if answer is None:
        answer = known[line] = _is_code_line(text, line, known)
    return answer


def _is_code_line(text: str, line: int, known: dict[int, bool]) -> bool:
    """Look at the lines above: code follows a blank line, and no item of a list."""
    follows_blank = False
    while line:
        above = _line_start(text, line - 1)
        if not text[above:line].strip():
            follows_blank = True
        elif not _CODE.match(text, above):
            return follows_blank and not _ITEM.match(text, above) and text[above] != " "
        elif above in known:
            return known[above]
        line = above
    return True


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1
