"""Files that somebody made to harm: drawings, and folders that change while they are read."""

import os
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pytest

from strata import Workspace
from strata.base import limits
from strata.base.errors import AlreadyExists, InvalidArgument, SecretRefused
from strata.documents import inspect
from strata.exchange import export_vault, import_vault
from strata.exchange.vault.places import is_safe
from strata.exchange.vault.tree import Tree

KEY = "AKIA" + "QYLPMN5HHH3K2J4D"
DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="4"><text>{}</text></svg>'

needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="has no pipes")


# Drawings.


@pytest.mark.parametrize("name", ["euc-kr", "shift_jis", "no-such", "hex", "idna", "undefined"])
def test_a_drawing_in_an_encoding_that_cannot_be_read_is_refused(name: str) -> None:
    head = f'<?xml version="1.0" encoding="{name}"?>'
    with pytest.raises(InvalidArgument, match="cannot be read"):
        inspect((head + DRAWING.format("a")).encode())


def test_a_vault_with_such_a_drawing_is_taken_in(db: Workspace, tmp_path: Path) -> None:
    head = '<?xml version="1.0" encoding="euc-kr"?>'
    (tmp_path / "그림.svg").write_bytes((head + DRAWING.format("가")).encode("euc-kr"))
    assert import_vault(db, tmp_path).files == 1


@pytest.mark.parametrize("mode", ["refuse", "mask"])
def test_a_secret_in_a_drawing_is_refused(db: Workspace, mode: str) -> None:
    db.settings.set("secrets", mode)
    document = db.documents.create("계획").document
    with pytest.raises(SecretRefused):
        db.documents.attach_image(document, DRAWING.format(KEY).encode(), name="그림")
    assert db.documents.images(document) == []
    db.settings.set("secrets", "allow")
    assert db.documents.attach_image(document, DRAWING.format(KEY).encode(), name="그림").width == 3


# A vault that changes while it is read.


def between(monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], object]) -> None:
    """Let somebody change `2.md` between looking at it and reading it."""
    size = Tree.size

    def looked(tree: Tree, path: PurePosixPath) -> int:
        found = size(tree, path)
        if path.name == "2.md":
            change(tree.root / path)
        return found

    monkeypatch.setattr(Tree, "size", looked)


def replace_by_link(file: Path) -> None:
    file.unlink()
    file.symlink_to(file.parent.parent / "elsewhere.md")


def replace_by_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    (tmp_path / "elsewhere.md").write_text("다른 곳", encoding="utf-8")
    home = tmp_path / "vault"
    home.mkdir()
    for name in ("1.md", "2.md", "3.md"):
        (home / name).write_text(f"글 {name}", encoding="utf-8")
    return home


@pytest.mark.parametrize(
    "change", [Path.unlink, replace_by_link, pytest.param(replace_by_pipe, marks=needs_pipes)]
)
def test_a_file_that_becomes_something_else_is_left_out(
    db: Workspace, vault: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], object]
) -> None:
    between(monkeypatch, change)
    report = import_vault(db, vault)
    assert (report.notes, [one.path for one in report.skipped]) == (2, ["2.md"])
    assert "cannot be read" in report.skipped[0].reason


def test_a_file_that_grows_while_it_is_read_is_left_out(
    db: Workspace, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "IMAGE_BYTES_MAX", 1_000)
    between(monkeypatch, lambda file: file.write_bytes(b"x" * 1_000_000))
    report = import_vault(db, vault)
    assert [(one.path, one.reason[:11]) for one in report.skipped] == [("2.md", "1,001 bytes")]


def test_what_cannot_be_read_now_is_not_removed_for_that(
    db: Workspace, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_vault(db, vault)
    between(monkeypatch, replace_by_link)
    report = import_vault(db, vault, delete=True)
    assert (report.trashed, report.missing) == (0, ())


@pytest.mark.slow
def test_folders_may_lie_as_deep_as_a_path_can_name(db: Workspace, tmp_path: Path) -> None:
    home = tmp_path / "v"
    deep = home.joinpath(*["n"] * 700)
    for at in range(0, 701, 100):
        home.joinpath(*["n"] * at).mkdir(parents=True, exist_ok=True)
    (deep / "글.md").write_text("깊은 곳", encoding="utf-8")
    report = import_vault(db, home)
    assert (report.notes, report.folders) == (1, 700)
    assert import_vault(db, home).unchanged == 1
    export_vault(db, tmp_path / "o")
    assert tmp_path.joinpath("o", *["n"] * 700, "글.md").read_text(encoding="utf-8") == "깊은 곳"


# Where an export writes.


@needs_pipes
def test_a_pipe_in_the_target_is_not_waited_for(db: Workspace, tmp_path: Path) -> None:
    db.documents.create("계획", "# 봄\n")
    os.mkfifo(tmp_path / "계획.md")
    with pytest.raises(AlreadyExists):
        export_vault(db, tmp_path)
    export_vault(db, tmp_path, force=True)
    assert (tmp_path / "계획.md").read_text(encoding="utf-8") == "# 봄\n"


def test_an_empty_folder_is_not_made_through_a_link(db: Workspace, tmp_path: Path) -> None:
    outer = db.folders.add("밖")
    db.folders.add("비었음", parent=outer.id)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "target").mkdir()
    (tmp_path / "target" / "밖").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InvalidArgument, match="leads out of"):
        export_vault(db, tmp_path / "target")
    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.parametrize("path", ["..\\..\\x.md", "c:x.md", "a/con.md", "nul", "끝./x.md"])
def test_a_path_that_is_harmless_here_may_lead_elsewhere_on_windows(path: str) -> None:
    assert is_safe(path, is_windows=False)
    assert not is_safe(path, is_windows=True)
    assert is_safe("폴더/계획.md", is_windows=True)
