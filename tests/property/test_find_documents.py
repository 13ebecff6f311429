"""Finding against models: pages while documents change, and documents that one may not read.

What somebody finds is what they would find in a workspace from which everything that they may
not read was taken out, down to the scores.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from strata.access import FULL, Permissions, User
from strata.base.ids import new_id
from strata.documents.finding import DocumentGraph, FoundDocuments
from tests.property.examples import examples
from tests.unit.documents.library import DAY, Library

WORDS = ("heron", "river", "왜가리", "한강", "カラス", "🚀", "plan", "herons")
TITLES = ("Plan", "plan", "왜가리", "カラス", "🚀", "River notes")
PLACES = ("mine", "hers", "team")


class Doc(NamedTuple):
    """A document to be made: where, and what it says and links to."""

    title: str
    place: str
    texts: tuple[tuple[str, ...], ...]
    links: tuple[str, ...]
    is_shared: bool
    is_trashed: bool


DOCS = st.lists(
    st.builds(
        Doc,
        st.sampled_from(TITLES),
        st.sampled_from(PLACES),
        st.lists(
            st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(tuple),
            min_size=1,
            max_size=3,
        ).map(tuple),
        st.lists(st.sampled_from(TITLES), max_size=2).map(tuple),
        st.booleans(),
        st.integers(0, 5).map(lambda chance: chance == 0),
    ),
    min_size=1,
    max_size=9,
)

ASKED: tuple[dict[str, Any], ...] = (
    {"query": "heron river"},
    {"query": "왜가리"},
    {"query": "plan"},
    {"query": "🚀"},
    {"query": "her"},
    {"query": "zebra"},
    {"query": "heron", "include_shared": False},
    {"query": "heron", "status": ("trashed",)},
    {"query": "river", "owner": "owner@localhost"},
    {"query": "カラス", "limit": 1},
    {"intent": "list"},
    {"intent": "list", "limit": 2},
    {"intent": "list", "owner": "me"},
    {"intent": "recent", "since_days": 3},
    {"intent": "info"},
)


class Shelf:
    """A workspace with two people and a team, and documents made one day after the other."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.ann = library.user("ann@example.com")
        self.team = library.team("디자인", **{self.ann.id: "editor"})
        self.folders = {
            "mine": library.home(library.owner),
            "hers": library.home(self.ann),
            "team": library.folder("Shared", team=self.team),
        }

    def fill(self, docs: list[Doc], ids: list[str], *, only: set[str] | None = None) -> None:
        for doc, id_ in zip(docs, ids, strict=True):
            self.library.us += DAY
            if only is not None and id_ not in only:
                continue
            by = self.ann if doc.place == "hers" else self.library.owner
            links = " ".join(f"[[{title}]]" for title in doc.links)
            texts = [" ".join(words) for words in doc.texts]
            self.library.add(
                doc.title,
                *texts[:-1],
                f"{texts[-1]} {links}",
                by=by,
                folder=self.folders[doc.place],
                id_=id_,
            )
            if doc.is_trashed:
                self.library.change(id_, trashed=True)
            if doc.is_shared and doc.place == "mine":
                self.library.share(id_, "ann@example.com")


def _plain(answer: FoundDocuments | DocumentGraph, names: dict[str, str]) -> Any:
    """Return an answer without what two workspaces cannot have in common."""

    def kept(value: Any) -> Any:
        if isinstance(value, dict):
            left = {key: kept(one) for key, one in value.items() if key != "version"}
            if "next_token" in left:
                left["next_token"] = bool(left["next_token"])
            return left
        if isinstance(value, (list, tuple)):
            return [kept(one) for one in value]
        return names.get(value, value) if isinstance(value, str) else value

    return kept(msgspec.to_builtins(answer))


def _names(shelf: Shelf, library: Library) -> dict[str, str]:
    named = {folder.id: name for name, folder in shelf.folders.items()}
    return named | {library.owner.id: "owner", shelf.ann.id: "ann"}


