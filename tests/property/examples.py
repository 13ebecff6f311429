"""How many examples a test tries: as many as it says, times what the profile asks for."""

from hypothesis import settings


def examples(number: int) -> int:
    """Return a number of examples for the chosen profile; `ci` takes it as it is."""
    return max(1, number * (settings.default or settings()).max_examples // 100)
