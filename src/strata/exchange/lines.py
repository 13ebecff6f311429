"""Reading a file line by line, and what may be wrong with a line."""

import codecs
from collections.abc import Iterator
from typing import BinaryIO, TypeAlias

import msgspec

from strata.base import limits
from strata.base.errors import StrataError
from strata.exchange.records import Record, read_record


class Flaw(msgspec.Struct, frozen=True):
    """A line that cannot be used, and why."""

    line: int
    reason: str


# What a reader yields: the number of a line, and the record that begins there.
Parsed: TypeAlias = tuple[int, Record] | Flaw


def numbered(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file with their numbers; raise ValueError for one without an end."""
    number, most = 0, limits.EXCHANGE_LINE_BYTES_MAX
    while line := file.readline(most + 1):
        number += 1
        if len(line) > most:
            raise ValueError(f"line {number} has more than {most:,} bytes")
        yield number, line.removeprefix(codecs.BOM_UTF8) if number == 1 else line


def read_jsonl(file: BinaryIO) -> Iterator[Parsed]:
    """Yield the records of an export in JSON Lines; the first line that says anything heads it."""
    is_header = True
    for number, line in numbered(file):
        if not line.strip():
            continue
        if not is_header:
            yield read_line(number, line)
        is_header = False


def read_line(number: int, line: bytes) -> Parsed:
    """Return the record on a line, or what is wrong with it."""
    try:
        return number, read_record(line)
    except (ValueError, RecursionError, StrataError) as error:
        return Flaw(number, reason_of(error))


def reason_of(error: Exception) -> str:
    """Return what an error says, as a part of a sentence."""
    if isinstance(error, StrataError):
        return error.message.rstrip(".")
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8 text"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    return str(error) or type(error).__name__
