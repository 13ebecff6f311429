"""Tokens: shown once, hashed at rest, good for some tools and some time."""

from collections.abc import Callable
from pathlib import Path

import pytest

import strata
from strata.access import OWNER
from strata.base import limits
from strata.base.errors import TokenNotFound
from tests.unit.conftest import Bench


def test_a_token_opens_what_it_was_made_for(bench: Bench) -> None:
    made = bench.db.tokens.create("노트북", groups=["memory"], read_only=True)
    found = bench.db.tokens.check(made.secret)
    assert found is not None
    assert found == made.token
    assert found.grant.permits("memory")
    assert not found.grant.permits("developer")
    assert found.grant.read_only


def test_a_token_without_groups_may_use_all_of_them(bench: Bench) -> None:
    made = bench.db.tokens.create("everything")
    assert made.token.grant.permits("memory")
    assert made.token.grant.permits("developer")
    assert not made.token.grant.read_only


def test_the_secret_is_nowhere_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with strata.open(path, durability="standard", auto_embed=False) as db:
        secret = db.tokens.create("노트북").secret
        random_part = secret.split("_", 2)[2]
        assert db.tokens.check(secret) is not None
    written = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert "노트북".encode() in written
    assert random_part.encode() not in written


def test_secrets_are_long_and_never_alike(bench: Bench) -> None:
    secrets = {bench.db.tokens.create().secret for _ in range(50)}
    assert len(secrets) == 50
    assert {len(secret.split("_", 2)[2]) for secret in secrets} == {43}


@pytest.mark.parametrize(
    "spoil",
    [
        lambda secret: secret[:-1] + ("A" if secret[-1] != "A" else "B"),
        lambda secret: secret + "x",
        lambda secret: secret[:-1],
        lambda secret: secret.upper(),
        lambda secret: " " + secret,
        lambda secret: secret + "\n",
        lambda secret: "",
        lambda secret: "strata_" + "0" * 12 + secret[19:],
        lambda secret: secret.replace("strata_", "strata_’"),
    ],
)
def test_a_wrong_secret_opens_nothing(bench: Bench, spoil: Callable[[str], str]) -> None:
    secret = bench.db.tokens.create("laptop").secret
    assert bench.db.tokens.check(spoil(secret)) is None
    assert bench.db.tokens.check(secret) is not None


def test_a_revoked_token_opens_nothing(bench: Bench) -> None:
    first, second = bench.db.tokens.create("one"), bench.db.tokens.create("two")
    gone = bench.db.tokens.revoke(first.token.id)
    assert gone.revoked == bench.clock.us
    assert bench.db.tokens.check(first.secret) is None
    assert bench.db.tokens.check(second.secret) is not None
    bench.clock.us += 1
    assert bench.db.tokens.revoke(first.token.id).revoked == gone.revoked


def test_a_token_expires_to_the_microsecond(bench: Bench) -> None:
    made = bench.db.tokens.create("short", expires="2시간")
    bench.clock.us += 2 * 3600 * 1_000_000 - 1
    assert bench.db.tokens.check(made.secret) is not None
    bench.clock.us += 1
    assert bench.db.tokens.check(made.secret) is None


@pytest.mark.parametrize(
    "change",
    [
        "scopes = 'memory developer'",
        "read_only = 0",
        "expires = NULL",
        "user_id = NULL",
        "user_id = 'user_other'",
        "suggest_only = 0",
    ],
)
def test_a_row_that_was_widened_by_hand_opens_nothing(bench: Bench, change: str) -> None:
    bench.db.users.add("ann@example.com")
    made = bench.db.tokens.create(
        "reader",
        groups=["memory"],
        read_only=True,
        expires="1h",
        user="ann@example.com",
        suggest_only=True,
    )
    assert bench.db.tokens.check(made.secret) is not None
    with bench.store.writing() as connection:
        connection.run(f"UPDATE tokens SET {change}")
    assert bench.db.tokens.check(made.secret) is None


@pytest.mark.parametrize("change", ["user_id = 'user_other'", "suggest_only = 1"])
def test_a_token_of_the_owner_is_not_turned_into_anothers_by_hand(
    bench: Bench, change: str
) -> None:
    secret = bench.db.tokens.create("laptop").secret
    with bench.store.writing() as connection:
        connection.run(f"UPDATE tokens SET {change}")
    assert bench.db.tokens.check(secret) is None


def test_a_token_acts_for_its_user_and_else_for_the_owner(bench: Bench) -> None:
    ann = bench.db.users.add("소연@예시.한국")
    made = bench.db.tokens.create("laptop", user="소연@예시.한국", suggest_only=True)
    found = bench.db.tokens.check(made.secret)
    assert found is not None
    assert (found.user, found.grant.user, found.grant.cap.suggest_only) == (ann.id, ann.id, True)
    assert bench.db.serving.as_granted(found.grant).rights.user == ann
    for user in (None, "owner", "owner@localhost"):
        token = bench.db.tokens.create("mine", user=user).token
        assert (token.user, token.grant.user) == (None, OWNER)
        assert bench.db.serving.as_granted(token.grant).rights.user.is_owner
    with pytest.raises(strata.NotFound, match="no user"):
        bench.db.tokens.create("x", user="nobody@example.com")


