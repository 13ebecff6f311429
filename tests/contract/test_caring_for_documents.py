"""Care of documents: what retention keeps, what purge erases, what verify proves, what travels."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import msgspec
import pytest
from PIL import Image

import strata
from strata.base import limits
from strata.documents.maintenance import TextChains
from strata.documents.records import KINDS
from strata.store import BINARY, DELETED, GUARDED, StagedChange


@pytest.fixture
def db(tmp_path: Path) -> Iterator[strata.Workspace]:
    path = tmp_path / "store.db"
    with strata.open(path, durability="standard", auto_embed=False) as opened:
        yield opened


def written(db: strata.Workspace, rows: int, title: str = "일지") -> str:
    """Return a document with so many versions: enough for some snapshots."""
    made = db.documents.create(title, "# Day\n\nline 0 한글\n").document
    for number in range(1, rows):
        db.documents.edit(made, f"line {number - 1} ", f"line {number} ")
    return made


def readable(db: strata.Workspace, document: str, versions: list[int]) -> list[int]:
    """Return which versions can still be read, and make sure that they show what they did."""
    found: list[int] = []
    for number, version in enumerate(versions):
        try:
            text = db.documents.text(document, version=version)
        except strata.TooOld:
            continue
        assert f"line {number} " in text
        found.append(version)
    return found


def all_versions(db: strata.Workspace, document: str) -> list[int]:
    return [one.version for one in db.documents.history(document, limit=100_000)][::-1]


def png(color: tuple[int, int, int]) -> bytes:
    out = BytesIO()
    Image.new("RGB", (4, 4), color).save(out, "PNG")
    return out.getvalue()


def test_the_store_guards_what_documents_are_made_of() -> None:
    assert GUARDED == KINDS


# Retention.


def test_after_trimming_the_text_is_intact_and_history_ends_at_a_snapshot(
    db: strata.Workspace,
) -> None:
    rows = 3 * limits.DOCUMENT_SNAPSHOT_ROWS
    document = written(db, rows)
    versions = all_versions(db, document)
    db.retention.set(kind="text", max_versions=5)
    expected = db.retention.apply(preview=True)
    assert db.retention.apply() == msgspec.structs.replace(expected, preview=False)
    assert expected.versions > limits.DOCUMENT_SNAPSHOT_ROWS
    assert f"line {rows - 1} " in db.documents.text(document)
    kept = readable(db, document, versions)
    assert set(versions[-6:]) <= set(kept)
    # What can be read is what history lists, without a gap.
    assert kept == all_versions(db, document) == versions[-len(kept) :]
    assert db.verify(full=True).ok


def test_a_version_that_was_trimmed_says_so(db: strata.Workspace) -> None:
    document = written(db, 2 * limits.DOCUMENT_SNAPSHOT_ROWS)
    first = all_versions(db, document)[0]
    db.retention.set(max_versions=1)
    db.retention.apply()
    with pytest.raises(strata.TooOld, match="retention"):
        db.documents.text(document, version=first)
    with pytest.raises(strata.TooOld):
        db.at(first).documents.text(document)


def test_names_tags_and_forks_keep_the_texts_that_they_show(db: strata.Workspace) -> None:
    document = written(db, 4 * limits.DOCUMENT_SNAPSHOT_ROWS)
    versions = all_versions(db, document)
    named, tagged, forked = versions[100], versions[400], versions[700]
    db.documents.name_version(document, "초안", named)
    db.tags.create("v1", at=tagged)
    db.branches.fork("old", at=forked)
    db.retention.set(max_versions=1)
    assert db.retention.apply().versions
    assert "line 100 " in db.documents.text(document, version="초안")
    assert "line 400 " in db.at("tag:v1").documents.text(document)
    assert "line 700 " in db.on("old").documents.text(document)
    # What lies below them, up to a snapshot, is needed; what lies between is not.
    assert readable(db, document, versions)[0] == versions[0]
    for version in (versions[at] for at in (150, 450, 730)):
        with pytest.raises(strata.TooOld):
            db.documents.text(document, version=version)


def test_a_branch_can_still_be_merged_after_trimming(db: strata.Workspace) -> None:
    document = written(db, 30)
    db.branches.fork("try")
    there = db.on("try")
    for number in range(2 * limits.DOCUMENT_SNAPSHOT_ROWS):
        there.documents.write(document, f"# Day\n\nline 29 한글\n\nbranch {number}\n")
    db.documents.edit(document, "# Day", "# 하루")
    db.retention.set(max_versions=1)
    found = db.retention.apply()
    # The branch's own edits are compared one by one when it is merged.
    assert found.needed > 2 * limits.DOCUMENT_SNAPSHOT_ROWS
    db.branches.merge("try", into="default")
    last = 2 * limits.DOCUMENT_SNAPSHOT_ROWS - 1
    assert db.documents.text(document) == f"# 하루\n\nline 29 한글\n\nbranch {last}\n"
    assert db.verify(full=True).ok


def test_edits_since_a_fork_go_once_the_fork_is_gone(
    db: strata.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = written(db, 2 * limits.DOCUMENT_SNAPSHOT_ROWS)
    db.branches.fork("try", at=all_versions(db, document)[0])
    db.on("try").documents.edit(document, "한글", "가지")
    db.retention.set(kind="text", max_versions=1)
    # Whatever was written since the fork may have to be merged.
    assert db.retention.apply(preview=True).versions == 0
    db.branches.delete("try", force=True)
    assert db.retention.apply(preview=True).versions == 0
    monkeypatch.setattr(limits, "BRANCH_KEPT_S", 0)
    assert db.retention.apply(preview=True).versions > limits.DOCUMENT_SNAPSHOT_ROWS


def test_a_policy_for_other_kinds_leaves_texts_alone(db: strata.Workspace) -> None:
    document = written(db, limits.DOCUMENT_SNAPSHOT_ROWS + 20)
    db.retention.set(kind="kv", max_versions=1)
    assert db.retention.apply().versions == 0
    assert len(all_versions(db, document)) == limits.DOCUMENT_SNAPSHOT_ROWS + 20


def test_rows_are_kept_while_a_younger_one_is_read_through_them(db: strata.Workspace) -> None:
    document = written(db, 20)
    versions = all_versions(db, document)
    store = db._view.store
    branch = db._view.snapshot.branch_id
    # Without a snapshot in between the last row needs all of them.
    assert TextChains(store).needed(branch, [], [versions[-1]]) == set(versions)
    assert TextChains(store).needed(branch, [versions[4]], []) == set(versions[:5])


def test_another_process_goes_on_editing_after_trimming(db: strata.Workspace) -> None:
    document = written(db, 5)
    place = db._store.database.location
    with strata.open(place, durability="standard", auto_embed=False) as other:
        other.documents.edit(document, "한글", "한글 other")
        for number in range(2 * limits.DOCUMENT_SNAPSHOT_ROWS):
            db.documents.write(document, f"# Day\n\nwritten {number} 한글 other\n")
        db.retention.set(max_versions=1)
        db.retention.apply()
        assert other.documents.edit(document, "other", "together").status == "applied"
    assert "together" in db.documents.text(document)


# Purge.


def test_a_purged_document_leaves_nothing_in_the_file(db: strata.Workspace) -> None:
    path = db.path
    assert path is not None
    db.users.add("ann@example.com", "Ann")
    once = db.documents.with_request("request-1")
    made = once.create("Zebrafinch title", "---\nkey: zebrafront\n---\n# zebrahead\n\nzebratext\n")
    document = made.document
    db.documents.edit(document, "zebratext", "zebranewer")
    db.documents.name_version(document, "final")  # a name is a key, and stays
    db.documents.share(document, "ann@example.com", "viewer")
    db.documents.attach_image(document, png((1, 2, 3)), name="zebraimage.png")
    db.branches.fork("try")
    db.on("try").documents.edit(document, "zebranewer", "zebrabranch")
    other = db.documents.create("Stays", "Not a stripe 남는다").document
    db.flush()
    assert b"zebra" in path.read_bytes()
    found = db.purge_document(document)
    assert found.is_complete
    assert found.versions > 8
    data = path.read_bytes().lower()
    assert b"zebra" not in data
    assert png((1, 2, 3)) not in data
    for here in (db, db.on("try")):
        with pytest.raises(strata.NotFound):
            here.documents.text(document)
    assert document not in db.rights.visible()
    assert not db.search("zebranewer").hits
    assert db.documents.text(other) == "Not a stripe 남는다"
    assert db.verify(full=True).ok


def test_an_image_that_another_document_has_is_not_erased(db: strata.Workspace) -> None:
    one = db.documents.create("하나").document
    other = db.documents.create("Two").document
    shared, alone = png((9, 9, 9)), png((8, 8, 8))
    kept = db.documents.attach_image(one, shared, name="shared.png")
    db.documents.attach_image(one, alone, name="alone.png")
    db.documents.attach_image(other, shared, name="again.png")
    db.purge_document(one)
    assert db.documents.image(other, kept.id)
    assert db.path is not None
    assert alone not in db.path.read_bytes()


def test_what_is_not_there_cannot_be_purged(db: strata.Workspace) -> None:
    with pytest.raises(strata.NotFound, match="doc_nothing"):
        db.purge_document("doc_nothing")


def test_the_words_of_a_document_cannot_be_purged_by_key(db: strata.Workspace) -> None:
    made = db.documents.create("Plan", "secret").document
    with pytest.raises(strata.NotAllowed, match="key by key") as refused:
        db.purge(made, space="documents", kind="text")
    assert "db.purge_document" in str(refused.value.hint)
    with pytest.raises(strata.NotFound):
        db.purge(made, space="documents")
    assert db.documents.text(made) == "secret"


def test_only_the_owner_erases_documents(db: strata.Workspace) -> None:
    ann = db.as_user(db.users.add("ann@example.com").id)
    made = ann.documents.create("Hers").document
    with pytest.raises(strata.NotAllowed):
        ann.purge_document(made)
    # Whoever has the file may, though they cannot read it.
    assert db.purge_document(made).versions


# Verify.


def stage(db: strata.Workspace, change: StagedChange) -> None:
    """Commit something that no room would write."""
    with db._view.writing("forged") as transaction:
        transaction.stage(change)


def problems(db: strata.Workspace, *, full: bool = False) -> list[str]:
    return [one.message for one in db.verify(full=full).problems]


def test_a_log_that_gives_another_text_is_found_and_named(db: strata.Workspace) -> None:
    document = db.documents.create("Plan", "right").document
    record = db._view.snapshot.get("documents", "text", document)
    assert record is not None
    assert record[3] is not None
    assert record[4] is not None
    meta = msgspec.json.decode(record[4]) | {"hash": "0" * 32, "rows": 2}
    stage(
        db,
        StagedChange("documents", "text", document, record[3], BINARY, msgspec.json.encode(meta)),
    )
    found = problems(db)
    assert len(found) == 1
    assert document in found[0]
    assert "log" in found[0]


def test_sections_that_do_not_fit_are_found_and_named(db: strata.Workspace) -> None:
    document = db.documents.create("Plan", "# One\n\n하나\n").document
    piece = db.documents.pieces(document)[0]
    stage(db, StagedChange("documents", "section", f"{document}/{piece.id}", flags=DELETED))
    found = problems(db)
    assert len(found) == 1
    assert document in found[0]
    assert "search" in found[0]


def test_rows_that_cannot_be_read_are_a_problem_and_not_the_end(db: strata.Workspace) -> None:
    document = db.documents.create("Plan", "one").document
    other = db.documents.create("Other", "둘").document
    stage(db, StagedChange("documents", "text", document, b"\0nonsense", BINARY, b'{"rows":1}'))
    found = problems(db)
    assert found
    assert all(document in message for message in found)
    assert not any(other in message for message in found)


def test_a_snapshot_that_is_not_what_the_rows_give_is_found_by_the_full_form(
    db: strata.Workspace,
) -> None:
    rows = limits.DOCUMENT_SNAPSHOT_ROWS
    document, other = written(db, rows + 5), written(db, rows + 5, "Other")
    assert problems(db, full=True) == []
    record = db._view.snapshot.get("documents", "snapshot", other)
    assert record is not None
    assert record[3] is not None
    stage(db, StagedChange("documents", "snapshot", document, record[3], BINARY))
    found = problems(db, full=True)
    assert found
    assert all(document in message for message in found)


def test_a_plain_verification_reads_a_few_documents_and_the_full_one_all(
    db: strata.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = db.documents.create("Old", "# One\n\n하나\n").document
    piece = db.documents.pieces(first)[0]
    stage(db, StagedChange("documents", "section", f"{first}/{piece.id}", flags=DELETED))
    db.documents.create("New", "newer")
    monkeypatch.setattr(limits, "DOCUMENTS_PROVED", 1)
    assert problems(db) == []
    assert len(problems(db, full=True)) == 1


# Bundles.


def test_documents_travel_with_a_branch_and_belong_to_the_owner_there(
    db: strata.Workspace, tmp_path: Path
) -> None:
    ann = db.users.add("ann@example.com", "Ann")
    hers = db.as_user(ann.id).documents
    made = hers.create("계획", "---\nkey: 값\n---\n# One\n\n첫 줄\n").document
    hers.edit(made, "첫 줄", "둘째 줄")
    image = hers.attach_image(made, png((5, 6, 7)), name="그림.png")
    hers.name_version(made, "final")
    db.documents.share(db.documents.create("Shared").document, "x@example.com", "editor")
    db.bundles.export(tmp_path / "b.bundle")
    with strata.open(tmp_path / "there.db", auto_embed=False, durability="standard") as there:
        there.bundles.load(tmp_path / "b.bundle", branch="came")
        came = there.on("came")
        assert "둘째 줄" in came.documents.text(made)
        assert "첫 줄" in came.documents.text(made, version=all_versions(came, made)[0])
        assert came.documents.get(made).folder == there.folders.personal().id
        assert came.documents.get(made).owner == there.users.owner().id
        assert came.documents.image(made, image.id)
        assert list(came.documents.named(made)) == ["final"]
        assert there.users.get("ann@example.com") is None
        assert there.verify(full=True).ok
        there.branches.merge("came", into="default")
        there.documents.edit(made, "둘째", "셋째")
        assert "셋째 줄" in there.documents.text(made)
        assert there.verify(full=True).ok


def test_a_trimmed_document_travels_with_what_is_left_of_it(
    db: strata.Workspace, tmp_path: Path
) -> None:
    document = written(db, 2 * limits.DOCUMENT_SNAPSHOT_ROWS + 10)
    first = all_versions(db, document)[0]
    db.retention.set(kind="text", max_versions=1)
    assert db.retention.apply().versions > limits.DOCUMENT_SNAPSHOT_ROWS
    gone = db.documents.create("Gone", "erased 지움").document
    db.purge_document(gone)
    db.bundles.export(tmp_path / "b.bundle")
    with strata.open(tmp_path / "there.db", auto_embed=False, durability="standard") as there:
        there.bundles.load(tmp_path / "b.bundle", branch="came")
        came = there.on("came").documents
        assert came.text(document) == db.documents.text(document)
        with pytest.raises(strata.TooOld):
            came.text(document, version=first)
        with pytest.raises(strata.NotFound):
            came.text(gone)
        assert there.verify(full=True).ok


def test_a_document_that_is_known_stays_with_whom_it_is(
    db: strata.Workspace, tmp_path: Path
) -> None:
    ann = db.as_user(db.users.add("ann@example.com").id)
    made = ann.documents.create("Hers", "mine").document
    db.bundles.export(tmp_path / "b.bundle")
    db.bundles.load(tmp_path / "b.bundle", branch="again")
    assert ann.on("again").documents.text(made) == "mine"
    with pytest.raises(strata.NotFound):
        db.on("again").documents.text(made)


def test_a_whole_branch_is_for_the_owner_alone(db: strata.Workspace, tmp_path: Path) -> None:
    db.kv.put("k", 1)
    bob = db.as_user(db.users.add("bob@example.com").id)
    with pytest.raises(strata.NotAllowed):
        bob.bundles.export(tmp_path / "b.bundle")
    db.serving.confined().bundles.export(tmp_path / "b.bundle")
    with pytest.raises(strata.NotAllowed):
        bob.bundles.load(tmp_path / "b.bundle", branch="again")


# Counts.


def test_documents_are_counted_as_such(db: strata.Workspace) -> None:
    db.kv.put("k", "값")
    db.documents.create("하나", "# A\n\n# B\n")
    ann = db.as_user(db.users.add("ann@example.com").id)
    ann.documents.create("Hers")
    info = db.info()
    assert (info.keys, info.documents) == (1, 2)
    assert db.serving.confined().info().documents == ann.info().documents == 1
    assert db.spaces.list() == ["default"]
