"""Code in colours: the words of a program in spans with short classes, nothing inline."""

from collections.abc import Iterable, Iterator
from functools import cache
from io import StringIO
from time import monotonic
from typing import TypeVar

from markdown_it.common.utils import escapeHtml
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name  # pyright: ignore[reportUnknownVariableType]
from pygments.util import ClassNotFound

T = TypeVar("T")
# Languages by the name that pygments has for each. Of its hundreds, many read some texts in time
# that grows with their square or worse, and nothing else runs while one pattern is looked for.
_LANGUAGES = frozenset(
    "bash batch c clojure cmake console cpp csharp css dart diff docker elixir erlang fortran "
    "go graphql haskell html http ini java javascript json julia kotlin less lua make "
    "markdown nginx nimrod nixos ocaml output perl php powershell protobuf pycon python ruby "
    "rust scala scheme scss splus sql swift tex toml typescript vim xml yaml zig".split()
)
# Longer code is data, and is not coloured.
_BLOCK_CHARACTERS_MAX = 20_000
_LINE_CHARACTERS_MAX = 1_000
_PAGE_CHARACTERS_MAX = 300_000
# For all blocks of a page, in seconds: what takes longer was made to.
_PAGE_S = 2.0


class Painter:
    """Colours the code of one page, until that is enough."""

    def __init__(self) -> None:
        self._left = _PAGE_CHARACTERS_MAX
        self._left_s = _PAGE_S

    def block(self, source: str, language: str) -> str:
        """Return a block of code as HTML."""
        return (
            f'<pre tabindex="0"><code class="block">{self._inner(source, language)}</code></pre>\n'
        )

    def _inner(self, source: str, language: str) -> str:
        lexer = _lexer(language.lower()[:40]) if language else None
        is_long = len(source) > min(_BLOCK_CHARACTERS_MAX, self._left)
        if lexer is None or is_long or _has_long_line(source) or self._left_s <= 0:
            return escapeHtml(source)
        self._left -= len(source)
        began = monotonic()
        painted = _painted(source, lexer, until=began + self._left_s)
        self._left_s -= monotonic() - began
        return escapeHtml(source) if painted is None else painted


def _has_long_line(source: str) -> bool:
    return any(len(line) > _LINE_CHARACTERS_MAX for line in source.split("\n"))


def _painted(source: str, lexer: Lexer, *, until: float) -> str | None:
    """Return code in colours; None where that would take too long."""
    html = StringIO()
    try:
        _formatter().format(_timely(lexer.get_tokens(source), until), html)
    except TimeoutError:
        return None
    return html.getvalue()


def _timely(words: Iterable[T], until: float) -> Iterator[T]:
    for word in words:
        if monotonic() > until:
            raise TimeoutError
        yield word


@cache
def _formatter() -> "HtmlFormatter[str]":
    return HtmlFormatter(nowrap=True)


@cache
def _known(language: str) -> Lexer:
    return get_lexer_by_name(language, stripnl=False, ensurenl=False)


def _lexer(language: str) -> Lexer | None:
    """Return what reads a language; None for an unknown one, or one that takes too long."""
    try:
        found = _known(language)
    except ClassNotFound:
        return None
    return found if found.aliases[0] in _LANGUAGES else None
