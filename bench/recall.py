"""How often does search find the right thing? Recall over questions with known answers.

`--data DIR` holds questions in files that end in `_corpus_*.json`, `_questions_*.json`
(conversations: turns with session and date; questions with the turns that answer them) and
`project_*.json` (notes and questions with the note that answers), and more sets in `more`, each a
file or a folder of files, one store a file. The data is not part of the repository. Every item is
put through the SDK; measuring begins when no vector is pending. Without it there is the part
`pairs`, whose texts are made here.
"""

import argparse
import gc
import json
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path
from statistics import mean, median
from typing import Any

from asking.pairs import JOINED, place
from asking.picture import bins, draw
from asking.run import Found, Glanced, Judged, Measured, measure, reach_in_one_store
from asking.sets import read_sets
from measure.arguments import parser
from measure.figures import Report

import strata
from strata.search import rank, relevance

DEPTH = 50
FLOOR = {"recall@10": 0.82, "mrr": 0.69, "session@10": 0.98}
# What one store for everything may lose against a store for each conversation.
LOST = 0.01
# The largest store that is put together with those of other sets.
ONE_STORE_TEXTS = 2_000
# What sets should reach, beyond being no worse than plain ways to search.
GOALS = {"dialogue": Found(0.87, 0.75), "beam-100k-dev": Found(0.50, 0.42)}
FOUND: dict[str, float] = {}


def main() -> int:
    """Measure the parts that were named, in the modes that were named."""
    arguments = _arguments()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    report = Report("recall")
    report.machine(f"strata {strata.__version__}", "numpy")
    with tempfile.TemporaryDirectory(dir=arguments.folder, prefix="recall-") as folder:
        for part in arguments.only or (USUAL if arguments.data else ("pairs",)):
            PARTS[part](report, arguments, Path(folder))
    return report.end()


def _arguments() -> argparse.Namespace:
    wanted = parser(__doc__, PARTS, quick="every tenth question, keyword only")
    wanted.add_argument("--data", type=Path, help="folder with the questions")
    wanted.add_argument(
        "--modes", nargs="+", default=["keyword", "semantic", "hybrid"], help="search modes"
    )
    wanted.add_argument("--every", type=int, default=1, help="take every n-th question only")
    wanted.add_argument("--sets", nargs="+", help="measure these of the sets, asked about all")
    wanted.add_argument("--keep", type=Path, help="keep the stores of the sets, and use kept ones")
    wanted.add_argument("--picture", type=Path, help="draw how relevance fits, as SVG")
    found = wanted.parse_args()
    if found.data is None and set(found.only or ()) - {"pairs"}:
        wanted.error("these parts need --data DIR")
    if found.quick:
        found.every, found.modes = 10, ["keyword"]
    return found


def _conversations(arguments: argparse.Namespace) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    corpus: dict[str, Any] = {}
    for path in sorted(arguments.data.glob("*_corpus_*.json")):
        corpus |= json.loads(path.read_text())
    questions = [
        question
        for path in sorted(arguments.data.glob("*_questions_*.json"))
        for question in json.loads(path.read_text())
    ]
    # Questions of the fifth category have no answer in the conversation.
    return corpus, [q for q in questions if q["category"] != 5][:: arguments.every]


def _each(report: Report, arguments: argparse.Namespace, folder: Path) -> None:
    corpus, questions = _conversations(arguments)
    rows: dict[str, list[dict[str, float]]] = defaultdict(list)
    for name, turns in corpus.items():
        asked = [question for question in questions if question["conv"] == name]
        with _stored(folder / f"{name}.db", turns) as db:
            for mode in arguments.modes:
                rows[mode] += _ask(db, asked, turns, mode=mode)
    _tell(report, "conversation", rows)


def _sensitivity(report: Report, arguments: argparse.Namespace, folder: Path) -> None:
    """Halve and double each weight of the default ranking."""
    corpus, questions = _conversations(arguments)
    stores = {name: _stored(folder / f"s-{name}.db", turns) for name, turns in corpus.items()}
    usual = rank.WITH_TOKENS
    changes = [("as it is", usual)] + [
        (f"{name} x {factor}", usual._replace(**{name: factor * weight}))
        for name, weight in usual._asdict().items()
        if weight
        for factor in (0.5, 2)
    ]
    for what, weights in changes:
        rank.WITH_TOKENS = weights
        rows = [
            row
            for name, db in stores.items()
            for row in _ask(
                db, [q for q in questions if q["conv"] == name], corpus[name], mode="hybrid"
            )
        ]
        report.note(f"{what:<16} {_line(rows)}")
    rank.WITH_TOKENS = usual
    for db in stores.values():
        db.close()


