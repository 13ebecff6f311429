"""What was made here goes out as a folder and comes back whole: titles, texts, images."""

import json
from pathlib import Path

import pytest

from strata import AlreadyExists, Workspace
from strata.exchange import export_vault, import_vault
from tests.unit.exchange.test_vault import PIXEL, contents, put

SLIP = ".strata-export.json"


def drawing(width: int) -> bytes:
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="9"/>'.encode()


def make(db: Workspace, title: str, *images: tuple[str, bytes], folder: str | None = None) -> str:
    """Make a document that shows images; return its id."""
    id_ = db.documents.create(title, f"# {title}\r\n\n", folder=folder).document
    for name, data in images:
        image = db.documents.attach_image(id_, data, name=name)
        db.documents.write(id_, f"{db.documents.text(id_)}{image.markdown}\n")
    return id_


Found = dict[tuple[str, str], tuple[str, list[tuple[str, str, str, bytes]]]]


def everything(db: Workspace) -> Found:
    """Return texts and images, by the folder and the title of documents and their text."""
    found: Found = {}
    for id_ in db.rights.visible():
        one, text = db.documents.get(id_), db.documents.text(id_)
        folder = db.folders.require(one.folder)
        images = [
            (image.id, image.name, image.media_type, db.documents.image_file(id_, image.id))
            for image in db.documents.images(id_)
        ]
        found[folder.name if folder.parent else "", f"{one.title}|{text}"] = (text, images)
    return found


@pytest.fixture
def made(db: Workspace) -> Workspace:
    """A store with documents that never were files."""
    briefs = db.folders.add("기획 briefs")
    make(db, "Plan: A/B?", ("photo.png", PIXEL), ("photo.svg", drawing(1)))
    make(db, "Plan: A/B?", ("photo.svg", drawing(2)), ("그림 없이 끝", drawing(3)))
    make(db, "con", ("../../up\0.png", PIXEL), folder=briefs.id)
    make(db, "빈 것", folder=briefs.id)
    unseen = make(db, "Unseen")
    db.documents.attach_image(unseen, drawing(4), name="x" * 300 + ".svg")
    return db


def test_a_store_goes_through_a_folder_into_another(
    made: Workspace, other: Workspace, tmp_path: Path
) -> None:
    report = export_vault(made, tmp_path / "out")
    assert (report.notes, report.images, report.skipped) == (5, 5, ())
    import_vault(other, tmp_path / "out")
    assert everything(other) == everything(made)
    assert len(everything(made)) == 5
    assert other.verify().ok
    export_vault(other, tmp_path / "again")
    assert contents(tmp_path / "again") == contents(tmp_path / "out")


def test_images_lie_beside_under_names_that_do_not_clash(made: Workspace, tmp_path: Path) -> None:
    export_vault(made, tmp_path / "out")
    names = {path for path in contents(tmp_path / "out") if path.startswith("attachments/")}
    assert {path for path in names if len(path) < 50} == {
        "attachments/photo.png",
        "attachments/photo.svg",
        "attachments/photo 2.svg",
        "attachments/그림 없이 끝.svg",
    }
    told = json.loads((tmp_path / "out" / SLIP).read_bytes())["notes"]
    assert told["Plan- A-B-.md"]["title"] == "Plan: A/B?"
    assert told["기획 briefs/_con.md"]["images"][0]["file"] == "attachments/photo.png"


def test_an_export_again_writes_nothing(made: Workspace, tmp_path: Path) -> None:
    export_vault(made, tmp_path / "out")
    slip = (tmp_path / "out" / SLIP).read_bytes()
    report = export_vault(made, tmp_path / "out")
    assert (report.created, report.changed, report.unchanged) == (0, 0, 10)
    # Another picture of a name does not take the place of one that is there.
    make(made, "Later", ("photo.png", PIXEL + b"\0"), ("photo.svg", drawing(5)))
    assert export_vault(made, tmp_path / "out").created == 3
    assert slip.splitlines()[1] in (tmp_path / "out" / SLIP).read_bytes()


