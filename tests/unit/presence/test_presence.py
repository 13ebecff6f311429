"""Who is at a document: for half a minute, once each, and only for those who may read it."""

from pathlib import Path

import pytest

import strata
from strata.base import limits
from strata.presence import COLOURS, Presences, Status, colour_of
from strata.sql import SqliteConnection
from tests.unit.conftest import Bench

SECOND = 1_000_000


@pytest.fixture
def document(bench: Bench) -> str:
    return bench.db.documents.create("계획", "# 목표\n\n봄에 한다.\n").document


def statuses(room: Presences, document: str) -> list[tuple[str, str | None, str]]:
    return [(one.name, one.via, one.status) for one in room.list(document)]


def test_somebody_counts_for_half_a_minute(bench: Bench, document: str) -> None:
    assert bench.db.presence.touch(document, session="tab", section="목표")
    bench.clock.us += 30 * SECOND
    (found,) = bench.db.presence.list(document)
    assert (found.name, found.entity_type, found.status) == ("owner", "person", "viewing")
    assert found.section == "목표"
    assert found.seen == bench.clock.us - 30 * SECOND
    bench.clock.us += 1
    assert bench.db.presence.list(document) == []


def test_whoever_stays_is_written_every_five_seconds_at_most(bench: Bench, document: str) -> None:
    touch = bench.db.presence.touch
    written = 0
    for _ in range(60):
        written += touch(document, session="tab")
        bench.clock.us += SECOND
    assert written == 12
    assert statuses(bench.db.presence, document) == [("owner", None, "viewing")]


@pytest.mark.parametrize("news", [{"status": "editing"}, {"section": "일정"}, {"session": "other"}])
def test_news_are_written_at_once(bench: Bench, document: str, news: dict[str, str]) -> None:
    told = {"session": "tab", "section": "목표"}
    assert bench.db.presence.touch(document, **told)  # pyright: ignore[reportArgumentType]
    assert not bench.db.presence.touch(document, **told)  # pyright: ignore[reportArgumentType]
    assert bench.db.presence.touch(document, **told | news)  # pyright: ignore[reportArgumentType]


def test_a_clock_that_was_set_back_stops_nobody(bench: Bench, document: str) -> None:
    bench.db.presence.touch(document, session="tab")
    bench.clock.us -= 3600 * SECOND
    assert bench.db.presence.touch(document, session="tab")
    assert len(bench.db.presence.list(document)) == 1


def test_an_edit_counts_as_editing_for_half_a_minute(bench: Bench, document: str) -> None:
    bench.db.presence.touch(document, session="tab", status="editing")
    for status in ("viewing", "idle"):
        bench.clock.us += 12 * SECOND
        bench.db.presence.touch(document, session="tab", status=status)
        assert statuses(bench.db.presence, document) == [("owner", None, "editing")]
    bench.clock.us += 6 * SECOND
    bench.db.presence.touch(document, session="tab", status="idle")
    assert statuses(bench.db.presence, document) == [("owner", None, "idle")]


def test_each_person_and_each_agent_is_listed_once(bench: Bench, document: str) -> None:
    room = bench.db.presence
    room.touch(document, session="1", section="A")
    bench.clock.us += SECOND
    room.touch(document, session="2", status="editing", section="B")
    bench.clock.us += SECOND
    room.touch(document, session="3", status="idle", section="C")
    room.touch(document, session="4", via="codex", section="D")
    found = {
        (one.name, one.via): (one.status, one.section, one.entity_type)
        for one in room.list(document)
    }
    assert found == {
        ("owner", None): ("editing", "B", "person"),
        ("owner", "codex"): ("viewing", "D", "agent"),
    }


def test_leaving_takes_one_window_away(bench: Bench, document: str) -> None:
    ann = bench.db.users.add("ann@example.com", "소연")
    bench.db.documents.share(document, ann.email, "viewer")
    bench.db.presence.touch(document, session="1")
    other = bench.db.as_user(ann.id).presence
    other.touch(document, session="2")
    other.leave(document, session="1")  # somebody else's
    assert len(other.list(document)) == 2
    bench.db.presence.leave(document, session="1")
    assert [one.name for one in other.list(document)] == ["소연"]
    assert bench.db.presence.touch(document, session="1")  # back again, at once


def test_each_branch_has_its_own_people(bench: Bench, document: str) -> None:
    bench.db.branches.fork("초안")
    bench.db.presence.touch(document, session="1", section="here")
    bench.db.on("초안").presence.touch(document, session="1", section="there")
    assert [one.section for one in bench.db.presence.list(document)] == ["here"]
    assert [one.section for one in bench.db.on("초안").presence.list(document)] == ["there"]


