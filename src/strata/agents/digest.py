"""The digest: what changed of late, or what a document says, in sentences from the texts.

Nothing is written anew: every sentence is taken over as it is, with a link to its place. It
becomes a document in the caller's own folder, or where that may not be made, a comment.
"""

from collections import Counter
from collections.abc import Sequence
from math import log

from strata.agents.documents import AgentDocument, AgentDocuments
from strata.agents.findings import Findings
from strata.agents.prose import TextSpan, is_common, is_free, sentences, words
from strata.agents.running import TaskRun, ToolRefused
from strata.base.clock import iso
from strata.documents import frontmatter

_DAYS = 7
_DOCUMENTS = 20
# Sentences of a digest of one document, and of each changed one.
_OF_ONE, _OF_EACH = 7, 4
_SENTENCE_WORDS = (4, 80)
# What a digest is known by, so that the next one does not digest it.
_FIELD = "digest"
# A change is news rather where it decides, dates or counts something.
_NEWS = frozenset(
    "decid agre must will releas launch deadlin due block cancel approv chang increas".split()
)
# Korean words go on behind what they mean.
_KOREAN_NEWS = tuple("결정 합의 출시 배포 마감 취소 승인 변경 연기 확정 중단 도입".split())


def digest(run: TaskRun) -> str:
    """Make a digest, keep it where the caller may, and tell it."""
    documents = AgentDocuments(run)
    if run.task.document is not None:
        note = documents.read(run.task.document)
        if note is None:
            return documents.words.gone
        title = documents.words.digest_of(note.title)
        lines = _of_document(note, documents.wanted.most or _OF_ONE)
    else:
        days = documents.wanted.days or _DAYS
        lines = _of_changes(documents, days)
        title = documents.words.digest_of(iso(run.task.created)[:10])
    if not lines:
        return documents.words.nothing_to_tell
    text = "\n".join(lines)
    told = f"{_keep(documents, title, text)}\n\n{text}"
    if run.task.instruction.strip():
        told += f"\n\n{documents.words.understood(documents.wanted)}"
    return told


def _keep(documents: AgentDocuments, title: str, text: str) -> str:
    """Keep a digest as a document of the caller's, or as a comment; tell where."""
    run, words = documents.run, documents.words
    if not run.may_write or documents.wanted.tells_only:
        return f"{title}:"
    content = f"---\n{_FIELD}: true\n---\n{text}\n"
    try:
        if known := _previous_digest(documents, title):
            run.call("edit_document", action="write", documentId=known, newContent=content)
            return words.saved(title, known, is_new=False)
        made = run.call("edit_document", action="create", title=title, content=content)
        return words.saved(title, made["documentId"], is_new=True)
    except ToolRefused as error:
        if run.task.document is None or error.value.get("code") == "secret_refused":
            return words.unsaved(title, error.message)
    note = documents.read(run.task.document)
    findings = Findings(documents)
    if (
        note is not None
        and note.paragraphs
        and findings.comment(note, sentences(note.text, note.paragraphs[0])[0], text, line=title)
    ):
        return words.as_comment(note.title) if findings.left else f"{title}:"
    return f"{title}:"


def _previous_digest(documents: AgentDocuments, title: str) -> str | None:
    """Return the digest of the same title that the caller has already, if there is one."""
    found = documents.notes(documents.titled(title))
    return next((one.id for one in found if one.role == "owner" and is_digest(one)), None)


# One document.


def _of_document(note: AgentDocument, most: int) -> list[str]:
    found = _once(note, _sentences(note))
    weights = _weights([note])
    best = sorted(found, key=lambda span: -_score(note, span, weights))[:most]
    return [f"- {_words_of(note, span)} ({_link(note, span)})" for span in sorted(best)]


def _link(note: AgentDocument, span: TextSpan) -> str:
    path = note.heading_at(span.start)
    return f"[[{note.title}#{path[-1]}]]" if path else f"[[{note.title}]]"


# Recent changes.


