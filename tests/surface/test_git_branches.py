"""`branch = git`: the branch of a session follows the git branch, in a real repository."""

import os
import subprocess
from pathlib import Path

import pytest

import strata
from strata.tools import Session, StoreHost, call_tool, expose
from tests.surface.conftest import Run

_WHO = ("-c", "user.name=소연", "-c", "user.email=soyeon@example.com", "-c", "commit.gpgsign=false")


def git(*words: str, at: Path | None = None) -> str:
    done = subprocess.run(
        ["git", *_WHO, *words], cwd=at, check=True, capture_output=True, encoding="utf-8"
    )
    return done.stdout.strip()


@pytest.fixture
def checkout(project: Path, ok: Run) -> Path:
    """A repository with one commit, whose store follows git."""
    (project / ".git").rmdir()
    git("init", "-q", "-b", "main")
    git("commit", "-q", "--allow-empty", "-m", "first")
    ok("put", "shared", "모두")
    ok("config", "branch", "git")
    return project


def names(ok: Run) -> list[str]:
    return [one["name"] for one in ok("branch", "--json").json["branches"]]


def keys(ok: Run) -> list[str]:
    return [one["key"] for one in ok("list", "--json").json["items"]]


def test_a_git_branch_is_forked_by_its_first_write(checkout: Path, ok: Run, run: Run) -> None:
    git("switch", "-q", "-c", "feature/로그인")
    assert ok("get", "shared").out == "모두\n"
    assert names(ok) == ["default"]
    assert run("put", "bad", "1", "--if-version", "7").code == 1
    ok("put", "only/here", "1")
    assert names(ok) == ["default", "feature/로그인"]
    [made] = [one for one in ok("branch", "--json").json["branches"] if one["name"] != "default"]
    assert (made["parent"], made["metadata"]) == ("default", {"git": "feature/로그인"})
    git("switch", "-q", "main")
    assert run("get", "only/here").code == 1
    ok("put", "after", "2")
    git("switch", "-q", "feature/로그인")
    assert run("get", "after").code == 1
    assert ok("get", "only/here").out == "1\n"


def test_what_others_write_to_the_parent_is_seen_until_the_fork(checkout: Path, ok: Run) -> None:
    git("switch", "-q", "-c", "feature")
    with strata.open(branch="git") as db:
        assert db.branch == "feature"
        other = db.on("default")
        other.kv.put("late", 1)
        assert db.kv["late"] == 1
        assert db.search("late").hits[0].key == "late"
        db.kv.put("mine", 2)
        other.kv.put("later", 3)
        assert "later" not in db.kv
        assert db.kv["mine"] == 2
        assert other.kv.get("mine") is None
        assert db.search("mine").hits[0].key == "mine"


def test_a_transaction_forks_from_the_state_that_it_read(checkout: Path, ok: Run) -> None:
    git("switch", "-q", "-c", "feature")
    with strata.open(branch="git") as db:
        with db.transaction() as tx:
            assert tx.kv["shared"] == "모두"
            db.on("default").kv.put("shared", "다른 값")
            tx.kv.put("mine", 1)
        assert db.kv["shared"] == "모두"
        assert db.on("default").kv["shared"] == "다른 값"


def test_a_failed_write_leaves_no_branch(checkout: Path, ok: Run) -> None:
    git("switch", "-q", "-c", "feature")
    with strata.open(branch="git") as db:
        with pytest.raises(strata.InvalidKey):
            db.kv.put("", 1)
        opened = db.begin()
        opened.kv.put("k", 1)
        opened.rollback()
        assert not db.branches.exists("feature")


def test_a_stacked_branch_begins_from_its_parent(checkout: Path, ok: Run) -> None:
    git("switch", "-q", "-c", "one")
    ok("put", "of/one", "1")
    git("commit", "-q", "--allow-empty", "-m", "one")
    git("switch", "-q", "-c", "two")
    git("switch", "-q", "-c", "three")
    assert keys(ok) == ["of/one", "shared"]
    ok("put", "of/three", "3")
    [three] = [one for one in ok("branch", "--json").json["branches"] if one["name"] == "three"]
    assert three["parent"] == "one"


