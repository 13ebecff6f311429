"""Prose in Markdown is wrapped at 100 columns; tables, code and headings may be longer."""

import re
from collections.abc import Iterator
from pathlib import Path

WIDTH = 100
GENERATED = "Written by `./dev python -m strata.reference`"
FENCE = re.compile(r"^\s*(?:```|~~~)")
NOT_PROSE = re.compile(r"^\s*(?:[|#<]|!\[)")
# What begins an item of a list, and may not be left alone on a line.
MARKER = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+")
CODE = re.compile(r"`[^`]+`")


def test_prose_is_wrapped_alike(tracked: list[Path], root: Path) -> None:
    found = [
        f"{path.relative_to(root)}:{number}"
        for path in tracked
        if path.suffix == ".md" and is_written_by_hand(path, root)
        for number in long_lines(path.read_text(encoding="utf-8"))
    ]
    assert not found, f"wrap these lines at {WIDTH} columns:\n" + "\n".join(found)


def test_a_long_line_would_be_noticed() -> None:
    words = "word " * 30
    assert list(long_lines(f"short\n{words}\n- {words}\n")) == [2, 3]
    assert list(long_lines(f"| {words}|\n# {words}\n```\n{words}\n```\n")) == []
    assert (
        list(long_lines(f"- {'x' * 120}\n[a](https://example.com/{'x' * 120})\n`{words}`\n")) == []
    )


def is_written_by_hand(path: Path, root: Path) -> bool:
    """Tell whether a page is prose of ours: not generated, and no template or data."""
    if path.relative_to(root).parts[0] == "src":
        return False
    return GENERATED not in path.read_text(encoding="utf-8")[:200]


def long_lines(text: str) -> Iterator[int]:
    """Yield the numbers of lines of prose that are too long and could be broken."""
    in_code = False
    for number, line in enumerate(text.splitlines(), 1):
        if FENCE.match(line):
            in_code = not in_code
        elif not in_code and len(line) > WIDTH and not NOT_PROSE.match(line):
            words = CODE.sub("code", MARKER.sub("", line)).split()
            if len(words) > 1:
                yield number
