"""Where the store is when nobody says."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import strata
from strata import locate_store
from strata.workspace import user_folder


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder of our own, in which the working folder stands."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setattr(Path, "home", lambda: folder)
    monkeypatch.setenv("HOME", str(folder))
    for name in ("STRATA_DB", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(folder)
    return folder


def made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def test_a_path_that_is_given_wins(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STRATA_DB", "elsewhere.db")
    made(home / ".strata")
    found = locate_store("여기.db")
    assert (found.path, found.reason) == (Path("여기.db"), "given")
    assert locate_store(Path("~/x.db")).path == Path("~/x.db").expanduser()


def test_the_environment_comes_next(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = made(home / "project" / ".strata").parent
    monkeypatch.chdir(project)
    monkeypatch.setenv("STRATA_DB", "~/named.db")
    found = locate_store()
    assert found.path == Path("~/named.db").expanduser()
    assert "STRATA_DB" in found.reason
    monkeypatch.setenv("STRATA_DB", "")
    assert locate_store().path == project / ".strata" / "store.db"


@pytest.mark.parametrize("mark", [".git", "pyproject.toml", "package.json"])
def test_a_project_is_known_by_its_marks(
    home: Path, monkeypatch: pytest.MonkeyPatch, mark: str
) -> None:
    project = made(home / "프로젝트")
    (project / mark).touch()
    monkeypatch.chdir(made(project / "src" / "deep"))
    found = locate_store()
    assert found.path == project / ".strata" / "store.db"
    assert mark in found.reason


def test_the_nearest_mark_decides(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(home / "outer" / ".git")
    inner = made(home / "outer" / "inner")
    (inner / "package.json").touch()
    monkeypatch.chdir(made(inner / "src"))
    assert locate_store().path == inner / ".strata" / "store.db"


def test_a_store_farther_up_wins_over_a_nearer_mark(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outer = made(home / "outer" / ".strata").parent
    made(outer / "inner" / ".git")
    monkeypatch.chdir(outer / "inner")
    assert locate_store().path == outer / ".strata" / "store.db"
    made(outer / "inner" / ".strata")
    assert locate_store().path == outer / "inner" / ".strata" / "store.db"


def test_a_file_called_like_the_folder_is_no_store(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = made(home / "project")
    (project / ".strata").touch()
    made(home / "project" / "sub")
    monkeypatch.chdir(project / "sub")
    assert locate_store().path.parent == user_folder()


@pytest.mark.parametrize("mark", [".git", ".strata", "pyproject.toml"])
def test_the_home_folder_never_holds_a_project(
    home: Path, monkeypatch: pytest.MonkeyPatch, mark: str
) -> None:
    made(home / mark)
    monkeypatch.chdir(made(home / "notes"))
    for found in (locate_store(), locate_store(start=home)):
        assert found.path == user_folder() / "store.db"
        assert "own" in found.reason


def test_the_root_never_holds_a_project(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Path.exists
    root = Path(home.anchor)
    monkeypatch.setattr(Path, "exists", lambda path, **_: path == root / ".git" or real(path))
    assert locate_store(start=root).path == user_folder() / "store.db"


@pytest.mark.skipif(sys.platform in {"win32", "darwin"}, reason="folders of other systems")
def test_the_users_own_store_lies_in_the_data_folder(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert user_folder() == home / ".local" / "share" / "strata"
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    assert user_folder() == home / "data" / "strata"


@pytest.mark.parametrize(
    ("platform", "parts"),
    [("darwin", ("Library", "Application Support", "strata")), ("win32", ("local", "strata"))],
)
def test_other_systems_have_other_data_folders(
    home: Path, monkeypatch: pytest.MonkeyPatch, platform: str, parts: tuple[str, ...]
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setenv("LOCALAPPDATA", str(home / "local"))
    assert user_folder() == home.joinpath(*parts)


def test_opening_without_a_path_makes_a_private_store_in_the_project(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = made(home / "project" / ".git").parent
    monkeypatch.chdir(project)
    with strata.open(durability="standard") as db:
        db.kv.put("k", 1)
        assert db.path == project / ".strata" / "store.db"
    assert (project / ".strata" / ".gitignore").read_text(encoding="utf-8") == "*\n"
    if os.name == "posix":
        assert (project / ".strata").stat().st_mode & 0o777 == 0o700
        assert (project / ".strata" / "store.db").stat().st_mode & 0o777 == 0o600


def test_looking_for_a_store_makes_nothing(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = made(home / "project" / ".git").parent
    monkeypatch.chdir(project)
    locate_store()
    for options in ({"create": False}, {"read_only": True}):
        with pytest.raises(strata.StoreNotFound):
            strata.open(**options)  # pyright: ignore[reportArgumentType]
    assert not (project / ".strata").exists()


def test_a_folder_that_is_there_keeps_its_own_gitignore(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made(home / "project" / ".strata")
    (folder / ".gitignore").write_text("mine\n", encoding="utf-8")
    monkeypatch.chdir(home / "project")
    strata.open(durability="standard").close()
    assert (folder / ".gitignore").read_text(encoding="utf-8") == "mine\n"


def git(folder: Path, *words: str) -> None:
    command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *words]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


@pytest.fixture
def checkout(home: Path) -> Path:
    """A git repository with a commit."""
    folder = made(home / "본점")
    git(folder, "init", "-q")
    (made(folder / "web") / "package.json").touch()
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "first")
    return folder


def test_a_git_worktree_uses_the_store_of_the_main_checkout(
    home: Path, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(checkout, "worktree", "add", "-q", "../가지", "-b", "가지")
    worktree = home / "가지"
    monkeypatch.chdir(worktree)
    before = locate_store()
    assert before.path == checkout / ".strata" / "store.db"
    assert "main checkout" in before.reason
    assert locate_store(start=worktree / "web").path == locate_store(start=checkout / "web").path
    with strata.open(checkout / ".strata" / "store.db") as db:
        db.kv.put("k", "같은 기억")
    with strata.open() as db:
        assert db.kv.list() == ["k"]
    assert not (worktree / ".strata").exists()
    assert locate_store(start=worktree / "web").path == checkout / ".strata" / "store.db"
    made(worktree / ".strata" / "shared")  # committed files are no store
    assert locate_store().path == checkout / ".strata" / "store.db"


def test_a_store_of_a_worktrees_own_goes_on_and_names_the_other(home: Path, checkout: Path) -> None:
    worktree = linked(checkout)
    made(worktree / ".strata")
    (worktree / ".strata" / "store.db").touch()
    found = locate_store(start=worktree / "web")
    assert found.path == worktree / ".strata" / "store.db"
    assert found.unused == checkout / "web" / ".strata" / "store.db"
    assert "own" in found.reason


def linked(checkout: Path, name: str = "가지") -> Path:
    git(checkout, "worktree", "add", "-q", f"../{name}", "-b", name)
    return checkout.parent / name


def test_worktrees_of_a_bare_repository_share_a_store_in_it(home: Path, checkout: Path) -> None:
    git(home, "clone", "-q", "--bare", str(checkout), "원본.git")
    bare = home / "원본.git"
    one, two = linked(bare, "하나"), linked(bare, "둘")
    for folder in (one, two):
        found = locate_store(start=folder)
        assert found.path == bare / ".strata" / "store.db"
        assert "bare repository" in found.reason


def test_worktrees_beside_a_hidden_bare_repository_share_the_folder(
    home: Path, checkout: Path
) -> None:
    project = made(home / "모음")
    git(project, "clone", "-q", "--bare", str(checkout), ".bare")
    (project / ".git").write_text("gitdir: ./.bare\n", encoding="utf-8")
    git(project, "worktree", "add", "-q", "하나", "-b", "하나")
    assert locate_store(start=project / "하나").path == project / ".strata" / "store.db"
    assert locate_store(start=project).path == project / ".strata" / "store.db"


def test_a_worktree_inside_another_project_is_not_of_that_project(
    home: Path, checkout: Path
) -> None:
    other = made(home / "남" / ".strata").parent
    git(checkout, "worktree", "add", "-q", str(other / "가지"), "-b", "가지")
    found = locate_store(start=other / "가지" / "web")
    assert found.path == checkout / "web" / ".strata" / "store.db"


def test_a_worktree_of_a_submodule_uses_the_store_of_the_submodule(
    home: Path, checkout: Path
) -> None:
    git(checkout, "-c", "protocol.file.allow=always", "submodule", "add", str(checkout), "안쪽")
    git(checkout / "안쪽", "worktree", "add", "-q", str(home / "가지"), "-b", "가지")
    found = locate_store(start=home / "가지")
    assert found.path == checkout / "안쪽" / ".strata" / "store.db"


def test_a_submodule_in_a_worktree_loses_nothing_with_the_worktree(
    home: Path, checkout: Path
) -> None:
    allowed = ("-c", "protocol.file.allow=always")
    git(checkout, *allowed, "submodule", "add", str(checkout), "안쪽")
    git(checkout, "commit", "-qm", "submodule")
    worktree = linked(checkout)
    git(worktree, *allowed, "submodule", "update", "--init")
    found = locate_store(start=worktree / "안쪽")
    assert found.path == checkout / "안쪽" / ".strata" / "store.db"


def test_removing_a_worktree_loses_nothing(
    home: Path, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worktree = linked(checkout)
    monkeypatch.chdir(worktree)
    with strata.open() as db:
        db.kv.put("k", "남는다")
    assert not (worktree / ".strata").exists()
    monkeypatch.chdir(checkout)
    git(checkout, "worktree", "remove", "../가지")
    with strata.open() as db:
        assert db.kv.get("k") is not None


def test_a_worktree_that_was_moved_says_how_to_join_it_again(home: Path, checkout: Path) -> None:
    worktree = linked(checkout)
    git(checkout, "worktree", "move", "../가지", "../옮긴 것")
    assert locate_store(start=home / "옮긴 것").path == checkout / ".strata" / "store.db"
    moved = (home / "옮긴 것").rename(worktree.parent / "손으로")
    with pytest.raises(strata.Unavailable, match="linked git worktree") as caught:
        locate_store(start=moved / "web")
    assert "git worktree repair" in str(caught.value.hint)
    assert locate_store("x.db", start=moved).path == Path("x.db")
    git(moved, "worktree", "repair")
    assert locate_store(start=moved).path == checkout / ".strata" / "store.db"


def test_a_worktree_whose_main_checkout_is_gone_says_so(home: Path, checkout: Path) -> None:
    worktree = linked(checkout)
    moved = checkout.rename(home / "새 집")
    with pytest.raises(strata.Unavailable, match="is not there") as caught:
        locate_store(start=worktree)
    assert "--db PATH" in str(caught.value.hint)
    git(moved, "worktree", "repair", str(worktree))
    assert locate_store(start=worktree).path == moved / ".strata" / "store.db"


def test_git_variables_of_another_repository_redirect_nothing(
    home: Path, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = made(home / "남")
    git(other, "init", "-q")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    assert locate_store(start=checkout).path == checkout / ".strata" / "store.db"


def test_a_worktree_is_recognised_without_git(
    home: Path, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worktree = linked(checkout)
    monkeypatch.setattr(subprocess, "Popen", None)
    monkeypatch.setenv("PATH", "")
    assert locate_store(start=worktree).path == checkout / ".strata" / "store.db"


def test_a_configuration_that_names_the_store_of_each_checkout_means_the_shared_one(
    home: Path, checkout: Path
) -> None:
    worktree = linked(checkout)
    found = locate_store(worktree / ".strata" / "store.db")
    assert found.path == checkout / ".strata" / "store.db"
    assert found.reason.startswith("given")


def test_a_submodule_is_a_project_of_its_own(home: Path, checkout: Path) -> None:
    allowed = ("-c", "protocol.file.allow=always")
    git(checkout, *allowed, "submodule", "add", "-q", str(checkout), "안쪽")
    assert (checkout / "안쪽" / ".git").is_file()
    assert locate_store(start=checkout / "안쪽").path == checkout / "안쪽" / ".strata" / "store.db"


def test_a_file_that_only_claims_to_be_a_worktree_leads_nowhere(home: Path, checkout: Path) -> None:
    git(checkout, "worktree", "add", "-q", "../가지", "-b", "가지")
    forged = made(home / "받은 것")
    (forged / ".git").write_text((home / "가지" / ".git").read_text("utf-8"), encoding="utf-8")
    assert locate_store(start=forged).path == forged / ".strata" / "store.db"
    (forged / ".git").write_bytes(b"\xff\xfe")
    assert locate_store(start=forged).path == forged / ".strata" / "store.db"
