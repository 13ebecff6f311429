"""Memory that travels with a git repository: two clones, real hooks, push and pull."""

import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path

import pytest
from click.testing import CliRunner

from strata.cli.main import cli
from tests.surface.conftest import Answer

Clone = Callable[[str], "Place"]


class Place:
    """A clone of the repository, with a store of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, *words: str) -> Answer:
        done = subprocess.run(
            words, cwd=self.folder, capture_output=True, encoding="utf-8", check=False
        )
        return Answer(done.returncode, done.stdout, done.stderr)

    def ok(self, *words: str) -> Answer:
        answer = self.run(*words)
        assert answer.code == 0, answer
        return answer

    def git(self, *words: str) -> str:
        return self.ok("git", *words).out.strip()

    def call(self, *words: str) -> Answer:
        """Run a command of Strata in this process; git's hooks run it in their own."""
        with chdir(self.folder):
            done = CliRunner().invoke(cli, words)
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return Answer(done.exit_code, done.stdout, done.stderr)

    def strata(self, *words: str) -> str:
        answer = self.call(*words)
        assert answer.code == 0, answer
        return answer.out.strip()

    def commit(self, message: str = "work") -> str:
        """Commit what is staged and what the hook adds; return what the hook said."""
        return self.ok("git", "commit", "-q", "--allow-empty", "-m", message).err

    def facts(self) -> dict[str, object]:
        items = json.loads(self.strata("list", "--json"))["items"]
        return {one["key"]: one["value"] for one in items}

    def file(self, name: str) -> Path:
        return self.folder / "memory" / name


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clone:
    """Make clones of one bare repository, with their hooks quick and quiet."""
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "소연")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "soyeon@example.com")
    hub = tmp_path / "hub.git"
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(hub)], check=True)

    def make(name: str) -> Place:
        folder = tmp_path / name
        words = ["git", "clone", "-q", str(hub), str(folder)]
        subprocess.run(words, check=True, capture_output=True)
        place = Place(folder)
        if not place.run("git", "rev-parse", "-q", "--verify", "HEAD").out:
            place.git("switch", "-q", "-c", "main")
            (folder / "AGENTS.md").write_bytes(b"# Rules\r\nkeep it simple")
            place.git("add", "AGENTS.md")
            place.git("commit", "-q", "-m", "first")
            place.git("push", "-q", "-u", "origin", "main")
        return place

    return make


@pytest.fixture
def two(clone: Clone) -> tuple[Place, Place]:
    """Two clones that share facts under conventions/ and decisions."""
    a = clone("a")
    a.strata("put", "conventions/naming", "이름은 명사로")
    a.strata("put", "conventions/limits", '{"line": 100, "depth": 3}')
    a.strata("put", "private/note", "mine")
    a.strata("decisions", "save", "auth", "Use sessions", "--because", "Simple to revoke")
    a.strata("git", "on", "--prefix", "conventions/")
    a.git("add", "-A")
    a.commit("share memory")
    a.git("push", "-q")
    b = clone("b")
    assert "strata git on" in b.call("git", "status").err
    b.strata("git", "on")
    return a, b


def test_a_commit_of_memory_alone_is_told_to_be_run_again(two: tuple[Place, Place]) -> None:
    a, _b = two
    a.strata("put", "conventions/naming", "명사, 단수로")
    first = a.run("git", "commit", "-q", "-m", "memory")
    assert "run it again" in first.err
    if first.code:  # as versions of git do that look before they call the hook
        a.git("commit", "-q", "-m", "memory")
    assert "단수로" in a.git("show", "HEAD:memory/facts/conventions/naming.md")
    a.strata("put", "conventions/naming", "다시")
    (a.folder / "code.py").write_text("x = 1\n", encoding="utf-8")
    a.git("add", "code.py")
    assert "run it again" not in a.commit()


