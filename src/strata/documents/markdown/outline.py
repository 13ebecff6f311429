"""The sections of a document: headings, the text below each, and the path to each."""

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from heapq import nlargest

from msgspec import Struct

from strata.documents.markdown.frontmatter import frontmatter_end
from strata.documents.markdown.scan import Heading, headings
from strata.documents.markdown.titles import normal_title
from strata.documents.text import Splice

SEPARATOR = " > "
UNTITLED = "(untitled)"


class Section(Struct, frozen=True):
    """A heading and its own text, `text[start:end]`; `whole_end` counts its sub-sections in.

    What stands before the first heading has the path () and level 0.
    """

    path: tuple[str, ...]
    level: int
    title: str
    start: int
    body: int
    end: int
    whole_end: int


def sections(text: str) -> list[Section]:
    """Return the sections of a markdown text, in order.

    >>> [path_name(section.path) for section in sections("# A\\n\\n## B\\n\\n## B\\n")]
    ['A', 'A > B', 'A > B (2)']
    """
    start = frontmatter_end(text)
    return _outlined(text, list(headings(text, start)), start)


def resections(text: str, before: list[Section], splices: Iterable[Splice]) -> list[Section]:
    """Return the sections of a text that was changed by splices of its former self."""
    return sections(text)


def _outlined(text: str, found: list[Heading], start: int) -> list[Section]:
    """Give every heading its path and its ends."""
    first = found[0].start if found else len(text)
    result: list[Section] = []
    if text[start:first].strip():
        result.append(Section((), 0, "", start, start, first, first))
    # Where the next heading of each level, or of a higher rank, stands.
    following = [len(text)] * 7
    backwards: list[Section] = []
    for (level, begin, body, title), path in zip(
        reversed(found), reversed(_paths(found)), strict=True
    ):
        end, whole_end = following[6], following[level]
        backwards.append(Section(path, level, title, begin, body, end, whole_end))
        following[level:] = [begin] * (7 - level)
    result += reversed(backwards)
    return result


def _paths(found: list[Heading]) -> list[tuple[str, ...]]:
    """Return the path of each heading; the second of a name under one parent is `name (2)`."""
    result: list[tuple[str, ...]] = []
    # The headings above, the nearest last: level, path, and the names below it so far.
    above: list[tuple[int, tuple[str, ...], set[str]]] = [(0, (), set())]
    for level, _, _, title in found:
        while above[-1][0] >= level:
            above.pop()
        _, parent, taken = above[-1]
        name = title or UNTITLED
        key = name.casefold()
        if key in taken:
            name = _free_name(name, taken)
            key = name.casefold()
        taken.add(key)
        path = (*parent, name)
        above.append((level, path, set()))
        result.append(path)
    return result


def _free_name(title: str, taken: set[str]) -> str:
    number = 2
    while (name := f"{title} ({number})").casefold() in taken:
        number += 1
    return name


def path_name(path: Sequence[str]) -> str:
    """Return a path as people and agents write it: `A > B`."""
    return SEPARATOR.join(path)


def find_section(found: Sequence[Section], wanted: str) -> list[Section]:
    """Return the section of a path and all below it; [] when there is none.

    The path may leave out what stands above, where that names one section only.
    """
    name = _normal_path(wanted)
    if not name:
        return [section for section in found if not section.path]
    names = [_normal_path(path_name(section.path)) for section in found]
    hits = [at for at, known in enumerate(names) if known == name]
    if not hits:
        hits = [at for at, known in enumerate(names) if known.endswith(SEPARATOR + name)]
        hits = hits if len(hits) == 1 else []
    if not hits:
        return []
    whole = found[hits[0]]
    return [section for section in found if whole.start <= section.start < whole.whole_end]


def nearest_paths(found: Sequence[Section], wanted: str, k: int = 5) -> list[str]:
    """Return the paths most like one that was not found, the likeliest first."""
    name = _normal_path(wanted)
    last = name.rpartition(SEPARATOR)[2]

    def likeness(path: str) -> float:
        known = _normal_path(path)
        matcher = SequenceMatcher(None, name, known)
        tail = SequenceMatcher(None, last, known.rpartition(SEPARATOR)[2])
        return max(matcher.ratio(), 0.95 * tail.ratio())

    return nlargest(k, (path_name(section.path) for section in found if section.path), key=likeness)


def _normal_path(text: str) -> str:
    """Return a path as paths are compared: without `#`, case and spare blanks."""
    parts = (part.strip().lstrip("#") for part in text.split(SEPARATOR.strip()))
    return SEPARATOR.join(map(normal_title, parts))
