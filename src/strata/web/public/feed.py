"""The feed of a profile (Atom): its newest pages, for programs that follow it."""

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from strata.base import clock
from strata.publishing import ListedPage, Profile, path_of

# What readers of feeds fetch again and again stays short.
_ENTRIES_MAX = 50
# Characters that XML has no way to write.
_UNWRITABLE = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF])


def feed(profile: Profile, pages: Sequence[ListedPage], base: str) -> str:
    """Return the feed of a profile; ids are addresses, so they are whole where these are known."""
    newest = sorted(pages, key=lambda page: page.published, reverse=True)[:_ENTRIES_MAX]
    updated = clock.iso(max((page.published for page in newest), default=profile.created))
    home = base + profile.path
    entries = "".join(_entry(profile, page, base) for page in newest)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">'
        f"<title>{_text(profile.title)}</title><id>{_text(home)}</id><updated>{updated}</updated>"
        f'<link href={quoteattr(home)}/><link rel="self" href={quoteattr(home + "/feed.xml")}/>'
        f"<author><name>{_text(profile.title)}</name></author>{entries}</feed>\n"
    )


def _entry(profile: Profile, page: ListedPage, base: str) -> str:
    address = base + path_of(profile.name, page.slug)
    return (
        f"<entry><title>{_text(page.title)}</title><id>{_text(address)}</id>"
        f"<link href={quoteattr(address)}/><published>{clock.iso(page.first)}</published>"
        f"<updated>{clock.iso(page.published)}</updated><summary>{_text(page.summary)}</summary>"
        "</entry>"
    )


def _text(text: str) -> str:
    return escape(text.translate(_UNWRITABLE))
