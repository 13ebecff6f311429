"""The text of a Word document (DOCX) as Markdown: headings, lists, tables, bold, links."""

import re
import zipfile
from collections.abc import Iterator
from io import BytesIO
from typing import NamedTuple
from xml.etree import ElementTree

from strata.base import limits
from strata.base.errors import InvalidArgument, LimitExceeded
from strata.documents.files.escaping import escaped, escaped_line, link_address

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_VALUE = f"{_W}val"
_MAIN = "word/document.xml"
_HEADING = re.compile(r"heading\s*([1-9])", re.IGNORECASE)
_LEVEL_MAX = 6
# Their contents are read as if they were not there.
_AROUND = frozenset(f"{_W}{name}" for name in ("ins", "smartTag", "sdt", "sdtContent", "fldSimple"))
_OFF = frozenset({"0", "false", "off", "none"})


class _Words(NamedTuple):
    """Words of one look, and where they lead."""

    text: str
    bold: bool = False
    italic: bool = False
    link: str = ""


class _Item(NamedTuple):
    """An entry of a list: how deep it is, and whether its list has numbers."""

    depth: int
    is_numbered: bool


def docx_markdown(data: bytes) -> str:
    """Return the text of a DOCX file as Markdown."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            return _Reader(archive).markdown()
    except (zipfile.BadZipFile, KeyError, ElementTree.ParseError, NotImplementedError, EOFError):
        raise InvalidArgument(
            "This is no Word document that can be read.",
            hint="Save it as .docx again, and send the whole file.",
            parameter="file",
        ) from None
    except RuntimeError:  # what zipfile raises for a part that needs a password
        raise InvalidArgument(
            "This file is protected by a password.",
            hint="Save it without one, and send it again.",
            parameter="file",
        ) from None


class _Reader:
    """Reads the parts of one file."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._main = self._part(_MAIN)
        self._links = self._read_links()
        self._levels = self._read_levels()
        self._numbered = self._read_numbered()

    def markdown(self) -> str:
        body = self._main.find(f"{_W}body")
        blocks = [] if body is None else list(self._blocks(body))
        return "".join(_joined(blocks))

    # Parts.

    def _part(self, name: str) -> ElementTree.Element:
        """Return a part; a small file may hold gigabytes, so only so much of it is read."""
        most = limits.FILE_PART_BYTES_MAX
        with self._archive.open(name) as part:
            data = part.read(most + 1)
        if len(data) > most:
            raise LimitExceeded(
                f"A part of this file has more than {most:,} bytes.", limit=most, size=len(data)
            )
        # No program writes declarations into these parts, and they can make little text much.
        if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
            raise InvalidArgument("This file declares its own XML.", parameter="file")
        return ElementTree.fromstring(data)  # noqa: S314  (without declarations, and bounded)

    def _optional(self, name: str) -> ElementTree.Element:
        try:
            return self._part(name)
        except KeyError:
            return ElementTree.Element("none")

    def _read_links(self) -> dict[str, str]:
        found = self._optional("word/_rels/document.xml.rels")
        return {one.get("Id", ""): one.get("Target", "") for one in found}

    def _read_levels(self) -> dict[str, int]:
        """Return the level of the headings that styles are for."""
        found: dict[str, int] = {}
        for style in self._optional("word/styles.xml").iter(f"{_W}style"):
            name = _child(style, "name")
            outline = style.find(f"{_W}pPr/{_W}outlineLvl")
            said = _HEADING.fullmatch(name)
            if name.lower() == "title":
                level = 1
            elif said is not None:
                level = int(said[1])
            elif outline is not None and outline.get(_VALUE, "").isdigit():
                level = int(outline.get(_VALUE, "")) + 1
            else:
                continue
            if level <= 9:  # body text has the outline level after the last one
                found[style.get(f"{_W}styleId", "")] = min(level, _LEVEL_MAX)
        return found

    def _read_numbered(self) -> dict[tuple[str, int], bool]:
        """Return by list and depth whether entries have numbers."""
        root = self._optional("word/numbering.xml")
        kinds: dict[str, dict[int, bool]] = {}
        for one in root.iter(f"{_W}abstractNum"):
            kinds[one.get(f"{_W}abstractNumId", "")] = {
                int(level.get(f"{_W}ilvl", "0")): _child(level, "numFmt") not in ("bullet", "none")
                for level in one.iter(f"{_W}lvl")
            }
        return {
            (one.get(f"{_W}numId", ""), depth): is_numbered
            for one in root.iter(f"{_W}num")
            for depth, is_numbered in kinds.get(_child(one, "abstractNumId"), {}).items()
        }

    # Blocks.

    def _blocks(self, parent: ElementTree.Element) -> Iterator[tuple[_Item | None, str]]:
        """Yield paragraphs and tables as Markdown, each with its place in a list if it has one."""
        for element in parent:
            if element.tag == f"{_W}p":
                block = self._paragraph(element)
                if block[1]:
                    yield block
            elif element.tag == f"{_W}tbl":
                table = self._table(element)
                if table:
                    yield None, table
            elif element.tag in _AROUND:
                yield from self._blocks(element)

    def _paragraph(self, element: ElementTree.Element) -> tuple[_Item | None, str]:
        settings = element.find(f"{_W}pPr")
        level = 0 if settings is None else self._levels.get(_child(settings, "pStyle"), 0)
        words = list(self._words(element))
        if level:
            plain = " ".join("".join(one.text for one in words).split())
            return None, f"{'#' * level} {escaped(plain)}" if plain else ""
        text = _marked(words).strip()
        item = None if settings is None else self._item(settings)
        return item, text if item is not None else escaped_line(text)

    def _item(self, settings: ElementTree.Element) -> _Item | None:
        found = settings.find(f"{_W}numPr")
        if found is None or _child(found, "numId") in ("", "0"):
            return None
        depth = _child(found, "ilvl")
        level = min(int(depth), 8) if depth.isdigit() else 0
        return _Item(level, self._numbered.get((_child(found, "numId"), level), False))

    def _table(self, element: ElementTree.Element) -> str:
        rows = [
            [self._cell(cell) for cell in row.iter(f"{_W}tc")] for row in element.iter(f"{_W}tr")
        ]
        rows = [row for row in rows if row]
        if not rows:
            return ""
        width = max(map(len, rows))
        full = [[*row, *[""] * (width - len(row))] for row in rows]
        lines = [f"| {' | '.join(row)} |" for row in full]
        return "\n".join([lines[0], f"|{' --- |' * width}", *lines[1:]])

    def _cell(self, cell: ElementTree.Element) -> str:
        parts = (_marked(self._words(one)).strip() for one in cell.iter(f"{_W}p"))
        return " ".join(" ".join(parts).replace("\\\n", " ").split()).replace("|", "\\|")

    # Words.

    def _words(self, parent: ElementTree.Element, link: str = "") -> Iterator[_Words]:
        for element in parent:
            if element.tag == f"{_W}r":
                yield from self._run(element, link)
            elif element.tag == f"{_W}hyperlink":
                target = self._links.get(element.get(f"{_R}id", ""), "")
                yield from self._words(element, link_address(target))
            elif element.tag in _AROUND:
                yield from self._words(element, link)

    def _run(self, run: ElementTree.Element, link: str) -> Iterator[_Words]:
        look = run.find(f"{_W}rPr")
        text = "".join(_plain_text(one) for one in run)
        if text:
            yield _Words(text, _is_set(look, "b"), _is_set(look, "i"), link)


