"""Footnotes: `[^name]` in a text, and `[^name]: what it says` anywhere in it."""

import re
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

_DEFINITION = re.compile(r"\[\^([^\]\s^]{1,80})\]:[ \t]*")
# A note may be set within a note; what lies deeper is text.
_DEPTH_MAX = 2
_REFERENCE = re.compile(r"\[\^([^\]\s^]{1,80})\]")


def footnotes(md: MarkdownIt) -> None:
    """Teach a parser of markdown to read footnotes."""
    md.block.ruler.before("reference", "footnote", _block, {"alt": ["paragraph", "reference"]})
    md.inline.ruler.before("link", "footnote_ref", _inline)


def _block(state: StateBlock, start: int, *more: int) -> bool:
    """Set a note apart; `more` is the line where to stop, and whether only to look."""
    end, silent = more
    begin = state.bMarks[start] + state.tShift[start]
    found = _DEFINITION.match(state.src, begin, state.eMarks[start])
    if found is None or state.is_code_block(start):
        return False
    depth: int = state.env.get("note_depth", 0)
    if depth >= _DEPTH_MAX:
        return False
    if silent:
        return True
    last = _last_line(state, start, end)
    first = state.src[found.end() : state.eMarks[start]]
    lines = [
        first,
        *(state.getLines(at, at + 1, state.blkIndent + 4, False) for at in range(start + 1, last)),
    ]
    notes: dict[str, list[Token]] = state.env.setdefault("notes", {})
    if found[1] not in notes:
        inner: list[Token] = []
        notes[found[1]] = inner
        state.env["note_depth"] = depth + 1
        state.md.block.parse("\n".join(lines), state.md, state.env, inner)
        state.env["note_depth"] = depth
    state.line = last
    return True


def _last_line(state: StateBlock, start: int, end: int) -> int:
    """Return where a footnote ends: at the first line that is neither blank nor indented."""
    last = start + 1
    for at in range(start + 1, end):
        if state.isEmpty(at):
            continue
        if state.sCount[at] - state.blkIndent < 4:
            break
        last = at + 1
    return last


def _inline(state: StateInline, silent: bool) -> bool:  # noqa: FBT001  (a rule's signature)
    found = _REFERENCE.match(state.src, state.pos, state.posMax)
    if found is None or found[1] not in state.env.get("notes", {}):
        return False
    if not silent:
        token = state.push("footnote_ref", "", 0)
        token.meta = {"name": found[1]}
    state.pos = found.end()
    return True


class PageFootnotes:
    """The footnotes of one page, numbered in the order in which the text comes to them."""

    # Any: the environment of a parse, which rules fill.
    def __init__(self, env: dict[str, Any]) -> None:
        self._known: dict[str, list[Token]] = env.get("notes", {})
        self.order: list[str] = []
        self.uses: dict[str, int] = {}
        self._numbers: dict[str, int] = {}

    def ids(self) -> set[str]:
        """Return every id that references and notes have."""
        found = {f"note-{at}" for at in range(1, len(self.order) + 1)}
        for at, name in enumerate(self.order, 1):
            found |= {_back(at, use) for use in range(1, self.uses[name] + 1)}
        return found

    def reference(self, name: str) -> str:
        """Return the HTML of a reference to a note."""
        if name not in self.uses:
            self.order.append(name)
            self._numbers[name] = len(self.order)
        self.uses[name] = self.uses.get(name, 0) + 1
        at = self._numbers[name]
        return (
            f'<sup class="note" id="{_back(at, self.uses[name])}">'
            f'<a href="#note-{at}">{at}</a></sup>'
        )

    def tokens(self, name: str) -> list[Token]:
        """Return what a note says."""
        return self._known[name]

    def back_links(self, at: int) -> str:
        """Return the links of a note to the places that refer to it."""
        uses = self.uses[self.order[at - 1]]
        return " ".join(
            f'<a class="back" href="#{_back(at, use)}" aria-label="{at}">↩</a>'
            for use in range(1, uses + 1)
        )


def _back(at: int, use: int) -> str:
    return f"ref-{at}" if use == 1 else f"ref-{at}-{use}"
