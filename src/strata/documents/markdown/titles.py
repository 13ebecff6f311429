"""What a reader sees of a heading, and how titles are compared."""

import html
import re

from strata.base.normal import normal

# A longer heading is a mistake; its beginning still names it.
TITLE_CHARACTERS_MAX = 500

_MARKUP = re.compile(
    r"[\\`*_\[<&~\x09-\x0d\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028-\u202f\u3000]"
)
_INLINE = re.compile(
    r"""
    (?=[\\`!\[<&*~_]) (?:
    \\(?P<escaped>[!-/:-@\[-`{-~])
    | (?P<ticks>`++)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)
    | !?\[\[(?P<wiki>[^\[\]]+)\]\]
    | !?\[(?P<label>(?:[^\[\]\\]|\\.|\[[^\[\]]*\])*+)\]
      (?:\((?:[^()\\]|\\.|\([^()]*\))*+\)|\[[^\[\]]*\])
    | <(?P<address>[A-Za-z][A-Za-z0-9+.-]+:[^\s<>]*|[^\s<>@]+@[^\s<>@]+)>
    | (?P<tag></?[A-Za-z][A-Za-z0-9-]*(?:\s[^<>]*)?/?>|<!--.*?-->)
    | (?P<entity>&(?:[A-Za-z][A-Za-z0-9]{1,31}|\#[0-9]{1,7}|\#[xX][0-9A-Fa-f]{1,6});)
    | (?P<stars>\*{1,3}|~~)(?=[^\s*])(?P<strong>.+?)(?<=\S)(?P=stars)(?!\*)
    | (?<!\w)(?P<bars>_{1,3})(?=[^\s_])(?P<soft>.+?)(?<=\S)(?P=bars)(?!\w)
    )""",
    re.VERBOSE | re.DOTALL,
)


def visible(source: str) -> str:
    """Return the text that a heading shows: without markup, in one line.

    >>> visible("The **old** [`store`](store.md) &amp; its \\\\*files\\\\*")
    'The old store & its *files*'
    """
    if not _MARKUP.search(source) and "  " not in source and len(source) < TITLE_CHARACTERS_MAX:
        return source.strip()
    source = source[:TITLE_CHARACTERS_MAX]
    return " ".join(_INLINE.sub(_visible_text, source).split())


def _visible_text(found: re.Match[str]) -> str:
    """Return what one piece of markup shows."""
    kind, shown = found.lastgroup, found[found.lastgroup or 0]
    if kind in {"label", "strong", "soft"}:
        return _INLINE.sub(_visible_text, shown)
    if kind == "wiki":
        target, _, alias = shown.partition("|")
        return alias or target
    if kind == "entity":
        return html.unescape(shown)
    return "" if kind == "tag" else shown


def normal_title(text: str) -> str:
    """Return a title as titles are compared: case, width and blanks do not count.

    >>> normal_title("  Ｓtore   가이드 ")
    'store 가이드'
    """
    return " ".join(normal("NFKC", normal("NFKC", text).casefold()).split())


def tokens(text: str) -> int:
    """Estimate how many tokens a model reads: a quarter of the UTF-8 bytes, rounded up.

    >>> tokens("한글 bytes")
    3
    """
    return (len(text.encode("utf-8", "surrogatepass")) + 3) // 4
