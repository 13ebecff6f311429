"""An example on a branch of its own, for users who look around first; gone with a click."""

from typing import Annotated, Literal

from strata.base.errors import AlreadyExists
from strata.tools.page.example_texts import EXAMPLES
from strata.tools.page.group import PageAnswer, page
from strata.tools.session import Call

_BRANCH = "example"
# By which a branch is known to hold the example, and not a user's own work.
_NOTE = {"example": True}


class ExampleState(PageAnswer, frozen=True):
    """The branch of the example, and whether it is there."""

    branch: str
    exists: bool


@page.writes(needs="memory", example={"language": "ko"})
def make_example(
    call: Call,
    *,
    language: Annotated[Literal["en", "ko"], "Of its texts"] = "en",
) -> ExampleState:
    """Make the branch `example` with facts, decisions, documents, a comment and a suggestion.

    One that is there already stays as it is.
    """
    here, texts = call.anywhere, EXAMPLES[language]
    known = here.branches.get(_BRANCH)
    if known is not None:
        if known.metadata != _NOTE:
            raise AlreadyExists("There is a branch `example` already, and it is yours.")
        return ExampleState(branch=_BRANCH, exists=True)
    here.branches.fork(_BRANCH, metadata=_NOTE)
    there = here.on(_BRANCH)
    there.kv.put_many(texts.facts)
    topic, *said = texts.decision
    there.decisions.save(topic, *said)
    there.decisions.supersede(*texts.replacement, topic=topic)
    topic, decision, reasoning, outcome, reason = texts.judged
    there.decisions.save(topic, decision, reasoning)
    there.decisions.outcome(outcome, topic=topic, reason=reason)
    there.events.append(texts.event[0], {"note": texts.event[1]})
    there.documents.create(*texts.guide)
    menu = there.documents.create(*texts.menu).document
    there.review.comment(menu, texts.comment[1], quote=texts.comment[0])
    original, replacement, rationale = texts.suggestion
    there.review.propose(menu, original, replacement, rationale=rationale)
    return ExampleState(branch=_BRANCH, exists=True)


@page.writes(needs="memory", idempotent=True, destructive=True, example={})
def remove_example(call: Call) -> ExampleState:
    """Delete the branch of the example; another branch of that name stays."""
    here = call.anywhere
    known = here.branches.get(_BRANCH)
    if known is not None and known.metadata == _NOTE:
        here.branches.delete(_BRANCH, force=True)
        known = None
    return ExampleState(branch=_BRANCH, exists=known is not None)
