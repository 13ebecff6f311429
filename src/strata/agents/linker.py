"""The linker: proposes [[links]] where a text names another document, or is about it.

Titles and aliases that occur in the text come first. A name that is an ordinary word counts only
where it is written as a name. Then come passages that say a title in other words, if search also
holds that document for related. Nothing is proposed inside code, links, headings or fields, nor
to what some reader of the text may not see.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from strata.agents.documents import AgentDocument, AgentDocuments
from strata.agents.findings import Findings, WordCount
from strata.agents.prose import (
    TextSpan,
    Word,
    form_of,
    is_common,
    is_free,
    particle_end,
    sentences,
    words,
)
from strata.agents.running import TaskRun
from strata.documents import normal_title, references

_RELATED = 10
_EXACT, _ALIAS, _INEXACT = 0.95, 0.9, 0.7
# A name that occurs in more of the documents than this is taken for an ordinary phrase, unless it
# is written with capitals.
_ORDINARY = 0.08
# Words that may be between those of a title that is said in other words.
_BETWEEN = 2
_LETTER = re.compile(r"[^\W_]")
_DATE = re.compile(r"[\d\s./:-]+")


class LinkPlace(NamedTuple):
    """A place that a link could be put on, and where it would lead."""

    place: TextSpan
    target: AgentDocument
    confidence: float
    reason: str


def link(run: TaskRun) -> str:
    """Propose links, and tell which."""
    documents = AgentDocuments(run)
    known = list(documents.notes(documents.listed({"type": "all"})))
    by_id = {note.id: note for note in known}
    names = _Names(known)
    findings = Findings(documents)
    for document in documents.targets():
        note = by_id.get(document) or documents.read(document)
        if note is not None and not findings.is_full:
            _link(note, names, findings=findings, documents=documents)
    return findings.output("link")


def _link(
    note: AgentDocument, names: "_Names", *, documents: AgentDocuments, findings: Findings
) -> None:
    linked = names.linked_from(note)
    found = sorted(_mentions(note, names, documents), key=lambda one: -one.confidence)
    taken: list[TextSpan] = []
    chosen: list[LinkPlace] = []
    for one in found:
        if one.target.id in linked or not is_free(one.place, taken):
            continue
        if documents.may_name(note, one.target):
            linked.add(one.target.id)
            taken.append(one.place)
            chosen.append(one)
    for one in sorted(chosen, key=lambda one: one.place):
        if findings.is_full:
            return
        words_there = note.text[slice(*one.place)]
        title = one.target.title
        new = f"[[{title}]]" if words_there == title else f"[[{title}|{words_there}]]"
        findings.propose(
            note,
            one.place,
            new,
            line=f"{note.title}: {new}",
            rationale=one.reason,
            confidence=one.confidence,
        )


def _mentions(
    note: AgentDocument, names: "_Names", documents: AgentDocuments
) -> Iterator[LinkPlace]:
    met = list(names.in_text(note))
    yield from met
    unmet = [
        target
        for target in _related(note, documents, names.documents)
        if all(one.target.id != target.id for one in met)
    ]
    for target in unmet:
        place = names.inexact(note, target)
        if place is not None:
            yield LinkPlace(place, target, _INEXACT, note.words.is_about(target.title))


def _related(
    note: AgentDocument, documents: AgentDocuments, by_id: dict[str, AgentDocument]
) -> list[AgentDocument]:
    scope = {"type": "document", "id": note.id}
    found = documents.run.call("find", intent="related", scope=scope, limit=_RELATED)
    ids = dict.fromkeys(item.get("documentId") or item["id"] for item in found["items"])
    return [by_id[one] for one in ids if one in by_id and one != note.id]


class _Names:
    """The names of documents, and how often these words occur in all of them."""

    def __init__(self, notes: Sequence[AgentDocument]) -> None:
        self._normal = normal_title
        self._notes = notes
        self.documents = {note.id: note for note in notes}
        owners: dict[str, set[str]] = {}
        for note in notes:
            for name in note.names:
                owners.setdefault(normal_title(name), set()).add(note.id)
        self._owners = owners
        # A name that two documents have leads to neither.
        self._by_name = {
            name: next(iter(ids))
            for name, ids in owners.items()
            if len(ids) == 1 and _can_be_met(name) and self._can_be_linked(*ids)
        }
        self._pattern = _pattern(self._by_name)
        self._forms = {note.id: _content(note.title) for note in notes}
        self._counts: Counter[str] = Counter()
        for note in notes:
            self._count(note)

    def _can_be_linked(self, document: str) -> bool:
        """Tell whether a title can be used in a link: these signs mean something there."""
        return not set("[]|#\n") & set(self.documents[document].title)

    def _count(self, note: AgentDocument) -> None:
        """Count in how many documents each name occurs."""
        if self._pattern is not None:
            found = self._pattern.finditer(note.text)
            self._counts.update({self._normal(match[0]) for match in found})

    def linked_from(self, note: AgentDocument) -> set[str]:
        """Return what a text links to already, and itself."""
        found = {note.id}
        for one in references(note.text):
            found.update(self._owners.get(self._normal(one.target), {one.target}))
            found.update(self._owners.get(self._normal(one.target.removesuffix(".md")), ()))
        return found

    def in_text(self, note: AgentDocument) -> Iterator[LinkPlace]:
        """Yield where a text names other documents: of each the first place that will do."""
        if self._pattern is None:
            return
        begins = {span.start for part in note.paragraphs for span in sentences(note.text, part)}
        met: set[str] = set()
        for match in self._pattern.finditer(note.text):
            place, name = TextSpan(*match.span()), self._normal(match[0])
            if name not in self._by_name:  # some letters have several small forms
                continue
            target = self.documents[self._by_name[name]]
            if target.id in met or target.id == note.id or not is_free(place, note.shields):
                continue
            # Where Hangul follows, the sentence has no capitals that would say nothing.
            is_first = place.start in begins and not _is_hangul(
                note.text[place.end : place.end + 1]
            )
            if not _ends_word(note.text, place) or not self._is_name(
                match[0], name, is_first=is_first
            ):
                continue
            met.add(target.id)
            is_title = name == self._normal(target.title)
            yield LinkPlace(
                place,
                target,
                _EXACT if is_title else _ALIAS,
                note.words.names(target.title, is_alias=not is_title),
            )

    def _is_name(self, written: str, name: str, *, is_first: bool) -> bool:
        """Tell whether words are meant as a document's name, not as the words they are."""
        counted = WordCount(self._counts[name], len(self._notes))
        is_word = " " not in name
        if not _has_case(written):
            return counted.is_rare(_ORDINARY)
        if is_word and not any(letter.isdigit() for letter in name):
            # A capital at the beginning of a sentence says nothing.
            inner = any(letter.isupper() for letter in written[1:])
            is_written_so = inner or (written[:1].isupper() and not is_first)
            return is_written_so and (inner or counted.is_rare(_ORDINARY))
        is_cased = all(part[:1].isupper() or len(part) < 4 for part in written.split())
        return is_cased or counted.is_rare(_ORDINARY)

    def inexact(self, note: AgentDocument, target: AgentDocument) -> TextSpan | None:
        """Return where a sentence says all the words of a title, near each other, in any order."""
        wanted = self._forms[target.id]
        shared = len(self._owners[self._normal(target.title)]) > 1
        if len(wanted) < 2 or shared or not self._can_be_linked(target.id):
            return None
        for part in note.paragraphs:
            for sentence in sentences(note.text, part):
                place = _window(list(words(note.text, sentence)), wanted)
                if place is not None and is_free(place, note.shields):
                    return place
        return None


