"""How long the crash tests search: briefly among the other tests, for long in `./dev crash`."""

import os

IS_LONG = os.environ.get("CRASH_TESTS") == "long"


def rounds(brief: int, long: int) -> int:
    """Return how often a test repeats what it does at random."""
    return long if IS_LONG else brief
