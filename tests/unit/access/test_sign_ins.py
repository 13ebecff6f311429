"""Signing in: codes that are good once and for a while, and browsers that depend on tokens."""

from collections.abc import Callable
from pathlib import Path

import pytest

import strata
from strata.access import OWNER, Browser, Cap, Opened
from strata.access.signing.records import ALPHABET, plain_code
from strata.base import limits
from tests.unit.conftest import Bench

SECOND = 1_000_000
MINUTE = 60 * SECOND
DAY = 24 * 60 * MINUTE


def signed_in(bench: Bench, who: str | None = None, label: str = "노트북") -> Opened:
    return bench.db.sign_ins.open(bench.db.sign_ins.create_code(who).secret, label=label)


def still(bench: Bench, opened: Opened) -> Browser | None:
    return bench.db.sign_ins.check(opened.secret)


def refused(bench: Bench, secret: str) -> str:
    with pytest.raises(strata.NotAllowed) as met:
        bench.db.sign_ins.open(secret)
    return str(met.value)


def test_a_code_signs_its_person_in_once(bench: Bench) -> None:
    ann = bench.db.users.add("ann@example.com", "소연")
    code = bench.db.sign_ins.create_code("ANN@example.com")
    opened = bench.db.sign_ins.open(code.secret, label="Firefox on Linux")
    assert opened.browser.user == code.user == ann.id
    assert opened.browser.label == "Firefox on Linux"
    assert still(bench, opened) == opened.browser
    assert refused(bench, code.secret) == refused(bench, "AAAAA-AAAAA")


@pytest.mark.parametrize(
    "typed",
    [
        str.lower,
        str.strip,
        lambda code: f" {code}\n",
        lambda code: code.replace("-", ""),
        lambda code: code.replace("-", " – "),
    ],
)
def test_a_code_may_be_typed_in_several_ways(bench: Bench, typed: Callable[[str], str]) -> None:
    code = bench.db.sign_ins.create_code().secret
    assert bench.db.sign_ins.open(typed(code)).browser.is_owner


def test_codes_are_random_and_unmistakable() -> None:
    with strata.open(durability="cache") as db:
        codes = {db.sign_ins.create_code().secret for _ in range(100)}
    assert len(codes) == 100
    letters = "".join(plain_code(code) for code in codes)
    assert {len(code) for code in codes} == {11}
    assert set(letters) <= set(ALPHABET)
    assert len(set(letters)) > 25
    assert not set("01OILU") & set(ALPHABET)


def test_a_code_ends_after_ten_minutes(bench: Bench) -> None:
    early, late = (bench.db.sign_ins.create_code() for _ in range(2))
    bench.clock.us += 10 * MINUTE - 1
    assert bench.db.sign_ins.open(early.secret).browser.is_owner
    bench.clock.us += 1
    refused(bench, late.secret)
    bench.clock.us -= 5 * MINUTE
    refused(bench, late.secret)  # it was used up, also by coming too late


def test_only_the_newest_codes_of_somebody_are_good(bench: Bench) -> None:
    codes: list[str] = []
    for _ in range(limits.SIGN_IN_CODES_MAX + 2):
        bench.clock.us += SECOND
        codes.append(bench.db.sign_ins.create_code().secret)
    refused(bench, codes[0])
    refused(bench, codes[1])
    for code in codes[2:]:
        assert bench.db.sign_ins.open(code)


def test_neither_codes_nor_cookies_are_in_the_file(tmp_path: Path) -> None:
    with strata.open(tmp_path / "store.db", durability="standard", auto_embed=False) as db:
        code = db.sign_ins.create_code().secret
        other = db.sign_ins.create_code().secret
        secret = db.sign_ins.open(code, label="크롬").secret
        assert db.sign_ins.check(secret)
    written = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert "크롬".encode() in written
    for hidden in (code, plain_code(code), other, plain_code(other), secret):
        assert hidden.encode() not in written


def test_a_browser_stays_signed_in_while_it_is_used(bench: Bench) -> None:
    opened = signed_in(bench)
    for _ in range(5):
        bench.clock.us += 29 * DAY
        found = still(bench, opened)
        assert found is not None
        assert bench.db.sign_ins.touch(found).expires == bench.clock.us + 30 * DAY
    bench.clock.us += 30 * DAY
    assert still(bench, opened) is None


def test_the_use_of_a_browser_is_noted_once_an_hour(bench: Bench) -> None:
    browser = signed_in(bench).browser
    bench.clock.us += 59 * MINUTE
    assert bench.db.sign_ins.touch(browser) == browser
    bench.clock.us += MINUTE
    assert bench.db.sign_ins.touch(browser).last_used == bench.clock.us


@pytest.mark.parametrize("secret", ["", "x", "x" * 43, "\ud800", "strata_0123456789ab_" + "x" * 43])
def test_a_forged_cookie_opens_nothing(bench: Bench, secret: str) -> None:
    opened = signed_in(bench)
    assert bench.db.sign_ins.check(secret) is None
    assert bench.db.sign_ins.check(opened.secret[:-1]) is None
    assert bench.db.sign_ins.check(opened.secret.swapcase()) is None
    assert not bench.db.sign_ins.close(secret)


def test_a_browser_may_use_documents_and_nothing_else_unless_it_is_the_owner_s(
    bench: Bench,
) -> None:
    bench.db.users.add("ann@example.com")
    ann = bench.db.sign_ins.open(bench.db.sign_ins.create_code("ann@example.com").secret)
    grant = ann.browser.grant
    assert grant.permits("core")
    assert grant.permits("comments")
    assert not grant.permits("memory")
    assert not grant.permits("developer")
    own = signed_in(bench).browser.grant
    assert own.permits("memory")
    assert own.permits("developer")
    assert (own.user, own.read_only, own.suggest_only) == (OWNER, False, False)


