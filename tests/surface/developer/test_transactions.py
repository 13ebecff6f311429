"""A transaction over several calls: seen by its session alone, then by all or by nobody."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

import strata
from strata.base import limits
from strata.tools import Session, StoreHost, call_tool, expose, registry

Use = Callable[..., dict[str, Any]]


def test_what_is_written_in_it_appears_all_at_once(use: Use, db: strata.Workspace) -> None:
    use("txn_begin")
    assert use("kv_put", key="가", value=1) == {"version": 0}
    use("json_set", key="doc", path="$.a", value=2)
    use("state_set", cell="c", value=3)
    use("event_append", event_type="e", payload={"n": 4})
    use("vector_create_collection", collection="v", dimension=1)
    use("vector_upsert", collection="v", key="k", vector=[5])
    use("space_create", space="방")
    use("kv_put", key="가", value=6, space="방")
    assert use("kv_get", key="가")["value"] == 1
    assert use("event_len") == {"result": 1}
    assert db.log() == []
    done = use("txn_commit")
    assert done == {"status": "committed", "version": db.log(limit=1)[0].version}
    assert len(db.log()) == 1
    assert db.space("방").kv.get("가") is not None
    assert db.vectors.get("v", "k") is not None
    assert use("txn_active") == {"result": False}


def test_a_rollback_leaves_nothing(use: Use, db: strata.Workspace) -> None:
    use("txn_begin")
    use("kv_put_many", items=[{"key": "a", "value": 1}, {"key": "b", "value": 2}])
    use("kv_delete_many", keys=["a"])
    assert use("kv_list")["keys"] == ["b"]
    assert use("txn_rollback") == {"status": "aborted"}
    assert use("kv_list") == {"keys": []}
    assert db.log() == []


def test_the_reader_sees_one_state_until_it_ends(use: Use, db: strata.Workspace) -> None:
    db.kv.put("k", "before")
    use("txn_begin", read_only=True)
    db.kv.put("k", "after")
    assert use("kv_get", key="k")["value"] == "before"
    assert use("txn_info")["status"] == "read_only"
    assert use("txn_commit") == {"status": "committed", "version": None}
    assert use("kv_get", key="k")["value"] == "after"


def test_a_lost_race_writes_nothing_and_ends_it(
    use: Use, refused: Use, db: strata.Workspace
) -> None:
    db.kv.put("k", 1)
    use("txn_begin")
    use("kv_put", key="k", value=use("kv_get", key="k")["value"] + 1)
    db.kv.put("k", 10)
    error = refused("txn_commit")
    assert (error["code"], error["keys"]) == ("txn_conflict", ["k"])
    assert use("txn_info") == {"result": None}
    assert use("kv_get", key="k")["value"] == 10


def test_the_errors_name_what_is_wrong(use: Use, refused: Use, db: strata.Workspace) -> None:
    assert refused("txn_commit")["code"] == "txn_not_active"
    assert refused("txn_rollback")["code"] == "txn_not_active"
    db.branches.fork("try")
    use("txn_begin", read_only=True)
    assert refused("txn_begin")["code"] == "txn_already_active"
    assert refused("kv_put", key="k", value=1)["code"] == "access_denied"
    assert refused("branch_switch", branch="try")["code"] == "txn_already_active"
    other = refused("kv_put", key="k", value=1, branch="try")
    assert other["code"] == "invalid_input"
    assert "'default'" in other["message"]


def test_the_past_is_read_beside_it(use: Use, db: strata.Workspace) -> None:
    first = db.kv.put("k", "옛것").version
    db.kv.put("k", "새것")
    use("txn_begin")
    use("kv_put", key="k", value="더 새것")
    assert use("kv_get", key="k", as_of=first)["value"] == "옛것"
    shown = [one["value"] for one in use("kv_history", key="k")["versions"]]
    assert shown == ["더 새것", "새것", "옛것"]


def test_one_that_was_forgotten_is_rolled_back(
    use: Use, refused: Use, db: strata.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    use("txn_begin")
    use("kv_put", key="k", value=1)
    monkeypatch.setattr(limits, "TRANSACTION_IDLE_S", -1.0)
    error = refused("kv_put", key="k", value=2)
    assert error["code"] == "txn_not_active"
    assert "rolled back" in error["message"]
    assert db.kv.get("k") is None
    # It was said once; what follows works without one.
    use("kv_put", key="k", value=3)
    assert db.kv.count() == 1
    use("txn_begin")
    assert use("txn_active") == {"result": False}
    use("txn_begin")
    assert refused("txn_commit")["code"] == "txn_not_active"


def test_the_end_of_a_session_drops_it(use: Use, session: Session, db: strata.Workspace) -> None:
    use("txn_begin")
    use("kv_put", key="k", value=1)
    session.close()
    assert use("txn_active") == {"result": False}
    assert db.kv.count() == 0


def test_sessions_do_not_see_each_others(use: Use, db: strata.Workspace) -> None:
    other = Session(StoreHost(lambda: db), caller="owner", exposure=expose("developer"))
    tools = {tool.name: tool for tool in registry().tools("developer")}
    use("txn_begin")
    use("kv_put", key="k", value=1)
    assert call_tool(other, tools["strata_txn_active"], {}).value == {"result": False}
    assert call_tool(other, tools["strata_kv_get"], {"key": "k"}).value == {"result": None}


def test_calls_of_several_threads_take_turns_in_it(use: Use, db: strata.Workspace) -> None:
    use("txn_begin")

    def append() -> None:
        for _ in range(20):
            use("event_append", event_type="e", payload={})
            use("kv_list")
            use("kv_put", key=threading.current_thread().name, value=1)

    threads = [threading.Thread(target=append) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    use("txn_commit")
    assert [event.sequence for event in db.events.list(limit=200)] == list(range(1, 121))
    assert len(db.log()) == 1
    assert db.kv.count() == 6


def test_a_connection_that_keeps_nothing_is_told_what_to_do_instead(db: strata.Workspace) -> None:
    session = Session(
        StoreHost(lambda: db), caller="owner", exposure=expose("developer"), keeps_state=False
    )
    tools = {tool.name: tool for tool in registry().tools("developer")}
    for name, given in (
        ("strata_txn_begin", {}),
        ("strata_branch_switch", {"branch": "default"}),
        ("strata_space_switch", {"space": "x"}),
    ):
        outcome = call_tool(session, tools[name], given)
        assert outcome.is_error
        assert outcome.value["code"] == "access_denied"
        assert "branch" in outcome.value["hint"]


def test_the_sdk_has_one_that_ends_by_hand(db: strata.Workspace) -> None:
    tx = db.begin(message="손으로")
    seen: list[int] = []
    thread = threading.Thread(target=lambda: seen.append(tx.kv.put("k", 1).version))
    thread.start()
    thread.join(30)
    assert seen == [0]
    assert tx.is_open
    assert db.kv.get("k") is None
    made = tx.commit()
    assert made is not None
    assert db.log(limit=1)[0].message == "손으로"
    assert not tx.is_open
    with pytest.raises(strata.NoTransaction):
        tx.commit()
    tx.rollback()
    assert db.kv.exists("k")
