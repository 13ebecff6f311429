"""Links that let users in: invitations to documents and teams, and open links of documents."""

from collections.abc import Callable
from typing import NamedTuple

import pytest

import strata
from strata import Workspace
from strata.access import Cap, NewShareLink
from strata.base import limits
from strata.base.errors import InvalidArgument, LimitExceeded, NotAllowed, NotFound

DAY_US = 24 * 3600 * 1_000_000


class Office(NamedTuple):
    """Ann, who made a document, and Bob, who knows nothing of it."""

    owner: Workspace
    ann: Workspace
    bob: Workspace
    document: str


@pytest.fixture
def office(db: Workspace) -> Office:
    ann = db.as_user(db.users.add("ann@example.com", "Ann").id)
    bob = db.as_user(db.users.add("bob@example.com", "Bob").id)
    return Office(db, ann, bob, ann.documents.create("계획", "Ship in May").document)


def roles(office: Office) -> tuple[str | None, bool]:
    return office.bob.rights.role(office.document), office.document in office.bob.rights.visible()


@pytest.mark.parametrize("role", ["viewer", "commenter", "editor"])
def test_an_invitation_gives_its_role_and_stays(office: Office, role: str) -> None:
    made = office.ann.share_links.invite(office.document, role)
    offer = office.bob.share_links.look(made.secret)
    assert (offer.by, offer.link.role, offer.team) == ("Ann", role, None)
    assert roles(office) == (None, False)
    done = office.bob.share_links.join(made.secret)
    assert (done.document, done.role, done.unchanged) == (office.document, role, False)
    office.ann.share_links.revoke(made.link.id)
    assert roles(office) == (role, True)
    (reader,) = [
        one for one in office.ann.documents.audience(office.document).people if one.name == "Bob"
    ]
    assert (reader.role, reader.through) == (role, "share")


@pytest.mark.parametrize("role", ["viewer", "commenter"])
def test_what_an_open_link_gives_ends_with_it(office: Office, role: str) -> None:
    made = office.ann.share_links.open(office.document, role)
    office.bob.share_links.join(made.secret)
    assert roles(office) == (role, True)
    (reader,) = [
        one for one in office.ann.documents.audience(office.document).people if one.name == "Bob"
    ]
    assert (reader.role, reader.through) == (role, "link")
    office.ann.share_links.revoke(made.link.id)
    assert roles(office) == (None, False)
    unknown(office.bob.share_links.join, made)


def test_a_document_has_one_open_link(office: Office) -> None:
    first = office.ann.share_links.open(office.document)
    office.bob.share_links.join(first.secret)
    second = office.ann.share_links.open(office.document, "commenter")
    assert roles(office) == (None, False)
    unknown(office.bob.share_links.join, first)
    office.bob.share_links.join(second.secret)
    assert roles(office) == ("commenter", True)
    assert [one.id for one in office.ann.share_links.of(office.document)] == [second.link.id]


def test_an_open_link_cannot_let_others_edit(office: Office) -> None:
    with pytest.raises(InvalidArgument, match="no role"):
        office.ann.share_links.open(office.document, "editor")
    with pytest.raises(InvalidArgument, match="no role"):
        office.ann.share_links.invite(office.document, "admin")


def test_a_link_never_takes_away_what_a_user_has(office: Office) -> None:
    office.ann.documents.share(office.document, "bob@example.com", "editor")
    made = office.ann.share_links.invite(office.document, "viewer")
    assert office.bob.share_links.join(made.secret).unchanged
    assert office.ann.share_links.join(made.secret).unchanged
    assert roles(office) == ("editor", True)
    assert office.ann.share_links.of(office.document)[0].uses == 0


def test_an_invitation_is_used_as_often_as_it_says(office: Office) -> None:
    made = office.ann.share_links.invite(office.document, "viewer", uses=2)
    for name in ("c", "d"):
        user = office.owner.users.add(f"{name}@example.com")
        office.owner.as_user(user.id).share_links.join(made.secret)
    unknown(office.bob.share_links.join, made)
    (listed,) = office.ann.share_links.of(office.document)
    assert (listed.uses, listed.most_uses) == (2, 2)


