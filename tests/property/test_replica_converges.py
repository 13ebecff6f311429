"""Replicas that took in the same updates hold the same text, whatever the order."""

import random

from hypothesis import given
from hypothesis import strategies as st

from strata.base.errors import UpdateGap
from strata.documents.text import Replica, Splice
from strata.documents.text.updates import read_vector

WORDS = st.text(
    st.sampled_from("ab \n") | st.characters(exclude_categories=["Cs"]), max_size=8
) | st.sampled_from(["😀", "👩‍👩‍👧", "e\u0301", "한국어", "שלום", "𝒳"])
# Who writes, where (as a share of the text), how much goes, what comes, how much they had seen.
SHARE = st.integers(0, 100)
EDITS = st.lists(
    st.tuples(st.integers(0, 2), SHARE, st.integers(0, 6), WORDS, SHARE), min_size=1, max_size=25
)


@given(EDITS, st.randoms(use_true_random=False))
def test_every_order_gives_the_same_text(
    edits: list[tuple[int, int, int, str, int]], chance: random.Random
) -> None:
    log, writers = written(edits)
    for writer in writers:
        for update in log:
            writer.apply(update)
    texts = {writer.text for writer in writers}
    shuffled = list(log)
    chance.shuffle(shuffled)
    late = patient(shuffled)
    texts |= {late.text, Replica(log).text, Replica([late.state()]).text}
    texts |= {Replica(state=writers[0].state()).text}
    assert len(texts) == 1
    vectors = [read_vector(each.vector()) for each in (*writers, late)]
    assert all(vector == vectors[0] for vector in vectors)


@given(EDITS)
def test_what_a_vector_asks_for_is_all_that_is_missing(
    edits: list[tuple[int, int, int, str, int]],
) -> None:
    _, writers = written(edits)
    for _ in range(2):
        for one in writers:
            for other in writers:
                one.apply(other.since(one.vector()))
    assert len({writer.text for writer in writers}) == 1


@given(EDITS)
def test_a_splice_changes_the_text_as_python_would(
    edits: list[tuple[int, int, int, str, int]],
) -> None:
    replica, mirror, model = Replica(), Replica(), ""
    for _, share, gone, put, _ in edits:
        start = len(model) * share // 100
        end = min(len(model), start + gone)
        update = replica.splice([Splice(start, end, put)])
        model = model[:start] + put + model[end:]
        if update:
            mirror.apply(update)
        assert replica.text == model
    assert mirror.text == Replica([replica.state()]).text == model


def written(edits: list[tuple[int, int, int, str, int]]) -> tuple[list[bytes], list[Replica]]:
    """Let three replicas write, each after taking in a part of what the others wrote."""
    writers = [Replica() for _ in range(3)]
    seen = [0, 0, 0]
    log: list[bytes] = []
    for who, share, gone, put, part in edits:
        writer = writers[who]
        upto = seen[who] + (len(log) - seen[who]) * part // 100
        for update in log[seen[who] : upto]:
            writer.apply(update)
        seen[who] = upto
        start = len(writer.text) * share // 100
        update = writer.splice([Splice(start, min(len(writer.text), start + gone), put)])
        log += [update] if update else []
    return log, writers


def patient(updates: list[bytes]) -> Replica:
    """Apply updates in any order, each as soon as what it builds on is there."""
    replica = Replica()
    waiting = updates
    while waiting:
        refused: list[bytes] = []
        for update in waiting:
            before = replica.text
            try:
                replica.apply(update)
            except UpdateGap:
                assert replica.text == before
                refused.append(update)
        assert len(refused) < len(waiting)
        waiting = refused
    return replica
