"""The nearest by meaning, for a search that does not ask for all: of what may be shown."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import strata
from strata.workspace.meaning import StoreMeaning

NOTES = {
    "cache": "Prices are cached for sixty seconds, then they are computed again.",
    "deploy": "Nothing is deployed on a Friday.",
    "photo": "Pictures may have at most 12 megapixels.",
    "점심": "점심은 열두 시에 먹는다",
}


@pytest.fixture(name="db")
def fixture_db(tmp_path: Path) -> Iterator[strata.Workspace]:
    with strata.open(tmp_path / "뜻.db", durability="standard") as db:
        db.kv.put_many(NOTES)
        yield db


def asked(db: strata.Workspace, question: str, *, is_foreign: bool = False) -> StoreMeaning:
    """Return what compares meanings, after it has read a question."""
    meaning = db._followers.meaning
    meaning.prepare(question, is_foreign=is_foreign, is_korean=is_foreign, waits=True)
    assert db.embeddings.wait(60)
    meaning.prepare(question, is_foreign=is_foreign, is_korean=is_foreign, waits=True)
    return meaning


def everything(versions: Any) -> Any:
    return np.ones(len(versions), bool)


def version(db: strata.Workspace, key: str) -> int:
    found = db.kv.get(key)
    assert found is not None
    return found.version


def test_the_nearest_come_first(db: strata.Workspace) -> None:
    question = "How large may a photograph be?"
    meaning = asked(db, question)
    found = meaning.nearest(question, 3, is_foreign=False, is_korean=False, passes=everything)
    assert found is not None
    assert found[0] == version(db, "photo")
    cosines = meaning.vectors(question, found)
    assert cosines is not None
    assert (np.diff(cosines) <= 0.01).all()


def test_only_what_passes_is_found(db: strata.Workspace) -> None:
    question = "How large may a photograph be?"
    photo = version(db, "photo")
    found = asked(db, question).nearest(
        question, 3, is_foreign=False, is_korean=False, passes=lambda versions: versions != photo
    )
    assert found is not None
    assert len(found) == 3
    assert photo not in found


def test_a_korean_question_finds_notes_of_both_languages(db: strata.Workspace) -> None:
    question = "금요일에 배포해도 됩니까?"
    meaning = asked(db, question, is_foreign=True)
    found = meaning.nearest(question, 4, is_foreign=True, is_korean=True, passes=everything)
    assert found is not None
    assert found[0] == version(db, "deploy")
    assert version(db, "점심") in found, "which is in the index of another role"


def test_without_vectors_there_is_no_answer(tmp_path: Path) -> None:
    with strata.open(tmp_path / "빈.db", durability="standard", auto_embed=False) as db:
        db.kv.put_many(NOTES)
        meaning = db._followers.meaning
        assert (
            meaning.nearest("anything", 3, is_foreign=False, is_korean=False, passes=everything)
            is None
        )