def test_memory_travels_by_push_and_pull(two: tuple[Place, Place]) -> None:
    a, b = two
    assert b.facts() == {
        "conventions/naming": "이름은 명사로",
        "conventions/limits": {"line": 100, "depth": 3},
    }
    assert "Use sessions" in b.strata("decisions", "list")
    assert b.git("status", "--short") == ""
    b.strata("put", "conventions/naming", "명사, 단수로")
    b.strata("decisions", "save", "auth", "Use tokens", "--because", "모바일 앱")
    b.commit()
    assert b.git("status", "--short") == ""
    b.git("push", "-q")
    a.git("pull", "-q")
    assert a.facts()["conventions/naming"] == "명사, 단수로"
    assert a.facts()["private/note"] == "mine"
    current = [one for one in a.strata("decisions", "list").splitlines() if "current" in one]
    assert len(current) == 1
    assert "Use tokens" in a.strata("decisions", "list")
    # Both machines write the same bytes.
    assert a.git("rev-parse", "HEAD^{tree}") == b.git("rev-parse", "HEAD^{tree}")
    a.strata("git", "sync")
    assert a.git("status", "--short") == ""


def test_the_rest_of_agents_md_is_left_alone(two: tuple[Place, Place]) -> None:
    a, b = two
    path = b.folder / "AGENTS.md"
    data = path.read_bytes()
    assert data.startswith(b"# Rules\r\nkeep it simple\r\n")
    assert b"Use sessions" in data
    # An edit of the user that is not staged stays so, and the block is committed without it.
    path.write_bytes(data + b"\r\nmy own line")
    b.strata("decisions", "save", "형식", "JSON", "--because", "plain")
    b.commit()
    assert b.git("status", "--short") == "M AGENTS.md"
    assert "형식" in b.git("show", "HEAD:AGENTS.md")
    assert "my own line" not in b.git("show", "HEAD:AGENTS.md")
    assert path.read_bytes().endswith(b"my own line")
    assert a.strata("git", "off") == "off"
    assert (a.folder / "AGENTS.md").read_bytes() == b"# Rules\r\nkeep it simple"
    hooks = a.folder / ".git/hooks"
    assert [one.name for one in hooks.iterdir() if one.suffix != ".sample"] == []


def test_a_deletion_travels_and_history_stays(two: tuple[Place, Place]) -> None:
    a, b = two
    b.strata("delete", "conventions/limits")
    b.commit()
    b.git("push", "-q")
    said = a.ok("git", "pull", "-q").err
    assert "deleted in the store: facts/conventions/limits.md" in said
    assert "conventions/limits" not in a.facts()
    assert "100" in a.strata("history", "conventions/limits")


def test_a_conflict_is_told_and_both_sides_stay(two: tuple[Place, Place]) -> None:
    a, b = two
    a.strata("put", "conventions/naming", "A의 말")
    a.commit()
    a.git("push", "-q")
    b.strata("put", "conventions/naming", "B의 말")
    said = b.ok("git", "pull", "-q").err
    assert "conflict: facts/conventions/naming.md" in said
    assert b.facts()["conventions/naming"] == "B의 말"
    assert "A의 말" in b.file("facts/conventions/naming.md").read_text()
    assert b.call("git", "sync").code == 1
    # A commit goes on, and leaves both.
    assert "conflict" in b.commit()
    assert "A의 말" in b.git("show", "HEAD:memory/facts/conventions/naming.md")
    assert b.facts()["conventions/naming"] == "B의 말"
    assert b.call("git", "sync", "--take", "facts/none.md=file").code == 1
    assert b.call("git", "sync", "--take", "facts/none.md=both").code == 2
    b.strata("git", "sync", "--take", "facts/conventions/naming.md=store")
    b.commit()
    b.git("push", "-q")
    a.git("pull", "-q")
    assert a.facts()["conventions/naming"] == "B의 말"


def test_a_deletion_against_a_change_is_a_conflict(two: tuple[Place, Place]) -> None:
    a, b = two
    a.strata("delete", "conventions/naming")
    a.commit()
    a.git("push", "-q")
    b.strata("put", "conventions/naming", "새 값")
    assert "conflict" in b.ok("git", "pull", "-q").err
    assert b.facts()["conventions/naming"] == "새 값"
    b.strata("git", "sync", "--take", "facts/conventions/naming.md=file")
    assert "conventions/naming" not in b.facts()


