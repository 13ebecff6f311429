"""Search as the workspace offers it: times, branches and filters turned into a query."""

import re
from collections.abc import Iterable

from strata.base import clock
from strata.base.checks import check_many
from strata.base.errors import InvalidArgument
from strata.memory import Filter, check_tags, compile_filter
from strata.search import SEARCHABLE, Answer, Mode, Query, check_query
from strata.store import View, check_name
from strata.workspace.followers import Followers


def find(
    view: View,
    followers: Followers,
    text: str,
    *,
    k: int,
    namespaces: Iterable[str] | None,
    kinds: Iterable[str] | None,
    tags: Iterable[str],
    since: int | None,
    until: int | None,
    mode: Mode,
    filter: Iterable[Filter] | None,
) -> Answer:
    """Check what was asked and search the state that a view shows."""
    check_query(text, k, mode)
    query = Query(
        text, k, _names(namespaces), _kinds(kinds), check_tags(tags), since, until, mode,
        compile_filter(filter),
    )  # fmt: skip
    return followers.search.find(view.snapshot, query)


def _names(namespaces: Iterable[str] | None) -> tuple[str, ...]:
    given = check_many(namespaces or (), name="namespaces")
    return tuple(sorted({check_name(name, what="space") for name in given}))


def _kinds(kinds: Iterable[str] | None) -> tuple[str, ...]:
    given = tuple(check_many(kinds or (), name="kinds"))
    for kind in given:
        if kind not in SEARCHABLE:
            raise InvalidArgument(
                f"{kind!r} cannot be searched.",
                hint=f"Kinds are {', '.join(sorted(SEARCHABLE))}.",
                parameter="kinds",
            )
    return given



def first_moment(when: clock.When) -> clock.When:
    """Let a day alone mean its first moment: what was written since a day includes it."""
    is_day = isinstance(when, str) and re.fullmatch(r"\s*\d{4}-\d{2}-\d{2}\s*", when)
    return f"{str(when).strip()} 00:00" if is_day else when
