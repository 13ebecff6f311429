"""A store in PostgreSQL is used by the same commands, and its database has some of its own."""

import shlex
from pathlib import Path

import psycopg
import pytest

import strata
from strata.hooks import PromptEvent, reply_to
from strata.mcp.start import host_at
from strata.sql import parse_address
from tests import databases
from tests.databases import server_address
from tests.surface.conftest import Run
from tests.surface.test_help_examples import ALL

EXAMPLES = {
    name: lines
    for name, command in ALL.items()
    if (lines := [line for line in command.examples if "postgresql://" in line])
}
SHOWN = "postgresql://strata@localhost/strata"


def with_password(address: str) -> str:
    """Return an address with a password, which the server does not ask for."""
    return address.replace("postgres@", "postgres:hunter2secret@")


def test_commands_take_an_address(
    ok: Run, monkeypatch: pytest.MonkeyPatch, postgres_address: str
) -> None:
    address = with_password(postgres_address)
    made = ok("init", "--db", address, "--json").json
    assert made["created"] is True
    assert ok("init", "--db", address, "--json").json["created"] is False
    ok("put", "인사", "안녕", "--db", address)
    monkeypatch.setenv("STRATA_DB", address)
    assert ok("get", "인사").out.strip() == "안녕"
    assert ok("call", "strata_recall", "--key", "인사").json["value"] == "안녕"
    with strata.open(address, auto_embed=False) as db:
        assert [key for key, _version in db.kv.items()] == ["인사"]


def test_no_command_shows_a_password(
    ok: Run, monkeypatch: pytest.MonkeyPatch, postgres_address: str
) -> None:
    address = with_password(postgres_address)
    monkeypatch.setenv("STRATA_DB", address)
    shown = parse_address(address).display
    for words in (
        ["init"],
        ["status"],
        ["status", "--json"],
        ["doctor", "--json"],
        ["db", "status"],
        ["serve", "--check"],
        ["setup", "claude-code", "--scope", "user", "--print"],
        ["trust"],
    ):
        answer = ok(*words)
        assert "hunter2secret" not in answer.out + answer.err, words
        assert parse_address(shown).workspace in answer.out or words[0] == "db", words


def test_the_setup_of_a_client_leaves_the_password_to_the_environment(
    ok: Run, project: Path, monkeypatch: pytest.MonkeyPatch, postgres_address: str
) -> None:
    answer = ok("setup", "claude-code", "--scope", "user", "--db", with_password(postgres_address))
    assert "PGPASSWORD" in answer.out + answer.err
    files = [path for path in (project.parent / "home").rglob("*") if path.is_file()]
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in files]
    assert any(parse_address(postgres_address).workspace in text for text in texts)
    assert not any("hunter2secret" in text for text in texts)
    assert "PGPASSWORD" not in ok("setup", "cursor", "--scope", "user").err


def test_status_names_the_database(ok: Run, postgres_address: str) -> None:
    ok("init", "--db", postgres_address)
    found = ok("status", "--db", postgres_address, "--json").json
    assert found["database"].startswith("PostgreSQL 1")
    assert parse_address(postgres_address).workspace in found["path"]
    ok("init")
    assert ok("status", "--json").json["database"].startswith("SQLite 3")


def test_a_server_of_tools_takes_an_address(postgres_address: str) -> None:
    host = host_at(with_password(postgres_address), read_only=False, auto_embed=False)
    try:
        host.writing().kv.put("도구", "값")
        assert "hunter2secret" not in host.path
        assert host.is_made
        folder = host.db.bundles.place("a.strata-bundle").parent
        assert folder.parent.name == "bundles"
        assert folder.is_dir()
    finally:
        host.close()


def test_a_hook_and_a_workspace_name_the_address_without_its_password(
    postgres_address: str,
) -> None:
    address = with_password(postgres_address)
    with strata.open(address, auto_embed=False) as db:
        db.kv.put("배포", "서울 리전에 배포한다")
        assert parse_address(address).display in repr(db)
        assert "hunter2secret" not in repr(db)
        with pytest.raises(strata.NotAllowed, match="in no file"):
            db.backups()
    reply = reply_to(PromptEvent("서울 리전에 무엇을 배포하지?"), address)
    assert reply.store == parse_address(address).display
    assert any("배포" in line for line in reply.lines)


@pytest.mark.parametrize(
    "words",
    [
        ["backup", "a.strata"],
        ["restore", "a.strata"],
        ["compact"],
        ["doctor", "--torture"],
        ["trust", "--revoke"],
    ],
    ids=lambda words: words[0],
)
def test_what_only_a_file_can_do_says_so(
    run: Run, ok: Run, words: list[str], postgres_address: str
) -> None:
    ok("init")
    ok("backup", "a.strata", "--force")
    ok("init", "--db", postgres_address)
    answer = run(*words, "--db", postgres_address)
    assert answer.code != 0
    assert "PostgreSQL" in answer.err or "file" in answer.err
    if words == ["compact"]:
        assert "VACUUM" in answer.err


