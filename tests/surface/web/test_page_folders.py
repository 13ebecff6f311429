"""Folders, Spaces and the trash on pages: exact rights, who a move concerns, and the way back."""

from typing import Any

import pytest

import strata
from strata.base import limits
from strata.documents import NewDocument
from tests.surface.web.conftest import Browser, Serve, Served

EMAILS = ("ann", "bora", "vic", "stranger")


class Team:
    """A team with an editor and a viewer, a folder of it, and a user who belongs to nothing."""

    def __init__(self, served: Served) -> None:
        self.served, self.db = served, served.db
        for name in EMAILS:
            self.db.users.add(f"{name}@example.com", name.title())
        self.team = self.db.teams.add("디자인")
        for name, role in (("ann", "editor"), ("vic", "viewer")):
            self.db.teams.set_member(self.team.id, f"{name}@example.com", role)
        self.folder = self.db.folders.add("브리프/초안", team=self.team.id)
        self.people = {name: served.signed_in(f"{name}@example.com") for name in EMAILS}

    def __getitem__(self, name: str) -> Browser:
        return self.people[name]

    def as_user(self, name: str) -> strata.Workspace:
        return self.db.as_user(f"{name}@example.com")


@pytest.fixture
def team(serve: Serve) -> Team:
    return Team(serve())


def titles(answer: dict[str, Any]) -> list[str]:
    return [one["title"] for one in answer["documents"]]


def test_the_tree_has_what_each_user_sees_and_may_change(team: Team) -> None:
    inner = team.db.folders.add("안", parent=team.folder.id)
    ann, vic = (team[name].ok("page_folders") for name in ("ann", "vic"))
    names = [(one["name"], one["canWrite"], one["canChange"]) for one in ann["folders"]]
    assert names == [("Personal", True, False), ("브리프/초안", True, True), ("안", True, True)]
    assert [one["canWrite"] for one in vic["folders"]] == [True, False, False]
    assert [(one["name"], one["canWrite"]) for one in vic["teams"]] == [("디자인", False)]
    stranger = team["stranger"].ok("page_folders")
    assert [one["name"] for one in stranger["folders"]] == ["Personal"]
    assert (stranger["total"], stranger["teams"], stranger["spaces"]) == (1, [], [])
    for folder in (team.folder.id, inner.id):
        for tool in ("page_folders", "page_documents"):
            assert team["stranger"].call(tool, folderId=folder).status_code == 404


def test_of_many_folders_the_one_that_is_open_is_always_there(team: Team) -> None:
    here, path = team.folder, [team.folder.id]
    for depth in range(1, 200):
        here = team.db.folders.add(f"{depth}층", parent=here.id)
        path.append(here.id)
    for number in range(20):
        team.db.folders.add(f"옆 {number}", team=team.team.id)
    found = team["ann"].ok("page_folders", folderId=path[150], limit=1)
    shown = {one["id"] for one in found["folders"]}
    assert set(path[:152]) <= shown
    assert len(shown) < found["total"] == 221
    named = team["ann"].ok("page_folders", query="옆 1")
    assert len(named["folders"]) == 11


def test_a_folder_shows_what_lies_in_it_and_a_search_also_what_lies_below(team: Team) -> None:
    inner = team.db.folders.add("안", parent=team.folder.id)
    ann = team.as_user("ann")
    ann.documents.create("나중 계획", "금요일에는 배포하지 않는다.", folder=team.folder.id)
    ann.documents.create("깊은 계획", "금요일에는 아무도 배포하지 않는다.", folder=inner.id)
    ann.documents.create("내 계획", "금요일에는 배포하지 않는다.")
    assert titles(team["vic"].ok("page_documents", folderId=team.folder.id)) == ["나중 계획"]
    found = team["vic"].ok("page_documents", folderId=team.folder.id, query="금요일 배포")
    assert sorted(titles(found)) == ["깊은 계획", "나중 계획"]
    assert found["total"] is None
    everywhere = team["ann"].ok("page_documents", query="금요일 배포")
    assert len(everywhere["documents"]) == 3
    assert team["stranger"].ok("page_documents", query="금요일 배포")["documents"] == []
    by_title = team["ann"].ok("page_documents", order="title", ascending=True)
    assert titles(by_title) == ["깊은 계획", "나중 계획", "내 계획"]


