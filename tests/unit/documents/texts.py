"""Long texts, edits of them, and putting splices into effect."""

import random
from collections.abc import Sequence

from strata.documents.text import Splice

_SYLLABLES = "ba ke lo mi nu ra si to ve zu 가 나 다 라 마".split()


def applied(old: str, found: Sequence[Splice]) -> str:
    """Return the text with every splice in its place; they must be in order and apart."""
    out: list[str] = []
    at = -1
    for one in found:
        assert at < one.start <= one.end <= len(old)
        out += (old[max(at, 0) : one.start], one.text)
        at = one.end
    return "".join(out) + old[max(at, 0) :]


def long_text(chance: random.Random, size: int) -> str:
    """Return lines of made-up words, a fifth of them empty."""
    words = ["".join(chance.choices(_SYLLABLES, k=chance.randint(1, 4))) for _ in range(5_000)]
    lines: list[str] = []
    length = 0
    while length < size:
        line = " ".join(chance.choices(words, k=chance.randint(3, 20))) + ".\n"
        lines += [line, "\n"] if chance.random() < 0.2 else [line]
        length += len(line)
    return "".join(lines)


def scattered(chance: random.Random, text: str, count: int) -> str:
    """Return the text with so many small edits in random places."""
    for _ in range(count):
        at = chance.randrange(len(text))
        put = chance.choice(["x", "새 낱말 몇 개 ", "\n새 줄\n", ""])
        text = text[:at] + put + text[at + chance.randint(0, 30) :]
    return text