def test_an_invitation_ends_with_its_time(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    made = office.ann.share_links.invite(office.document, "viewer", days=3)
    now = office.owner._store.clock()
    monkeypatch.setattr(office.owner._store, "clock", lambda: now + 3 * DAY_US)
    unknown(office.bob.share_links.look, made)
    unknown(office.bob.share_links.join, made)


def test_a_link_is_worth_what_its_maker_may_still_give(office: Office) -> None:
    made = office.ann.share_links.invite(office.document, "editor")
    office.owner.users.remove("ann@example.com", give_to="owner")
    unknown(office.bob.share_links.join, made)
    assert roles(office) == (None, False)


def unknown(attempt: Callable[[str], object], made: NewShareLink) -> None:
    """Check that a link is refused as one that never was."""
    told: list[str] = []
    for secret in (made.secret, "x" * len(made.secret)):
        with pytest.raises(NotFound) as raised:
            attempt(secret)
        told.append(str(raised.value))
    assert told[0] == told[1]


def test_only_those_who_share_a_document_make_see_and_revoke_its_links(office: Office) -> None:
    made = office.ann.share_links.open(office.document)
    office.ann.documents.share(office.document, "bob@example.com", "editor")
    links = office.bob.share_links
    for attempt in (
        lambda: links.invite(office.document, "viewer"),
        lambda: links.open(office.document),
        lambda: links.of(office.document),
    ):
        with pytest.raises(NotAllowed, match="share this document"):
            attempt()
    with pytest.raises(NotFound, match="no link"):
        links.revoke(made.link.id)
    office.ann.documents.unshare(office.document, "bob@example.com")
    for attempt in (
        lambda: links.invite(office.document, "viewer"),
        lambda: links.open(office.document),
        lambda: links.of(office.document),
    ):
        with pytest.raises(NotFound, match="no document"):
            attempt()


def test_a_token_that_only_reads_joins_nothing(office: Office) -> None:
    made = office.ann.share_links.open(office.document)
    capped = office.owner.as_user("bob@example.com", cap=Cap(read_only=True))
    with pytest.raises(NotAllowed, match="only read"):
        capped.share_links.join(made.secret)


def test_a_new_person_gets_a_user_by_a_link_of_an_admin(office: Office) -> None:
    with pytest.raises(NotAllowed, match="let new people into"):
        office.ann.share_links.invite(office.document, "viewer", newcomers=True)
    mine = office.owner.documents.create("함께").document
    made = office.owner.share_links.invite(mine, "commenter", newcomers=True, uses=2)
    user = office.owner.share_links.admit(made.secret, "김소연")
    assert (user.name, user.email.endswith("@localhost"), user.is_owner) == ("김소연", True, False)
    assert office.owner.as_user(user.id).rights.role(mine) == "commenter"
    assert office.owner.users.known_by(user.email) is None
    for_users = office.owner.share_links.invite(mine, "viewer")
    with pytest.raises(NotAllowed, match="users of this server"):
        office.owner.share_links.admit(for_users.secret, "Eve")
    with pytest.raises(InvalidArgument):
        office.owner.share_links.admit(made.secret, "")
    assert len(office.owner.users.list()) == 4


def test_an_invitation_may_lead_into_a_team(office: Office) -> None:
    team = office.owner.teams.add("디자인")
    made = office.owner.share_links.invite(team.id, "editor")
    assert office.bob.share_links.look(made.secret).team == "디자인"
    done = office.bob.share_links.join(made.secret)
    assert (done.team, done.document) == (team.id, None)
    assert office.bob.rights.team_roles()[team.id] == "editor"
    with pytest.raises(NotAllowed, match="invite to"):
        office.bob.share_links.invite(team.id, "viewer")
    office.owner.teams.remove("디자인")
    unknown(office.bob.share_links.look, made)


def test_links_have_limits(office: Office) -> None:
    for days, uses in ((0, 1), (limits.SHARE_LINK_DAYS_MAX + 1, 1), (1, 0)):
        with pytest.raises((InvalidArgument, LimitExceeded)):
            office.ann.share_links.invite(office.document, "viewer", days=days, uses=uses)
    for _ in range(limits.SHARE_LINKS_MAX):
        office.ann.share_links.invite(office.document, "viewer")
    with pytest.raises(LimitExceeded):
        office.ann.share_links.invite(office.document, "viewer")


def test_links_are_audited_and_their_secrets_are_nowhere(
    office: Office, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("store") / "store.db"
    with strata.open(path) as db:
        made = db.documents.create("계획").document
        link = db.share_links.open(made)
        bob = db.as_user(db.users.add("bob@example.com").id)
        bob.share_links.join(link.secret)
        db.share_links.revoke(link.link.id)
        actions = [one.action for one in db.audit.list(subject=made)]
        assert actions[:3] == ["link.revoke", "link.join", "link.make"]
    assert link.secret.encode() not in path.read_bytes()


def test_an_erased_document_takes_its_links_along(office: Office) -> None:
    made = office.ann.share_links.open(office.document)
    office.bob.share_links.join(made.secret)
    office.owner.purge_document(office.document)
    assert roles(office) == (None, False)
    unknown(office.bob.share_links.look, made)
