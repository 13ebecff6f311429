"""One set of questions: what is found and how high, when it is silent, and what ranks newer."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

from finding.peers import Fts5

import strata
from asking.sets import Asked, Held, from_other_sets, from_siblings, in_one_store
from strata.search.relevance import FLOOR

_DEPTH = 20
_FIRST = 10
# Questions of each other set, and of other stores of the same set, that every store is asked.
_OTHERS, _SIBLINGS = 20, 100
# The first question in another script lets the store make vectors across languages of all texts.
_IN_ANOTHER_SCRIPT = "무엇인가요?"


class Judged(NamedTuple):
    """The best relevance in an answer, and whether the question belongs to the store."""

    relevance: float
    belongs: bool


def _best(answer: strata.Answer) -> float:
    return max((hit.relevance for hit in answer.hits[:_FIRST]), default=0.0)


class Found(NamedTuple):
    """How much of what answers is among the first ten, and how high the first of it is."""

    recall: float
    rank: float


class Measured(NamedTuple):
    """What a set has shown."""

    ways: dict[str, list[Found]]
    lost: list[float]
    others: list[bool]
    siblings: list[bool]
    unanswerable: list[bool]
    newer: list[bool]
    judged: list[Judged]
    hook: "Glanced"

    def reached(self, way: str) -> Found:
        """Return the means of what one way to ask finds."""
        found = self.ways[way]
        return Found(mean(one.recall for one in found), mean(one.rank for one in found))

    def lines(self) -> Iterator[str]:
        """Tell it in lines."""
        for way, found in self.ways.items():
            recall, rank = self.reached(way)
            yield f"{way:<8} recall@10 {recall:.3f}  mrr {rank:.3f}  ({len(found)} questions)"
        yield f"a strict search loses {mean(self.lost):.3f} of recall@10"
        for what, rows in (
            ("questions of other sets", self.others),
            ("questions about other stores of the set", self.siblings),
            ("questions that nothing answers", self.unanswerable),
        ):
            if rows:
                yield f"silent on {mean(rows):.3f} of {len(rows)} {what}"
        if self.newer:
            yield f"newer above older in {sum(self.newer)} of {len(self.newer)}"
        yield from self.hook.lines()


class Glanced(NamedTuple):
    """What the prompt hook adds: whether that has an answer, and when it adds nothing."""

    answered: list[bool]
    silent: list[bool]
    others: list[bool]
    siblings: list[bool]

    def lines(self) -> Iterator[str]:
        """Tell it in a line."""
        told = [f"answers {mean(self.answered):.3f}", f"adds nothing to {mean(self.silent):.3f}"]
        told.append(f"and to {mean(self.others):.3f} of other sets' questions")
        if self.siblings:
            told.append(f"and to {mean(self.siblings):.3f} of those about other stores")
        yield f"the hook {', '.join(told)}"


def measure(
    sets: dict[str, list[Held]], name: str, folder: Path, *, modes: Sequence[Any], every: int
) -> Measured:
    """Ask the stores of a set what is theirs and what is not."""
    total = Measured(defaultdict(list), [], [], [], [], [], [], Glanced([], [], [], []))
    others = from_other_sets(sets, name, each=max(1, _OTHERS // every))
    for held in sets[name]:
        siblings = from_siblings(sets[name], held, most=_SIBLINGS // every)
        asked = held.asked[::every]
        with _stored(folder / f"{held.name}.db", held) as db:
            for mode in modes:
                _ask(db, asked, total, mode=mode, judges=mode == modes[-1])
            _glance(db, asked, total.hook)
            _vectors_alone(db, asked, held=held, total=total)
            total.hook.others.extend(not db.glance(question) for question in others)
            total.hook.siblings.extend(not db.glance(question) for question in siblings)
            for questions, silent in ((others, total.others), (siblings, total.siblings)):
                best = [_best(db.search(q, _FIRST, strict=False)) for q in questions]
                silent.extend(value < FLOOR for value in best)
                total.judged.extend(Judged(value, belongs=False) for value in best)
            total.unanswerable.extend(not db.search(q).hits for q in held.unanswerable[::every])
        keys = {text.text: text.key for text in held.texts}
        with closing(Fts5(Path(":memory:"), list(keys))) as plain:
            for one in asked:
                found = [keys[text] for text in plain.ask(one.question, _DEPTH)]
                total.ways["fts5"].append(_found(one, found))
    return total


def _glance(db: strata.Workspace, asked: Sequence[Asked], hook: Glanced) -> None:
    for one in asked:
        found = {hit.key for hit in db.glance(one.question)}
        hook.answered.append(not found.isdisjoint(one.answers))
        hook.silent.append(not found)


def _vectors_alone(
    db: strata.Workspace, asked: Sequence[Asked], *, held: Held, total: Measured
) -> None:
    """Ask the sentence model alone: the texts whose vectors are nearest to the question's."""
    vectors = db.embeddings.embed_many([text.text for text in held.texts])
    keys = [text.key for text in held.texts]
    for one in asked:
        near = vectors @ db.embeddings.embed(one.question)
        order = near.argsort()[::-1][:_DEPTH]
        total.ways["vector"].append(_found(one, [keys[at] for at in order]))


