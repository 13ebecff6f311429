"""The outliner: proposes headings for a long text that has none, or a table of contents.

Borders are put where the words change: of all ways to cut a text, the one is taken that makes its
words likeliest if every section has words of its own (Utiyama and Isahara, 2001). Headings are
words of the section itself, and no word of the text is changed.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import log
from typing import NamedTuple

from strata.agents.documents import AgentDocument, AgentDocuments
from strata.agents.findings import Findings
from strata.agents.prose import TextSpan, form_of, is_common, words
from strata.agents.running import TaskRun
from strata.agents.words import AgentWords

# What is shorter reads well without headings; a user who names a document wants them sooner.
_PARAGRAPHS, _WORDS = 8, 250
_PARAGRAPHS_NAMED, _WORDS_NAMED = 4, 80
# Cutting takes the square of their number.
_PARAGRAPHS_MAX = 400
# How many words of a paragraph are named so that a heading can be put before it.
_BEGINNING_WORDS = 8
_HEADING_WORDS = 3
_CONFIDENCE = 0.6


class _Stretch(NamedTuple):
    """Paragraphs that follow each other without a heading, and the level that one would have."""

    paragraphs: tuple[TextSpan, ...]
    level: int


def outline(run: TaskRun) -> str:
    """Propose headings, and tell which."""
    documents = AgentDocuments(run)
    findings = Findings(documents)
    for note in documents.notes(documents.targets()):
        if findings.is_full:
            break
        if documents.wanted.contents:
            _list_contents(note, findings, documents.words)
        else:
            _outline(note, findings, is_named=run.task.document is not None)
    return findings.output("contents" if documents.wanted.contents else "heading")


def _outline(note: AgentDocument, findings: Findings, *, is_named: bool) -> None:
    least = (_PARAGRAPHS_NAMED, _WORDS_NAMED) if is_named else (_PARAGRAPHS, _WORDS)
    for stretch in _stretches(note):
        forms = [_forms(note.text, span) for span in stretch.paragraphs]
        if len(forms) < least[0] or sum(map(len, forms)) < least[1]:
            continue
        starts = borders(forms)
        if len(starts) > 1:
            _propose(note, stretch, starts, findings=findings)


def _propose(
    note: AgentDocument, stretch: _Stretch, starts: Sequence[int], *, findings: Findings
) -> None:
    headings = _headings(note.text, stretch, starts)
    for start, heading in zip(starts, headings, strict=True):
        if findings.is_full:
            return
        place = _beginning(note.text, stretch.paragraphs[start])
        new = f"{'#' * stretch.level} {heading}\n\n{note.text[slice(*place)]}"
        findings.propose(
            note,
            place,
            new,
            line=f"{note.title}: {heading}",
            rationale=note.words.new_section,
            confidence=_CONFIDENCE,
        )


def _stretches(note: AgentDocument) -> list[_Stretch]:
    """Return where a text goes on without headings."""
    levels = [(section.body, section.end, section.level) for section in note.sections]
    found: list[_Stretch] = []
    for start, end, level in levels:
        inside = tuple(span for span in note.paragraphs if start <= span.start < end)
        found.append(_Stretch(inside[:_PARAGRAPHS_MAX], min(level + 1, 6) if level else 2))
    return found


def _forms(text: str, span: TextSpan) -> list[str]:
    return [word.form for word in words(text, span) if not is_common(word.form)]


def borders(paragraphs: Sequence[Sequence[str]]) -> list[int]:
    """Return where sections begin, by the number of the paragraph; the first begins at 0."""
    total = sum(map(len, paragraphs))
    distinct = len({form for paragraph in paragraphs for form in paragraph})
    price = log(max(total, 2))
    best: list[float] = [0.0] + [float("inf")] * len(paragraphs)
    came_from = [0] * (len(paragraphs) + 1)
    for start in range(len(paragraphs)):
        counts: Counter[str] = Counter()
        size, gain = 0, 0.0
        for end in range(start, len(paragraphs)):
            for form in paragraphs[end]:
                counts[form] += 1
                seen = counts[form]
                gain += seen * log(seen + 1) - (seen - 1) * log(seen)
            size += len(paragraphs[end])
            cost = best[start] + price + size * log(size + distinct) - gain
            if cost < best[end + 1]:
                best[end + 1], came_from[end + 1] = cost, start
    found: list[int] = []
    at = len(paragraphs)
    while at:
        at = came_from[at]
        found.append(at)
    return found[::-1]


def _headings(text: str, stretch: _Stretch, starts: Sequence[int]) -> list[str]:
    """Return a heading for each section: the words that it has and the others have not."""
    spans = [stretch.paragraphs[a:b] for a, b in pairwise([*starts, len(stretch.paragraphs)])]
    counts = [Counter(form for span in part for form in _forms(text, span)) for part in spans]
    everywhere: Counter[str] = Counter()
    for count in counts:
        everywhere.update(count.keys())
    taken: set[str] = set()
    found: list[str] = []
    for part, count in zip(spans, counts, strict=True):
        weights = {
            form: times * log(1 + len(spans) / everywhere[form]) for form, times in count.items()
        }
        heading = _phrase(text, part, weights, taken=taken)
        taken.add(heading.lower())
        found.append(heading)
    return found


def _phrase(
    text: str, part: Sequence[TextSpan], weights: dict[str, float], *, taken: set[str]
) -> str:
    """Return the few words in a row that say most about a section."""
    scores: Counter[str] = Counter()
    for phrase, forms in _phrases(text, part):
        scores[phrase] += sum(weights.get(form, 0) for form in forms) / len(forms) ** 0.5
    best = sorted(scores, key=lambda phrase: (-scores[phrase], text.find(phrase)))
    chosen = next((phrase for phrase in best if phrase.lower() not in taken), None)
    if chosen is None:
        chosen = text[slice(*_beginning(text, part[0]))].strip(" .,;:")
    return chosen[:1].upper() + chosen[1:]


def _phrases(text: str, part: Sequence[TextSpan]) -> Iterator[tuple[str, list[str]]]:
    """Yield every few words in a row that could be a heading, and their forms."""
    runs = [list(words(text, span)) for span in part]
    lengths = range(1, _HEADING_WORDS + 1)
    places = ((run, at, n) for run in runs for at in range(len(run)) for n in lengths)
    for run, at, length in places:
        found = run[at : at + length]
        forms = [word.form for word in found]
        phrase = text[found[0].start : found[-1].end]
        if len(found) == length and _is_phrase(phrase, forms):
            yield phrase, forms


def _is_phrase(phrase: str, forms: list[str]) -> bool:
    is_plain = all(letter.isalnum() or letter in " '’-" for letter in phrase)
    return is_plain and not any(is_common(form) or form.isdecimal() for form in forms)


def _beginning(text: str, span: TextSpan) -> TextSpan:
    """Return the first words of a paragraph, within its first line."""
    line = text.find("\n", span.start, span.end)
    end = span.end if line < 0 else line
    for number, word in enumerate(words(text, TextSpan(span.start, end)), 1):
        if number == _BEGINNING_WORDS:
            return TextSpan(span.start, word.end)
    return TextSpan(span.start, end)


def _list_contents(note: AgentDocument, findings: Findings, words: AgentWords) -> None:
    """Propose a table of contents before the first heading that is no title."""
    inner = [section for section in note.sections if section.level]
    top = min((section.level for section in inner), default=0)
    if len(inner) > 1 and inner[0].level == top and all(one.level > top for one in inner[1:]):
        inner = inner[1:]
    if len(inner) < 2 or any(form_of(one.title) in _CONTENTS for one in inner):
        return
    base = min(section.level for section in inner)
    lines = [
        f"{'  ' * (one.level - base)}- [[#{one.title}]]" for one in inner if one.level <= base + 1
    ]
    first = inner[0]
    line_end = note.text.find("\n", first.start)
    place = TextSpan(first.start, len(note.text) if line_end < 0 else line_end)
    mark = "#" * base
    new = f"{mark} {note.words.contents}\n\n" + "\n".join(lines) + f"\n\n{note.text[slice(*place)]}"
    findings.propose(
        note,
        place,
        new,
        line=f"{note.title}: {words.table_of(len(lines))}",
        rationale=note.words.lists_headings,
        confidence=_CONFIDENCE,
    )


_CONTENTS = frozenset(map(form_of, ("contents", "목차", "toc")))
