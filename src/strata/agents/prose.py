"""Markdown as an agent reads it: where prose is, its paragraphs, sentences and words."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from strata.base.memo import remembered
from strata.documents import Section, frontmatter, references
from strata.search import stem

_FENCE = re.compile(
    r"^[ \t>]*(`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t>]*\1[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL
)
_SPAN = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
_COMMENT = re.compile(
    r"<!--.*?(?:-->|\Z)|</?[A-Za-z][^<>\n]*>|<[a-z][a-z0-9+.-]*:[^<>\s]*>", re.DOTALL
)
_URL = re.compile(r"\b(?:https?|ftp|mailto|image):[^\s<>()\[\]]+|\bwww\.[^\s<>()\[\]]+")
_INDENTED = re.compile(r"(?:\A|(?<=\n\n))(?:(?: {4}|\t)[^\n]*(?:\n|\Z))+")
_DEFINED = re.compile(r"^ {0,3}\[[^\]\n]+\]:[^\n]*$", re.MULTILINE)
_RULE = re.compile(r"[-*_=|:\s+]+")
_SENTENCE = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+|(?<=[。！？])\s*|\n(?=[-*+>|]|\d+[.)]\s)")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_HANGUL = re.compile(r"[가-힣]+")


class TextSpan(NamedTuple):
    """A place in a text."""

    start: int
    end: int


class Word(NamedTuple):
    """A word of a text: its place, and the form by which words are compared."""

    start: int
    end: int
    form: str


def shielded(text: str, sections: "list[Section]") -> list[TextSpan]:
    """Return what is no prose: fields, headings, code, links, comments, addresses; in order."""
    found = [TextSpan(0, frontmatter(text).end)]
    found += [TextSpan(one.start, one.body) for one in sections if one.level]
    found += [TextSpan(one.start, one.end) for one in references(text)]
    for pattern in (_FENCE, _INDENTED, _SPAN, _COMMENT, _URL, _DEFINED):
        found += [TextSpan(*match.span()) for match in pattern.finditer(text)]
    return sorted(span for span in found if span.end > span.start)


def is_free(span: TextSpan, shields: list[TextSpan]) -> bool:
    """Tell whether a place touches nothing that is shielded."""
    return not any(span.start < one.end and one.start < span.end for one in shields)


def paragraphs(text: str, shields: list[TextSpan]) -> list[TextSpan]:
    """Return the paragraphs of prose, in order; what is all shielded or a line is none."""
    found: list[TextSpan] = []
    for block in re.finditer(r"(?:[^\n]*\S[^\n]*(?:\n|\Z))+", text):
        span = TextSpan(block.start(), block.start() + len(block[0].rstrip()))
        begins = TextSpan(span.start, span.start + 1)
        if is_free(begins, shields) and not _RULE.fullmatch(text, *span):
            found.append(span)
    return found


def sentences(text: str, span: TextSpan | None = None) -> list[TextSpan]:
    """Return the sentences of a text, or of a part of it."""
    start, end = span or TextSpan(0, len(text))
    cuts = list(_SENTENCE.finditer(text, start, end))
    begins = [start, *(match.end() for match in cuts)]
    ends = [*(match.start() for match in cuts), end]
    pairs = (TextSpan(a, b) for a, b in zip(begins, ends, strict=True))
    return [TextSpan(a, b) for a, b in pairs if text[a:b].strip()]


def words(text: str, span: TextSpan | None = None) -> Iterator[Word]:
    """Yield the words of a text, or of a part of it."""
    start, end = span or TextSpan(0, len(text))
    for match in _WORD.finditer(text, start, end):
        yield Word(match.start(), match.end(), form_of(match[0]))


@remembered(20_000)
def form_of(word: str) -> str:
    """Return the form by which a word is compared: an English stem, Korean without particles.

    >>> form_of("Caching"), form_of("배포는"), form_of("서울에서")
    ('cach', '배포', '서울')
    """
    lower = word.lower().replace("’", "'").removesuffix("'s")
    if lower.isascii():
        return stem(lower) if lower.isalpha() else lower
    return without_particle(lower) if _HANGUL.fullmatch(lower) else lower


# Longest first: 에서는 before 는.
_PARTICLES = tuple(sorted(
    "은 는 이 가 을 를 의 에 에서 에게 에게서 께 께서 로 으로 와 과 랑 이랑 도 만 까지 부터 "
    "처럼 보다 라고 이라고 라는 이라는 라며 이며 이고 에는 에도 에서는 에서도 에서의 으로는 "
    "로는 으로의 로의 과의 와의 이다 입니다 였다 이었다 이나 마다 조차 밖에 대로 에만 까지는 "
    "부터는 만의 하고 이란 란 인데 이라 으로도 로도 에게는 한테 이지만 지만 만큼 으로써 로써 "
    "으로서 로서 ".split(), key=len, reverse=True,
))  # fmt: skip


def particle_end(text: str, at: int) -> int | None:
    """Return where the word ends that goes on at a place with a particle only; None if it cannot.

    >>> particle_end("계획서는 있다", 3), particle_end("계획서류", 3)
    (4, None)
    """
    rest = _HANGUL.match(text, at)
    if rest is None:
        return at
    return rest.end() if rest[0] in _PARTICLES else None


def without_particle(word: str) -> str:
    """Return a Korean word without the particle behind it, if two syllables are left."""
    for particle in _PARTICLES:
        if word.endswith(particle) and len(word) - len(particle) >= 2:
            return word[: -len(particle)]
    return word


# Too common to tell one text from another, as `form_of` gives them.
_COMMON = frozenset(map(form_of, (
    "a an the i me my we us our you your he him his she her it its they them their this that "
    "these those am is are was were be been being do does did have has had having will would "
    "shall should can could may might must what when where who whom whose which why how and "
    "or but nor not no if then than so as because while until though although since of in on "
    "at to for from with without by about into onto out up down over under off between "
    "through during before after above below against among within there here again once also "
    "too very just only even still yet all any both each few more most other another some "
    "such own same new one two three first last next per via 그 이 저 것 수 등 및 또 더 한 "
    "그리고 하지만 그러나 그래서 있다 없다 한다 된다 했다 됐다 위해 위한 대한 대해 통해 따라 "
    "우리 모든 같은 다른 매우 아주 때 때문 경우 있는 없는 하는 되는 하고 있고 있으며 "
).split()))  # fmt: skip


def is_common(form: str) -> bool:
    """Tell whether a word says nothing by itself."""
    return form in _COMMON or len(form) < 2
