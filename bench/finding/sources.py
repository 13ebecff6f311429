"""Running text with the words people really use: what Python says about itself.

It is on every machine that can run this, differs little between versions, and has common
words, rare words and identifiers in the proportions of technical prose.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from pydoc_data.topics import topics

_LIBRARY = Path(os.__file__).parent
_LEFT_OUT = frozenset({"site-packages", "dist-packages", "test", "tests", "__pycache__"})
_DOCSTRING = re.compile(r'"""(.*?)"""', re.DOTALL)
_COMMENT = re.compile(r"(?:^[ \t]*#.*\n){2,}", re.MULTILINE)
_COMMENT_SIGN = re.compile(r"^[ \t]*#+", re.MULTILINE)
_SENTENCE_END = re.compile(r"(?<=[.!?:])\s+|\n\s*\n")
# Below this share of letters it is a table or an example, not a sentence.
_LETTERS_MIN = 0.6


def sentences() -> list[list[str]]:
    """Return tens of thousands of different sentences as words, always in the same order."""
    found: dict[str, list[str]] = {}
    for text in _texts():
        for sentence in _SENTENCE_END.split(text):
            words = sentence.split()
            if 5 <= len(words) <= 40 and _is_prose(sentence):
                found.setdefault(" ".join(words), words)
    return list(found.values())


def _texts() -> Iterator[str]:
    for name in sorted(topics):
        yield topics[name]
    for path in sorted(_LIBRARY.rglob("*.py")):
        if _LEFT_OUT.isdisjoint(path.relative_to(_LIBRARY).parts):
            source = path.read_text(encoding="utf-8", errors="replace")
            yield from _DOCSTRING.findall(source)
            yield from (_COMMENT_SIGN.sub("", block) for block in _COMMENT.findall(source))


def _is_prose(sentence: str) -> bool:
    return sum(map(str.isalpha, sentence)) > _LETTERS_MIN * len(sentence)
