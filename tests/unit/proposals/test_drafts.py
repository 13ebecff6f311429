"""New documents that agents propose: what waits, who sees it, and what becomes of it."""

import pytest

import strata
from strata import Workspace
from strata.access import Cap
from strata.base import limits

TITLE, TEXT = "배포 계획 2027", "# 배포\n\n금요일에는 zebrafisch를 내보내지 않는다.\n"


@pytest.fixture
def claude(db: Workspace) -> Workspace:
    return db.as_actor("claude")


def found_in(db: Workspace) -> list[str]:
    return [hit.key for hit in db.search("zebrafisch")]


def test_a_draft_is_no_document_until_it_is_accepted(db: Workspace, claude: Workspace) -> None:
    id_ = claude.proposals.draft(TITLE, TEXT)
    for view in (db, claude, claude.proposing()):
        assert found_in(view) == []
        assert view.rights.visible() == {}
    [one] = db.proposals.list()
    assert (one.id, one.kind, one.title, one.words) == (id_, "draft", TITLE, TEXT)
    assert one.proposed_by == "claude"
    done = db.proposals.accept(TITLE)
    [made] = done.documents
    assert db.documents.text(made) == TEXT
    assert found_in(db) == [made]
    written = db.log(limit=1)[0]
    assert (written.person, written.agent) == (db.users.owner().id, "claude")
    assert db.proposals.count() == 0
    assert [one.name for one in db.branches.list()] == ["default"]
    assert db.verify().ok


def test_a_draft_is_accepted_in_other_words(db: Workspace, claude: Workspace) -> None:
    claude.proposals.draft(TITLE, TEXT)
    [made] = db.proposals.reword(TITLE, "# Anders\n").documents
    assert db.documents.text(made) == "# Anders\n"
    assert db.proposals.count() == 0


def test_a_rejected_draft_leaves_nothing_but_a_note(db: Workspace, claude: Workspace) -> None:
    id_ = claude.proposals.draft(TITLE, TEXT)
    db.proposals.reject(id_, reason="zu früh")
    assert db.proposals.count() == 0
    assert db.rights.visible() == {}
    [note] = db.space("proposals").events.list()
    assert note.payload["reason"] == "zu früh"
    assert TITLE not in str(note.payload)
    assert not any(TITLE in (one.message or "") for one in db.log())


def test_the_same_title_again_replaces_the_draft(db: Workspace, claude: Workspace) -> None:
    first = claude.proposals.draft(TITLE, "alt")
    second = claude.proposals.draft(TITLE, "neu")
    [one] = db.proposals.list()
    assert (one.id, one.words) == (second, "neu")
    with pytest.raises(strata.NotFound):
        db.proposals.accept(first)


def test_a_decision_about_a_draft_is_taken_back(db: Workspace, claude: Workspace) -> None:
    claude.proposals.draft(TITLE, TEXT)
    done = db.proposals.accept(TITLE)
    db.proposals.reopen(done)
    assert db.documents.get(done.documents[0]).status == "trashed"
    assert [one.title for one in db.proposals.list()] == [TITLE]
    again = db.proposals.accept(TITLE)
    assert again.documents != done.documents
    assert db.documents.get(again.documents[0]).status != "trashed"
    claude.proposals.draft("Zweites", "x")
    db.proposals.reopen(db.proposals.reject("Zweites"))
    assert [one.title for one in db.proposals.list()] == ["Zweites"]


def test_only_users_of_the_folder_see_and_decide(db: Workspace) -> None:
    ann, bo = db.users.add("ann@example.com", "소연"), db.users.add("bo@example.com", "Bo")
    team = db.teams.add("디자인")
    db.teams.set_member(team.id, ann.id, "viewer")
    folder = db.folders.add("Briefs", team=team.id)
    private = db.folders.add("Owner only")
    agent = db.as_actor("claude")
    shared, hidden = (
        agent.proposals.draft(title, TEXT, folder=place.id)
        for title, place in (("Shared", folder), ("Hidden", private))
    )
    assert [one.title for one in db.as_user(ann.id).proposals.list()] == ["Shared"]
    assert db.as_user(bo.id).proposals.list() == []
    refused = db.as_user(ann.id).proposals.accept(shared)
    assert [one.code for one in refused.refused] == [strata.NotAllowed.code]
    with pytest.raises(strata.NotAllowed):
        db.as_user(ann.id).proposals.reject(shared)
    with pytest.raises(strata.NotFound):
        db.as_user(bo.id).proposals.reject(hidden)
    assert db.proposals.count() == 2
    seen = db.as_user(bo.id).branches.diff("default", "proposals/claude")
    assert seen.changes == ()
    [made] = db.proposals.accept(shared).documents
    assert db.as_user(ann.id).documents.text(made) == TEXT


def test_a_proposer_needs_the_rights_of_a_commenter(db: Workspace) -> None:
    ann = db.users.add("ann@example.com", "소연")
    team = db.teams.add("디자인")
    db.teams.set_member(team.id, ann.id, "viewer")
    folder = db.folders.add("Briefs", team=team.id)
    private = db.folders.add("Owner only")
    capped = db.as_user(ann.id, cap=Cap(suggest_only=True)).as_actor("claude")
    with pytest.raises(strata.NotAllowed):
        capped.proposals.draft(TITLE, TEXT, folder=folder.id)
    with pytest.raises(strata.NotFound):
        capped.proposals.draft(TITLE, TEXT, folder=private.id)
    capped.proposals.draft(TITLE, TEXT)
    db.teams.set_member(team.id, ann.id, "commenter")
    capped.proposals.draft(TITLE, TEXT, folder=folder.id)
    assert [one.title for one in db.proposals.list()] == [TITLE] * 2


def test_what_cannot_be_a_document_is_refused(db: Workspace, claude: Workspace) -> None:
    for title, text in (("", "x"), ("a\nb", "x"), ("가" * 500, "x")):
        with pytest.raises(strata.InvalidArgument):
            claude.proposals.draft(title, text)
    with pytest.raises(strata.SecretRefused):
        claude.proposals.draft("Keys", "token ghp_" + "a1B2" * 9)
    with pytest.raises(strata.LimitExceeded):
        claude.proposals.draft("Long", "가" * limits.DOCUMENT_BYTES_MAX)
    assert db.proposals.count() == 0


def test_drafts_and_facts_are_decided_together(db: Workspace, claude: Workspace) -> None:
    claude.proposals.draft(TITLE, TEXT)
    claude.proposing().kv.put("k", 1)
    done = db.proposals.accept(TITLE, "k")
    assert len(done.decided) == 2
    assert db.kv["k"] == 1
    assert len(done.documents) == 1
    assert db.proposals.count() == 0


def test_a_text_that_no_document_may_have_is_refused_at_once(
    db: Workspace, claude: Workspace
) -> None:
    with pytest.raises(strata.LimitExceeded, match="The document would have"):
        claude.proposals.draft(TITLE, "가" * (limits.DOCUMENT_BYTES_MAX // 3 + 1))
    assert [one.name for one in db.branches.list()] == ["default"]