def _plain_text(element: ElementTree.Element) -> str:
    if element.tag == f"{_W}t":
        return element.text or ""
    if element.tag in (f"{_W}br", f"{_W}cr"):
        return "\n" if element.get(f"{_W}type", "textWrapping") == "textWrapping" else ""
    return {f"{_W}tab": "\t", f"{_W}noBreakHyphen": "-"}.get(element.tag, "")


def _is_set(look: ElementTree.Element | None, name: str) -> bool:
    found = None if look is None else look.find(f"{_W}{name}")
    return found is not None and found.get(_VALUE, "1").lower() not in _OFF


def _child(parent: ElementTree.Element, name: str) -> str:
    found = parent.find(f"{_W}{name}")
    return "" if found is None else found.get(_VALUE, "")


def _marked(words: Iterator[_Words] | list[_Words]) -> str:
    """Return words with the marks of Markdown; neighbours of one look are marked together."""
    joined: list[_Words] = []
    for one in words:
        before = joined[-1] if joined else None
        if before is not None and before[1:] == one[1:]:
            joined[-1] = before._replace(text=before.text + one.text)
        else:
            joined.append(one)
    return "".join(map(_marked_words, joined))


def _marked_words(one: _Words) -> str:
    inner = one.text.strip()
    if not inner:
        return one.text
    # A mark beside a space is none.
    before, behind = one.text.split(inner, 1) if inner != one.text else ("", "")
    mark = "**" * one.bold + "*" * one.italic
    text = escaped(inner).replace("\n", "\\\n")
    text = f"{mark}{text}{mark[::-1]}"
    shown = f"[{text}]({one.link})" if one.link else text
    return f"{before}{shown}{behind}".replace("\t", " ")


def _joined(blocks: list[tuple[_Item | None, str]]) -> Iterator[str]:
    """Yield blocks with what is between them: entries of a list stand close together."""
    numbers: dict[int, int] = {}
    before: _Item | None = None
    for at, (item, text) in enumerate(blocks):
        if at:
            yield "\n" if item is not None and before is not None else "\n\n"
        if item is None:
            numbers.clear()
            yield text
        else:
            numbers = {depth: count for depth, count in numbers.items() if depth <= item.depth}
            numbers[item.depth] = numbers.get(item.depth, 0) + 1
            mark = f"{numbers[item.depth]}." if item.is_numbered else "-"
            inside = "    " * item.depth
            yield f"{inside}{mark} {text}".replace("\\\n", f"\\\n{inside}  ")
        before = item
    if blocks:
        yield "\n"