def test_a_row_says_who_owns_and_who_changed_it_and_what_the_user_may_do(team: Team) -> None:
    made = team.as_user("ann").documents.create("계획", "one", folder=team.folder.id)
    team.db.documents.edit(made.document, "one", "둘")
    [row] = team["ann"].ok("page_documents", folderId=team.folder.id)["documents"]
    assert (row["owner"], row["who"]["person"], row["status"]) == ("Ann", "owner", "draft")
    assert (row["role"], row["canEdit"], row["canManage"]) == ("editor", True, True)
    [row] = team["vic"].ok("page_documents", folderId=team.folder.id)["documents"]
    assert (row["role"], row["canEdit"], row["canManage"]) == ("viewer", False, False)


def test_shared_with_me_is_what_reaches_a_user_by_a_share_alone(team: Team) -> None:
    ann = team.as_user("ann")
    mine, inside = (
        ann.documents.create("혼자 쓴 글").document,
        ann.documents.create("팀의 글", folder=team.folder.id).document,
    )
    for document in (mine, inside):
        ann.shares.share(document, "vic@example.com", "commenter")
    [row] = team["vic"].ok("page_documents", shared=True)["documents"]
    assert (row["title"], row["folder"], row["folderName"]) == ("혼자 쓴 글", None, None)
    assert row["role"] == "commenter"
    for name in ("ann", "stranger"):
        answer = team[name].ok("page_documents", shared=True)
        assert (answer["documents"], answer["total"]) == ([], 0)


def test_a_table_of_ten_thousand_documents_is_fetched_by_rows(team: Team) -> None:
    count = 10_000
    for start in range(0, count, 1000):
        new = [
            NewDocument(title=f"글 {number:05}", folder=team.folder.id)
            for number in range(start, start + 1000)
        ]
        team.db.documents.create_many(new)
    asked = {"folderId": team.folder.id, "order": "title", "ascending": True}
    answer = team["vic"].ok("page_documents", **asked, offset=9_998, limit=100)
    assert (titles(answer), answer["total"]) == (["글 09998", "글 09999"], count)
    too_many = {**asked, "limit": limits.TABLE_ROWS_MAX + 1}
    assert team["vic"].call("page_documents", **too_many).status_code == 400


def test_a_preview_names_who_gains_and_who_loses_access_and_moves_nothing(team: Team) -> None:
    ann = team.as_user("ann")
    made = ann.documents.create("계획").document
    ann.shares.share(made, "bora@example.com", "viewer")
    asked = {"documentIds": [made], "folderId": team.folder.id}
    told = team["ann"].ok("page_move_preview", **asked)
    gaining = [(one["name"], one["before"], one["after"]) for one in told["gaining"]]
    assert gaining == [("Vic", None, "viewer"), ("owner", None, "admin")]
    assert (told["losing"], told["gainingTotal"]) == ([], 2)
    [me] = told["changing"]
    assert (me["isMe"], me["before"], me["after"]) == (True, "owner", "editor")
    assert ann.rights.folder_of(made).kind == "personal"
    done = team["ann"].ok("page_move_documents", **asked)
    assert titles(team["vic"].ok("page_documents", folderId=team.folder.id)) == ["계획"]
    back = {"documentIds": [made], "folderId": done["undo"][0]["folderId"]}
    told = team["ann"].ok("page_move_preview", **back)
    assert [one["name"] for one in told["losing"]] == ["Vic", "owner"]
    team["ann"].ok("page_move_documents", **back)
    assert team["vic"].ok("page_documents", folderId=team.folder.id)["total"] == 0


def test_several_documents_are_moved_together_or_not_at_all(team: Team) -> None:
    ann = team.as_user("ann")
    mine = ann.documents.create("내 것").document
    foreign = team.db.documents.create("남의 것", folder=team.folder.id).document
    hidden = team.db.documents.create("숨은 것").document
    drawer = ann.folders.add("서랍")
    for other, status in ((foreign, 403), (hidden, 404)):
        asked = {"documentIds": [mine, other], "folderId": drawer.id}
        for tool in ("page_move_preview", "page_move_documents"):
            assert team["ann"].call(tool, **asked).status_code == status
    assert ann.rights.folder_of(mine).id != drawer.id
    assert team["vic"].call(
        "page_move_documents", documentIds=[foreign], folderId=drawer.id
    ).status_code in (403, 404)


