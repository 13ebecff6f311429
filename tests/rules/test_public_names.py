"""The public names are pinned: one added or lost by accident is noticed here."""

from pathlib import Path

import strata

PINNED = Path(__file__).with_name("public_names.txt")
ADVICE = f"""
If the change is meant, say so in CHANGELOG.md and write the list again:
    ./dev python -c "import strata; print(*sorted(strata.__all__), sep=chr(10))" \\
        > tests/rules/{PINNED.name}
"""


def test_the_public_names_are_the_pinned_ones() -> None:
    pinned = PINNED.read_text(encoding="utf-8").split()
    assert pinned == sorted(set(pinned)), f"{PINNED.name} must be sorted, each name once"
    added = sorted(set(strata.__all__) - set(pinned))
    lost = sorted(set(pinned) - set(strata.__all__))
    assert not added, f"not in {PINNED.name}: {', '.join(added)}{ADVICE}"
    assert not lost, f"no longer in strata.__all__: {', '.join(lost)}{ADVICE}"


def test_every_public_name_can_be_had() -> None:
    assert [name for name in strata.__all__ if not hasattr(strata, name)] == []
