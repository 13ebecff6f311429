"""Lists, recent changes, places, what is known of each; and what to do about nothing."""

from collections.abc import Iterator
from typing import Any

import pytest

from strata.base.errors import InvalidArgument, NotFound
from tests.unit.documents.library import BEGIN, DAY, Library, titles


@pytest.fixture
def library() -> Iterator[Library]:
    with Library() as library:
        yield library


def _pages(library: Library, **asked: object) -> list[list[str]]:
    pages: list[list[str]] = []
    token = None
    while True:
        found = library.find(**{**asked, "next_token": token})
        pages.append([item.id for item in found.items])
        token = found.next_token
        if token is None:
            return pages


def test_a_list_begins_with_what_was_made_last(library: Library) -> None:
    made = [library.add(f"문서 {number}", "text") for number in range(7)]
    found = library.find(intent="list", limit=3)
    assert [item.id for item in found.items] == sorted(made, reverse=True)[:3]
    assert found.total == 7
    assert {item.source for item in found.items} == {"list"}
    pages = _pages(library, intent="list", limit=3)
    assert [id_ for page in pages for id_ in page] == sorted(made, reverse=True)


def test_recent_shows_the_changes_of_the_last_days(library: Library) -> None:
    old, one = library.add("Old", "text"), library.add("One", "text")
    library.us += 10 * DAY
    two = library.add("Two", "text")
    library.us += DAY
    library.edit(one, "새 글")
    found = library.find(intent="recent")
    assert [item.id for item in found.items] == [one, two]
    assert (found.items[0].source, found.items[0].updated) == ("recent", library.us)
    assert [item.id for item in library.find(intent="recent", since_days=1).items] == [one, two]
    library.us += 1
    assert [item.id for item in library.find(intent="recent", since_days=1).items] == [one]
    assert {item.id for item in library.find(intent="recent", since_days=30).items} == {
        old,
        one,
        two,
    }


def test_times_are_read_in_every_form(library: Library) -> None:
    old = library.add("Old", "text")
    library.us += 5 * DAY
    new = library.add("New", "text")

    def listed(**filters: Any) -> list[str]:
        return [item.id for item in library.find(intent="list", **filters).items]

    assert listed(created_after="2 days ago") == [new]
    assert listed(created_before="이틀 전") == [old]
    assert listed(created_after=BEGIN + DAY) == [new]
    assert listed(updated_before="2023-11-15T00:00:00Z") == [old]
    assert listed(created_after="2023-11-14", created_before="2023-11-15") == [old]
    library.edit(old, "new text")
    assert set(listed(updated_after="1 day ago")) == {old, new}


def test_a_list_can_be_of_one_owner(library: Library) -> None:
    ann = library.user("ann@example.com")
    team = library.team("디자인", **{ann.id: "editor"})
    shelf = library.folder("Shared", team=team)
    mine = library.add("Mine", "text", folder=shelf)
    hers = library.add("Hers", "text", folder=shelf, by=ann)
    for who in (ann.id, "ANN@example.com"):
        assert titles(library.find(intent="list", owner=who)) == ["Hers"]
    assert [item.id for item in library.find(intent="list", owner="me").items] == [mine]
    assert [item.id for item in library.find(intent="list", owner="me", as_=ann).items] == [hers]
    assert library.find(intent="list", owner="nobody@example.com").items == ()


def test_folders_are_listed_with_who_sees_them(library: Library) -> None:
    ann, ben = library.user("ann@example.com"), library.user("ben@example.com")
    team = library.team("디자인", **{ann.id: "viewer"})
    shelf = library.folder("Shared", team=team)
    library.add("One", "text", folder=shelf)
    library.add("Mine", "text")
    shown = {
        item.title: (item.audience, item.documents)
        for item in library.find(intent="list", scope="folders", as_=ann).items
    }
    assert shown == {"Personal": ("only you", 0), "Shared": ("team 디자인", 1)}
    assert titles(library.find(intent="list", scope="folders", as_=ben)) == ["Personal"]


def test_spaces_are_listed_as_far_as_one_sees_them(library: Library) -> None:
    ann = library.user("ann@example.com")
    one = library.add("One", "text")
    team = library.team("디자인", **{ann.id: "viewer"})
    library.space("읽을거리", one, team=team)
    library.space("Mine", one)
    found = library.find(intent="list", scope="spaces")
    assert {(item.title, item.documents) for item in found.items} == {("읽을거리", 1), ("Mine", 1)}
    hers = library.find(intent="list", scope="spaces", as_=ann)
    assert [(item.title, item.documents) for item in hers.items] == [("읽을거리", 0)]


def test_info_counts_what_one_sees(library: Library) -> None:
    ann = library.user("ann@example.com")
    library.add("Hidden", "text")
    shelf = library.folder("틀", ann, templates=True)
    library.add("Minutes", "text", by=ann, folder=shelf)
    gone = library.add("Gone", "text", by=ann)
    library.change(gone, trashed=True)
    library.add("Note", "text", by=ann)
    info = library.find(intent="info", as_=ann).info
    assert info is not None
    assert (info.documents, info.folders, info.spaces) == (2, 2, 0)
    assert info.by_status == {"draft": 1, "template": 1, "trashed": 1}


def test_info_of_a_document_tells_its_links_and_headings(library: Library) -> None:
    other = library.add("Other", "See [[Plan]]")
    made = library.add("Plan", "# 목표\n\nSee [[Other]] and [[Nowhere]]", "# Budget\n\n[[Other]]")
    info = library.find(intent="info", scope=("document", made)).info
    assert info is not None
    assert (info.sections, info.links_in, info.links_out, info.unresolved_links) == (2, 1, 1, 1)
    assert info.headings == ("목표", "Budget")
    assert info.item.title == "Plan"
    library.change(other, trashed=True)
    later = library.find(intent="info", scope=("document", made)).info
    assert later is not None
    assert (later.links_in, later.links_out, later.unresolved_links) == (0, 0, 2)


