"""A session binds the store to its caller once, and never to more than the caller may do."""

from collections.abc import Iterator
from typing import Any

import pytest

import strata
from strata.access import OWNER, Grant
from strata.base import limits
from strata.tools import Session, SessionState, StoreHost, call_tool, registry


@pytest.fixture
def db() -> Iterator[strata.Workspace]:
    with strata.open(durability="cache", auto_embed=False) as db:
        yield db


@pytest.fixture
def session(db: strata.Workspace) -> Session:
    return Session(StoreHost(lambda: db), caller="owner")


def test_a_session_is_not_made_without_saying_for_whom(db: strata.Workspace) -> None:
    made: Any = Session
    with pytest.raises(TypeError, match="caller"):
        made(StoreHost(lambda: db))


def test_calls_that_want_the_same_share_one_view(db: strata.Workspace, session: Session) -> None:
    db.branches.fork("초안")
    here = session.bound("default", "notes")
    assert session.bound("default", "notes") is here
    there = session.bound("초안", "notes")
    assert there is not here
    assert (there.branch, there.space_name) == ("초안", "notes")
    session.client = "codex"
    assert session.bound("default", "notes").actor == "codex"


def test_views_are_limited_by_what_their_caller_may_do(
    db: strata.Workspace, session: Session
) -> None:
    db.users.add("ann@example.com", "Ann")
    made = db.documents.create("일기", "Dear diary").document
    assert session.bound().documents.text(made) == "Dear diary"
    session.caller = Grant("reader", OWNER, read_only=True)
    with pytest.raises(strata.NotAllowed):
        session.bound().documents.edit(made, "Dear", "친애하는")
    for caller in ("ann@example.com", Grant("unknown", user=None)):
        session.caller = caller
        assert session.bound().changes(0) == []
        with pytest.raises(strata.NotFound):
            session.bound().documents.text(made)


def test_a_user_who_was_removed_has_no_view_any_more(
    db: strata.Workspace, session: Session
) -> None:
    session.caller = db.users.add("ann@example.com").id
    session.bound().kv.put("k", 1)
    db.users.remove("ann@example.com")
    with pytest.raises(strata.NotFound, match="no user"):
        session.bound()


def test_a_user_is_called_by_their_new_name(db: strata.Workspace, session: Session) -> None:
    session.caller = "ann@example.com"
    db.users.add("ann@example.com", "Ann")
    assert session.bound().rights.user.name == "Ann"
    db.users.rename("ann@example.com", "소연")
    assert session.bound().rights.user.name == "소연"


def test_a_branch_that_was_made_anew_is_the_new_one(db: strata.Workspace, session: Session) -> None:
    db.branches.fork("try")
    session.bound("try").kv.put("k", "old")
    db.branches.delete("try", force=True)
    with pytest.raises(strata.BranchNotFound):
        session.bound("try").kv.get("k")
    db.branches.fork("try")
    assert session.bound("try").kv.get("k") is None


def test_a_session_that_names_many_spaces_keeps_few_views(session: Session) -> None:
    for number in range(3 * limits.BOUND_WORKSPACES):
        session.bound(space=f"space-{number}").kv.put("k", number)
    assert len(session.state.workspaces) <= limits.BOUND_WORKSPACES
    assert session.bound(space="space-7").kv["k"] == 7


def test_requests_of_one_connection_share_its_state_and_nothing_of_the_caller(
    db: strata.Workspace,
) -> None:
    host, state = StoreHost(lambda: db), SessionState()
    one, other = (Session(host, state=state, caller=Grant(name, OWNER)) for name in "ab")
    begin, put = (registry().find(name) for name in ("strata_txn_begin", "strata_kv_put"))
    assert begin is not None
    assert put is not None
    db.branches.fork("초안")
    state.branch = "초안"
    assert (one.branch, other.branch) == ("초안", "초안")
    assert not call_tool(one, begin, {}).is_error
    assert not call_tool(one, put, {"key": "봄", "value": 1}).is_error
    assert call_tool(other, begin, {}).is_error
    assert not call_tool(other, put, {"key": "가을", "value": 1}).is_error
    assert db.on("초안").kv.list() == ["가을"]
    opened = one.transaction
    assert opened is not None
    opened.opened.commit()
    assert db.on("초안").kv.list() == ["가을", "봄"]