def test_changes_of_different_lines_are_joined(two: tuple[Place, Place]) -> None:
    a, b = two
    a.strata("put", "conventions/limits", "120", "--path", "line")
    a.commit()
    a.git("push", "-q")
    b.strata("put", "conventions/limits", '["x"]', "--path", "more")
    b.strata("put", "conventions/naming", "여기서")
    assert "joined" in b.ok("git", "pull", "-q").err
    assert b.facts()["conventions/limits"] == {"line": 120, "depth": 3, "more": ["x"]}
    b.commit()
    b.git("push", "-q")
    a.git("pull", "-q")
    assert a.facts()["conventions/limits"] == {"line": 120, "depth": 3, "more": ["x"]}
    assert a.facts()["conventions/naming"] == "여기서"


def test_a_conflict_that_git_met_is_taken_as_it_was_decided(two: tuple[Place, Place]) -> None:
    a, b = two
    for place, words in ((a, "A의 말"), (b, "B의 말")):
        place.strata("put", "conventions/naming", words)
        place.commit()
    a.git("push", "-q")
    b.git("config", "pull.rebase", "false")
    assert b.run("git", "pull", "-q").code != 0
    assert b.facts()["conventions/naming"] == "B의 말"
    file = b.file("facts/conventions/naming.md")
    assert "<<<<<<<" in file.read_text()
    file.write_text('---\nkey: "conventions/naming"\n---\n둘 다\n', encoding="utf-8")
    b.git("add", "-A")
    b.commit("merged")
    assert b.facts()["conventions/naming"] == "둘 다"
    assert "둘 다" in b.git("show", "HEAD:memory/facts/conventions/naming.md")


def test_branches_have_their_own_memory_until_they_are_merged(two: tuple[Place, Place]) -> None:
    a, b = two
    a.git("switch", "-q", "-c", "feature")
    a.strata("put", "conventions/feature", "가지에서")
    a.strata("delete", "conventions/limits")
    (a.folder / "code").write_text("1")
    a.git("add", "code")
    a.commit()
    a.git("push", "-q", "-u", "origin", "feature")
    a.git("switch", "-q", "main")
    assert "conventions/feature" not in a.facts()
    b.strata("put", "conventions/meanwhile", "줄기에서")
    b.commit()
    b.git("fetch", "-q")
    b.git("switch", "-q", "feature")
    found = b.facts()
    assert "conventions/feature" in found
    assert "conventions/limits" not in found
    # What main got meanwhile is no change of this branch.
    b.commit()
    assert "meanwhile" not in b.git("show", "--stat", "HEAD")
    b.git("switch", "-q", "main")
    assert "conventions/feature" not in b.facts()
    assert "conventions/limits" in b.facts()
    said = b.ok("git", "merge", "-q", "--no-edit", "feature").err
    assert "strata git merge" in said
    after = b.facts()
    assert {"conventions/feature", "conventions/meanwhile"} <= after.keys()
    assert "conventions/limits" not in after
    b.strata("git", "merge")
    assert b.facts() == after
    b.strata("git", "sync")
    assert b.git("status", "--short") == ""


def test_with_one_branch_a_checkout_deletes_nothing(clone: Clone) -> None:
    a = clone("a")
    a.strata("put", "conventions/x", "1")
    a.strata("git", "on", "--one-branch", "--prefix", "conventions/")
    a.git("add", "-A")
    a.commit()
    a.git("switch", "-q", "-c", "feature")
    a.git("rm", "-q", "memory/facts/conventions/x.md")
    a.commit()
    assert "conventions/x" not in a.facts()  # removed here, and not by a checkout
    a.strata("put", "conventions/x", "2")
    a.commit()
    a.git("switch", "-q", "main")
    a.git("switch", "-q", "-c", "other")
    a.git("rm", "-q", "memory/facts/conventions/x.md")
    a.git("commit", "-q", "--no-verify", "-m", "elsewhere")
    a.git("switch", "-q", "main")
    a.git("switch", "-q", "other")
    assert a.facts()["conventions/x"] == 2


