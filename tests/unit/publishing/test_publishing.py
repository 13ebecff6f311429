"""Publishing: a frozen version at an address that stays, whatever becomes of the document."""

from io import BytesIO
from pathlib import Path
from threading import Barrier, Thread

import pytest
from PIL import Image

import strata
from strata import OpenTransaction, Workspace
from strata.access import Cap, User
from strata.documents import Filters, Request


@pytest.fixture
def ann(db: Workspace) -> User:
    return db.users.add("ann@example.com", "Ann")


def png(color: tuple[int, int, int] = (1, 2, 3)) -> bytes:
    out = BytesIO()
    Image.new("RGB", (4, 3), color).save(out, "PNG")
    return out.getvalue()


def make(db: Workspace, title: str = "계획", content: str = "# 목표\n\n처음") -> str:
    return db.documents.create(title, content).document


def shown(db: Workspace, slug: str = "계획", profile: str = "owner") -> str | None:
    """Return the text that anybody reads at an address."""
    page = db.publishing.public.page(profile, slug)
    return page and db.publishing.public.text(page.page.document, page.page.number)


def test_a_document_is_shown_as_it_was_when_it_was_published(db: Workspace) -> None:
    document = make(db)
    status = db.publishing.publish(document)
    assert (status.state, status.number, status.is_new) == ("published", 1, True)
    db.documents.write(document, "나중")
    db.documents.rename(document, "다른 제목")
    assert shown(db) == "# 목표\n\n처음"
    page = db.publishing.public.page("owner", "계획")
    assert page is not None
    assert page.page.title == "계획"


def test_the_same_content_makes_no_new_version(db: Workspace) -> None:
    document = make(db)
    first = db.publishing.publish(document)
    again = db.publishing.publish(document)
    assert (again.number, again.is_new, again.published) == (1, False, first.published)
    assert [entry.action for entry in db.audit.list()].count("document.publish") == 1


def test_versions_count_from_one_and_follow_the_title_too(db: Workspace) -> None:
    document = make(db)
    db.publishing.publish(document)
    db.documents.rename(document, "새 계획")
    assert db.publishing.status(document).has_changes
    assert db.publishing.publish(document).number == 2
    db.documents.edit(document, "처음", "다음")
    assert db.publishing.publish(document).number == 3
    found = db.publishing.versions(document)
    assert [(one.number, one.title, one.is_shown) for one in found] == [
        (3, "새 계획", True),
        (2, "새 계획", False),
        (1, "계획", False),
    ]
    assert [db.publishing.text(document, number) for number in (1, 3)] == [
        "# 목표\n\n처음",
        "# 목표\n\n다음",
    ]


def test_the_address_stays_when_the_title_changes(db: Workspace) -> None:
    document = make(db)
    path = db.publishing.publish(document).path
    db.documents.rename(document, "Something else")
    assert db.publishing.publish(document).path == path


def test_unpublishing_hides_it_and_publishing_shows_the_same_version_again(db: Workspace) -> None:
    document = make(db)
    db.publishing.publish(document, pin=True)
    taken = db.publishing.unpublish(document)
    assert (taken.state, taken.path, taken.number) == ("draft", None, 1)
    assert shown(db) is None
    assert db.publishing.unpublish(document).state == "draft"
    again = db.publishing.publish(document)
    assert (again.state, again.number, again.is_new, again.is_pinned) == (
        "published",
        1,
        False,
        False,
    )
    assert shown(db) == "# 목표\n\n처음"


def test_a_text_that_went_back_is_a_version_of_its_own(db: Workspace) -> None:
    document = make(db, content="A")
    db.publishing.publish(document)
    db.documents.write(document, "B")
    db.publishing.publish(document)
    db.documents.write(document, "A")
    assert db.publishing.publish(document).number == 3