def _pooled(report: Report, arguments: argparse.Namespace, folder: Path) -> None:
    corpus, questions = _conversations(arguments)
    turns = [turn for turns in corpus.values() for turn in turns]
    with _stored(folder / "pooled.db", turns) as db:
        rows = {mode: _ask(db, questions, turns, mode=mode) for mode in arguments.modes}
    _tell(report, "pooled", rows)


def _stored(path: Path, turns: Sequence[dict[str, Any]]) -> strata.Workspace:
    db = strata.open(path, durability="standard")
    for turn in turns:
        tags = [f"session:{turn['session']}"] if turn.get("session") else []
        db.kv.put(turn["id"], turn["text"], tags=tags)
    db.embeddings.wait()
    return db


def _ask(
    db: strata.Workspace,
    questions: Iterable[dict[str, Any]],
    turns: Sequence[dict[str, Any]],
    *,
    mode: Any,
) -> list[dict[str, float]]:
    sessions = {turn["id"]: turn["session"] for turn in turns}
    db.search("warm up", mode=mode)
    gc.collect()
    rows: list[dict[str, float]] = []
    for question in questions:
        started = time.perf_counter()
        hits = db.search(question["question"], DEPTH, mode=mode, strict=False)
        found = [hit.key for hit in hits]
        taken = time.perf_counter() - started
        rows.append(_row(question, found, sessions) | {"ms": taken * 1000})
    return rows


def _row(question: dict[str, Any], found: list[str], sessions: dict[str, str]) -> dict[str, float]:
    wanted = set(question["evidence"])
    in_sessions = list(dict.fromkeys(sessions[key] for key in found if key in sessions))
    first = next((rank for rank, key in enumerate(found, 1) if key in wanted), 0)
    row: dict[str, float] = {"category": question["category"], "mrr": 1 / first if first else 0.0}
    for k in (5, 10, 20):
        row[f"recall@{k}"] = len(wanted & set(found[:k])) / len(wanted)
    row["session@10"] = float(bool(set(question["sessions"]) & set(in_sessions[:10])))
    return row


_SHOWN = ("recall@5", "recall@10", "recall@20", "mrr", "session@10")


def _tell(report: Report, what: str, rows: dict[str, list[dict[str, float]]]) -> None:
    for mode, found in rows.items():
        taken = median(row["ms"] for row in found)
        report.note(f"{what}, {mode}: {len(found)} questions, {taken:.1f} ms a question")
        report.note("    all         " + _line(found))
        for category in sorted({row["category"] for row in found}):
            part = [row for row in found if row["category"] == category]
            report.note(f"    kind {category:.0f} {len(part):>5} " + _line(part))
        if mode == "hybrid":
            _compare(report, what, {name: mean(row[name] for row in found) for name in FLOOR})


def _compare(report: Report, what: str, reached: dict[str, float]) -> None:
    """Hold conversations against the floor, and a pooled store against conversations."""
    if what == "conversation":
        FOUND.update(reached)
        for name, bound in FLOOR.items():
            report.at_least(f"{what}_{name.replace('@', '_')}_min", reached[name], bound)
    elif FOUND:
        for name in FLOOR:
            lost = FOUND[name] - reached[name]
            report.at_most(f"{what}_{name.replace('@', '_')}_lost", lost, LOST)


def _line(rows: list[dict[str, float]]) -> str:
    return "  ".join(f"{name} {mean(row[name] for row in rows):.3f}" for name in _SHOWN)


def _project(report: Report, arguments: argparse.Namespace, folder: Path) -> None:
    """Notes of a project, oldest first, behind turns of conversations that are noise."""
    corpus, _questions = _conversations(arguments)
    noise = [turn for turns in corpus.values() for turn in turns][::5][:300]
    for path in sorted(arguments.data.glob("project_*.json")):
        data = json.loads(path.read_text())
        notes = [{"id": n["id"], "text": n["text"]} for n in noise]
        notes += [{"id": n["id"], "text": f"[{n['date']}] {n['text']}"} for n in data["items"]]
        with _stored(folder / f"{path.stem}.db", notes) as db:
            for mode in arguments.modes:
                _tell_project(report, db, data["queries"], mode=mode)


def _tell_project(
    report: Report, db: strata.Workspace, queries: list[dict[str, Any]], *, mode: Any
) -> None:
    hits: dict[str, list[bool]] = defaultdict(list)
    above: list[bool] = []
    for query in queries:
        found = [hit.key for hit in db.search(query["query"], 20, mode=mode, strict=False)]
        is_hit = query["gold"][0] in found[:3]
        for name in ("all", f"kind {query['kind']}", f"language {query['lang']}"):
            hits[name].append(is_hit)
        if query["below"]:
            pair = (query["gold"][0], query["below"][0])
            newer, older = (found.index(key) if key in found else 99 for key in pair)
            above.append(newer < older)
        if not is_hit:
            report.note(
                f"    missed {query['query']!r}: wanted {query['gold'][0]}, got {found[:4]}"
            )
    shown = ", ".join(f"{name} {mean(found):.2f}" for name, found in sorted(hits.items()))
    report.note(f"project, {mode}: hit@3 {shown}; newer above older {sum(above)}/{len(above)}")
    if mode == "hybrid":
        report.at_least("project_hit_3_min", mean(hits["all"]), 0.95)
        report.at_least("project_korean_hit_3_min", mean(hits["kind korean"]), 0.95)
        report.at_least("project_crosslingual_hit_3_min", mean(hits["kind crosslingual"]), 0.85)


