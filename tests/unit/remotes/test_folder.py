"""Syncing through a folder: commits keep their hashes, and only what is new travels."""

import errno
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

import strata
from strata.base import limits
from strata.remotes import FolderShelf
from strata.store import Store
from tests.databases import IS_POSTGRES
from tests.unit.remotes.conftest import Stores


def heads(*stores: strata.Workspace) -> set[str]:
    return {db.log(limit=1)[0].hash for db in stores}


def test_a_clone_has_the_same_hashes_and_moves_forward(stores: Stores, tmp_path: Path) -> None:
    a = stores.open("a")
    a.kv.put("인사", "안녕")
    a.kv.put("지울 것", 1)
    a.remotes.push()
    done = strata.clone(stores.hub, tmp_path / "clone.db")
    assert (done.commits, [one.outcome for one in done.branches]) == (2, ["forwarded"])
    with strata.open(tmp_path / "clone.db", auto_embed=False) as b:
        assert heads(a, b) == {a.log(limit=1)[0].hash}
        a.kv.delete("지울 것")
        a.remotes.push()
        assert [one.outcome for one in b.remotes.pull().branches] == ["forwarded"]
        assert b.kv.get("지울 것") is None
        assert len(heads(a, b)) == 1
        assert b.verify().ok


def test_work_of_both_sides_is_merged_over_the_last_state_that_both_had(stores: Stores) -> None:
    a, b = stores.open("a"), stores.open("b")
    a.json.set("사람", "$", {"이름": "하나", "나이": 30})
    a.kv.put("옛것", 1)
    a.remotes.push()
    b.remotes.pull()
    a.json.set("사람", "$.나이", 31)
    b.json.set("사람", "$.이름", "둘")
    b.kv.delete("옛것")
    a.remotes.push()
    [merged] = b.remotes.pull().branches
    assert merged.outcome == "merged"
    assert merged.merge is not None
    assert not merged.merge.conflicts
    b.remotes.push()
    a.remotes.pull()
    for db in (a, b):
        found = db.json.get("사람")
        assert found is not None
        assert found.value == {"이름": "둘", "나이": 31}
        assert db.kv.get("옛것") is None
        assert db.verify().ok


def test_stores_that_have_the_same_come_to_rest(stores: Stores) -> None:
    a, b, c = (stores.open(name) for name in "abc")
    for db, key in ((a, "가"), (b, "나"), (c, "다")):
        db.kv.put(key, 1)
        db.remotes.sync()
    for _round in range(2):
        for db in (a, b, c):
            db.remotes.sync()
    before = [db.log(limit=1)[0].hash for db in (a, b, c)]
    for db in (a, b, c):
        done = db.remotes.sync()
        assert (done.pull.commits, done.push.commits) == (0, 0)
    assert [db.log(limit=1)[0].hash for db in (a, b, c)] == before
    assert [sorted(db.kv.list()) for db in (a, b, c)] == [["가", "나", "다"]] * 3


def test_a_conflict_changes_nothing_and_can_be_decided(stores: Stores) -> None:
    a, b = stores.open("a"), stores.open("b")
    a.kv.put("색", "빨강")
    a.remotes.push()
    b.remotes.pull()
    a.kv.put("색", "파랑")
    b.kv.put("색", "초록")
    a.remotes.push()
    [shown] = b.remotes.pull(preview=True).branches
    assert shown.merge is not None
    assert [entry.key for entry in shown.merge.conflicts] == ["색"]
    head = b.log(limit=1)[0].hash
    with pytest.raises(strata.MergeConflict, match="색"):
        b.remotes.pull()
    assert b.log(limit=1)[0].hash == head
    [following] = [one.name for one in b.branches.list() if one.name.startswith("hub/")]
    b.branches.merge(following, choices={"색": "theirs"})
    b.remotes.sync()
    a.remotes.sync()
    for db in (a, b):
        found = db.kv.get("색")
        assert found is not None
        assert found.value == "파랑"


def test_a_conflict_that_is_decided_for_the_own_side_is_settled(stores: Stores) -> None:
    a, b = stores.open("a"), stores.open("b")
    a.kv.put("색", "빨강")
    a.remotes.push()
    b.kv.put("색", "파랑")
    with pytest.raises(strata.MergeConflict):
        b.remotes.pull()
    [kept] = b.remotes.pull(strategy="target_wins").branches
    assert kept.outcome == "merged"
    assert kept.merge is not None
    assert (kept.merge.applied, len(kept.merge.conflicts)) == (0, 1)
    for _round in range(2):
        for db in (b, a):
            db.remotes.sync()
    assert [db.kv["색"] for db in (a, b)] == ["파랑", "파랑"]
    for db in (a, b):
        done = db.remotes.sync()
        assert (done.pull.commits, done.push.commits) == (0, 0)


