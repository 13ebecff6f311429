"""What a language model can add to a search: other words for a question, a better order.

Only if one is configured; a search never waits for a model that was not asked for.
"""

import re
from collections.abc import Sequence

import msgspec

from strata.base.errors import Unavailable
from strata.models import EndpointGenerator, Generator
from strata.search import Answer, Hit, reciprocal
from strata.workspace.settings import Settings, model_endpoint

_WORDINGS_MAX = 3
# Hits that a model is shown to put in order.
RERANKED = 20
_TOKENS_MAX = 200

_OTHER_WORDS = """A user searches stored notes with this question:
{question}
Write {count} other short ways to ask for the same, one on each line: with other words, \
and in English if it is in another language. Write nothing else."""

_ORDER = """Which of these notes answer the question best?
Question: {question}
{notes}
Write the numbers of the notes, best first, separated by commas. Write nothing else."""


def advisor_of(settings: Settings) -> "Advisor | None":
    """Return the model that a store's settings name, if they name one."""
    found = model_endpoint(settings)
    return None if found is None else Advisor(EndpointGenerator(*found))


class Advisor:
    """Asks a language model about a search."""

    def __init__(self, generator: Generator) -> None:
        self._generator = generator

    def other_words(self, question: str) -> list[str]:
        """Return other ways to ask a question."""
        prompt = _OTHER_WORDS.format(question=question, count=_WORDINGS_MAX)
        lines = self._generator.generate(prompt, _TOKENS_MAX).splitlines()
        wordings = (re.sub(r"^\s*(?:[-*•]|\d+[.)])\s*", "", line).strip() for line in lines)
        return [wording for wording in wordings if wording and wording != question][:_WORDINGS_MAX]

    def order(self, question: str, hits: Sequence[Hit]) -> list[Hit]:
        """Return hits in the order that the model gives them; those it leaves out follow."""
        first, rest = hits[:RERANKED], hits[RERANKED:]
        notes = "\n".join(f"{number}. {hit.snippet}" for number, hit in enumerate(first, 1))
        prompt = _ORDER.format(question=question, notes=notes)
        answer = self._generator.generate(prompt, _TOKENS_MAX)
        named = [int(number) for number in re.findall(r"\d{1,3}", answer)]
        chosen = [first[n - 1] for n in dict.fromkeys(named) if 1 <= n <= len(first)]
        return [*chosen, *(hit for hit in first if hit not in chosen), *rest]


def fused(answers: Sequence[Answer], k: int) -> tuple[Hit, ...]:
    """Join the answers to several wordings of one question."""
    known = {hit.version: hit for answer in reversed(answers) for hit in answer}
    order = reciprocal([[hit.version for hit in answer] for answer in answers])
    return ranked([known[version] for version in order], k)


def ranked(hits: Sequence[Hit], k: int) -> tuple[Hit, ...]:
    """Number hits in the order they have now, and cut them."""
    return tuple(
        msgspec.structs.replace(hit, rank=number) for number, hit in enumerate(hits[:k], 1)
    )


def required(advisor: Advisor | None) -> Advisor:
    """Return the advisor, or raise Unavailable with what to do."""
    if advisor is None:
        raise Unavailable(
            "no model is configured.",
            hint="`db.models.configure(URL, NAME)` names one.",
        )
    return advisor
