"""Seeing quickly that there is no secret: nearly every text is passed here."""

from strata.secrets.rules import cloud, code, commerce, credentials, machines, private_keys
from strata.secrets.rules.rule import HEAD_LETTERS, Rule

# The first of two that match the same place names it, so the narrower ones come first.
RULES: tuple[Rule, ...] = (
    *private_keys.RULES, *machines.RULES, *code.RULES, *cloud.RULES, *commerce.RULES,
    *credentials.RULES,
)  # fmt: skip
KINDS: tuple[str, ...] = tuple(dict.fromkeys(rule.kind for rule in RULES))

# Machines make long words; no language of people has many of this length.
_LONG = 16
_IN_WORDS = bytes(code for code in range(128) if chr(code).isalnum() or chr(code) in "_-")
_AS_RUN = bytes(ord("a") if code in _IN_WORDS else ord(" ") for code in range(256))
_AS_WORDS = bytes(code if code in _IN_WORDS else ord(" ") for code in range(256))
_RUN = b"a" * _LONG


def _by_head() -> dict[bytes, tuple[int, ...]]:
    found: dict[bytes, tuple[int, ...]] = {}
    for number, rule in enumerate(RULES):
        for head in dict.fromkeys(head[:HEAD_LETTERS].encode() for head in rule.heads):
            found[head] = (*found.get(head, ()), number)
    return found


def _by_mark() -> tuple[tuple[str, tuple[int, ...]], ...]:
    found: dict[str, tuple[int, ...]] = {}
    for number, rule in enumerate(RULES):
        for mark in rule.marks:
            found[mark] = (*found.get(mark, ()), number)
    return tuple(found.items())


_HEADS, _MARKS = _by_head(), _by_mark()


def may_hold(data: bytes) -> bool:
    """Whether a text, or JSON, in UTF-8 must be looked at more closely; False is certain."""
    if _RUN in data.translate(_AS_RUN):
        return True
    if b":" not in data and b"=" not in data and b"pass" not in data and b"earer " not in data:
        return False  # nothing is assigned here, and nobody logs in
    if b"@" in data and b"://" in data:
        return True
    return names_one(data.lower())


def names_one(lower: bytes) -> bool:
    """Whether one of the words stands there that stand beside what a person chose."""
    # Written out, because a loop takes three times as long, and this is part of every put.
    return (
        b"pass" in lower or b"pwd" in lower or b"secret" in lower or b"token" in lower
        or b"key" in lower or b"cred" in lower or b"auth" in lower or b"curl" in lower
        or b"bearer" in lower
    )  # fmt: skip


def candidates(data: bytes, lower: str) -> list[Rule]:
    """Return the rules that may find something in a text, in their order."""
    numbers = {number for mark, rules in _MARKS if mark in lower for number in rules}
    for word in data.translate(_AS_WORDS).split():
        if len(word) >= _LONG:
            numbers.update(_HEADS.get(word.lstrip(b"_-")[:HEAD_LETTERS], ()))
    return [RULES[number] for number in sorted(numbers)]
