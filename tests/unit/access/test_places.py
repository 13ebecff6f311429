"""Teams, folders and Spaces: who may make and change them, and what is refused."""

import pytest

import strata
from strata import AlreadyExists, InvalidArgument, LimitExceeded, NotAllowed, NotFound, Workspace
from strata.access import Cap
from strata.base import limits
from tests.unit.conftest import Bench


@pytest.fixture
def ann(bench: Bench) -> Workspace:
    """Somebody who is a member of nothing yet."""
    return bench.db.as_user(bench.db.users.add("ann@example.com", "소연").id)


def test_a_team_cannot_be_put_below_itself(bench: Bench) -> None:
    top = bench.db.teams.add("위")
    low = bench.db.teams.add("아래", top.id)
    for team, parent in ((top, low), (top, top), (bench.db.teams.root(), low)):
        with pytest.raises(NotAllowed, match="part of it"):
            bench.db.teams.move(team.id, parent.id)
    assert bench.db.teams.move(low.id, "workspace").parent == bench.db.teams.root().id


def test_a_space_says_what_it_is_for(bench: Bench, ann: Workspace) -> None:
    team = bench.db.teams.add("디자인")
    bench.db.teams.set_member(team.id, ann.rights.user.id, "viewer")
    spaces = bench.db.document_spaces
    made = spaces.add("Launch", team=team.id, description="  오월 출시에 필요한 모든 글\n둘째 줄 ")
    assert made.description == "오월 출시에 필요한 모든 글\n둘째 줄"
    assert ann.document_spaces.require("Launch") == made
    with pytest.raises(NotAllowed, match="describe"):
        ann.document_spaces.describe(made.id, "mine")
    spaces.describe("Launch", "For May")
    assert spaces.rename("Launch", "May").description == "For May"
    assert spaces.describe("May", "").description == spaces.require("May").description == ""
    assert bench.db.audit.list()[0].action == "space.describe"


def test_a_description_of_a_space_is_short_and_without_secrets(db: Workspace) -> None:
    spaces = db.document_spaces
    spaces.add("읽을거리", description="가" * limits.SPACE_DESCRIPTION_CHARACTERS_MAX)
    too_long = "가" * (limits.SPACE_DESCRIPTION_CHARACTERS_MAX + 1)
    for change in (
        lambda: spaces.add("x", description=too_long),
        lambda: spaces.describe("읽을거리", too_long),
    ):
        with pytest.raises(LimitExceeded, match="1,001 characters"):
            change()
    with pytest.raises(strata.SecretRefused):
        spaces.describe("읽을거리", "ghp_" + "a1B2" * 9)
    with pytest.raises(InvalidArgument):
        spaces.describe("읽을거리", 3)  # type: ignore[arg-type]
    assert [one.name for one in spaces.list()] == ["읽을거리"]
    assert len(spaces.require("읽을거리").description) == limits.SPACE_DESCRIPTION_CHARACTERS_MAX


def test_only_an_empty_team_is_removed(bench: Bench) -> None:
    team = bench.db.teams.add("디자인")
    inner, folder = bench.db.teams.add("Type", team.id), bench.db.folders.add("f", team=team.id)
    space = bench.db.document_spaces.add("s", team=team.id)
    with pytest.raises(NotAllowed, match=r"has 1 team, 1 folder and 1 Space\."):
        bench.db.teams.remove("디자인")
    bench.db.teams.remove(inner.id)
    bench.db.folders.remove(folder.id)
    bench.db.document_spaces.remove(space.id)
    bench.db.teams.remove("디자인")
    assert bench.db.teams.get("디자인") is None
    with pytest.raises(NotAllowed, match="whole workspace"):
        bench.db.teams.remove("workspace")


def test_the_owner_stays_an_admin_of_the_workspace(bench: Bench, ann: Workspace) -> None:
    bench.db.teams.set_member("workspace", ann.rights.user.id, "admin")
    for role in ("viewer", "editor"):
        with pytest.raises(NotAllowed, match="stays an admin"):
            ann.teams.set_member("workspace", "owner", role)
    with pytest.raises(NotAllowed, match="stays an admin"):
        ann.teams.remove_member("workspace", "owner")
    team = bench.db.teams.add("디자인")
    assert ann.teams.set_member(team.id, "owner", "viewer").role == "viewer"
    assert bench.db.rights.team_roles()[team.id] == "admin"


def test_an_admin_manages_a_team_and_what_is_below_and_nothing_above(
    bench: Bench, ann: Workspace
) -> None:
    me = ann.rights.user.id
    top = bench.db.teams.add("위")
    middle = bench.db.teams.add("가운데", top.id)
    bench.db.teams.set_member(middle.id, me, "admin")
    low = ann.teams.add("아래", middle.id)
    assert ann.teams.rename(low.id, "더 아래").name == "더 아래"
    assert [team.name for team in ann.teams.list()] == ["가운데", "더 아래"]
    with pytest.raises(NotFound, match="no team"):
        ann.teams.rename(top.id, "mine")
    with pytest.raises(NotAllowed, match="admin"):
        ann.teams.add("beside")
    with pytest.raises(NotFound):
        ann.teams.move(low.id, top.id)
    with pytest.raises(NotFound):
        ann.teams.members(top.id)


