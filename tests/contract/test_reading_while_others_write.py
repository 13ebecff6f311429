"""Reads that are put together from several statements show one state of the store."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import strata
from strata import Workspace
from strata.documents import Arrival, Author, Replica, Splice

EDITS = 60


@pytest.fixture(name="path")
def fixture_path(tmp_path: Path) -> Path:
    return tmp_path / "공유.db"


@contextmanager
def writing_beside(path: Path, write: Callable[[Workspace, int], object]) -> Iterator[list[int]]:
    """Write through a workspace of its own while the block runs; yields what is done so far."""
    done: list[int] = []
    errors: list[BaseException] = []

    def work() -> None:
        try:
            with strata.open(path, durability="standard", auto_embed=False) as db:
                for turn in range(1, EDITS + 1):
                    write(db, turn)
                    done.append(turn)
        except BaseException as error:
            errors.append(error)
            raise

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield done
    finally:
        thread.join()
    assert errors == []
    assert len(done) == EDITS


def words(text: str) -> list[int]:
    return [int(word) for word in text.split() if word.isdigit()]


def test_a_text_is_whole_while_another_process_writes_it(path: Path) -> None:
    with strata.open(path, durability="standard", auto_embed=False) as db:
        made = db.documents.create("일지", "끝")
        with writing_beside(
            path, lambda other, turn: other.documents.edit(made.document, "끝", f"{turn} 끝")
        ) as done:
            while len(done) < EDITS:
                known = len(done)
                read = words(db.documents.text(made.document))
                assert read == list(range(1, len(read) + 1))
                assert len(read) >= known
                assert len(db.documents.blame(made.document)) == 1
        for version in db.documents.history(made.document, limit=EDITS + 1):
            text = db.documents.text(made.document, version=version.version)
            assert version.bytes == len(text.encode())


def test_typing_live_loses_nothing_beside_another_writer(path: Path) -> None:
    with strata.open(path, durability="standard", auto_embed=False) as db:
        made = db.documents.create("일지", "끝")
        owner = Author(db.users.owner().id)
        log = db.documents.live()
        with writing_beside(
            path, lambda other, turn: other.documents.edit(made.document, "끝", f"{turn} 끝")
        ) as done:
            typed = 0
            while len(done) < EDITS:
                page = Replica([log.difference(made.document).update])
                update = page.splice([Splice(0, 0, "글")])
                (outcome,) = log.append([Arrival(made.document, update, owner)])
                assert outcome.error is None
                typed += 1
        text = db.documents.text(made.document)
        assert text.count("글") == typed
        assert words(text.replace("글", " ")) == list(range(1, EDITS + 1))
        assert db.verify(full=True).problems == ()


def test_a_branch_that_is_forked_during_a_verification_is_left_out_of_it(path: Path) -> None:
    with strata.open(path, durability="standard", auto_embed=False) as db:
        db.documents.create("일지", "끝")

        def fork() -> None:
            with strata.open(path, durability="standard", auto_embed=False) as other:
                other.branches.fork("곁가지")
            assert db.branches.exists("곁가지")

        def fork_once(_stage: str, _done: int, _total: int) -> None:
            if not forking.ident:
                forking.start()
                forking.join()

        # Another thread sees the newest state, while the verification keeps to its own.
        forking = threading.Thread(target=fork)
        assert db.verify(progress=fork_once).problems == ()
        assert "곁가지" in [branch.name for branch in db.branches.list()]