def test_rolling_back_shows_an_older_version_and_tells_what_differs(db: Workspace) -> None:
    document = make(db, content="A")
    db.publishing.publish(document)
    db.documents.write(document, "B")
    db.publishing.publish(document)
    back = db.publishing.rollback(document, 1)
    assert (back.number, back.has_changes, back.versions) == (1, True, 2)
    assert shown(db) == "A"
    assert db.publishing.publish(document).number == 2
    with pytest.raises(strata.NotFound, match="never published as version 9"):
        db.publishing.rollback(document, 9)


def test_rolling_back_shows_what_was_taken_back(db: Workspace) -> None:
    document = make(db)
    db.publishing.publish(document)
    db.publishing.unpublish(document)
    assert db.publishing.rollback(document, 1).state == "published"


def test_status_tells_changes_by_content_and_not_by_time(db: Workspace) -> None:
    document = make(db, content="A")
    assert db.publishing.status(document).state == "draft"
    db.publishing.publish(document)
    db.documents.write(document, "B")
    assert db.publishing.status(document).has_changes
    db.documents.write(document, "A")
    assert not db.publishing.status(document).has_changes


def test_an_image_is_published_with_the_version_that_shows_it(db: Workspace) -> None:
    document = make(db)
    image = db.documents.attach_image(document, png(), name="a.png")
    other = db.documents.attach_image(document, png((9, 9, 9)), name="b.png")
    db.documents.write(document, f"{image.markdown}\n")
    db.publishing.publish(document)
    public = db.publishing.public
    found = public.image(document, 1, image.id)
    assert found is not None
    assert found[1] == png()
    assert (found[0].media_type, found[0].width, found[0].height) == ("image/png", 4, 3)
    assert public.image(document, 1, other.id) is None
    db.documents.write(document, f"{other.markdown}\n")
    db.publishing.publish(document)
    assert public.image(document, 2, image.id) is None
    assert public.image(document, 1, image.id) is not None


def test_two_documents_of_one_title_have_two_addresses(db: Workspace) -> None:
    paths = [db.publishing.publish(make(db, "Plan")).path for _ in range(3)]
    assert paths == ["/@owner/plan", "/@owner/plan-2", "/@owner/plan-3"]
    odd = db.publishing.publish(make(db, "!?…")).path
    assert odd is not None
    assert len(odd.rpartition("/")[2]) == 8


# Who may.


def test_only_those_who_manage_a_document_publish_it(db: Workspace, ann: User) -> None:
    document = make(db)
    for role in ("viewer", "commenter", "editor"):
        db.documents.share(document, ann.email, role)
        seen = db.as_user(ann.id).publishing
        for act in (seen.publish, seen.unpublish, seen.pin):
            with pytest.raises(strata.NotAllowed, match="takes an admin"):
                act(document)
        with pytest.raises(strata.NotAllowed):
            seen.rollback(document, 1)
        assert seen.status(document).state == "draft"


def test_strangers_learn_nothing(db: Workspace, ann: User) -> None:
    document = make(db)
    db.publishing.publish(document)
    seen = db.as_user(ann.id).publishing
    for act in (seen.publish, seen.unpublish, seen.status, seen.versions, seen.pin):
        with pytest.raises(strata.NotFound, match="There is no document"):
            act(document)
    assert seen.list() == []


@pytest.mark.parametrize("cap", [Cap(read_only=True), Cap(suggest_only=True)])
def test_a_token_that_may_not_edit_may_not_publish(db: Workspace, cap: Cap) -> None:
    document = make(db)
    capped = db.as_user("owner", cap=cap).publishing
    with pytest.raises(strata.NotAllowed):
        capped.publish(document)
    with pytest.raises(strata.NotAllowed):
        capped.set_profile(title="x")
    assert capped.status(document).state == "draft"


def test_who_publishes_it_again_leaves_it_where_it_is(db: Workspace, ann: User) -> None:
    team = db.teams.add("디자인")
    db.teams.set_member(team.id, ann.id, "admin")
    folder = db.folders.add("Briefs", team=team.id)
    document = db.as_user(ann.id).documents.create("Brief", "one", folder=folder.id).document
    assert db.as_user(ann.id).publishing.publish(document).path == "/@ann/brief"
    db.documents.write(document, "two")
    again = db.publishing.publish(document)
    assert (again.path, again.number) == ("/@ann/brief", 2)
    assert db.publishing.versions(document)[0].user == db.users.owner().id


