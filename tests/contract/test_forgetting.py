"""What is purged is gone from the file; what retention removes, nothing still needs."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

import strata
from strata import Workspace

# Another process looks: in this one, closing the file would drop SQLite's locks.
LOOK = """
import pathlib, sys
path, *wanted = sys.argv[1:]
files = [pathlib.Path(path + suffix) for suffix in ("", "-wal", "-shm", "-queue")]
data = b"".join(file.read_bytes() for file in files if file.exists())
print(*[text for text in wanted if bytes.fromhex(text) in data])
"""


def seen_in_file(db: Workspace, *secrets: bytes) -> list[bytes]:
    """Return those of the secrets whose bytes stand anywhere in the store's files."""
    command = [sys.executable, "-c", LOOK, str(db.path), *(secret.hex() for secret in secrets)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return [bytes.fromhex(text) for text in done.stdout.split()]


def stored_slices(db: Workspace, key: str) -> list[bytes]:
    """Return pieces of what the file holds for a key, compressed or not."""
    connection = apsw.Connection(str(db.path))
    rows = connection.execute("SELECT value FROM versions WHERE key = ?", (key,)).fetchall()
    connection.close()
    values = [row[0] for row in rows if isinstance(row[0], bytes)]
    return [value[at : at + 24] for value in values for at in range(64, len(value) - 24, 500)]


SECRET = "비밀번호는 열려라참깨"
WRITERS: dict[str, tuple[str, Callable[[Workspace], object]]] = {
    "kv": ("k", lambda db: db.kv.put("k", SECRET)),
    "json": ("k", lambda db: [db.json.set("k", f"$.n{n}", [n, SECRET]) for n in range(50)]),
    "state": ("k", lambda db: [db.state.set("k", {"s": SECRET}), db.state.delete("k")]),
    "event": ("0000000000000001", lambda db: db.events.append("로그인", {"말": SECRET})),
    "vector": (
        "c/점",
        lambda db: [
            db.vectors.create("c", 2),
            db.vectors.upsert("c", "점", [1, 0], metadata={"원문": SECRET}),
        ],
    ),
}


@pytest.mark.parametrize("kind", WRITERS)
def test_the_bytes_of_a_purged_value_are_nowhere(db: Workspace, kind: str) -> None:
    key, write = WRITERS[kind]
    write(db)
    db.flush()
    secret = SECRET.encode()
    assert seen_in_file(db, secret) == [secret]
    before = [commit.hash for commit in db.log(limit=1000)]
    purge = db.purge(key, kind=kind)
    assert purge.is_complete
    assert purge.keys == 1
    assert seen_in_file(db, secret) == []
    verified = db.verify()
    assert verified.ok
    assert verified.erased == purge.versions
    assert [commit.hash for commit in db.log(limit=1000)] == before


def test_a_large_compressed_value_is_gone(db: Workspace) -> None:
    text = "".join(chr(0xAC00 + (n * n * 7919) % 11000) for n in range(20_000))
    db.kv.put("큰 비밀", text)
    db.flush()
    slices = stored_slices(db, "큰 비밀")
    assert len(slices) > 20
    assert seen_in_file(db, *slices) == slices
    db.purge("큰 비밀")
    assert seen_in_file(db, *slices) == []


def test_a_secret_is_gone_after_its_pages_were_split(db: Workspace) -> None:
    secrets = [f"비밀-{n:04}-" + "x" * 60 for n in range(30)]
    for n, secret in enumerate(secrets):
        db.kv.put(f"s/{n:04}", secret, tags=["비밀"])
        db.kv.put_many({f"s/{n:04}/{m:03}": "y" * (m * 7 % 90) for m in range(60)})
        db.kv.put(f"s/{n:04}", {"again": secret})
    db.flush()
    wanted = [secret.encode() for secret in secrets]
    assert seen_in_file(db, *wanted) == wanted
    for n in range(30):
        assert db.purge(f"s/{n:04}").versions == 2
    assert seen_in_file(db, *wanted) == []
    assert db.kv.list("s/", tags=["비밀"]) == []
    assert db.verify().erased == 60
    assert db.verify().ok


def test_a_purge_reaches_every_branch_and_the_past(db: Workspace) -> None:
    first = db.kv.put("k", SECRET + "1").version
    db.branches.fork("가지")
    db.on("가지").kv.put("k", SECRET + "2")
    db.branches.fork("손자", source="가지")
    db.branches.fork("지운 가지")
    db.on("지운 가지").kv.put("k", SECRET + "3")
    db.branches.delete("지운 가지", force=True)
    db.kv.put("k", SECRET + "4")
    db.kv.put("other", "남는 것")
    assert db.purge("k") == strata.Purge(keys=1, versions=4, is_complete=True)
    assert seen_in_file(db, SECRET.encode()) == []
    views = [db, db.on("가지"), db.on("손자"), db.at(first), db.on("가지").at(first)]
    for view in views:
        assert view.kv.get("k") is None
        assert not view.kv.exists("k")
        assert view.kv.list("k") == []
        assert view.kv.count("k") == 0
    assert [found.state for found in db.kv.history("k")] == ["erased", "erased"]
    assert all(found.value is None for found in db.on("가지").kv.history("k"))
    assert db.kv.list() == ["other"]
    assert db.verify().ok


def test_one_version_can_be_purged_alone(db: Workspace) -> None:
    slip = db.kv.put("k", SECRET).version
    db.kv.put("k", "고친 것")
    assert db.purge("k", version=slip).versions == 1
    found = db.kv.get("k")
    assert found is not None
    assert found.value == "고친 것"
    assert [one.state for one in db.kv.history("k")] == ["live", "erased"]
    assert seen_in_file(db, SECRET.encode()) == []
    with pytest.raises(strata.NotFound):
        db.purge("k", version=slip)


def test_a_purge_keeps_to_its_space_and_kind(db: Workspace) -> None:
    db.kv.put("k", 1)
    db.json.set("k", "$", 2)
    db.space("방").kv.put("k", 3)
    assert db.purge("k", kind="json").versions == 1
    assert db.kv.exists("k")
    assert db.space("방").kv.exists("k")
    assert not db.json.exists("k")
    assert db.purge("k", space="방").versions == 1
    assert db.kv.exists("k")
    assert not db.space("방").kv.exists("k")


def test_a_purged_key_can_be_written_again_and_merged(db: Workspace) -> None:
    db.kv.put("k", SECRET)
    db.branches.fork("가지")
    db.purge("k")
    db.on("가지").kv.put("k", "새 것")
    assert db.branches.merge("가지").applied == 1
    found = db.kv.get("k")
    assert found is not None
    assert found.value == "새 것"
    assert db.verify().ok


def test_a_purged_event_keeps_its_place_in_the_log(db: Workspace) -> None:
    db.events.append_many([("a", 1), ("a", SECRET), ("b", 3)])
    db.purge("0000000000000002", kind="event")
    assert db.events.append("a", 4).sequence == 4
    gone = db.events.get(2)
    assert gone is not None
    assert (gone.state, gone.payload, gone.type) == ("erased", None, "a")
    assert db.events.count() == len(db.events.list()) == 4
    assert db.verify().ok


def test_a_purge_is_noticed_by_other_openers(
    db: Workspace, open_store: Callable[..., Workspace]
) -> None:
    other = open_store()
    db.vectors.create("c", 2)
    db.vectors.upsert("c", "점", [1, 0], metadata={"원문": SECRET})
    db.kv.put("k", SECRET)
    assert [match.key for match in other.vectors.search("c", [1, 0])] == ["점"]
    assert other.kv.exists("k")
    db.purge("c/점", kind="vector")
    db.purge("k")
    assert not other.kv.exists("k")
    assert other.vectors.search("c", [1, 0]) == []


# Retention.


def states(workspace: Workspace, key: str) -> list[str]:
    return [found.state for found in workspace.kv.history(key)]


def put_all(workspace: Workspace, key: str, values: Any) -> list[int]:
    return [workspace.kv.put(key, value).version for value in values]


def test_count_keeps_the_newest_and_reads_of_the_rest_are_too_old(db: Workspace) -> None:
    versions = put_all(db, "키", range(5))
    db.retention.set(max_versions=2)
    preview, size = db.retention.apply(preview=True), db.info()
    assert states(db, "키") == ["live"] * 5
    done = db.retention.apply()
    assert (
        (preview.versions, preview.bytes, preview.needed)
        == (
            done.versions,
            done.bytes,
            done.needed,
        )
        == (3, 3, 0)
    )
    assert preview.preview
    assert not done.preview
    assert states(db, "키") == ["live", "live", "trimmed", "trimmed", "trimmed"]
    for version in versions[:3]:
        past = db.at(version)
        reads: list[Callable[[], object]] = [
            lambda past=past: past.kv.get("키"),
            lambda past=past: past.kv.items(),
            lambda past=past: list(past.kv.scan()),
        ]
        for read in reads:
            with pytest.raises(strata.TooOld, match="retention") as caught:
                read()
            assert caught.value.code == "history_trimmed"
            assert caught.value.hint
        assert past.kv.list() == ["키"]
        assert past.kv.exists("키")
    kept = db.at(versions[3]).kv.get("키")
    assert kept is not None
    assert kept.value == 3
    assert db.info().versions == size.versions
    assert db.verify().ok
    assert db.verify().trimmed == 3
    assert db.retention.apply().versions == 0


def test_age_counts_from_when_a_value_was_replaced(timed: Workspace, clock: Any) -> None:
    timed.kv.put("k", "하나")
    clock.forward(days=10)
    timed.kv.put("k", "둘")
    clock.forward(days=3)
    timed.kv.put("k", "셋")
    clock.forward(days=2)
    timed.retention.set(max_age="4d")
    assert timed.retention.apply().versions == 1
    assert states(timed, "k") == ["live", "live", "trimmed"]
    clock.forward(days=3)
    assert timed.retention.apply().versions == 1
    clock.forward(days=300)
    assert timed.retention.apply().versions == 0
    assert states(timed, "k") == ["live", "trimmed", "trimmed"]


def test_with_both_limits_a_value_goes_when_past_both(timed: Workspace, clock: Any) -> None:
    put_all(timed, "k", range(5))
    timed.retention.set(max_age="1d", max_versions=3)
    assert timed.retention.apply().versions == 0
    clock.forward(days=2)
    assert timed.retention.apply().versions == 2
    assert states(timed, "k") == ["live"] * 3 + ["trimmed"] * 2


def test_the_most_specific_policy_wins(db: Workspace) -> None:
    places = [(space, kind) for space in ("방", "마루") for kind in ("kv", "state")]
    for space, kind in places:
        room = db.space(space)
        for n in range(10):
            room.kv.put("k", n) if kind == "kv" else room.state.set("k", n)
    db.retention.set(max_versions=9)
    db.retention.set(kind="kv", max_versions=7)
    db.retention.set(space="방", max_versions=5)
    db.retention.set(space="방", kind="kv", max_versions=3)

    def kept(space: str, kind: str) -> int:
        room = db.space(space)
        found = room.kv.history("k") if kind == "kv" else room.state.history("k")
        return sum(one.state == "live" for one in found)

    assert db.retention.apply(preview=True).versions == 7 + 5 + 3 + 1
    db.retention.apply()
    assert {place: kept(*place) for place in places} == {
        ("방", "kv"): 3,
        ("방", "state"): 5,
        ("마루", "kv"): 7,
        ("마루", "state"): 9,
    }
    assert db.retention.remove(space="방", kind="kv")
    assert not db.retention.remove(space="방", kind="kv")
    assert len(db.retention.list()) == 3


def test_what_a_branch_a_tag_or_a_merge_shows_stays(db: Workspace) -> None:
    versions = put_all(db, "k", range(6))
    db.branches.fork("뿌리에서", at=versions[0])
    db.tags.create("표", at=versions[2])
    db.branches.fork("합칠 것", at=versions[4])
    db.on("합칠 것").kv.put("다른", 1)
    db.branches.merge("합칠 것")
    put_all(db, "k", range(6, 9))
    db.retention.set(max_versions=1)
    preview = db.retention.apply(preview=True)
    done = db.retention.apply()
    assert (preview.versions, preview.needed) == (done.versions, done.needed)
    live = [one.value for one in db.kv.history("k") if one.state == "live"]
    assert live == [8, 5, 4, 2, 0]
    for view in (db.on("뿌리에서"), db.at("tag:표"), db.on("합칠 것")):
        assert view.kv.get("k") is not None
    assert db.branches.diff("뿌리에서", "default").total == 2
    assert db.verify().ok


def test_merging_goes_on_after_retention(db: Workspace) -> None:
    db.kv.put("문서", {"a": 1, "b": 1})
    db.branches.fork("가지")
    for n in range(2, 5):
        db.kv.put("문서", {"a": n, "b": 1})
        db.on("가지").kv.put("문서", {"a": 1, "b": n})
    db.retention.set(max_versions=1)
    assert db.retention.apply().versions == 4
    db.branches.merge("가지")
    found = db.kv.get("문서")
    assert found is not None
    assert found.value == {"a": 4, "b": 4}
    put_all(db.on("가지"), "문서", [{"a": 1, "b": n} for n in range(5, 8)])
    db.retention.apply()
    db.branches.merge("가지")
    found = db.kv.get("문서")
    assert found is not None
    assert found.value == {"a": 4, "b": 7}


def test_an_untagged_or_deleted_point_is_no_longer_kept(timed: Workspace, clock: Any) -> None:
    versions = put_all(timed, "k", range(3))
    timed.tags.create("표", at=versions[0])
    timed.branches.fork("가지", at=versions[1])
    timed.retention.set(max_versions=1)
    assert timed.retention.apply().versions == 0
    timed.tags.delete("표")
    assert timed.retention.apply().versions == 1
    timed.branches.delete("가지")
    clock.forward(days=29)
    assert timed.retention.apply().versions == 0, "the branch can still be restored"
    clock.forward(days=2)
    assert timed.retention.apply().versions == 1
    assert states(timed, "k") == ["live", "trimmed", "trimmed"]


def test_an_expired_branch_loses_its_values_and_cannot_return(timed: Workspace, clock: Any) -> None:
    timed.kv.put("k", "뿌리")
    timed.branches.fork("옛 가지")
    timed.on("옛 가지").kv.put("k", SECRET)
    timed.branches.delete("옛 가지", force=True)
    assert [branch.name for branch in timed.branches.list(deleted=True)] == ["옛 가지"]
    clock.forward(days=31)
    assert timed.branches.list(deleted=True) == []
    with pytest.raises(strata.BranchNotFound):
        timed.branches.restore("옛 가지")
    assert timed.retention.apply().versions == 1
    found = timed.kv.get("k")
    assert found is not None
    assert found.value == "뿌리"
    assert timed.verify().ok
    assert timed.verify().trimmed == 1


def test_retention_leaves_events_and_the_present_alone(db: Workspace, folder: Path) -> None:
    db.events.append_many([("a", n) for n in range(20)])
    db.vectors.create("c", 1)
    for n in range(5):
        db.vectors.upsert("c", "점", [n], metadata={"n": n})
        db.json.set("문서", "$.n", n)
    db.retention.set(max_versions=1)
    assert db.retention.apply().versions == 8
    assert [event.payload for event in db.events.list()] == list(range(20))
    assert db.vectors.search("c", [1])[0].metadata == {"n": 4}
    found = db.json.get("문서", "$.n")
    assert found is not None
    assert found.value == 4
    assert db.backup(folder / "copy.db").version == db.info().versions
