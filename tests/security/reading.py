"""What a page is made of, as a parser of HTML reads it: for checks without a browser."""

from html.parser import HTMLParser
from typing import NamedTuple

# The page around a text, and what a text may bring.
PAGE = set(
    "html head meta title link style body div header main article footer nav details "
    "summary".split()
)
TEXT = set(
    "a abbr b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt em "
    "figcaption figure h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ol p pre q rp rt ruby s "
    "samp section small span strong sub summary sup table tbody td tfoot th thead time tr u ul var "
    "wbr".split()
)
ATTRIBUTES = set(
    "alt aria-hidden aria-label aria-labelledby charset checked class colspan content datetime "
    "decoding dir disabled height href id lang loading name open property rel reversed rowspan "
    "scope src start tabindex title type width".split()
)
LEADING = ("#", "/@", "http://", "https://", "mailto:")
ONCE = ("html", "head", "title", "style", "body", "main")


class Element(NamedTuple):
    """The beginning of an element."""

    tag: str
    attributes: dict[str, str | None]


class Reader(HTMLParser):
    """Collects the elements of a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[Element] = []
        self.comments: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(Element(tag, dict(attrs)))

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)


def elements(html: str) -> list[Element]:
    """Return every element of a page."""
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert not reader.comments, reader.comments
    return reader.found


def check_harmless(html: str) -> list[Element]:
    """Assert that nothing of a page can run, load from elsewhere, or draw over the rest."""
    found = elements(html)
    for tag in ONCE:
        assert [one.tag for one in found].count(tag) == 1, tag
    for one in found:
        assert one.tag in PAGE | TEXT, one
        assert set(one.attributes) <= ATTRIBUTES, one
        _check_addresses(one)
    return found


def _check_addresses(one: Element) -> None:
    href, source = one.attributes.get("href"), one.attributes.get("src")
    if one.tag == "link":
        is_icon = one.attributes.get("rel") == "icon" and href == "/favicon.svg"
        assert is_icon or one.attributes.get("rel") in ("canonical", "alternate"), one
        assert "evil.test" not in str(href), one
        return
    assert one.tag == "a" or href is None, one
    assert href is None or href.startswith(LEADING), one
    assert source is None or (one.tag == "img" and source.startswith("/@")), one
    if one.tag == "input":
        assert one.attributes.get("type") == "checkbox", one
        assert "disabled" in one.attributes, one
    if one.tag == "meta":
        assert "http-equiv" not in one.attributes, one
