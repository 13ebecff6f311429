"""`tx.documents`: documents are committed with facts and decisions, or not at all."""

import multiprocessing
import os
import signal
from pathlib import Path

import pytest

import strata
from strata import Workspace
from strata.base import limits
from strata.base.errors import NotAllowed, NotFound, ReadOnly, SecretRefused, TransactionConflict
from strata.documents import NewDocument, Request
from tests.databases import place_of

SECRET = "postgres://app:" + "tr0ub4dor" + "@db/app"


def test_a_document_is_committed_with_facts_and_decisions(db: Workspace) -> None:
    with db.transaction(message="배포를 옮긴다", actor="민지") as tx:
        tx.kv["deploy/target"] = "green"
        saved = tx.decisions.save("배포", "초록을 쓴다", "파란 쪽이 느리다")
        made = tx.documents.create("배포", "# 목표\n\n파란 쪽에 둔다.\n")
        assert (made.version, made.created) == (0, True)
        tx.documents.edit(made.document, "파란", "초록")
        tx.documents.write(made.document, tx.documents.text(made.document) + "\n## 일정\n\n5월.\n")
        tx.documents.rename(made.document, "배포 계획")
        assert tx.documents.get(made.document).title == "배포 계획"
        assert [one.path for one in tx.documents.sections(made.document)] == [
            ("목표",),
            ("목표", "일정"),
        ]
        with pytest.raises(NotFound):
            db.documents.get(made.document)
    text = "# 목표\n\n초록 쪽에 둔다.\n\n## 일정\n\n5월.\n"
    assert db.documents.text(made.document) == text
    assert len(db.log()) == 1
    commit, changes = db.show(db.decisions.require(saved.memory.id).version)
    assert (commit.message, commit.actor) == ("배포를 옮긴다", "민지")
    assert "deploy/target" in {change.key for change in changes}
    found = db.documents.get(made.document)
    assert (found.title, found.role, found.created_by) == ("배포 계획", "owner", found.owner)
    assert [one.operation for one in db.documents.history(made.document)] == ["write"]
    assert db.documents.find(Request(query="초록 일정")).items[0].id == made.document
    assert db.documents.audience(made.document).kind == "personal"
    assert db.verify().problems == ()


def test_edits_go_on_behind_a_transaction(db: Workspace) -> None:
    made = db.documents.create("일지", "하나\n").document
    for number in range(40):
        with db.transaction() as tx:
            tx.documents.edit(made, "하나", f"하나 {number} 🚀")
            tx.documents.edit(made, f"하나 {number} 🚀", "하나")
            tx.documents.write(made, tx.documents.text(made) + f"{number}번째\n")
        # What this process remembers of the text is followed by what the transaction wrote.
        db.documents.edit(made, f"{number}번째", f"{number}째")
    text = "하나\n" + "".join(f"{number}째\n" for number in range(40))
    assert db.documents.text(made) == text
    for version in db.documents.history(made, limit=100):
        assert db.documents.text(made, version=version.version).startswith("하나\n")
    assert [line.text for line in db.documents.blame(made)] == text.splitlines(keepends=True)
    assert db.verify(full=True).problems == ()


def test_a_snapshot_of_the_log_comes_ahead_of_its_row(
    db: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "DOCUMENT_SNAPSHOT_ROWS_MIN", 1)
    monkeypatch.setattr(limits, "DOCUMENT_SNAPSHOT_BYTES_MIN", 200)
    made = db.documents.create("일지", "처음\n").document
    for number in range(3):
        with db.transaction() as tx:
            for text in (f"{number}번째", "긴 글 " * 100, f"{number}번째 끝"):
                tx.documents.write(made, f"처음\n{text}")
        version = db.documents.history(made)[0].version
        assert db.documents.text(made, version=version) == f"처음\n{number}번째 끝"
    assert db.verify(full=True).problems == ()


