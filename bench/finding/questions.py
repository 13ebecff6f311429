"""What is asked: questions in the texts' own words, the commonest words, and identifiers."""

import random
import re
from collections import Counter
from itertools import combinations

import msgspec

from finding import korean
from finding.items import Item

# As people ask: these are drawn as often as they occur, and left out of the commonest words.
_STOP_WORDS = frozenset(
    "a about all also an and any are as at be because been but by can do does for from has have he"
    " her his how i if in into is it its may more must no not of on one only or other out she"
    " should so some such than that the their them then there these they this to up use used was we"
    " were what when where which who will with would you your".split()
)
_WORD = re.compile(r"[A-Za-z][A-Za-z']+")
_IDENTIFIER = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b|\b[a-z]+(?:[A-Z][a-z]+)+\b|\b[a-z]+\.[a-z]{3,}\b")
_ASKED = ("", "how does", "what is", "why is", "where do we", "when was", "who")
_KOREAN_EVERY = 25


class Questions(msgspec.Struct, frozen=True):
    """Three kinds of questions; each is asked with a latency of its own."""

    everyday: list[str]
    commonest: list[str]
    identifiers: list[str]


def questions(items: list[Item], *, count: int = 200, seed: int = 11) -> Questions:
    """Return questions about some items, the same ones at every run."""
    rng = random.Random(seed)
    texts = [item.text for item in items]
    words = Counter(word.lower() for text in texts for word in _WORD.findall(text))
    everyday = [_everyday(words, rng, number) for number in range(count)]
    telling = [word for word, _ in words.most_common(200) if word not in _STOP_WORDS][:20]
    pairs = [" ".join(pair) for pair in combinations(telling, 2)]
    names = sorted({name for text in texts for name in _IDENTIFIER.findall(text)})
    return Questions(everyday, rng.sample(pairs, 60), rng.sample(names, min(60, len(names))))


def _everyday(words: Counter[str], rng: random.Random, number: int) -> str:
    """Draw three to nine words by how often they occur."""
    if number % _KOREAN_EVERY == 0:
        return korean.question(rng)
    start = rng.choice(_ASKED).split()
    drawn = rng.choices(list(words), list(words.values()), k=rng.randint(3, 9) - len(start))
    return " ".join([*start, *drawn]) + ("?" if start else "")
