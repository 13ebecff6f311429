"""The outliner, measured on texts whose sections are known; it must not change a word."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from strata.agents.outliner import borders
from strata.agents.prose import is_common, paragraphs, words
from tests.unit.agents.conftest import Desk
from tests.unit.agents.topics import Sectioned, f1_of_borders, made_text, pk, real_texts

_DOCS = Path(__file__).parents[3] / "docs"


def found_in(text: str) -> tuple[list[int], int]:
    spans = paragraphs(text, [])
    forms = [[w.form for w in words(text, span) if not is_common(w.form)] for span in spans]
    return borders(forms), len(spans)


def measured(texts: Sequence[Sectioned]) -> tuple[float, float]:
    """Return F1 within one paragraph, and Pk."""
    right = found = wanted = 0
    errors = 0.0
    for one in texts:
        starts, length = found_in(one.text)
        counts = f1_of_borders(starts, one.starts)
        right, found, wanted = right + counts[0], found + counts[1], wanted + counts[2]
        errors += pk(starts, one.starts, length)
    precision, recall = right / found, right / wanted
    return 2 * precision * recall / (precision + recall), errors / len(texts)


def test_borders_of_made_texts_are_found_within_a_paragraph() -> None:
    f1, error = measured([made_text(seed) for seed in range(1_000, 1_030)])
    assert f1 >= 0.9, (f1, error)
    assert error <= 0.1, (f1, error)


def test_borders_of_real_pages_are_mostly_found() -> None:
    # Pages of this project's own, whose sections share most of their words; nothing was tuned to
    # them. Measured when this was written: F1 0.77 and Pk 0.25 on nine pages.
    folders = ("explain", "how-to", "learn", "decisions")
    texts = [text for folder in folders for text in real_texts(_DOCS / folder)]
    assert len(texts) >= 8
    f1, error = measured(texts)
    assert f1 >= 0.6, (f1, error)
    assert error <= 0.35, (f1, error)


def test_a_text_about_one_thing_gets_no_headings(editing: Desk) -> None:
    text = "\n\n".join(
        "The hive needs honey, and honey needs the hive and bees." for _ in range(12)
    )
    made = editing.db.documents.create("Bees", text)
    editing.ask("outliner", document=made.document)
    assert editing.db.documents.suggestions(made.document) == []


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_accepted_headings_add_lines_and_change_no_word(editing: Desk, seed: int) -> None:
    docs = editing.db.documents
    text = made_text(seed).text
    made = docs.create("긴 글", text)
    done = editing.ask("outliner", document=made.document)
    waiting = [one for one in docs.suggestions(made.document) if one.status == "pending"]
    assert len(waiting) >= 3, done
    for one in waiting:
        editing.db.review.accept(made.document, one.id)
    lines = docs.text(made.document).split("\n")
    headings = [line.removeprefix("## ") for line in lines if line.startswith("## ")]
    assert len(headings) == len(waiting)
    assert len(set(headings)) == len(headings)
    kept = "\n".join(line for line in lines if not line.startswith("#"))
    assert kept.split() == text.split()
    assert all(heading.lower() in text.lower() for heading in headings)


def test_short_notes_are_left_alone_unless_named(editing: Desk) -> None:
    made = editing.db.documents.create("Short", "One thing.\n\nAnother one.\n")
    assert editing.ask("outliner").output == "Proposed 0 headings."
    assert editing.db.documents.suggestions(made.document) == []


def test_a_table_of_contents_is_proposed_when_asked_for(editing: Desk) -> None:
    docs = editing.db.documents
    made = docs.create(
        "Guide", "# Guide\n\nHello.\n\n## 설치\n\na\n\n## Use\n\nb\n\n### Deep\n\nc\n"
    )
    editing.ask("outliner", document=made.document, instruction="목차를 만들어 줘")
    (one,) = docs.suggestions(made.document)
    wanted = "## Contents\n\n- [[#설치]]\n- [[#Use]]\n  - [[#Deep]]\n\n## 설치"
    assert one.replacement == wanted
    editing.db.review.accept(made.document, one.id)
    again = editing.ask("outliner", document=made.document, instruction="table of contents")
    assert "Proposed 0 tables of contents." in str(again.output)


def test_a_korean_text_gets_a_korean_table_of_contents(editing: Desk) -> None:
    text = "# 계획\n\n## 목표\n\n빠르게.\n\n## 위험\n\n느리게.\n"
    made = editing.db.documents.create("계획", text)
    done = editing.ask("outliner", document=made.document, instruction="table of contents")
    assert "Proposed 1 table of contents.\n- 계획: a table of 2 headings" in str(done.output)
    [suggestion] = editing.db.documents.suggestions(made.document)
    assert "## 목차\n\n- [[#목표]]" in suggestion.replacement
    assert suggestion.rationale == "글의 제목을 모았습니다."