def test_a_rollback_leaves_neither_document_nor_placement_nor_fact(db: Workspace) -> None:
    kept = db.documents.create("계획", "하나").document
    state = audited(db)
    made: list[str] = []

    def fail() -> None:
        with db.transaction() as tx:
            tx.kv["k"] = 1
            made.append(tx.documents.create("새것", "둘").document)
            tx.documents.edit(kept, "하나", "바뀐 것")
            assert tx.documents.text(kept) == "바뀐 것"
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    tx = db.begin()
    made.append(tx.documents.create("또 새것").document)
    tx.documents.trash(kept)
    tx.rollback()
    assert audited(db) == state
    assert db.documents.text(kept) == "하나"
    assert db.documents.edit(kept, "하나", "하나 둘").status == "applied"
    for document in made:
        with pytest.raises(NotFound):
            db.documents.get(document)
        assert document not in db.rights.visible()
    assert db.kv.get("k") is None
    assert db.verify().problems == ()


def test_what_fails_inside_leaves_the_rest_of_the_transaction(db: Workspace) -> None:
    kept = db.documents.create("계획", "하나\n둘\n").document
    with db.transaction() as tx:
        tx.documents.edit(kept, "하나", "첫째")
        with pytest.raises(SecretRefused):
            tx.documents.write(kept, f"첫째\n둘\n\n{SECRET}\n")
        with pytest.raises(SecretRefused):
            tx.documents.create_many([NewDocument(title="좋다"), NewDocument(title=SECRET)])
        with pytest.raises(SecretRefused):
            tx.documents.create_many(
                [NewDocument(title="좋다"), NewDocument(title="나쁘다", content=SECRET)]
            )
        with pytest.raises(NotFound):
            tx.documents.edit(kept, "하나", "사라졌다")
        assert tx.documents.text(kept) == "첫째\n둘\n"
        tx.documents.edit(kept, "둘", "둘째")
    assert db.documents.text(kept) == "첫째\n둘째\n"
    assert list(db.rights.visible()) == [kept]
    assert db.verify().problems == ()


def test_what_others_change_meanwhile_is_a_conflict(db: Workspace) -> None:
    made = db.documents.create("계획", "하나 둘").document
    for change in (
        lambda: db.documents.edit(made, "하나", "셋"),
        lambda: db.documents.trash(made),
    ):
        tx = db.begin()
        tx.kv["k"] = 1
        tx.documents.edit(made, "둘", "넷")
        tx.documents.rename(made, "다른 이름")
        change()
        with pytest.raises(TransactionConflict):
            tx.commit()
    assert db.documents.text(made) == "셋 둘"
    assert db.kv.get("k") is None
    # A text that was only read counts as well.
    tx = db.begin()
    tx.kv["seen"] = tx.documents.text(made)
    db.documents.write(made, "새로")
    with pytest.raises(TransactionConflict):
        tx.commit()
    assert db.kv.get("seen") is None


def test_a_stale_edit_is_merged_inside_a_transaction(db: Workspace) -> None:
    made = db.documents.create("계획", "하나 둘 셋")
    db.documents.edit(made.document, "하나", "첫째")
    with db.transaction() as tx:
        tx.documents.edit(made.document, "첫째", "처음")
        late = tx.documents.edit(made.document, "셋", "세째", base_version=made.version)
        clash = tx.documents.edit(made.document, "하나", "1", base_version=made.version)
    assert (late.status, clash.status) == ("applied", "suggested")
    assert db.documents.text(made.document) == "처음 둘 세째"
    assert [one.replacement for one in db.documents.suggestions(made.document)] == ["1"]


