"""The multilingual model: what the original package computes, and one space for all languages."""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata.models import Embedder, Multilingual
from strata.models.files import Files
from strata.models.unigram import UNKNOWN, Unigram, hash_piece, normalise
from tests.resident import resident_mb

Golden = Any  # conftest's tuple of texts, ids and vectors

PAIRS = [
    ("회의는 다음 주 화요일로 미뤄졌다", "The meeting was moved to next Tuesday"),
    ("데이터베이스 백업이 실패했다", "The database backup failed"),
    ("우리는 결제 서비스를 새 서버로 옮겼다", "We moved the payment service to a new server"),
    ("고양이가 소파에서 자고 있다", "The cat is sleeping on the sofa"),
    ("비밀번호를 잊어버렸을 때 어떻게 하나요?", "What should I do if I forget my password?"),
    ("그녀는 주말마다 산에 오른다", "She climbs a mountain every weekend"),
    ("서울의 겨울은 춥고 건조하다", "Winter in Seoul is cold and dry"),
    ("이 함수는 빈 목록을 돌려준다", "This function returns an empty list"),
    ("아이들이 공원에서 축구를 한다", "Children are playing football in the park"),
    ("계약서는 법무팀이 검토하고 있다", "The legal team is reviewing the contract"),
    ("어제 먹은 김치찌개가 정말 맛있었다", "The kimchi stew I ate yesterday was delicious"),
    ("네트워크가 느려서 배포가 늦어졌다", "The deployment was late because the network was slow"),
]


@pytest.fixture(scope="module")
def tokenizer() -> Unigram:
    return Unigram(Files("multilingual").folder / "pieces.npz")


def test_it_keeps_the_promises_of_an_embedder(multilingual: Multilingual) -> None:
    embedder: Embedder = multilingual
    rows = embedder.embed(["하나", "two words", ""], kind="query")
    assert rows.shape == (3, multilingual.dimension)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert multilingual.embed([]).shape == (0, 512)
    assert "ko" in multilingual.languages


def test_tokens_are_those_of_the_original_tokenizer(
    tokenizer: Unigram, golden_multilingual: Golden
) -> None:
    for text, ids in zip(golden_multilingual.texts, golden_multilingual.ids, strict=True):
        assert tokenizer.ids(text) == ids


def test_vectors_are_those_of_the_original_package(
    multilingual: Multilingual, golden_multilingual: Golden
) -> None:
    rows = multilingual.embed(golden_multilingual.texts)
    cosines = (rows * golden_multilingual.vectors).sum(axis=1)
    assert cosines.min() > 0.9999, cosines


@pytest.mark.skipif(sys.platform != "linux", reason="reads what Linux tells of a process")
def test_most_of_the_table_stays_out_of_memory() -> None:
    before = resident_mb("table.zst")
    pages = sorted((Path(__file__).parents[3] / "docs").rglob("*.md"))[:60]
    Multilingual().embed([page.read_text(encoding="utf-8")[:400] for page in pages])
    # All of it is 28 MB.
    assert resident_mb("table.zst") - before < 8


def test_a_translation_is_nearest(multilingual: Multilingual) -> None:
    korean = multilingual.embed([one for one, _ in PAIRS], kind="query")
    english = multilingual.embed([other for _, other in PAIRS])
    scores = korean @ english.T
    assert (scores.argmax(axis=1) == np.arange(len(PAIRS))).all()
    assert (scores.argmax(axis=0) == np.arange(len(PAIRS))).all()


def test_a_vector_hardly_depends_on_its_company(multilingual: Multilingual) -> None:
    # Enough tokens for several batches, of lengths from nothing to beyond the window.
    texts = [" ".join(["서울은 비가 온다"] * count) for count in (0, 1, 2, 7, 40, 90, 1, 3, 150)]
    together = multilingual.embed(texts)
    alone = np.concatenate([multilingual.embed([text]) for text in texts])
    assert (together * alone).sum(axis=1).min() > 0.99999


def test_a_text_beyond_the_window_loses_its_end(multilingual: Multilingual) -> None:
    full = "가 " * 300
    rows = multilingual.embed([full, full + "끝은 아무도 읽지 않는다"])
    assert np.array_equal(rows[0], rows[1])


def test_several_threads_get_the_same_vectors(multilingual: Multilingual) -> None:
    texts = [f"{number}번 스레드가 다른 말을 한다" for number in range(24)]
    alone = [multilingual.embed([text])[0] for text in texts]
    with ThreadPoolExecutor(6) as pool:
        rows = list(pool.map(lambda text: multilingual.embed([text])[0], texts))
    assert np.allclose(rows, alone, atol=1e-6)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (" two\n\twords ", "▁two▁words"),
        ("ｆｕｌｌ　ｗｉｄｔｈ", "▁full▁width"),
        ("한국어", "▁한국어"),
        ("가\u200b나", "▁가▁나"),
        ("五～六", "▁五～六"),
        ("", ""),
        ("\u2581", ""),
    ],
)
def test_text_is_written_as_the_pieces_are(text: str, written: str) -> None:
    assert normalise(text) == written


@pytest.mark.parametrize("text", ["", "  ", "\U0001f9ff"])
def test_what_no_piece_covers_is_unknown(tokenizer: Unigram, text: str) -> None:
    assert UNKNOWN in tokenizer.ids(text)


def test_a_text_cannot_speak_the_marks_of_its_ends(tokenizer: Unigram) -> None:
    assert not {1, 2, 3} & set(tokenizer.ids("<s> </s> extra_token_id_1"))


@given(text=st.text(max_size=60))
def test_any_text_has_between_one_token_and_one_a_character(tokenizer: Unigram, text: str) -> None:
    ids = tokenizer.ids(text)
    assert 1 <= len(ids) <= max(1, len(normalise(text)))


def test_a_hash_is_that_of_the_characters_in_their_order() -> None:
    assert hash_piece("") == 0
    assert hash_piece("가") == ord("가")
    assert hash_piece("ab") != hash_piece("ba")
    assert hash_piece("a" * 16) < 2**64
