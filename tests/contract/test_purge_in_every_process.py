"""A purge reaches every process that has the store open, also one that does nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import strata
from strata import Workspace
from tests.contract.holder import Holder

WORD = "zanzibarquux"
SECRET = f"{WORD} 합병 계획 비밀"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


@pytest.fixture
def db(path: Path) -> Iterator[Workspace]:
    with strata.open(path, auto_embed=False) as opened:
        yield opened


@pytest.fixture
def holder(db: Workspace, path: Path) -> Iterator[Holder]:
    running = Holder(path)
    yield running
    running.end()


def test_a_word_that_was_purged_elsewhere_can_be_completed_once_it_is_written_again(
    db: Workspace, holder: Holder
) -> None:
    for number in range(3):  # the third put needs neither a new word nor the lock
        holder.ask("db.kv.put(*v).version", f"k{number}", SECRET)
    for number in range(3):
        db.purge(f"k{number}")
    holder.ask("db.kv.put(*v).version", "again", SECRET)
    found = "[hit.key for hit in db.search(v[0])]"
    assert holder.ask(found, "zanzib*") == ["again"]
    assert [hit.key for hit in db.search("zanzib*")] == ["again"]
    assert db.verify().ok


@pytest.mark.parametrize(
    ("write", "kind"),
    [
        ("db.kv.put('k', v[0]).version", "kv"),
        ("db.json.set('k', '$', {'a': v[0]}).version", "json"),
        ("db.events.append('k', {'a': v[0]}).sequence", "event"),
        ("db.state.set('k', v[0]).version", "state"),
    ],
)
def test_a_value_that_was_purged_elsewhere_is_in_no_object_any_more(
    db: Workspace, holder: Holder, write: str, kind: str
) -> None:
    holder.ask(write, SECRET)
    holder.ask("len(db.search(v[0]).hits)", WORD)
    holder.ask("len(db.glance(v[0]))", WORD)
    assert holder.ask("holds(bytes.fromhex(v[0]).decode())", WORD.encode().hex())
    db.purge("0000000000000001" if kind == "event" else "k", kind=kind)
    holder.drops(WORD)


def test_a_memory_that_was_purged_elsewhere_is_in_no_object_any_more(
    db: Workspace, holder: Holder
) -> None:
    saved = holder.ask("db.decisions.save(v[0], v[1], 'why').memory.id", f"{WORD} merger", SECRET)
    holder.ask("db.decisions.save('other', 'Use sessions', 'why').memory.id")
    holder.ask("len(list(db.decisions.search(v[0])))", WORD)
    holder.ask("db.decisions.relink()")
    db.purge(saved, kind="memory", space="decisions")
    holder.drops(WORD)


def test_a_document_that_was_purged_elsewhere_is_in_no_object_any_more(
    db: Workspace, holder: Holder
) -> None:
    made = holder.ask("db.documents.create('계획', v[0]).document", f"# 계획\n\n{SECRET}\n")
    holder.ask("db.documents.edit(v[0], '합병', '합병과 분할').version", made)
    holder.ask("db.documents.text(v[0])", made)
    holder.ask("len(db.search(v[0]).hits)", WORD)
    assert holder.ask("holds(bytes.fromhex(v[0]).decode())", WORD.encode().hex())
    db.purge_document(made)
    holder.drops(WORD)


def test_an_idle_process_drops_within_a_second_what_another_one_purged(
    db: Workspace, holder: Holder
) -> None:
    holder.ask("db.kv.put('k', v[0]).version", SECRET)
    holder.ask("len(db.search(v[0]).hits)", WORD)
    db.purge("k")
    # The promise is one second; looking through every object of a process takes a while itself.
    assert holder.drops(WORD) < 5
