"""Searching documents: what is found, how it is shown, and what never is."""

from collections.abc import Iterator
from typing import Any

import pytest

from strata.base.errors import InvalidArgument, LimitExceeded, NotFound
from strata.documents.markdown import tokens
from tests.unit.documents.library import Library, titles


@pytest.fixture
def library() -> Iterator[Library]:
    with Library() as library:
        yield library


def test_a_document_is_found_by_the_words_of_a_section(library: Library) -> None:
    made = library.add("계획", "# 목표\n\n왜가리를 한강에서 센다", "# Budget\n\nBoats are dear")
    library.add("Other", "Nothing of the kind")
    found = library.find("왜가리")
    assert [item.id for item in found.items] == [made]
    item = found.items[0]
    assert (item.type, item.source, item.status, item.role) == (
        "document",
        "keyword",
        "draft",
        "owner",
    )
    assert (item.chunk_id, item.heading_path) == ("chunk_0", ("목표",))
    assert "한강에서" in item.snippet
    assert item.folder_name == "Personal"
    assert item.owner == library.owner.id


@pytest.mark.parametrize(
    "title", ["Release plan", "출시 계획", "リリース計画", "🚀 launch", "Ｐｌａｎ"]
)
def test_a_question_that_is_a_title_finds_that_document_first(library: Library, title: str) -> None:
    for number in range(5):
        library.add(f"Notes {number}", f"{title} {title} {title} is what everybody talks about")
    wanted = library.add(title, "Nothing but this")
    found = library.find(f"  {title.upper()} ")
    assert found.items[0].id == wanted
    assert found.items[0].source == "title"


def test_a_title_of_emoji_alone_is_found_though_it_has_no_words(library: Library) -> None:
    wanted = library.add("🚀🌕", "to the moon")
    assert [item.id for item in library.find("🚀🌕").items] == [wanted]


def test_an_alias_is_a_title_too(library: Library) -> None:
    wanted = library.add("Project Heron", "text", aliases=["왜가리 프로젝트"])
    library.add("Zoo", "왜가리 프로젝트 왜가리 프로젝트")
    assert library.find("왜가리 프로젝트").items[0].id == wanted


def test_words_of_the_title_count_for_a_document(library: Library) -> None:
    wanted = library.add("Heron census", "We count them each spring")
    library.add("Stork census", "We count them each spring")
    assert library.find("heron").items[0].id == wanted
    assert library.find("heron").items[0].source == "title"


def test_a_document_stands_in_an_answer_once(library: Library) -> None:
    one = library.add("One", *(f"# Part {n}\n\nheron number {n}" for n in range(8)))
    two = library.add("Two", "a single heron")
    found = library.find("heron", limit=2)
    assert {item.id for item in found.items} == {one, two}
    assert {item.id: item.more for item in found.items} == {one: 7, two: 0}
    assert found.next_token is None


def test_a_search_inside_a_document_shows_its_places(library: Library) -> None:
    one = library.add("One", "# A\n\nheron and heron", "# B\n\nstork", "# C\n\na heron")
    library.add("Two", "# D\n\nheron")
    found = library.find("heron", scope=("document", one))
    assert {item.chunk_id for item in found.items} == {"chunk_0", "chunk_2"}
    assert {item.type for item in found.items} == {"section"}
    assert {item.document_id for item in found.items} == {one}


def test_a_snippet_grows_with_its_budget_up_to_the_whole_section(library: Library) -> None:
    text = "# 목표\n\n" + " ".join(f"왜가리 {n}번" for n in range(400))
    library.add("Long", text)
    small = library.find("왜가리 7번", token_budget=40).items[0].snippet
    large = library.find("왜가리 7번", token_budget=400).items[0].snippet
    whole = library.find("왜가리 7번", token_budget=9_000).items[0].snippet
    assert tokens(small) <= 40 < tokens(large) <= 400
    assert whole == text


def test_what_is_in_the_trash_is_found_only_by_its_status(library: Library) -> None:
    gone, there = library.add("Old", "heron"), library.add("New", "heron")
    library.change(gone, trashed=True)
    assert [item.id for item in library.find("heron").items] == [there]
    assert [item.id for item in library.find("heron", status=("trashed",)).items] == [gone]
    assert [item.id for item in library.find(intent="list").items] == [there]


def test_templates_are_found_by_their_status(library: Library) -> None:
    shelf = library.folder("틀", templates=True)
    template = library.add("Minutes", "heron {{date}}", folder=shelf)
    library.add("Note", "heron")
    found = library.find("heron", status=("template",))
    assert [(item.id, item.status) for item in found.items] == [(template, "template")]
    assert len(library.find("heron").items) == 2


def test_a_search_keeps_to_a_folder_and_those_below_it(library: Library) -> None:
    top = library.folder("Top")
    below = library.folder("Below", parent=top.id)
    library.add("Elsewhere", "heron")
    inside = {library.add("a", "heron", folder=top), library.add("b", "heron", folder=below)}
    found = library.find("heron", scope=("folder", top.id))
    assert {item.id for item in found.items} == inside


