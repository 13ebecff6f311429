"""Counts in words, as messages say them."""


def plural(count: int, noun: str) -> str:
    """Spell a count: 1 key, 3 keys, 2 branches, 2 memories."""
    return f"{count:,} {noun if count == 1 else _several(noun)}"


def counted(**counts: int) -> str:
    """List what is there of each noun, without what there is none of.

    >>> counted(team=0, folder=1, document=3), counted(team=2, folder=1, Space=1)
    ('1 folder and 3 documents', '2 teams, 1 folder and 1 Space')
    """
    *most, last = [plural(count, noun) for noun, count in counts.items() if count] or ["nothing"]
    return f"{', '.join(most)} and {last}" if most else last


def _several(noun: str) -> str:
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("ch", "s")) else f"{noun}s"
