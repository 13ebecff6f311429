"""A git remote: the memory lies in refs/strata, and needs no server."""

import subprocess
from pathlib import Path

import pytest

import strata


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.fixture
def clones(tmp_path: Path) -> tuple[Path, Path]:
    """Two clones of one repository."""
    git(tmp_path, "init", "-q", "--bare", "hub.git")
    for name in ("one", "two"):
        git(tmp_path, "clone", "-q", "hub.git", name)
    return tmp_path / "one", tmp_path / "two"


def test_two_clones_of_a_repository_share_their_memory(
    clones: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = clones
    monkeypatch.chdir(one)
    a = strata.open(one / "store.db", auto_embed=False)
    a.kv.put("인사", "안녕")
    a.remotes.add("origin", "git:origin")
    assert a.remotes.push().commits == 1
    assert a.remotes.push().commits == 0
    monkeypatch.chdir(two)
    assert strata.clone("git:origin", two / "store.db").commits == 1
    with strata.open(two / "store.db", auto_embed=False) as b:
        b.kv.delete("인사")
        b.kv.put("b", 1)
        a.kv.put("a", 1)
        a.remotes.push()
        b.remotes.sync()
        a.remotes.sync()
        b.remotes.sync()
        assert a.kv.list() == b.kv.list() == ["a", "b"]
        assert b.verify().ok
    a.close()
    assert git(one, "for-each-ref", "refs/heads", "refs/remotes", "refs/tags") == ""
    listed = git(one, "ls-remote", "origin").splitlines()
    assert [line.split("\t")[1][:12] for line in listed] == ["refs/strata/"] * 2
    assert git(one, "status", "--porcelain", "--ignored").count("refs") == 0


def test_a_purged_value_is_in_no_commit_of_the_remote(
    clones: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, _two = clones
    monkeypatch.chdir(one)
    with strata.open(one / "store.db", auto_embed=False) as a:
        a.remotes.add("origin", "git:origin")
        a.kv.put("k", "지울 말")
        a.remotes.push()
        a.purge("k")
        a.remotes.push()
    hub = one.parent / "hub.git"
    [line] = git(hub, "for-each-ref", "refs/strata").splitlines()
    assert git(hub, "rev-list", "--count", line.split()[0]).strip() == "1"
    assert len(git(hub, "ls-tree", line.split()[0]).splitlines()) == 2


def test_a_git_remote_that_is_not_there_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    git(tmp_path, "init", "-q")
    with strata.open(tmp_path / "store.db", auto_embed=False) as a:
        a.kv.put("k", 1)
        a.remotes.add("origin", "git:nowhere")
        for call in (a.remotes.push, a.remotes.pull):
            with pytest.raises(strata.Unavailable, match="git:nowhere"):
                call()
        with pytest.raises(strata.InvalidArgument):
            a.remotes.add("evil", "git:ext::sh -c touch% /tmp/pwned")
