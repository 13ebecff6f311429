"""How many examples a test tries: as many as it says, for each hundred that the profile allows."""

from hypothesis import settings


def examples(number: int) -> int:
    """Return a number of examples for the chosen profile: 30 of 100 in `ci`, 500 in `dev`."""
    return max(1, number * (settings.default or settings()).max_examples // 100)