def test_existing_hooks_run_before_and_after(clone: Clone) -> None:
    a = clone("a")
    hook = a.folder / ".git/hooks/pre-commit"
    own = b"#!/usr/bin/env bash\necho mine >> seen\nexit 0\n"
    hook.write_bytes(own)
    hook.chmod(0o755)
    foreign = a.folder / ".git/hooks/post-merge"
    foreign.write_bytes(b"#!/usr/bin/env python3\n")
    a.strata("put", "conventions/x", "1")
    answer = a.call("git", "on", "--prefix", "conventions/")
    assert "no shell script" in answer.err
    assert foreign.read_bytes() == b"#!/usr/bin/env python3\n"
    a.strata("git", "on")
    assert hook.read_bytes().count(b"strata:begin") == 1
    a.commit()
    assert (a.folder / "seen").read_text() == "mine\n"
    assert "conventions/x" in a.git("show", "HEAD")
    assert "post-merge is foreign" in a.strata("git", "status")
    a.strata("git", "off")
    assert hook.read_bytes() == own


@pytest.mark.parametrize("path", [".githooks", ".husky/_"])
def test_hooks_of_the_project_are_found(clone: Clone, path: str) -> None:
    a = clone("a")
    (a.folder / path).mkdir(parents=True)
    a.git("config", "core.hooksPath", path)
    a.strata("put", "conventions/x", "1")
    a.strata("git", "on", "--prefix", "conventions/")
    place = a.folder / (".husky" if "husky" in path else path)
    # A file that others have too names no path of this machine.
    assert b"then strata git hook pre-commit" in (place / "pre-commit").read_bytes()
    assert not (a.folder / ".git/hooks/pre-commit").exists()


def test_a_commit_goes_on_without_strata_or_a_store(two: tuple[Place, Place]) -> None:
    a, _b = two
    (a.folder / ".strata/store.db").write_bytes(b"no store at all" * 100)
    (a.folder / "code").write_text("1")
    a.git("add", "code")
    a.commit("still works")
    assert a.git("log", "-1", "--format=%s") == "still works"


def test_a_commit_of_named_files_takes_nothing_else(two: tuple[Place, Place]) -> None:
    a, _b = two
    (a.folder / "code").write_text("1")
    a.git("add", "code")
    a.strata("put", "conventions/x", "1")
    a.git("commit", "-q", "-m", "only code", "--", "code")
    assert a.git("show", "--stat", "--format=", "HEAD").startswith("code")
    assert a.git("status", "--short") == ""
    a.commit()
    assert "conventions/x" in a.git("show", "HEAD")


def test_a_commit_of_all_changes_takes_the_files(two: tuple[Place, Place]) -> None:
    a, _b = two
    (a.folder / "AGENTS.md").write_bytes((a.folder / "AGENTS.md").read_bytes() + b"\nmore")
    a.strata("put", "conventions/x", "1")
    a.git("commit", "-q", "-a", "-m", "all")
    assert "conventions/x" in a.git("show", "HEAD")
    assert a.git("status", "--short") == ""


def test_worktrees_share_by_the_files_of_their_own_branch(two: tuple[Place, Place]) -> None:
    a, _b = two
    beside = Place(a.folder.parent / "beside")
    a.git("worktree", "add", "-q", "-b", "beside", str(beside.folder))
    beside.strata("put", "conventions/beside", "곁에서")
    a.strata("put", "conventions/main", "가운데서")
    beside.commit()
    a.commit()
    assert beside.file("facts/conventions/beside.md").exists()
    assert not beside.file("facts/conventions/main.md").exists()
    assert not a.file("facts/conventions/beside.md").exists()
    a.git("merge", "-q", "--no-edit", "beside")
    assert {"conventions/beside", "conventions/main"} <= a.facts().keys()


def test_two_processes_may_sync_at_the_same_time(two: tuple[Place, Place]) -> None:
    a, _b = two
    for number in range(30):
        a.file(f"facts/conventions/n{number}.md").write_text(f"{number}\n")
        a.strata("put", f"conventions/m{number}", f"{number}")
    words = [sys.executable, "-m", "strata", "git", "sync"]
    running = [subprocess.Popen(words, cwd=a.folder, stdout=subprocess.DEVNULL) for _ in range(3)]
    assert [process.wait(120) for process in running] == [0, 0, 0]
    found = a.facts()
    assert all(found[f"conventions/n{n}"] == f"{n}" for n in range(30))
    assert all(a.file(f"facts/conventions/m{n}.md").exists() for n in range(30))
    assert a.strata("git", "sync") == "files and store have the same"


