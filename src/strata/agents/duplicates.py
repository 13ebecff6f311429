"""The duplicate finder: comments on texts and sections that are in another document too.

Texts are compared by their runs of four words, without case, endings and particles. What is
in many documents is a form that they were made from, and counts for nothing.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from strata.agents.digest import is_digest
from strata.agents.documents import AgentDocument, AgentDocuments
from strata.agents.findings import Findings, WordCount
from strata.agents.prose import TextSpan, Word, is_free, words
from strata.agents.running import TaskRun
from strata.agents.words import AgentWords

_RUN = 4
# Runs of words that occur in more of the documents than this belong to a form.
_FORM, _FORM_LEAST = 0.04, 3
# From this share of the shorter one's runs on two texts are nearly the same.
_SAME = 0.4
_SAME_LEAST = 12
# So many words in a row are no chance, nor a common phrase; so many others may be between them.
_PASSAGE_WORDS = 16
_GAP_WORDS = 4
_SHOWN = 160


class _Text(NamedTuple):
    """A document as it is compared."""

    note: AgentDocument
    words: list[Word]
    runs: list[int]


class _Pair(NamedTuple):
    """Two documents, the later one first, and what they share."""

    note: AgentDocument
    other: AgentDocument
    share: float
    place: TextSpan
    word_count: int

    @property
    def is_whole(self) -> bool:
        return self.share >= _SAME


def find_duplicates(run: TaskRun) -> str:
    """Comment on what is in two documents, and say where."""
    documents = AgentDocuments(run)
    ids = documents.listed({"type": "all"}) if run.task.document else documents.targets()
    if run.task.document is not None and run.task.document not in ids:
        ids.append(run.task.document)
    # A digest repeats what it is of.
    found = [
        one for one in documents.notes(ids) if one.id == run.task.document or not is_digest(one)
    ]
    notes = sorted(found, key=lambda note: note.id)
    findings = Findings(documents)
    for pair in sorted(pairs(notes), key=lambda one: (-one.share, one.note.id, one.other.id)):
        about = run.task.document
        if findings.is_full or (about is not None and about not in (pair.note.id, pair.other.id)):
            continue
        if documents.may_name(pair.note, pair.other):
            _comment(pair, findings, documents.words)
    return findings.output("comment")


def _comment(pair: _Pair, findings: Findings, words: AgentWords) -> None:
    shared = " ".join(pair.note.text[slice(*pair.place)].split())
    shown = shared if len(shared) <= _SHOWN else f"{shared[:_SHOWN].rsplit(' ', 1)[0]} …"
    there, title = pair.note.words, pair.other.title
    if pair.is_whole:
        body = there.nearly_same(title, pair.share, run=_RUN, shown=shown)
    else:
        body = there.same_words(title, pair.word_count, shown)
    share = pair.share if pair.is_whole else None
    line = words.pair(pair.note.title, title, share=share, shown=shown[:60])
    findings.comment(pair.note, _one_line(pair.note.text, pair.place), body, line=line)


def _one_line(text: str, place: TextSpan) -> TextSpan:
    """Return the beginning of a place, as far as its line goes: what a comment hangs on."""
    end = text.find("\n", place.start, place.end)
    return TextSpan(place.start, place.end if end < 0 else end)


def pairs(notes: Sequence[AgentDocument]) -> Iterator[_Pair]:
    """Yield every two documents that share more than chance would have it."""
    texts = [_text(note) for note in notes]
    counts = Counter(run for text in texts for run in set(text.runs))
    rare = {
        run
        for run, count in counts.items()
        if count > 1 and WordCount(count, len(texts)).is_rare(_FORM, _FORM_LEAST)
    }
    places: dict[int, list[int]] = {}
    for at, text in enumerate(texts):
        for run in rare.intersection(text.runs):
            places.setdefault(run, []).append(at)
    together: Counter[tuple[int, int]] = Counter()
    for found in places.values():
        together.update((a, b) for i, a in enumerate(found) for b in found[i + 1 :])
    for (a, b), _count in sorted(together.items()):
        pair = _compare(texts[b], texts[a], rare, counts=counts)
        if pair is not None:
            yield pair


def _text(note: AgentDocument) -> _Text:
    """Return the words of a document's prose, and a number for each run of them."""
    found = [
        word
        for span in note.paragraphs
        for word in words(note.text, span)
        if is_free(TextSpan(word.start, word.end), note.shields)
    ]
    forms = [word.form for word in found]
    runs = [hash(tuple(forms[at : at + _RUN])) for at in range(len(forms) - _RUN + 1)]
    return _Text(note, found, runs)


def _compare(later: _Text, earlier: _Text, rare: set[int], *, counts: Counter[int]) -> _Pair | None:
    shared = rare.intersection(later.runs) & rare.intersection(earlier.runs)
    # A form that both were made from is no part of either.
    sizes = [
        sum(1 for run in set(text.runs) if run in rare or counts[run] == 1)
        for text in (later, earlier)
    ]
    share = len(shared) / max(min(sizes), 1)
    longest = _longest(later, shared)
    is_same = share >= _SAME and len(shared) >= _SAME_LEAST
    if not is_same and (longest is None or longest[1] < _PASSAGE_WORDS):
        return None
    place, count = longest or (TextSpan(0, 0), 0)
    return _Pair(
        later.note, earlier.note, share if is_same else min(share, _SAME / 2), place, count
    )


def _longest(text: _Text, shared: set[int]) -> tuple[TextSpan, int] | None:
    """Return the longest stretch of a text that is shared, small gaps aside, and its words."""
    best: tuple[int, int] | None = None
    first = last = -1
    for at, run in enumerate(text.runs):
        if run not in shared:
            continue
        if first < 0 or at - last > _GAP_WORDS + _RUN:
            first = at
        last = at
        if best is None or last - first > best[1] - best[0]:
            best = (first, last)
    if best is None:
        return None
    start, end = text.words[best[0]], text.words[best[1] + _RUN - 1]
    return TextSpan(start.start, end.end), best[1] - best[0] + _RUN
