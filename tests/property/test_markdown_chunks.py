"""An edit within one part of a long section leaves the cuts of the others where they are."""

from bisect import bisect_right
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from strata.documents.markdown import chunks, sections

WORDS = "the store keeps every version 문서는 여러 사람이 쓴다 版 を שלום 🙂 of a plan".split()
INSERTED = [
    "",
    "x",
    "새 글 ",
    "\n",
    "\n\n",
    "A sentence. ",
    "e\u0301",
    "word " * 40,
    "para\n\n" * 5,
]


def story(seed: int, size: int) -> str:
    """Make paragraphs of words that do not repeat: what is the same all over has no places."""
    pieces: list[str] = ["# 이야기\n\n"]
    state = seed
    for _ in range(size):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        pieces.append(f"{WORDS[(state >> 33) % len(WORDS)]} {state >> 52}")
        pieces.append(
            "\n\n" if (state >> 40) % 23 == 0 else ". " if (state >> 45) % 9 == 0 else " "
        )
    return "".join(pieces)


@given(
    st.integers(0, 2**32),
    st.integers(600, 3_000),
    st.floats(0, 1),
    st.sampled_from(INSERTED),
    st.integers(0, 200),
)
def test_an_edit_moves_only_the_cuts_of_its_part_and_of_those_beside_it(
    seed: int, size: int, place: float, inserted: str, removed: int
) -> None:
    text = story(seed, size)
    start = 7 + int(place * (len(text) - 8))
    end = min(start + removed, len(text))
    after = text[:start] + inserted + text[end:]
    before, now = cuts(text), cuts(after)
    move = len(inserted) - (end - start)
    first, last = bisect_right(before, start), bisect_right(before, end)
    # The ends of the edited part are first-1 and last; those of its neighbours one further.
    assert now[: max(first - 2, 0)] == before[: max(first - 2, 0)]
    kept = before[last + 2 :]
    assert [cut - move for cut in now][len(now) - len(kept) :] == kept


def cuts(text: str) -> list[int]:
    return [one.end for one in chunks(text, sections(text))]


@given(st.text(st.characters(exclude_categories=()), max_size=300), st.integers(1, 60))
def test_chunks_are_the_whole_text_in_order_and_bounded(piece: str, times: int) -> None:
    text = piece * times
    found = sections(text)
    parts = chunks(text, found)
    assert [(one.start, one.end) for one in found] == [
        (mine[0].start, mine[-1].end)
        for number in range(len(found))
        if (mine := [part for part in parts if part.section == number])
    ]
    for one, other in pairwise(parts):
        assert one.end == other.start
    assert all(one.end - one.start <= 4_000 for one in parts)
