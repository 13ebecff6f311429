"""The past of documents: history, as of, diff, blame, restore, names, many edits."""

from pathlib import Path

import pytest

import strata
from strata import Workspace
from strata.base import limits
from strata.base.errors import InvalidArgument, NotFound, ReadOnly
from strata.documents.log import entries_of
from strata.documents.records import SNAPSHOT, SPACE, TEXT
from strata.documents.text import read_update
from strata.store import Snapshot, Store


def test_every_version_can_be_read_again(db: Workspace) -> None:
    documents = db.documents
    made = documents.create("Plan", "하나\n")
    texts = {made.version: "하나\n"}
    for word in ("둘 🚀", "셋", "e\u0301"):
        written = documents.write(made.document, documents.text(made.document) + word + "\n")
        texts[written.version] = documents.text(made.document)
    history = documents.history(made.document)
    assert [one.operation for one in history] == ["write", "write", "write", "create"]
    assert {
        one.version: documents.text(made.document, version=one.version) for one in history
    } == texts
    for version, text in texts.items():
        assert db.at(version).documents.text(made.document) == text


def test_the_past_cannot_be_written(db: Workspace) -> None:
    made = db.documents.create("Plan", "one")
    with pytest.raises(ReadOnly):
        db.at(made.version).documents.edit(made.document, "one", "two")


@pytest.mark.slow
def test_a_long_log_is_read_from_snapshots(db: Workspace) -> None:
    documents = db.documents
    made = documents.create("Log", "")
    seen = [documents.text(made.document)]
    versions = [made.version]
    for n in range(2 * limits.DOCUMENT_SNAPSHOT_ROWS + 20):
        written = documents.write(made.document, f"{seen[-1]}줄 {n}\n")
        seen.append(f"{seen[-1]}줄 {n}\n")
        versions.append(written.version)
    store: Store = db._store
    snapshots = Snapshot(store, "default").history(SPACE, SNAPSHOT, made.document)
    assert 2 <= len(snapshots) <= 40
    documents._view.store.forget_removed()
    for at in (0, 1, 100, 255, 256, 257, 400, 511, 512, 513, len(versions) - 1):
        assert documents.text(made.document, version=versions[at]) == seen[at]


def test_restoring_brings_an_old_text_back_as_a_new_version(db: Workspace) -> None:
    documents = db.documents
    made = documents.create("Plan", "첫 번째\n공통\n")
    documents.write(made.document, "두 번째\n공통\n")
    restored = documents.restore(made.document, made.version)
    assert documents.text(made.document) == "첫 번째\n공통\n"
    assert restored.version > made.version
    assert documents.history(made.document)[0].operation == "restore"


def test_a_version_can_be_named_and_used_by_its_name(db: Workspace) -> None:
    documents = db.documents
    made = documents.create("Plan", "초안")
    documents.name_version(made.document, "초안 1")
    documents.write(made.document, "완성")
    assert documents.named(made.document) == {"초안 1": made.version}
    assert documents.text(made.document, version="초안 1") == "초안"
    assert [one.name for one in documents.history(made.document)] == [None, "초안 1"]
    with pytest.raises(InvalidArgument, match="cannot be a number"):
        documents.name_version(made.document, "12")


def test_a_version_of_another_document_is_not_found(db: Workspace) -> None:
    first = db.documents.create("One", "1")
    second = db.documents.create("Two", "2")
    with pytest.raises(NotFound, match="has no version"):
        db.documents.text(second.document, version=first.version)


def test_blame_names_who_wrote_each_line(db: Workspace) -> None:
    made = db.as_actor("ann").documents.create("Plan", "첫 줄\n둘째 줄\n셋째 줄\n")
    db.as_actor("claude").documents.edit(made.document, "둘째", "두 번째 😀")
    lines = db.documents.blame(made.document)
    assert [(line.text, line.via) for line in lines] == [
        ("첫 줄\n", "ann"),
        ("두 번째 😀 줄\n", "claude"),
        ("셋째 줄\n", "ann"),
    ]


def test_a_character_names_the_version_that_brought_it(db: Workspace) -> None:
    made = db.as_actor("ann").documents.create("Plan", "첫 줄\n둘째 줄\n")
    edited = db.as_actor("claude").documents.edit(made.document, "둘째", "두 번째 😀")
    rows = db.documents.history(made.document)
    assert [row.version for row in rows] == [edited.version, made.version]
    clients = characters(db, made.document)
    origins = [db.documents.origin(made.document, *one) for one in clients]
    assert {(one.version, one.via) for one in origins} == {
        (made.version, "ann"),
        (edited.version, "claude"),
    }
    assert [one.timestamp for one in origins] == sorted(one.timestamp for one in origins)
    client, _clock = clients[-1]
    with pytest.raises(NotFound, match="No update on this branch"):
        db.documents.origin(made.document, client, 10_000)


def characters(db: Workspace, document: str) -> list[tuple[int, int]]:
    """Return the first character that each update of a document brought, oldest first."""
    rows = db._view.snapshot.history(SPACE, TEXT, document, limit=100)
    entries = [entry for row in reversed(rows) for entry in entries_of(row)]
    return [(item.client, item.clock) for one in entries for item in read_update(one.update).items]


@pytest.mark.slow
def test_blame_survives_snapshots_and_merges(db: Workspace) -> None:
    made = db.as_actor("ann").documents.create("Plan", "앞\n뒤\n")
    db.branches.fork("try")
    db.on("try").as_actor("codex").documents.edit(made.document, "앞", "앞에")
    for n in range(limits.DOCUMENT_SNAPSHOT_ROWS + 5):
        db.as_actor("bot").documents.edit(made.document, "뒤", f"다음{n % 10}")
        db.as_actor("bot").documents.edit(made.document, f"다음{n % 10}", "뒤")
    db.branches.merge("try")
    assert [line.via for line in db.documents.blame(made.document)] == ["codex", "bot"]


def test_a_diff_shows_lines(db: Workspace) -> None:
    made = db.documents.create("Plan", "one\ntwo\nthree")
    db.documents.edit(made.document, "two", "둘")
    lines = db.documents.diff(made.document, made.version).splitlines()
    assert lines[2:] == [
        "@@ -1,3 +1,3 @@",
        " one",
        "-two",
        "+둘",
        " three",
        "\\ No newline at end of text",
    ]


def test_two_opened_stores_see_each_others_edits(tmp_path: Path) -> None:
    with strata.open(tmp_path / "s.db") as one, strata.open(tmp_path / "s.db") as two:
        made = one.documents.create("Plan", "a b c")
        two.documents.edit(made.document, "a", "가")
        one.documents.edit(made.document, "b", "나")
        two.documents.edit(made.document, "c", "다")
        assert one.documents.text(made.document) == "가 나 다" == two.documents.text(made.document)