def _answers(shelf: Shelf, user: User, ids: set[str]) -> Iterator[tuple[object, Any]]:
    library = shelf.library
    names = _names(shelf, library)
    asked = list(ASKED)
    shared = ("folder", shelf.folders["team"].id)
    asked += [{"query": "river", "scope": shared}, {"intent": "info", "scope": shared}]
    for id_ in sorted(ids):
        asked += [
            {"intent": "related", "scope": ("document", id_)},
            {"intent": "info", "scope": ("document", id_)},
            {"query": "heron", "scope": ("document", id_)},
        ]
        yield id_, _plain(library.graph(id_, as_=user, depth=3), names)
    for one in asked:
        shown = {key: value for key, value in one.items() if key != "scope"}
        yield shown, _plain(library.find(as_=user, **one), names)


def _compare(docs: list[Doc], *, with_vectors: bool) -> None:
    ids = [new_id("doc") for _ in docs]
    with Library() as all_:
        whole = Shelf(all_)
        whole.fill(docs, ids)
        for is_owner in (False, True):
            user = all_.owner if is_owner else whole.ann
            seen = set(Permissions(all_.store, user, FULL).visible())
            with Library() as some:
                part = Shelf(some)
                part.fill(docs, ids, only=seen)
                if with_vectors:
                    all_.embed()
                    some.embed()
                other = some.owner if is_owner else part.ann
                assert list(_answers(whole, user, seen)) == list(_answers(part, other, seen))


@settings(max_examples=examples(25))
@given(DOCS)
def test_nothing_found_depends_on_what_one_may_not_read(docs: list[Doc]) -> None:
    _compare(docs, with_vectors=False)


@settings(max_examples=examples(10))
@given(DOCS)
def test_nothing_found_by_meaning_depends_on_what_one_may_not_read(docs: list[Doc]) -> None:
    _compare(docs, with_vectors=True)


class Step(NamedTuple):
    """What happens between two pages."""

    kind: str
    which: int


STEPS = st.lists(
    st.builds(
        Step,
        st.sampled_from(["add", "edit", "rename", "trash", "remove", "hide"]),
        st.integers(0, 30),
    ),
    max_size=8,
)


def _happens(shelf: Shelf, step: Step, made: list[str], lost: set[str]) -> None:
    """Do something to the documents; note which of them are not there any more."""
    library = shelf.library
    library.us += 60_000_000
    left = [id_ for id_ in made if id_ not in lost]
    if step.kind == "add" or not left:
        made.append(library.add("heron", "a heron more", folder=shelf.folders["team"]))
        lost.add(made[-1])  # it may come or not
        return
    id_ = left[step.which % len(left)]
    if step.kind == "edit":
        library.edit(id_, "heron " * (1 + step.which % 7))
    elif step.kind == "rename":
        library.change(id_, title=f"{step.which} heron")
    elif step.kind == "trash":
        library.change(id_, trashed=True)
    elif step.kind == "remove":
        library.remove(id_)
    elif step.kind == "hide":
        library.rights().move(id_, shelf.folders["mine"].id)
    if step.kind in ("trash", "remove", "hide"):
        lost.add(id_)


@settings(max_examples=examples(80))
@given(
    st.sampled_from([{"intent": "list"}, {"intent": "recent"}, {"query": "heron"}]),
    st.integers(1, 12),
    st.integers(1, 4),
    STEPS,
)
def test_pages_hold_each_document_once_whatever_happens_between_them(
    asked: dict[str, Any], count: int, limit: int, steps: list[Step]
) -> None:
    with Library() as library:
        shelf = Shelf(library)
        shared = shelf.folders["team"]
        made = [library.add(f"{n}", "heron " * (1 + n % 4), folder=shared) for n in range(count)]
        lost: set[str] = set()
        shown: list[str] = []
        pending = iter(steps)
        token = None
        while True:
            found = library.find(as_=shelf.ann, limit=limit, next_token=token, **asked)
            shown += [item.id for item in found.items]
            token = found.next_token
            if token is None:
                break
            step = next(pending, None)
            if step is not None:
                _happens(shelf, step, made, lost)
        assert len(shown) == len(set(shown))
        assert set(made) - lost <= set(shown)
