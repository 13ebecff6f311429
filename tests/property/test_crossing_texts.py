"""Branches of a document that are merged into each other crosswise: no line is there twice."""

import random
from collections import Counter
from collections.abc import Iterator

import pytest

import strata
from strata.documents.text import replica

START = "".join(f"line {number} 가\n" for number in range(5))
BRANCHES = ("default", "left", "오른쪽")


@pytest.fixture
def db() -> Iterator[strata.Workspace]:
    with strata.open(durability="cache", auto_embed=False) as opened:
        yield opened


def edit(db: strata.Workspace, document: str, branch: str, old: str, new: str) -> None:
    documents = db.on(branch).documents
    documents.write(document, documents.text(document).replace(old, new))


def test_words_that_two_branches_keep_against_one_deletion_are_there_once(
    db: strata.Workspace,
) -> None:
    made = db.documents.create("문서", "# head\nzero\none by one and more\ntwo\n").document
    for name in BRANCHES[1:]:
        db.branches.fork(name)
    edit(db, made, "오른쪽", "one by one and more\n", "")
    edit(db, made, "default", "by", "after")
    edit(db, made, "left", "more", "하나")
    for target in ("default", "left"):
        done = db.branches.merge("오른쪽", into=target)
        assert len(done.filed) == 1, "the deletion waits as a suggestion"
    edit(db, made, "left", "two", "two\nfour")
    db.branches.merge("default", into="left")
    assert db.on("left").documents.text(made) == "# head\nzero\none after one and 하나\ntwo\nfour\n"


def test_a_line_that_is_deleted_crosswise_is_not_doubled(db: strata.Workspace) -> None:
    made = db.documents.create("문서", "# head\nzero\none\ntwo\n").document
    for name in BRANCHES[1:]:
        db.branches.fork(name)
    edit(db, made, "오른쪽", "one\n", "")
    for branch in ("default", "left"):
        edit(db, made, branch, "two\n", "")
    db.branches.merge("오른쪽", into="default")
    edit(db, made, "left", "one\n", "one\nfour\n")
    db.branches.merge("오른쪽", into="left")
    db.branches.merge("default", into="left")
    assert db.on("left").documents.text(made) == "# head\nzero\nfour\n"


def test_two_lines_that_follow_each_other_can_be_deleted_on_two_branches(
    db: strata.Workspace,
) -> None:
    made = db.documents.create("문서", "zero\n하나\ntwo\nthree\n").document
    db.branches.fork("left")
    edit(db, made, "left", "two\n", "")
    edit(db, made, "default", "하나\n", "")
    assert db.branches.merge("left").filed == ()
    assert db.documents.text(made) == "zero\nthree\n"


def test_lines_of_both_branches_stand_in_the_same_order_on_both(db: strata.Workspace) -> None:
    made = db.documents.create("문서", "a\nz\n").document
    db.branches.fork("left")
    edit(db, made, "left", "a\n", "a\n왼쪽\n")
    edit(db, made, "default", "a\n", "a\nmain\n")
    db.branches.merge("left", into="default")
    db.branches.merge("default", into="left")
    text = db.documents.text(made)
    assert sorted(text.splitlines()) == ["a", "main", "z", "왼쪽"]
    assert db.on("left").documents.text(made) == text


@pytest.mark.parametrize("seed", range(12))
def test_no_line_is_there_twice_however_branches_are_merged(
    db: strata.Workspace, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(seed)
    # The order of what two replicas write at one place depends on their ids.
    monkeypatch.setattr(replica, "fresh_client", lambda: chance.randrange(1, 2**32))
    made = db.documents.create("문서", START).document
    for name in BRANCHES[1:]:
        db.branches.fork(name)
    for number in range(60):
        branch, other = chance.sample(BRANCHES, 2)
        if chance.random() < 0.3:
            db.branches.merge(other, into=branch)
        else:
            change_a_line(chance, db.on(branch), made, f"⟨{number}⟩")
        lines = Counter(db.on(branch).documents.text(made).splitlines())
        assert max(lines.values(), default=1) == 1, lines.most_common(1)


def change_a_line(chance: random.Random, db: strata.Workspace, document: str, word: str) -> None:
    """Insert, delete or rewrite one line; every new line has a word that occurs nowhere else."""
    lines = db.documents.text(document).splitlines(keepends=True)
    at = chance.randrange(len(lines) + 1)
    kind = chance.choice(["insert", "delete", "rewrite"])
    if kind == "insert" or at == len(lines):
        lines.insert(at, f"new {word} 나\n")
    elif kind == "delete":
        del lines[at]
    else:
        words = lines[at].split()
        words[chance.randrange(len(words))] = word
        lines[at] = " ".join(words) + "\n"
    db.documents.write(document, "".join(lines))
