"""Where the tables and pairs of a TOML text are. The text was read by tomllib before."""

import re
import tomllib
from collections.abc import Iterator
from typing import NamedTuple

_KEY = re.compile(r"""(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[A-Za-z0-9_-]+|[ \t]*\.[ \t]*)+""")
_BLANK = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\r?\n)*[ \t]*(?:#[^\n]*)?")
_SPACE = re.compile(r"[ \t]*")
# A whole string of any of the four sorts, or a remark.
_CLOSED = re.compile(
    r"""
      \"{3} (?: [^\\] | \\. )*? \"{3,5}
    | '{3} .*? '{3,5}
    | " (?: [^"\\\n] | \\. )* "
    | ' [^'\n]* '
    | \# [^\n]*
    """,
    re.DOTALL | re.VERBOSE,
)

TomlPath = tuple[str, ...]


class TomlPair(NamedTuple):
    """`key = value` on one line or more."""

    path: TomlPath
    value_start: int
    value_end: int
    end: int


class TomlSection(NamedTuple):
    """A header with the pairs below it; the root has no header and an empty path."""

    path: TomlPath
    is_array: bool
    start: int
    head_end: int
    pairs: tuple[TomlPair, ...]

    @property
    def end(self) -> int:
        """Where its last line ends; remarks below it belong to what follows."""
        return self.pairs[-1].end if self.pairs else self.head_end


def sections(text: str) -> Iterator[TomlSection]:
    """Yield the root and each table, in order."""
    at = _skip(text, 0)
    path: TomlPath = ()
    is_array, start, head_end = False, 0, 0
    pairs: list[TomlPair] = []
    while at < len(text):
        if text[at] != "[":
            pairs.append(_pair(text, at))
            at = _skip(text, pairs[-1].end)
            continue
        yield TomlSection(path, is_array, start, head_end, tuple(pairs))
        start, pairs = text.rfind("\n", 0, at) + 1, []
        is_array = text.startswith("[[", at)
        path, at = _key(text, at + (2 if is_array else 1))
        head_end = _line_end(text, at)
        at = _skip(text, head_end)
    yield TomlSection(path, is_array, start, head_end, tuple(pairs))


def _pair(text: str, at: int) -> TomlPair:
    path, at = _key(text, at)
    start = _space_end(text, text.index("=", at) + 1)
    end = _value_end(text, start)
    return TomlPair(path, start, end, _line_end(text, end))


def _key(text: str, at: int) -> tuple[TomlPath, int]:
    found = _KEY.match(text, _space_end(text, at))
    assert found is not None, "tomllib has read it"
    return _split(found.group()), found.end()


def _split(key: str) -> TomlPath:
    inner: object = tomllib.loads(f"{key} = 0")
    path: list[str] = []
    while isinstance(inner, dict):
        ((name, inner),) = inner.items()  # pyright: ignore[reportUnknownVariableType]
        path.append(str(name))  # pyright: ignore[reportUnknownArgumentType]
    return tuple(path)


def _value_end(text: str, at: int) -> int:
    """Return where a value ends, space and remarks behind it left out."""
    depth, end = 0, at
    while at < len(text):
        if text[at] == "\n" and depth == 0:
            return end
        closed = _CLOSED.match(text, at)
        if closed is not None and text[at] == "#" and depth == 0:
            return end
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(text[at], 0)
        at = at + 1 if closed is None else closed.end()
        if not text[at - 1].isspace():
            end = at
    return end


def _line_end(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found + 1


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    assert found is not None, "it matches nothing at all, too"
    return found.end()


def _space_end(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    assert found is not None, "it matches nothing at all, too"
    return found.end()