def test_an_editor_adds_folders_and_spaces_and_no_members(bench: Bench, ann: Workspace) -> None:
    me = ann.rights.user.id
    team = bench.db.teams.add("디자인")
    bench.db.teams.set_member(team.id, me, "commenter")
    for add in (ann.folders.add, ann.document_spaces.add):
        with pytest.raises(NotAllowed, match="takes an editor; you are a commenter"):
            add("mine", team=team.id)
    bench.db.teams.set_member(team.id, me, "editor")
    folder = ann.folders.add("Briefs", team=team.id)
    assert ann.document_spaces.add("Launch", team=team.id).team == team.id
    assert ann.folders.add("2026", parent=folder.id).team == team.id
    with pytest.raises(NotAllowed, match="takes an admin; you are an editor"):
        ann.teams.set_member(team.id, me, "admin")
    ann.teams.remove_member(team.id, me)
    assert ann.teams.list() == []


def test_everybody_has_folders_and_spaces_of_their_own(bench: Bench, ann: Workspace) -> None:
    folder, space = ann.folders.add("비밀"), ann.document_spaces.add("비밀")
    assert (folder.kind, folder.owner) == ("personal", ann.rights.user.id)
    for look in (
        lambda: bench.db.rights.folder(folder.id),
        lambda: bench.db.folders.require(folder.id),
        lambda: bench.db.rights.space(space.id),
        lambda: bench.db.folders.add("in", parent=folder.id),
        lambda: bench.db.folders.remove(folder.id),
        lambda: bench.db.document_spaces.put(space.id, "doc_1"),
        lambda: bench.db.rights.place("doc_1", folder.id),
    ):
        with pytest.raises(NotFound):
            look()
    assert folder.id not in [one.id for one in bench.db.folders.list()]
    assert not bench.db.rights.may_write_folder(folder.id)
    assert ann.rights.may_write_folder(folder.id)


def test_what_may_not_be_seen_is_told_as_what_is_not_there(bench: Bench, ann: Workspace) -> None:
    folder, space = ann.folders.add("비밀"), ann.document_spaces.add("비밀")
    ann.rights.place("doc_hidden", folder.id)
    bench.db.users.add("bob@example.com")
    bob = bench.db.as_user("bob@example.com").rights
    for there, ask in (
        ("doc_hidden", bob.require),
        ("doc_hidden", bob.require_manage),
        (folder.id, bob.folder),
        (space.id, bob.space),
    ):
        gone = "x" * len(there)
        told = [error_of(ask, one).replace(one, "ID") for one in (there, gone)]
        assert told[0] == told[1]


def error_of(ask: object, argument: str) -> str:
    assert callable(ask)
    with pytest.raises(NotFound) as caught:
        ask(argument)
    return str(caught.value)


def test_a_folder_that_holds_something_is_kept(bench: Bench) -> None:
    outer = bench.db.folders.add("초안")
    inner = bench.db.folders.add("2026", parent=outer.id)
    bench.db.rights.place("doc_1", inner.id)
    with pytest.raises(NotAllowed, match=r"has 1 folder\."):
        bench.db.folders.remove(outer.id)
    with pytest.raises(NotAllowed, match=r"has 1 document\."):
        bench.db.folders.remove(inner.id)
    bench.db.rights.move("doc_1", bench.db.folders.personal().id)
    bench.db.folders.remove(inner.id)
    bench.db.folders.remove(outer.id)
    for change in (
        lambda: bench.db.folders.remove("Personal"),
        lambda: bench.db.folders.rename("Personal", "Mine"),
    ):
        with pytest.raises(NotAllowed, match="stays as it is"):
            change()


def test_a_folder_moves_only_where_the_same_people_see_it(bench: Bench) -> None:
    team = bench.db.teams.add("디자인")
    mine, shared = bench.db.folders.add("초안"), bench.db.folders.add("Briefs", team=team.id)
    inner = bench.db.folders.add("2026", parent=mine.id)
    with pytest.raises(NotAllowed, match="belongs to others"):
        bench.db.folders.move(mine.id, shared.id)
    with pytest.raises(NotAllowed, match="is inside"):
        bench.db.folders.move(mine.id, inner.id)
    with pytest.raises(NotAllowed, match="is inside"):
        bench.db.folders.move(mine.id, mine.id)
    assert bench.db.folders.move(inner.id, "Personal").parent != mine.id


def test_neighbours_have_different_names_and_strangers_may_share_one(
    bench: Bench, ann: Workspace
) -> None:
    bench.db.teams.add("디자인")
    with pytest.raises(AlreadyExists):
        bench.db.teams.add("디자인")
    bench.db.folders.add("초안")
    bench.db.document_spaces.add("초안")
    with pytest.raises(AlreadyExists):
        bench.db.folders.add("초안")
    with pytest.raises(AlreadyExists):
        bench.db.document_spaces.add("초안")
    other = bench.db.folders.add("초안 2")
    with pytest.raises(AlreadyExists):
        bench.db.folders.rename(other.id, "초안")
    assert bench.db.folders.require(other.id).name == "초안 2"
    assert ann.folders.add("초안").name == ann.document_spaces.add("초안").name