def test_a_token_that_was_made_before_there_were_users_still_opens(tmp_path: Path) -> None:
    from hashlib import sha256

    from strata.sql import connect

    path = tmp_path / "store.db"
    strata.open(path, durability="standard", auto_embed=False).close()
    connection = connect(path.as_uri(), durability="standard", mode="write")
    secret = f"strata_0123456789ab_{'x' * 43}"
    digest = sha256(secret.encode() + b'\0["0123456789ab",["memory"],true,null]').digest()
    connection.run(
        "INSERT INTO tokens (id, label, digest, scopes, read_only, created) VALUES (?,?,?,?,?,?)",
        ("0123456789ab", "옛 토큰", digest, "memory", 1, 1),
    )
    connection.close()
    with strata.open(path, durability="standard", auto_embed=False) as db:
        found = db.tokens.check(secret)
        assert found is not None
        assert (found.label, found.grant.user, found.grant.suggest_only) == (
            "옛 토큰",
            OWNER,
            False,
        )
        assert db.users.owner().email == "owner@localhost"


def test_a_label_names_the_one_token_that_is_not_revoked(bench: Bench) -> None:
    old, new = bench.db.tokens.create("laptop"), bench.db.tokens.create("laptop")
    with pytest.raises(strata.InvalidArgument, match="2 tokens are called"):
        bench.db.tokens.revoke("laptop")
    bench.db.tokens.revoke(old.token.id)
    assert bench.db.tokens.revoke("laptop").id == new.token.id
    with pytest.raises(TokenNotFound, match="no token 'laptop'"):
        bench.db.tokens.revoke("laptop")


def test_use_is_noted_once_a_minute(bench: Bench) -> None:
    made = bench.db.tokens.create("laptop")
    assert bench.db.tokens.touch(made.token)
    noted = bench.db.tokens.list()[0]
    assert noted.last_used == bench.clock.us
    bench.clock.us += int(limits.TOKEN_TOUCH_S * 1_000_000) - 1
    assert not bench.db.tokens.touch(noted)
    bench.clock.us += 1
    assert bench.db.tokens.touch(noted)


@pytest.mark.parametrize("groups", [["Memory"], ["a b"], ["../x"], [""]])
def test_what_is_no_name_of_a_group_is_refused(bench: Bench, groups: list[str]) -> None:
    with pytest.raises(strata.InvalidArgument):
        bench.db.tokens.create("laptop", groups=groups)
    with pytest.raises(strata.InvalidArgument):
        bench.db.tokens.create("laptop", groups="memory")
    assert bench.db.tokens.list() == []


def test_tokens_are_bounded(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TOKENS_MAX", 2)
    bench.db.tokens.create()
    bench.db.tokens.create()
    with pytest.raises(strata.LimitExceeded):
        bench.db.tokens.create()


def test_tokens_are_of_the_store_and_not_of_a_branch(bench: Bench) -> None:
    made = bench.db.tokens.create("laptop")
    bench.db.branches.create_empty("empty")
    assert bench.db.on("empty").tokens.check(made.secret) == made.token
    assert bench.db.log() == []


def test_tokens_of_others_take_an_admin_and_the_owners_the_owner(bench: Bench) -> None:
    ann, bob = bench.db.users.add("ann@example.com"), bench.db.users.add("bob@example.com")
    there = bench.db.as_user(ann.id).tokens
    mine = there.create("mine")
    owners = bench.db.tokens.create("the owner's")
    bobs = bench.db.tokens.create("bob's", user=bob.id)
    assert mine.token.user == ann.id
    assert [token.label for token in there.list()] == ["mine"]
    for user, need in ((bob.id, "takes an admin"), ("owner", "Only the owner")):
        with pytest.raises(strata.NotAllowed, match=need):
            there.create("x", user=user)
    for made in (owners, bobs):
        with pytest.raises(TokenNotFound):
            there.revoke(made.token.id)
    bench.db.teams.set_member("workspace", ann.id, "admin")
    assert {token.label for token in there.list()} == {"mine", "bob's"}
    there.revoke("bob's")
    with pytest.raises(strata.NotAllowed, match="Only the owner"):
        there.create("x", user="owner")
    assert bench.db.tokens.check(owners.secret) is not None
    assert bench.db.tokens.check(bobs.secret) is None
    actions = [entry.action for entry in bench.db.audit.list(subject=bobs.token.id)]
    assert actions == ["token.revoke", "token.create"]
