"""Listings of a damaged file end: a number that leads back is damage."""

import pytest

from strata import DamagedStore
from strata.store import onward


def test_a_listing_goes_on_behind_the_last_version() -> None:
    assert onward(7, 3) == 7


@pytest.mark.parametrize("version", [3, 2, 0, -9])
def test_a_version_that_leads_back_is_damage(version: int) -> None:
    with pytest.raises(DamagedStore):
        onward(version, 3)
