"""Reading the past, by whatever name a moment has."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest

import strata
from strata import Workspace

HOUR = 3_600_000_000


def value(workspace: Workspace, key: str = "k") -> Any:
    found = workspace.kv.get(key)
    return found.value if found is not None else None


@pytest.fixture
def days(timed: Workspace, clock: Any) -> list[int]:
    """A value for each of three days; their times. The clock stands an hour after the last."""
    times: list[int] = []
    for word in ("월", "화", "수"):
        times.append(timed.kv.put("k", word).timestamp)
        clock.forward(days=1)
    clock.forward(hours=-23)
    return times


def test_a_version_means_its_whole_commit(db: Workspace) -> None:
    batch = db.kv.put_many({"a": 1, "b": 1, "c": 1})
    db.kv.put_many({"a": 2, "d": 2})
    assert [found.version for found in batch] == [1, 2, 3]
    for version in (1, 2, 3):
        past = db.at(version)
        assert past.kv.list() == ["a", "b", "c"]
        assert value(past, "a") == 1
        assert past.as_of is not None
        assert past.as_of.version == 3
    assert db.at(4).kv.list() == db.at(5).kv.list() == ["a", "b", "c", "d"]


def test_microseconds_are_exact(timed: Workspace, days: list[int]) -> None:
    assert [value(timed.at(time)) for time in days] == ["월", "화", "수"]
    assert [value(timed.at(time - 1)) for time in days] == [None, "월", "화"]
    assert value(timed.at(str(days[1]))) == "화"
    assert value(timed.at(float(days[1]))) == "화"


def test_every_spelling_of_a_time_is_read(timed: Workspace, days: list[int]) -> None:
    second = datetime.fromtimestamp(days[1] / 1e6, UTC)
    seoul = timezone(timedelta(hours=9))
    forms: list[Any] = [
        second,
        second.astimezone(seoul),
        second.astimezone(seoul).replace(tzinfo=None),
        second.isoformat(),
        second.astimezone(seoul).isoformat(),
        second.strftime("%Y-%m-%dT%H:%M:%SZ"),
        second.astimezone(seoul).strftime("%Y-%m-%d %H:%M:%S"),
        second.strftime("%Y%m%dT%H%M%SZ"),
        "24h ago",
        "1 day ago",
        "1일 전",
        "24시간 전",
    ]
    for form in forms:
        assert value(timed.at(form)) == "화", form
    shown = timed.at(second).as_of
    assert shown is not None
    assert shown.timestamp == days[1]


def test_a_day_means_its_end_where_the_store_lives(timed: Workspace, days: list[int]) -> None:
    # The clock began at 18:46 in Seoul on 2025-11-15, a Saturday.
    assert value(timed.at("2025-11-15")) == value(timed.at(date(2025, 11, 15))) == "월"
    assert value(timed.at("어제")) == value(timed.at("yesterday")) == "화"
    assert value(timed.at("그제")) == "월"
    assert value(timed.at("11월 14일")) is None
    assert value(timed.at("어제 오후 6시")) == "월"
    assert value(timed.at("어제 오후 7시")) == "화"
    assert value(timed.at("30m ago")) == "수"
    assert value(timed.at("90m ago")) == "화"


def test_before_the_first_commit_there_is_nothing(timed: Workspace, days: list[int]) -> None:
    for when in (0, days[0] - 1, "1999-12-31", "10 years ago"):
        past = timed.at(when)
        assert past.kv.list() == []
        assert past.kv.get("k") is None
        assert past.log() == []
        assert past.kv.history("k") == []
        assert past.events.count() == 0
        assert past.spaces.list() == ["default"]
        assert past.vectors.list() == []
        assert past.as_of is not None
        assert past.as_of.version == 0


def test_the_future_is_now(timed: Workspace, days: list[int], clock: Any) -> None:
    for when in (days[2] + 1000 * HOUR, "2999-01-01", "now", "지금"):
        assert value(timed.at(when)) == "수"
        assert timed.resolve(when).timestamp == days[2]


def test_a_past_view_stays_where_it_is(db: Workspace) -> None:
    db.kv.put("k", 1)
    now = db.at("now")
    db.kv.put("k", 2)
    assert value(now) == 1
    assert now.at("now").kv.list() == ["k"]
    assert value(db) == 2
    assert now.resolve("now").version == 1


def test_the_past_is_whole_in_every_kind(db: Workspace) -> None:
    db.json.set("문서", "$", {"a": 1})
    db.state.set("셀", 1)
    db.events.append_many([("일", 1), ("일", 2)])
    db.vectors.create("c", 1)
    db.kv.put("t", 1, tags=["빨강"])
    point = db.space("방").kv.put("k", 1).version
    db.json.set("문서", "$.a", 2)
    db.state.delete("셀")
    db.events.append("일", 3)
    db.vectors.drop("c")
    db.kv.put("t", 2)
    db.spaces.delete("방", force=True)
    past = db.at(point)
    found, cell = past.json.get("문서", "$.a"), past.state.get("셀")
    assert found is not None
    assert found.value == 1
    assert cell is not None
    assert (past.events.count(), [e.payload for e in past.events.list("일")]) == (2, [1, 2])
    assert past.events.get(3) is None
    assert [c.name for c in past.vectors.list()] == ["c"]
    assert past.kv.list(tags=["빨강"]) == ["t"]
    assert db.kv.list(tags=["빨강"]) == []
    assert past.spaces.list() == ["default", "방"]
    assert past.space("방").kv.count() == 1
    assert past.info().keys == 5
    assert past.info().events == 2


def test_a_tag_is_a_moment_and_shows_its_branch(db: Workspace) -> None:
    db.kv.put("k", "본")
    db.tags.create("본판", message="처음")
    db.branches.fork("가지")
    db.on("가지").kv.put("k", "가지")
    db.on("가지").tags.create("가지판")
    db.kv.put("k", "나중")
    assert value(db.at("tag:본판")) == value(db.on("가지").at("tag:본판")) == "본"
    for spelling in ("tag:가지판", "tag: 가지판", " tag:가지판", "TAG:가지판", "Tag:가지판"):
        assert value(db.at(spelling)) == "가지", spelling
    fork = db.branches.fork("판에서", at="tag:가지판")
    assert fork.parent == "가지"
    assert value(db.on("판에서")) == "가지"


def test_a_tag_of_a_tag_names_the_same_state(db: Workspace) -> None:
    db.branches.fork("가지")
    db.on("가지").kv.put("k", "가지")
    db.on("가지").tags.create("원판")
    db.tags.create("사본", at="tag:원판")
    assert value(db.at("tag:사본")) == "가지"


def test_forks_of_the_past_have_that_past(timed: Workspace, days: list[int], clock: Any) -> None:
    timed.branches.fork("화요일에서", at=days[1])
    fork = timed.on("화요일에서")
    assert value(fork) == "화"
    clock.forward(hours=1)
    later = fork.kv.put("k", "새 수").timestamp
    assert value(fork.at(days[0])) == "월"
    assert value(fork.at(days[1] + HOUR)) == "화"
    assert value(fork.at(days[2])) == "화", "wednesday of the parent is not its past"
    assert value(fork.at(later)) == "새 수"
    assert value(timed.at(later)) == "수"
    assert value(fork.at(later - 1)) == "화"
    timed.branches.fork("손자", source="화요일에서", at=days[0])
    assert value(timed.on("손자")) == "월"
    assert value(timed.on("손자").at(later)) == "월"
    past_fork = timed.at(days[0]).branches.fork("보기에서")
    assert past_fork.fork_version == 1
    assert value(timed.on("보기에서")) == "월"


def test_times_grow_even_when_the_clock_jumps_back(timed: Workspace, clock: Any) -> None:
    first = timed.kv.put("k", 1).timestamp
    clock.forward(hours=-10)
    times = [timed.kv.put("k", number).timestamp for number in range(2, 7)]
    assert times == [first + step for step in range(1, 6)]
    timed.branches.fork("가지")
    assert timed.on("가지").kv.put("k", 7).timestamp == times[-1] + 1
    clock.forward(hours=20)
    assert timed.kv.put("k", 8).timestamp == clock.us
    assert [value(timed.at(time)) for time in times] == [2, 3, 4, 5, 6]
    assert value(timed.on("가지").at(times[0])) == 2
    assert timed.verify().ok


def test_now_is_the_newest_state_even_when_the_clock_is_behind(
    timed: Workspace, clock: Any
) -> None:
    times = [timed.kv.put("k", number).timestamp for number in range(3)]
    clock.forward(hours=-10)
    assert value(timed) == 2
    assert timed.tags.create("판").version == 3, "a tag names what the branch shows now"
    assert value(timed.at("tag:판")) == 2
    assert value(timed.at("now")) == 2
    assert [value(timed.at(time)) for time in times] == [0, 1, 2]


def test_time_range_spans_what_a_branch_can_see(timed: Workspace, clock: Any) -> None:
    assert timed.time_range() == strata.TimeRange(None, None)
    first = timed.kv.put("k", 1).timestamp
    timed.branches.fork("가지")
    timed.branches.create_empty("빈")
    clock.forward(days=1)
    last = timed.kv.put("k", 2).timestamp
    clock.forward(days=1)
    own = timed.on("가지").kv.put("k", 3).timestamp
    assert timed.time_range() == strata.TimeRange(first, last)
    assert timed.on("가지").time_range() == strata.TimeRange(first, own)
    assert timed.on("빈").time_range() == strata.TimeRange(None, None)


def test_changes_after_a_version_come_oldest_first(db: Workspace) -> None:
    first = db.kv.put("a", 1).version
    db.kv.put_many({"a": 2, "b": 1})
    db.kv.delete("b")
    db.branches.fork("가지")
    db.on("가지").kv.put("c", 1)
    found = [(c.key, c.action, c.before, c.after, c.version) for c in db.changes(first)]
    assert found == [
        ("a", "modified", 1, 2, 2),
        ("b", "added", None, 1, 3),
        ("b", "removed", 1, None, 4),
    ]
    assert [c.key for c in db.on("가지").changes(first)] == ["a", "b", "b", "c"]
    assert db.on("가지").changes(4)[0].after == 1
    assert db.changes(4) == []
    assert [c.version for c in db.changes(0, limit=2)] == [1, 2]
    assert [c.version for c in db.at(3).changes(0)] == [1, 2, 3]


def test_the_log_is_read_page_by_page(db: Workspace) -> None:
    for number in range(10):
        db.kv.put_many({"a": number, "b": number})
    db.branches.fork("가지")
    for number in range(5):
        db.on("가지").kv.put("c", number)
    fork = db.on("가지")
    whole = fork.log(limit=100)
    assert len(whole) == 15
    assert [c.version for c in whole] == sorted((c.version for c in whole), reverse=True)
    pages, before = [], None
    while page := fork.log(limit=4, before=before):
        pages += page
        before = page[-1].version
    assert pages == whole
    assert len(db.log(limit=100)) == 10
    assert len(fork.log(limit=3)) == 3
    assert [c.branch for c in whole] == ["가지"] * 5 + ["default"] * 10


def test_the_log_of_a_past_view_ends_there(db: Workspace) -> None:
    for number in range(5):
        db.kv.put("k", number)
    past = db.at(3)
    assert [commit.version for commit in past.log()] == [3, 2, 1]
    assert [commit.version for commit in past.log(before=3)] == [2, 1]
    assert [commit.version for commit in past.log(before=100)] == [3, 2, 1]


def test_show_tells_what_a_commit_changed(db: Workspace) -> None:
    db.kv.put("a", {"n": 1})
    with db.as_actor("소연").transaction(message="둘") as tx:
        tx.kv.put("a", {"n": 2})
        tx.space("방").kv.put("b", 1)
    commit, changes = db.show(2)
    assert (commit.version, commit.first_version, commit.message) == (3, 2, "둘")
    assert [(c.space, c.key, c.action, c.before, c.after) for c in changes] == [
        ("default", "a", "modified", {"n": 1}, {"n": 2}),
        ("방", "b", "added", None, 1),
    ]


def test_history_keeps_every_value_with_its_time(timed: Workspace, days: list[int]) -> None:
    timed.kv.delete("k")
    history = timed.kv.history("k")
    assert [(one.value, one.state) for one in history] == [
        (None, "deleted"),
        ("수", "live"),
        ("화", "live"),
        ("월", "live"),
    ]
    assert [one.timestamp for one in history[1:]] == days[::-1]
    assert [one.value for one in timed.at(days[1]).kv.history("k")] == ["화", "월"]
    assert len(timed.kv.history("k", limit=2)) == 2
    assert history[3].iso_time == "2025-11-15T09:46:40.000000Z"


def test_a_zone_can_be_set_for_the_store(
    db: Workspace, open_store: Callable[..., Workspace]
) -> None:
    time = db.kv.put("k", 1).timestamp
    local = datetime.fromtimestamp(time // 10**6 + 1, UTC)
    plain = local.strftime("%Y-%m-%d %H:%M:%S")
    assert value(open_store(timezone="UTC").at(plain)) == 1
    assert value(open_store(timezone="Asia/Seoul").at(plain)) is None
    db.settings.set("timezone", "Asia/Seoul")
    assert value(open_store().at(plain)) is None
    assert value(open_store(timezone="UTC").at(plain)) == 1


def test_numbers_of_seconds_and_milliseconds_mean_that_time(
    timed: Workspace, days: list[int]
) -> None:
    second = days[1] // 1_000_000 + 1
    for form in (second, second * 1_000, second * 1_000_000, float(second), str(second)):
        assert value(timed.at(form)) == "화", form
    assert value(timed.at(timedelta(hours=25))) == "화"


def test_a_version_that_does_not_exist_yet_is_refused(timed: Workspace, days: list[int]) -> None:
    with pytest.raises(strata.InvalidTime, match="no version 1,000,000 yet; the newest is 3"):
        timed.at(10**6)
    with pytest.raises(strata.InvalidTime, match="POSIX seconds"):
        timed.branches.fork("늦게", at="4")
    assert value(timed.at(3)) == "수"


def test_a_time_outside_the_history_answers_with_what_was_understood(
    timed: Workspace, days: list[int]
) -> None:
    early = timed.at("2001-02-03T00:00:00Z").as_of
    assert early is not None
    assert (early.version, early.iso_time) == (0, "2001-02-03T00:00:00.000000Z")
    late = timed.at("2999-01-01").as_of
    assert late is not None
    assert (late.version, late.timestamp) == (3, days[2])
    nothing = timed.at(0).as_of
    assert nothing is not None
    assert not nothing.iso_time.startswith("1970")


def test_a_clock_behind_the_newest_write_is_mentioned(timed: Workspace, clock: Any) -> None:
    timed.kv.put("k", "먼저")
    clock.forward(days=2)
    timed.kv.put("k", "이틀 앞")
    assert timed.resolve("1h ago").warning is None
    clock.forward(days=-2)
    timed.kv.put("k", "지금")
    seen = timed.at("1h ago").as_of
    assert seen is not None
    assert seen.warning is not None
    assert "2 days" in seen.warning
    assert timed.resolve(1).warning is None


def test_a_merged_event_keeps_the_time_at_which_it_happened(timed: Workspace, clock: Any) -> None:
    timed.branches.fork("try")
    there = timed.on("try")
    logged = there.events.append("배포", {"n": 1})
    clock.forward(hours=2)
    timed.branches.merge("try")
    merged = timed.events.get(1)
    assert merged is not None
    assert (merged.timestamp, merged.time) == (logged.timestamp, logged.time)
    assert merged.recorded_at == timed.log(limit=1)[0].timestamp > merged.timestamp
    assert logged.recorded_at == logged.timestamp


def test_an_event_can_be_told_later_than_it_happened(timed: Workspace, clock: Any) -> None:
    now = timed.kv.put("k", 1).timestamp
    clock.forward(hours=2)
    told = timed.events.append("정전", {}, time="2h ago")
    assert told.timestamp == pytest.approx(now, abs=1_000_000)
    assert told.recorded_at > told.timestamp
    assert timed.events.get(1) == told
    later = timed.events.append("곧", {}, time="2999-01-01")
    assert later.timestamp <= later.recorded_at
    many = timed.events.append_many([("가", 1, "2001-02-03T00:00:00Z"), ("나", 2)])
    assert many[0].iso_time.startswith("2001-02-03")
    assert [one.type for one in timed.events.list(order="time")] == ["가", "정전", "곧", "나"]
    timed.branches.fork("try")
    timed.branches.create_empty("빈")
    timed.branches.merge("try", into="빈")
    copied = timed.on("빈").events.get(1)
    assert copied is not None
    assert copied.timestamp == told.timestamp
    for wrong in (7, "tag:v1", "언젠가"):
        with pytest.raises(strata.InvalidTime):
            timed.events.append("x", {}, time=wrong)
    assert len(timed.events) == 4


def test_an_event_that_was_hidden_and_came_back_keeps_its_time(
    timed: Workspace, clock: Any
) -> None:
    notes = timed.space("메모")
    logged = notes.events.append("배포", {"n": 1})
    clock.forward(hours=1)
    timed.spaces.delete("메모", force=True)
    clock.forward(hours=1)
    timed.undo()
    back = timed.space("메모").events.get(1)
    assert back is not None
    assert (back.timestamp, back.payload) == (logged.timestamp, {"n": 1})
    assert timed.verify().ok
