"""People: known by an email, with a folder of their own, and removed without loss."""

from unicodedata import normalize

import pytest

import strata
from strata import AlreadyExists, InvalidArgument, LimitExceeded, NotAllowed, NotFound
from strata.access import FULL, NOBODY, OWNER, Permissions, check_email, match_of
from strata.base import limits
from tests.unit.conftest import Bench


def test_a_workspace_has_an_owner_who_is_admin_of_all_of_it(bench: Bench) -> None:
    owner = bench.db.users.owner()
    assert owner.is_owner
    assert (owner.email, bench.db.users.get(OWNER)) == ("owner@localhost", owner)
    root = bench.db.teams.root()
    assert [(m.user, m.role) for m in bench.db.teams.members(root.id)] == [(owner.id, "admin")]
    assert bench.db.folders.personal().owner == owner.id


def test_two_workspaces_have_different_owners() -> None:
    ids: set[str] = set()
    for _ in range(2):
        with strata.open(durability="cache") as db:
            ids |= {db.users.owner().id, db.teams.root().id, db.folders.personal().id}
    assert len(ids) == 6
    assert {len(one.partition("_")[2]) for one in ids} == {26}


@pytest.mark.parametrize(
    ("email", "other"),
    [
        ("ann@example.com", "ANN@Example.Com"),
        ("소연@예시.한국", normalize("NFD", "소연@예시.한국")),
        ("jürgen@straße.example", "JÜRGEN@STRASSE.EXAMPLE"),
        ("Ω@example.gr", "ω@EXAMPLE.GR"),
    ],
)
def test_an_email_is_the_same_in_every_case_and_form(bench: Bench, email: str, other: str) -> None:
    made = bench.db.users.add(email)
    assert bench.db.users.get(other) == made
    assert match_of(email) == match_of(other)
    with pytest.raises(AlreadyExists, match="already"):
        bench.db.users.add(other)


@pytest.mark.parametrize(
    "email",
    [
        "",
        "ann",
        "ann@",
        "@example.com",
        "a b@example.com",
        "ann@example",
        "ann@@example.com",
        "ann@exa mple.com",
        "ann@.com",
        "ann@example.",
        "ann@ex..com",
        "<ann@example.com>",
        "ann@example.com,bob@example.com",
        "ann\n@example.com",
        "ann@example.com\u200b",
        "a" * 250 + "@example.com",
        5,
        None,
        "\ud800@example.com",
    ],
)
def test_what_cannot_be_an_email_is_refused(bench: Bench, email: object) -> None:
    with pytest.raises(InvalidArgument):
        check_email(email)
    with pytest.raises(InvalidArgument):
        bench.db.users.add(email)  # pyright: ignore[reportArgumentType]
    assert len(bench.db.users.list()) == 1


def test_a_name_comes_from_the_email_and_can_be_changed(bench: Bench) -> None:
    made = bench.db.users.add("소연@예시.한국")
    assert made.name == "소연"
    assert bench.db.users.rename(made.id, "김소연").name == "김소연"
    with pytest.raises(InvalidArgument):
        bench.db.users.rename(made.id, " ")


def test_what_was_shared_with_an_email_waits_for_its_person(bench: Bench) -> None:
    bench.db.rights.place("doc_1")
    share = bench.db.shares.share("doc_1", "소연@예시.한국", "editor")
    assert share.pending
    user = bench.db.users.add("소연@예시.한국".upper())
    assert bench.db.as_user(user.id).rights.role("doc_1") == "editor"
    assert [s.pending for s in bench.db.shares.of("doc_1")] == [False]


def test_an_invitation_is_found_by_a_new_email_too(bench: Bench) -> None:
    bench.db.rights.place("doc_1")
    bench.db.shares.share("doc_1", "new@example.com", "viewer")
    user = bench.db.users.add("old@example.com")
    bench.db.users.rename(user.id, email="new@example.com")
    assert bench.db.as_user(user.id).rights.role("doc_1") == "viewer"


def test_the_owner_is_never_removed_and_renamed_by_nobody_else(bench: Bench) -> None:
    ann = bench.db.users.add("ann@example.com")
    bench.db.teams.set_member("workspace", ann.id, "admin")
    there = bench.db.as_user(ann.id)
    for users in (bench.db.users, there.users):
        with pytest.raises(NotAllowed, match="cannot be removed"):
            users.remove("owner", give_to=ann.id)
    with pytest.raises(NotAllowed, match="owner"):
        there.users.rename("owner", email="evil@example.com")
    assert bench.db.users.rename("owner", email="me@example.com").is_owner