def _sets(report: Report, arguments: argparse.Namespace, folder: Path) -> None:
    """Every set: ranking beside plain ways, silence on questions of others, newer above older.

    No set should be below BM25 or below the sentence model alone. The weights of the ranking were
    chosen on these sets; what they reach on a set that is left out is in
    docs/decisions/0052-trained-encoder-ships.md and 0057-texts-of-their-own.md.
    """
    sets = read_sets(arguments.data)
    if arguments.keep:
        arguments.keep.mkdir(parents=True, exist_ok=True)
    judged: list[Judged] = []
    found: dict[str, Measured] = {}
    for name in arguments.sets or sets:
        found[name] = measure(
            sets, name, arguments.keep or folder, modes=arguments.modes, every=arguments.every
        )
        judged += found[name].judged
        for line in found[name].lines():
            report.note(f"{name}: {line}")
        if "hybrid" in found[name].ways:
            _hold(report, name, found[name])
    _alike(report, list(found.values()))
    every = list(found.values())
    lost = [row for one in every for row in one.lost]
    report.at_most("strict_recall_10_lost", mean(lost), 0.02)
    _silence(report, "", every)
    _silence(report, "hook_", [one.hook for one in every])
    for one in bins(judged):
        report.note(
            f"relevance {one.relevance:.2f}: {one.belonging:.2f} of {one.questions:,} belong"
        )
    if arguments.picture:
        draw(arguments.picture, bins(judged), relevance.FLOOR)


def _silence(report: Report, prefix: str, every: Sequence[Measured | Glanced]) -> None:
    """Hold what is silent on questions of others against one goal, for search and for the hook."""
    others = [is_silent for one in every for is_silent in one.others]
    siblings = [is_silent for one in every for is_silent in one.siblings]
    report.at_least(f"{prefix}silence_on_other_sets_min", mean(others), 0.95)
    if siblings:
        report.at_least(f"{prefix}silence_on_other_conversations_min", mean(siblings), 0.80)


def _hold(report: Report, name: str, found: Measured) -> None:
    """Hold a set against BM25, the sentence model alone, and its goal."""
    plain = [found.reached("fts5"), found.reached("vector"), GOALS.get(name, Found(0, 0))]
    reached, what = found.reached("hybrid"), name.replace("-", "_")
    report.at_least(f"{what}_recall_10_min", reached.recall, max(one.recall for one in plain))
    report.at_least(f"{what}_mrr_min", reached.rank, max(one.rank for one in plain))


def _alike(report: Report, found: Sequence[Measured]) -> None:
    """Tell of silence with all sets alike, however many questions each has."""
    lost, others = mean(mean(one.lost) for one in found), mean(mean(one.others) for one in found)
    siblings = [mean(one.siblings) for one in found if one.siblings]
    told = f"sets alike: loses {lost:.3f}, silent on {others:.3f} of other sets"
    report.note(told + (f", {mean(siblings):.3f} of other stores" if siblings else ""))


def _one_store(report: Report, arguments: argparse.Namespace, folder: Path) -> None:
    """Ask one store that holds several kinds of text: no kind should push the others aside."""
    sets = read_sets(arguments.data)
    kept = arguments.keep or folder
    for name, found in reach_in_one_store(sets, kept, most=ONE_STORE_TEXTS).items():
        report.note(f"in one store, {name}: recall@10 {found.recall:.3f}  mrr {found.rank:.3f}")


def _pairs(report: Report, arguments: argparse.Namespace, _folder: Path) -> None:
    """What replaced something above it, asked in the words of what was replaced."""
    embeds = arguments.modes != ["keyword"]
    for how, language in product(JOINED, ("en", "ko")):
        found = place(language, how, embeds=embeds)
        share = found.newer_first / found.asked
        if how == "nothing":
            report.note(f"joined by nothing, {language}: newer first in {share:.3f}")
        else:
            report.at_least(f"newer_first_by_{how}_{language}_min", share, 0.90)
        report.note(f"    {found.asked} pairs, both shown in {found.both}")


PARTS = {
    "pairs": _pairs,
    "sets": _sets,
    "conversations": _each,
    "pooled": _pooled,
    "project": _project,
    "sensitivity": _sensitivity,
    "one-store": _one_store,
}
USUAL = ("pairs", "conversations", "pooled", "project", "sets")


if __name__ == "__main__":
    sys.exit(main())
