"""Reading without the model: near what the model gives, from few bytes, and only where it fits."""

import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata.models import MiniLM, QuickReader, quick_reader
from strata.models.files import Files
from strata.models.wordpiece import WordPiece

TEXTS = [
    "How do I reset my password?",
    "Which database do we run in production?",
    "Someone plays an instrument",
    "The price of oil rose sharply",
    "Kids are swimming in the lake",
    "unit tests take too long to run",
    "회의가 취소되었다",
    "데이터베이스를 PostgreSQL로 옮겼다",
    "아이들이 호수에서 수영한다",
    "비밀번호를 어떻게 바꾸나요?",
]
# All pieces of the model, also those without a row.
WHOLE = WordPiece.read(Files("minilm").folder / "vocabulary.txt")


@pytest.fixture(scope="module")
def reader() -> QuickReader:
    found = quick_reader()
    assert found is not None
    return found


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The model's files that a reader needs, for a test to damage."""
    (tmp_path / "minilm").mkdir()
    for name in ("reading.bin", "centre.npy"):
        shutil.copy(Files("minilm").folder / name, tmp_path / "minilm")
    return tmp_path


def test_the_table_was_trained_for_the_edition_that_ships(
    reader: QuickReader, minilm: MiniLM
) -> None:
    assert reader.embedder == minilm.id


def test_a_quick_vector_points_where_that_of_the_model_does(
    reader: QuickReader, minilm: MiniLM
) -> None:
    readings = [reading for text in TEXTS if (reading := reader.read(text))]
    quick = np.array([reading.vector for reading in readings])
    cosines = quick @ minilm.embed(TEXTS).T
    assert np.allclose(np.linalg.norm(quick, axis=1), 1)
    assert cosines.diagonal().min() > 0.6
    assert cosines.argmax(axis=1).tolist() == list(range(len(TEXTS)))
    usual = [reading.usual for reading in readings]
    assert usual == pytest.approx(quick @ minilm.centre, abs=1e-6)


def test_a_vector_is_the_sum_of_the_rows_of_the_pieces(reader: QuickReader) -> None:
    data = (Files("minilm").folder / "reading.bin").read_bytes()
    pieces = (len(data) - 128) // (4 + 2 + 128)
    sizes = np.frombuffer(data, "<u2", pieces, 128 + 4 * pieces)
    rows = np.frombuffer(data, "u1", offset=128 + 6 * pieces).reshape(pieces, 128)
    steps = np.hstack([rows // 6**place % 6 for place in range(3)]).astype("f8") - 2.5
    text = "the password of the database, 비밀번호"
    total = sum(sizes[at] * steps[at] for at in reader._cutter.ids(text))
    reading = reader.read(text)
    assert reading is not None
    assert reading.vector == pytest.approx(total / np.linalg.norm(total))


@given(st.text("abz AZéß09_.,?!가나힣다요 \n", max_size=60))
def test_a_text_is_cut_into_the_pieces_that_the_model_reads(text: str) -> None:
    reader = quick_reader()
    assert reader is not None
    rows, numbers = reader._cutter.ids(text), WHOLE.ids(text)
    assert [row < 0 for row in rows] == [number == WHOLE.unknown for number in numbers]
    known = {(row, number) for row, number in zip(rows, numbers, strict=True) if row >= 0}
    assert len({row for row, _ in known}) == len({number for _, number in known}) == len(known)


def test_a_text_in_another_script_is_not_read(reader: QuickReader) -> None:
    for text in ("データベースはどこにありますか", "где находится база данных", "", "  "):
        assert reader.read(text) is None
    assert reader.read("データ in our production database") is not None


def test_of_a_long_prompt_the_beginning_and_the_end_are_read(reader: QuickReader) -> None:
    asked, pasted = "where is the staging database " * 30, "different words about cooking " * 300
    assert reader.read(asked + pasted + asked) == reader.read(asked + asked)
    assert reader.read(asked + pasted) != reader.read(asked + asked)


def test_without_its_table_there_is_no_reader(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert quick_reader(Files("minilm", copy)) is not None
    table = copy / "minilm" / "reading.bin"
    for damaged in (table.read_bytes()[:-1], b"{" * 200, b""):
        table.write_bytes(damaged)
        assert quick_reader(Files("minilm", copy)) is None
    table.unlink()
    assert quick_reader(Files("minilm", copy)) is None
    monkeypatch.setitem(sys.modules, "strata_embed", None)
    assert quick_reader() is None
