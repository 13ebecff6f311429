"""Documents: seen by the folder, by shares, and by the token that asks."""

import subprocess
import sys
from pathlib import Path

import pytest

import strata
from strata import NotAllowed, NotFound, Workspace
from strata.access import FULL, Cap, Permissions
from strata.store import StagedChange, Store, View
from tests.databases import database_at
from tests.unit.conftest import Bench


@pytest.fixture
def ann(bench: Bench) -> Workspace:
    """Somebody who is a member of nothing yet."""
    return bench.db.as_user(bench.db.users.add("ann@example.com", "소연").id)


def team_folder(bench: Bench, ann: Workspace, role: str) -> str:
    team = bench.db.teams.add("디자인")
    bench.db.teams.set_member(team.id, ann.rights.user.id, role)
    return bench.db.folders.add("Briefs", team=team.id).id


def test_a_refusal_names_the_role_one_has_and_the_one_it_takes(
    bench: Bench, ann: Workspace
) -> None:
    bench.db.rights.place("doc_1", team_folder(bench, ann, "viewer"))
    with pytest.raises(NotAllowed) as caught:
        ann.rights.require("doc_1", "editor", what="edit")
    assert caught.value.message == "To edit this document takes an editor; you are a viewer."
    assert (caught.value.details["role"], caught.value.details["need"]) == ("viewer", "editor")
    capped = bench.db.as_user("owner", cap=Cap(suggest_only=True)).rights
    with pytest.raises(NotAllowed, match="may only suggest"):
        capped.require("doc_1", "editor", what="edit")
    assert capped.require("doc_1", "commenter") == "commenter"


def test_the_owner_does_not_see_what_is_somebody_elses_own(bench: Bench, ann: Workspace) -> None:
    ann.rights.place("doc_1")
    assert bench.db.rights.role("doc_1") is None
    assert "doc_1" not in bench.db.rights.visible()
    with pytest.raises(NotFound):
        bench.db.rights.audience("doc_1")


def test_who_made_a_document_manages_it_while_they_may_edit_it(
    bench: Bench, ann: Workspace
) -> None:
    folder = team_folder(bench, ann, "editor")
    ann.rights.place("doc_ann", folder)
    bench.db.rights.place("doc_owner", folder)
    assert ann.rights.may_manage("doc_ann")
    assert not ann.rights.may_manage("doc_owner")
    bench.db.teams.set_member("디자인", ann.rights.user.id, "commenter")
    assert not ann.rights.may_manage("doc_ann")
    with pytest.raises(NotAllowed, match="takes an admin; you are a commenter"):
        ann.shares.share("doc_ann", "bob@example.com", "viewer")


def test_a_share_gives_and_takes_and_never_makes_less(bench: Bench, ann: Workspace) -> None:
    bench.db.rights.place("doc_1", team_folder(bench, ann, "editor"))
    bench.db.shares.share("doc_1", "ANN@example.com", "viewer")
    assert ann.rights.role("doc_1") == "editor"
    bench.db.rights.move("doc_1", bench.db.folders.personal().id)
    assert ann.rights.role("doc_1") == "viewer"
    bench.db.shares.share("doc_1", "ann@example.com", "commenter")
    assert ann.rights.role("doc_1") == "commenter"
    gone = bench.db.shares.unshare("doc_1", ann.rights.user.id)
    assert (gone.role, ann.rights.role("doc_1")) == ("commenter", None)
    with pytest.raises(NotFound, match="not shared with"):
        bench.db.shares.unshare("doc_1", "ann@example.com")


def test_one_may_give_up_what_was_shared_with_oneself(bench: Bench, ann: Workspace) -> None:
    bench.db.rights.place("doc_1")
    bench.db.shares.share("doc_1", "ann@example.com", "viewer")
    ann.shares.unshare("doc_1", ann.rights.user.id)
    assert ann.rights.role("doc_1") is None


def test_the_owner_of_a_document_cannot_be_made_less_by_a_share(
    bench: Bench, ann: Workspace
) -> None:
    ann.rights.place("doc_1")
    with pytest.raises(NotAllowed, match="own"):
        ann.shares.share("doc_1", "ann@example.com", "viewer")
    with pytest.raises(strata.InvalidArgument, match="no role"):
        ann.shares.share("doc_1", "bob@example.com", "owner")
    with pytest.raises(strata.InvalidArgument, match="no role"):
        bench.db.teams.set_member("workspace", "ann@example.com", "owner")


def test_an_audience_names_everybody_and_why(bench: Bench, ann: Workspace) -> None:
    folder = team_folder(bench, ann, "editor")
    bench.db.users.add("bob@example.com", "Bob")
    bench.db.rights.place("doc_1")
    bench.db.shares.share("doc_1", "bob@example.com", "viewer")
    bench.db.shares.share("doc_1", "소연@예시.한국", "commenter")
    bench.db.shares.share("doc_1", "ann@example.com", "viewer")
    found = bench.db.rights.move("doc_1", folder)
    assert (found.kind, found.folder_name) == ("team", "Briefs")
    assert [(one.name, one.role, one.through) for one in found.people] == [
        ("owner", "admin", "workspace"),
        ("소연", "editor", "디자인"),
        ("Bob", "viewer", "share"),
    ]
    assert [(one.email, one.role) for one in found.pending] == [("소연@예시.한국", "commenter")]


def test_a_document_may_move_only_where_one_may_write(bench: Bench, ann: Workspace) -> None:
    folder = team_folder(bench, ann, "viewer")
    ann.rights.place("doc_1")
    with pytest.raises(NotAllowed, match="takes an editor; you are a viewer"):
        ann.rights.move("doc_1", folder)
    with pytest.raises(NotFound, match="no folder"):
        ann.rights.move("doc_1", bench.db.folders.personal().id)
    assert ann.rights.folder_of("doc_1").name == "Personal"


