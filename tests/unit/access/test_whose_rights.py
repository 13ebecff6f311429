"""Nobody gets the rights of the owner by leaving out whose rights are meant."""

from typing import Any

import pytest

import strata
from strata.access import (
    OWNER,
    Audit,
    DocumentSpaces,
    Folders,
    Grant,
    People,
    Rights,
    Shares,
    SignIns,
    Teams,
    Tokens,
)
from tests.unit.search.embedders import store_of

ROOMS = (Audit, DocumentSpaces, Folders, People, Shares, SignIns, Teams, Tokens)


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_is_not_made_without_saying_whose_rights_count(room: Any) -> None:
    db = strata.open(durability="cache")
    with pytest.raises(TypeError, match="rights"):
        room(store_of(db))


def test_rights_and_grants_are_not_made_without_a_person() -> None:
    db = strata.open(durability="cache")
    made: Any = Rights
    with pytest.raises(TypeError, match="person"):
        made(store_of(db))
    grant: Any = Grant
    with pytest.raises(TypeError, match="user"):
        grant("소연")


def test_a_token_for_all_groups_is_for_documents_and_not_for_developers() -> None:
    grant = Grant("소연", OWNER, groups=frozenset({"all"}))
    assert grant.permits("core")
    assert grant.permits("memory")
    assert not grant.permits("developer")
    assert Grant("소연", OWNER).permits("developer")
