"""Search agrees with a plain scan over what is visible: on any branch, at any time, in order.

The scan is written without arrays and without an index: it reads every visible value through
the ordinary calls, cuts it into terms, and adds up the score item by item.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from itertools import pairwise
from typing import Any, NamedTuple
from unittest.mock import patch

import hypothesis.strategies as st
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from strata import Workspace
from strata.base import limits
from strata.base.errors import NotFound
from strata.search import TextIndexer, cues, rank, tokens
from strata.search.text import readable
from strata.store import Store
from tests.databases import database_at
from tests.opened import seal, workspace_over
from tests.property.examples import examples

MINUTE = 60_000_000
WORDS = [
    "deploy",
    "cache",
    "cached",
    "price",
    "서버를",
    "배포",
    "the",
    "login",
    "getUserById",
    "user",
    "2026-03-19",
    "Anna",
    "retry_count",
    "café",
]
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
shaped = st.one_of(
    texts,
    texts.map(lambda text: f"Anna: {text}?"),
    texts.map(lambda text: f"[2026-03-19] Bo: {text}"),
    texts.map(lambda text: {"제목": text, "n": 3}),
    texts.map(lambda text: " ".join([text] * 25)),
    texts.map(lambda text: f"Decision cache_policy: {text}"),
    texts.map(lambda text: f"[2026-05-02] 결정 cache_policy: {text}"),
    st.integers(0, 9),
)
keys = st.sampled_from(["a", "b", "talk/1", "talk/2", "talk/3", "메모/1", "메모/2", "max_retry"])
spaces = st.sampled_from(["default", "둘째"])
questions = st.one_of(
    texts,
    st.sampled_from(
        ["when did Anna deploy", "who uses the cache", "the", "서버", "what on 19 March 2026"]
    ),
)


class Item(NamedTuple):
    """One visible thing, as the scan sees it."""

    space: str
    kind: str
    key: str
    version: int
    timestamp: int
    text: str
    tags: tuple[str, ...]
    type: str = ""


class SearchMachine(RuleBasedStateMachine):
    """Any sequence of writes, forks, merges and undoing, then questions."""

    @initialize()
    def begin(self) -> None:
        self.now = 1_790_000_000_000_000
        self.store = Store(database_at(None), now=lambda: self.now, indexer=TextIndexer())
        self.db = workspace_over(self.store)
        self.branches = ["default"]

    def teardown(self) -> None:
        if hasattr(self, "db"):
            self.db.close()

    def pick(self, data: st.DataObject) -> str:
        return data.draw(st.sampled_from(self.branches), label="branch")

    @rule(
        data=st.data(),
        space=spaces,
        key=keys,
        value=shaped,
        wait=st.sampled_from([1, 10, 45]),
        session=st.booleans(),
    )
    def put(self, data: Any, space: str, key: str, value: Any, wait: int, *, session: bool) -> None:
        self.now += wait * MINUTE
        tags = ["session:하나"] if session else []
        self.db.on(self.pick(data)).space(space).kv.put(key, value, tags=tags)

    @rule(data=st.data(), space=spaces, items=st.dictionaries(keys, shaped, min_size=1))
    def put_many(self, data: Any, space: str, items: dict[str, Any]) -> None:
        self.now += MINUTE
        self.db.on(self.pick(data)).space(space).kv.put_many(items)

    @rule(data=st.data(), space=spaces, key=keys)
    def delete(self, data: Any, space: str, key: str) -> None:
        self.now += MINUTE
        self.db.on(self.pick(data)).space(space).kv.delete(key)

    @rule(data=st.data(), type_=st.sampled_from(["deploy", "note"]), payload=shaped)
    def append(self, data: Any, type_: str, payload: Any) -> None:
        self.now += MINUTE
        self.db.on(self.pick(data)).events.append(type_, payload)

    @rule(data=st.data(), key=keys, value=texts)
    def set_document(self, data: Any, key: str, value: str) -> None:
        self.now += MINUTE
        self.db.on(self.pick(data)).json.set(key, "$", {"본문": value})

    @rule(data=st.data())
    def fork(self, data: Any) -> None:
        self.now += MINUTE
        name = f"branch-{len(self.branches)}"
        self.db.branches.fork(name, source=self.pick(data))
        self.branches.append(name)

    @rule(data=st.data())
    def merge(self, data: Any) -> None:
        self.now += MINUTE
        source, target = self.pick(data), self.pick(data)
        if source != target:
            self.db.branches.merge(source, into=target, strategy="source_wins")

    @rule(data=st.data(), key=keys, space=spaces)
    def purge(self, data: Any, key: str, space: str) -> None:
        with suppress(NotFound):
            self.db.purge(key, space=space, kind="kv")

    @rule(versions=st.sampled_from([1, 4]), few=st.sampled_from([2, 16_384]))
    def seal(self, versions: int, few: int) -> None:
        """Seal what was written, and merge segments: no answer may change."""
        with (
            patch.object(limits, "SEAL_VERSIONS", versions),
            patch.object(limits, "SEGMENT_ITEMS_FEW", few),
        ):
            seal(self.store)

    @rule(
        data=st.data(),
        question=questions,
        inside=st.sampled_from([None, ["default"], ["둘째"]]),
        back=st.integers(0, 6),
    )
    def ask(self, data: Any, question: str, inside: list[str] | None, back: int) -> None:
        here = self.db.on(self.pick(data))
        versions = [commit.version for commit in here.log(limit=10)]
        if back and back < len(versions):
            here = here.at(versions[back])
        found = here.search(question, 100, spaces=inside, mode="keyword", strict=False)
        expected = scan(here, question, inside or ["default", "둘째"])
        assert [(hit.namespace, hit.kind, hit.key) for hit in found] == [
            (item.space, item.kind, item.key) for item, _score in expected
        ]
        for hit, (item, score) in zip(found, expected, strict=True):
            assert hit.version == item.version
            assert math.isclose(hit.score, score, abs_tol=2e-3)


SearchMachine.TestCase.settings = settings(
    max_examples=examples(60),
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
TestSearch = SearchMachine.TestCase


# ---------------------------------------------------------------- the plain scan


def visible(db: Workspace, spaces: list[str]) -> list[Item]:
    """Read everything that a view shows, through the ordinary calls."""
    found: list[Item] = []
    for space in spaces:
        room = db.space(space)
        for kind, rows in (("kv", room.kv.items(limit=1000)), ("json", _documents(room))):
            found += [
                Item(space, kind, key, v.version, v.timestamp, readable(v.value), v.tags)
                for key, v in rows
            ]
        for event in room.events.list(limit=1000):
            key = str(event.sequence)
            text = f"{event.type}: {readable(event.payload)}"
            found.append(
                Item(space, "event", key, event.version, event.timestamp, text, (), event.type)
            )
    return sorted(found, key=lambda item: item.version)


def _documents(room: Workspace) -> list[tuple[str, Any]]:
    return [(key, version) for key, version in room.json.items(limit=1000)]


def sequences(items: list[Item]) -> list[list[Item]]:
    """Part items into runs that belong together; who belongs to none is a run alone."""
    runs: dict[object, list[list[Item]]] = {}
    for item in items:
        session = next((tag for tag in item.tags if tag.startswith("session:")), None)
        folder = item.key.rpartition("/")[0]
        if session is not None:
            name: object = (item.space, session)
        elif item.kind == "event":
            name = (item.space, "event", item.type)
        else:
            name = (item.space, item.kind, folder) if folder else item
        open_runs = runs.setdefault(name, [])
        goes_on = open_runs and (
            session is not None
            or item.kind == "event"
            or item.timestamp - open_runs[-1][-1].timestamp <= 30 * MINUTE
        )
        open_runs[-1].append(item) if goes_on else open_runs.append([item])
    return [run for found in runs.values() for run in found]


class Document(NamedTuple):
    """What BM25 sees: how often each term occurs, and the length."""

    counts: Mapping[str, float]
    length: float


def document(item: Item) -> Document:
    told = cues.read(item.text)
    found = tokens.analyse(item.text[told.start :])
    counts = Counter(found.terms)
    if item.kind != "event":
        parts = item.key.replace("/", " ").replace(":", " ").split()
        named = [p for p in parts if sum(map(str.isalpha, p)) * 2 > len(p) > 2]
        for term in tokens.analyse(" ".join(named)).terms:
            counts.setdefault(term, 1)
    return Document(counts, found.length)


def in_context(run: list[Document], index: int) -> Document:
    """Add what the neighbours lend."""
    counts: defaultdict[str, float] = defaultdict(float)
    length = 0.0
    for offset, weight in ((0, 1.0), (-3, 0.1), (-2, 0.2), (-1, 0.5), (1, 0.3), (2, 0.1)):
        if 0 <= index + offset < len(run):
            other = run[index + offset]
            length += weight * other.length
            for term, count in other.counts.items():
                counts[term] += weight * count
    return Document(counts, length)


def bm25(
    documents: list[Document],
    terms: Iterable[str],
    spoken: list[set[str]],
    *,
    k1: float,
    holders: list[Document] | None = None,
) -> list[float]:
    """Score documents by terms; how rare one is may be counted over others.

    Those of `spoken` count a quarter in that document.
    """
    counted = holders or documents
    mean = sum(d.length for d in documents) / len(documents)
    scores = [0.0] * len(documents)
    for term in terms:
        rare = sum(1 for d in counted if term in d.counts)
        if not rare:
            continue
        weight = math.log(1 + (len(counted) - rare + 0.5) / (rare + 0.5))
        for index, d in enumerate(documents):
            count = d.counts.get(term, 0)
            norm = k1 * (0.25 + 0.75 * d.length / max(mean, 1e-9))
            share = 0.25 if term in spoken[index] else 1.0
            scores[index] += share * weight * count * (k1 + 1) / (count + norm) if count else 0.0
    return scores


def scan(db: Workspace, question: str, spaces: list[str]) -> list[tuple[Item, float]]:
    """Return what answers a question, best first, by looking at everything."""
    items = visible(db, spaces)
    if not items:
        return []
    runs = sequences(items)
    ordered = [item for run in runs for item in run]
    documents = {item: document(item) for item in ordered}
    told = {item: cues.read(item.text) for item in ordered}
    labels = Counter(cue.label for cue in told.values() if cue.label)
    named = [name for name in cues.names(question) if labels[name] >= 3]
    names = {term for name in named for term in tokens.question(name).terms}
    terms = tokens.question(question).terms
    # A word that names a speaker counts less where a label tells who speaks.
    spoken = [names if told[item].label else set[str]() for item in ordered]
    spoken_runs = [names if any(told[i].label for i in run) else set[str]() for run in runs]

    alone = [documents[item] for item in ordered]
    own = dict(zip(ordered, bm25(alone, terms, spoken, k1=1.2), strict=True))
    contexts = [in_context([documents[i] for i in run], n) for run in runs for n in range(len(run))]
    in_contexts = bm25(contexts, terms, spoken, k1=1.2, holders=alone)
    context = dict(zip(ordered, in_contexts, strict=True))
    wholes = [
        Document(
            dict(sum((Counter(documents[i].counts) for i in run), Counter())),
            sum(documents[i].length for i in run),
        )
        for run in runs
    ]
    group = bm25(wholes, terms, spoken_runs, k1=0.9)
    own, context = _scaled(own), _scaled(context)
    best = max(group) or 1.0
    asked = cues.ask(question)
    weights = rank.WORDS_ONLY
    scores: dict[Item, float] = {}
    for number, run in enumerate(runs):
        for index, item in enumerate(run):
            has_sequence = len(run) > 1 or _is_in_sequence(item)
            whole = group[number] / best if has_sequence else context[item]
            if all(len(r) == 1 for r in runs):
                whole = own[item]
            words = documents[item].length
            cue = weights.question * told[item].is_question + _cues(told[item], asked, weights)
            if index and told[run[index - 1]].is_question:
                cue += weights.answer * own[run[index - 1]]
            score = weights.context * context[item] + weights.own * own[item]
            if has_sequence and any(len(r) > 1 for r in runs) and not is_talk(run, told):
                score += weights.apart * own[item]
            score += weights.group * whole + cue * min(1, 20 / max(words, 1))
            score += weights.long * math.log(max(words / 40, 1))
            score += weights.date * _date(told[item], asked)
            score += weights.label * sum(told[item].label == name for name in named)
            takes_part = any(told[other].label in named for other in run)
            score += weights.party * (takes_part and has_sequence)
            scores[item] = score
    found = {item for item in ordered if context[item] > 0}
    _put_newest_first(ordered, told, scores, found)
    return sorted(
        ((item, scores[item]) for item in found),
        key=lambda pair: (-round(pair[1], 4), -pair[0].version),
    )


def is_talk(run: list[Item], told: dict[Item, Any]) -> bool:
    """Whether one in ten items asks, or one in three names who spoke one or two before."""
    if len(run) < 4:
        return False
    speakers = ["" if told[item].is_topic else told[item].label for item in run]
    turns = pairwise(speakers)
    takes_turns = any(one and other and one != other for one, other in turns)
    again = sum(
        bool(name) and name in speakers[max(0, at - 2) : at] for at, name in enumerate(speakers)
    )
    asking = sum(told[item].is_question for item in run)
    return 10 * asking >= len(run) or (takes_turns and 3 * again >= len(run))


def _put_newest_first(
    items: list[Item], told: dict[Item, Any], scores: dict[Item, float], found: set[Item]
) -> None:
    """Let the newest text on a topic take the best place that any on it has."""
    topics: dict[tuple[str, str, str], list[Item]] = {}
    for item in items:
        heading = item.text[told[item].start : told[item].body].lower()
        if told[item].label and not heading.startswith(told[item].label[0]):
            topics.setdefault((item.space, item.kind, told[item].label), []).append(item)
    for run in topics.values():
        if found.isdisjoint(run):
            continue
        run.sort(key=lambda item: (told[item].date, item.version))
        *older, newest = run
        scores[newest] = max(*(scores[i] for i in run if i in found), scores[newest])
        found.add(newest)
        for item in older:
            scores[item] = min(scores[item], scores[newest] - 1e-4)


def _is_in_sequence(item: Item) -> bool:
    is_tagged = any(tag.startswith("session:") for tag in item.tags)
    return is_tagged or item.kind == "event" or "/" in item.key


def _scaled(scores: dict[Item, float]) -> dict[Item, float]:
    best = max(scores.values())
    return {item: score / best if best > 0 else score for item, score in scores.items()}


def _cues(told: Any, asked: Any, weights: rank.Weights) -> float:
    score = weights.when * (asked.is_when and told.is_temporal)
    score += weights.who / 3 * told.names * asked.is_who
    return score + weights.number * (asked.is_how_many and told.has_number)


def _date(told: Any, asked: Any) -> float:
    if not asked.dates or not told.date:
        return 0.0
    return max(cues.closeness(date, told.date) for date in asked.dates)
