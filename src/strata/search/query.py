"""What can be asked, and what an answer looks like."""

from collections.abc import Callable, Iterator
from typing import Any, Literal, TypeAlias

import msgspec

from strata.base import limits
from strata.base.checks import check_number, check_text
from strata.base.errors import InvalidArgument, LimitExceeded
from strata.base.results import Result, TimedResult
from strata.base.values import Json

Mode: TypeAlias = Literal["auto", "keyword", "semantic", "hybrid"]
MODES: tuple[Mode, ...] = ("auto", "keyword", "semantic", "hybrid")


class Query(msgspec.Struct, frozen=True):
    """A question, and where to look. Empty filters leave everything in.

    Guarded kinds are looked at where `kinds` names nothing else, and with `among`, which leaves the
    parts of some wholes only, before anything is counted or ranked: what is not among them has no
    part in any score. (How much a single token tells a model is counted over all texts of the
    store.) An equal set is the quicker the second time.
    `strict` leaves an answer empty that holds nothing relevant, and weak hits out of any other.
    `is_judged` has the first hits of talks read once more, each together with the question: a tenth
    of a second that a caller may not have.
    """

    text: str
    k: int = 10
    namespaces: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    since: int | None = None
    until: int | None = None
    mode: Mode = "auto"
    passes: Callable[[Json], bool] | None = None
    among: frozenset[str] | None = None
    strict: bool = False
    is_judged: bool = False


class Hit(TimedResult, frozen=True, gc=False):
    """One thing that was found. Scores can be compared within one answer only.

    `relevance` means the same in every store: how likely, from 0 to 1, it has to do with the
    question. The key of an event is its number, and `event` its type. `superseded_by` names what
    replaced it; `caveat` says what holds now, that it failed, or that it has expired.
    """

    key: str
    namespace: str
    kind: str
    value: Any
    score: float
    rank: int
    snippet: str
    marks: tuple[tuple[int, int], ...]
    version: int
    timestamp: int
    tags: tuple[str, ...] = ()
    event: str = ""
    relevance: float = 0.0
    superseded_by: tuple[str, ...] = ()
    caveat: str = ""

    @property
    def entity(self) -> str:
        """What was found, as one name."""
        return f"{self.kind}:{self.namespace}/{self.key}"


class Answer(Result, frozen=True):
    """The hits, best first, and how they were found.

    `mode` is what was used in the end. `pending` counts the texts whose vectors are still to
    be made; they are found by their words meanwhile. Texts of documents, which have a search of
    their own, do not count. `notes` say what could not be done. `known` is whether anything here
    is relevant; if not, a strict search has no hits, and `nearest` names what came nearest. A
    strict search leaves out hits that are hardly relevant, below 0.01.
    `missing` is what the question names and nothing here mentions.
    """

    hits: tuple[Hit, ...]
    mode: Literal["keyword", "semantic", "hybrid"]
    pending: int = 0
    notes: tuple[str, ...] = ()
    known: bool = True
    nearest: str = ""
    missing: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    def __getitem__(self, index: int) -> Hit:
        return self.hits[index]


class Part(msgspec.Struct, frozen=True, gc=False):
    """The place of a part, or of a whole by its best part, in a ranking.

    `passage` is the version of the part to show: its own, unless that is only a title. `others`
    counts the other parts of the same whole that have the words. `by_words` and `by_meaning` say
    how it was found.
    """

    whole: str
    version: int
    passage: int
    score: float
    others: int
    by_words: bool
    by_meaning: bool
    relevance: float


class Ranking(msgspec.Struct, frozen=True):
    """Parts of guarded things, best first, and the terms that they were found by.

    A strict ranking in which nothing is relevant has no parts, and the `nearest` one instead.
    """

    parts: tuple[Part, ...]
    terms: dict[str, float]
    mode: Literal["keyword", "semantic", "hybrid"]
    nearest: Part | None = None


def check_query(text: object, k: object, mode: object) -> None:
    """Refuse a question that is empty or too long, and a number of hits out of range."""
    question = check_text(text, name="query")
    size = len(question.encode("utf-8", "surrogatepass"))
    if size > limits.QUERY_BYTES_MAX:
        raise LimitExceeded(
            f"The query is {size:,} bytes; the limit is {limits.QUERY_BYTES_MAX:,}.",
            hint="Ask in a sentence or two; to find a long text again, use a part of it.",
            limit=limits.QUERY_BYTES_MAX,
            size=size,
        )
    if not question.strip():
        raise InvalidArgument(
            "The query is empty.", hint="Say what to look for.", parameter="query"
        )
    check_number(k, name="limit", most=limits.SEARCH_RESULTS_MAX)
    if mode not in MODES:
        raise InvalidArgument(
            f"{mode!r} is no search mode.", hint=f"Use {', '.join(MODES)}.", parameter="mode"
        )
