"""What a text points at: wiki links, markdown links, images and mentions of documents."""

import re
from collections.abc import Iterator
from html import unescape
from typing import Literal
from urllib.parse import unquote

from msgspec import Struct

from strata.documents.markdown.code import code_end, is_indented_code
from strata.documents.markdown.frontmatter import frontmatter_end
from strata.documents.markdown.titles import normal_title, visible

Kind = Literal["wiki", "link", "mention", "image"]

_TOKEN = re.compile(r"[\[`\\<~]")
_WIKI = re.compile(r"\[\[([^\[\]|#\n]*)(?:#([^\[\]|\n]*))?(?:\|([^\[\]\n]*))?\]\]")
_LABEL = re.compile(r"\[((?:[^\[\]\\]|\\.|\[(?:[^\[\]\\]|\\.)*+\])*+)\]", re.DOTALL)
_TARGET = re.compile(
    r"\([ \t]*\n?[ \t]*"
    r"(<(?:[^<>\\\n]|\\.)*+>|(?!<)(?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.|\([^\s()]*\))*+\))*+)"
    r"(?:[ \t]*\n?[ \t]*(?:\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'|\((?:[^()\\]|\\.)*+\)))?"
    r"[ \t]*\n?[ \t]*\)",
    re.DOTALL,
)
_NAME = re.compile(r"\[([^\[\]\\]*)\]")
_DEFINITION = re.compile(
    r"\n {0,3}\[((?:[^\[\]\\^]|\\.)(?:[^\[\]\\]|\\.)*+)\]:[ \t]*\n?[ \t]*(<[^<>\n]*>|[^\s<]\S*)"
)
_INNER_LINK = re.compile(r"(?<!!)\[[^\[\]]*\]\(")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_DOCUMENT = re.compile(r"(?:.*/d/)?(doc_[0-9A-Za-z]{26})(?:[/?].*)?\Z", re.DOTALL)
_FILE = re.compile(r"\.(?!md\Z)[A-Za-z0-9]{1,5}\Z")


class Reference(Struct, frozen=True):
    """One link, as it is in `text[start:end]`.

    A link to a document by its id is a mention, with or without `@`, and its target is the id.
    """

    kind: Kind
    target: str
    label: str
    heading: str | None
    start: int
    end: int


def references(text: str) -> list[Reference]:
    """Return what a text, or a part of one, points at, in order; without code.

    >>> found = references("[[계획#일정]] `[[no]]` [a](b%20c)")
    >>> [(one.kind, one.target, one.heading) for one in found]
    [('wiki', '계획', '일정'), ('link', 'b c', None)]
    """
    if "[" not in text:
        return []
    return [one for one in _Links(text).found() if one.target]


class _Links:
    """Goes through a text from one mark to the next."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.definitions = _definitions(text) if "]:" in text else {}
        self.known_lines: dict[int, bool] = {}
        # Where the line begins that was looked at last, and how far that was.
        self.line, self.looked = 0, 0

    def found(self) -> Iterator[Reference]:
        text, at = self.text, frontmatter_end(self.text)
        while token := _TOKEN.search(text, at):
            begin = token.start()
            if text[begin] != "[":
                at = code_end(text, begin, self._line_start(begin))
                continue
            link, at = self._link(begin)
            if link and not is_indented_code(text, self._line_start(begin), self.known_lines):
                yield link

    def _line_start(self, at: int) -> int:
        """Return where a line begins; places come in order, so nothing is looked at twice."""
        found = self.text.rfind("\n", self.looked, at)
        self.line, self.looked = found + 1 if found >= 0 else self.line, at
        return self.line

    def _link(self, at: int) -> tuple[Reference | None, int]:
        """Return the link that a bracket opens, and where to look on."""
        if wiki := _WIKI.match(self.text, at):
            return self._wiki(wiki), wiki.end()
        label = _LABEL.match(self.text, at)
        if label is None or "\n\n" in label[1]:
            return None, at + 1
        link = self._inline(label) or self._by_name(label)
        # An image may be in the label of a link, but no other link.
        if "[" in label[1]:
            return None if _INNER_LINK.search(label[1]) else link, at + 1
        return link, link.end if link else label.end()

    def _mark(self, at: int) -> str:
        """Return the `!` or `@` before a bracket."""
        mark = self.text[at - 1 : at]
        return mark if mark in ("!", "@") and self.text[at - 2 : at - 1] != "\\" else ""

    def _wiki(self, found: re.Match[str]) -> Reference:
        target, heading, alias = found.groups()
        # In a table the bar is written with a backslash.
        target = target.removesuffix("\\").strip() if alias is not None else target.strip()
        heading = heading.removesuffix("\\").strip() if heading else None
        is_embedded = self._mark(found.start()) == "!"
        label = (alias or "").strip() or target
        return Reference(
            "image" if is_embedded and _FILE.search(target) else "wiki",
            target,
            label,
            heading or None,
            found.start() - is_embedded,
            found.end(),
        )

    def _inline(self, label: re.Match[str]) -> Reference | None:
        """Return a link whose target follows its label."""
        target = _TARGET.match(self.text, label.end())
        return self._to(target[1], label, target.end()) if target else None

    def _by_name(self, label: re.Match[str]) -> Reference | None:
        """Return a link whose target a definition gives."""
        if not self.definitions or self.text.startswith(":", label.end()):
            return None
        name = _NAME.match(self.text, label.end())
        wanted = normal_title((name[1] if name else "") or label[1])
        target = self.definitions.get(wanted)
        return self._to(target, label, (name or label).end()) if target else None

    def _to(self, source: str, label: re.Match[str], end: int) -> Reference:
        target, heading = _target(source)
        mark = self._mark(label.start())
        document = _DOCUMENT.match(target)
        kind: Kind = "image" if mark == "!" else "mention" if mark or document else "link"
        start = label.start() - len(mark)
        target = document[1] if document else target
        return Reference(kind, target, visible(label[1]), heading, start, end)


def _definitions(text: str) -> dict[str, str]:
    """Return the targets that definitions give; of two for one name the first counts."""
    found = _DEFINITION.findall(f"\n{text}")
    return {normal_title(name): target for name, target in reversed(found)}


def _target(source: str) -> tuple[str, str | None]:
    """Return a target as it is meant, and the heading it points at."""
    if source.startswith("<"):
        source = source[1:-1]
    if "\\" in source:
        source = _ESCAPE.sub(r"\1", source)
    if "&" in source:
        source = unescape(source)
    if _SCHEME.match(source) and "/d/doc_" not in source:
        return source, None
    target, _, heading = source.partition("#")
    return (
        (unquote(target), unquote(heading) or None) if "%" in source else (target, heading or None)
    )
