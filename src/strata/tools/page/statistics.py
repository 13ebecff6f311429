"""Who wrote how much on which day, and how much there is."""

from collections import Counter
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from strata.base import clock
from strata.tools.memory.past import LINK
from strata.tools.page.group import PageAnswer, iso, page
from strata.tools.page.naming import group_of
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.workspace import Totals, Workspace

# Commits that writes are counted from; the newest.
_COMMITS_COUNTED = 1_000
_DAYS_MAX = 90
# Keys of documents that all days together may look at, since each is checked for the user.
_DOCUMENTS_LOOKED_AT = 50_000
_DAY_US = 86_400_000_000
_DAY_CHARACTERS = len("2026-11-17")
# What the program does by itself some time after a user has typed.
_OWN_WORK = "document settle"


class WriteLine(PageAnswer, frozen=True):
    """How many things of a group an author changed on a day."""

    day: str
    who: str
    is_agent: bool
    group: str
    count: int


class DayTotals(PageAnswer, frozen=True):
    """How much there was at the end of a day; of today, how much there is."""

    day: str
    facts: int
    events: int
    decisions: int
    documents: int


class StoreStatistics(PageAnswer, frozen=True):
    """Writes of the newest commits of a branch, and how much was on it day by day; days are UTC."""

    writes: list[WriteLine]
    totals: list[DayTotals]
    # How many commits were counted, since when, and whether there are older ones.
    commits: int
    since: str | None
    more: bool
    size_bytes: int


@page.reads(needs="memory", example={})
def statistics(
    call: Call,
    *,
    commits: Annotated[
        int, Meta(description="Newest commits to count", ge=1, le=_COMMITS_COUNTED)
    ] = _COMMITS_COUNTED,
    days: Annotated[int, Meta(description="Days to show", ge=1, le=_DAYS_MAX)] = 30,
) -> StoreStatistics:
    """Count the newest commits by day, author and kind, and what is on the branch day by day."""
    here = call.db
    found = here.log(limit=commits, touched=True)
    counts: Counter[tuple[str, str, bool, str]] = Counter()
    for one in found:
        if one.operation == _OWN_WORK:
            continue
        who = one.agent or one.person_name or one.actor or ""
        groups = {group_of(thing.space, thing.kind) for thing in one.touched if thing.kind != LINK}
        for group in groups:
            counts[_day(one.timestamp), who, one.agent is not None, group] += 1
    return StoreStatistics(
        writes=[
            WriteLine(day=day, who=who, is_agent=is_agent, group=group, count=count)
            for (day, who, is_agent, group), count in sorted(counts.items())
        ],
        totals=_totals(here, days),
        commits=len(found),
        since=iso(found[-1].timestamp) if found else None,
        more=found.more,
        size_bytes=call.anywhere.info().size_bytes,
    )


def _totals(here: "Workspace", days: int) -> list[DayTotals]:
    """Return what was there at the end of each of some days; fewer days of very many documents."""
    now = here.time_of("now")
    present = here.totals()
    affordable = min(days, max(1, _DOCUMENTS_LOOKED_AT // max(1, present.documents)))
    lines: list[DayTotals] = []
    for back in range(affordable - 1, 0, -1):
        end = (now // _DAY_US - back + 1) * _DAY_US - 1
        lines.append(_line(end, here.at(end).totals()))
    return [*lines, _line(now, present)]


def _line(moment: int, found: "Totals") -> DayTotals:
    return DayTotals(
        day=_day(moment),
        facts=found.facts,
        events=found.events,
        decisions=found.decisions,
        documents=found.documents,
    )


def _day(microseconds: int) -> str:
    return clock.iso(microseconds)[:_DAY_CHARACTERS]
