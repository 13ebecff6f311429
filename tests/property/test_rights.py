"""Who may see and manage which document agrees with a plain model, seen from two openers."""

import contextlib
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    rule,
)

from strata.access import (
    FULL,
    Cap,
    Folders,
    Permissions,
    Shares,
    Teams,
    User,
    Users,
    find_user,
    owner_of,
)
from strata.base.errors import AlreadyExists, NotAllowed, NotFound, StrataError
from strata.store import Store
from tests.databases import database_at
from tests.property.examples import examples

ORDER = ["viewer", "commenter", "editor", "admin", "owner"]
CAPS = [Cap(), Cap(suggest_only=True), Cap(read_only=True), Cap(True, True)]
caps = st.sampled_from([*CAPS, *CAPS[:1] * 8])
# The owner, who may do most, acts most often.
numbers = st.sampled_from([0, 0, 0, 1, 2, 3, 4])
others = st.sampled_from([1, 2, 3, 4, 0])
member_roles, shared_roles = st.sampled_from(ORDER[:4]), st.sampled_from(ORDER[:3])
EMAILS = ["ann@example.com", "소연@예시.한국", "Jürgen@Straße.example", "Ω@example.gr"]


class Model:
    """Rights as one would tell them to a colleague, in dictionaries."""

    def __init__(self, owner: str, root: str) -> None:
        self.owner, self.root = owner, root
        self.emails: dict[str, str] = {}  # by user
        self.above: dict[str, str | None] = {root: None}
        self.members: dict[tuple[str, str], str] = {(root, owner): "admin"}
        self.folders: dict[str, tuple[str, str]] = {}  # ("of", user) or ("team", team)
        self.homes: dict[str, str] = {}
        self.placed: dict[str, tuple[str, str]] = {}  # folder and maker
        self.shares: dict[tuple[str, str], str] = {}  # by document and casefolded email

    def chain(self, team: str | None) -> list[str]:
        return [] if team is None else [team, *self.chain(self.above[team])]

    def in_team(self, user: str, team: str) -> list[str]:
        return [r for t in self.chain(team) if (r := self.members.get((t, user))) is not None]

    def in_folder(self, user: str, folder: str) -> list[str]:
        kind, whose = self.folders.get(folder, ("gone", ""))
        if kind == "gone":
            return []
        if kind == "of":
            return ["owner"] if whose == user else []
        return self.in_team(user, whose)

    def role(self, user: str, document: str, cap: Cap) -> str | None:
        if document not in self.placed:
            return capped(["owner"] if user == self.owner else [], cap)
        shared = self.shares.get((document, self.emails[user].casefold()))
        found = self.in_folder(user, self.placed[document][0])
        return capped(found + ([shared] if shared else []), cap)

    def manages(self, user: str, document: str, cap: Cap) -> bool:
        role, maker = self.role(user, document, cap), self.placed.get(document, ("", ""))[1]
        return role in ("admin", "owner") or (role == "editor" and maker == user)


def capped(roles: list[str], cap: Cap) -> str | None:
    highest = 0 if cap.read_only else 1 if cap.suggest_only else 4
    return ORDER[min(highest, max(map(ORDER.index, roles)))] if roles else None


