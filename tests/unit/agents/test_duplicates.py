"""The duplicate finder, measured on notes with copies that were put there."""

import re

import pytest

from strata.documents import NewDocument
from tests.unit.agents.conftest import Desk
from tests.unit.agents.repeats import Repeated, repeated_journals, repeated_notes

_NAMED = re.compile(r"\[\[(.*?)\]\]")


@pytest.mark.slow
@pytest.mark.parametrize(
    "made", [repeated_notes(3), repeated_journals(4)], ids=["team notes", "held out: diaries"]
)
def test_of_two_hundred_notes_the_copies_are_found_and_little_else(
    editing: Desk, made: Repeated
) -> None:
    assert len(made.notes) == 200
    new = [NewDocument(title=note.title, content=note.text) for note in made.notes]
    written = editing.db.documents.create_many(new)
    assert editing.ask("duplicates").status == "completed"
    found = {
        frozenset((one.title, str(_NAMED.findall(thread.comment.body)[0])))
        for one in written
        for thread in editing.db.review.comments(one.document)
    }
    precision, recall = (len(found & made.pairs) / len(side) for side in (found, made.pairs))
    assert precision >= 0.9, (precision, recall)
    assert recall >= 0.8, (precision, recall)


def test_a_comment_names_the_other_document_and_the_words(editing: Desk) -> None:
    docs = editing.db.documents
    shared = "The quiet harbour keeps eleven boats that nobody has painted since the long winter."
    korean = "오래된 항구에는 아무도 칠하지 않은 배가 열한 척 묶여 있다고 한다."
    docs.create("항구", f"First words.\n\n{shared} {korean}\n")
    made = docs.create("Boats", f"Other beginning.\n\n{shared} {korean}\n\nOther end.\n")
    editing.ask("duplicates")
    (thread,) = editing.db.review.comments(made.document)
    assert "[[항구]]" in thread.comment.body
    assert "eleven boats" in thread.comment.body
    assert thread.comment.via == "duplicates"
    editing.ask("duplicates")
    assert len(editing.db.review.comments(made.document)) == 1


def test_a_form_that_many_were_made_from_is_no_duplicate(editing: Desk) -> None:
    form = "Every week each team tells what was done and what comes next and what is in the way."
    texts = [f"{form}\n\nNumber {n} of {n * 7} things by {chr(97 + n) * 5}.\n" for n in range(12)]
    new = [NewDocument(title=f"Week {n}", content=text) for n, text in enumerate(texts)]
    editing.db.documents.create_many(new)
    assert editing.ask("duplicates").output == "Left 0 comments."


def test_a_copy_that_not_every_reader_may_know_of_is_not_named(editing: Desk) -> None:
    db = editing.db
    text = (
        "The quiet harbour keeps eleven boats that nobody has painted since the long winter.\n" * 2
    )
    db.documents.create("Private harbour", text)
    made = db.documents.create("Public harbour", text)
    db.documents.share(made.document, "ann@example.com", "viewer")
    editing.ask("duplicates")
    assert db.review.comments(made.document) == []


def test_a_digest_is_no_duplicate_of_its_source(editing: Desk) -> None:
    text = "The quiet harbour keeps eleven boats that nobody has painted since the long winter."
    made = editing.db.documents.create("항구", f"{text} {text.replace('eleven', 'twelve')}\n")
    editing.ask("digest", document=made.document)
    assert editing.ask("duplicates").output == "Left 0 comments."


def test_a_comment_on_a_korean_text_is_korean(editing: Desk) -> None:
    text = " ".join(
        f"{word} 창고에서 상자 {number}개를 옮겼다."
        for number, word in enumerate(
            "월요일에 화요일에 수요일에 목요일에 금요일에 토요일에 일요일에".split()
        )
    )
    first = editing.db.documents.create("작업 일지", f"{text}\n")
    second = editing.db.documents.create("창고 기록", f"{text}\n")
    done = editing.ask("duplicates")
    assert str(done.output).startswith("댓글 1개를 남겼습니다.\n- ")
    threads = [
        thread
        for document in (first.document, second.document)
        for thread in editing.db.review.comments(document)
    ]
    assert "문서에 거의 같은 글이 있습니다" in threads[0].comment.body