def test_a_name_that_several_have_is_no_name(bench: Bench) -> None:
    first, second = bench.db.teams.add("위"), bench.db.teams.add("아래")
    for team in (first, second):
        bench.db.folders.add("같은 이름", team=team.id)
    with pytest.raises(InvalidArgument, match="2 folders are called"):
        bench.db.folders.require("같은 이름")


def test_a_space_shows_only_what_one_may_read(bench: Bench, ann: Workspace) -> None:
    team = bench.db.teams.add("디자인")
    bench.db.teams.set_member(team.id, ann.rights.user.id, "editor")
    space = bench.db.document_spaces.add("Launch", team=team.id)
    bench.db.rights.place("doc_own")
    bench.db.rights.place("doc_team", bench.db.folders.add("f", team=team.id).id)
    for document in ("doc_own", "doc_team"):
        assert bench.db.document_spaces.put(space.id, document)
    assert ann.document_spaces.documents(space.id) == ["doc_team"]
    assert [found.id for found in ann.document_spaces.of("doc_team")] == [space.id]
    for change in (ann.document_spaces.put, ann.document_spaces.remove_document):
        with pytest.raises(NotFound):
            change(space.id, "doc_own")
    assert ann.document_spaces.remove_document(space.id, "doc_team")
    assert not ann.document_spaces.remove_document(space.id, "doc_team")
    assert bench.db.document_spaces.documents(space.id) == ["doc_own"]


@pytest.mark.parametrize("cap", [Cap(read_only=True), Cap(suggest_only=True)])
def test_a_token_that_may_not_write_changes_nothing(bench: Bench, cap: Cap) -> None:
    bench.db.rights.place("doc_1")
    capped = bench.db.as_user("owner", cap=cap)
    before = bench.db.audit.list()
    for change in (
        lambda: capped.users.add("x@example.com"),
        lambda: capped.teams.add("x"),
        lambda: capped.folders.add("x"),
        lambda: capped.document_spaces.add("x"),
        lambda: capped.shares.share("doc_1", "x@example.com", "viewer"),
        lambda: capped.rights.place("doc_2"),
        lambda: capped.rights.move("doc_1", bench.db.folders.personal().id),
        lambda: capped.rights.forget("doc_1"),
    ):
        with pytest.raises(NotAllowed, match="may only"):
            change()
    assert bench.db.audit.list() == before


def test_places_are_bounded(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TEAMS_MAX", "FOLDERS_MAX"):
        monkeypatch.setattr(limits, name, 1)
    monkeypatch.setattr(limits, "SPACES_MAX", 0)
    for add in (bench.db.teams.add, bench.db.folders.add, bench.db.document_spaces.add):
        with pytest.raises(LimitExceeded):
            add("하나 더")


def test_an_unknown_place_says_how_to_find_the_known_ones(bench: Bench) -> None:
    for ask, hint in (
        (bench.db.teams.require, "db.teams.list()"),
        (bench.db.folders.require, "db.folders.list()"),
        (bench.db.document_spaces.require, "db.document_spaces.list()"),
        (bench.db.users.require, "db.users.list()"),
    ):
        with pytest.raises(NotFound) as caught:
            ask("없는 것")
        assert hint in str(caught.value)
    assert isinstance(caught.value, strata.StrataError)


def test_a_preview_of_a_move_counts_the_documents_for_each_user_and_role(
    bench: Bench, ann: Workspace
) -> None:
    db, me = bench.db, ann.rights.user.id
    team = db.teams.add("디자인")
    db.teams.set_member(team.id, me, "editor")
    db.users.add("bora@example.com", "보라")
    folder = db.folders.add("브리프", team=team.id)
    shared, secret, inside = "doc_1", "doc_2", "doc_3"
    for document in (shared, secret):
        db.rights.place(document)
    db.rights.place(inside, folder.id)
    db.shares.share(shared, "ann@example.com", "viewer")
    db.shares.share(inside, "bora@example.com", "viewer")
    effect = db.rights.preview_move([shared, secret, inside], folder.id)
    assert [(one.name, one.after, one.documents) for one in effect.gaining] == [
        ("소연", "editor", 1)
    ]
    changing = [(one.name, one.before, one.after, one.documents) for one in effect.changing]
    assert changing == [("owner", "owner", "admin", 2), ("소연", "viewer", "editor", 1)]
    assert effect.losing == ()
    back = db.rights.preview_move([inside], db.folders.personal().id)
    assert [(one.name, one.before) for one in back.losing] == [("소연", "editor")]
    with pytest.raises(NotAllowed):
        ann.rights.preview_move([inside], folder.id)
    with pytest.raises(NotFound):
        ann.rights.preview_move([secret], folder.id)