def test_worktrees_work_on_their_branches_at_the_same_time(
    checkout: Path, ok: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside = checkout.parent / "곁"
    git("worktree", "add", "-q", "-b", "beside", str(beside))
    ok("put", "main/fact", "1")
    monkeypatch.chdir(beside)
    ok("put", "beside/fact", "2")
    assert keys(ok) == ["beside/fact", "main/fact", "shared"]
    monkeypatch.chdir(checkout)
    assert keys(ok) == ["main/fact", "shared"]


def test_a_detached_head_works_on_the_default_branch(checkout: Path, ok: Run) -> None:
    git("checkout", "-q", "--detach")
    ok("put", "detached", "1")
    assert names(ok) == ["default"]
    assert "HEAD is detached" in ok("git", "status").out


def test_a_rebase_stays_on_its_branch(checkout: Path, ok: Run) -> None:
    (checkout / "a").write_text("1")
    git("add", "a")
    git("commit", "-qm", "a")
    git("switch", "-q", "-c", "feature", "HEAD~1")
    (checkout / "a").write_text("2")
    git("add", "a")
    git("commit", "-qm", "b")
    with pytest.raises(subprocess.CalledProcessError):
        git("rebase", "main")
    ok("put", "during", "1")
    assert names(ok) == ["default", "feature"]
    git("rebase", "--abort")
    assert ok("get", "during").out == "1\n"


def test_a_renamed_git_branch_keeps_its_memory(checkout: Path, ok: Run) -> None:
    git("switch", "-q", "-c", "old")
    ok("put", "k", "1")
    git("branch", "-m", "새이름")
    assert ok("get", "k").out == "1\n"
    assert names(ok) == ["default", "old"]
    ok("put", "k", "2")
    assert names(ok) == ["default", "새이름"]
    git("switch", "-q", "-c", "old")
    ok("put", "k", "3")
    git("switch", "-q", "새이름")
    assert ok("get", "k").out == "2\n"


@pytest.mark.parametrize(
    ("git_name", "name"),
    [
        ("default", "git/default"),
        ("git", "git/git"),
        ("git/x", "git/git/x"),
        ("proposals/x", "git/proposals/x"),
    ],
)
def test_names_that_mean_something_here_are_changed(
    checkout: Path, ok: Run, git_name: str, name: str
) -> None:
    git("switch", "-q", "-c", git_name)
    ok("put", "k", "1")
    assert sorted(names(ok)) == ["default", name]
    git("switch", "-q", "main")
    assert keys(ok) == ["shared"]


def test_names_that_are_too_long_are_cut_and_stay_apart(checkout: Path, ok: Run) -> None:
    for end in ("a", "b"):
        git("symbolic-ref", "HEAD", f"refs/heads/{'긴' * 60}/{'이름' * 80}{end}")
        ok("put", f"k/{end}", "1")
    cut = [name for name in names(ok) if name != "default"]
    assert len(cut) == 2
    assert all(len(name) <= 200 for name in cut)
    assert keys(ok) == ["k/b", "shared"]


def test_the_default_branch_is_what_the_remote_says(checkout: Path, ok: Run) -> None:
    git("switch", "-q", "-c", "develop")
    assert ok("git", "status", "--json").json["following"]["branch"] == "develop"
    remote = checkout / ".git/refs/remotes/origin"
    remote.mkdir(parents=True)
    (remote / "HEAD").write_text("ref: refs/remotes/origin/develop\n")
    assert ok("git", "status", "--json").json["following"]["branch"] == "default"
    git("config", "strata.defaultBranch", "main")
    assert ok("git", "status", "--json").json["following"]["branch"] == "develop"


def test_packed_branches_are_found(checkout: Path, ok: Run) -> None:
    git("switch", "-q", "-c", "feature")
    git("pack-refs", "--all")
    assert not (checkout / ".git/refs/heads/main").exists()
    ok("put", "k", "1")
    git("switch", "-q", "main")
    assert keys(ok) == ["shared"]


def test_reftable_is_refused_with_what_to_do(checkout: Path, run: Run) -> None:
    (checkout / ".git/HEAD").write_text("ref: refs/heads/.invalid\n")
    answer = run("put", "k", "1")
    assert answer.code == 1
    assert "reftable" in answer.err
    assert "default" in answer.err


def test_a_folder_of_another_repository_says_nothing(
    checkout: Path, ok: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    git("init", "-q", "-b", "elsewhere", str(other))
    git("switch", "-q", "-c", "feature")
    monkeypatch.chdir(other)
    store = checkout / ".strata/store.db"
    ok("--db", store, "put", "k", "1")
    monkeypatch.chdir(checkout)
    assert names(ok) == ["default", "feature"]


def test_a_store_with_a_branch_called_git_means_that_one(project: Path, ok: Run) -> None:
    ok("fork", "git")
    ok("branch", "--switch", "git")
    ok("put", "k", "1")
    assert ok("get", "k", "--branch", "git").out == "1\n"
    with strata.open() as db, pytest.raises(strata.NotAllowed):
        db.git.follow()


def test_switching_by_hand_stops_following(checkout: Path, ok: Run) -> None:
    ok("fork", "idea")
    answer = ok("branch", "--switch", "idea")
    assert "no longer follow git" in answer.err
    git("switch", "-q", "-c", "feature")
    assert ok("status", "--json").json["branch"] == "idea"


def test_a_running_server_notices_a_checkout(checkout: Path, ok: Run) -> None:
    host = StoreHost(lambda: strata.open(auto_embed=False))
    session = Session(host, caller="owner", exposure=expose())
    tools = {tool.name: tool for tool in session.exposure.tools}

    def call(name: str, **arguments: object) -> dict[str, object]:
        outcome = call_tool(session, tools[name], arguments)
        assert not outcome.is_error, outcome.value
        return outcome.value

    try:
        call("strata_store", key="on/main", value="1")
        git("switch", "-q", "-c", "feature")
        call("strata_recall", key="on/main")
        assert names(ok) == ["default"]
        call("strata_store", key="on/feature", value="2")
        assert names(ok) == ["default", "feature"]
        git("switch", "-q", "main")
        outcome = call_tool(session, tools["strata_recall"], {"key": "on/feature"})
        assert outcome.value["found"] is False
        call("strata_store", key="back", value="3")
    finally:
        host.close()
    git("switch", "-q", "feature")
    assert keys(ok) == ["on/feature", "on/main", "shared"]


def test_hooks_follow_the_folder_of_the_client(
    checkout: Path, ok: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside = checkout.parent / "beside"
    git("worktree", "add", "-q", "-b", "beside", str(beside))
    monkeypatch.chdir(beside)
    ok("put", "cache/prices", "Prices are cached for sixty seconds")
    event = '{"prompt": "are the prices cached?", "session_id": "s", "cwd": "%s"}'
    assert "sixty" in ok("hook", "prompt", input=event % beside).out
    assert "sixty" not in ok("hook", "prompt", input=event % checkout).out


def test_a_merge_is_offered_once_git_has_merged(checkout: Path, ok: Run) -> None:
    git("switch", "-q", "-c", "feature")
    ok("put", "k", "값")
    git("switch", "-q", "main")
    # Without a commit of its own, a git branch is no merged one.
    assert ok("git", "status", "--json").json["following"]["offers"] == []
    git("switch", "-q", "feature")
    git("commit", "-q", "--allow-empty", "-m", "work")
    git("switch", "-q", "main")
    assert ok("git", "status", "--json").json["following"]["offers"] == []
    git("merge", "-q", "feature")
    [offer] = ok("git", "status", "--json").json["following"]["offers"]
    assert (offer["branch"], offer["reason"], offer["commits"]) == ("feature", "merged", 1)
    assert "strata git merge" in ok("git", "status").out
    assert "strata git merge" in ok("status").err
    assert "strata git merge" in ok("doctor").out
    assert "strata git merge" in ok("hook", "session", "--show").out
    assert "feature would bring default 1 change" in ok("git", "merge", "--preview").out
    assert names(ok) == ["default", "feature"]
    ok("git", "merge")
    assert ok("get", "k").out == "값\n"
    assert names(ok) == ["default"]
    assert ok("git", "merge").err == "strata: nothing to merge\n"
    git("switch", "-q", "feature")
    ok("put", "again", "1")
    assert keys(ok) == ["again", "k", "shared"]


def test_memory_of_a_deleted_git_branch_is_offered_and_never_dropped(
    checkout: Path, ok: Run, run: Run
) -> None:
    git("switch", "-q", "-c", "gone")
    ok("put", "k", "1")
    git("switch", "-q", "main")
    git("branch", "-q", "-D", "gone")
    [offer] = ok("git", "status", "--json").json["following"]["offers"]
    assert (offer["reason"], offer["commits"]) == ("gone", 1)
    ok("git", "merge")
    assert names(ok) == ["default", "gone"]
    assert run("git", "merge", "nothing").code == 1
    ok("git", "merge", "gone")
    assert ok("get", "k").out == "1\n"


def test_a_conflict_stops_a_merge_and_changes_nothing(checkout: Path, ok: Run, run: Run) -> None:
    git("switch", "-q", "-c", "feature")
    ok("put", "shared", "가지")
    git("commit", "-q", "--allow-empty", "-m", "work")
    git("switch", "-q", "main")
    ok("put", "shared", "줄기")
    git("merge", "-q", "feature")
    answer = run("git", "merge")
    assert answer.code == 1
    assert "shared" in answer.err
    assert (ok("get", "shared").out, names(ok)) == ("줄기\n", ["default", "feature"])
    ok("merge", "feature", "--choose", "shared=theirs")
    ok("git", "merge")
    assert (ok("get", "shared").out, names(ok)) == ("가지\n", ["default"])


def test_reading_never_runs_git(checkout: Path, ok: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    git("switch", "-q", "-c", "feature")
    monkeypatch.setenv("PATH", os.devnull)
    ok("put", "k", "1")
    assert keys(ok) == ["k", "shared"]
    assert ok("search", "모두").code == 0
