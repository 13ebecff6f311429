"""Where a command works: options, the environment, the settings, and the store's place."""

import os
import stat
from pathlib import Path

import pytest

import strata
from tests.surface.conftest import Run


@pytest.mark.parametrize("side", ["before", "after"])
def test_shared_options_may_stand_before_or_after_the_command(
    ok: Run, project: Path, side: str
) -> None:
    ok("fork", "try", "--db", "s.db")
    options = ["--db", "s.db", "--branch", "try", "--space", "메모", "--actor", "소연"]
    put, get = ["put", "k", "v"], ["get", "k"]
    ok(*(options + put if side == "before" else put + options))
    where = options[:6]
    assert ok(*(where + get if side == "before" else get + where)).out == "v\n"
    assert ok("log", "--json", *where[:4]).json["commits"][0]["actor"] == "소연"
    assert not (project / ".strata").exists()


def test_the_option_behind_the_command_wins(ok: Run) -> None:
    ok("put", "k", "메모에", "--space", "메모")
    ok("put", "k", "기본에")
    assert ok("--space", "default", "get", "k", "--space", "메모").out == "메모에\n"
    assert ok("--space", "메모", "get", "k", "--space", "default").out == "기본에\n"


def test_options_between_a_group_and_its_command_count_too(ok: Run) -> None:
    ok("event", "--space", "메모", "append", "note", "{}")
    assert len(ok("event", "--space", "메모", "list", "--json").json["events"]) == 1
    assert ok("event", "--json").json["events"] == []


def test_json_before_the_command_is_json_after_it(ok: Run) -> None:
    ok("put", "k", "1")
    assert ok("--json", "get", "k").json == ok("get", "k", "--json").json


def test_at_shows_the_past_and_names_the_moment(ok: Run) -> None:
    ok("put", "k", "처음")
    ok("put", "k", "나중")
    past = ok("get", "k", "--at", "1")
    assert past.out == "처음\n"
    assert "as of version 1" in past.err
    as_json = ok("--at", "1", "get", "k", "--json").json
    assert (as_json["value"], as_json["as_of"]["version"]) == ("처음", 1)
    assert as_json["as_of"]["time"].endswith("Z")
    assert ok("get", "k", "--at", "방금").out == "나중\n"


def test_a_command_that_cannot_look_back_refuses_at(run: Run, project: Path) -> None:
    refused = run("--at", "1", "put", "k", "v")
    assert refused.code == 2
    assert "--at" in refused.err
    assert not (project / ".strata").exists()


def test_a_group_without_a_command_is_named_as_it_was_typed(run: Run, ok: Run) -> None:
    ok("put", "k", "v")
    assert "strata tag cannot look at the past" in run("--at", "1", "tag").err


def test_the_value_of_an_option_may_begin_with_a_hyphen(ok: Run) -> None:
    ok("put", "k", "v", "-m", "-3도, 춥다")
    assert ok("log", "--json").json["commits"][0]["message"] == "-3도, 춥다"


def test_reading_never_makes_a_store(run: Run, project: Path) -> None:
    commands = [
        "get k",
        "list",
        "log",
        "status",
        "history k",
        "show",
        "branch",
        "diff x",
        "tag",
        "event",
        "space",
        "verify",
        "config",
        "retention",
        "vector",
    ]
    for command in (
        *commands,
        "delete k",
        "undo",
        "revert 1",
        "merge x",
        "tag create t",
        "compact",
        "backup b",
        "purge k --yes",
    ):
        answer = run(*command.split(), "--json")
        assert (answer.code, answer.error["code"]) == (1, "not_found"), command
        assert "strata init" in answer.error["hint"]
    assert [path.name for path in project.iterdir()] == [".git"]


def test_the_first_write_makes_the_store_and_says_where(ok: Run, project: Path) -> None:
    (project / "깊이" / "더").mkdir(parents=True)
    os.chdir(project / "깊이" / "더")
    first = ok("put", "k", "v")
    store = project / ".strata" / "store.db"
    assert str(store) in first.err
    assert ".git" in first.err
    assert first.out == "put k, version 1\n"
    assert (project / ".strata" / ".gitignore").read_text() == "*\n"
    assert ok("put", "k", "w").err == ""
    if os.name == "posix":
        assert stat.S_IMODE(store.stat().st_mode) == 0o600