def test_a_rebase_reads_what_it_brought(two: tuple[Place, Place]) -> None:
    a, b = two
    a.strata("put", "conventions/a", "1")
    a.commit()
    a.git("push", "-q")
    b.strata("put", "conventions/b", "2")
    b.commit()
    b.git("pull", "-q", "--rebase")
    assert {"conventions/a", "conventions/b"} <= b.facts().keys()


def test_secrets_are_never_written(two: tuple[Place, Place]) -> None:
    a, _b = two
    secret = "postgres://app:" + "tr0ub4dor" + "@db/app"
    a.strata("--allow-secrets", "put", "conventions/dsn", secret)
    said = a.commit()
    assert "it holds a secret" in said
    assert "tr0ub4dor" not in said
    assert "tr0ub4dor" not in a.git("show", "HEAD")
    assert not a.file("facts/conventions/dsn.md").exists()
    # One that arrives in a file is refused as it is elsewhere.
    text = f'---\nkey: "conventions/in"\n---\n{secret}\n'
    a.file("facts/conventions/in.md").write_text(text, encoding="utf-8")
    answer = a.call("git", "sync")
    assert "facts/conventions/in.md: it holds a secret" in answer.out
    assert "conventions/in" not in a.facts()


def test_files_of_a_stranger_are_taken_with_care(two: tuple[Place, Place], tmp_path: Path) -> None:
    a, _b = two
    facts = a.file("facts")
    (tmp_path / "outside.md").write_text("secret of this machine")
    (facts / "conventions/link.md").symlink_to(tmp_path / "outside.md")
    (facts / "folder").symlink_to(tmp_path)
    (facts / "conventions/huge.md").write_bytes(b"x" * (2 << 20))
    (facts / "conventions/bytes.md").write_bytes(b"\xff\xfe")
    (facts / "conventions/away.md").write_text('---\nkey: "../../x"\n---\n1\n')
    (facts / "private.md").write_text('---\nkey: "private"\n---\n1\n')
    (facts / "conventions/good.md").write_text("좋다\n", encoding="utf-8")
    lines = a.strata("git", "sync")
    for name in ("link.md", "folder", "huge.md", "bytes.md", "away.md", "private.md"):
        assert any(name in line for line in lines.splitlines() if "left as it is" in line), name
    found = a.facts()
    assert found["conventions/good"] == "좋다"
    assert "private" not in found
    assert "secret of this machine" not in found.values()


def test_a_pull_cannot_widen_what_is_shared(two: tuple[Place, Place]) -> None:
    a, b = two
    proposal = a.file("strata.json")
    proposal.write_text(proposal.read_text().replace("conventions/", "p"))
    a.git("add", "-A")
    a.commit()
    a.git("push", "-q")
    b.strata("put", "private/note", "only here")
    b.git("pull", "-q")
    b.commit()
    assert not b.file("facts/private").exists()
    assert "proposes to share something else" in b.call("git", "status").err


@pytest.mark.parametrize(
    "words",
    [
        ("--no-decisions",),
        ("--prefix", ""),
        ("--folder", "../x"),
        ("--folder", "/elsewhere/x"),
        ("--folder", ".git/x"),
        ("--folder", ".strata"),
        ("--agents-file", "../AGENTS.md"),
        ("--agents-bytes", "3"),
    ],
)
def test_bad_options_change_nothing(clone: Clone, words: tuple[str, ...]) -> None:
    a = clone("a")
    a.strata("put", "x", "1")
    answer = a.call("git", "on", *words)
    assert answer.code == 2, answer
    assert a.git("status", "--short") == ""
    assert not a.file("").exists()
    assert not (a.folder / ".git/hooks/pre-commit").exists()
    assert a.call("git", "sync").code == 1


def test_damaged_marks_are_told_before_anything_is_written(clone: Clone) -> None:
    a = clone("a")
    a.strata("put", "x", "1")
    (a.folder / "AGENTS.md").write_text("<!-- strata:begin +0 -->\n")
    answer = a.call("git", "on")
    assert answer.code == 1
    assert "marks" in answer.err
    assert not a.file("").exists()


def test_outside_of_a_repository_it_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "package.json").write_text("{}")
    place = Place(folder)
    place.strata("put", "x", "1")
    answer = place.call("git", "on")
    assert answer.code == 1
    assert "git init" in answer.err
    assert "no repository" in place.strata("git", "status")
