"""Pages as HTML. Everything that comes from a text or a person is escaped or was cleaned."""

import base64
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files

import msgspec

from strata.base import clock, limits
from strata.publishing import ListedPage, Profile, path_of
from strata.web.public.rendering import ContentsHeading, RenderedText
from strata.web.public.words import RIGHT_TO_LEFT, Words, date_in, words_in

# From so many headings on, a list of them helps.
_CONTENTS_FROM = 3


class PageHead(msgspec.Struct, frozen=True, kw_only=True):
    """The metadata of a page. Addresses are absolute where the server knows its own."""

    title: str
    language: str
    path: str
    base: str = ""
    summary: str = ""
    site: str = ""
    kind: str = "website"
    feed: str | None = None
    image: str | None = None
    published: str | None = None
    is_hidden: bool = False


@cache
def style() -> str:
    """Return the rules of all pages: they come along with each, and nothing else is loaded."""
    source = files("strata.web.public").joinpath("style.css").read_text(encoding="utf-8")
    return " ".join(source.split())


@cache
def style_hash() -> str:
    """Return the hash of the styles, for the content security policy."""
    return base64.b64encode(sha256(style().encode()).digest()).decode()


def article(
    head: PageHead,
    profile: Profile,
    text: RenderedText,
    *,
    version: int | None,
) -> str:
    """Return the page of a document; `version` is shown if it is not the current one."""
    words = words_in(head.language)
    contents = _contents(text.headings, words)
    date = "" if head.published is None else f'<p class="facts">{_date(head, words)}</p>'
    old = f'<p class="old">{escape(words.old.format(version))}</p>' if version else ""
    source = f'<a href="{escape(head.path)}.md">{words.source}</a>' if not version else ""
    home = f'<a href="{profile.path}">{_face(profile)}{escape(profile.title)}</a>'
    body = (
        f'<header class="site">{home}</header>'
        f'<main id="text"><div class="title">{old}{_title(head, text)}{date}</div>{contents}'
        f"<article>{text.html}</article></main>"
        f'<footer><a href="{profile.path}">{escape(profile.title)}</a>{source}'
        f"<span>{words.powered}</span></footer>"
    )
    return _whole(head, f'<div class="page{" with-contents" if contents else ""}">{body}</div>')


def _title(head: PageHead, text: RenderedText) -> str:
    """Return the one heading of a page: the text's own, or else what the document is called."""
    own = text.title
    if own is None:
        return f"<h1>{escape(head.title)}</h1>"
    return f'<h1 id="{escape(own.id)}">{escape(own.text)}</h1>'


def _date(head: PageHead, words: Words) -> str:
    date = head.published or ""
    return f'<time datetime="{date}">{words.published} {date_in(head.language, date)}</time>'


def _face(profile: Profile) -> str:
    """Return the first letter of a profile, which stands for a portrait."""
    return (
        f'<span class="face" aria-hidden="true">{escape(profile.title.strip()[:1].upper())}</span>'
    )


def profile_page(head: PageHead, profile: Profile, pages: Sequence[ListedPage]) -> str:
    """Return the page of a profile: its owner, what is pinned, and the rest, newest first."""
    words = words_in(head.language)
    shown = pages[: limits.PROFILE_PAGES_LISTED]
    pinned = [page for page in shown if page.pinned is not None]
    others = [page for page in shown if page.pinned is None]
    about = f'<p class="about">{escape(profile.about)}</p>' if profile.about else ""
    latest = words.latest if pinned else words.pages
    lists = [
        _list("pinned", words.pinned, [_item(one, profile, head) for one in pinned], kind="cards"),
        _list("latest", latest, [_item(one, profile, head) for one in others], kind="pages"),
    ]
    return _whole(
        head,
        f'<div class="page profile"><main id="text"><div class="person">{_face(profile)}'
        f'<div><h1>{escape(profile.title)}</h1><p class="quiet">@{escape(profile.name)}</p></div>'
        f"</div>{about}{''.join(lists)}</main>"
        f'<footer><a href="{profile.path}/feed.xml">{words.feed}</a>'
        f"<span>{words.powered}</span></footer></div>",
    )


