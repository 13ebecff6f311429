"""A git remote: the memory lies in refs/strata, and needs no server."""

import subprocess
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

import strata

AUTHOR = ("-c", "user.name=Ann", "-c", "user.email=ann@example.com")


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


def test_a_remote_that_names_a_commit_of_the_project_leaves_its_history_whole(
    clones: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, _two = clones
    monkeypatch.chdir(one)
    for subject in ("first", "second"):
        git(one, *AUTHOR, "commit", "-q", "--allow-empty", "-m", subject)
    git(one, "push", "-q", "origin", "HEAD:refs/strata/feedfeed")
    with strata.open(one / "store.db", auto_embed=False) as a:
        a.remotes.add("origin", "git:origin")
        a.remotes.pull()
    assert git(one, "log", "--format=%s").split() == ["second", "first"]


def test_a_push_from_a_hook_of_another_repository_goes_to_the_remote_of_the_store(
    clones: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = clones
    git(two, "remote", "remove", "origin")
    monkeypatch.chdir(one)
    with strata.open(one / "store.db", auto_embed=False) as a:
        a.remotes.add("origin", "git:origin")
        a.kv.put("k", 1)
        monkeypatch.setenv("GIT_DIR", str(two / ".git"))
        assert a.remotes.push().commits == 1


@pytest.mark.parametrize(
    "address", ["https://ann:s3cr3t@host/x.git", "https://s3cr3t@host/x", "ssh://git:s3cr3t@host/x"]
)
def test_a_password_in_the_address_of_a_git_remote_is_refused(tmp_path: Path, address: str) -> None:
    with strata.open(tmp_path / "store.db", auto_embed=False) as a:
        with pytest.raises(strata.InvalidArgument, match="password") as caught:
            a.remotes.add("origin", f"git:{address}")
        assert "s3cr3t" not in str(caught.value)
        assert a.remotes.add("origin", "git:ssh://git@host/x").address == "git:ssh://git@host/x"


class _AsksForPassword(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(401)
        self.send_header("WWW-Authenticate", "Basic")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def test_a_token_in_the_configuration_of_git_is_not_shown_in_an_error(
    clones: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, _two = clones
    monkeypatch.chdir(one)
    server = HTTPServer(("127.0.0.1", 0), _AsksForPassword)
    Thread(target=server.serve_forever, daemon=True).start()
    git(one, "remote", "set-url", "origin", f"http://s3cr3t@127.0.0.1:{server.server_port}/x.git")
    with strata.open(one / "store.db", auto_embed=False) as a:
        a.remotes.add("origin", "git:origin")
        with pytest.raises(strata.Unavailable, match="Password for 'http://127") as caught:
            a.remotes.pull()
    server.shutdown()
    server.server_close()
    assert "s3cr3t" not in str(caught.value)