def test_an_email_takes_an_admin_and_a_name_oneself(bench: Bench) -> None:
    ann, bob = bench.db.users.add("ann@example.com"), bench.db.users.add("bob@example.com")
    there = bench.db.as_user(ann.id)
    assert there.users.rename(ann.id, "Ann K.").name == "Ann K."
    for change in (
        lambda: there.users.rename(ann.id, email="boss@example.com"),
        lambda: there.users.rename(bob.id, "Bobby"),
        lambda: there.users.add("eve@example.com"),
        lambda: there.users.remove(bob.id),
    ):
        with pytest.raises(NotAllowed, match="admin"):
            change()


def test_who_has_documents_is_removed_only_with_an_heir(bench: Bench) -> None:
    ann, bob = bench.db.users.add("ann@example.com"), bench.db.users.add("bob@example.com")
    there = bench.db.as_user(ann.id)
    inner = there.folders.add("초안")
    there.rights.place("doc_1")
    there.rights.place("doc_2", inner.id)
    there.document_spaces.add("읽을거리")
    with pytest.raises(NotAllowed, match="has 2 documents and 1 Space of their own"):
        bench.db.users.remove(ann.id)
    with pytest.raises(InvalidArgument):
        bench.db.users.remove(ann.id, give_to=ann.id)
    bench.db.users.remove(ann.id, give_to=bob.id)
    heir = bench.db.as_user(bob.id)
    assert dict(heir.rights.visible()) == {"doc_1": "owner", "doc_2": "owner"}
    assert heir.rights.placement("doc_1").owner == bob.id
    assert [folder.name for folder in heir.folders.list()] == ["Personal", "초안"]
    assert [space.name for space in heir.document_spaces.list()] == ["읽을거리"]


def test_who_was_removed_may_do_nothing_and_is_still_named(bench: Bench) -> None:
    ann = bench.db.users.add("ann@example.com", "소연")
    bench.db.teams.set_member("workspace", ann.id, "admin")
    secret = bench.db.tokens.create("laptop", user=ann.id).secret
    before = bench.db.as_user(ann.id)
    bench.db.users.remove(ann.id)
    assert bench.db.tokens.check(secret) is None
    assert before.rights.teams() == []
    with pytest.raises(NotAllowed, match="not a user"):
        before.document_spaces.add("mine")
    assert bench.db.users.names()[ann.id] == "소연"
    with pytest.raises(NotFound, match="no user"):
        bench.db.as_user(ann.id)
    again = bench.db.users.add("ann@example.com")
    assert again.id != ann.id


def test_nobody_sees_and_changes_nothing(bench: Bench) -> None:
    bench.db.rights.place("doc_1")
    nobody = Permissions(bench.store, NOBODY, FULL)
    assert nobody.role("doc_1") is None
    assert nobody.role("doc_without_place") is None
    assert dict(nobody.visible()) == {}
    assert nobody.folders() == nobody.teams() == nobody.spaces() == []
    with pytest.raises(NotFound):
        nobody.home()
    with pytest.raises(NotAllowed):
        nobody.place("doc_2")


def test_people_are_bounded(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "USERS_MAX", 2)
    bench.db.users.add("ann@example.com")
    with pytest.raises(LimitExceeded):
        bench.db.users.add("bob@example.com")


def test_a_secret_is_no_name(db: strata.Workspace) -> None:
    key = "ghp" + "_" + "a1B2" * 9
    for make in (
        lambda: db.users.add("ann@example.com", key),
        lambda: db.teams.add(key),
        lambda: db.folders.add(key),
        lambda: db.document_spaces.add(key),
    ):
        with pytest.raises(strata.SecretRefused):
            make()


def test_an_issuer_never_means_the_owner_by_the_first_address(bench: Bench) -> None:
    ann = bench.db.users.add("ann@example.com")
    assert bench.db.users.known_by("Ann@Example.com") == ann
    for claimed in ("owner@localhost", "OWNER@LOCALHOST", OWNER, ann.id, "eve@example.com"):
        assert bench.db.users.known_by(claimed) is None
    bench.db.users.rename("owner", email="me@example.com")
    found = bench.db.users.known_by("me@example.com")
    assert found is not None
    assert found.is_owner
