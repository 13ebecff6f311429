"""Markdown to HTML: read by one parser, furnished with anchors and links, cleaned at the end."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from strata.base import limits
from strata.publishing import PublishedImage
from strata.web.public.rendering.cleaning import SCHEMES, clean
from strata.web.public.rendering.code import Painter
from strata.web.public.rendering.footnotes import PageFootnotes, footnotes
from strata.web.public.rendering.headings import (
    Anchors,
    ContentsHeading,
    anchor,
    split_title,
    words_of,
)
from strata.web.public.rendering.links import PageLinks, resolve, wiki_links

# Pages are known by what they hold; this changes with the way to render, so that caches notice.
RENDERER = 2

# A box of a task is named by the first words behind it, for readers who hear the page.
_BOX_NAME_CHARACTERS = 80
# HTML that an author may use in a page; more is shown as it is written. An element with a hundred
# thousand attributes takes a minute to clean.
_HTML_CHARACTERS_MAX = 200_000
_TASK = re.compile(r"\[([ xX])\][ \t]+")
_ALIGN = re.compile(r"text-align:(left|center|right)")
_IMAGE = re.compile(r"image:([0-9a-f]{64})\Z")


class RenderContext(msgspec.Struct, frozen=True, kw_only=True):
    """What a text needs to know of its surroundings.

    `pages` gives addresses by document and by normal title, `images` those of the version by id,
    `home` is where these are and `query` is added to their addresses. `box` names the box of a
    task to those who do not see it.
    """

    title: str = ""
    box: str = "Task"
    home: str = ""
    query: str = ""
    pages: Mapping[str, str] = {}
    images: Mapping[str, PublishedImage] = {}


class RenderedText(msgspec.Struct, frozen=True):
    """A text as HTML that is safe to show, and its headings.

    `title` is the heading that the text has for itself, where that is not the page's title; it is
    not in the HTML, and is no HTML.
    """

    html: str
    headings: tuple[ContentsHeading, ...]
    title: ContentsHeading | None = None


def render(text: str, place: RenderContext) -> RenderedText:
    """Return markdown, without its frontmatter, as HTML; a text that is too long as plain text.

    >>> from strata.web.public.rendering import RenderContext, render
    >>> render("# Plan\\n\\n**Ship** <b onclick=run()>지금</b>", RenderContext(title="Plan")).html
    '<p><strong>Ship</strong> <b>지금</b></p>\\n'
    """
    if len(text) > limits.PAGE_CHARACTERS_MAX:
        return RenderedText(f"<pre><code>{escapeHtml(text)}</code></pre>\n", ())
    return _Page(place).render(text)


class _Page:
    """One rendering of one text."""

    def __init__(self, place: RenderContext) -> None:
        self._place = place
        self._links = PageLinks(place.pages)
        self._painter = Painter()
        self._html_left = _HTML_CHARACTERS_MAX
        self._anchors = Anchors()
        self._md = _parser(self)
        self._notes = PageFootnotes({})

    def render(self, text: str) -> RenderedText:
        env: dict[str, Any] = {}
        own, tokens = split_title(self._md.parse(text, env), self._place.title)
        title = None if own is None else ContentsHeading(1, self._anchors.reserve(own), own)
        # What footnotes say was set apart as blocks; only now all of them are known.
        for note in env.get("notes", {}).values():
            _parse_inline(self._md, note, env)
        self._notes = PageFootnotes(env)
        headings = anchor(tokens, self._anchors)
        body = self._html(tokens) + self._footnotes()
        ids = self._anchors.given | self._notes.ids()
        home, box = f"{self._place.home}/images/", self._place.box
        return RenderedText(clean(body, ids=ids, images=home, box=box), tuple(headings), title)

    def _html(self, tokens: Sequence[Token]) -> str:
        _furnish(tokens, self._links)
        return self._md.renderer.render(tokens, self._md.options, {})

    def _footnotes(self) -> str:
        notes, items = self._notes, list[str]()
        for name in notes.order:  # grows where a note refers to another one
            items.append(self._html(notes.tokens(name)))
        if not items:
            return ""
        listed = "".join(
            f'<li id="note-{at}">{_with_ending(item, notes.back_links(at))}</li>\n'
            for at, item in enumerate(items, 1)
        )
        return f'<section class="footnotes"><hr><ol>\n{listed}</ol></section>\n'

    # How tokens of our own, and those that need care, are written.

    def html_block(self, tokens: Sequence[Token], at: int, *_rest: object) -> str:
        content = tokens[at].content
        if tokens[at].meta.get("is_box"):
            return content
        self._html_left -= len(content)
        return content if self._html_left >= 0 else escapeHtml(content)

    html_inline = html_block

    def fence(self, tokens: Sequence[Token], at: int, *_rest: object) -> str:
        language = tokens[at].info.strip().split(maxsplit=1)
        return self._painter.block(tokens[at].content, language[0] if language else "")

    def code_block(self, tokens: Sequence[Token], at: int, *_rest: object) -> str:
        return self._painter.block(tokens[at].content, "")

    def image(self, tokens: Sequence[Token], at: int, *_rest: object) -> str:
        token = tokens[at]
        source, alt = str(token.attrGet("src") or ""), words_of(token)
        found = _IMAGE.match(source)
        image = self._place.images.get(found[1]) if found else None
        if not self._links.affords(source, token.attrGet("title") or ""):
            return escapeHtml(alt)
        if image is None:
            return _elsewhere(source, alt)
        size = f' width="{image.width}" height="{image.height}"' if image.width else ""
        title = token.attrGet("title")
        told = f' title="{escapeHtml(str(title))}"' if title else ""
        return (
            f'<img src="{self._place.home}/images/{image.id}{self._place.query}"'
            f' alt="{escapeHtml(alt)}"{told}{size} loading="lazy" decoding="async">'
        )

    def wiki(self, tokens: Sequence[Token], at: int, *_rest: object) -> str:
        token = tokens[at]
        shown = escapeHtml(token.content)
        href = self._links.wiki(token.meta["target"], token.meta["heading"])
        return shown if href is None else f'<a class="wiki" href="{escapeHtml(href)}">{shown}</a>'

    def footnote_ref(self, tokens: Sequence[Token], at: int, *_rest: object) -> str:
        return self._notes.reference(tokens[at].meta["name"])

    def table_open(self, *_given: object) -> str:
        return '<div class="table" tabindex="0"><table>\n'

    def table_close(self, *_given: object) -> str:
        return "</table></div>\n"


def _parser(page: _Page) -> MarkdownIt:
    md = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    md.use(footnotes).use(wiki_links)
    renderer = md.renderer
    assert isinstance(renderer, RendererHTML)
    for name in (
        "html_block",
        "html_inline",
        "fence",
        "code_block",
        "image",
        "wiki",
        "footnote_ref",
        "table_open",
        "table_close",
    ):
        renderer.rules[name] = getattr(page, name)
    # Links are judged where they are resolved, by an allowlist.
    md.validateLink = _any_link
    return md


def _any_link(url: str) -> bool:  # noqa: ARG001  (the library's signature)
    return True


def _parse_inline(md: MarkdownIt, tokens: Sequence[Token], env: dict[str, Any]) -> None:
    for token in tokens:
        if token.type == "inline" and not token.children:
            children: list[Token] = []
            md.inline.parse(token.content, md, env, children)
            token.children = children


def _furnish(tokens: Sequence[Token], links: PageLinks) -> None:
    """Settle links, boxes of tasks, and how the cells of tables are aligned."""
    for at, token in enumerate(tokens):
        if token.type in ("th_open", "td_open"):
            _align(token)
        if token.type != "inline" or token.children is None:
            continue
        token.children = resolve(token.children, links)
        if at >= 2 and tokens[at - 2].type == "list_item_open":
            _check_box(tokens[at - 2], token.children)


def _align(token: Token) -> None:
    found = _ALIGN.match(str(token.attrs.pop("style", "")))
    if found:
        token.attrSet("class", found[1])


def _check_box(item: Token, children: list[Token]) -> None:
    """Draw the box of `- [x] done`."""
    found = _TASK.match(children[0].content) if children and children[0].type == "text" else None
    if found is None:
        return
    children[0].content = children[0].content[found.end() :]
    name = " ".join("".join(child.content for child in children).split())[:_BOX_NAME_CHARACTERS]
    checked = "" if found[1] == " " else " checked"
    box = f'<input{checked} aria-label="{escapeHtml(name or found[0].strip())}"> '
    children.insert(0, Token("html_inline", "", 0, content=box, meta={"is_box": True}))
    item.attrSet("class", "task")


def _elsewhere(source: str, alt: str) -> str:
    """Return a link instead of an image of another server: the page loads nothing from there."""
    shown = escapeHtml(alt or source)
    scheme = source.partition(":")[0].lower()
    if scheme in SCHEMES - {"mailto"} and source[len(scheme) :].startswith("://"):
        return f'<a href="{escapeHtml(source)}">{shown}</a>'
    return f'<span class="missing">{escapeHtml(alt)}</span>' if alt else ""


def _with_ending(html: str, ending: str) -> str:
    """Put links behind the last words of a note."""
    body = html.rstrip()
    return f"{body[:-4]} {ending}</p>" if body.endswith("</p>") else f"{body} {ending}"
