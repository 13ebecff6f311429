"""Closing, copying, exporting and compacting change nothing of what a store shows."""

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import rule

import strata
from strata import AlreadyExists, BranchNotFound, Locked, ReadOnly, Workspace
from strata.store import Store
from tests.property.conftest import Draft, Entry, Model, StoreMachine, open_at
from tests.property.examples import examples


class FileMachine(StoreMachine):
    """One file, opened twice, with everything that is done to whole files."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="strata-model-"))
        self.copies = 0
        super().__init__()
        self.twin, self.twin_store = self.open()

    def open(self) -> tuple[Workspace, Store]:
        return open_at(self.folder / "store.db", lambda: self.now)

    def teardown(self) -> None:
        try:
            super().teardown()
            self.twin.close()
        finally:
            shutil.rmtree(self.folder)

    def new_path(self) -> Path:
        self.copies += 1
        return self.folder / f"사본 {self.copies}"

    @rule(data=st.data(), name=st.sampled_from(["try", "실험"]))
    def fork(self, data: st.DataObject, name: str) -> None:
        source = self.branch(data)
        if name not in self.model.heads:
            self.view(source).branches.fork(name)
            self.model.start(name, self.model.heads[source])

    @rule()
    def go_on_with_the_other_opener(self) -> None:
        """What one has written, the other must see, whatever it remembers."""
        self.db, self.twin = self.twin, self.db
        self.store, self.twin_store = self.twin_store, self.store

    @rule()
    def close_and_open_again(self) -> None:
        self.db.close()
        self.db, self.store = self.open()

    @rule()
    def look_through_a_read_only_door(self) -> None:
        with strata.open(self.folder / "store.db", read_only=True) as reader:
            for branch, head in self.model.heads.items():
                self.compare(reader.on(branch), head)
            with pytest.raises(ReadOnly):
                reader.kv.put("a", 1)

    @rule()
    def compact(self) -> None:
        assert self.db.compact().after_bytes > 0

    @rule()
    def flush(self) -> None:
        self.db.flush()

    @rule()
    def back_up_and_look_at_the_copy(self) -> None:
        path = self.new_path()
        assert self.db.backup(path).version == self.model.last
        with pytest.raises(AlreadyExists):
            self.db.backup(path)
        with strata.open(path, read_only=True) as copy:
            assert copy.verify().ok
            for branch, head in self.model.heads.items():
                self.compare(copy.on(branch), head)

    @rule(data=st.data())
    def go_back_to_a_backup(self, data: st.DataObject) -> None:
        path = self.new_path()
        self.db.backup(path)
        # What is written after the backup must be gone after the restore.
        self.view(self.branch(data)).kv.put("a", "too late")
        with pytest.raises(Locked):
            strata.restore(path, self.folder / "store.db", force=True)
        self.db.close()
        self.twin.close()
        strata.restore(path, self.folder / "store.db", force=True)
        self.db, self.store = self.open()
        self.twin, self.twin_store = self.open()

    @rule(data=st.data())
    def export_and_import_as_another_branch(self, data: st.DataObject) -> None:
        branch = self.branch(data)
        head = self.model.heads[branch]
        if "copy" in self.model.heads:
            return
        path = self.new_path()
        info = self.db.bundles.export(path, branch=branch)
        commits = list(head.chain())[:-1]
        assert info.commits == len(commits)
        assert self.db.bundles.validate(path) == info
        assert self.db.bundles.load(path).outcome == "unchanged"
        taken = self.db.bundles.load(path, branch="copy")
        assert (taken.branch, taken.head, taken.new_commits) == ("copy", info.head, 0)
        # What is here already is shared, so the copy is a fork.
        self.model.start("copy", head)
        assert self.db.on("copy").log(limit=1) == [] or self.same_head(branch)

    def same_head(self, branch: str) -> bool:
        ends = [self.db.on(name).log(limit=1)[0].hash for name in (branch, "copy")]
        return ends[0] == ends[1]

    @rule(data=st.data())
    def import_into_an_empty_store(self, data: st.DataObject) -> None:
        branch = self.branch(data)
        path = self.new_path()
        self.db.bundles.export(path, branch=branch)
        with strata.open(durability="cache", auto_embed=False) as other:
            other.bundles.load(path, branch="옮김")
            assert other.verify().ok
            moved = Model()
            moved.start("옮김", moved.root)
            for commit in reversed(list(self.model.heads[branch].chain())[:-1]):
                drafts = {address: as_draft(entry) for address, entry in commit.written.items()}
                moved.write("옮김", drafts, now=commit.timestamp, events=list(commit.appended))
            self.compare(other.on("옮김"), moved.heads["옮김"])

    @rule(data=st.data(), names=st.sampled_from([("try", "실험"), ("실험", "try")]))
    def rename_or_drop(self, data: st.DataObject, names: tuple[str, str]) -> None:
        old, new = names
        if old not in self.model.heads:
            return
        if new not in self.model.heads and data.draw(st.booleans(), label="rename"):
            self.db.branches.rename(old, new)
            for table in (self.model.heads, self.model.lines):
                table[new] = table.pop(old)  # pyright: ignore[reportArgumentType]
        else:
            self.db.branches.delete(old, force=True)
            del self.model.heads[old], self.model.lines[old]

    @rule()
    def drop_the_copy(self) -> None:
        if "copy" in self.model.heads:
            self.db.branches.delete("copy", force=True)
            del self.model.heads["copy"], self.model.lines["copy"]
            with pytest.raises(BranchNotFound):
                self.db.on("copy")


def as_draft(entry: Entry) -> Draft | None:
    if entry.fate == "deleted":
        return None
    return Draft(entry.value, entry.tags, entry.counter)


TestFiles = FileMachine.TestCase
TestFiles.settings = settings(
    report_multiple_bugs=False,
    phases=set(Phase) - {Phase.explain},
    max_examples=examples(50),
    stateful_step_count=25,
)
