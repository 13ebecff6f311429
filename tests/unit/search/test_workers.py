"""Several threads for one model: nothing that they make depends on how many there are."""

import random
import threading

import pytest

from strata.base.workers import in_threads
from strata.models import MiniLM, Multilingual
from strata.search.vectors import encode as encoding
from strata.search.vectors.encode import Embedder, Passage, Result, encode

TEXTS = [
    "The deploy of Friday failed because the certificate had expired.",
    "ok",
    "가격은 육십 초 동안 저장되고, 그 뒤에는 다시 계산됩니다.",
    "Цены хранятся шестьдесят секунд.",
    "def max_retry_count(self) -> int: return self._policy.retries or 7",
    "Long: " + "the queue is drained before the workers are stopped. " * 60,
    "길다: " + "작업자를 멈추기 전에 대기열을 비운다. " * 60,
    "",
]


def _read(
    embedder: Embedder, texts: list[str], groups: int, monkeypatch: pytest.MonkeyPatch, cores: int
) -> dict[str, Result]:
    monkeypatch.setattr(encoding, "cores", lambda: cores)
    size = -(-len(texts) // groups)
    found: dict[str, Result] = {}
    for start in range(0, len(texts), size):
        group = texts[start : start + size]
        passages = [Passage(text, before="앞의 말, and what came before.") for text in group]
        found.update(zip(group, encode(embedder, passages), strict=True))
    return found


@pytest.mark.parametrize("kind", [MiniLM, Multilingual])
def test_a_vector_depends_on_its_text_alone(
    kind: type[MiniLM] | type[Multilingual], monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder = kind()
    alone = _read(embedder, TEXTS, len(TEXTS), monkeypatch, cores=1)
    assert all(found for text, found in alone.items() if text), "each has at least one chunk"
    for seed, (groups, cores) in enumerate([(1, 1), (1, 2), (1, 4), (3, 2), (2, 3)]):
        shuffled = random.Random(seed).sample(TEXTS, len(TEXTS))
        together = _read(embedder, shuffled, groups, monkeypatch, cores=cores)
        assert together == alone, "every byte of every vector, token and id"


def test_work_is_shared_and_comes_back_in_order() -> None:
    # Both have to be inside at once, or the barrier breaks.
    meeting = threading.Barrier(2, timeout=60)
    threads: set[str] = set()

    def work(number: int) -> int:
        threads.add(threading.current_thread().name)
        meeting.wait()
        return number * number

    assert in_threads(work, range(8), 2) == [number * number for number in range(8)]
    assert len(threads) == 2
    assert threading.current_thread().name in threads, "the caller is one of the workers"


def test_no_worker_outlives_a_failure() -> None:
    before = threading.active_count()

    def work(number: int) -> int:
        if number == 3:
            raise ValueError("셋은 안 된다")
        return number

    with pytest.raises(ValueError, match="셋은 안 된다"):
        in_threads(work, range(100), 3)
    assert threading.active_count() == before


def test_where_no_thread_can_be_started_the_caller_does_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert in_threads(str, [1, 2, 3], 4) == ["1", "2", "3"]
