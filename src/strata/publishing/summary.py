"""A few words of a text, for lists and previews: what it says of itself, or how it begins."""

import re

from strata.base import limits
from strata.documents import frontmatter

_PARAGRAPHS = re.compile(r"\n[ \t]*\n")
# What does not begin a text in words: code, tables, rules, definitions, pictures alone.
_NO_WORDS = re.compile(
    r"(?:```|~~~|\||<|-{3,}\s*$|\*{3,}\s*$|_{3,}\s*$|\[[^\]]+\]:|    |\t"
    r"|!\[[^\]]*\]\([^)]*\)\s*$|!\[\[[^\]]*\]\]\s*$)"
)
_HEADING = re.compile(r"#{1,6}(?:\s|$)")
_LINE_MARKS = re.compile(
    r"^[ \t]*(?:>[ \t]?|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|\d{1,9}[.)][ \t]+)+", re.MULTILINE
)
_INLINE = (
    (re.compile(r"!\[[^\]]*\]\([^)]*\)|!\[\[[^\]]*\]\]|\[\^[^\]]+\]"), ""),
    (re.compile(r"\[\[[^\]|]*\|([^\]]*)\]\]|\[\[([^\]]*)\]\]"), r"\1\2"),
    (re.compile(r"\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])"), r"\1"),
    (re.compile(r"</?[A-Za-z][^<>]{0,200}>|<!--.*?-->", re.DOTALL), ""),
    (re.compile(r"`+|\*{1,3}|~~|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)"), ""),
    (re.compile(r"\\([!-/:-@\[-`{-~])"), r"\1"),
)
# Enough to find a paragraph in; an introduction is not further down.
_LOOKED_THROUGH = 20_000
# How much of a paragraph: marks that are never closed are looked for to its end, each anew.
_PARAGRAPH_CHARACTERS = 4_000


def summary_of(text: str) -> str:
    """Return a line about a text: the `description` of its frontmatter, or its first words.

    >>> summary_of("# Plan\\n\\nWe **ship** in [May](https://example.com).\\n\\nMore.")
    'We ship in May.'
    """
    fields = frontmatter(text)
    told = fields.values.get("description")
    if isinstance(told, str) and told.strip():
        return _cut(" ".join(told.split()))
    body = text[fields.end : fields.end + _LOOKED_THROUGH]
    for part in _PARAGRAPHS.split(body):
        lines = part.strip("\n").split("\n")
        if _HEADING.match(lines[0]):
            lines = lines[1:]
        words = "" if not lines or _NO_WORDS.match(lines[0]) else _words("\n".join(lines))
        if words:
            return _cut(words)
    return ""


def _words(paragraph: str) -> str:
    plain = _LINE_MARKS.sub("", paragraph[:_PARAGRAPH_CHARACTERS])
    for pattern, instead in _INLINE:
        plain = pattern.sub(instead, plain)
    return " ".join(plain.split())


def _cut(words: str) -> str:
    most = limits.DESCRIPTION_CHARACTERS_MAX
    if len(words) <= most:
        return words
    cut = words[: most - 1]
    return f"{cut[: cut.rfind(' ')] if ' ' in cut[most // 2 :] else cut}…"
