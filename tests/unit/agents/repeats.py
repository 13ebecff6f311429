"""Notes in which some texts and passages were copied, and altered a little; and others that only
look alike: forms that many were made from, the same subject, a phrase that everybody uses.
"""

from random import Random
from typing import NamedTuple

from tests.unit.agents.journals import _DID, _KO, _SUBJECTS, _WHEN
from tests.unit.agents.notebooks import Planned, Prose

_FORM = """\
## Status of the week

Every week each team tells what was done, what comes next and what stands in the way of it.

### Done

{done}

### Next

{next}

Please send corrections to the office before Tuesday at noon, so that the summary can go out.
"""
_FOOTER = (
    "This page is for internal use. Copies outside the company need a written permission of the"
    " legal team, which answers within three working days."
)
_PHRASE = "at the end of the day it is what it is"


class Repeated(NamedTuple):
    """Notes, and the pairs of titles that share a text or a passage."""

    notes: list[Planned]
    pairs: set[frozenset[str]]


def repeated_notes(seed: int, count: int = 200) -> Repeated:
    """Return notes with fifteen near-duplicates and fifteen copied passages among them."""
    random = Random(seed)
    prose = Prose(random)
    texts = {f"Note {number}": _text(random, prose) for number in range(count - 15)}
    titles = list(texts)
    pairs: set[frozenset[str]] = set()
    for number, source in enumerate(random.sample(titles, 15)):
        copy = f"Copy {number}"
        texts[copy] = _altered(random, texts[source], 0.06)
        pairs.add(frozenset((source, copy)))
    for _ in range(15):
        one, other = random.sample(titles, 2)
        passage = " ".join(prose.paragraph(4, korean=random.random() < 0.4))
        texts[one] += f"\n\n{passage}"
        texts[other] = f"{_altered(random, passage, 0.03)}\n\n{texts[other]}"
        pairs.add(frozenset((one, other)))
    _make_alike(random, prose, texts)
    return Repeated([Planned(title, f"{text}\n") for title, text in texts.items()], pairs)


def _text(random: Random, prose: Prose) -> str:
    korean = random.random() < 0.3
    parts = [
        prose.paragraph(random.randint(3, 6), korean=korean) for _ in range(random.randint(2, 4))
    ]
    return "\n\n".join(" ".join(part) for part in parts)


def _make_alike(random: Random, prose: Prose, texts: dict[str, str]) -> None:
    """Give some notes a form, a footer or a phrase in common."""
    fresh = [title for title in texts if title.startswith("Note")]
    for title in random.sample(fresh, 14):
        done, coming = (" ".join(prose.paragraph(3, korean=False)) for _ in range(2))
        texts[title] = f"{texts[title]}\n\n{_FORM.format(done=done, next=coming)}"
    for title in random.sample(fresh, 12):
        texts[title] = f"{texts[title]}\n\n{_FOOTER}"
    for title in random.sample(fresh, 3):
        texts[title] = f"{texts[title]}\n\nAnd {_PHRASE}, they say."


def _altered(random: Random, text: str, share: float) -> str:
    """Return a text with some words replaced, and now and then one more."""
    words = text.split(" ")
    for at, word in enumerate(words):
        if random.random() < share and "\n" not in word:
            words[at] = random.choice(("indeed", "somewhat", "다소", word + " too"))
    return " ".join(words)


def repeated_journals(seed: int, count: int = 200) -> Repeated:
    """Return diaries in which some days were written twice: shortened, turned round, continued."""
    random = Random(seed)
    days = {f"Day {number}": _day(random) for number in range(count - 20)}
    titles = list(days)
    pairs: set[frozenset[str]] = set()
    for number, source in enumerate(random.sample(titles, 20)):
        lines = list(days[source])
        del lines[random.randrange(len(lines))]
        half = len(lines) // 2
        if random.random() < 0.5:
            lines = lines[half:] + lines[:half]
        copy = f"Fair copy {number}"
        days[copy] = lines + [_sentence(random) for _ in range(random.randint(0, 3))]
        pairs.add(frozenset((source, copy)))
    for _ in range(12):
        one, other = random.sample(titles, 2)
        passage = [_sentence(random) for _ in range(4)]
        days[one] = [*days[one], *passage]
        days[other] = [*passage, *days[other]]
        pairs.add(frozenset((one, other)))
    notes = [Planned(title, " ".join(lines) + "\n") for title, lines in days.items()]
    return Repeated(notes, pairs)


def _day(random: Random) -> list[str]:
    return [_sentence(random) for _ in range(random.randint(7, 12))]


def _sentence(random: Random) -> str:
    """Return a sentence that is unlikely to be met twice."""
    number = random.randrange(10_000)
    if random.random() < 0.3:
        return f"{random.choice(_KO)[:-1]} 그때가 {number}번째였다고 {random.choice(_KO)}"
    return (
        f"{random.choice(_SUBJECTS)} {random.choice(_DID)} {random.choice(_WHEN)}, and"
        f" {number} others {random.choice(_DID)} while {random.choice(_SUBJECTS).lower()}"
        f" {random.choice(_DID)}."
    )
