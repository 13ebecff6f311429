"""Sets of questions in one form: texts to store, what answers each question, what none does."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple


class Text(NamedTuple):
    """One text to store."""

    key: str
    text: str
    session: str = ""


class Asked(NamedTuple):
    """A question, the keys that answer it, and which of them are newer than which others."""

    question: str
    answers: frozenset[str]
    newer: frozenset[str] = frozenset()
    older: frozenset[str] = frozenset()


class Held(NamedTuple):
    """What one store holds, and what it is asked."""

    name: str
    texts: list[Text]
    asked: list[Asked]
    unanswerable: list[str]


def read_sets(data: Path) -> dict[str, list[Held]]:
    """Return the stores of each set: conversations, notes, and the sets in `more`."""
    found: dict[str, list[Held]] = {}
    talks = list(_conversations(data))
    if talks:
        found["dialogue"] = talks
    for path in sorted(data.glob("project_*.json")):
        noise = [text for held in talks for text in held.texts][::5][:300]
        found[path.stem] = [_notes(path, noise)]
    for path in sorted((data / "more").glob("*")):
        files = sorted(path.glob("*.json")) if path.is_dir() else [path]
        found[path.stem] = [_held(file, f"{path.stem}-{file.stem}") for file in files]
    return found


def in_one_store(sets: dict[str, list[Held]], *, most: int) -> tuple[Held, dict[str, list[Asked]]]:
    """Return one store for the first stores of all sets, and what each set asks of it.

    Sets whose first store has more than `most` texts are left out. Keys and sessions begin with the
    name of their set.
    """
    texts: list[Text] = []
    asked: dict[str, list[Asked]] = {}
    for name, (first, *_others) in sets.items():
        if len(first.texts) > most:
            continue
        for text in first.texts:
            session = f"{name}-{text.session}" if text.session else ""
            texts.append(Text(f"{name}-{text.key}", text.text, session))
        asked[name] = [
            one._replace(answers=frozenset(f"{name}-{key}" for key in one.answers))
            for one in first.asked
        ]
    return Held("one-store", texts, [], []), asked


def from_other_sets(sets: dict[str, list[Held]], name: str, *, each: int) -> list[str]:
    """Return some questions of each other set; notes lie among dialogue, which may answer."""
    found: list[str] = []
    for other, stores in sets.items():
        if other == name or (name.startswith("project") and other == "dialogue"):
            continue
        every = [asked.question for held in stores for asked in held.asked]
        found += _spread(every, each)
    return found


def from_siblings(stores: Sequence[Held], own: Held, *, most: int) -> list[str]:
    """Return some questions about the other stores of the same set."""
    every = [asked.question for held in stores if held is not own for asked in held.asked]
    return _spread(every, most)


def _spread(questions: list[str], most: int) -> list[str]:
    step = max(1, len(questions) // most) if most else 1
    return questions[::step][:most]


def _conversations(data: Path) -> Iterator[Held]:
    for path in sorted(data.glob("*_corpus_*.json")):
        asked = _read(path.with_name(path.name.replace("_corpus_", "_questions_")))
        for talk, turns in _read(path).items():
            texts = [Text(turn["id"], turn["text"], turn.get("session") or "") for turn in turns]
            own = [one for one in asked if one["conv"] == talk]
            # Questions of the fifth category have no answer in the conversation.
            yield Held(
                f"dialogue-{talk}",
                texts,
                [
                    Asked(one["question"], frozenset(one["evidence"]))
                    for one in own
                    if one["category"] != 5
                ],
                [one["question"] for one in own if one["category"] == 5],
            )


def _notes(path: Path, noise: list[Text]) -> Held:
    data = _read(path)
    notes = [Text(note["id"], f"[{note['date']}] {note['text']}") for note in data["items"]]
    asked = [
        Asked(
            one["query"],
            frozenset(one["gold"]),
            frozenset(one["gold"] if one["below"] else ()),
            frozenset(one["below"]),
        )
        for one in data["queries"]
    ]
    return Held(path.stem, [*(text._replace(session="") for text in noise), *notes], asked, [])


def _held(path: Path, name: str) -> Held:
    data = _read(path)
    keys = {item["id"]: f"i{number}" for number, item in enumerate(data["items"])}
    texts = [
        Text(
            keys[item["id"]],
            (f"[{item['date']}] " if item.get("date") else "") + (item["text"] or "-"),
            str(item.get("session") or ""),
        )
        for item in data["items"]
    ]
    asked = [_asked(one, keys) for one in data["questions"]]
    unanswerable = [one["question"] for one in data.get("unanswerable", ())]
    return Held(name, texts, [one for one in asked if one.answers], unanswerable)


def _asked(one: dict[str, Any], keys: dict[str, str]) -> Asked:
    def known(name: str) -> frozenset[str]:
        return frozenset(keys[each] for each in one.get(name) or () if each in keys)

    answers, newer = known("evidence"), known("current")
    older = known("stale") or (answers - newer if newer else frozenset())
    return Asked(one["question"][:4000], answers, newer, older)


def _read(path: Path) -> Any:  # the shape is that of the file
    return json.loads(path.read_text(encoding="utf-8"))
