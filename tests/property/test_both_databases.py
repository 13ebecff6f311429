"""SQLite and PostgreSQL give the same answers, in the same order, with the same hashes."""

from functools import partial
from typing import Any, cast

from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from strata import StrataError
from strata.store import Store
from strata.workspace import Workspace
from tests.crash.picture import EVERYTHING, of_branch
from tests.property.conftest import START, keys, spaces, types, values
from tests.property.examples import examples
from tests.property.test_store_model import NAMES, STRATEGIES, MergeMachine
from tests.property.twin import Twin, open_twin

WORDS = ("배포", "일정", "검토", "release", "plan", "память", "計画", "서울에서")
sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
vectors = st.lists(st.sampled_from([-1.0, 0.0, 0.25, 1.0]), min_size=3, max_size=3)
topics = st.sampled_from(["auth", "데이터베이스"])


class TwinModelMachine(MergeMachine):
    """Writes, forks, merges and looks back, which also agree with the plain model."""

    def open(self) -> tuple[Workspace, Store]:
        twin = open_twin(lambda: self.now)
        return cast("Workspace", twin), cast("Store", None)

    @invariant()
    def hashes_are_equal(self) -> None:
        for branch in self.db.branches.list():
            self.db.on(branch.name).log(limit=3)


class TwinMachine(RuleBasedStateMachine):
    """Every kind of thing, searched, merged and read in the past, on any branch."""

    def __init__(self) -> None:
        super().__init__()
        self.now = START
        self.db: Any = open_twin(lambda: self.now, is_searched=True)
        self.branches = ["default"]
        self.documents: list[str] = []
        self.db.vectors.create("벡터", 3, "cosine")

    def view(self, data: st.DataObject) -> Any:
        self.now += 10_000
        return self.db.on(data.draw(st.sampled_from(self.branches), label="branch"))

    @rule(data=st.data(), space=spaces, key=keys, text=sentences, tags=st.booleans())
    def put(self, data: st.DataObject, space: str, key: str, text: str, *, tags: bool) -> None:
        self.view(data).space(space).kv.put(key, text, tags=["표"] if tags else [])

    @rule(data=st.data(), items=st.dictionaries(keys, values, min_size=1, max_size=3))
    def put_many(self, data: st.DataObject, items: dict[str, Any]) -> None:
        self.view(data).kv.put_many(items)

    @rule(data=st.data(), key=keys)
    def delete(self, data: st.DataObject, key: str) -> None:
        self.view(data).kv.delete(key)

    @rule(data=st.data(), key=keys, path=st.sampled_from(["$", "$.a", "$.이름"]), value=values)
    def set_json(self, data: st.DataObject, key: str, path: str, value: Any) -> None:
        attempt(lambda: self.view(data).json.set(key, path, value))

    @rule(data=st.data(), value=values)
    def set_cell(self, data: st.DataObject, value: Any) -> None:
        self.view(data).state.set("칸", value)

    @rule(data=st.data(), value=values, expected=st.integers(0, 3))
    def compare_and_set(self, data: st.DataObject, value: Any, expected: int) -> None:
        attempt(lambda: self.view(data).state.cas("칸", value, expected=expected))

    @rule(data=st.data(), happened=st.lists(st.tuples(types, values), min_size=1, max_size=3))
    def append(self, data: st.DataObject, happened: list[tuple[str, Any]]) -> None:
        attempt(lambda: self.view(data).events.append_many(happened))

    @rule(data=st.data(), key=keys, vector=vectors)
    def upsert(self, data: st.DataObject, key: str, vector: list[float]) -> None:
        attempt(lambda: self.view(data).vectors.upsert("벡터", key, vector, metadata={"k": key}))

    @rule(data=st.data(), vector=vectors)
    def search_vectors(self, data: st.DataObject, vector: list[float]) -> None:
        attempt(lambda: self.view(data).vectors.search("벡터", vector, limit=5))

    @rule(data=st.data(), topic=topics, text=sentences)
    def decide(self, data: st.DataObject, topic: str, text: str) -> None:
        self.view(data).decisions.save(topic, text, "까닭")

    @rule(data=st.data(), topic=topics)
    def read_a_topic(self, data: st.DataObject, topic: str) -> None:
        self.view(data).decisions.on_topic(topic)

    @rule(data=st.data(), title=st.sampled_from(WORDS), text=sentences)
    def create_a_document(self, data: st.DataObject, title: str, text: str) -> None:
        made = self.view(data).documents.create(title, f"# {title}\n\n{text}\n")
        self.documents.append(made.document)

    @precondition(lambda self: self.documents)
    @rule(data=st.data(), old=st.sampled_from(WORDS), new=sentences)
    def edit_a_document(self, data: st.DataObject, old: str, new: str) -> None:
        document = self.document(data)
        attempt(lambda: self.view(data).documents.edit(document, old, new))

    @precondition(lambda self: self.documents)
    @rule(data=st.data(), quote=st.sampled_from(WORDS), words=sentences)
    def review_a_document(self, data: st.DataObject, quote: str, words: str) -> None:
        document, view = self.document(data), self.view(data)
        attempt(lambda: view.review.comment(document, words, quote=quote, near=1))
        attempt(lambda: view.review.propose(document, quote, words))
        attempt(lambda: view.review.comments(document))
        attempt(lambda: view.review.suggestions(document))

    @precondition(lambda self: self.documents)
    @rule(data=st.data())
    def accept_what_is_suggested(self, data: st.DataObject) -> None:
        document, view = self.document(data), self.view(data)
        for proposal in attempt(lambda: view.review.suggestions(document)) or []:
            attempt(partial(view.review.accept, document, proposal.suggestion.id))

    def document(self, data: st.DataObject) -> str:
        return data.draw(st.sampled_from(self.documents), label="document")

    @rule(data=st.data(), name=NAMES)
    def fork(self, data: st.DataObject, name: str) -> None:
        if name not in self.branches:
            self.view(data).branches.fork(name)
            self.branches.append(name)

    @rule(data=st.data(), strategy=st.sampled_from(STRATEGIES), preview=st.booleans())
    def merge(self, data: st.DataObject, strategy: str, *, preview: bool) -> None:
        source = data.draw(st.sampled_from(self.branches), label="source")
        target = data.draw(st.sampled_from(self.branches), label="target")
        self.now += 10_000
        attempt(lambda: self.db.branches.diff(target, source))
        attempt(
            lambda: self.db.branches.merge(source, into=target, strategy=strategy, preview=preview)
        )

    @rule(data=st.data(), question=sentences)
    def search(self, data: st.DataObject, question: str) -> None:
        view = self.view(data)
        view.search(question, mode="keyword", limit=5)
        view.search(question, mode="keyword", limit=20, kinds=["kv"])

    @rule(data=st.data())
    def look_back(self, data: st.DataObject) -> None:
        version = data.draw(st.integers(0, self.db.info().versions), label="version")
        past = self.view(data).at(version)
        attempt(past.kv.items)
        attempt(past.json.list)
        attempt(lambda: past.events.list(limit=EVERYTHING))

    @rule(data=st.data(), key=keys)
    def purge(self, data: st.DataObject, key: str) -> None:
        attempt(lambda: self.view(data).purge(key))

    def teardown(self) -> None:
        for branch in self.branches:
            pictures = [of_branch(one.on(branch)) for one in self.db.both]
            assert pictures[0] == pictures[1]
            for document in self.documents:
                attempt(partial(self.db.on(branch).documents.text, document))
                attempt(partial(self.db.on(branch).documents.history, document))
        assert isinstance(self.db, Twin)
        self.db.verify()
        self.db.close()


def attempt(call: Any) -> Any:
    """Make a call to both stores; if it is refused, both have said the same."""
    try:
        return call()
    except StrataError:
        return None


_CALM = settings(report_multiple_bugs=False, phases=set(Phase) - {Phase.explain})
TestModelOfBoth = TwinModelMachine.TestCase
TestModelOfBoth.settings = settings(_CALM, max_examples=examples(30), stateful_step_count=30)
TestEverythingOfBoth = TwinMachine.TestCase
TestEverythingOfBoth.settings = settings(_CALM, max_examples=examples(40), stateful_step_count=40)
