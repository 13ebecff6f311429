"""Plain words in Markdown: what would be a mark is escaped, and links lead to the web only."""

import re

_MARKS = re.compile(r"([\\`*_\[\]<>])")
_AT_START = re.compile(r"^(\s*)(#{1,6}\s|[-+]\s|\d{1,9}[.)]\s|=+\s*$|-+\s*$|~{3,})")
_ADDRESS = re.compile(r"(?:https?://|mailto:)[^\s<>\x00-\x1f]+", re.IGNORECASE)


def escaped(text: str) -> str:
    """Return words that Markdown shows as they are.

    >>> escaped("2 * 3 [a]")
    '2 \\\\* 3 \\\\[a\\\\]'
    """
    return _MARKS.sub(r"\\\1", text)


def escaped_line(text: str) -> str:
    """Return a line that begins neither a heading nor a list.

    >>> escaped_line("1. May"), escaped_line("# 5")
    ('1\\\\. May', '\\\\# 5')
    """
    found = _AT_START.match(text)
    if found is None:
        return text
    space, mark = found.groups()
    digits = len(mark) - len(mark.lstrip("0123456789"))
    return f"{space}{mark[:digits]}\\{text[len(space) + digits :]}"


def link_address(address: str) -> str:
    """Return an address that a link may have; "" for one that leads to no page of the web.

    >>> link_address("https://example.com/a(b)"), link_address("javascript:alert(1)")
    ('<https://example.com/a(b)>', '')
    """
    if _ADDRESS.fullmatch(address) is None:
        return ""
    return f"<{address}>" if "(" in address or ")" in address else address