def test_pages_of_somebody_who_left_are_gone_until_published_by_another(
    db: Workspace, ann: User
) -> None:
    document = db.as_user(ann.id).documents.create("Brief", "one").document
    db.as_user(ann.id).publishing.publish(document)
    db.users.remove(ann.id, give_to="owner")
    assert shown(db, "brief", "ann") is None
    assert db.publishing.public.profile("ann") is None
    assert db.publishing.status(document).state == "draft"
    assert db.documents.get(document).status == "draft"
    again = db.publishing.publish(document)
    assert (again.path, again.number) == ("/@owner/brief", 1)


# What cannot change it.


def test_neither_retention_nor_a_merge_changes_what_is_shown(db: Workspace) -> None:
    document = make(db, content="처음 line\n")
    db.publishing.publish(document)
    db.branches.fork("try")
    db.on("try").documents.write(document, "한 branch의 글\n")
    for number in range(40):
        db.documents.write(document, f"처음 line {number}\n")
    db.retention.set(max_versions=1)
    db.retention.apply()
    db.branches.merge("try", strategy="source_wins")
    assert shown(db) == "처음 line\n"
    assert db.publishing.text(document, 1) == "처음 line\n"


def test_a_branch_can_be_published_and_dropped(db: Workspace) -> None:
    document = make(db, content="main")
    db.branches.fork("try")
    db.on("try").documents.write(document, "on the branch")
    done = db.on("try").publishing.publish(document)
    assert db.publishing.versions(document)[0].branch == "try"
    assert db.publishing.status(document).has_changes
    db.branches.delete("try", force=True)
    assert done.number == 1
    assert shown(db) == "on the branch"


def test_the_past_cannot_be_published(db: Workspace) -> None:
    document = make(db)
    then = db.resolve("now").version
    db.documents.write(document, "later")
    with pytest.raises(strata.ReadOnly):
        db.at(then).publishing.publish(document)


