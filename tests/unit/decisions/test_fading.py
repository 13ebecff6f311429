"""How links fade, and which of them have faded away."""

from math import exp

import pytest

from strata.base import limits
from strata.decisions import Link, LinkType
from strata.decisions.linking.pruning import withered
from strata.decisions.links import Creator, new_link

NOW = 1_763_200_000_000


def link(type_: LinkType, confidence: float, *, days: float = 0, by: Creator = "system") -> Link:
    made = NOW - int(days * limits.DAY_MS)
    return new_link("b", "a", type_, confidence=confidence, created_by=by, created_at=made)


def is_withered(one: Link) -> bool:
    return withered([one], now_ms=NOW) == [one]


@pytest.mark.parametrize(
    ("type_", "rate"),
    [("temporal", 0.1), ("association", 0.05), ("implementation", 0.02), ("evolution", 0.0)],
)
def test_confidence_fades_by_its_type(type_: LinkType, rate: float) -> None:
    for days in (0, 1, 7, 365):
        assert link(type_, 0.8, days=days).faded(NOW) == pytest.approx(0.8 * exp(-rate * days))


def test_a_link_of_the_future_has_not_faded() -> None:
    assert link("temporal", 0.5, days=-3).faded(NOW) == 0.5


@pytest.mark.parametrize(
    ("type_", "days", "expected"),
    [
        ("association", 18, False),
        ("association", 19, True),
        ("temporal", 9, False),
        ("temporal", 10, True),
        ("implementation", 45, False),
        ("implementation", 46, True),
        ("evolution", 10_000, False),
    ],
)
def test_what_has_faded_below_a_fifth_is_pruned(
    type_: LinkType, days: int, *, expected: bool
) -> None:
    assert is_withered(link(type_, 0.5, days=days)) is expected


def test_a_temporal_link_ends_after_thirty_days_however_sure_it_was() -> None:
    # One of an import may have begun with more than temporal links do.
    assert not is_withered(link("temporal", 1.0, days=15))
    sure = link("temporal", 1.0, days=30.1)
    assert is_withered(sure)


@pytest.mark.parametrize("by", ["user", "llm"])
@pytest.mark.parametrize("type_", ["association", "temporal"])
def test_what_somebody_named_is_never_pruned(by: Creator, type_: LinkType) -> None:
    assert not is_withered(link(type_, 0.1, days=4_000, by=by))
