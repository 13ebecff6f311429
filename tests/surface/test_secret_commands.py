"""Secrets on the command line: refused, masked, allowed, found and erased."""

from pathlib import Path

import pytest

from tests.surface.conftest import Run
from tests.unit.secrets.samples import token

TOKEN = token("github", "ghp" + "_", 36).secret


def test_a_secret_is_refused_with_the_reason_the_place_and_the_way_around(
    run: Run, project: Path
) -> None:
    refused = run("put", "deploy", f'{{"서버": {{"키": "{TOKEN}"}}}}')
    assert refused.code == 1
    assert "'deploy'" in refused.err
    assert "github_token at $.서버.키" in refused.err
    assert "--allow-secrets" in refused.err
    assert TOKEN not in refused.err + refused.out
    assert not list(project.rglob("*.db")), "a refused first write makes no store"


def test_a_program_is_told_by_a_code_and_the_places(run: Run) -> None:
    error = run("put", "k", f'["{TOKEN}"]', "--json").error
    assert error["code"] == "secret_refused"
    assert error["details"]["found"] == [{"kind": "github_token", "path": "$[0]"}]


@pytest.mark.parametrize(
    "words",
    [
        ("put", "k", TOKEN, "--kind", "json"),
        ("put", "k", TOKEN, "--kind", "state"),
        ("put", "k", TOKEN, "--path", "a.b"),
        ("put", "k", "plain", "--tag", TOKEN),
        ("put", "k", "plain", "-m", TOKEN),
        ("put", TOKEN, "plain"),
        ("event", "append", "deploy", f'{{"with": "{TOKEN}"}}'),
        ("vector", "put", "c", "v", "[1, 0]", "--metadata", f'{{"with": "{TOKEN}"}}'),
        ("fork", TOKEN),
        ("tag", "create", "v1", "-m", TOKEN),
    ],
)
def test_every_command_that_writes_refuses_and_can_be_told_otherwise(
    run: Run, ok: Run, words: tuple[str, ...]
) -> None:
    ok("vector", "create", "c", "2")
    refused = run(*words)
    assert refused.code == 1
    assert TOKEN not in refused.err
    ok(*words, "--allow-secrets")


def test_the_option_may_stand_before_the_command(ok: Run) -> None:
    ok("--allow-secrets", "put", "k", TOKEN)
    assert ok("get", "k").out == f"{TOKEN}\n"


def test_what_was_masked_is_told(ok: Run) -> None:
    ok("config", "secrets", "mask")
    assert ok("put", "k", f'{{"키": "{TOKEN}"}}').out == (
        "put k, version 1\nmasked github_token at $.키\n"
    )
    told = ok("put", "k", f'{{"키": "{TOKEN}"}}', "--json").json
    assert told["masked"] == [{"kind": "github_token", "path": "$.키"}]
    assert told["value"] == {"키": "[masked: github_token]"}
    assert "masked github_token" in ok("event", "append", "t", TOKEN).out
    assert ok("put", "plain", "값", "--json").json["masked"] == []


def test_the_environment_and_the_store_say_what_is_done(
    run: Run, ok: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    ok("config", "secrets", "allow")
    ok("put", "k", TOKEN)
    monkeypatch.setenv("STRATA_SECRETS", "refuse")
    assert run("put", "other", TOKEN).code == 1
    assert run("config", "secrets", "hide").code == 2


def test_the_doctor_finds_old_secrets_and_says_how_to_erase_them(run: Run, ok: Run) -> None:
    ok("put", "plain", "값")
    assert ok("doctor", "--secrets").out == "no secrets in the store\n"
    ok("put", "api/열쇠", TOKEN, "--allow-secrets")
    ok("put", "api/열쇠", "moved to the vault")
    ok("put", "notes", TOKEN, "--space", "메모", "--allow-secrets", "-m", f"see {TOKEN}")
    found = run("doctor", "--secrets")
    assert found.code == 1
    assert TOKEN not in found.out
    assert "strata purge 'api/열쇠' --kind kv" in found.out
    assert "strata purge notes --space '메모' --kind kv" in found.out
    assert "cannot be purged" in found.out
    told = run("doctor", "--secrets", "--json").json
    assert [(one["key"], one["secret"], one["place"]) for one in told["secrets"]] == [
        ("api/열쇠", "github_token", "$"),
        ("notes", "github_token", "$"),
        ("version 4", "github_token", "$.message"),
    ]
    ok("purge", "api/열쇠", "--kind", "kv", "--yes")
    ok("purge", "notes", "--space", "메모", "--kind", "kv", "--yes")
    assert len(run("doctor", "--secrets", "--json").json["secrets"]) == 1


def test_an_event_of_another_branch_can_be_erased(run: Run, ok: Run) -> None:
    ok("event", "append", "t", "plain")
    ok("fork", "try")
    ok("event", "append", "t", TOKEN, "--branch", "try", "--allow-secrets")
    (line,) = [
        one for one in run("doctor", "--secrets").out.splitlines() if "strata purge 0" in one
    ]
    ok(*line.split()[1:], "--yes")
    assert ok("doctor", "--secrets").out == "no secrets in the store\n"
