"""A caller does not get the rights of the owner by leaving out whose rights are meant."""

from typing import Any

import pytest

import strata
from strata.access import (
    OWNER,
    Audit,
    DocumentSpaces,
    Folders,
    Grant,
    Permissions,
    Shares,
    SignIns,
    Teams,
    Tokens,
    Users,
)
from tests.unit.search.embedders import store_of

PARTS = (Audit, DocumentSpaces, Folders, Users, Shares, SignIns, Teams, Tokens)


@pytest.mark.parametrize("part", PARTS)
def test_a_part_is_not_made_without_saying_whose_rights_count(part: Any) -> None:
    db = strata.open(durability="cache")
    with pytest.raises(TypeError, match="rights"):
        part(store_of(db))


def test_rights_and_grants_are_not_made_without_a_person() -> None:
    db = strata.open(durability="cache")
    made: Any = Permissions
    with pytest.raises(TypeError, match="user"):
        made(store_of(db))
    with pytest.raises(TypeError, match="cap"):
        made(store_of(db), db.users.owner())
    grant: Any = Grant
    with pytest.raises(TypeError, match="user"):
        grant("소연")


def test_a_token_for_all_groups_is_for_documents_and_not_for_developers() -> None:
    grant = Grant("소연", OWNER, groups=frozenset({"all"}))
    assert grant.permits("core")
    assert grant.permits("memory")
    assert not grant.permits("developer")
    assert Grant("소연", OWNER).permits("developer")
