"""The YAML between two lines of dashes at the very start of a document."""

import base64
import json
import math
import re
from datetime import date
from typing import cast

from msgspec import Struct

from strata.base.values import Json

# Fields describe a document; what is larger is data, and parsing it would cost every reader.
FRONTMATTER_BYTES_MAX = 64 * 1024
# Aliases can say much with few bytes; what they say together is bounded too.
FRONTMATTER_VALUES_MAX = 10_000
DEPTH_MAX = 32
# A number of more bits is a mistake, and takes long to write down.
_NUMBER_BITS_MAX = 1_024
_TOLD_MAX = 200
_TOO_MUCH = "line 2: too many values, or too deep"

_LINES = re.compile(r"\r\n|\n|\r")
_LINE_END = r"(?:\r\n|\n|\r(?!\n))"
_OPENING = re.compile(rf"\ufeff?---[ \t]*{_LINE_END}(?![ \t]*{_LINE_END})")
_CLOSING = re.compile(rf"(?:(?<=\n)|(?<=\r))(?:---|\.\.\.)[ \t]*(?:{_LINE_END}|\Z)")


class Frontmatter(Struct, frozen=True):
    """The fields in front of a document, where its text begins, and what is wrong with them."""

    values: dict[str, Json] = {}
    end: int = 0
    error: str | None = None


class _Refused(Exception):
    """The fields cannot be read, or say more than fields may."""


def frontmatter_end(text: str) -> int:
    """Return where the frontmatter ends; 0 when there is none."""
    block = _block(text)
    return block[1] if block else 0


def frontmatter(text: str) -> Frontmatter:
    """Read the fields in front of a document. What is wrong is in `error`, never raised.

    >>> frontmatter("---\\ntags: [가, 나]\\ndue: 2026-03-01\\n---\\n# Plan\\n").values
    {'tags': ['가', '나'], 'due': '2026-03-01'}
    """
    block = _block(text)
    if block is None:
        return Frontmatter()
    start, end = block
    try:
        return Frontmatter(values=_fields(text[start:end]), end=end)
    except _Refused as error:
        return Frontmatter(end=end, error=str(error))


def _block(text: str) -> tuple[int, int] | None:
    """Return where the YAML begins and where the document goes on behind it."""
    opening = _OPENING.match(text)
    closing = opening and _CLOSING.search(text, opening.end())
    return (opening.end(), closing.end()) if opening and closing else None


def _fields(source: str) -> dict[str, Json]:
    """Return the fields that a block of YAML, with its closing line, gives."""
    source = source.rstrip(" \t\r\n")[:-3]
    if len(source.encode("utf-8", "surrogatepass")) > FRONTMATTER_BYTES_MAX:
        raise _Refused(f"longer than {FRONTMATTER_BYTES_MAX} bytes")
    found = _loaded(source)
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise _Refused("line 2: not fields; write them as `name: value`, one a line")
    return cast("dict[str, Json]", _Json().of(cast("object", found), 0))


def _loaded(source: str) -> object:
    """Let PyYAML read, in C where it can."""
    import yaml  # noqa: PLC0415  (only documents with fields need it)

    from strata.documents.markdown import fields  # noqa: PLC0415

    try:
        return fields.load(source, DEPTH_MAX)
    except fields.TooDeep:
        raise _Refused(_TOO_MUCH) from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        # Marks count from 0, and the opening line of dashes is line 1.
        line = mark.line + 2 if mark else 2
        raise _Refused(f"line {line}: {str(error.problem)[:_TOLD_MAX]}") from None
    except yaml.reader.ReaderError as error:
        line = len(_LINES.findall(source, 0, error.position)) + 2
        raise _Refused(f"line {line}: a character that YAML does not allow") from None
    except (ValueError, OverflowError, RecursionError, TypeError) as error:
        raise _Refused(f"line 2: {str(error)[:_TOLD_MAX]}") from None


class _Json:
    """Makes JSON of what YAML gives, and counts, since aliases may repeat without end."""

    def __init__(self) -> None:
        self._left = FRONTMATTER_VALUES_MAX

    def of(self, value: object, depth: int) -> Json:
        self._left -= 1
        if self._left < 0 or depth > DEPTH_MAX:
            raise _Refused(_TOO_MUCH)
        if isinstance(value, dict):
            pairs = cast("dict[object, object]", value).items()
            return {self._key(key): self.of(inner, depth + 1) for key, inner in pairs}
        if isinstance(value, list | tuple | set):
            return [self.of(inner, depth + 1) for inner in cast("list[object]", value)]
        return _plain(value)

    def _key(self, key: object) -> str:
        plain = _plain(key)
        return plain if isinstance(plain, str) else json.dumps(plain)


def _plain(value: object) -> str | int | float | bool | None:
    """Return one value as JSON knows it; what JSON has no word for becomes text."""
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, int):
        if value.bit_length() > _NUMBER_BITS_MAX:
            raise _Refused("line 2: a number that is too long")
        return value if -(2**63) <= value < 2**63 else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    return value if value is None or isinstance(value, str) else str(value)
