"""Importing again: nothing changes, what is new comes, and what both sides changed is told."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from strata import InvalidArgument, ReadOnly, Workspace
from strata.base import limits
from strata.exchange import import_mama
from tests.contract.mama.conftest import Given, state
from tests.contract.mama.made import decision, insert, make, make_large


@pytest.mark.parametrize("name", ["small", "dirty", "novec", "live"])
def test_a_second_import_changes_nothing(db: Workspace, given: Given, name: str) -> None:
    path = given(name)
    first = import_mama(db, path)
    before, version = state(db), db.log(limit=1)[0].version
    again = import_mama(db, path)
    assert first.written == again.unchanged > 0
    assert (again.written, again.commits, again.version) == (0, 0, None)
    assert again.digest == first.digest
    assert again.warnings == first.warnings
    assert state(db) == before
    assert db.log(limit=1)[0].version == version


def test_the_same_rows_elsewhere_are_not_written_twice(
    db: Workspace, given: Given, tmp_path: Path
) -> None:
    path = given("small")
    import_mama(db, path, backfill="none")
    before = state(db)
    copy = tmp_path / "복사.db"
    copy.write_bytes(path.read_bytes())
    found = import_mama(db, copy, backfill="none")
    assert found.clashes == ()
    assert state(db) == before


def test_rows_that_mama_added_since_come_with_the_next_import(
    db: Workspace, tmp_path: Path
) -> None:
    path = make(tmp_path / "m.db", decisions=[decision(1, topic="인증")])
    import_mama(db, path)
    with sqlite3.connect(path) as source:
        insert(source, "decisions", decision(2, topic="인증", supersedes="decision_1_aaaa"))
        source.execute("UPDATE decisions SET superseded_by = 'decision_2_aaaa' WHERE rowid = 1")
    source.close()
    found = import_mama(db, path)
    assert found.written == 2  # the decision and its link
    assert [head.id for head in db.decisions.heads("인증")] == ["decision_2_aaaa"]


def test_what_was_changed_here_stays_when_the_file_is_imported_again(
    db: Workspace, tmp_path: Path
) -> None:
    path = make(tmp_path / "m.db", decisions=[decision(1, topic="a"), decision(2, topic="b")])
    import_mama(db, path)
    db.decisions.outcome("failed", id="decision_1_aaaa", reason="느렸다")
    with sqlite3.connect(path) as source:
        source.execute("UPDATE decisions SET outcome = 'SUCCESS', updated_at = 1770000000000")
    source.close()
    found = import_mama(db, path)
    memories = state(db)[0]
    assert found.clashes == ("decision_1_aaaa",)
    assert memories["decision_1_aaaa"].outcome == "FAILED"
    assert memories["decision_2_aaaa"].outcome == "SUCCESS"


def test_a_link_that_somebody_removed_does_not_come_back(db: Workspace, given: Given) -> None:
    path = given("small")
    import_mama(db, path)
    gone = db.decisions.links()[0]
    db.decisions.unlink(gone.id)
    import_mama(db, path)
    assert gone.id not in state(db)[1]


def test_links_that_faded_and_were_pruned_do_not_come_back(db: Workspace, given: Given) -> None:
    path = given("dirty")
    found = import_mama(db, path)
    pruned = db.decisions.prune()
    assert pruned.count > 0
    again = import_mama(db, path)
    assert (again.written, again.version) == (0, None)
    assert not state(db)[1].keys() & {link.id for link in pruned.links}
    assert len(state(db.on(found.import_branch))[1]) == again.unchanged - 112


def test_a_preview_tells_the_same_and_writes_nothing(db: Workspace, given: Given) -> None:
    path = given("dirty")
    shown = import_mama(db, path, preview=True)
    assert db.branches.list() == [db.branches.get("default")]
    assert state(db) == ({}, {})
    done = import_mama(db, path)
    assert (shown.written, shown.memories, shown.links) == (done.written, done.memories, done.links)
    assert shown.warnings == done.warnings
    assert shown.version is None


def test_an_import_goes_to_the_branch_one_stands_on(db: Workspace, given: Given) -> None:
    db.kv.put("k", 1)
    db.branches.fork("try")
    import_mama(db.on("try"), given("small"))
    assert len(state(db.on("try"))[0]) == 74
    assert state(db) == ({}, {})
    assert db.on("try").kv.get("k") is not None


def test_the_branch_of_a_file_holds_nothing_but_the_file(db: Workspace, given: Given) -> None:
    db.kv.put("k", 1)
    path = given("small")
    found = import_mama(db, path)
    own = db.on(found.import_branch)
    assert own.kv.get("k") is None
    assert len(state(own)[0]) == 74
    with pytest.raises(InvalidArgument, match="another branch"):
        import_mama(own, path)


def test_the_past_cannot_be_imported_into(db: Workspace, given: Given) -> None:
    db.kv.put("k", 1)
    with pytest.raises(ReadOnly):
        import_mama(db.at("now"), given("small"))


def test_more_than_one_commit_can_hold_is_written_in_several(
    db: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_large(tmp_path / "large.db", 60)
    monkeypatch.setattr(limits, "ITEMS_MAX", 100)
    found = import_mama(db, path)
    assert found.commits == -(-found.written // 100) > 2
    assert len(state(db)[0]) == 66
    assert state(db) == state(db.on(found.import_branch))
    assert import_mama(db, path).written == 0
    assert [branch.name for branch in db.branches.list()] == ["default", found.import_branch]


def test_two_imports_at_once_give_what_one_gives(db: Workspace, given: Given) -> None:
    path = given("small")
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda _: import_mama(db, path, backfill="none"), range(4)))
    assert {found.clashes for found in done} == {()}
    assert len(state(db)[0]) == 74
    assert import_mama(db, path, backfill="none").written == 0
    assert state(db) == state(db.on(done[0].import_branch))


def test_progress_is_told_from_beginning_to_end(db: Workspace, given: Given) -> None:
    told: list[tuple[str, int, int]] = []
    import_mama(db, given("small"), progress=lambda *figures: told.append(figures))
    assert told[0][1] == 0
    assert told[-1][1] == told[-1][2]
    assert [done for _stage, done, _total in told] == sorted(done for _, done, _ in told)
