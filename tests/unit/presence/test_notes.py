"""Notes that are written in the background: nobody waits for them, and none is lost by a close."""

import time
from pathlib import Path

import pytest

import strata
from strata.base import limits

TEXT = "# Goals\n\nShip in May.\n\n## 일정\n\n봄에 시작한다.\n"


def seen(db: strata.Workspace, document: str) -> list[tuple[str | None, str, str | None]]:
    return [(one.via, one.status, one.section) for one in db.presence.list(document)]


def eventually(db: strata.Workspace, document: str, wanted: object) -> None:
    deadline = time.monotonic() + 60
    while seen(db, document) != wanted:
        assert time.monotonic() < deadline, seen(db, document)
        time.sleep(0.01)


def test_what_waits_is_written_before_the_store_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    for number in range(5):
        with strata.open(path, durability="standard", auto_embed=False) as db:
            document = db.documents.create(f"계획 {number}", TEXT).document
            db.presence.touch_soon(document, session="1", via="codex", quote="봄에")
        with strata.open(path, durability="standard", auto_embed=False) as db:
            assert seen(db, document) == [("codex", "viewing", "Goals > 일정")]


def test_a_note_does_not_wait_for_whoever_writes(tmp_path: Path) -> None:
    with strata.open(tmp_path / "store.db", durability="standard", auto_embed=False) as db:
        document = db.documents.create("계획", TEXT).document
        with db._store.writing():
            # Whoever waited here would wait for ever: this thread holds the lock.
            for number in range(500):
                db.presence.touch_soon(document, session=str(number))
        eventually(db, document, [(None, "viewing", None)])


def test_a_store_is_closed_while_another_process_holds_its_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LOCK_WAIT_S", 3_600.0)  # who waits does not end
    path = tmp_path / "store.db"
    db = strata.open(path, durability="standard", auto_embed=False)
    document = db.documents.create("계획", TEXT).document
    other = strata.open(path, durability="standard", auto_embed=False)
    with other._store.writing():
        db.presence.touch_soon(document, session="1")
        time.sleep(0.1)
        db.close()
    other.close()


def test_whoever_asks_about_the_whole_is_still_where_they_were(db: strata.Workspace) -> None:
    document = db.documents.create("계획", TEXT).document
    db.presence.touch_soon(document, session="1", section="Goals > 일정")
    eventually(db, document, [(None, "viewing", "Goals > 일정")])
    db.presence.touch_soon(document, session="1", status="editing")
    eventually(db, document, [(None, "editing", "Goals > 일정")])
    db.presence.touch_soon(document, session="1", status="editing", quote="Ship in")
    eventually(db, document, [(None, "editing", "Goals")])


@pytest.mark.parametrize("quote", ["nowhere in the text", "\ud800", ""])
def test_words_that_are_not_there_tell_no_section(db: strata.Workspace, quote: str) -> None:
    document = db.documents.create("계획", TEXT).document
    db.presence.touch_soon(document, session="1", quote=quote)
    eventually(db, document, [(None, "viewing", None)])


def test_what_may_not_be_noted_is_noted_for_nobody(db: strata.Workspace) -> None:
    document = db.documents.create("비밀", TEXT).document
    ann = db.as_user(db.users.add("ann@example.com").id)
    ann.presence.touch_soon(document, session="1")
    db.presence.touch_soon(document, session="2", section="Goals")
    eventually(db, document, [(None, "viewing", "Goals")])
