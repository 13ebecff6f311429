"""Finding the words that an edit means, and telling what to send instead when it cannot."""

import re
import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher

import msgspec

from strata.base import limits
from strata.base.errors import Conflict, InvalidArgument, LimitExceeded, NotFound
from strata.documents.markdown import path_name, sections
from strata.documents.text import Splice

# A line is compared letter by letter only if it shares words with what was looked for.
_CANDIDATES = 40
_CONTEXT = 60


class Place(msgspec.Struct, frozen=True):
    """Where some words stand: the line, the headings above, and the words around them."""

    line: int
    section: str
    text: str


def occurrences(text: str, old: str) -> list[int]:
    """Return where some words stand, none overlapping another."""
    found: list[int] = []
    at = text.find(old)
    while at >= 0:
        found.append(at)
        at = text.find(old, at + len(old))
    return found


def matches(text: str, old: str, *, replace_all: bool) -> list[int]:
    """Return where an edit must be made; raise when that is nowhere, or not clear."""
    if not old:
        raise InvalidArgument(
            "oldString is empty.",
            hint="Send words that stand in the document; to replace all of it use `write`.",
            parameter="oldString",
        )
    found = occurrences(text, old)
    if not found:
        raise _nowhere(text, old)
    if len(found) > 1 and not replace_all:
        raise _several(text, old, found)
    return found


def replacing(found: Sequence[int], old: str, new: str) -> list[Splice]:
    """Return the splices that put new words in the place of old ones."""
    return [Splice(at, at + len(old), new) for at in found]


def check_size(text: str) -> str:
    """Return a text that is not too large for a document."""
    if 4 * len(text) <= limits.DOCUMENT_BYTES_MAX:
        return text
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > limits.DOCUMENT_BYTES_MAX:
        raise LimitExceeded(
            f"The document would have {size:,} bytes; the limit is {limits.DOCUMENT_BYTES_MAX:,}.",
            hint="Split it into several documents that link to each other.",
            limit=limits.DOCUMENT_BYTES_MAX,
            size=size,
        )
    return text


# ---------------------------------------------------------------- errors that teach


def _several(text: str, old: str, found: Sequence[int]) -> Conflict:
    places = [place(text, at, at + len(old)) for at in found[: limits.PLACES_SHOWN]]
    shown = "; ".join(f"line {one.line}: …{one.text}…" for one in places)
    return Conflict(
        f"oldString occurs {len(found)} times: {shown}.",
        hint="Send more of the words around the one you mean, or replaceAll: true.",
        parameter="oldString",
        count=len(found),
        places=[msgspec.to_builtins(one) for one in places],
    )


def _nowhere(text: str, old: str) -> NotFound:
    near = nearest(text, old)
    if near is None:
        hint = "Read the document again with read_document and copy the words as they stand."
        return NotFound(
            "oldString does not occur in the document.", hint=hint, parameter="oldString"
        )
    why = _difference(old, near)
    return NotFound(
        f"oldString does not occur in the document{why}. The nearest text is: {near!r}.",
        hint="Send that text as oldString, exactly as it stands, if it is what you mean.",
        parameter="oldString",
        nearest=near,
    )


def _difference(old: str, near: str) -> str:
    if _plain(old) != _plain(near):
        return ""
    if unicodedata.normalize("NFC", old) == unicodedata.normalize("NFC", near):
        return ", but in another Unicode form"
    return ", but with other blanks, line ends or quotation marks"


_FORMS = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\u00a0": " "})


def _plain(text: str) -> str:
    """Return a text without what models and editors like to change."""
    return " ".join(unicodedata.normalize("NFKC", text).translate(_FORMS).split())


def nearest(text: str, old: str) -> str | None:
    """Return the lines of a text that look most like some words; None if none do."""
    lines = text.splitlines(keepends=True)
    height = max(len(old.splitlines()), 1)
    words = set(re.findall(r"\w+", _plain(old).casefold()))
    if not words:
        return None
    scored = sorted(
        (
            (len(words & set(re.findall(r"\w+", line.casefold()))), -at)
            for at, line in enumerate(lines)
        ),
        reverse=True,
    )[:_CANDIDATES]
    starts = {max(0, -at - shift) for hits, at in scored if hits for shift in range(min(height, 4))}
    wanted = _plain(old)
    best, chosen = 0.5, None
    for start in sorted(starts):
        window = "".join(lines[start : start + height]).rstrip("\r\n")
        score = SequenceMatcher(None, wanted, _plain(window)[:4_000], autojunk=False).ratio()
        if score > best:
            best, chosen = score, window
    return _narrowed(chosen, old) if chosen is not None else None


def _narrowed(window: str, old: str) -> str:
    """Return the part of a line that an edit of a few words is about."""
    if "\n" in old or len(window) < 3 * len(old):
        return window
    match = SequenceMatcher(None, window, old, autojunk=False)
    blocks = [block for block in match.get_matching_blocks() if block.size > 2]
    if not blocks:
        return window
    start, end = blocks[0].a, blocks[-1].a + blocks[-1].size
    while start > 0 and not window[start - 1].isspace():
        start -= 1
    while end < len(window) and not window[end].isspace():
        end += 1
    return window[start:end]


def place(text: str, start: int, end: int) -> Place:
    """Return where a span stands, for a person to find it."""
    above = [one for one in sections(text) if one.start <= start]
    low = max(text.rfind("\n", 0, start) + 1, start - _CONTEXT)
    high = text.find("\n", end)
    high = min(len(text) if high < 0 else high, end + _CONTEXT)
    return Place(
        text.count("\n", 0, start) + 1, path_name(above[-1].path) if above else "", text[low:high]
    )
