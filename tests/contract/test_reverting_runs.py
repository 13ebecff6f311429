"""Taking several commits back as one, with a preview: what goes back, what stays, and why."""

import pytest

import strata
from strata import Workspace


def test_a_run_is_taken_back_as_one_commit(db: Workspace) -> None:
    db.kv.put("한도", 120)
    doc = db.documents.create("계획", "# 계획\n\n첫째 줄.\n\n둘째 줄.\n").document
    agent = db.as_actor("도우미")
    run = [
        agent.kv.put("한도", 240).version,
        agent.kv.put("한도", 600).version,
        agent.kv.put("새", "값").version,
        agent.documents.edit(doc, "첫째", "하나째").version,
        agent.documents.edit(doc, "하나째", "1째").version,
    ]
    agent.decisions.save("캐시", "60초", reasoning="빨라서")
    run.append(db.log(limit=1)[0].version)
    preview = db.revert(run, preview=True)
    assert (preview.commit, preview.conflicts, preview.kept) == (None, (), ())
    before = db.resolve("now").version
    done = db.revert(run, message="되돌린다")
    assert done.changes == preview.changes
    assert [commit.message for commit in db.log(limit=1)] == ["되돌린다"]
    assert len(db.log(limit=50)) == len(db.at(before).log(limit=50)) + 1
    assert (db.kv["한도"], "새" in db.kv) == (120, False)
    assert db.documents.text(doc) == "# 계획\n\n첫째 줄.\n\n둘째 줄.\n"
    assert db.decisions.recent() == []
    assert db.verify(full=True).ok
    db.revert(done.commit or 0)
    assert (db.kv["한도"], db.kv["새"]) == (600, "값")
    assert "1째 줄." in db.documents.text(doc)


def test_what_others_changed_since_stays_and_is_named(db: Workspace) -> None:
    bora = db.users.add("bora@example.com", "보라")
    doc = db.documents.create("계획", "# 계획\n\n첫째 줄.\n\n둘째 줄.\n").document
    db.shares.share(doc, "bora@example.com", "editor")
    agent, other = db.as_actor("도우미"), db.as_user(bora.id)
    run = [
        agent.kv.put("가", 1).version,
        agent.kv.put("나", 1).version,
        agent.documents.edit(doc, "첫째", "하나째").version,
        agent.documents.edit(doc, "둘째", "두째").version,
    ]
    other.kv.put("나", 2)
    other.documents.edit(doc, "하나째 줄", "보라의 줄")
    preview = db.revert(run, preview=True)
    assert {(one.kind, one.title, one.actor, one.person) for one in preview.kept} == {
        ("kv", None, "보라", bora.id),
        ("text", "계획", "보라", bora.id),
    }
    with pytest.raises(strata.MergeConflict) as refused:
        db.revert(run)
    assert len(refused.value.conflicts) == 2
    assert db.kv["가"] == 1
    done = db.revert(run, strategy="target_wins")
    assert (done.changes, done.kept) == (preview.changes, preview.kept)
    assert ("가" in db.kv, db.kv["나"]) == (False, 2)
    assert db.documents.text(doc) == "# 계획\n\n보라의 줄.\n\n둘째 줄.\n"


def test_commits_between_which_others_wrote_are_taken_back_one_after_the_other(
    db: Workspace,
) -> None:
    db.kv.put("문서", {"가": 0, "나": 0})
    first = db.kv.put("문서", {"가": 1, "나": 0}).version
    db.as_actor("다른 이").kv.put("문서", {"가": 1, "나": 5})
    second = db.kv.put("문서", {"가": 2, "나": 5}).version
    db.revert([second, first, second])
    assert db.kv["문서"] == {"가": 0, "나": 5}


def test_events_stay_and_are_counted(db: Workspace) -> None:
    with db.transaction() as tx:
        tx.events.append("배포", {"판": 1})
        tx.events.append("배포", {"판": 2})
        tx.kv.put("k", 1)
    [commit] = db.log()
    assert db.revert([commit.version]).events_kept == 2
    assert (len(db.events), "k" in db.kv) == (2, False)


def test_reverting_a_merge_among_others_is_remembered(db: Workspace) -> None:
    db.branches.fork("가지")
    db.on("가지").kv.put("k", 1)
    merged = db.branches.merge("가지").commit or 0
    more = db.kv.put("다른 것", 1).version
    undone = db.revert([merged, more]).commit
    again = db.branches.merge("가지")
    assert (again.undone_by, "k" in db.kv) == ((undone,), False)


def test_a_stranger_sees_nothing_of_hidden_documents(db: Workspace) -> None:
    bora = db.as_user(db.users.add("bora@example.com", "보라").id)
    doc = db.documents.create("비밀 계획", "처음").document
    with db.transaction() as tx:
        tx.kv.put("k", 1)
        tx.documents.edit(doc, "처음", "둘째")
    shared = db.log(limit=1)[0].version
    db.documents.edit(doc, "둘째", "셋째")
    preview = bora.revert([shared], preview=True)
    assert [change.key for change in preview.changes] == ["k"]
    assert (preview.conflicts, preview.kept) == ((), ())
    assert "비밀" not in repr(preview)
    with pytest.raises(strata.CommitNotFound):
        bora.revert([shared, db.log(limit=1)[0].version], preview=True)
    bora.revert([shared])
    assert (db.documents.text(doc), "k" in db.kv) == ("셋째", False)


def test_nothing_and_too_much_are_refused(db: Workspace) -> None:
    db.kv.put("k", 1)
    assert db.revert([]).commit is None
    with pytest.raises(strata.CommitNotFound):
        db.revert([1, 99])
    with pytest.raises(strata.InvalidArgument):
        db.revert("1")  # pyright: ignore[reportArgumentType]
