"""Updates of replicas elsewhere: one commit for many, each with its author; gaps are refused."""

import pytest

from strata import Workspace
from strata.base.errors import Damaged, UpdateGap
from strata.documents.log import entries_of, load
from strata.documents.records import SPACE, TEXT
from strata.documents.text import Replica, Splice
from strata.documents.writing import ArrivedUpdate, Author, DocumentWriter
from strata.store import Signature


@pytest.fixture
def document(db: Workspace) -> str:
    return db.documents.create("함께", "앞 가운데 뒤\n").document


def page(db: Workspace, document: str) -> Replica:
    """Return a replica as a page has it that was opened now."""
    return Replica([load(db._view.snapshot, document).state()])


def test_updates_of_a_page_are_one_version(db: Workspace, document: str) -> None:
    there = page(db, document)
    updates = [there.splice([Splice(0, 0, word)]) for word in ("하나 ", "😀 ", "e\u0301 ")]
    written = db.documents.receive(document, updates)
    assert db.documents.text(document) == there.text == "e\u0301 😀 하나 앞 가운데 뒤\n"
    assert db.documents.history(document)[0].version == written.version
    assert "".join(piece.text for piece in db.documents.pieces(document)) == there.text


def test_pages_that_wrote_at_once_converge(db: Workspace, document: str) -> None:
    one, two = page(db, document), page(db, document)
    first = one.splice([Splice(2, 5, "중간")])
    second = two.splice([Splice(0, 1, "시작")])
    db.documents.receive(document, [first])
    db.documents.receive(document, [second])
    one.apply(second)
    two.apply(first)
    assert db.documents.text(document) == one.text == two.text == "시작 중간 뒤\n"


def test_an_update_that_comes_twice_changes_nothing(db: Workspace, document: str) -> None:
    update = page(db, document).splice([Splice(0, 0, "x")])
    db.documents.receive(document, [update, update])
    db.documents.receive(document, [update])
    assert db.documents.text(document) == "x앞 가운데 뒤\n"


def test_a_gap_is_refused_and_nothing_of_it_is_kept(db: Workspace, document: str) -> None:
    there = page(db, document)
    there.splice([Splice(0, 0, "먼저 ")])
    late = there.splice([Splice(3, 3, "나중 ")])
    before = len(db.log())
    with pytest.raises(UpdateGap):
        db.documents.receive(document, [late])
    assert db.documents.text(document) == "앞 가운데 뒤\n"
    assert len(db.log()) == before
    assert db.documents.edit(document, "앞", "맨 앞").status == "applied"


def test_bytes_that_are_no_update_are_refused(db: Workspace, document: str) -> None:
    with pytest.raises(Damaged):
        db.documents.receive(document, [b"\x01\xff\xff\xff"])
    assert db.documents.text(document) == "앞 가운데 뒤\n"


def test_several_peoples_updates_go_into_one_commit(db: Workspace, document: str) -> None:
    pages = {name: page(db, document) for name in ("ann", "민지")}
    arrived = [
        ArrivedUpdate(there.splice([Splice(0, 0, f"{name} ")]), Author(name))
        for name, there in pages.items()
    ]
    documents = db.documents
    shared = documents._shared
    writer = DocumentWriter(
        db._view,
        shared.replicas,
        shared.texts,
        author=Author("room"),
    )
    before = len(db.log())
    with writer.transaction("live", by=Signature("room")) as writing:
        writing.receive(writing.open(document), arrived)
    assert len(db.log()) == before + 1
    row = db._view.snapshot.history(SPACE, TEXT, document, limit=1)[0]
    assert [entry.author for entry in entries_of(row)] == ["ann", "민지"]
    assert documents.history(document)[0].authors == ("ann", "민지")
    assert sorted(documents.text(document).split()[:2]) == ["ann", "민지"]


def test_replicas_that_nobody_uses_are_cleared(
    db: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("strata.base.limits.REPLICAS_MAX", 3)
    made = [db.documents.create(f"문서 {n}", "글").document for n in range(8)]
    replicas = db.documents._shared.replicas._replicas
    assert [key[1] for key, _desk in replicas.held()] == made[-3:]
    for document in made:
        db.documents.edit(document, "글", "고친 글")
    assert {db.documents.text(document) for document in made} == {"고친 글"}
