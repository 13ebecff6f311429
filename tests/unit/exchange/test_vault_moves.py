"""What was moved in a folder of markdown is moved here, where there is no doubt."""

from pathlib import Path

import pytest

from strata import InvalidArgument, Workspace
from strata.exchange import export_vault, import_vault


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    put(root, "일/Plan.md", "# 계획\n\n[[Budget]]\n")
    put(root, "일/안/Budget.md", "# 예산\n")
    put(root, "Home.md", "---\nid: 7\n---\n# 집\n")
    put(root, "empty.md", "")
    put(root, "assets/paper.pdf", "%PDF")
    return root


def put(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_bytes(text.encode())


def move(root: Path, old: str, new: str) -> None:
    (root / new).parent.mkdir(parents=True, exist_ok=True)
    (root / old).rename(root / new)


def documents(db: Workspace) -> dict[str, str]:
    """Return the ids of documents, by the paths that they came from."""
    return {str(db.documents.get(id_).origin["path"]): id_ for id_ in db.rights.visible()}


def test_a_note_that_was_renamed_stays_the_same_document(db: Workspace, vault: Path) -> None:
    import_vault(db, vault)
    plan = documents(db)["일/Plan.md"]
    move(vault, "일/Plan.md", "새 집/The plan.md")
    report = import_vault(db, vault)
    assert (report.moved, report.created, report.unchanged, report.missing) == (1, 0, 4, ())
    assert [(step.how, step.before, step.path) for step in report.steps] == [
        ("moved", "일/Plan.md", "새 집/The plan.md")
    ]
    now = db.documents.get(plan)
    assert (now.title, db.folders.require(now.folder).name) == ("The plan", "새 집")
    assert [one.operation for one in db.documents.history(plan)] == ["create"]
    again = import_vault(db, vault)
    assert (again.moved, again.unchanged) == (0, 5)


def test_a_folder_that_was_renamed_takes_everything_along(
    db: Workspace, vault: Path, tmp_path: Path
) -> None:
    put(vault, "일/빈 것.md", "")
    import_vault(db, vault)
    before = documents(db)
    move(vault, "일", "Work")
    report = import_vault(db, vault)
    assert (report.moved, report.created, report.missing_count) == (3, 0, 0)
    assert documents(db) == {path.replace("일/", "Work/"): id_ for path, id_ in before.items()}
    assert sorted(folder.name for folder in db.folders.list() if folder.parent) == [
        "Work",
        "assets",
        "안",
    ]
    export_vault(db, tmp_path / "out")
    assert not (tmp_path / "out" / "일").exists()
    assert (tmp_path / "out" / "Work" / "안" / "Budget.md").is_file()


def test_an_id_in_the_frontmatter_tells_even_when_the_text_changed(
    db: Workspace, vault: Path
) -> None:
    import_vault(db, vault)
    home = documents(db)["Home.md"]
    (vault / "Home.md").unlink()
    put(vault, "Start.md", "---\nid: 7\n---\n# 다른 집\n")
    report = import_vault(db, vault)
    assert (report.moved, report.changed, report.created) == (1, 1, 0)
    assert db.documents.get(home).title == "Start"
    assert db.documents.text(home).endswith("# 다른 집\n")


def test_what_is_in_doubt_stays_missing_and_new(db: Workspace, vault: Path) -> None:
    put(vault, "a/one.md", "the same words")
    put(vault, "a/two.md", "the same words")
    import_vault(db, vault)
    move(vault, "a/one.md", "b/three.md")
    move(vault, "a/two.md", "b/four.md")
    report = import_vault(db, vault)
    assert (report.moved, report.created) == (0, 2)
    assert report.missing == ("a/one.md", "a/two.md")


def test_equal_texts_are_told_apart_by_their_names(db: Workspace, vault: Path) -> None:
    put(vault, "a/one.md", "the same words")
    put(vault, "a/two.md", "the same words")
    import_vault(db, vault)
    before = documents(db)
    move(vault, "a", "b")
    assert import_vault(db, vault).moved == 2
    assert documents(db)["b/one.md"] == before["a/one.md"]
    assert documents(db)["b/two.md"] == before["a/two.md"]


def test_an_empty_note_is_not_taken_for_another(db: Workspace, vault: Path) -> None:
    import_vault(db, vault)
    move(vault, "empty.md", "void.md")
    report = import_vault(db, vault)
    assert (report.moved, report.created, report.missing) == (0, 1, ("empty.md",))


def test_a_copy_is_a_note_of_its_own(db: Workspace, vault: Path) -> None:
    import_vault(db, vault)
    put(vault, "copy.md", (vault / "Home.md").read_text(encoding="utf-8"))
    report = import_vault(db, vault)
    assert (report.moved, report.created) == (0, 1)


def test_a_title_and_a_place_that_were_chosen_here_stay(db: Workspace, vault: Path) -> None:
    import_vault(db, vault)
    plan = documents(db)["일/Plan.md"]
    other = db.folders.add("여기")
    db.documents.rename(plan, "우리 계획")
    db.documents.move(plan, other.id)
    db.documents.edit(plan, "# 계획", "# 큰 계획")
    move(vault, "일/Plan.md", "Plan B.md")
    report = import_vault(db, vault)
    assert (report.moved, report.kept, report.created) == (1, 1, 0)
    now = db.documents.get(plan)
    assert (now.title, now.folder) == ("우리 계획", other.id)
    assert db.documents.text(plan).startswith("# 큰 계획")


def test_a_file_that_was_moved_is_not_kept_twice(
    db: Workspace, vault: Path, tmp_path: Path
) -> None:
    import_vault(db, vault)
    move(vault, "assets/paper.pdf", "papers/one.pdf")
    report = import_vault(db, vault)
    assert (report.moved, report.created, report.missing) == (1, 0, ())
    export_vault(db, tmp_path / "out")
    assert (tmp_path / "out/papers/one.pdf").read_bytes() == b"%PDF"
    assert not (tmp_path / "out/assets/paper.pdf").exists()


def test_what_one_may_not_move_is_not_moved(db: Workspace, vault: Path) -> None:
    ann = db.users.add("ann@example.com", "Ann")
    team = db.teams.add("디자인")
    db.teams.set_member(team.id, ann.id, "editor")
    shared = db.folders.add("Shared", team=team.id)
    import_vault(db, vault, folder=shared.id)
    move(vault, "일/Plan.md", "Plan.md")
    report = import_vault(db.as_user("ann@example.com"), vault, folder=shared.id)
    assert (report.moved, report.created, report.missing) == (0, 1, ("일/Plan.md",))


def test_a_preview_of_moves_moves_nothing(db: Workspace, vault: Path) -> None:
    import_vault(db, vault)
    before, log = documents(db), db.log()
    move(vault, "일", "Work")
    (vault / "Home.md").unlink()
    report = import_vault(db, vault, preview=True, delete=True)
    assert (report.moved, report.trashed) == (2, 1)
    assert ("trashed", "Home.md") in [(step.how, step.path) for step in report.steps]
    assert (documents(db), db.log()) == (before, log)
    assert not [folder for folder in db.folders.list() if folder.name == "Work"]


def test_an_empty_folder_does_not_empty_the_store(
    db: Workspace, vault: Path, tmp_path: Path
) -> None:
    import_vault(db, vault)
    vault.rename(tmp_path / "elsewhere")
    vault.mkdir()
    with pytest.raises(InvalidArgument, match="empty"):
        import_vault(db, vault, delete=True)
    assert all(not db.documents.get(id_).trashed for id_ in db.rights.visible())


def test_what_went_to_the_trash_is_not_missed_again(db: Workspace, vault: Path) -> None:
    import_vault(db, vault)
    (vault / "Home.md").unlink()
    assert import_vault(db, vault, delete=True).trashed == 1
    assert import_vault(db, vault).missing == ()
