"""From when until when something holds: what tags and members say, and what follows."""

import pytest

import strata
from strata.base.validity import caveat_of, check_validity, has_expired, read_members, read_tags

NOW = 1_777_800_000_000_000  # 2026-05-03T09:20:00Z


@pytest.mark.parametrize(
    ("tags", "caveat"),
    [
        ([], ""),
        (["until:2026-05-02"], "expired 2026-05-02"),
        (["until:2026-05-03"], ""),
        (["until:2026-05-03T09:00:00Z"], "expired 2026-05-03T09:00:00Z"),
        (["since:2026-05-04"], "holds from 2026-05-04"),
        (["since:2026-05-03"], ""),
        (["review_by:2026-05-01"], "review was due 2026-05-01"),
        (["review_by:2026-05-03"], ""),
        (["until:2026-05-02", "review_by:2026-05-01"], "expired 2026-05-02"),
        (["until:the end", "since:", "review_by:soon", "until"], ""),
    ],
)
def test_tags_say_whether_something_holds(tags: list[str], caveat: str) -> None:
    found = read_tags(tags)
    assert caveat_of(found, now=NOW, zone="UTC") == caveat
    assert has_expired(found, now=NOW, zone="UTC") == caveat.startswith("expired")


def test_the_end_of_a_day_depends_on_the_time_zone() -> None:
    found = read_tags(["until:2026-05-03"])
    evening = NOW + 6 * 3_600_000_000
    assert has_expired(found, now=evening, zone="Asia/Seoul")
    assert not has_expired(found, now=evening, zone="UTC")


def test_members_and_tags_say_the_same() -> None:
    given = check_validity(until="2026-05-02", sources=["codex/01a1#12-15", "문서.md"])
    assert read_tags(given.marks) == given
    assert read_members({**given._asdict(), "sources": list(given.sources)}) == given
    assert read_members({"until": 5, "sources": "no list"}) == read_tags([])


@pytest.mark.parametrize("name", ["since", "until", "review_by"])
def test_what_is_no_date_is_refused(name: str) -> None:
    with pytest.raises(strata.InvalidTime, match="neither a date nor a time"):
        check_validity(**{name: "next spring"})
    with pytest.raises(strata.InvalidArgument):
        check_validity(sources=[" "])
