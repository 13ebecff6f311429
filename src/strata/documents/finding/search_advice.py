"""Advice for a search without hits: which filters excluded documents that the user may see."""

from collections.abc import Callable, Iterator, Sequence

from strata.base.counts import plural
from strata.documents.finding.narrowing import NarrowedDocuments, NarrowingRule, narrowed
from strata.documents.finding.readable import ReadableDocuments
from strata.documents.finding.request import FoundDocuments, Request

_ALL = "`Scope()`"


def broadening(
    readable: ReadableDocuments,
    request: Request,
    where: NarrowedDocuments,
    *,
    rules: Sequence[NarrowingRule],
    anywhere: Callable[[], FoundDocuments] | None,
) -> Iterator[str]:
    """Yield how to find more. `anywhere` asks the same question without scope and filters."""
    if not readable.seen.entries:
        yield "You see no documents yet: create one, or ask for one to be shared with you."
        return
    emptied = next((name for name, left in where.steps if not left), None)
    if emptied is not None:
        yield from _without(readable, rules, emptied)
    if anywhere is not None and (rules or request.scope.type == "document"):
        found = len(anywhere().items)
        if found:
            some = f"{found} or more documents" if found > 1 else "a document"
            yield f"The same query finds {some} with the scope {_ALL} and no filters."
            return
    if request.intent == "search":
        yield "Nothing that you see answers this: try other or fewer words."
    elif request.intent == "recent":
        yield "Set `filters.since_days` higher to see older changes."
    elif request.intent == "related":
        yield "Nothing links to or from this document; search by its subject instead."


def _without(
    readable: ReadableDocuments, rules: Sequence[NarrowingRule], name: str
) -> Iterator[str]:
    """Say how many documents there would be without the rule that left none."""
    others = [rule for rule in rules if rule.name != name]
    left = len(narrowed(readable, others, with_trash=name == "status").entries)
    what = "the scope" if name == "scope" else f"`filters.{name}`"
    if name == "query":
        yield 'Only titles are compared here; the intent "search" looks into the texts.'
    elif left:
        count = plural(left, "document")
        yield f"{what} leaves nothing; without it there would be {count} to choose from."
    else:
        yield f"{what} leaves nothing. Begin with the scope {_ALL} and no filters."