def test_a_search_keeps_to_a_space(library: Library) -> None:
    one, _two = library.add("a", "heron"), library.add("b", "heron")
    space = library.space("읽을거리", one)
    assert [item.id for item in library.find("heron", scope=("space", space)).items] == [one]


def test_the_best_of_a_narrow_scope_are_not_pushed_out_by_all_others(library: Library) -> None:
    shelf = library.folder("Shelf")
    for number in range(150):
        library.add(f"Loud {number}", "heron heron heron heron")
    quiet = library.add("Quiet", "a long text in which at its very end stands heron", folder=shelf)
    assert [item.id for item in library.find("heron", scope=("folder", shelf.id)).items] == [quiet]


def test_every_branch_and_every_past_has_its_own_documents(library: Library) -> None:
    one = library.add("One", "heron")
    before = library.store.last_version()
    library.db.branches.fork("try")
    library.edit(one, "stork", branch="try")
    born = library.add("Born on a branch", "heron", branch="try")
    assert [item.id for item in library.find("heron").items] == [one]
    assert [item.id for item in library.find("heron", branch="try").items] == [born]
    assert [item.id for item in library.find("stork", branch="try").items] == [one]
    library.edit(one, "crane")
    assert library.find("heron").items == ()
    assert [item.id for item in library.find("heron", at=before).items] == [one]
    assert titles(library.find(intent="list", branch="try")) == ["Born on a branch", "One"]


def test_rights_are_those_of_now_on_every_branch_and_in_the_past(library: Library) -> None:
    ann = library.user("ann@example.com")
    made = library.add("One", "heron")
    before = library.store.last_version()
    library.db.branches.fork("try")
    assert library.find("heron", as_=ann, branch="try").items == ()
    library.share(made, "ann@example.com")
    places: list[dict[str, Any]] = [{}, {"branch": "try"}, {"at": before}]
    for where in places:
        assert [item.id for item in library.find("heron", as_=ann, **where).items] == [made]


def test_who_only_has_a_share_does_not_learn_the_folder(library: Library) -> None:
    ann = library.user("ann@example.com")
    made = library.add("One", "heron")
    library.share(made, "ann@example.com", "commenter")
    item = library.find("heron", as_=ann).items[0]
    assert (item.folder_id, item.folder_name, item.role) == (None, None, "commenter")
    assert library.find("heron", as_=ann, include_shared=False).items == ()


def test_what_may_not_be_read_is_not_found_in_the_same_words_as_what_is_not_there(
    library: Library,
) -> None:
    ann = library.user("ann@example.com")
    hidden = library.add("Secret", "heron")
    for intent in ("search", "related", "info"):
        with pytest.raises(NotFound) as there:
            library.find("heron", as_=ann, intent=intent, scope=("document", hidden))
        with pytest.raises(NotFound) as nowhere:
            library.find("heron", as_=ann, intent=intent, scope=("document", "doc_nowhere"))
        assert str(there.value).replace(hidden, "doc_nowhere") == str(nowhere.value)


def test_only_the_search_for_everything_sees_documents(library: Library) -> None:
    library.add("Heron plan", "heron heron", "# 왜가리\n\nheron")
    library.db.kv.put("fact", "a heron")
    found = library.db.search("heron", mode="keyword")
    assert sorted(hit.kind for hit in found) == ["document", "kv"]
    assert [hit.key for hit in library.db.glance("a heron and its plan, heron")] in (["fact"], [])
    assert {hit.kind for hit in library.db.glance()} == {"kv"}
    assert library.db.decisions.search("heron") == []
    with pytest.raises(InvalidArgument):
        library.db.search("heron", kinds=["section"])


def test_documents_change_no_score_of_a_search_that_leaves_them_out(library: Library) -> None:
    library.db.kv.put("a", "heron in the river")
    library.db.kv.put("b", "heron heron on the bank of a long river")
    stranger = library.db.as_user(library.db.users.add("stranger@example.com").id)

    def scores() -> list[list[tuple[str, float]]]:
        answers = [
            library.db.search("heron river", spaces=["default"]),
            stranger.search("heron river"),
        ]
        return [[(hit.key, hit.score) for hit in answer] for answer in answers]

    before = scores()
    for number in range(20):
        library.add(f"Heron {number}", "heron", "river river")
    assert scores() == before


@pytest.mark.parametrize(
    "asked",
    [
        {"scope": "space"},
        {"scope": ("folder", "")},
        {"intent": "related"},
        {"intent": "related", "scope": "folders"},
        {"intent": "recent", "scope": "spaces"},
        {"intent": "list", "scope": ("document", "doc_x")},
        {"query": "  "},
        {"query": None},
        {"intent": "wander"},
        {"scope": "everywhere"},
        {"direction": "up"},
        {"status": ("lost",)},
        {"limit": 0},
        {"updated_after": "heron"},
        {"updated_after": "tag:v1"},
    ],
)
def test_what_cannot_be_answered_is_refused(library: Library, asked: dict[str, Any]) -> None:
    library.add("One", "heron")
    with pytest.raises(InvalidArgument):
        library.find(**asked if "query" in asked else {"query": "heron", **asked})


def test_more_than_fifty_items_are_refused(library: Library) -> None:
    with pytest.raises(LimitExceeded):
        library.find("heron", limit=51)