def test_a_preview_leaves_no_trace(stores: Stores) -> None:
    a, b = stores.open("a"), stores.open("b")
    a.kv.put("k", 1)
    a.branches.fork("가지")
    a.remotes.push()
    shown = b.remotes.pull(preview=True)
    assert shown.preview
    assert (b.log(), [one.name for one in b.branches.list()]) == ([], ["default"])
    b.remotes.pull()
    assert [one.name for one in b.branches.list()] == ["default", "가지"]


def test_a_preview_shows_events_and_documents_of_the_other_side(stores: Stores) -> None:
    a, b = stores.open("a"), stores.open("b")
    a.kv.put("k", 1)
    a.remotes.push()
    b.remotes.pull()
    a.events.append("seen", {"by": "a"})
    a.documents.create("Plan", "# Plan")
    a.remotes.push()
    b.events.append("seen", {"by": "b"})
    [branch] = b.remotes.pull(preview=True).branches
    assert branch.merge is not None
    kinds = [change.kind for change in branch.merge.changes]
    assert (kinds.count("event"), kinds.count("document")) == (1, 1)
    assert [event.payload for event in b.events.list()] == [{"by": "b"}]
    assert b.remotes.pull().branches[0].outcome == "merged"


def test_branches_tags_events_and_documents_travel(stores: Stores) -> None:
    a, b = stores.open("a"), stores.open("b")
    a.kv.put("k", "처음")
    a.tags.create("v1", message="첫 표")
    a.branches.fork("초안")
    a.on("초안").kv.put("k", "초안")
    a.events.append("메모", {"말": "안녕"})
    made = a.documents.create("계획", "# 목표\n\n첫 문장.")
    a.review.comment(made.document, "정말?", quote="첫 문장")
    a.vectors.create("점", 2)
    a.vectors.upsert("점", "p", [1.0, 2.0])
    a.remotes.push()
    done = b.remotes.pull()
    assert done.tags == ("v1",)
    assert sorted(one.name for one in b.branches.list()) == ["default", "초안"]
    assert b.on("초안").kv.get("k") == a.on("초안").kv.get("k")
    assert b.at("tag:v1").kv.get("k") is not None
    assert [event.payload for event in b.events.list()] == [{"말": "안녕"}]
    assert b.documents.text(made.document) == a.documents.text(made.document)
    assert [one.comment.body for one in b.review.comments(made.document)] == ["정말?"]
    assert b.vectors.get("점", "p") is not None
    assert b.verify(full=True).ok


def test_edits_of_a_document_by_both_sides_are_joined(stores: Stores) -> None:
    a, b = stores.open("a"), stores.open("b")
    made = a.documents.create("계획", "# 계획\n\n하나.\n\n둘.\n")
    a.remotes.push()
    b.remotes.pull()
    a.documents.edit(made.document, "하나.", "하나와 반.")
    b.documents.edit(made.document, "둘.", "둘과 반.")
    a.remotes.push()
    b.remotes.sync()
    a.remotes.sync()
    for db in (a, b):
        assert "하나와 반." in db.documents.text(made.document)
        assert "둘과 반." in db.documents.text(made.document)


def test_a_second_push_sends_only_what_is_new(stores: Stores) -> None:
    a, b = stores.open("a"), stores.open("b")
    for number in range(50):
        a.kv.put(f"k{number}", number)
    assert a.remotes.push().commits == 50
    assert a.remotes.push().commits == 0
    a.kv.put("하나 더", 1)
    assert a.remotes.push().commits == 1
    b.remotes.pull()
    b.kv.put("b", 1)
    assert b.remotes.push().commits == 1, "the rest is there already"
    assert a.remotes.pull().commits == 1


def test_large_stores_travel_in_several_packs(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "PACK_COMMITS", 7)
    a, b = stores.open("a"), stores.open("b")
    for number in range(30):
        a.kv.put(f"k{number}", number)
    a.remotes.push()
    assert len(list(stores.part(a).iterdir())) == 6
    assert b.remotes.pull().commits == 30
    assert b.verify().ok


