"""Emails that an outside issuer vouches for: only the case of letters may differ."""

import pytest

from strata import Workspace


@pytest.mark.parametrize(
    ("email", "claimed"),
    [
        ("sam@example.com", "\u017fam@example.com"),  # a long s
        ("kim@example.com", "\u212aim@example.com"),  # the sign for kelvin
        ("straße@example.com", "strasse@example.com"),
        ("fin@example.com", "\ufb01n@example.com"),  # a ligature
    ],
)
def test_letters_that_only_fold_to_the_same_are_somebody_else(
    db: Workspace, email: str, claimed: str
) -> None:
    db.users.add(email)
    assert db.users.known_by(claimed) is None
    assert db.users.known_by(email) is not None


@pytest.mark.parametrize(
    ("email", "claimed"),
    [
        ("Ann@Example.com", "ann@EXAMPLE.com"),
        ("jürgen@bücher.de", "JÜRGEN@Bu\u0308cher.DE"),
        ("소연@예시.한국", "소연@예시.한국"),
    ],
)
def test_case_and_composition_do_not_matter(db: Workspace, email: str, claimed: str) -> None:
    added = db.users.add(email)
    assert db.users.known_by(claimed) == added