def test_a_vault_alone_needs_no_slip_to_come_back(db: Workspace, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    put(vault, "Home.md", b"![[a.png]]")
    put(vault, "x/a.png", PIXEL)
    import_vault(db, vault)
    export_vault(db, vault)
    assert not (vault / SLIP).exists()
    export_vault(db, tmp_path / "copy" / "vault")
    assert not (tmp_path / "copy" / "vault" / SLIP).exists()


def test_an_exported_folder_comes_back_to_its_documents(made: Workspace, tmp_path: Path) -> None:
    out = tmp_path / "out"
    export_vault(made, out)
    before = everything(made)
    report = import_vault(made, out)
    assert (report.created, report.unchanged, report.notes) == (5, 5, 5)  # the images, as files
    assert everything(made) == before
    put(out, "Unseen.md", "밖에서 쓴 것\n".encode())
    (out / "기획 briefs" / "빈 것.md").rename(out / "옮긴 것.md")
    report = import_vault(made, out)
    assert (report.changed, report.moved, report.created, report.missing) == (1, 1, 0, ())
    assert len(made.rights.visible()) == 5
    assert made.documents.text(made.documents.called("Unseen")) == "밖에서 쓴 것\n"
    assert made.documents.get(made.documents.called("옮긴 것")).title == "옮긴 것"
    again = import_vault(made, out)
    assert (again.changed, again.moved, again.unchanged) == (0, 0, 10)


def test_what_was_written_here_after_an_export_is_merged(db: Workspace, tmp_path: Path) -> None:
    plan = db.documents.create("Plan", "one\n\ntwo\n\nthree\n").document
    export_vault(db, tmp_path / "out")
    db.documents.edit(plan, "one", "하나")
    put(tmp_path / "out", "Plan.md", b"one\n\ntwo\n\nTHREE\n")
    assert import_vault(db, tmp_path / "out").merged == 1
    assert db.documents.text(plan) == "하나\n\ntwo\n\nTHREE\n"


def test_a_copy_of_a_vault_and_the_vault_lead_to_the_same_documents(
    db: Workspace, tmp_path: Path
) -> None:
    vault, copy = tmp_path / "vault", tmp_path / "copy"
    put(vault, "Home.md", "# 집\n".encode())
    import_vault(db, vault)
    export_vault(db, copy)
    put(copy, "Home.md", "# 집\n\n더\n".encode())
    assert import_vault(db, copy).changed == 1
    put(vault, "Home.md", "# 우리 집\n".encode())
    assert import_vault(db, vault).merged == 1
    assert [db.documents.text(id_) for id_ in db.rights.visible()] == ["# 우리 집\n\n더\n"]
    assert (import_vault(db, copy).kept, import_vault(db, vault).kept) == (1, 1)


def test_files_of_a_vault_and_its_copy_are_written_once(db: Workspace, tmp_path: Path) -> None:
    vault, copy = tmp_path / "vault", tmp_path / "copy"
    put(vault, "Home.md", "# 집\n".encode())
    put(vault, "a.bin", b"a")
    put(vault, "b.bin", b"b")
    import_vault(db, vault)
    export_vault(db, copy)
    put(copy, "b.bin", b"other")
    (copy / "Home.md").rename(copy / "집.md")
    import_vault(db, copy)
    export_vault(db, tmp_path / "out")
    assert {*contents(tmp_path / "out")} == {"집.md", "a.bin", "b.bin", "b 2.bin"}


def test_an_image_is_found_by_its_id_without_a_slip(
    made: Workspace, other: Workspace, tmp_path: Path
) -> None:
    export_vault(made, tmp_path / "out")
    (tmp_path / "out" / SLIP).unlink()
    (tmp_path / "out" / "Plan- A-B-.md").rename(tmp_path / "out" / "moved.md")
    import_vault(other, tmp_path / "out")
    images = other.documents.images(other.documents.called("moved"))
    assert {image.name for image in images} == {"photo.png", "photo.svg"}


@pytest.mark.parametrize(
    "damaged",
    [
        b"no json",
        b"[]",
        b'{"format": "strata folder 9", "notes": {}}',
        b'{"notes": {"a.md": {"images": [{"id": "x", "file": "a.png"}]}}}',
        b'{"notes": {"../a.md": {}}}',
        b'{"notes": {"a.md": {"title": "two\\nlines"}}}',
    ],
)
def test_a_damaged_slip_is_told_and_does_no_harm(
    db: Workspace, tmp_path: Path, damaged: bytes
) -> None:
    put(tmp_path / "out", "a.md", b"text")
    put(tmp_path / "out", SLIP, damaged)
    report = import_vault(db, tmp_path / "out")
    assert (report.created, [one.path for one in report.skipped]) == (1, [SLIP])
    with pytest.raises(AlreadyExists):
        export_vault(db, tmp_path / "out")
    assert (tmp_path / "out" / SLIP).read_bytes() == damaged


def test_a_slip_does_not_lead_to_what_one_may_not_read(db: Workspace, tmp_path: Path) -> None:
    secret = db.documents.create("Secret", "mine").document
    export_vault(db, tmp_path / "out")
    put(tmp_path / "out", "Secret.md", b"changed")
    db.users.add("ann@example.com", "Ann")
    report = import_vault(db.as_user("ann@example.com"), tmp_path / "out")
    assert (report.created, report.changed) == (1, 0)
    assert db.documents.text(secret) == "mine"


def test_pictures_of_one_name_are_told_apart_by_their_paths(db: Workspace, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    put(vault, "Home.md", b"![[a/x.png]] ![](b/x.svg) ![[c/x.svg]]")
    put(vault, "a/x.png", PIXEL)
    put(vault, "b/x.svg", drawing(1))
    put(vault, "c/x.svg", drawing(2))
    import_vault(db, vault)
    names = [image.name for image in db.documents.images(db.documents.called("Home"))]
    assert sorted(names) == ["b/x.svg", "c/x.svg", "x.png"]


def test_a_picture_that_changed_takes_the_place_of_the_old_one(
    db: Workspace, tmp_path: Path
) -> None:
    vault = tmp_path / "vault"
    put(vault, "Home.md", b"![[x.svg]]")
    put(vault, "x.svg", drawing(1))
    import_vault(db, vault)
    home = db.documents.called("Home")
    then = db.log(limit=1)[0].version
    put(vault, "x.svg", drawing(2))
    import_vault(db, vault)
    assert [image.width for image in db.documents.images(home)] == [2]
    assert [image.width for image in db.at(then).documents.images(home)] == [1]
    (vault / "x.svg").rename(vault / "y.svg")
    put(vault, "Home.md", b"![[y.svg]]")
    import_vault(db, vault)
    assert [image.name for image in db.documents.images(home)] == ["y.svg"]


def test_an_image_of_a_part_comes_along(db: Workspace, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    put(vault, "일/Plan.md", b"![[x.svg]]")
    put(vault, "assets/x.svg", drawing(1))
    import_vault(db, vault)
    export_vault(db, tmp_path / "out", folder="일")
    assert {*contents(tmp_path / "out")} == {"Plan.md", "attachments/x.svg"}