def test_a_push_that_was_cut_goes_on_where_it_ended(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "PACK_COMMITS", 5)
    a, b = stores.open("a"), stores.open("b")
    for number in range(20):
        a.kv.put(f"k{number}", number)
    real, sent = FolderShelf.put, list[str]()

    def put(self: FolderShelf, store: str, name: str, source: Path) -> None:
        if len(sent) == 2:
            sent.append("cut")
            raise strata.Unavailable("the stick was pulled out")
        sent.append(name)
        real(self, store, name, source)

    monkeypatch.setattr(FolderShelf, "put", put)
    with pytest.raises(strata.Unavailable):
        a.remotes.push()
    assert b.remotes.pull().commits == 0, "without a manifest nothing counts"
    assert a.remotes.push().commits == 20
    assert len(sent) == 2 + 1 + 2 + 1, "two packs were there already; the manifest comes last"
    assert b.remotes.pull().commits == 20


@pytest.mark.skipif(IS_POSTGRES, reason="only a file can be copied")
def test_a_copy_of_a_store_does_not_overwrite_what_the_other_copy_pushed(
    stores: Stores, tmp_path: Path
) -> None:
    a = stores.open("a")
    a.kv.put("k", 1)
    a.remotes.push()
    a.backup(tmp_path / "twin.db")
    twin = stores.open("twin", trusts=True)
    a.kv.put("a", 1)
    twin.kv.put("b", 1)
    a.remotes.push()
    with pytest.raises(strata.Conflict, match="copy of this store"):
        twin.remotes.push()
    twin.remotes.sync()
    a.remotes.sync()
    assert sorted(a.kv.list()) == sorted(twin.kv.list()) == ["a", "b", "k"]


def test_a_branch_deleted_here_does_not_come_back(stores: Stores) -> None:
    a, b = stores.open("a"), stores.open("b")
    a.kv.put("k", 1)
    a.branches.fork("가지")
    a.on("가지").kv.put("k", 2)
    a.remotes.push()
    b.remotes.sync()
    b.branches.delete("가지", force=True)
    b.remotes.sync()
    assert [one.name for one in b.branches.list()] == ["default"]


def test_only_some_branches_are_taken(stores: Stores) -> None:
    a, b = stores.open("a"), stores.open("b")
    a.kv.put("k", 1)
    a.branches.fork("가지")
    a.on("가지").kv.put("k", 2)
    a.remotes.push()
    b.remotes.pull(branches=["default"])
    assert [one.name for one in b.branches.list()] == ["default"]
    b.remotes.pull()
    assert [one.name for one in b.branches.list()] == ["default", "가지"]
    with pytest.raises(strata.BranchNotFound):
        a.remotes.push(branches=["없음"])


def test_a_branch_comes_in_parts_from_the_stores_that_wrote_them(stores: Stores) -> None:
    a, b = stores.open("a"), stores.open("b")
    b.kv.put("k", "처음")
    b.remotes.sync()
    a.remotes.sync()
    a.kv.put("k", "둘째")
    a.remotes.sync()
    b.remotes.sync()  # its part of the folder names the second commit and does not hold it
    c = stores.open("c")
    came = c.remotes.sync().pull
    assert came.commits == 2
    assert {one.outcome for one in came.branches} == {"forwarded"}
    assert len(heads(a, b, c)) == 1
    assert c.verify().ok


def test_a_pushed_branch_does_not_bring_along_the_one_that_it_builds_on(stores: Stores) -> None:
    a, b = stores.open("a"), stores.open("b")
    a.kv.put("k", 1)
    a.remotes.push()
    b.remotes.pull()
    a.kv.put("k", 2)
    a.branches.fork("가지")
    a.on("가지").kv.put("m", 3)
    a.remotes.push(branches=["가지"])
    b.remotes.pull()
    found = b.on("가지").kv.get("k"), b.kv.get("k")
    assert [one and one.value for one in found] == [2, 1]
    a.kv.put("k", 4)
    a.remotes.push()
    b.remotes.pull()
    last = b.kv.get("k")
    assert last is not None
    assert last.value == 4
    assert b.verify().ok


def test_a_side_branch_that_was_merged_counts_for_the_next_merge(stores: Stores) -> None:
    a, b = stores.open("a"), stores.open("b")
    a.kv.put("k", "처음")
    a.branches.fork("가지")
    a.on("가지").kv.put("k", "가지에서")
    a.branches.merge("가지", into="default")
    a.branches.delete("가지")
    a.remotes.push()
    b.remotes.pull()
    rows = [one for one in b.log() if one.second_parent is not None]
    assert len(rows) == 1, "what the merge took in is known by its number here"
    assert b.verify().ok