def test_a_move_that_the_user_could_not_take_back_offers_no_undo(team: Team) -> None:
    other = team.db.teams.add("영업")
    team.db.teams.set_member(other.id, "ann@example.com", "editor")
    team.db.teams.set_member(team.team.id, "ann@example.com", "admin")
    target = team.db.folders.add("계약", team=other.id)
    foreign = team.db.documents.create("남의 것", folder=team.folder.id).document
    asked = {"documentIds": [foreign], "folderId": target.id}
    assert team["ann"].ok("page_move_documents", **asked)["undo"] == []


def test_a_viewer_changes_neither_folders_nor_spaces(team: Team) -> None:
    space = team.db.document_spaces.add("모음", team=team.team.id)
    made = team.as_user("ann").documents.create("글", folder=team.folder.id).document
    refused = [
        ("page_add_folder", {"name": "x", "parentId": team.folder.id}),
        ("page_add_folder", {"name": "x", "teamId": team.team.id}),
        ("page_rename_folder", {"folderId": team.folder.id, "name": "x"}),
        ("page_delete_folder", {"folderId": team.folder.id}),
        ("page_add_space", {"name": "x", "teamId": team.team.id}),
        ("page_rename_space", {"spaceId": space.id, "name": "x"}),
        ("page_describe_space", {"spaceId": space.id, "description": "x"}),
        ("page_put_in_space", {"spaceId": space.id, "documentIds": [made]}),
        ("page_delete_space", {"spaceId": space.id}),
        ("page_trash_documents", {"documentIds": [made]}),
        ("page_rename", {"documentId": made, "title": "x"}),
    ]
    for tool, given in refused:
        assert team["vic"].call(tool, **given).status_code == 403, tool
        # A user who belongs to another team does not learn that these places exist.
        assert team["stranger"].call(tool, **given).status_code == 404, tool


def test_folders_are_made_renamed_moved_and_deleted_when_they_are_empty(team: Team) -> None:
    ann = team["ann"]
    made = ann.ok("page_add_folder", name="가" * 200, parentId=team.folder.id)
    too_long = ann.call("page_rename_folder", folderId=made["folderId"], name="가" * 300)
    assert (too_long.status_code, "200" in too_long.json()["hint"]) == (400, True)
    renamed = ann.ok("page_rename_folder", folderId=made["folderId"], name="한글/이름 50%")
    assert renamed["name"] == "한글/이름 50%"
    other = ann.ok("page_add_folder", name="옆", teamId=team.team.id)
    ann.ok("page_move_folder", folderId=made["folderId"], parentId=other["folderId"])
    full = ann.call("page_delete_folder", folderId=other["folderId"])
    assert (full.status_code, "has 1 folder." in full.json()["message"]) == (403, True)
    ann.ok("page_delete_folder", folderId=made["folderId"])
    ann.ok("page_delete_folder", folderId=other["folderId"])
    assert ann.call("page_documents", folderId=other["folderId"]).status_code == 404


def test_a_space_collects_documents_and_grants_nothing(team: Team) -> None:
    ann = team["ann"]
    made = ann.ok("page_add_space", name="읽을거리", teamId=team.team.id)
    secret = team.as_user("ann").documents.create("비밀").document
    common = team.as_user("ann").documents.create("함께", folder=team.folder.id).document
    given = {"spaceId": made["spaceId"], "documentIds": [secret, common]}
    assert ann.ok("page_put_in_space", **given)["documents"] == 2
    shown = team["vic"].ok("page_documents", spaceId=made["spaceId"])
    assert (titles(shown), shown["total"]) == (["함께"], 1)
    about = team["vic"].ok("page_space", spaceId=made["spaceId"])
    assert (about["teamName"], about["canChange"], about["total"]) == ("디자인", False, 3)
    assert [(one["name"], one["role"]) for one in about["members"]] == [
        ("owner", "admin"),
        ("Ann", "editor"),
        ("Vic", "viewer"),
    ]
    ann.ok("page_remove_from_space", spaceId=made["spaceId"], documentIds=[common])
    assert team["vic"].ok("page_documents", spaceId=made["spaceId"])["total"] == 0
    ann.ok("page_delete_space", spaceId=made["spaceId"])
    assert titles(team["vic"].ok("page_documents", folderId=team.folder.id)) == ["함께"]