class RightsMachine(RuleBasedStateMachine):
    teams, folders, documents = Bundle("teams"), Bundle("folders"), Bundle("documents")

    def __init__(self) -> None:
        super().__init__()
        self.home = tempfile.TemporaryDirectory()
        path = Path(self.home.name) / "store.db"
        # Two openers of one file notice each other as two processes do.
        self.stores = [Store(database_at(path)) for _ in range(2)]
        self.turn = 0
        owner = owner_of(self.stores[0])
        rights = Permissions(self.stores[0], owner, FULL)
        self.model = Model(owner.id, Teams(self.stores[0], rights).root().id)
        self.model.emails[owner.id] = owner.email
        home = Folders(self.stores[0], rights).personal(owner)
        self.model.folders[home.id] = ("of", owner.id)
        self.model.homes[owner.id] = home.id

    def teardown(self) -> None:
        for store in self.stores:
            store.close()
        self.home.cleanup()

    @property
    def store(self) -> Store:
        """The opener whose turn it is: they write by turns."""
        self.turn += 1
        return self.stores[self.turn % 2]

    def user(self, number: int) -> str:
        """Somebody who is here now."""
        here = list(self.model.emails)
        return here[number % len(here)]

    def record(self, user: str) -> User:
        found = find_user(self.stores[0], user)
        assert found is not None
        return found

    def shares(self, user: str) -> Shares:
        rights = self.rights(user)
        return Shares(rights.store, rights)

    def rights(self, user: str, cap: Cap = CAPS[0]) -> Permissions:
        return Permissions(self.store, self.record(user), cap)

    def owned(self, kind: Any) -> Any:
        """A room in which the owner acts."""
        store = self.store
        return kind(store, Permissions(store, owner_of(store), FULL))

    def room(self, kind: Any, user: str) -> Any:
        rights = self.rights(user)
        return kind(rights.store, rights)

    def attempt(self, work: Any, *, seen: bool, allowed: bool) -> bool:
        """Do something that one may, or be told the right reason why one may not."""
        if seen and allowed:
            work()
            return True
        with pytest.raises(NotAllowed if seen else NotFound):
            work()
        return False

    @initialize(target=teams, emails=st.sets(st.sampled_from(EMAILS), min_size=2))
    def some_people_and_teams(self, emails: set[str]) -> Any:
        for email in sorted(emails):
            self.add_a_person(email)
        names = ("위", "가운데", "아래")
        found = [self.model.root]
        for name in names:
            found.append(self.owned(Teams).add(name, found[-1]).id)
            self.model.above[found[-1]] = found[-2]
        return multiple(*found)

    @initialize(target=folders)
    def the_first_folder(self) -> str:
        return self.model.homes[self.model.owner]

    @rule(target=folders)
    def a_folder_of_every_team(self) -> Any:
        """So that enough documents are a team's."""
        used = {whose for _kind, whose in self.model.folders.values()}
        bare = [team for team in self.model.above if team not in used]
        made = [self.owned(Folders).add("모두", team=team).id for team in bare]
        self.model.folders |= {one: ("team", team) for one, team in zip(made, bare, strict=True)}
        return multiple(*made)

    @rule(email=st.sampled_from(EMAILS))
    def add_a_person(self, email: str) -> None:
        people = self.owned(Users)
        if people.get(email.upper()) is not None:
            with pytest.raises(AlreadyExists):
                people.add(email)
            return
        made = people.add(email)
        self.model.emails[made.id] = email
        home = self.owned(Folders).personal(made)
        self.model.folders[home.id] = ("of", made.id)
        self.model.homes[made.id] = home.id

    @rule(target=teams, parent=teams, name=st.sampled_from(["디자인", "Type", "Ops"]))
    def add_a_team(self, parent: str, name: str) -> Any:
        try:
            made = self.owned(Teams).add(name, parent)
        except AlreadyExists:
            return multiple()
        self.model.above[made.id] = parent
        return made.id

    @rule(team=teams, parent=teams)
    def move_a_team(self, team: str, parent: str) -> None:
        is_circular = team in self.model.chain(parent)
        try:
            self.owned(Teams).move(team, parent)
        except NotAllowed:
            assert is_circular
        except AlreadyExists:
            assert not is_circular
        else:
            assert not is_circular
            self.model.above[team] = parent

    @rule(who=numbers, team=teams, whom=others, role=member_roles)
    def set_a_member(self, who: int, team: str, whom: int, role: str) -> None:
        by = self.user(who)
        user = self.user(whom)
        roles = self.model.in_team(by, team)
        keeps = (team, user) == (self.model.root, self.model.owner) and role != "admin"
        done = self.attempt(
            lambda: self.room(Teams, by).set_member(team, user, role),
            seen=bool(roles),
            allowed="admin" in roles and not keeps,
        )
        if done:
            self.model.members[team, user] = role

    @rule(team=teams, whom=numbers)
    def remove_a_member(self, team: str, whom: int) -> None:
        user = self.user(whom)
        if (team, user) == (self.model.root, self.model.owner):
            with pytest.raises(NotAllowed):
                self.owned(Teams).remove_member(team, user)
        elif (team, user) in self.model.members:
            self.owned(Teams).remove_member(team, user)
            del self.model.members[team, user]
        else:
            with pytest.raises(NotFound):
                self.owned(Teams).remove_member(team, user)

    @rule(target=folders, who=numbers, team=teams, number=st.integers(0, 9))
    def add_a_team_folder(self, who: int, team: str, number: int) -> Any:
        by = self.user(who)
        roles = self.model.in_team(by, team)
        made: list[str] = []

        def work() -> None:
            with contextlib.suppress(AlreadyExists):
                room = self.room(Folders, by)
                made.append(room.add(f"폴더 {number}", team=team).id)

        may = bool({"editor", "admin"} & set(roles))
        if self.attempt(work, seen=bool(roles), allowed=may) and made:
            self.model.folders[made[0]] = ("team", team)
            return made[0]
        return multiple()

    @rule(target=folders, who=numbers, number=st.integers(0, 9))
    def add_an_own_folder(self, who: int, number: int) -> Any:
        by = self.user(who)
        try:
            made = self.room(Folders, by).add(f"own {number}")
        except AlreadyExists:
            return multiple()
        self.model.folders[made.id] = ("of", by)
        return made.id

    def fills(self, user: str, folder: str) -> tuple[bool, bool]:
        """Whether somebody sees a folder, and may put something there."""
        roles = self.model.in_folder(user, folder)
        return bool(roles), bool({"editor", "admin", "owner"} & set(roles))

    @rule(target=documents, who=numbers, folder=folders, cap=caps)
    def place_a_document(self, who: int, folder: str, cap: Cap) -> Any:
        by = self.user(who)
        document = f"doc_{len(self.model.placed)}"
        seen, may = self.fills(by, folder)
        if cap != CAPS[0]:
            seen, may = True, False
        if self.attempt(
            lambda: self.rights(by, cap).place(document, folder), seen=seen, allowed=may
        ):
            self.model.placed[document] = (folder, by)
            return document
        return multiple()

    @rule(target=documents, who=numbers, which=st.integers(0, 99))
    def place_a_document_where_one_may(self, who: int, which: int) -> str:
        by, document = self.user(who), f"doc_{len(self.model.placed)}"
        fit = [folder for folder in self.model.folders if self.fills(by, folder)[1]]
        folder = fit[which % len(fit)]
        self.rights(by).place(document, folder)
        self.model.placed[document] = (folder, by)
        return document

    @rule(who=numbers, document=documents, folder=folders)
    def move_a_document(self, who: int, document: str, folder: str) -> None:
        by = self.user(who)
        role = self.model.role(by, document, CAPS[0])
        seen, may = self.fills(by, folder)
        manages = self.model.manages(by, document, CAPS[0])
        done = self.attempt(
            lambda: self.rights(by).move(document, folder),
            seen=role is not None and (seen or not manages),
            allowed=manages and may,
        )
        if done:
            self.model.placed[document] = (folder, self.model.placed[document][1])

    @rule(who=numbers, document=documents, email=st.sampled_from(EMAILS), role=shared_roles)
    def share_a_document(self, who: int, document: str, email: str, role: str) -> None:
        self.give(self.user(who), document, email, role)

    def give(self, by: str, document: str, email: str, role: str) -> None:
        kind, whose = self.model.folders[self.model.placed[document][0]]
        is_theirs = kind == "of" and self.model.emails[whose].casefold() == email.casefold()
        done = self.attempt(
            lambda: self.shares(by).share(document, email.swapcase(), role),
            seen=self.model.role(by, document, CAPS[0]) is not None,
            allowed=self.model.manages(by, document, CAPS[0]) and not is_theirs,
        )
        if done:
            self.model.shares[document, email.casefold()] = role

    @rule(which=st.integers(0, 99), email=st.sampled_from(EMAILS), role=shared_roles)
    def share_what_one_may(self, which: int, email: str, role: str) -> None:
        everybody = range(len(self.model.emails))
        able = [
            (who, document)
            for who in everybody
            for document in self.model.placed
            if self.model.manages(self.user(who), document, CAPS[0])
        ]
        if able:
            who, document = able[which % len(able)]
            self.give(self.user(who), document, email, role)

    @rule(who=numbers, document=documents, email=st.sampled_from(EMAILS))
    def unshare_a_document(self, who: int, document: str, email: str) -> None:
        by = self.user(who)
        is_self = self.model.emails[by].casefold() == email.casefold()
        seen = self.model.role(by, document, CAPS[0]) is not None
        may = is_self or self.model.manages(by, document, CAPS[0])
        is_shared = (document, email.casefold()) in self.model.shares
        done = self.attempt(
            lambda: self.shares(by).unshare(document, email),
            seen=seen and (is_shared or not may),
            allowed=may,
        )
        if done:
            del self.model.shares[document, email.casefold()]

    @rule(whom=numbers)
    def remove_a_person(self, whom: int) -> None:
        """The owner inherits, and is never removed."""
        gone = self.user(whom)
        if gone == self.model.owner:
            with pytest.raises(NotAllowed):
                self.owned(Users).remove(gone, give_to="owner")
            return
        self.owned(Users).remove(gone, give_to="owner")
        email, heir = self.model.emails.pop(gone), self.model.owner
        home, lost = self.model.homes[heir], self.model.homes.pop(gone)
        del self.model.folders[lost]
        self.model.members = {k: r for k, r in self.model.members.items() if k[1] != gone}
        self.model.shares = {k: r for k, r in self.model.shares.items() if k[1] != email.casefold()}
        for folder, whose in self.model.folders.items():
            self.model.folders[folder] = ("of", heir) if whose == ("of", gone) else whose
        for document, (folder, maker) in self.model.placed.items():
            place = (home if folder == lost else folder, heir if maker == gone else maker)
            self.model.placed[document] = place

    @invariant()
    def everybody_sees_what_they_may(self) -> None:
        documents = [*self.model.placed, "doc_nobody_has_placed"]
        for user in self.model.emails:
            cap = CAPS[self.turn % len(CAPS)]
            rights = self.rights(user, cap)
            expected = {one: self.model.role(user, one, cap) for one in documents}
            assert {one: rights.role(one) for one in documents} == expected
            placed = {k: r for k, r in expected.items() if r and k in self.model.placed}
            assert dict(rights.visible()) == placed
            managed = [one for one in documents if self.model.manages(user, one, cap)]
            assert [one for one in documents if rights.may_manage(one)] == managed

    @invariant()
    def an_audience_is_everybody_who_sees(self) -> None:
        for document in list(self.model.placed)[-2:]:
            roles = {u: self.model.role(u, document, CAPS[0]) for u in self.model.emails}
            seer = next((user for user, role in roles.items() if role is not None), None)
            if seer is None:
                continue
            found = self.rights(seer).audience(document)
            told = {reader.id: reader.role for reader in found.people}
            assert told == {user: role for user, role in roles.items() if role is not None}
            known = {email.casefold() for email in self.model.emails.values()}
            waiting = {e for d, e in self.model.shares if d == document and e not in known}
            assert {share.email.casefold() for share in found.pending} == waiting


TestRights = RightsMachine.TestCase
TestRights.settings = settings(max_examples=examples(60), stateful_step_count=40, deadline=None)


def test_the_model_can_tell_wrong_from_right() -> None:
    """The machine above would be worth nothing if its model said yes to everybody."""
    model = Model("o", "root")
    model.emails = {"o": "o@x.org", "a": "a@x.org"}
    model.folders = {"f": ("of", "o")}
    model.placed = {"d": ("f", "o")}
    assert model.role("o", "d", CAPS[0]) == "owner"
    assert model.role("a", "d", CAPS[0]) is None
    model.shares["d", "a@x.org"] = "editor"
    assert model.role("a", "d", CAPS[1]) == "commenter"
    assert not model.manages("a", "d", CAPS[0])
    assert issubclass(NotAllowed, StrataError)
