"""Who made a commit: a person, the agent that worked for them, and its task."""

from collections.abc import Callable
from pathlib import Path

import pytest

import strata
from strata import Workspace
from strata.store import Signature, read_signature
from strata.tools import Session, SessionState, StoreHost, call_tool, registry


def last(db: Workspace) -> strata.Commit:
    return db.log(limit=1)[0]


def test_a_user_and_the_agent_are_both_named(db: Workspace) -> None:
    ann = db.users.add("ann@example.com", "안나")
    view = db.as_user(ann.id)
    view.kv.put("k", 1)
    commit = last(db)
    assert (commit.actor, commit.person, commit.person_name) == ("안나", ann.id, "안나")
    assert (commit.agent, commit.task) == (None, None)
    view.as_actor("claude-code", task="task_1").kv.put("k", 2)
    commit = last(db)
    assert (commit.actor, commit.person, commit.agent) == ("claude-code", ann.id, "claude-code")
    assert (commit.task, commit.person_name) == ("task_1", "안나")
    with view.as_actor("도우미").transaction(message="둘") as tx:
        tx.kv.put("a", 1)
        made = tx.documents.create("계획", "처음")
    assert (last(db).person, last(db).agent) == (ann.id, "도우미")
    assert {run.via for run in view.documents.blame(made.document)} == {"도우미"}


def test_the_file_itself_names_what_it_is_told(db: Workspace) -> None:
    db.kv.put("k", 1)
    assert (last(db).actor, last(db).person) == (None, None)
    db.as_actor("소연").kv.put("k", 2)
    commit = last(db)
    assert (commit.actor, commit.person, commit.agent) == ("소연", None, None)
    owner = db.rights.user
    db.as_actor("소연").documents.create("계획", "글")
    assert (last(db).actor, last(db).person, last(db).agent) == ("소연", owner.id, "소연")


def test_merges_reverts_and_undo_name_the_person_too(db: Workspace) -> None:
    ann = db.users.add("ann@example.com", "안나")
    view = db.as_user(ann.id).as_actor("도우미")
    view.kv.put("k", 1)
    wrong = view.kv.put("k", 2).version
    view.revert(wrong)
    assert (last(db).person, last(db).agent) == (ann.id, "도우미")
    view.branches.fork("가지")
    view.on("가지").kv.put("k", 3)
    view.branches.merge("가지", into="default")
    assert (last(db).operation, last(db).person) == ("merge", ann.id)
    view.undo()
    assert (last(db).person, db.kv["k"]) == (ann.id, 1)


def test_an_actor_cannot_pretend_to_be_a_person(db: Workspace) -> None:
    ann = db.users.add("ann@example.com", "안나")
    forged = Signature("x", ann.id, "안나").text
    with pytest.raises(strata.InvalidArgument):
        db.as_actor(forged)
    with pytest.raises(strata.InvalidArgument), db.transaction(actor=forged):
        pass
    assert read_signature(forged).person == ann.id


def test_a_session_of_a_task_names_the_task(db: Workspace) -> None:
    tool = registry().find("strata_store")
    assert tool is not None
    session = Session(
        StoreHost(lambda: db), caller="owner", state=SessionState(), actor="정리", task="task_9"
    )
    assert not call_tool(session, tool, {"key": "k", "value": "값"}).is_error
    commit = last(db)
    assert (commit.person, commit.agent, commit.task) == (db.rights.user.id, "정리", "task_9")


def test_a_bundle_carries_the_names(
    db: Workspace, folder: Path, open_store: Callable[..., Workspace]
) -> None:
    ann = db.users.add("ann@example.com", "안나")
    db.as_user(ann.id).as_actor("도우미").kv.put("k", 1)
    db.bundles.export(folder / "b.bundle")
    other = open_store("other")
    other.bundles.load(folder / "b.bundle", branch="가져온")
    commit = last(other.on("가져온"))
    assert (commit.actor, commit.person_name, commit.person) == ("도우미", "안나", ann.id)
    assert other.verify().ok


def test_a_log_lists_what_commits_touched_with_titles(db: Workspace) -> None:
    made = db.documents.create("사업 계획", "# 하나\n\n둘")
    db.review.comment(made.document, "좋다")
    with db.transaction() as tx:
        tx.kv.put("키", 1)
        tx.events.append("배포", {})
    facts, comment, created = db.log(touched=True)
    assert [(one.kind, one.key) for one in facts.touched] == [("kv", "키"), ("event", "1")]
    assert [(one.kind, one.title) for one in comment.touched] == [("comment", "사업 계획")]
    [document] = created.touched
    assert (document.kind, document.key, document.title) == (
        "document",
        made.document,
        "사업 계획",
    )
    stranger = db.as_user(db.users.add("bora@example.com", "보라").id)
    assert [commit.version for commit in stranger.log(touched=True)] == [facts.version]
