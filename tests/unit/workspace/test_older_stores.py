"""A store of an older format that is only read: everything it knows, and one clear error."""

from pathlib import Path

import pytest

import strata
from strata.base.errors import InvalidArgument, Unusable
from strata.sql import format_number
from tests.stores import old_store


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Return a store as it was before people and documents came."""
    return old_store(5, tmp_path / "old.db")


@pytest.mark.parametrize("number", [2, 4, 5, 6, 9])
def test_every_format_is_brought_up_to_date_with_its_history(tmp_path: Path, number: int) -> None:
    path = old_store(number, tmp_path / "old.db")
    with strata.open(path, auto_embed=False) as db:
        assert db.info().format == format_number()
        assert [one.value for one in db.kv.history("배포")] == [
            "금요일 오후에는 하지 않는다", "금요일에는 하지 않는다",
        ]  # fmt: skip
        assert [event.type for event in db.events.list()] == ["deploy"]
        assert db.on("실험").kv.get("limit") is not None
        assert db.verify(full=True).ok
        db.kv.put("배포", "다시")
        assert db.verify(full=True).ok


def test_the_documents_and_the_users_of_a_store_stay(tmp_path: Path) -> None:
    path = old_store(9, tmp_path / "old.db")
    with strata.open(path, auto_embed=False) as db:
        assert db.documents.text(db.documents.called("계획")) == "# 목표\n\n여름에 출시한다.\n"
        assert "ann@example.com" in [user.email for user in db.people.list()]


def test_what_an_older_store_knows_can_be_read(old: Path) -> None:
    with strata.open(old, read_only=True, auto_embed=False) as db:
        kept = db.kv.get("배포")
        assert kept is not None
        assert kept.value == "금요일 오후에는 하지 않는다"
        assert [hit.key for hit in db.search("금요일")] == ["배포"]
        assert len(db.serving.confined().log()) == 6
        assert len(db.serving.confined().changes(0)) == 7


@pytest.mark.parametrize("name", ["people", "teams", "folders", "rights", "tokens", "audit"])
def test_what_it_does_not_know_yet_says_how_it_comes_to(old: Path, name: str) -> None:
    with (
        strata.open(old, read_only=True, auto_embed=False) as db,
        pytest.raises(Unusable, match="format 5") as caught,
    ):
        getattr(db, name)
    assert "for writing" in str(caught.value.hint)


def test_documents_of_an_older_store_say_the_same(old: Path) -> None:
    with strata.open(old, read_only=True, auto_embed=False) as db, pytest.raises(Unusable):
        db.documents.called("Plan")
    with strata.open(old, auto_embed=False) as db:
        assert db.documents.create("Plan").status == "applied"


def test_a_store_in_memory_has_no_path() -> None:
    with pytest.raises(InvalidArgument, match="no path"):
        strata.open(":memory:")
    assert not Path(":memory:").exists()
