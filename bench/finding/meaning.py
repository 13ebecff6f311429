"""Search by words and meaning together, and how large an answer is."""

import statistics

from parts.run import spoken

from finding.run import Run, ask_in_turns, by_words, opened
from strata.search import Answer

_CHARACTERS_A_TOKEN = 4


def measure_hybrid(run: Run) -> None:
    """Ask a store whose texts all have vectors; the question's own vector is part of the time."""
    count = run.scale.embedded
    with opened(run.embedded) as db:
        asked = run.questions(count).everyday
        answers = [db.search(question, mode="hybrid") for question in asked]
        assert all(answer.mode == "hybrid" for answer in answers)
        assert not any(answer.pending for answer in answers)
        who = {
            "hybrid": lambda question: db.search(question, 10, mode="hybrid"),
            "keyword": by_words(db),
        }
        found = ask_in_turns(who, asked, passes=run.scale.passes)
        run.report.at_most(f"hybrid_ms_{spoken(count)}", found["hybrid"].median, 12.0)
        for name, latency in found.items():
            run.report.note(f"{spoken(count)}, {name:<8} {latency}")
        _tell_sizes(run, answers)


def _tell_sizes(run: Run, answers: list[Answer]) -> None:
    """Count an answer as its keys and snippets, at four characters a token."""
    sizes = [
        sum(len(hit.key) + len(hit.snippet) + 2 for hit in answer) / _CHARACTERS_A_TOKEN
        for answer in answers
        if len(answer) == 10
    ]
    run.report.at_most("answer_tokens_most", max(sizes), 600)
    run.report.note(
        f"top-10 answer, characters / {_CHARACTERS_A_TOKEN}: median {statistics.median(sizes):.0f},"
        f" largest {max(sizes):.0f}, of {len(sizes)} answers"
    )