@pytest.mark.parametrize("cap", [{"read_only": True}, {"suggest_only": True}, {"groups": ["core"]}])
def test_a_browser_that_came_by_a_token_may_what_the_token_may(
    bench: Bench, cap: dict[str, object]
) -> None:
    ann = bench.db.users.add("ann@example.com")
    made = bench.db.tokens.create("laptop", user=ann.id, **cap)  # pyright: ignore[reportArgumentType]
    opened = bench.db.sign_ins.open(f" {made.secret} ")
    found = still(bench, opened)
    assert found is not None
    assert found.token == made.token
    assert (found.grant.groups, found.grant.cap) == (made.token.grant.groups, made.token.grant.cap)
    assert found.grant.user == ann.id
    assert found.grant.principal == f"browser:{found.id}"


def test_a_browser_ends_with_its_token(bench: Bench) -> None:
    revoked = bench.db.sign_ins.open(bench.db.tokens.create("laptop").secret)
    short = bench.db.sign_ins.open(bench.db.tokens.create("phone", expires="1d").secret)
    assert short.browser.expires == bench.clock.us + DAY
    bench.db.tokens.revoke("laptop")
    assert still(bench, revoked) is None
    assert not bench.db.sign_ins.close(revoked.secret)
    bench.clock.us += DAY - SECOND
    found = still(bench, short)
    assert found is not None
    assert bench.db.sign_ins.touch(found).expires == found.expires
    bench.clock.us += SECOND
    assert still(bench, short) is None


def test_a_token_that_is_not_for_documents_signs_nobody_in(bench: Bench) -> None:
    token = bench.db.tokens.create("memory", groups=["memory"])
    with pytest.raises(strata.NotAllowed, match="not for documents"):
        bench.db.sign_ins.open(token.secret)
    assert bench.db.sign_ins.open(bench.db.tokens.create("all", groups=["all"]).secret)


def test_whoever_is_removed_is_signed_out(bench: Bench) -> None:
    ann = bench.db.users.add("ann@example.com")
    opened, code = signed_in(bench, ann.id), bench.db.sign_ins.create_code(ann.id)
    bench.db.users.remove(ann.id)
    assert still(bench, opened) is None
    assert bench.db.sign_ins.list() == []
    refused(bench, code.secret)


def test_signing_out_ends_one_browser_or_all_of_them(bench: Bench) -> None:
    ann = bench.db.users.add("ann@example.com")
    first, second, own = signed_in(bench, ann.id), signed_in(bench, ann.id), signed_in(bench)
    code = bench.db.sign_ins.create_code(ann.id)
    assert bench.db.sign_ins.close(first.secret)
    assert still(bench, first) is None
    assert still(bench, second) is not None
    assert bench.db.sign_ins.close_all("ann@example.com") == 1
    assert still(bench, second) is None
    assert still(bench, own) is not None
    refused(bench, code.secret)


def test_only_so_many_browsers_of_one_person_are_kept(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "BROWSERS_MAX", 3)
    opened: list[Opened] = []
    for _ in range(5):
        bench.clock.us += SECOND
        opened.append(signed_in(bench))
    assert [still(bench, one) is not None for one in opened] == [False, False, True, True, True]


def test_people_sign_themselves_in_and_out_and_an_admin_others(bench: Bench) -> None:
    people = {name: bench.db.users.add(f"{name}@example.com") for name in ("ann", "bob", "chief")}
    bench.db.teams.set_member(bench.db.teams.root().id, people["chief"].id, "admin")
    ann, chief = (bench.db.as_user(people[name].id).sign_ins for name in ("ann", "chief"))
    for name, user in people.items():
        signed_in(bench, user.id, label=name)
    signed_in(bench, label="owner")
    assert ann.create_code().user == people["ann"].id
    assert [one.label for one in ann.list()] == ["ann"]
    assert {one.label for one in chief.list()} == {"ann", "bob", "chief"}
    assert len(bench.db.sign_ins.list()) == 4
    assert chief.create_code("bob@example.com").user == people["bob"].id
    assert chief.close_all("bob@example.com") == 1
    for act in (ann.create_code, ann.close_all):
        with pytest.raises(strata.NotAllowed):
            act("chief@example.com")
    for room in (ann, chief):
        with pytest.raises(strata.NotAllowed, match="Only the owner"):
            room.create_code("owner")
        with pytest.raises(strata.NotAllowed, match="Only the owner"):
            room.close_all("owner")


@pytest.mark.parametrize("cap", [Cap(read_only=True), Cap(suggest_only=True)])
def test_a_capped_token_cannot_make_a_code_that_may_more(bench: Bench, cap: Cap) -> None:
    ann = bench.db.users.add("ann@example.com")
    with pytest.raises(strata.NotAllowed, match="may only"):
        bench.db.as_user(ann.id, cap=cap).sign_ins.create_code()


def test_what_happened_is_in_the_audit_log_without_secrets(bench: Bench) -> None:
    code = bench.db.sign_ins.create_code()
    opened = bench.db.sign_ins.open(code.secret, label="크롬")
    bench.db.sign_ins.close(opened.secret)
    bench.db.sign_ins.close_all()
    entries = bench.db.audit.list()
    assert [entry.action for entry in reversed(entries)] == [
        "sign_in.code",
        "browser.open",
        "browser.close",
        "browser.close_all",
    ]
    told = str(entries)
    assert "크롬" in told
    assert code.secret not in told
    assert opened.secret not in told


def test_labels_are_one_short_line(bench: Bench) -> None:
    assert signed_in(bench, label="a\nb\x00" + "가" * 200).browser.label == "ab" + "가" * 78
    assert signed_in(bench, label=" \n ").browser.label == "browser"