def test_outside_of_a_project_it_is_the_users_own_store(ok: Run, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    os.chdir(bare)
    made = ok("put", "k", "v")
    assert "the user's own store" in made.err
    assert list(bare.iterdir()) == []
    os.chdir(tmp_path / "home")
    assert ok("get", "k").out == "v\n"


def test_init_in_a_bare_folder_makes_the_store_there(ok: Run, tmp_path: Path) -> None:
    bare = tmp_path / "빈 폴더"
    bare.mkdir()
    os.chdir(bare)
    assert ok("init", "--json").json == {
        "path": str(bare / ".strata" / "store.db"),
        "created": True,
    }
    assert ok("init", "--json").json["created"] is False
    assert "exists" in ok("status", "--json").json["reason"]


def test_init_inside_a_project_makes_it_at_the_root(ok: Run, project: Path) -> None:
    (project / "src").mkdir()
    os.chdir(project / "src")
    assert ok("init", "--json").json["path"] == str(project / ".strata" / "store.db")
    assert (
        ok("init", "inner", "--json")
        .json["path"]
        .endswith(str(Path("src", "inner", ".strata", "store.db")))
    )


def test_init_never_puts_a_store_into_the_home_folder(ok: Run, tmp_path: Path) -> None:
    os.chdir(tmp_path / "home")
    made = Path(ok("init", "--json").json["path"])
    assert made.parent.name == "strata"
    assert not (tmp_path / "home" / ".strata").exists()


def test_the_environment_names_store_branch_space_and_actor(
    ok: Run, monkeypatch: pytest.MonkeyPatch, project: Path
) -> None:
    monkeypatch.setenv("STRATA_DB", str(project / "다른.db"))
    ok("fork", "try")
    monkeypatch.setenv("STRATA_BRANCH", "try")
    monkeypatch.setenv("STRATA_SPACE", "메모")
    monkeypatch.setenv("STRATA_ACTOR", "둘")
    ok("put", "k", "v")
    status = ok("status", "--json").json
    assert (status["branch"], status["space"], status["actor"]) == ("try", "메모", "둘")
    assert (status["reason"], status["last_commit"]["actor"]) == ("STRATA_DB", "둘")
    assert ok("status", "--branch", "default", "--json").json["branch"] == "default"


def test_stored_settings_count_until_an_option_says_otherwise(ok: Run, run: Run) -> None:
    ok("config", "space", "메모")
    ok("config", "actor", "하나")
    ok("put", "k", "v")
    assert ok("list", "--space", "메모", "--keys").out == "k\n"
    assert run("get", "k", "--space", "default").code == 1
    assert ok("log", "--json").json["commits"][0]["actor"] == "하나"
    ok("config", "--unset", "space")
    assert run("get", "k").code == 1


def test_config_lists_gets_and_refuses_unknown_names(
    ok: Run, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    ok("config", "timezone", "Asia/Seoul")
    monkeypatch.setenv("STRATA_ACTOR", "env")
    found = ok("config", "--json").json["settings"]
    assert found["timezone"] == {"value": "Asia/Seoul", "source": "store"}
    assert found["actor"] == {"value": "env", "source": "STRATA_ACTOR"}
    assert found["branch"] == {"value": "default", "source": "default"}
    assert ok("config", "timezone").out == "Asia/Seoul\n"
    wrong = run("config", "time-zone", "x")
    assert wrong.code == 2
    assert "'timezone'" in wrong.err
    assert run("config", "timezone", "Mars/Olympus").code == 2


def test_times_are_shown_in_the_zone_of_the_settings(ok: Run) -> None:
    ok("put", "k", "v")
    utc = ok("get", "k", "--json").json["time"]
    ok("config", "timezone", "Asia/Seoul")
    hour = (int(utc[11:13]) + 9) % 24
    assert f" {hour:02d}:{utc[14:19]}" in ok("list").out


def test_a_relative_path_and_a_home_path_both_work(ok: Run, project: Path, tmp_path: Path) -> None:
    ok("put", "k", "v", "--db", "./a.db")
    assert (project / "a.db").exists()
    ok("put", "k", "v", "--db", "~/b.db")
    assert (tmp_path / "home" / "b.db").exists()


def test_a_store_that_may_only_be_read_can_be_read(process: Run, ok: Run, project: Path) -> None:
    if os.name != "posix" or os.geteuid() == 0:
        pytest.skip("root and Windows may write everywhere")
    ok("put", "k", "v")
    store = project / ".strata" / "store.db"
    store.chmod(0o400)
    store.parent.chmod(0o500)
    try:
        assert process("get", "k").out == "v\n"
        assert process("put", "k", "w").code == 1
    finally:
        store.parent.chmod(0o700)


def test_where_nothing_can_be_written_the_store_is_opened_for_reading_only(
    ok: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    ok("put", "k", "v")
    opened: list[object] = []
    real = strata.open

    def spy(
        path: Path, *, create: bool, auto_embed: bool, read_only: bool = False
    ) -> strata.Workspace:
        opened.append(read_only)
        return real(path, create=create, read_only=read_only, auto_embed=auto_embed)

    monkeypatch.setattr(strata, "open", spy)
    assert ok("get", "k").out == "v\n"
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)
    assert ok("get", "k").out == "v\n"
    assert opened == [False, True]


def test_reading_leaves_nothing_beside_the_store(ok: Run, project: Path) -> None:
    ok("put", "k", "v", "--db", "s.db")
    ok("get", "k", "--db", "s.db")
    ok("doctor", "--db", "s.db")
    assert sorted(path.name for path in project.iterdir()) == [".git", "s.db"]
