"""The last step of every page: whatever HTML came about, only what is listed here is left."""

import re
from collections.abc import Collection
from functools import cache
from html import escape

import nh3
from pygments.token import STANDARD_TYPES

# Elements that say what a text is; none of them loads or runs anything but img.
_TAGS = set(
    "a abbr b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt em "
    "figcaption figure h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ol p pre q rp rt ruby s "
    "samp section small span strong sub summary sup table tbody td tfoot th thead time tr u ul var "
    "wbr".split()
)
# Elements that go with all that is in them: it was never meant to be read.
_WHOLE = set(
    "applet audio base basefont canvas embed frame frameset head iframe link math meta noembed "
    "noframes noscript object param plaintext script select source style svg template textarea "
    "title track video xmp".split()
)
_WITH_ID = ("h1", "h2", "h3", "h4", "h5", "h6", "li", "a", "sup")
_ATTRIBUTES: dict[str, set[str]] = {
    "*": {"lang"},
    "a": {"href", "title", "aria-label"},
    "abbr": {"title"},
    "blockquote": set(),
    "details": {"open"},
    "dfn": {"title"},
    "img": {"src", "alt", "title", "width", "height"},
    "input": {"checked", "aria-label"},
    "ol": {"start", "reversed"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "time": {"datetime"},
}
_ALIGNED = {"left", "center", "right"}
_CLASSES: dict[str, set[str]] = {
    "a": {"back", "wiki"},
    "code": {"block"},
    "div": {"table"},
    "li": {"task"},
    "section": {"footnotes"},
    "span": {short for short in STANDARD_TYPES.values() if short} | {"missing"},
    "sup": {"note"},
    "td": _ALIGNED,
    "th": _ALIGNED,
}
_VALUES = {
    **{tag: {"dir": {"ltr", "rtl", "auto"}} for tag in ("p", "div", "span", "bdo", "bdi")},
    "div": {"tabindex": {"0"}, "dir": {"ltr", "rtl", "auto"}},
    "pre": {"tabindex": {"0"}},
    "img": {"loading": {"lazy"}, "decoding": {"async"}},
}
_NAMELESS_BOX = re.compile(r"<input(?![^>]*aria-label)")
SCHEMES = frozenset({"http", "https", "mailto"})
# What links of a page begin with; one that is relative was written for some other place.
_LEADING = ("#", "/@", "http://", "https://", "mailto:")


_IMAGE = re.compile(r"[0-9a-f]{64}(?:\?version=[0-9]{1,9})?")


def _is_image(address: str, images: str) -> bool:
    """Tell whether an address is of an image of the page: not of what `..` would lead to."""
    return address.startswith(images) and _IMAGE.fullmatch(address, len(images)) is not None


@cache
def _attributes() -> dict[str, set[str]]:
    found = {tag: set(names) for tag, names in _ATTRIBUTES.items()}
    for tag in _WITH_ID:
        found.setdefault(tag, set()).add("id")
    return found


def clean(html: str, *, ids: Collection[str], images: str, box: str) -> str:
    """Return HTML of which nothing can run, load from elsewhere or leave its place.

    `ids` are those that the page has given out itself, `images` is where its images lie, `box` is
    what boxes without a name are called.
    """

    def keep_attribute(tag: str, name: str, value: str) -> str | None:
        if name == "id":
            return value if value in ids else None
        if tag == "img" and name == "src":
            return value if _is_image(value, images) else None
        if tag == "a" and name == "href":
            return value if value.startswith(_LEADING) else None
        return value

    cleaned = nh3.clean(
        html,
        tags=_TAGS,
        clean_content_tags=_WHOLE,
        attributes=_attributes(),
        attribute_filter=keep_attribute,
        strip_comments=True,
        link_rel="noopener noreferrer",
        tag_attribute_values=_VALUES,
        # Whatever box a text draws, it can only be looked at.
        set_tag_attribute_values={"input": {"type": "checkbox", "disabled": ""}},
        url_schemes=set(SCHEMES),
        allowed_classes=_CLASSES,
    )
    return _NAMELESS_BOX.sub(f'<input aria-label="{escape(box)}"', cleaned)
