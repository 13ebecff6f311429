"""The files of the shipped models: a changed or missing one is noticed before it is used."""

import hashlib
import shutil
import sys
from pathlib import Path

import pytest

from strata.base.errors import Unavailable
from strata.models import MiniLM
from strata.models.files import Files


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The English model, for a test to damage."""
    original = Files("minilm").folder
    shutil.copytree(original, tmp_path / "minilm")
    shutil.copy(original.parent / "manifest.json", tmp_path)
    return tmp_path


def test_the_manifest_lists_every_file_and_no_other() -> None:
    root = Files("minilm").folder.parent
    for model in ("minilm", "multilingual", "judge"):
        files = Files(model)
        assert set(files.parts()) == {path.name for path in files.folder.iterdir()}
        assert files.missing() == []
    here = {path.name for path in root.iterdir() if path.name != "__pycache__"}
    models = {"judge", "minilm", "multilingual"}
    assert here == {"__init__.py", "manifest.json", "py.typed", *models}


def test_the_package_stays_small() -> None:
    for model in ("minilm", "multilingual"):
        # docs/decisions/0052-trained-encoder-ships.md
        assert sum(part.size_bytes for part in Files(model).parts().values()) <= 35_000_000
    # docs/decisions/0190-judge.md
    assert sum(part.size_bytes for part in Files("judge").parts().values()) <= 13_000_000


def test_the_shipped_files_are_what_was_built() -> None:
    for model in ("minilm", "multilingual"):
        assert Files(model).verify(again=True)


def test_one_changed_byte_is_noticed(copy: Path) -> None:
    path = copy / "minilm" / "model.weights"
    content = bytearray(path.read_bytes())
    content[12_345_678] ^= 1
    path.write_bytes(content)
    assert Files("minilm", copy).missing() == []
    with pytest.raises(Unavailable, match=r"model\.weights .* not what was shipped") as caught:
        MiniLM(Files("minilm", copy))
    assert caught.value.hint == "Reinstall the package strata-embed."
    assert caught.value.details["file"] == "model.weights"


def test_a_missing_and_a_shortened_file_are_named(copy: Path) -> None:
    (copy / "minilm" / "vocabulary.txt").unlink()
    with (copy / "minilm" / "projection.npy").open("r+b") as file:
        file.truncate(100)
    files = Files("minilm", copy)
    assert sorted(files.missing()) == ["projection.npy", "vocabulary.txt"]
    with pytest.raises(Unavailable, match=r"minilm"):
        files.verify()


@pytest.mark.parametrize("content", [None, b"{", b"{}", b'{"minilm": [1]}'])
def test_an_unreadable_manifest_is_said_so(copy: Path, content: bytes | None) -> None:
    manifest = copy / "manifest.json"
    manifest.unlink() if content is None else manifest.write_bytes(content)
    with pytest.raises(Unavailable, match=r"manifest\.json"):
        Files("minilm", copy).verify()


def test_without_the_package_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "strata_embed", None)
    with pytest.raises(Unavailable, match="not installed") as caught:
        MiniLM()
    assert caught.value.hint == "Install the package strata-embed."


def test_files_are_read_for_their_checksum_once(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    digest = hashlib.file_digest
    monkeypatch.setattr(
        hashlib, "file_digest", lambda file, kind: (read.append(file.name), digest(file, kind))[1]
    )
    for _ in range(3):
        Files("minilm", copy).verify()
    assert sorted(Path(name).name for name in read) == sorted(Files("minilm", copy).parts())