def test_purging_a_document_erases_what_was_published(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with strata.open(path, durability="standard", auto_embed=False) as db:
        document = make(db, "Secret plan", "hunter2 is the word")
        image = db.documents.attach_image(document, png(), name="a.png")
        db.documents.edit(document, "word", f"word {image.markdown}")
        db.publishing.publish(document)
        db.purge_document(document)
        assert db.publishing.list() == []
        public = db.publishing.public
        assert public.page("owner", "secret-plan") is None
        assert public.text(document, 1) is None
        assert public.image(document, 1, image.id) is None
    found = path.read_bytes()
    assert b"hunter2" not in found
    assert b"Secret plan" not in found
    assert png() not in found


def test_verifying_a_store_notices_a_published_version_that_was_altered(db: Workspace) -> None:
    document = make(db)
    image = db.documents.attach_image(document, png(), name="a.png")
    db.documents.write(document, image.markdown)
    db.publishing.publish(document)
    assert db.verify().ok
    connection = db._store.connection()
    connection.rows("UPDATE published_versions SET title = 'other'")
    connection.rows("UPDATE published_images SET data = x'00'")
    found = [problem.message for problem in db.verify().problems]
    assert any("version 1 is not what was published" in message for message in found)
    assert any("an image of version 1 is damaged" in message for message in found)


# The trash.


def test_the_trash_hides_a_page_at_once_and_does_not_give_it_back(db: Workspace) -> None:
    document = make(db)
    db.publishing.publish(document)
    db.documents.trash(document)
    assert shown(db) is None
    with pytest.raises(strata.InvalidArgument, match="in the trash"):
        db.publishing.publish(document)
    db.documents.untrash(document)
    assert shown(db) is None
    assert db.publishing.status(document).state == "draft"
    assert db.publishing.publish(document).number == 1


def test_the_trash_of_a_transaction_hides_a_page_with_the_commit(db: Workspace) -> None:
    document = make(db)
    db.publishing.publish(document)
    for end in (OpenTransaction.rollback, OpenTransaction.commit):
        tx = db.begin()
        tx.documents.trash(document)
        assert shown(db) is not None
        end(tx)
        assert (shown(db) is None) == (end is OpenTransaction.commit)


def test_the_trash_of_another_branch_hides_nothing_until_it_is_merged(db: Workspace) -> None:
    document = make(db)
    db.publishing.publish(document)
    db.branches.fork("try")
    db.on("try").documents.trash(document)
    assert shown(db) is not None
    db.branches.merge("try")
    assert shown(db) is None
    assert db.publishing.public.pages(db.publishing.profile()) == []
    assert db.publishing.status(document).state == "draft"


# Finding.


def test_what_is_published_can_be_found_by_its_status(db: Workspace) -> None:
    public, draft = make(db, "Public"), make(db, "Draft")
    assert db.documents.find(_list("published")).items == ()
    db.publishing.publish(public)
    assert [item.id for item in db.documents.find(_list("published")).items] == [public]
    assert [item.id for item in db.documents.find(_list("draft")).items] == [draft]
    assert db.documents.get(public).status == "published"
    info = db.documents.find(Request(intent="info")).info
    assert info is not None
    assert info.by_status == {"draft": 1, "published": 1}
    db.publishing.unpublish(public)
    assert db.documents.find(_list("published")).items == ()


def test_others_know_of_what_is_published_only_if_they_see_it(db: Workspace, ann: User) -> None:
    document = make(db)
    db.publishing.publish(document)
    seen = db.as_user(ann.id)
    assert seen.documents.find(_list("published")).items == ()
    db.documents.share(document, ann.email, "viewer")
    assert [item.id for item in seen.documents.find(_list("published")).items] == [document]


def _list(status: str) -> Request:
    return Request(intent="list", filters=Filters(status=(status,)))  # pyright: ignore[reportArgumentType]


# Pins and lists.


def test_pinned_pages_come_first_the_last_pinned_before_others(db: Workspace) -> None:
    documents = {name: make(db, name) for name in ("one", "two", "three", "four")}
    for document in documents.values():
        db.publishing.publish(document)
    db.publishing.pin(documents["one"])
    db.publishing.pin(documents["two"])
    assert _slugs(db) == ["two", "one", "four", "three"]
    db.publishing.pin(documents["two"], is_pinned=False)
    assert _slugs(db) == ["one", "four", "three", "two"]
    draft = make(db, "draft")
    with pytest.raises(strata.InvalidArgument, match="published can be pinned"):
        db.publishing.pin(draft)


def _slugs(db: Workspace) -> list[str]:
    return [page.slug for page in db.publishing.public.pages(db.publishing.profile())]


def test_several_threads_publish_one_text_as_one_version(tmp_path: Path) -> None:
    with strata.open(tmp_path / "store.db", durability="standard", auto_embed=False) as db:
        document = make(db)
        begin, numbers = Barrier(4), list[int | None]()

        def work() -> None:
            begin.wait()
            numbers.append(db.publishing.publish(document).number)

        threads = [Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert numbers == [1, 1, 1, 1]
        assert len(db.publishing.versions(document)) == 1


def test_what_another_process_publishes_from_its_own_branch_is_shown_here(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with (
        strata.open(path, durability="standard", auto_embed=False) as here,
        strata.open(path, durability="standard", auto_embed=False) as there,
    ):
        document = make(here, content="main")
        here.publishing.publish(document)
        assert shown(here) == "main"
        there.branches.fork("다른")
        there.on("다른").documents.write(document, "on the branch")
        there.on("다른").publishing.publish(document)
        assert shown(here) == "on the branch"
        assert here.publishing.versions(document)[0].branch == "다른"
        there.on("다른").documents.trash(document)
        assert shown(here) is None