def test_a_remote_is_named_and_forgotten(stores: Stores) -> None:
    a = stores.open("a")
    assert [(one.name, one.kind) for one in a.remotes.list()] == [("hub", "folder")]
    assert a.remotes.remove("hub").name == "hub"
    with pytest.raises(strata.NotFound, match="no remote"):
        a.remotes.pull()
    servers = (
        "http://user:pw@host",
        "http://ho st",
        "http://h/a\n",
        f"http://{'a' * 64}.org",
    )
    for address in ("", "ftp://x", *servers, "git:-x", "git:ext::sh", "s3://"):
        with pytest.raises(strata.InvalidArgument):
            a.remotes.add("bad", address)
    for name in ("a/b", "", "-x", "..", ".arriving", "x" * 41):
        with pytest.raises(strata.InvalidArgument):
            a.remotes.add(name, stores.hub)
    assert a.remotes.list() == []


def test_remotes_that_are_added_at_once_are_all_kept(stores: Stores, tmp_path: Path) -> None:
    opened = [stores.open("a"), strata.open(tmp_path / "a.db", auto_embed=False)]
    start = Barrier(len(opened))

    def add(number: int) -> None:
        for at in range(10):
            start.wait()
            opened[number].remotes.add(f"r{number}-{at}", tmp_path / "elsewhere")

    with opened[1], ThreadPoolExecutor() as pool:
        list(pool.map(add, range(len(opened))))
        assert len(opened[0].remotes.list()) == 1 + 2 * 10


def test_only_the_owner_takes_everything_out_or_in(stores: Stores) -> None:
    a = stores.open("a")
    a.users.add("ann@example.com", "Ann")
    ann = a.as_user("ann@example.com")
    for call in (ann.remotes.list, ann.remotes.pull, ann.remotes.push, ann.remotes.offer):
        with pytest.raises(strata.NotAllowed):
            call()


@pytest.mark.skipif(IS_POSTGRES, reason="who may use a server of PostgreSQL is trusted")
def test_a_store_that_is_not_trusted_reaches_no_remote(stores: Stores) -> None:
    a = stores.open("a")
    a.kv.put("k", 1)
    a.trust.revoke()
    for call in (a.remotes.pull, a.remotes.push):
        with pytest.raises(strata.NotAllowed):
            call()
    with pytest.raises(strata.NotAllowed):
        a.remotes.add("other", stores.hub)
    assert [one[:11] for one in a.trust.withheld()] == ["remote hub "]


def test_a_folder_that_is_gone_is_told(stores: Stores) -> None:
    a = stores.open("a")
    a.kv.put("k", 1)
    stores.hub.rmdir()
    for call in (a.remotes.pull, a.remotes.push):
        with pytest.raises(strata.Unavailable, match="no folder"):
            call()