def test_info_of_a_folder_and_a_space(library: Library) -> None:
    ann = library.user("ann@example.com")
    shelf = library.folder("Shelf")
    one = library.add("One", "text", folder=shelf)
    space = library.space("읽을거리", one)
    for scope, title in ((("folder", shelf.id), "Shelf"), (("space", space), "읽을거리")):
        info = library.find(intent="info", scope=scope).info
        assert info is not None
        assert (info.item.title, info.documents) == (title, 1)
        with pytest.raises(NotFound):
            library.find(intent="info", scope=scope, as_=ann)


def test_a_document_without_a_place_is_in_its_owners_folder(library: Library) -> None:
    made = library.add("Brought", "heron")
    connection = library.store.connection()
    with library.store.writing():
        connection.run("DELETE FROM placements", ())
        connection.run(library.store.queries.change_access_mark, (1,))
    home = library.home(library.owner)
    choices: list[dict[str, Any]] = [
        {},
        {"scope": ("folder", home.id)},
        {"owner": "me"},
        {"include_shared": False},
    ]
    for asked in choices:
        assert [item.id for item in library.find("heron", **asked).items] == [made]
    ann = library.user("ann@example.com")
    assert library.find("heron", as_=ann).items == ()


# Nothing found.


def test_nothing_found_tells_which_filter_took_it_away(library: Library) -> None:
    library.add("One", "heron")
    found = library.find("heron", status=("template",))
    assert found.items == ()
    assert any("filters.status" in hint and "1 document" in hint for hint in found.hints)


def test_nothing_found_in_a_scope_tells_of_what_there_is_elsewhere(library: Library) -> None:
    shelf = library.folder("Shelf")
    library.add("Inside", "stork", folder=shelf)
    library.add("One", "heron")
    hints = library.find("heron", scope=("folder", shelf.id)).hints
    assert any("`Scope()`" in hint and "finds a document" in hint for hint in hints)
    inside = library.add("Plan", "nothing")
    hints = library.find("heron", scope=("document", inside)).hints
    assert any("`Scope()`" in hint for hint in hints)


def test_hints_never_tell_of_what_one_may_not_see(library: Library) -> None:
    ann = library.user("ann@example.com")
    library.add("Secret", "heron")
    choices: list[dict[str, Any]] = [{}, {"status": ("trashed",)}, {"owner": "owner@localhost"}]
    for asked in choices:
        hints = library.find("heron", as_=ann, **asked).hints
        assert hints == (
            "You see no documents yet: create one, or ask for one to be shared with you.",
        )
    library.add("Hers", "stork", by=ann)
    assert library.find("heron", as_=ann).hints == library.find("zebra", as_=ann).hints


# Pages.


def test_a_token_of_another_question_is_refused(library: Library) -> None:
    ann = library.user("ann@example.com")
    shelf = library.folder("Shared", team=library.team("t", **{ann.id: "viewer"}))
    for number in range(5):
        library.add(f"{number}", "heron", folder=shelf)
    token = library.find("heron", limit=2).next_token
    assert token is not None
    assert len(library.find("heron", limit=2, next_token=token).items) == 2
    assert len(library.find("heron", limit=3, token_budget=50, next_token=token).items) == 3
    others = [
        {"query": "heron "},
        {"intent": "recent"},
        {"as_": ann},
        {"status": ("draft",)},
        {"scope": ("folder", shelf.id)},
        {"at": library.store.last_version()},
    ]
    for other in others:
        with pytest.raises(InvalidArgument, match="`next_token`"):
            library.find(**{"query": "heron", "limit": 2, "next_token": token, **other})


@pytest.mark.parametrize("change", ["", "x", "첫째", "A" * 40, "doc_1", "=" * 8])
def test_a_damaged_token_is_refused(library: Library, change: str) -> None:
    for number in range(3):
        library.add(f"{number}", "heron")
    token = library.find("heron", limit=1).next_token
    assert token is not None
    for broken in (change, token + change + "A", token[:-3] + change):
        with pytest.raises(InvalidArgument, match="`next_token`"):
            library.find("heron", limit=1, next_token=broken)


def test_a_span_of_days_stays_the_same_from_page_to_page(library: Library) -> None:
    first, second = library.add("1", "text"), library.add("2", "text")
    library.us += DAY
    page = library.find(intent="recent", since_days=1, limit=1)
    library.us += DAY
    rest = library.find(intent="recent", since_days=1, limit=1, next_token=page.next_token)
    assert {item.id for found in (page, rest) for item in found.items} == {first, second}


def test_places_in_a_document_and_related_documents_come_in_pages_too(library: Library) -> None:
    plan = library.add("Plan", *(f"# {n}\n\nheron {n} [[Leaf {n}]]" for n in range(7)))
    for number in range(7):
        library.add(f"Leaf {number}", "잎")
    inside = _pages(library, query="heron", scope=("document", plan), limit=3)
    assert [len(page) for page in inside] == [3, 3, 1]
    assert {id_ for page in inside for id_ in page} == {f"chunk_{n}" for n in range(7)}
    related = _pages(library, intent="related", scope=("document", plan), limit=3)
    assert [len(page) for page in related] == [3, 3, 1]
    assert len({id_ for page in related for id_ in page}) == 7


def test_folders_come_in_pages_too(library: Library) -> None:
    made = {library.folder(f"폴더 {number}").id for number in range(4)}
    pages = _pages(library, intent="list", scope="folders", limit=2)
    assert [len(page) for page in pages] == [2, 2, 1]
    assert made < {id_ for page in pages for id_ in page}