def _list(id_: str, title: str, items: Sequence[str], *, kind: str) -> str:
    if not items:
        return ""
    return (
        f'<section aria-labelledby="{id_}"><h2 class="label" id="{id_}">{title}</h2>'
        f'<ul class="{kind}">{"".join(items)}</ul></section>'
    )


def missing_page() -> str:
    """Return the page for every address that shows nothing, whatever the reason."""
    words = words_in("en")
    head = PageHead(title=words.empty, language="en", path="", is_hidden=True)
    return _whole(
        head,
        f'<div class="page"><main id="text"><h1>{words.empty}</h1><p>{words.missing}</p></main>'
        "</div>",
    )


def _item(page: ListedPage, profile: Profile, head: PageHead) -> str:
    summary = f"<p>{escape(page.summary)}</p>" if page.summary else ""
    date = clock.iso(page.published)
    return (
        f'<li><h3><a href="{address_of(profile, page)}">{escape(page.title)}</a></h3>'
        f'{summary}<time datetime="{date}">{date_in(head.language, date)}</time></li>'
    )


def address_of(profile: Profile, page: ListedPage) -> str:
    """Return the path of a page."""
    return path_of(profile.name, page.slug)


def _contents(headings: Sequence[ContentsHeading], words: Words) -> str:
    """Return the table of contents: lists in lists, as deep as the headings go."""
    if len(headings) < _CONTENTS_FROM:
        return ""
    parts, open_levels = list[str](), list[int]()
    for heading in headings[: limits.CONTENTS_ENTRIES_MAX]:
        while open_levels and open_levels[-1] > heading.level:
            open_levels.pop()
            parts.append("</li></ol>")
        if open_levels and open_levels[-1] == heading.level:
            parts.append("</li>")
        else:
            open_levels.append(heading.level)
            parts.append("<ol>")
        parts.append(f'<li><a href="#{escape(heading.id)}">{escape(heading.text)}</a>')
    parts += ["</li></ol>"] * len(open_levels)
    return (
        f'<details class="contents" open><summary id="contents">{words.contents}</summary>'
        f'<nav aria-labelledby="contents">{"".join(parts)}</nav></details>'
    )


def _whole(head: PageHead, body: str) -> str:
    language = escape(head.language)
    direction = ' dir="rtl"' if head.language.partition("-")[0] in RIGHT_TO_LEFT else ""
    return (
        f'<!doctype html>\n<html lang="{language}"{direction}>\n<head>\n{_head(head)}</head>\n'
        f'<body><a class="skip" href="#text">{words_in(head.language).skip}</a>\n'
        f"{body}\n</body>\n</html>\n"
    )


def _head(head: PageHead) -> str:
    title = head.title if head.site in ("", head.title) else f"{head.title} · {head.site}"
    lines = [
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>",
        '<meta name="color-scheme" content="light dark">',
        '<link rel="icon" type="image/svg+xml" href="/favicon.svg">',
        '<meta name="robots" content="noindex">' if head.is_hidden else "",
        *([] if head.is_hidden else _previews(head)),
        f"<style>{style()}</style>",
    ]
    return "".join(f"{line}\n" for line in lines if line)


def _previews(head: PageHead) -> list[str]:
    """Return what search engines and messengers read of a page."""
    url = escape(head.base + head.path)
    properties = [
        ("og:title", head.title),
        ("og:type", head.kind),
        ("og:url", head.base + head.path),
        ("og:site_name", head.site),
        ("og:description", head.summary),
        ("og:image", head.base + head.image if head.image else ""),
        ("article:published_time", head.published or ""),
    ]
    return [
        f'<link rel="canonical" href="{url}">',
        f'<meta name="description" content="{escape(head.summary)}">' if head.summary else "",
        *(
            f'<meta property="{name}" content="{escape(value)}">'
            for name, value in properties
            if value
        ),
        f'<link rel="alternate" type="application/atom+xml" href="{head.feed}">'
        if head.feed
        else "",
        f'<link rel="alternate" type="text/markdown" href="{escape(head.path)}.md">'
        if head.kind == "article"
        else "",
    ]