def test_a_purge_says_what_a_database_may_keep(ok: Run, postgres_address: str) -> None:
    ok("put", "비밀", "열쇠", "--db", postgres_address)
    told = ok("purge", "비밀", "--yes", "--db", postgres_address).out
    assert "erased 1 version of 비밀" in told
    assert "archived logs" in told
    assert "compact" not in told


def test_a_file_has_no_database_to_look_after(run: Run, ok: Run) -> None:
    ok("init")
    for words in (["db"], ["db", "init"], ["db", "upgrade"], ["workspace", "list"]):
        answer = run(*words)
        assert answer.code == 2
        assert "postgresql://" in answer.err


def test_a_database_is_prepared_for_a_role(
    ok: Run, run: Run, postgres_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STRATA_DB", postgres_address)
    assert "no role" in run("db", "init", "--role", "없는 역할").err
    with psycopg.connect(server_address(), autocommit=True) as session:
        session.execute("DROP OWNED BY strata_app") if session.execute(
            "SELECT 1 FROM pg_roles WHERE rolname = 'strata_app'"
        ).fetchone() else session.execute("CREATE ROLE strata_app LOGIN")
    done = ok("db", "init", "--role", "strata_app", "--json").json
    assert done["differing"] == []
    found = ok("db", "status", "--json").json
    assert found["format"] == found["known_format"]
    assert found["differing"] == []
    ok("put", "인사", "안녕")
    own = postgres_address.replace("postgres@", "strata_app@")
    ok("put", "역할", "값", "--db", own)
    assert ok("get", "인사", "--db", own).out.strip() == "안녕"
    refused = run("workspace", "create", "남의 것", "--db", own)
    assert refused.code == 1
    with psycopg.connect(own.partition("&workspace")[0]) as session:
        for statement in ("DELETE FROM strata.audit", "DROP TABLE strata.words"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                session.execute(statement)
            session.rollback()


def test_a_database_that_was_prepared_can_be_used_at_once(
    ok: Run, monkeypatch: pytest.MonkeyPatch, postgres_address: str
) -> None:
    monkeypatch.setenv("STRATA_DB", postgres_address)
    name = parse_address(postgres_address).workspace
    assert f"made the workspace {name}" in ok("db", "init").out
    assert ok("status", "--json").json["versions"] == 0
    assert "made the workspace" not in ok("db", "init").out


def test_workspaces_are_made_listed_and_deleted(
    ok: Run, run: Run, postgres_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STRATA_DB", postgres_address)
    name = f"연구 {parse_address(postgres_address).workspace}"
    made = ok("workspace", "create", name, "--json").json
    assert run("workspace", "create", name).code == 1
    assert name in ok("workspace", "list").out
    ok("put", "k", "v", "--db", f"{server_address()}&workspace={name}")
    assert made["workspace"]["name"] == name
    refused = run("workspace", "delete", name)
    assert refused.code == 2
    assert "--yes" in refused.err
    assert name in ok("workspace").out
    ok("workspace", "delete", name, "--yes")
    assert name not in ok("workspace", "list").out
    assert run("workspace", "delete", name, "--yes").code == 1


@pytest.mark.skipif(databases.IS_POSTGRES, reason="every path is a workspace there")
def test_copying_says_what_was_copied(ok: Run, run: Run, postgres_address: str) -> None:
    ok("put", "인사", "안녕")
    done = ok("copy", ".strata/store.db", with_password(postgres_address))
    assert "1 version" in done.out
    assert "hunter2secret" not in done.out
    assert ok("get", "인사", "--db", postgres_address).out.strip() == "안녕"
    assert run("copy", ".strata/store.db", postgres_address).code == 1


@pytest.mark.skipif(databases.IS_POSTGRES, reason="every path is a workspace there")
def test_a_copy_that_was_cut_is_refused_and_resumed(ok: Run, run: Run) -> None:
    ok("put", "인사", "안녕")
    ok("config", "timezone", "Asia/Seoul")
    ok("copy", ".strata/store.db", "앞.strata")
    Path("앞.strata").rename(".복사.strata.unfinished-copy")
    for words in (("get", "인사"), ("put", "인사", "둘"), ("status",)):
        refused = run(*words, "--db", "복사.strata")
        assert refused.code != 0
        assert "not complete" in refused.err
        assert "strata copy FROM" in refused.err
    assert not Path("복사.strata").exists()
    ok("config", "timezone", "Europe/Berlin")
    done = ok("copy", ".strata/store.db", "복사.strata").out
    assert "resumed: " in done
    assert "the store had changed since: " in done
    assert ok("get", "인사", "--db", "복사.strata").out.strip() == "안녕"


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_that_need_a_server_work(ok: Run, name: str, postgres_address: str) -> None:
    ok("put", "greeting", "안녕")
    marker = parse_address(postgres_address).workspace
    for line in EXAMPLES[name]:
        own = line.replace("연구", f"연구-{marker}").replace("=team", f"={marker}")
        own = own.replace(f"{SHOWN}?", f"{server_address()}&").replace(SHOWN, server_address())
        ok(*shlex.split(own)[1:])