def test_a_placement_is_undone_with_the_commit_that_made_the_document(bench: Bench) -> None:
    view = View(bench.store, branch="default", space="documents")
    before = dict(bench.db.rights.visible())

    def make_and_fail() -> None:
        with view.writing("create") as transaction:
            transaction.stage(StagedChange("documents", "document", "doc_1", b"{}"))
            bench.db.rights.place("doc_1")
            assert "doc_1" in bench.db.rights.visible()
            raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        make_and_fail()
    assert dict(bench.db.rights.visible()) == before
    assert bench.db.audit.list() == []
    # The next change must not be taken for the one that was undone.
    bench.db.rights.place("doc_2")
    assert list(bench.db.rights.visible()) == ["doc_2"]


def test_a_document_that_a_bundle_brought_is_the_owners(
    bench: Bench, ann: Workspace, tmp_path: Path
) -> None:
    with strata.open(tmp_path / "other.db", durability="standard", auto_embed=False) as other:
        made = other.documents.create("계획", "# 목표").document
        other.bundles.export(tmp_path / "b.strata-bundle")
    assert dict(bench.db.rights.visible()) == {}
    bench.db.bundles.load(tmp_path / "b.strata-bundle", branch="brought")
    assert dict(bench.db.rights.visible()) == {made: "owner"}
    assert dict(ann.rights.visible()) == {}
    assert bench.db.rights.placement(made).owner == bench.db.users.owner().id
    bench.db.shares.share(made, "ann@example.com", "editor")
    assert ann.rights.role(made) == "editor"
    bench.db.branches.fork("try", at=None)
    assert dict(bench.db.rights.visible()) == {made: "owner"}
    bench.db.rights.move(made, team_folder(bench, ann, "admin"))
    assert dict(bench.db.rights.visible()) == {made: "admin"}
    with strata.open(tmp_path / "third.db", durability="standard", auto_embed=False) as third:
        more = third.documents.create("더").document
        third.bundles.export(tmp_path / "c.strata-bundle")
    bench.db.bundles.load(tmp_path / "c.strata-bundle", branch="brought too")
    assert dict(bench.db.rights.visible()) == {made: "admin", more: "owner"}
    bench.db.on("brought too").purge_document(more)
    assert dict(bench.db.rights.visible()) == {made: "admin"}


def test_forgetting_leaves_nothing_that_names_a_document(bench: Bench, ann: Workspace) -> None:
    bench.db.rights.place("doc_1")
    bench.db.shares.share("doc_1", "ann@example.com", "viewer")
    bench.db.shares.share("doc_1", "later@example.com", "viewer")
    space = bench.db.document_spaces.add("s")
    bench.db.document_spaces.put(space.id, "doc_1")
    bench.db.rights.forget("doc_1")
    assert dict(ann.rights.visible()) == dict(bench.db.rights.visible()) == {}
    assert bench.db.document_spaces.documents(space.id) == []
    assert bench.db.shares.of("doc_1") == []


def test_another_process_is_noticed_at_once(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    program = (
        "import sys, strata\n"
        "with strata.open(sys.argv[1], auto_embed=False) as db:\n"
        "    db.shares.share('doc_1', 'ann@example.com', sys.argv[2])\n"
    )
    with strata.open(path, durability="standard", auto_embed=False) as db:
        ann = db.as_user(db.users.add("ann@example.com").id).rights
        db.rights.place("doc_1")
        assert (ann.role("doc_1"), dict(ann.visible())) == (None, {})
        for role in ("viewer", "editor"):
            subprocess.run([sys.executable, "-c", program, str(path), role], check=True)
            assert (ann.role("doc_1"), dict(ann.visible())) == (role, {"doc_1": role})


def test_what_is_seen_is_remembered_until_something_changes(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with strata.open(path, durability="standard", auto_embed=False) as db:
        db.rights.place("doc_1")
        first = db.rights.visible()
        db.kv.put("k", 1)
        assert db.rights.visible() is first
        assert db.on("default").rights.visible() is first
        other = Store(database_at(path))
        Permissions(other, db.users.owner(), FULL).place("doc_2")
        other.close()
        assert sorted(db.rights.visible()) == ["doc_1", "doc_2"]


def test_every_change_is_in_the_audit_log_and_stays_there(bench: Bench, ann: Workspace) -> None:
    bench.db.rights.place("doc_1")
    bench.db.shares.share("doc_1", "ann@example.com", "viewer")
    ann.folders.add("초안")
    found = bench.db.audit.list()
    assert [entry.action for entry in found] == [
        "folder.add",
        "document.share",
        "document.place",
        "user.add",
    ]
    assert found[0].user == ann.rights.user.id
    assert found[0].details["name"] == "초안"
    assert bench.db.audit.list(1, before=found[0].number) == found[1:2]
    assert bench.db.audit.list(subject="doc_1", user=bench.db.users.owner().id) == found[1:3]
    for change in ("UPDATE audit SET user_id = 'x'", "DELETE FROM audit"):
        with pytest.raises(strata.StrataError), bench.store.writing() as connection:
            connection.run(change)
    with pytest.raises(NotAllowed, match="takes an admin"):
        ann.audit.list()
    assert bench.db.audit.list() == found


def test_rights_are_of_the_store_and_not_of_a_branch(bench: Bench, ann: Workspace) -> None:
    bench.db.rights.place("doc_1")
    bench.db.branches.create_empty("empty")
    bench.db.shares.share("doc_1", "ann@example.com", "viewer")
    assert ann.on("empty").rights.role("doc_1") == "viewer"
    assert bench.db.log() == []