def _of_changes(documents: AgentDocuments, days: int) -> list[str]:
    lines: list[str] = []
    most = min(documents.wanted.most or _DOCUMENTS, _DOCUMENTS)
    notes = [note for note in documents.notes(documents.recent(days)) if not is_digest(note)]
    weights = _weights(notes)
    told = 0
    for note in notes:
        fresh = _fresh(documents, note, days)
        if not fresh or told >= most:
            continue
        told += 1
        best = sorted(fresh, key=lambda span: -_score(note, span, weights))[:_OF_EACH]
        lines += [f"## [[{note.title}]]", ""]
        lines += [f"- {_words_of(note, span)}" for span in sorted(best)]
        lines.append("")
    return lines[:-1]


def _fresh(documents: AgentDocuments, note: AgentDocument, days: int) -> list[TextSpan]:
    """Return the sentences that were not there some days ago."""
    try:
        before = documents.read(note.id, asOf=f"{days}d ago")
    except ToolRefused:
        before = None  # the store is younger, or keeps no past that far
    known = set[str]() if before is None else {_plain(before, span) for span in _sentences(before)}
    return _once(note, [span for span in _sentences(note) if _plain(note, span) not in known])


def _once(note: AgentDocument, found: Sequence[TextSpan]) -> list[TextSpan]:
    """Return sentences without those that were said before."""
    return list({_plain(note, span): span for span in reversed(found)}.values())[::-1]


def is_digest(note: AgentDocument) -> bool:
    """Tell whether a document was made by this agent."""
    return frontmatter(note.text).values.get(_FIELD) is True


# Sentences.


def _sentences(note: AgentDocument) -> list[TextSpan]:
    """Return the sentences of a document's prose that make sense alone."""
    found: list[TextSpan] = []
    for part in note.paragraphs:
        for span in sentences(note.text, part):
            start = span.start + len(note.text[slice(*span)]) - len(_bare(note.text[slice(*span)]))
            inner = TextSpan(start, span.end)
            count = sum(1 for _ in words(note.text, inner))
            is_said = _SENTENCE_WORDS[0] <= count <= _SENTENCE_WORDS[1]
            if is_said and "```" not in note.text[slice(*inner)]:
                found.append(inner)
    return found


def _bare(sentence: str) -> str:
    """Return a sentence without the mark of a list or a quote before it."""
    return sentence.lstrip(" \t\n>*+-#").lstrip()


def _words_of(note: AgentDocument, span: TextSpan) -> str:
    return " ".join(note.text[slice(*span)].split())


def _plain(note: AgentDocument, span: TextSpan) -> str:
    return _words_of(note, span).lower().rstrip(".!? ")


def _weights(notes: Sequence[AgentDocument]) -> dict[str, float]:
    """Return how much each word says: often here, and not everywhere."""
    counts: Counter[str] = Counter()
    spread: Counter[str] = Counter()
    parts = 0
    for note in notes:
        for span in note.paragraphs:
            forms = [word.form for word in words(note.text, span) if not is_common(word.form)]
            counts.update(forms)
            spread.update(set(forms))
            parts += 1
    return {form: log(1 + n) * log(1 + parts / spread[form]) for form, n in counts.items()}


def _score(note: AgentDocument, span: TextSpan, weights: dict[str, float]) -> float:
    found = [word for word in words(note.text, span) if not is_common(word.form)]
    said = sum(weights.get(word.form, 0.0) for word in found) / max(len(found), 4) ** 0.7
    text = note.text[slice(*span)]
    decides = any(w.form in _NEWS or w.form.startswith(_KOREAN_NEWS) for w in found)
    news = decides + any(letter.isdigit() for letter in text)
    is_first = any(span.start - part.start < 3 for part in note.paragraphs)
    free = is_free(span, [one for one in note.shields if one.end - one.start > 20])
    return said * (1 + 0.75 * news) * (1.15 if is_first else 1.0) * (1.0 if free else 0.7)
