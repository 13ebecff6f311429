"""What was purged leaves the remote, is purged elsewhere, and never comes back."""

from pathlib import Path

import pytest

import strata
from strata.remotes import FolderShelf
from tests.counting import counted
from tests.unit.remotes.conftest import Stores

SECRET = "지워야-할-말-8231"


def holds(folder: Path, text: str) -> bool:
    """Whether any pack of a folder holds a text."""
    import zstandard

    for file in folder.rglob("*"):
        if file.is_file() and file.name != "manifest":
            packed = file.read_bytes().removeprefix(b"strata-pack-1\n")
            plain = zstandard.ZstdDecompressor().decompressobj().decompress(packed)
            if text.encode() in plain:
                return True
    return False


def test_a_purge_reaches_the_folder_and_the_other_store(stores: Stores) -> None:
    a, b = stores.open("a"), stores.open("b")
    a.kv.put("k", SECRET)
    a.kv.put("rest", "bleibt")
    a.remotes.push()
    b.remotes.pull()
    b.kv.put("own", 1)
    b.remotes.push()
    assert holds(stores.hub, SECRET)
    a.purge("k")
    assert a.remotes.push().erased == 1
    done = b.remotes.sync()
    assert done.pull.erased == 1
    assert b.kv.get("k") is None
    assert [one.state for one in b.kv.history("k")] == ["erased"]
    assert not holds(stores.hub, SECRET)
    assert b.verify().ok
    c = stores.open("c")
    c.remotes.pull()
    assert [one.state for one in c.kv.history("k")] == ["erased"]
    assert c.kv.get("rest") == a.kv.get("rest")
    assert c.verify().ok


@pytest.mark.parametrize("pushed_before", [False, True])
def test_a_purge_reaches_what_a_push_that_was_cut_off_has_left(
    stores: Stores, monkeypatch: pytest.MonkeyPatch, *, pushed_before: bool
) -> None:
    a, b = stores.open("a"), stores.open("b")
    b.kv.put("b", 1)
    b.remotes.push()
    if pushed_before:
        a.kv.put("base", 1)
        a.remotes.push()
    a.kv.put("k", SECRET)
    real = FolderShelf.put

    def cut_off(self: FolderShelf, store: str, name: str, source: Path) -> None:
        if name == "manifest":
            raise strata.Unavailable("the disk was pulled out")
        real(self, store, name, source)
        # As a process leaves it that is killed while it writes.
        (stores.hub / store / f".{name}.1.part").write_bytes(source.read_bytes())

    monkeypatch.setattr(FolderShelf, "put", cut_off)
    with pytest.raises(strata.Unavailable):
        a.remotes.push()
    monkeypatch.setattr(FolderShelf, "put", real)
    assert holds(stores.hub, SECRET)
    a.purge("k")
    a.kv.put("rest", 1)
    a.remotes.push()
    assert not holds(stores.hub, SECRET)
    b.remotes.pull()
    assert b.kv["rest"] == 1
    assert b.verify().ok


def test_purged_content_does_not_come_back_from_a_store_that_still_has_it(stores: Stores) -> None:
    a, b = stores.open("a"), stores.open("b")
    a.kv.put("base", 1)
    a.remotes.push()
    b.remotes.pull()
    b.kv.put("k", SECRET)
    b.remotes.push()
    a.kv.put("other", 1)
    a.remotes.pull()
    a.purge("k")
    b.kv.put("k2", 2)
    b.remotes.push(full=True)
    a.remotes.pull()
    assert a.kv.get("k") is None
    assert SECRET not in [one.value for one in a.kv.history("k")]
    assert a.verify().ok


def test_a_merged_copy_of_a_purged_event_stays_out(stores: Stores) -> None:
    a, b = stores.open("a"), stores.open("b")
    a.kv.put("base", 1)
    a.remotes.push()
    b.remotes.pull()
    b.kv.put("own", 1)
    a.events.append("메모", {"말": SECRET})
    a.remotes.push()
    b.remotes.pull()  # merged: the event is a copy on b's own line
    a.purge("0000000000000001", kind="event")
    b.remotes.push()
    a.remotes.sync()
    b.remotes.sync()
    for db in (a, b):
        assert SECRET not in str([event.payload for event in db.events.list()])
        assert db.verify().ok


def test_a_pull_may_keep_what_was_purged_elsewhere(stores: Stores) -> None:
    a, b = stores.open("a"), stores.open("b")
    a.kv.put("k", SECRET)
    a.remotes.push()
    b.remotes.pull()
    a.purge("k")
    a.remotes.push()
    assert b.remotes.pull(erases=False).erased == 0
    assert b.kv.get("k") is not None


def test_a_bundle_does_not_bring_back_what_was_purged(stores: Stores, tmp_path: Path) -> None:
    a, b = stores.open("a"), stores.open("b")
    a.kv.put("base", 1)
    a.kv.put("k", SECRET)
    a.bundles.export(tmp_path / "1")
    b.bundles.load(tmp_path / "1")
    b.purge("k")
    a.kv.put("k", "neu")
    a.kv.put("k", SECRET)
    a.bundles.export(tmp_path / "2")
    b.bundles.load(tmp_path / "2")
    assert SECRET not in [one.value for one in b.kv.history("k")]
    assert b.verify().ok


def test_a_second_bundle_of_a_branch_continues_it(stores: Stores, tmp_path: Path) -> None:
    a, b = stores.open("a"), stores.open("b")
    b.kv.put("own", 1)
    a.kv.put("x", "one")
    a.kv.put("gone", 1)
    a.bundles.export(tmp_path / "1")
    b.branches.merge(b.bundles.load(tmp_path / "1", branch="a1").branch)
    a.kv.put("x", "two")
    a.kv.delete("gone")
    a.bundles.export(tmp_path / "2")
    done = b.bundles.load(tmp_path / "2", branch="a1")
    assert (done.outcome, done.new_commits) == ("forwarded", 2)
    merged: strata.Merge = b.branches.merge("a1")
    assert not merged.conflicts
    assert (b.kv.list(), b.kv.get("gone")) == (["own", "x"], None)


def test_a_purge_that_comes_with_a_commit_reaches_earlier_versions_too(stores: Stores) -> None:
    a, b = stores.open("a"), stores.open("b")
    a.kv.put("k", SECRET)
    a.remotes.push()
    b.remotes.pull()
    a.kv.put("k", "anders")
    a.kv.put("k", SECRET)  # the same value in a commit that b does not have
    a.purge("k")
    a.remotes.push()
    b.remotes.pull()
    assert SECRET not in [one.value for one in b.kv.history("k")]
    assert b.verify().ok


def test_a_pull_reads_each_version_of_a_purged_key_once(stores: Stores) -> None:
    a, b = stores.open("a"), stores.open("b")
    for number in range(60):
        a.kv.put("k", f"{SECRET} {number}")
    a.purge("k", kind="kv")
    for number in range(60):
        a.kv.put("k", f"bleibt {number}")
    a.remotes.push()
    b.remotes.pull()
    _calls, statements = counted(b.remotes.pull)
    assert statements < 1_000, "each erased value would be looked for in each of 120 versions"
