"""Where links lead: to pages of the same profile, to the web, or nowhere at all."""

import re
from collections.abc import Mapping
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from strata.documents import normal_title
from strata.publishing import slug_of
from strata.web.public.rendering.cleaning import SCHEMES

_WIKI = re.compile(r"!?\[\[([^\[\]|#\n]*)(?:#([^\[\]|\n]*))?(?:\|([^\[\]\n]*))?\]\]")
_DOCUMENT = re.compile(r"(?:.*/d/)?(doc_[0-9A-Za-z]{26})(?:[/?].*)?\Z", re.DOTALL)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
# An address in plain text, up to what more likely belongs to the sentence.
_BARE = re.compile(r"(?<![\w@/])https?://[^\s<>\"'`\u2018-\u201f、。，）」』]+", re.IGNORECASE)
_TRAILING = ".,;:!?*_~'\""
# What the addresses and titles of one page's links may take: more than any page needs.
_WRITTEN_CHARACTERS_MAX = 4_000_000


class PageLinks:
    """Resolves the links of one page; `pages` gives addresses by document and by title."""

    def __init__(self, pages: Mapping[str, str]) -> None:
        self._pages = pages
        self._left = _WRITTEN_CHARACTERS_MAX

    def affords(self, *written: object) -> bool:
        """Tell whether addresses and titles may still be written out, and count them.

        A long one that is defined once, `[a]: https://…`, may be used in every other word.
        """
        self._left -= sum(len(str(one)) for one in written)
        return self._left >= 0

    def wiki(self, target: str, heading: str | None) -> str | None:
        """Return where `[[target#heading]]` leads; None where no visitor may follow."""
        if not target.strip():
            return f"#{slug_of(heading)}" if heading else None
        found = self._page(target, heading)
        return found if self.affords(found) else None

    def _page(self, target: str, heading: str | None) -> str | None:
        document = _DOCUMENT.match(target)
        key = document[1] if document else normal_title(target.strip().removesuffix(".md"))
        found = self._pages.get(key)
        return found if found is None or not heading else f"{found}#{slug_of(heading)}"

    def address(self, href: str) -> str | None:
        """Return where the link of an address leads; None where it leads nowhere from a page."""
        plain = "".join(href.split())
        if plain.startswith("#"):
            return f"#{slug_of(unquote(plain[1:]))}"
        if "/d/doc_" not in plain and _SCHEME.match(plain):
            return plain if plain.partition(":")[0].lower() in SCHEMES else None
        target, _, heading = href.partition("#")
        return self._page(unquote(target), unquote(heading) or None)


def wiki_links(md: MarkdownIt) -> None:
    """Teach a parser of markdown to read `[[links]]` by title."""
    md.inline.ruler.before("link", "wiki", _wiki)


def _wiki(state: StateInline, silent: bool) -> bool:  # noqa: FBT001  (a rule's signature)
    if not state.src.startswith(("[[", "![["), state.pos):
        return False
    found = _WIKI.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        target, heading, alias = found.groups()
        target = target.removesuffix("\\") if alias is not None else target
        token = state.push("wiki", "", 0)
        token.content = (alias or "").strip() or target.strip() or (heading or "").strip()
        token.meta = {"target": target, "heading": heading}
    state.pos = found.end()
    return True


def resolve(children: list[Token], links: PageLinks) -> list[Token]:
    """Return the parts of a line with links that lead somewhere; others are their text alone."""
    found: list[Token] = []
    depth: list[bool] = []
    for token in children:
        if token.type == "link_open":
            given, title = str(token.attrGet("href") or ""), token.attrGet("title") or ""
            href = links.address(given) if links.affords(given, title) else None
            depth.append(href is not None)
            if href is None:
                continue
            token.attrSet("href", href)
        elif token.type == "link_close" and not depth.pop():
            continue
        found += linked(token) if token.type == "text" and not depth else [token]
    return found


def linked(token: Token) -> list[Token]:
    """Return a text with the addresses in it as links."""
    text, at = token.content, 0
    if "://" not in text:
        return [token]
    found: list[Token] = []
    for match in _BARE.finditer(text):
        address = _trimmed(match[0])
        begin, end = match.start(), match.start() + len(address)
        if address.endswith("//"):
            continue
        found += [_text(text[at:begin]), *_link(address)]
        at = end
    return [*found, _text(text[at:])]


def _trimmed(address: str) -> str:
    """Return an address without the marks that end a sentence behind it."""
    end, surplus = len(address), address.count(")") - address.count("(")
    while end and (address[end - 1] in _TRAILING or (address[end - 1] == ")" and surplus > 0)):
        surplus -= address[end - 1] == ")"
        end -= 1
    return address[:end]


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def _link(address: str) -> list[Token]:
    return [
        Token("link_open", "a", 1, attrs={"href": address}),
        _text(address),
        Token("link_close", "a", -1),
    ]