def reach_in_one_store(sets: dict[str, list[Held]], folder: Path, *, most: int) -> dict[str, Found]:
    """Return what the questions of each set find in one store that holds several kinds of text."""
    held, asked = in_one_store(sets, most=most)
    with _stored(folder / f"{held.name}.db", held) as db:
        found = {name: [_found(one, _keys(db, one)) for one in own] for name, own in asked.items()}
    return {
        name: Found(mean(one.recall for one in rows), mean(one.rank for one in rows))
        for name, rows in found.items()
    }


def _keys(db: strata.Workspace, one: Asked) -> list[str]:
    return [hit.key for hit in db.search(one.question, _DEPTH, strict=False)]


def _ask(
    db: strata.Workspace, asked: Sequence[Asked], total: Measured, *, mode: Any, judges: bool
) -> None:
    for one in asked:
        answer = db.search(one.question, _DEPTH, mode=mode, strict=False)
        total.ways[mode].append(_found(one, [hit.key for hit in answer]))
        if judges:
            strict = db.search(one.question, _FIRST, mode=mode)
            _judge(one, answer, total, strict=[hit.key for hit in strict])


def _judge(one: Asked, answer: strata.Answer, total: Measured, *, strict: Sequence[str]) -> None:
    """Note what a strict search loses, and whether newer things rank above older ones."""
    keys = [hit.key for hit in answer]
    total.judged.append(Judged(_best(answer), belongs=True))
    total.lost.append(_found(one, keys).recall - _found(one, strict).recall)
    if one.newer and one.older:
        newer, older = (_first(keys, wanted) for wanted in (one.newer, one.older))
        total.newer.append(newer < older)


def _found(asked: Asked, keys: Sequence[str]) -> Found:
    first = _first(keys, asked.answers)
    held = len(asked.answers.intersection(keys[:_FIRST]))
    return Found(held / len(asked.answers), 1 / (first + 1) if first < _DEPTH else 0.0)


def _first(keys: Sequence[str], wanted: frozenset[str]) -> int:
    return next((place for place, key in enumerate(keys) if key in wanted), _DEPTH)


def _stored(path: Path, held: Held) -> strata.Workspace:
    is_there = path.exists()
    db = strata.open(path, durability="standard")
    for text in () if is_there else held.texts:
        tags = [f"session:{text.session}"] if text.session else []
        db.kv.put(text.key, text.text, tags=tags)
    db.embeddings.wait()
    db.search(_IN_ANOTHER_SCRIPT)
    db.embeddings.wait()
    return db
