"""Comments and suggestions, compared with a text of which every letter is known by itself.

The model keeps letters that were deleted where they stood, and two letters for each anchor. It
knows one rule of its own: new letters go between the first and the last of those they replace.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

import strata
from strata.base.errors import Conflict
from strata.documents import DocumentTransaction, Splice, WriteResult
from strata.documents.text import splices

LETTERS = "ab 가나🎉👩\u200d\u0301שλ\n#"
texts = st.text(LETTERS, min_size=1, max_size=24)
words = st.text(LETTERS, max_size=6)
# Where in a text, as two parts of its length, and what is put there.
edits = st.tuples(st.floats(0, 1), st.floats(0, 1), words)


class Letter:
    """One letter, alive or deleted."""

    def __init__(self, sign: str) -> None:
        self.sign = sign
        self.is_alive = True


class Span(NamedTuple):
    """Words by their first and last letter."""

    words: str
    first: Letter
    last: Letter


class Model:
    """A text as letters; the deleted ones stay where they were."""

    def __init__(self, text: str) -> None:
        self.letters = [Letter(sign) for sign in text]

    @property
    def alive(self) -> list[Letter]:
        return [letter for letter in self.letters if letter.is_alive]

    @property
    def text(self) -> str:
        return "".join(letter.sign for letter in self.alive)

    def span(self, start: int, end: int) -> Span:
        alive = self.alive
        return Span(self.text[start:end], alive[start], alive[end - 1])

    def place(self, span: Span) -> tuple[int, int]:
        start = self.letters.index(span.first)
        end = self.letters.index(span.last) + 1
        count = [sum(one.is_alive for one in self.letters[:at]) for at in (start, end)]
        return count[0], max(count)

    def splice(self, splice: Splice) -> None:
        gone = self.alive[splice.start : splice.end]
        inner = splice.start + 1 if len(gone) > 1 else splice.end
        following = self.alive[inner : inner + 1]
        at = self.letters.index(following[0]) if following else len(self.letters)
        self.letters[at:at] = [Letter(sign) for sign in splice.text]
        for letter in gone:
            letter.is_alive = False


@contextmanager
def opened(text: str) -> Iterator[tuple[strata.Workspace, str, Model]]:
    with strata.open(durability="cache", auto_embed=False) as db:
        made = db.documents.create("글", text).document
        yield db, made, Model(text)


def chosen(model: Model, where: tuple[float, float]) -> tuple[int, int]:
    """Return a part of a text that is not empty, or all of an empty one."""
    size = len(model.text)
    first, last = sorted(round(part * size) for part in where)
    return (first, last) if first < last else (max(0, min(first, size - 1)), min(first + 1, size))


def write(db: strata.Workspace, document: str, splice: Splice) -> None:
    """Make one replacement, exactly as it is given."""

    def work(writing: DocumentTransaction) -> WriteResult:
        version = writing.splice(writing.open(document), [splice])
        return WriteResult(document=document, title="", version=version, status="applied")

    db.documents.transact("edit", work, about=document, given=None, answers=WriteResult)


@given(texts, st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=5), st.lists(edits))
def test_comments_stay_on_their_letters(
    text: str, quotes: list[tuple[float, float]], changes: list[tuple[float, float, str]]
) -> None:
    with opened(text) as (db, document, model):
        said: dict[str, Span] = {}
        for where in quotes:
            start, end = chosen(model, where)
            near = len(text[:start].encode("utf-16-le")) // 2
            done = db.review.comment(document, "?", quote=text[start:end], near=near)
            said[done.comment.id] = model.span(start, end)
        for first, last, new in changes:
            start, end = sorted(round(part * len(model.text)) for part in (first, last))
            splice = Splice(start, end, new)
            write(db, document, splice)
            model.splice(splice)
            assert db.documents.text(document) == model.text
            check(db, document, model, said)


def check(db: strata.Workspace, document: str, model: Model, said: dict[str, Span]) -> None:
    threads = {thread.comment.id: thread for thread in db.review.comments(document)}
    assert threads.keys() == said.keys()
    for id_, span in said.items():
        thread, (start, end) = threads[id_], model.place(span)
        if start < end:
            assert thread.spot is not None
            assert (thread.spot.start, thread.spot.end) == (start, end)
            assert thread.spot.text == model.text[start:end]
            assert thread.changed == (thread.spot.text != span.words)
        elif thread.spot is not None:  # the same letters came back among the same others
            assert thread.spot.text == span.words
        else:
            assert thread.orphaned
        if thread.spot is not None:
            units = model.text.encode("utf-16-le")
            low, high = thread.spot.units
            assert units[2 * low : 2 * high].decode("utf-16-le") == thread.spot.text


proposals = st.tuples(st.floats(0, 1), st.floats(0, 1), words)
decisions = st.lists(st.tuples(st.integers(0, 5), st.sampled_from(["accept", "reject"])))


@given(st.text("abc가나🎉 ", min_size=2, max_size=20), st.lists(proposals, max_size=6), decisions)
def test_deciding_in_any_order_gives_the_text_that_the_model_has(
    text: str, asked: list[tuple[float, float, str]], decided: list[tuple[int, str]]
) -> None:
    with opened(text) as (db, document, model):
        kept: list[tuple[str, Span, str]] = []
        for first, last, new in asked:
            start, end = chosen(model, (first, last))
            start, end = text.find(text[start:end]), text.find(text[start:end]) + end - start
            if text[start:end] != new:
                done = db.review.propose(document, text[start:end], new, near=0)
                kept.append((done.suggestion.id, model.span(start, end), new))
        status = {id_: "pending" for id_, _span, _new in kept}
        for number, verb in decided:
            if number < len(kept):
                id_, span, new = kept[number]
                status[id_] = decide(db, document, verb, (id_, span, new), model, status[id_])
                assert db.documents.text(document) == model.text
        listed = {one.suggestion.id for one in db.review.suggestions(document)}
        assert listed == {id_ for id_, one in status.items() if one == "pending"}


def decide(
    db: strata.Workspace,
    document: str,
    verb: str,
    kept: tuple[str, Span, str],
    model: Model,
    status: str,
) -> str:
    """Decide here and in the model; return what the suggestion is then."""
    id_, span, new = kept
    if verb == "reject" or status == "rejected":
        return refuse(db, document, verb, id_, status)
    if status == "accepted":
        assert db.review.accept(document, id_).unchanged
        return status
    start, end = again(model.text, model.place(span), span.words)
    now = model.text[start:end]
    if now not in (span.words, new):
        try:
            db.review.accept(document, id_)
        except Conflict:
            return status
        raise AssertionError("words that have changed were overwritten")
    try:
        done = db.review.accept(document, id_)
    except Conflict:
        beside = model.text[max(0, start - 1) : start] + model.text[end : end + 1]
        assert beside.strip(), "nothing was added at the edge of the words"
        return status
    assert done.edited == (now == span.words)
    if done.edited:
        for part in reversed(splices(span.words, new)):
            model.splice(Splice(start + part.start, start + part.end, part.text))
    return "accepted"


def refuse(db: strata.Workspace, document: str, verb: str, id_: str, status: str) -> str:
    call = db.review.reject if verb == "reject" else db.review.accept
    if status == "pending":
        call(document, id_)
        return "rejected"
    if (verb, status) == ("reject", "rejected"):
        assert call(document, id_).unchanged
        return status
    try:
        call(document, id_)
    except Conflict:
        return status
    raise AssertionError("a decision was turned")


def again(text: str, place: tuple[int, int], words: str) -> tuple[int, int]:
    """Return where words stand that were gone, if that is where they were."""
    start, end = place
    if start < end:
        return place
    if text[start : start + len(words)] == words:
        return start, start + len(words)
    begin = start - len(words)
    return (begin, start) if begin >= 0 and text[begin:start] == words else place
