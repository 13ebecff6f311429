"""Reading one large JSON document element by element, so that it never lies in memory whole."""

import codecs
import json
import re
from collections.abc import Iterator
from typing import BinaryIO

from strata.base import limits

_CHUNK_BYTES = 256 * 1024
_BLANKS = re.compile(r"[ \t\r\n]*")


def elements(file: BinaryIO) -> Iterator[tuple[int, str, object]]:
    """Yield (line, member, element) of a list, or of the lists that an object holds.

    The member is "" in a list. Raises ValueError for what is no JSON, naming the line.
    """
    text = _Text(file)
    try:
        yield from _document(text)
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else _reason(error)
        raise ValueError(f"line {text.line} is no JSON: {reason}") from error


def _reason(error: Exception) -> str:
    # The decoder's own places count from the last chunk that was read.
    return error.msg if isinstance(error, json.JSONDecodeError) else str(error)


def _document(text: "_Text") -> Iterator[tuple[int, str, object]]:
    if text.peek() == "[":
        yield from _list(text, "")
    else:
        yield from _object(text)
    if text.peek():
        raise ValueError("there is text after its end")


def _list(text: "_Text", member: str) -> Iterator[tuple[int, str, object]]:
    text.expect("[")
    while text.peek() != "]":
        line = text.line
        yield line, member, text.value()
        if not text.goes_on():
            break
    text.expect("]")


def _object(text: "_Text") -> Iterator[tuple[int, str, object]]:
    text.expect("{")
    while text.peek() != "}":
        member = text.value()
        if not isinstance(member, str):
            raise ValueError("a name is missing")
        text.expect(":")
        if text.peek() == "[":
            yield from _list(text, member)
        else:
            text.value()
        if not text.goes_on():
            break
    text.expect("}")


class _Text:
    """The part of a document that is being read."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._decode = codecs.getincrementaldecoder("utf-8-sig")().decode
        self._decoder = json.JSONDecoder(parse_constant=_refuse)
        self._text, self._at, self._is_over = "", 0, False
        self.line = 1

    def peek(self) -> str:
        """Return the next character that is not blank; "" at the end."""
        while True:
            blanks = _BLANKS.match(self._text, self._at)
            assert blanks is not None, "no blanks are blanks too"
            self._move(blanks.end())
            if self._at < len(self._text) or not self._more():
                return self._text[self._at : self._at + 1]

    def expect(self, character: str) -> None:
        """Go past a character that is required here."""
        if self.peek() != character:
            raise ValueError(f"{character!r} is missing")
        self._move(self._at + 1)

    def goes_on(self) -> bool:
        """Go past a comma, if there is one; a value has to follow it."""
        if self.peek() != ",":
            return False
        self.expect(",")
        if self.peek() in "]}":
            raise ValueError("nothing follows a comma")
        return True

    def value(self) -> object:
        """Return the value that begins here."""
        self.peek()
        while True:
            try:
                found, end = self._decoder.raw_decode(self._text, self._at)
            except ValueError:
                if not self._more():
                    raise
                continue
            # A number may go on in what was not read yet.
            if end < len(self._text) or not self._more():
                self._move(end)
                return found

    def _move(self, end: int) -> None:
        self.line += self._text.count("\n", self._at, end)
        self._at = end

    def _more(self) -> bool:
        """Read on; drop what was used. Reads twice as much each time that was not enough."""
        if self._is_over:
            return False
        rest = self._text[self._at :]
        if len(rest) > limits.EXCHANGE_LINE_BYTES_MAX:
            raise ValueError(f"an element has more than {limits.EXCHANGE_LINE_BYTES_MAX:,} bytes")
        data = self._file.read(max(_CHUNK_BYTES, len(rest)))
        self._is_over = not data
        self._text, self._at = rest + self._decode(data, final=not data), 0
        return not self._is_over


def _refuse(word: str) -> object:
    raise ValueError(f"{word} is no JSON number")
