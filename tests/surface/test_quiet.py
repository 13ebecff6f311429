"""What the program leaves on a machine, and what it says to others, unless it was asked to."""

from pathlib import Path

from tests.surface.conftest import Run


def test_making_vectors_leaves_nothing_in_an_empty_home_but_the_note_of_trust(
    process: Run, project: Path, tmp_path: Path
) -> None:
    assert process("init").code == 0
    assert process("put", "greeting", "안녕하세요, prices are cached").code == 0
    done = process("embeddings", "wait", "--json")
    assert done.code == 0, done.err
    assert process("search", "how long do we cache?", "--mode", "semantic").code == 0
    [note] = files_below(tmp_path / "home")
    assert note.startswith(".local/share/strata/trusted/")


def files_below(folder: Path) -> set[str]:
    """Return the files below a folder, by their paths in it."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
