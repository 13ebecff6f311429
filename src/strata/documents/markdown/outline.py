"""The sections of a document: headings, the text below each, and the path to each."""

from collections.abc import Sequence
from heapq import nlargest

from strata.base.normal import normal
from strata.base.results import Result
from strata.documents.markdown.frontmatter import frontmatter_end
from strata.documents.markdown.scan import Heading, headings
from strata.documents.markdown.titles import normal_title

SEPARATOR = " > "
UNTITLED = "(untitled)"


class Section(Result, frozen=True, gc=False):
    """A heading and its own text, `text[start:end]`; `whole_end` counts its sub-sections in.

    Text before the first heading has the path () and level 0.
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
    return outlined(text, list(headings(text, start)), start)


def before_headings(text: str, start: int, first: int) -> list[Section]:
    """Return the text before the first heading as a section, unless it is blank."""
    if not text[start:first].strip():
        return []
    return [Section((), 0, "", start, start, first, first)]


def outlined(text: str, found: list[Heading], start: int) -> list[Section]:
    """Give every heading its path and its ends."""
    # Where the next heading of each level, or of a higher rank, is.
    following = [len(text)] * 7
    backwards: list[Section] = []
    for (level, begin, body, title), path in zip(
        reversed(found), reversed(_paths(found)), strict=True
    ):
        end, whole_end = following[6], following[level]
        backwards.append(Section(path, level, title, begin, body, end, whole_end))
        following[level:] = [begin] * (7 - level)
    first = found[0].start if found else len(text)
    return before_headings(text, start, first) + backwards[::-1]


def _paths(found: list[Heading]) -> list[tuple[str, ...]]:
    """Return the path of each heading; the second of a name under one parent is `name (2)`."""
    result: list[tuple[str, ...]] = []
    # The headings above, the nearest last: level, path, and how often each name was below it.
    above: list[tuple[int, tuple[str, ...], dict[str, int]]] = [(0, (), {})]
    for level, _, _, title in found:
        while above[-1][0] >= level:
            above.pop()
        _, parent, taken = above[-1]
        path = (*parent, _free_name(title or UNTITLED, taken))
        above.append((level, path, {}))
        result.append(path)
    return result


def _free_name(title: str, taken: dict[str, int]) -> str:
    name = title
    while times := taken.get(key := name.casefold(), 0):
        taken[key] = times + 1
        name = f"{title} ({times + 1})"
    taken[key] = 1
    return name


def path_name(path: Sequence[str]) -> str:
    """Return a path as users and agents write it: `A > B`."""
    return SEPARATOR.join(path)


def find_section(found: Sequence[Section], wanted: str) -> list[Section]:
    """Return the section of a path and all below it; [] when there is none.

    The path may leave out upper headings, where that names one section only.
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
    whole, last = _pairs(name), _pairs(name.rpartition(SEPARATOR)[2])

    def likeness(path: str) -> float:
        known = _normal_path(path)
        tail = _pairs(known.rpartition(SEPARATOR)[2])
        return max(_shared(whole, _pairs(known)), 0.95 * _shared(last, tail))

    return nlargest(k, (path_name(section.path) for section in found if section.path), key=likeness)


def _pairs(text: str) -> set[str]:
    """Return the pairs of letters in a text, of Hangul those of the letters in its syllables."""
    letters = f" {normal('NFD', text)} "
    return {letters[at : at + 2] for at in range(len(letters) - 1)}


def _shared(one: set[str], other: set[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other))


def _normal_path(text: str) -> str:
    """Return a path as paths are compared: without `#`, case and spare blanks."""
    parts = (part.strip().lstrip("#") for part in text.split(SEPARATOR.strip()))
    return SEPARATOR.join(map(normal_title, parts))