def test_the_trash_says_who_put_a_document_there_and_gives_it_back(team: Team) -> None:
    ann = team.as_user("ann")
    ids = [
        ann.documents.create(f"글 {number}", folder=team.folder.id).document for number in (1, 2)
    ]
    team["ann"].ok("page_trash_documents", documentIds=ids)
    team.db.documents.rename(ids[0], "다시 이름 붙인 글")  # does not change who put it there
    for name, may in (("ann", True), ("vic", False)):
        answer = team[name].ok("page_trash")
        assert answer["total"] == 2
        assert {one["who"]["person"] for one in answer["documents"]} == {"Ann"}
        assert {one["folderName"] for one in answer["documents"]} == {"브리프/초안"}
        assert {one["canRestore"] for one in answer["documents"]} == {may}
        assert answer["canErase"] is False
    assert team["stranger"].ok("page_trash")["total"] == 0
    assert team["vic"].ok("page_documents", folderId=team.folder.id)["total"] == 0
    assert team["vic"].call("page_untrash_documents", documentIds=ids).status_code == 403
    team["ann"].ok("page_untrash_documents", documentIds=ids)
    assert team["vic"].ok("page_documents", folderId=team.folder.id)["total"] == 2


def test_trash_is_one_commit_for_all_documents_or_none(team: Team) -> None:
    ann = team.as_user("ann")
    ids = [ann.documents.create(f"글 {number}").document for number in range(3)]
    hidden = team.db.documents.create("숨은 것").document
    before = len(team.db.log(limit=100))
    assert team["ann"].call("page_trash_documents", documentIds=[*ids, hidden]).status_code == 404
    assert team["ann"].ok("page_trash")["total"] == 0
    team["ann"].ok("page_trash_documents", documentIds=ids)
    assert len(team.db.log(limit=100)) == before + 1
    too_many = [f"doc_{number}" for number in range(limits.DOCUMENTS_AT_ONCE_MAX + 1)]
    assert team["ann"].call("page_trash_documents", documentIds=too_many).status_code == 413


def test_only_the_owner_erases_and_only_what_is_in_the_trash(team: Team) -> None:
    owner = team.served.signed_in()
    made = team.db.documents.create("호두 계획", "호두", folder=team.folder.id).document
    team.db.documents.edit(made, "호두", "호두 둘")
    team.db.review.comment(made, "왜?", quote="호두")
    refused = owner.call("page_erase_documents", documentIds=[made])
    assert (refused.status_code, "trash" in refused.json()["message"]) == (403, True)
    owner.ok("page_trash_documents", documentIds=[made])
    told = owner.ok("page_erasure", documentIds=[made])
    assert (told["documents"], told["versions"], told["comments"]) == (1, 2, 1)
    assert owner.ok("page_trash")["canErase"] is True
    assert team["ann"].call("page_erase_documents", documentIds=[made]).status_code == 403
    assert team["stranger"].call("page_erase_documents", documentIds=[made]).status_code == 404
    done = owner.ok("page_erase_documents", documentIds=[made])
    assert done["documents"] == 1
    assert owner.ok("page_trash")["total"] == 0
    assert owner.call("page_erasure", documentIds=[made]).status_code == 404


def test_a_template_says_what_has_to_be_filled_in(team: Team) -> None:
    home = team.db.folders.add("틀", team=team.team.id, templates=True)
    variables = "[{name: 고객}, {name: 기한, default: 오월}]"
    text = f"---\ndescription: 시작\nvariables: {variables}\n---\n# {{{{고객}}}}"
    made = team.db.documents.create("시작 문서", text, folder=home.id).document
    told = team["vic"].ok("page_template", documentId=made)
    assert told["description"] == "시작"
    assert [(one["name"], one["default"]) for one in told["variables"]] == [
        ("고객", None),
        ("기한", "오월"),
    ]
    assert titles(team["vic"].ok("page_documents", status=["template"])) == ["시작 문서"]
    assert team["stranger"].call("page_template", documentId=made).status_code == 404
