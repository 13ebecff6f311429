"""The surroundings of a document: steps, bounds, and nothing that one may not see."""

from collections.abc import Iterator
from typing import Any

import pytest

from strata.base.errors import LimitExceeded, NotFound
from strata.documents.finding import DocumentGraph
from tests.unit.documents.library import Library


@pytest.fixture
def library() -> Iterator[Library]:
    with Library() as library:
        yield library


def _edges(library: Library, found: DocumentGraph) -> set[tuple[str, str, str]]:
    names = {node.id: node.title for node in found.nodes}
    return {(names[edge.source], names[edge.target], edge.type) for edge in found.edges}


def _chain(library: Library, length: int) -> list[str]:
    texts = [f"[[{number + 1}]]" for number in range(length)]
    return [library.add(str(number), text) for number, text in enumerate(texts)]


def test_a_walk_goes_as_many_steps_as_were_asked_for(library: Library) -> None:
    chain = _chain(library, 9)
    found = library.graph(chain[4], depth=2)
    assert {node.title: node.depth for node in found.nodes} == {
        "4": 0,
        "3": 1,
        "5": 1,
        "2": 2,
        "6": 2,
    }
    assert _edges(library, found) == {
        ("2", "3", "wiki"),
        ("3", "4", "wiki"),
        ("4", "5", "wiki"),
        ("5", "6", "wiki"),
    }
    assert found.is_cut
    assert not library.graph(chain[4], depth=5).is_cut


def test_every_type_of_link_is_an_edge_of_its_own(library: Library) -> None:
    other = library.add("일정", "text")
    start = library.add("Plan", f"[[일정]], [[일정]], [x](일정.md), @[일정]({other})", "[[일정]]")
    found = library.graph(start, depth=1)
    assert _edges(library, found) == {
        ("Plan", "일정", "wiki"),
        ("Plan", "일정", "link"),
        ("Plan", "일정", "mention"),
    }
    assert {edge.type: edge.weight for edge in found.edges}["wiki"] == 2


def test_documents_in_the_last_ring_are_connected_with_each_other(library: Library) -> None:
    start = library.add("Start", "[[a]] [[b]]")
    library.add("a", "[[b]]")
    library.add("b", "text")
    assert ("a", "b", "wiki") in _edges(library, library.graph(start, depth=1))


def test_links_that_lead_nowhere_are_counted_and_not_shown(library: Library) -> None:
    start = library.add("Start", "[[어디에도 없다]] [[Nowhere]] [x](doc_0000)", "[[nowhere]]")
    found = library.graph(start)
    assert [node.title for node in found.nodes] == ["Start"]
    assert found.edges == ()
    assert found.unresolved == 3


def test_a_graph_has_no_more_nodes_than_were_asked_for(library: Library) -> None:
    for number in range(12):
        library.add(f"Leaf {number}", "[[Start]]")
    start = library.add("Start", "text")
    found = library.graph(start, max_nodes=5)
    assert len(found.nodes) == 5
    assert found.is_cut
    assert all({edge.source, edge.target} <= {n.id for n in found.nodes} for edge in found.edges)
    whole = library.graph(start)
    assert (len(whole.nodes), whole.is_cut) == (13, False)


def test_depth_and_nodes_have_bounds(library: Library) -> None:
    start = library.add("Start", "text")
    choices: list[dict[str, Any]] = [{"depth": 6}, {"max_nodes": 201}]
    for asked in choices:
        with pytest.raises(LimitExceeded):
            library.graph(start, **asked)


def test_what_one_may_not_read_is_no_node_and_no_bridge(library: Library) -> None:
    ann = library.user("ann@example.com")
    start = library.add("Start", "[[Secret]] [[Nowhere]]", by=ann)
    secret = library.add("Secret", "[[Far]]")
    library.add("Far", "text", by=ann)
    library.add("Spy", "[[Start]]")
    found = library.graph(start, as_=ann)
    assert [node.title for node in found.nodes] == ["Start"]
    assert (found.unresolved, found.is_cut) == (2, False)
    with pytest.raises(NotFound):
        library.graph(secret, as_=ann)
    library.share(secret, "ann@example.com")
    assert {node.title for node in library.graph(start, as_=ann).nodes} == {
        "Start",
        "Secret",
        "Far",
    }


def test_neighbours_by_meaning_are_marked_as_such(library: Library) -> None:
    start = library.add("Start", "heron river count boat")
    library.add("Near", "heron river count boats")
    library.add("Far", "invoice ledger audit")
    assert library.graph(start).edges == ()
    library.embed()
    found = library.graph(start)
    assert _edges(library, found) == {("Start", "Near", "semantic")}
    assert 0.3 <= found.edges[0].weight <= 1
    assert [(node.title, node.depth) for node in found.nodes] == [("Start", 0), ("Near", None)]


def test_a_graph_is_that_of_a_branch_and_of_a_moment(library: Library) -> None:
    start = library.add("Start", "[[Old]]")
    library.add("Old", "text")
    library.add("New", "text")
    before = library.store.last_version()
    library.db.branches.fork("try")
    library.edit(start, "[[New]]", branch="try")
    library.edit(start, "nothing")

    def around(**where: Any) -> set[str]:
        found = library.finding(**where).graph(start)
        return {node.title for node in found.nodes} - {"Start"}

    assert around() == set()
    assert around(branch="try") == {"New"}
    assert around(at=before) == {"Old"}
