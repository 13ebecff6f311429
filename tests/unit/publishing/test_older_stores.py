"""Documents of a store from before publishing, which is only read."""

from pathlib import Path

import pytest

import strata
from strata.documents import Request
from tests.stores import old_store


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return old_store(6, tmp_path / "old.db")


def test_they_can_be_read_and_are_drafts(old: Path) -> None:
    with strata.open(old, read_only=True, auto_embed=False) as db:
        assert db.documents.get(db.documents.called("계획")).status == "draft"
        assert [item.status for item in db.documents.find(Request(intent="list")).items] == [
            "draft"
        ]
        with pytest.raises(strata.StrataError, match="format 6"):
            _ = db.publishing
    with strata.open(old, auto_embed=False) as db:
        assert db.publishing.publish(db.documents.called("계획")).number == 1


def test_a_store_that_is_only_read_tells_what_is_published(old: Path) -> None:
    with strata.open(old, auto_embed=False) as db:
        document = db.documents.called("계획")
        db.publishing.publish(document)
    with strata.open(old, read_only=True, auto_embed=False) as db:
        assert db.publishing.status(document).state == "published"
        assert db.publishing.profile().name == "owner"
        with pytest.raises(strata.ReadOnly):
            db.publishing.unpublish(document)
