"""The text of a PDF file as Markdown: paragraph by paragraph, page by page."""

import re
from collections.abc import Iterator, Sequence
from io import BytesIO
from statistics import quantiles

from strata.base import limits
from strata.base.errors import InvalidArgument, LimitExceeded
from strata.documents.files.escaping import escaped, escaped_line

_SPACES = re.compile(r"[ \t\u00a0]+")
_HYPHEN = re.compile(r"[^\W\d_]-$")
_ENDS = tuple(".!?:;。！？…”\"')")
# Of the width of a full line: what is shorter, and ends a sentence, ends its paragraph.
_SHORT = 0.85


def pdf_markdown(data: bytes) -> str:
    """Return the text of a PDF file as Markdown; one of pictures has none."""
    from pypdf import PdfReader  # noqa: PLC0415  (slow to load, and seldom needed)
    from pypdf.errors import PyPdfError  # noqa: PLC0415

    try:
        reader = PdfReader(BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise InvalidArgument(
                "This file is protected by a password.",
                hint="Save it without one, and send it again.",
                parameter="file",
            )
        count = len(reader.pages)
        if count > limits.FILE_PAGES_MAX:
            raise LimitExceeded(
                f"A file may have {limits.FILE_PAGES_MAX:,} pages; this one has {count:,}.",
                limit=limits.FILE_PAGES_MAX,
                size=count,
            )
        pages = [page_markdown(page.extract_text()) for page in reader.pages]
    except (InvalidArgument, LimitExceeded, MemoryError):
        raise
    except (PyPdfError, Exception) as error:  # noqa: BLE001  (broken files raise anything)
        raise InvalidArgument(
            f"This is no PDF file that can be read: {str(error)[:100]}.",
            hint="Save it again, and send the whole file.",
            parameter="file",
        ) from None
    if len(pages) == 1:
        return pages[0]
    shown = [(number, text) for number, text in enumerate(pages, 1) if text]
    return "\n".join(f"## Page {number}\n\n{text}" for number, text in shown)


def page_markdown(text: str) -> str:
    """Return the lines of a page as paragraphs.

    >>> page_markdown("The first sen-\\ntence.\\n\\nSecond.")
    'The first sentence.\\n\\nSecond.\\n'
    """
    lines = [_SPACES.sub(" ", line).strip() for line in text.replace("\0", "").splitlines()]
    widths = [len(line) for line in lines if line]
    full = quantiles(widths, n=10)[8] if len(widths) > 1 else 0
    parts = [escaped_line(escaped(_together(one))) for one in _paragraphs(lines, full)]
    return "".join(f"{part}\n\n" for part in parts).removesuffix("\n")


def _paragraphs(lines: Sequence[str], full: float) -> Iterator[list[str]]:
    """Yield the lines of each paragraph: an empty line ends one, and a short one that ends one."""
    found: list[str] = []
    for line in lines:
        if line:
            found.append(line)
        is_last = not line or (line.endswith(_ENDS) and len(line) < full * _SHORT)
        if is_last and found:
            yield found
            found = []
    if found:
        yield found


def _together(lines: Sequence[str]) -> str:
    text = lines[0]
    for line in lines[1:]:
        # A word that was divided at the end of a line goes on with a small letter.
        is_divided = _HYPHEN.search(text) is not None and line[:1].islower()
        text = text[:-1] + line if is_divided else f"{text} {line}"
    return text