def _window(found: list[Word], wanted: frozenset[str]) -> TextSpan | None:
    """Return the shortest run of words that holds all that are wanted, if it is short enough."""
    longest = len(wanted) + _BETWEEN
    for first, word in enumerate(found):
        if word.form not in wanted:
            continue
        run = found[first : first + longest]
        last = next((at for at in range(len(run)) if wanted <= {w.form for w in run[: at + 1]}), -1)
        if last >= 0:
            return TextSpan(word.start, run[last].end)
    return None


def _content(title: str) -> frozenset[str]:
    return frozenset(word.form for word in words(title) if not is_common(word.form))


def _can_be_met(name: str) -> bool:
    """Tell whether a name can be looked for: no number, no date, no single letter."""
    letters = len(_LETTER.findall(name))
    least = 3 if name.isascii() else 2
    return letters >= least and _DATE.fullmatch(name) is None and not is_common(form_of(name))


def _pattern(names: "dict[str, str]") -> re.Pattern[str] | None:
    """Return what finds any of the names: the longest of those that begin at a place."""
    if not names:
        return None
    ordered = sorted(names, key=len, reverse=True)
    parts = [r"\s+".join(map(re.escape, name.split())) for name in ordered]
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(parts)})", re.IGNORECASE)


def _ends_word(text: str, place: TextSpan) -> bool:
    """Tell whether a word ends behind a place, a Korean particle aside."""
    if place.end >= len(text) or not _LETTER.match(text, place.end):
        return True
    if not _is_hangul(text[place.end]):
        return False
    end = particle_end(text, place.end)
    return end is not None and end > place.end


def _is_hangul(letter: str) -> bool:
    return "가" <= letter <= "힣"


def _has_case(written: str) -> bool:
    return written.lower() != written.upper()
