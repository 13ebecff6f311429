"""What an outside issuer's scopes let somebody do."""

import pytest

from strata.access import EVERYTHING, OWNER, grant_of_scopes, scopes_for


@pytest.mark.parametrize("scopes", [[], ["openid", "email"], ["memory"], ["strata:write"]])
def test_scopes_that_name_no_group_of_ours_grant_nothing(scopes: list[str]) -> None:
    assert grant_of_scopes(scopes, who="소연", principal="p") is None


def test_a_group_is_read_only_until_writing_is_granted_too() -> None:
    reader = grant_of_scopes(["strata:memory"], who="소연", principal="p")
    writer = grant_of_scopes(["strata:memory", "strata:write"], who="소연", principal="p")
    assert reader is not None
    assert writer is not None
    assert (reader.groups, reader.read_only) == ({"memory"}, True)
    assert (writer.groups, writer.read_only) == ({"memory"}, False)
    assert not writer.permits("developer")


def test_one_scope_grants_every_group() -> None:
    grant = grant_of_scopes(["strata:all", "strata:memory"], who="소연", principal="p")
    assert grant is not None
    assert grant.permits("developer")
    assert grant.read_only


def test_every_scope_that_is_offered_is_understood() -> None:
    offered = scopes_for(["memory", "developer"])
    assert offered == ["strata:memory", "strata:developer", "strata:all", "strata:write"]
    assert EVERYTHING.permits("memory")
    assert not EVERYTHING.read_only


def test_scopes_alone_never_act_for_the_owner() -> None:
    scopes = ["strata:all", "strata:write"]
    stranger = grant_of_scopes(scopes, who="소연", principal="p")
    known = grant_of_scopes(scopes, who="소연", principal="p", user="user_1")
    assert stranger is not None
    assert known is not None
    assert (stranger.user, known.user, EVERYTHING.user) == (None, "user_1", OWNER)
    assert not known.cap.read_only
