"""Finding the words that an edit means, and telling what to send instead when it cannot."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from heapq import nlargest

import msgspec

from strata.base import limits
from strata.base.errors import Conflict, InvalidArgument, LimitExceeded, NotFound
from strata.base.normal import normal
from strata.documents.markdown import Section, path_name, sections
from strata.documents.text import Splice, splices

# A line is compared letter by letter only if it shares words with what was looked for.
_CANDIDATES = 40
# Comparing takes the product of two lengths, while everybody else waits to write. So only the
# beginnings are compared, and letter by letter only those that have the same letters at all.
_COMPARED_CHARACTERS = 1_000
_COMPARED = 8
# In so short a quotation two equal letters are no accident.
_FEW_CHARACTERS = 20
_CONTEXT = 60
# What an error repeats of a text is for finding it there.
_SHOWN_CHARACTERS = 2_000


class TextPlace(msgspec.Struct, frozen=True):
    """The place of some words: the line, the headings above, and the words around them."""

    line: int
    section: str
    text: str


class QuoteWords(msgspec.Struct, frozen=True):
    """What errors call words that a caller quotes from a text, and what they advise.

    The words are understood in a terminal, in Python and by an agent; `parameter` is that of the
    SDK. Tools name their own parameters and calls: see `strata.tools.documents.group`.
    """

    parameter: str = "old"
    called: str = "The text to replace"
    if_several: str = "Give more of the words around the one you mean, or replace all of them."
    if_empty: str = "Give words of the document; to replace all of it, write the whole text."


_EDIT = QuoteWords()


def occurrences(text: str, old: str) -> list[int]:
    """Return the places of some words, none overlapping another."""
    found: list[int] = []
    at = text.find(old)
    while at >= 0:
        found.append(at)
        at = text.find(old, at + len(old))
    return found


def matches(text: str, old: str, *, replace_all: bool) -> list[int]:
    """Return where an edit must be made; raise when that is nowhere, or not clear."""
    found = find_quoted(text, old)
    if len(found) > 1 and not replace_all:
        raise several(text, old, found)
    return found


def find_quoted(text: str, words: str, quoted: QuoteWords = _EDIT) -> list[int]:
    """Return the places of some words; raise if there are none."""
    if not words:
        raise InvalidArgument(
            f"{quoted.called} is empty.", hint=quoted.if_empty, parameter=quoted.parameter
        )
    found = occurrences(text, words)
    if not found:
        raise _nowhere(text, words, quoted)
    return found


def replacing(found: Sequence[int], old: str, new: str) -> list[Splice]:
    """Return the splices that put new words in the place of old ones.

    Only what differs is changed, so that anchors in the rest stay.
    """
    parts = splices(old, new)
    return [Splice(at + one.start, at + one.end, one.text) for at in found for one in parts]


def check_size(text: str) -> str:
    """Return a text that is not too large for a document."""
    if 4 * len(text) > limits.DOCUMENT_BYTES_MAX:
        check_bytes(len(text.encode("utf-8", "surrogatepass")))
    return text


def check_bytes(size: int) -> None:
    """Raise for a size that no document may have."""
    if size > limits.DOCUMENT_BYTES_MAX:
        raise LimitExceeded(
            f"The document would have {size:,} bytes; the limit is {limits.DOCUMENT_BYTES_MAX:,}.",
            hint="Split it into several documents that link to each other.",
            limit=limits.DOCUMENT_BYTES_MAX,
            size=size,
        )


def check_suggested(count: int) -> None:
    """Refuse an edit that would be kept as more suggestions than a user reads."""
    most = limits.SUGGESTIONS_OF_ONE_WRITE
    if count > most:
        raise LimitExceeded(
            f"This edit would become {count:,} suggestions; {most:,} may come of one.",
            hint="Suggest it for fewer words, or write the whole text anew.",
            limit=most,
            size=count,
        )


# ---------------------------------------------------------------- errors that teach


def several(
    text: str, words: str, found: Sequence[int], *, quoted: QuoteWords = _EDIT, where: str = ""
) -> Conflict:
    """Return the error for words that occur more than once; it shows some of the places."""
    seen = places(text, [(at, at + len(words)) for at in found[: limits.PLACES_SHOWN]])
    shown = "; ".join(f"line {one.line}: …{one.text}…" for one in seen)
    return Conflict(
        f"{quoted.called} occurs {len(found)} times{where}: {shown}.",
        hint=quoted.if_several,
        parameter=quoted.parameter,
        count=len(found),
        places=[msgspec.to_builtins(one) for one in seen],
    )


def _nowhere(text: str, old: str, quoted: QuoteWords) -> NotFound:
    near = nearest(text, old)
    said = f"{quoted.called} does not occur in the document"
    if near is None:
        hint = "Read the document again, and copy the words exactly."
        return NotFound(f"{said}.", hint=hint, parameter=quoted.parameter)
    why = _difference(old, near)
    return NotFound(
        f"{said}{why}. The nearest text is: {near!r}.",
        hint="Use that text instead, exactly as it is there, if it is what you mean.",
        parameter=quoted.parameter,
        nearest=near,
    )


def _difference(old: str, near: str) -> str:
    if _plain(old) != _plain(near):
        return ""
    if normal("NFC", old) == normal("NFC", near):
        return ", but in another Unicode form"
    return ", but with other blanks, line ends or quotation marks"


_FORMS = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\u00a0": " "})


def _plain(text: str) -> str:
    """Return a text without what models and editors like to change."""
    return " ".join(normal("NFKC", text).translate(_FORMS).split())


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
    windows = ("".join(lines[at : at + height]).rstrip("\r\n") for at in sorted(starts))
    chosen = _likest(list(dict.fromkeys(windows)), old)
    return None if chosen is None else _narrowed(chosen, old)[:_SHOWN_CHARACTERS]


def _likest(windows: Sequence[str], old: str) -> str | None:
    """Return what looks most like some words; None if nothing looks like half of them."""
    wanted = _plain(old[: 2 * _COMPARED_CHARACTERS])[:_COMPARED_CHARACTERS]
    matcher = SequenceMatcher(None, "", wanted, autojunk=False)

    def compared(window: str) -> SequenceMatcher[str]:
        matcher.set_seq1(_plain(window[: 2 * _COMPARED_CHARACTERS])[:_COMPARED_CHARACTERS])
        return matcher

    def is_within(window: str) -> bool:
        return wanted in _plain(window)

    def promise(window: str) -> float:
        return 1.0 if is_within(window) else compared(window).quick_ratio()

    def likeness(window: str) -> float:
        if is_within(window):
            return 1.0
        # A few words of a long line are like the part of it that they are about.
        return max(compared(window).ratio(), compared(_narrowed(window, old)).ratio())

    fitting = nlargest(_COMPARED, windows, key=promise)
    scored = [(likeness(one), one) for one in fitting]
    best = max(scored, key=lambda one: one[0], default=(0.0, ""))
    return best[1] if best[0] > 0.5 else None


def _narrowed(window: str, old: str) -> str:
    """Return the part of a line that an edit of a few words is about."""
    is_long = len(window) * len(old) > _COMPARED_CHARACTERS**2
    if "\n" in old or len(window) < 3 * len(old) or is_long:
        return window
    match = SequenceMatcher(None, window, old, autojunk=False)
    least = 2 if len(old) < _FEW_CHARACTERS else 3
    blocks = [block for block in match.get_matching_blocks() if block.size >= least]
    if not blocks:
        return window
    start, end = blocks[0].a, blocks[-1].a + blocks[-1].size
    while start > 0 and not window[start - 1].isspace():
        start -= 1
    while end < len(window) and not window[end].isspace():
        end += 1
    return window[start:end]


def place(text: str, start: int, end: int) -> TextPlace:
    """Return the place of a span, for a user to find it."""
    return places(text, [(start, end)])[0]


def places(text: str, spans: Sequence[tuple[int, int]]) -> list[TextPlace]:
    """Return the places of spans; the headings of a text are looked for once."""
    known = sections(text) if spans else []
    return [_place(text, known, span) for span in spans]


def _place(text: str, known: Sequence[Section], span: tuple[int, int]) -> TextPlace:
    start, end = span
    above = [one for one in known if one.start <= start]
    low = max(text.rfind("\n", 0, start) + 1, start - _CONTEXT)
    high = text.find("\n", end)
    high = min(len(text) if high < 0 else high, end + _CONTEXT)
    return TextPlace(
        text.count("\n", 0, start) + 1,
        path_name(above[-1].path) if above else "",
        _shortened(text[low:high]),
    )


def _shortened(text: str) -> str:
    """Return the two ends of a text that is too long to be repeated."""
    half = _SHOWN_CHARACTERS // 2
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:half]} … {text[-half:]}"
