"""What belongs to a document: links of both directions, and neighbours by meaning."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.unit.documents.library import Library, titles


@pytest.fixture
def library() -> Iterator[Library]:
    with Library() as library:
        yield library


def _related(library: Library, document: str, **asked: Any) -> dict[str, tuple[str, str | None]]:
    found = library.find(intent="related", scope=("document", document), **asked)
    return {item.title: (item.source, item.direction) for item in found.items}


def test_links_of_both_directions_are_related(library: Library) -> None:
    plan = library.add("Plan", "See [[Budget]] and [the schedule](일정.md)")
    library.add("Budget", "Back to [[plan]]")
    library.add("일정", "May")
    library.add("Minutes", f"As in @[Plan]({plan})")
    library.add("Unrelated", "zebra")
    assert _related(library, plan) == {
        "Budget": ("link", "both"),
        "일정": ("link", "out"),
        "Minutes": ("link", "in"),
    }
    assert set(_related(library, plan, direction="in")) == {"Budget", "Minutes"}
    assert set(_related(library, plan, direction="out")) == {"Budget", "일정"}


def test_a_link_that_leads_here_is_shown_where_it_stands(library: Library) -> None:
    plan = library.add("Plan", "text")
    library.add("Minutes", "# Opening\n\nnothing", "# 결정\n\nWe follow [[Plan]] from now on")
    item = library.find(intent="related", scope=("document", plan)).items[0]
    assert (item.chunk_id, item.heading_path) == ("chunk_1", ("결정",))
    assert "We follow" in item.snippet


def test_neighbours_by_meaning_are_related_once_there_are_vectors(library: Library) -> None:
    plan = library.add("Plan", "heron river count boat spring")
    library.add("Notes", "heron river count boat summer")
    library.add("Linked", "heron river count boat autumn [[Plan]]")
    library.add("Tax", "invoice ledger audit office stamp")
    assert set(_related(library, plan)) == {"Linked"}
    library.embed()
    assert _related(library, plan) == {"Linked": ("hybrid", "in"), "Notes": ("semantic", None)}
    assert set(_related(library, plan, direction="in")) == {"Linked"}


def test_found_by_meaning_is_told_from_found_by_words(library: Library) -> None:
    library.add("a", "heron river count boat")
    library.add("b", "invoice ledger audit")
    library.embed()
    sources = {item.title: item.source for item in library.find("heron river").items}
    assert sources["a"] == "hybrid"
    assert sources.get("b", "semantic") == "semantic"


def test_what_one_may_not_read_is_no_neighbour(library: Library) -> None:
    ann = library.user("ann@example.com")
    hers = library.add("Hers", "heron river [[Secret]]", by=ann)
    library.add("Secret", "heron river [[Hers]]")
    library.embed()
    assert library.find(intent="related", scope=("document", hers), as_=ann).items == ()
    assert titles(library.find("heron", as_=ann)) == ["Hers"]


def test_a_title_that_several_have_leads_to_the_one_of_the_same_folder(library: Library) -> None:
    one, two = library.folder("One"), library.folder("Two")
    first = library.add("Plan", "text", folder=one)
    second = library.add("plan", "text", folder=two)
    library.add("In one", "[[Plan]]", folder=one)
    library.add("In two", "[[PLAN]]", folder=two)
    library.add("Elsewhere", "[[Plan]]")
    assert set(_related(library, first)) == {"In one", "Elsewhere"}
    assert set(_related(library, second)) == {"In two"}


def test_a_title_comes_before_an_alias(library: Library) -> None:
    alias = library.add("Heron", "text", aliases=["왜가리"])
    library.add("Note", "[[왜가리]]")
    assert set(_related(library, alias)) == {"Note"}
    title = library.add("왜가리", "text")
    assert set(_related(library, alias)) == set()
    assert set(_related(library, title)) == {"Note"}


def test_a_link_follows_a_title_that_changes(library: Library) -> None:
    plan = library.add("Plan", "text")
    library.add("Note", "[[계획]]")
    assert _related(library, plan) == {}
    library.change(plan, title="계획")
    assert set(_related(library, plan)) == {"Note"}
