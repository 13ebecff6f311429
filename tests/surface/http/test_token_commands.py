"""`strata token`: made, listed and revoked from the shell."""

import strata
from tests.surface.conftest import Run


def test_a_token_is_printed_alone_and_once(ok: Run) -> None:
    made = ok("token", "create", "노트북", "--groups", "memory", "--read-only", "--expires", "90d")
    assert made.out.count("\n") == 1
    assert made.out.startswith("strata_")
    assert "노트북: read memory; it is not shown again" in made.err
    listed = ok("token")
    assert made.out.strip() not in listed.out
    assert "read memory" in listed.out
    assert "good until" in listed.out
    assert "never" in listed.out
    with strata.open(auto_embed=False) as db:
        assert db.tokens.check(made.out.strip()) is not None


def test_a_revoked_token_stays_in_the_list_as_such(ok: Run, run: Run) -> None:
    made = ok("token", "create", "laptop", "--json").json
    assert made["secret"].startswith("strata_")
    assert made["groups"] == []
    gone = ok("token", "revoke", "laptop", "--json").json
    assert gone["id"] == made["id"]
    assert gone["revoked"] is not None
    found = ok("token", "list", "--json").json["tokens"]
    assert [(one["state"], "secret" in one) for one in found] == [("revoked", False)]
    again = run("token", "revoke", "laptop", "--json")
    assert (again.code, again.error["code"]) == (1, "not_found")


def test_a_group_that_is_not_there_is_refused_with_those_that_are(run: Run) -> None:
    refused = run("token", "create", "x", "--groups", "memory,momory")
    assert refused.code == 2
    assert "momory" in refused.err
    assert "memory" in refused.err.split("hint:")[1]
    assert run("token", "create", "x", "--expires", "soon").code == 2


def test_without_tokens_the_list_says_how_to_make_one(ok: Run) -> None:
    ok("init")
    assert "strata token create" in ok("token").err
