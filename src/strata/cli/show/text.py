"""Values as text for people: on one line, harmless to the terminal, measured as it shows them."""

import unicodedata

import msgspec

from strata.base.values import Json, decode

ELLIPSIS = "…"
# Escape codes and marks that turn the direction of writing could disguise what is shown.
_UNSAFE = {code: f"\\x{code:02x}" for code in (*range(0x20), *range(0x7F, 0xA0))} | {
    code: f"\\u{code:04x}" for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
}
_ONE_LINE = _UNSAFE | {ord("\n"): "\\n", ord("\t"): "\\t", ord("\r"): "\\r"}


def one_line(text: str) -> str:
    """Return text without line breaks and without anything that could command a terminal."""
    return text.translate(_ONE_LINE)


def inline(value: Json) -> str:
    """Show a value on one line: text as it is, unless it could be taken for JSON."""
    if isinstance(value, str) and not _reads_as_json(value):
        return one_line(value)
    return exact(value)


def exact(value: Json) -> str:
    """Show a value as JSON on one line."""
    return one_line(msgspec.json.encode(value).decode())


def pretty(value: Json) -> str:
    """Show a value as JSON over several lines."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def _reads_as_json(text: str) -> bool:
    try:
        decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return False
    return True


def width(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


def _columns(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def cut(text: str, columns: int) -> str:
    """Shorten a text to so many columns, with an ellipsis where something is missing."""
    if width(text) <= columns:
        return text
    kept: list[str] = []
    room = columns - 1
    for character in text:
        room -= _columns(character)
        if room < 0:
            break
        kept.append(character)
    return "".join(kept) + ELLIPSIS


def pad(text: str, columns: int, *, right: bool = False) -> str:
    """Fill a text with spaces to so many columns."""
    space = " " * (columns - width(text))
    return space + text if right else text + space
