"""A store of an older format that is only read: everything it knows, and one clear error."""

from pathlib import Path

import apsw
import pytest

import strata
from strata.base.errors import InvalidArgument, Unusable
from strata.sql import migrate


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a store as it was before people and documents came."""
    path = tmp_path / "old.db"
    steps = migrate.steps()[:5]
    with monkeypatch.context() as patched:
        patched.setattr(migrate, "steps", lambda: steps)
        with strata.open(path, auto_embed=False) as db:
            db.kv.put("배포", "금요일에는 하지 않는다")
    assert apsw.Connection(str(path)).pragma("user_version") == 5
    return path


def test_what_an_older_store_knows_can_be_read(old: Path) -> None:
    with strata.open(old, read_only=True, auto_embed=False) as db:
        kept = db.kv.get("배포")
        assert kept is not None
        assert kept.value == "금요일에는 하지 않는다"
        assert [hit.key for hit in db.search("금요일")] == ["배포"]
        assert len(db.confined().log()) == 1
        assert len(db.confined().changes(0)) == 1


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
