"""A file that is read in parts: the parts are right, and what lies around them is given back."""

import random
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from strata.models.mapped import Mapped
from tests.resident import resident_mb

SIZE = 32_000_000
PIECE = 16_000
PART = 400


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("mapped") / "table-of-parts"
    numbers = random.Random(1)
    # In small pieces, as files are unpacked: of a large piece Linux maps 2 MB at a time.
    with path.open("wb", buffering=0) as file:
        for _ in range(SIZE // PIECE):
            file.write(numbers.randbytes(PIECE))
    return path


def places(seed: int) -> list[int]:
    return [random.Random(seed + number).randrange(SIZE - PART) for number in range(2_000)]


def test_a_part_is_what_the_file_holds_there(table: Path) -> None:
    content, mapped = table.read_bytes(), Mapped(table)
    for start in places(1):
        assert mapped.read(start, PART) == content[start : start + PART]


def test_threads_that_read_at_once_get_their_own_parts(table: Path) -> None:
    content, mapped = table.read_bytes(), Mapped(table)

    def read(seed: int) -> bool:
        return all(mapped.read(at, PART) == content[at : at + PART] for at in places(seed))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(read, range(0, 40_000, 10_000)))


@pytest.mark.skipif(sys.platform != "linux", reason="reads what Linux tells of a process")
def test_what_lies_around_the_parts_leaves_memory_again(table: Path) -> None:
    mapped = Mapped(table)
    for start in places(1):
        mapped.read(start, PART)
    assert resident_mb("table-of-parts") < 8