def test_only_readers_are_told_and_only_readers_are_noted(bench: Bench, document: str) -> None:
    ann = bench.db.as_user(bench.db.users.add("ann@example.com").id)
    bench.db.presence.touch(document, session="1")
    for act in (
        lambda: ann.presence.list(document),
        lambda: ann.presence.touch(document, session="2"),
    ):
        with pytest.raises(strata.NotFound) as hidden:
            act()
        assert document in hidden.value.message
    with pytest.raises(strata.NotFound):
        ann.presence.list("doc_missing")
    with pytest.raises(strata.NotFound):
        bench.db.presence.list("doc_missing")
    assert statuses(bench.db.presence, document) == [("owner", None, "viewing")]


def test_what_others_see_is_one_short_line(bench: Bench, document: str) -> None:
    bench.db.presence.touch(document, session="1", section="목\n표\x00" + "x" * 999, via=" ")
    (found,) = bench.db.presence.list(document)
    assert found.via is None
    assert found.section == "목표" + "x" * 198


def test_an_unknown_status_is_refused(bench: Bench, document: str) -> None:
    odd: Status = "asleep"  # pyright: ignore[reportAssignmentType]
    with pytest.raises(strata.InvalidArgument, match="asleep"):
        bench.db.presence.touch(document, session="1", status=odd)


def test_rows_of_those_who_are_gone_do_not_pile_up(bench: Bench, document: str) -> None:
    for number in range(50):
        bench.clock.us += 10 * SECOND
        bench.db.presence.touch(document, session=str(number))
    statement = bench.store.queries.presence_of_document
    branch = bench.db._view.snapshot.branch_id
    rows = bench.store.connection().rows(statement, (document, branch, 0))
    assert len(rows) == 4  # of the last 30 seconds


def test_a_store_that_is_only_read_notes_nobody(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with strata.open(path, durability="standard", auto_embed=False) as db:
        document = db.documents.create("계획").document
        db.presence.touch(document, session="1")
        with strata.open(path, read_only=True) as reader:
            assert not reader.presence.touch(document, session="2")
            reader.presence.leave(document, session="1")
            assert statuses(reader.presence, document) == [("owner", None, "viewing")]


def test_a_touch_does_not_change_how_durable_the_store_is(tmp_path: Path) -> None:
    with strata.open(tmp_path / "store.db", durability="always", auto_embed=False) as db:
        document = db.documents.create("계획").document
        connection = db._store.connection()
        assert isinstance(connection, SqliteConnection)
        before = connection.pragma("synchronous")
        assert db.presence.touch(document, session="1")
        assert connection.pragma("synchronous") == before == 2
        assert db.changes(0)[-1].key.startswith("doc_")  # presence is no change of the store


def test_colours_are_readable_on_light_and_dark_pages() -> None:
    white, dark = 1.0, _luminance("#14161a")
    for colour in COLOURS:
        own = _luminance(colour)
        assert (white + 0.05) / (own + 0.05) >= 4.5, colour  # letters on it, or it on paper
        assert (own + 0.05) / (dark + 0.05) >= 3.0, colour  # a line on a dark page
    assert len(set(COLOURS)) == len(COLOURS)


def test_as_many_people_as_there_are_colours_have_one_each() -> None:
    found = [colour_of(number) for number in range(3 * len(COLOURS))]
    assert set(found[: len(COLOURS)]) == set(COLOURS)
    assert found[len(COLOURS) :] == [*found[: len(COLOURS)], *found[: len(COLOURS)]]
    assert all(colour_of(number, "codex") != colour_of(number) for number in range(30))


def test_four_people_at_a_document_have_four_colours(db: strata.Workspace) -> None:
    made = db.documents.create("계획").document
    views = [db]
    for name in ("ann", "bob", "민지"):
        user = db.users.add(f"{name}@example.com", name)
        db.documents.share(made, user.email, "editor")
        views.append(db.as_user(user.id))
    for number, view in enumerate(views):
        view.presence.touch(made, session=str(number))
    found = {one.name: one.colour for one in db.presence.list(made)}
    assert len(set(found.values())) == 4
    assert found["민지"] == views[3].presence.colour()


def _luminance(colour: str) -> float:
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_the_limits_fit_together() -> None:
    assert limits.PRESENCE_TOUCH_S * 3 <= limits.PRESENCE_S