def test_a_disk_that_fails_while_it_is_listed_is_told(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    a = stores.open("a")

    def fail(_folder: Path) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(Path, "iterdir", fail)
    with pytest.raises(strata.Unavailable, match="cannot be read: Input/output error"):
        a.remotes.pull()


def test_a_folder_for_packs_that_cannot_be_made_is_told(
    stores: Stores, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a = stores.open("a")
    monkeypatch.setenv("STRATA_TRUST", str(tmp_path / "a.db"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "a.db"))
    with pytest.raises(strata.Unavailable, match="cannot be made"):
        a.remotes.pull()


def test_what_came_is_found_by_search(stores: Stores) -> None:
    a, b = stores.open("a"), stores.open("b")
    a.facts.remember("배포", "서울 리전에 배포한다")
    a.remotes.push()
    b.remotes.pull()
    assert [hit.key for hit in b.search("서울 배포").hits] == ["배포"]


def test_watching_sends_own_writes(stores: Stores) -> None:
    a = stores.open("a")
    rounds = a.remotes.watch(every_s=5.0)
    a.kv.put("하나", 1)
    first = next(rounds)
    assert not isinstance(first, strata.StrataError)
    assert first.push.commits == 1
    a.kv.put("둘", 2)
    stores.hub.rename(stores.hub.with_name("away"))
    assert isinstance(next(rounds), strata.Unavailable), "it goes on"


def test_watching_goes_on_after_the_own_database_has_failed(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    a = stores.open("a")

    def fail(_store: Store) -> int:
        raise strata.Unavailable("The database does not answer.")

    watch = a.remotes.watch(every_s=0.01)
    assert isinstance(next(watch), strata.Sync)
    with monkeypatch.context() as patch:
        patch.setattr(Store, "last_version", fail)
        next(watch)
    assert isinstance(next(watch), strata.Sync)


def test_two_branches_that_part_at_one_commit_are_told_apart(stores: Stores) -> None:
    a, b = stores.open("a"), stores.open("b")
    a.kv.put("k", 1)
    a.remotes.push()
    b.remotes.pull()
    b.kv.put("own", 1)  # from here on, what a writes goes to branches that follow it
    a.kv.put("k", 2)
    a.remotes.push()
    b.remotes.pull()
    # Both lines go on behind the same commit, and take turns.
    a.branches.fork("가지")
    for number in range(3):
        a.on("가지").events.append("메모", {"가지": number})
        a.events.append("메모", {"줄기": number})
    a.branches.merge("가지", into="default")
    a.branches.delete("가지")
    a.remotes.push()
    b.remotes.sync()
    a.remotes.sync()
    assert b.verify().ok
    shown = [sorted(str(one.payload) for one in db.events.list()) for db in (a, b)]
    assert shown[0] == shown[1]
    assert len(shown[0]) == 6


def test_a_branch_of_the_user_keeps_its_name_and_its_work(stores: Stores) -> None:
    a, b = stores.open("a"), stores.open("b")
    a.kv.put("k", 1)
    a.remotes.push()
    b.remotes.pull()
    b.kv.put("own", 1)
    a.kv.put("k", 2)
    a.remotes.push()
    [name] = [one.merge.source for one in b.remotes.pull(preview=True).branches if one.merge]
    b.branches.create_empty(name)
    b.on(name).kv.put("mine", 1)
    b.remotes.pull()
    assert b.on(name).kv.list() == ["mine"]
    assert f"{name}-2" in [one.name for one in b.branches.list()]


def _diverged(stores: Stores) -> strata.Workspace:
    """Return a store whose remote's branch has a conflict with its own, and so is beside it."""
    a, b = stores.open("a"), stores.open("b")
    a.kv.put("색", "빨강")
    a.remotes.push()
    b.remotes.pull()
    a.kv.put("색", "파랑")
    b.kv.put("색", "초록")
    a.remotes.push()
    with pytest.raises(strata.MergeConflict, match="색"):
        b.remotes.pull()
    return b


_WRITES: dict[str, Callable[[strata.Workspace], object]] = {
    "put": lambda db: db.kv.put("색", "검정"),
    "tagged": lambda db: db.kv.put("색", "검정", tags=["t"]),
    "delete": lambda db: db.kv.delete("색"),
    "fact": lambda db: db.facts.remember("새", "값"),
    "event": lambda db: db.events.append("deploy", {"n": 1}),
    "state": lambda db: db.state.set("s", 1),
    "decision": lambda db: db.decisions.save("auth", "Use tokens", "The app needs them"),
    "document": lambda db: db.documents.create("Plan", "x"),
    "undo": lambda db: db.undo(),
    "merge": lambda db: db.branches.merge("default", strategy="source_wins"),
}


@pytest.mark.parametrize("write", _WRITES.values(), ids=_WRITES)
def test_a_branch_that_follows_a_remote_cannot_be_written(
    stores: Stores, write: Callable[[strata.Workspace], object]
) -> None:
    b = _diverged(stores)
    [name] = [one.name for one in b.branches.list() if one.name != "default"]
    there = b.on(name)
    before = there.log(limit=1)[0]
    with there.transaction():
        assert there.kv["색"] == "파랑"  # and nothing is written
    for _time in range(2):
        with pytest.raises(strata.ReadOnly, match="follows the remote") as refused:
            write(there)
        assert refused.value.hint is not None
        assert "Write to 'default'" in refused.value.hint
    assert there.log(limit=1)[0] == before
    b.branches.merge(name, choices={"색": "theirs"})
    b.remotes.sync()
    assert b.kv["색"] == "파랑"
    assert b.verify().ok


def test_a_fork_of_what_follows_a_remote_can_be_written(stores: Stores) -> None:
    b = _diverged(stores)
    [name] = [one.name for one in b.branches.list() if one.name != "default"]
    b.branches.fork("mine", source=name)
    b.on("mine").kv.put("색", "보라")
    assert b.on("mine").kv["색"] == "보라"
    b.branches.rename(name, "kept")
    with pytest.raises(strata.ReadOnly) as refused:
        b.on("kept").kv.put("색", "보라")
    assert "Fork it" in str(refused.value.hint)


def test_a_user_may_note_what_they_like_on_a_branch(stores: Stores) -> None:
    a = stores.open("a")
    a.branches.fork("work", metadata={"remote": "github", "ticket": 7})
    a.on("work").kv.put("k", 1)
    a.on("work").kv.put("k", 2)
    assert a.on("work").kv["k"] == 2