def test_a_transaction_has_the_rights_of_its_user(db: Workspace) -> None:
    ann, bob = (db.users.add(f"{name}@example.com") for name in ("ann", "bob"))
    team = db.teams.add("디자인")
    db.teams.set_member(team.id, ann.id, "editor")
    shared = db.folders.add("Shared", team=team.id)
    there, other = db.as_user(ann.id), db.as_user(bob.id)
    mine = db.documents.create("비밀", "주인만").document
    with there.transaction() as tx:
        made = tx.documents.create("함께", "글", folder=shared.id).document
        tx.documents.edit(made, "글", "우리 글")
        with pytest.raises(NotFound):
            tx.documents.text(mine)
        with pytest.raises(NotFound):
            tx.documents.create("x", folder=other.folders.personal().id)
    assert there.documents.get(made).created_by == ann.id
    with pytest.raises(NotFound):
        other.documents.get(made)
    db.documents.share(mine, "bob@example.com", "commenter")
    with other.transaction() as tx:
        assert tx.documents.edit(mine, "주인만", "모두").status == "suggested"
        with pytest.raises(NotAllowed):
            tx.documents.rename(mine, "내 것")
    assert db.documents.text(mine) == "주인만"
    with pytest.raises(ReadOnly), db.transaction(read_only=True) as tx:
        tx.documents.create("x")


def test_rights_that_are_taken_back_before_the_commit_are_a_conflict(db: Workspace) -> None:
    ann = db.users.add("ann@example.com")
    team = db.teams.add("디자인")
    db.teams.set_member(team.id, ann.id, "editor")
    shared = db.folders.add("Shared", team=team.id)
    made = db.documents.create("함께", "글", folder=shared.id).document
    tx = db.as_user(ann.id).begin()
    tx.documents.edit(made, "글", "다른 글")
    new = db.as_user(ann.id).begin()
    new.documents.create("새것", folder=shared.id)
    db.teams.remove_member(team.id, ann.id)
    with pytest.raises(TransactionConflict):
        tx.commit()
    with pytest.raises(NotFound):
        new.commit()
    assert db.documents.text(made) == "글"
    assert list(db.rights.visible()) == [made]


def test_other_views_of_the_transaction_see_the_same_documents(db: Workspace) -> None:
    ann = db.as_user(db.users.add("ann@example.com").id)
    with ann.transaction() as tx:
        made = tx.documents.create("계획", "하나").document
        tx.space("notes").documents.edit(made, "하나", "둘")
        tx.allowing_secrets().documents.write(made, SECRET)
    assert ann.documents.text(made) == SECRET


def test_the_trash_counts_with_the_commit(db: Workspace) -> None:
    made = db.documents.create("계획", "하나").document
    tx = db.begin()
    assert tx.documents.trash(made).status == "trashed"
    assert db.documents.get(made).status == "draft"
    tx.commit()
    assert db.documents.get(made).status == "trashed"
    with db.transaction() as again:
        assert again.documents.untrash(made).status == "draft"


@pytest.mark.parametrize("when", ["staged", "committing"])
def test_a_killed_transaction_leaves_nothing(tmp_path: Path, when: str) -> None:
    path = tmp_path / "killed.db"
    with strata.open(path, auto_embed=False) as db:
        kept = db.documents.create("계획", "하나").document
        state = audited(db)
    context = multiprocessing.get_context("spawn")
    process = context.Process(target=die, args=(place_of(path), kept, when))
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL
    with strata.open(path, auto_embed=False) as db:
        assert audited(db) == state
        assert db.documents.text(kept) == "하나"
        assert db.kv.get("k") is None
        assert db.verify(full=True).problems == ()
        with db.transaction() as tx:
            tx.documents.edit(kept, "하나", "둘")
        assert db.documents.text(kept) == "둘"


def die(place: str, kept: str, when: str) -> None:
    """Kill this process in the middle of a transaction."""
    with strata.open(place, auto_embed=False) as db:
        tx = db.begin()
        tx.kv["k"] = 1
        tx.documents.create("새것", "둘")
        tx.documents.edit(kept, "하나", "바뀐 것")
        if when == "committing":
            # After the placement was written, and before the SQL transaction ends.
            tx._transaction.on_commit(lambda: os.kill(os.getpid(), signal.SIGKILL))
            tx.commit()
        os.kill(os.getpid(), signal.SIGKILL)


def audited(db: Workspace) -> tuple[object, ...]:
    """Return what a transaction could leave behind."""
    return (
        db.log(),
        dict(db.rights.visible()),
        [entry.action for entry in db.audit.list()],
        db.rights.documents_in(db.folders.personal().id),
    )
