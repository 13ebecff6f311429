"""What a prompt is about: told rightly where it is clear, and not at all where it is not."""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from strata.base import limits
from strata.hooks import phrases
from strata.hooks.detection import ALWAYS, NOTHING, SURE, TOOLS, Context, detect, narrow
from strata.tools import registry

PROMPTS = Path(__file__).parent / "prompts"
TABLES = (phrases.RESUMING, phrases.DECIDING, phrases.SEARCHING, phrases.TRACKING, phrases.CODE)


class Outcome(NamedTuple):
    """How a set of prompts fared: of those with a context, and of the ordinary ones."""

    found: int
    wrong: int
    contexts: int
    narrowed: list[str]
    ordinary: int


def judged(name: str) -> Outcome:
    cases = json.loads((PROMPTS / f"{name}.json").read_text(encoding="utf-8"))
    told = [(text, expected, detect(text).name) for text, expected in cases]
    contexts = [(expected, said) for _text, expected, said in told if expected != "none"]
    return Outcome(
        found=sum(expected == said for expected, said in contexts),
        wrong=sum(said not in (expected, "none") for expected, said in contexts),
        contexts=len(contexts),
        narrowed=[text for text, expected, said in told if expected == "none" != said],
        ordinary=len(told) - len(contexts),
    )


def test_the_prompts_that_the_bare_patterns_got_wrong_are_told_rightly() -> None:
    outcome = judged("reference")
    assert (outcome.contexts, outcome.ordinary) == (30, 14)
    assert outcome.narrowed == []
    assert outcome.found >= 28


def test_prompts_that_phrases_were_written_for_are_told_rightly() -> None:
    outcome = judged("seen")
    assert outcome.contexts > 200
    assert outcome.ordinary > 200
    assert outcome.narrowed == []
    assert outcome.wrong == 0
    assert outcome.found / outcome.contexts >= 0.97


def test_prompts_that_no_phrase_was_written_for_hide_nothing_wrongly() -> None:
    # Never add a phrase because of this file: it is what says how good the others are.
    outcome = judged("unseen")
    assert (outcome.contexts, outcome.ordinary) == (64, 48)
    assert len(outcome.narrowed) <= 1
    assert outcome.wrong <= 1
    assert outcome.found >= 38


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Where were we?", "resuming"),
        ("WHERE WERE WE", "resuming"),
        ("어디까지 했지?", "resuming"),
        ("어떻게 했었지 배포", "searching"),
        ("어디까지했지?", "resuming"),
        ("what did we decide about the retry function?", "searching"),
        ("We’ve decided to use passkeys", "deciding"),
        ("Should we use tabs or spaces?\n\n```\nwhere were we\n```", "deciding"),
        ("change the label from “where were we” to “welcome back”", "none"),
        ('print("what did we decide")', "none"),
        ("`let's go with` is what the button says", "none"),
        ("", "none"),
        ("?", "none"),
        ("どこまでやったっけ", "none"),
    ],
)
def test_the_form_of_a_prompt_does_not_matter_and_what_it_quotes_does_not_count(
    text: str, expected: str
) -> None:
    assert detect(text).name == expected


def test_two_contexts_at_once_are_none() -> None:
    both = detect("Where were we? And should we use Redis or Postgres?")
    assert sorted(score >= SURE for score in both.scores.values())[-2:] == [True, True]
    assert both.name == "none"
    assert not both.is_clear


def test_work_on_code_speaks_against_every_context() -> None:
    plain = detect("it worked")
    coded = detect("it worked, now fix the parser test and rename the function")
    assert plain.name == "tracking"
    assert coded.name == "none"
    assert coded.scores["tracking"] < plain.scores["tracking"]


def test_a_phrase_in_a_long_task_counts_less_than_alone() -> None:
    task = "The exporter writes one row for every booking of the month. " * 20
    assert detect("let's go with option B").is_clear
    assert not detect(f"{task} let's go with option B. {task}").is_clear


def test_phrases_are_written_as_they_are_compared() -> None:
    lines = [line for table in TABLES for line in table.strip().splitlines()]
    found = [part.strip() for line in lines for part in line.lstrip("-.0123456789 ").split("|")]
    assert len(found) > 500
    for phrase in filter(None, found):
        words = phrase.replace("…", " ").split()
        assert phrase == phrase.lower()
        assert not set("'’,.!") & set(phrase), phrase
        assert all(word.isascii() for word in words) or " " not in phrase, phrase


# ---------------------------------------------------------------- which tools


DECISIONS = list(registry().tools("decisions"))
OTHERS = [
    one for one in registry().tools("memory") if one.name in ("strata_store", "strata_search")
]


@pytest.mark.parametrize("name", TOOLS)
def test_a_context_lists_its_tools_first_and_never_hides_the_ones_everybody_needs(
    name: str,
) -> None:
    context = Context(name, 0.9, {})  # pyright: ignore[reportArgumentType]
    shown = [tool.name for tool in narrow([*OTHERS, *DECISIONS], context)]
    assert tuple(shown[: len(TOOLS[context.name])]) == TOOLS[context.name]
    assert set(ALWAYS) <= set(shown)
    assert {"strata_store", "strata_search"} <= set(shown)
    assert "save_checkpoint" not in shown
    assert len(shown) == len(set(shown))


def test_without_a_clear_context_every_tool_is_shown_in_its_order() -> None:
    tools = [*OTHERS, *DECISIONS]
    assert narrow(tools, NOTHING) == tools
    assert narrow(tools, detect("rename this variable")) == tools


def test_other_groups_are_never_narrowed() -> None:
    memory = [structs.replace(tool, group="memory") for tool in DECISIONS]
    assert narrow(memory, Context("resuming", 0.99, {})) == memory


# ---------------------------------------------------------------- any text


@given(st.text())
def test_no_text_is_too_strange(text: str) -> None:
    found = detect(text)
    assert 0 <= found.confidence <= 1
    assert found.name in (*TOOLS, "none")


@given(st.text(st.sampled_from("`\"“”「」?:'^$… 가 a"), max_size=400))
def test_no_quotes_and_marks_are_too_strange(text: str) -> None:
    assert 0 <= detect(text).confidence <= 1


@given(st.binary())
def test_no_half_letters_are_too_strange(data: bytes) -> None:
    assert detect(data.decode("utf-8", "surrogateescape")).confidence <= 1


@pytest.mark.parametrize("part", ["a", "`", '"', "“", "가", "where were we ", "```", " ", "이어서"])
def test_a_long_prompt_takes_no_longer_than_its_beginning_and_end(part: str) -> None:
    short = part * (limits.PROMPT_CHARACTERS_MAX // len(part))
    long = part * (10_000_000 // len(part))
    detect(short)
    assert quickest(long) < 5 * quickest(short) + 0.02


def quickest(text: str) -> float:
    times: list[float] = []
    for _ in range(3):
        started = time.process_time()
        detect(text)
        times.append(time.process_time() - started)
    return min(times)


def test_telling_the_context_loads_nothing_heavy() -> None:
    code = "import sys, strata.hooks.detection; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    loaded = set(done.stdout.split())
    assert not {"numpy", "zstandard", "asyncio", "strata.workspace", "strata.search"} & loaded
