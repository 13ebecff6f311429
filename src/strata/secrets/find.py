"""Finding secrets in a text: where, and of which kind. What was found is never handed on."""

import msgspec

from strata.secrets.candidates import candidates, may_hold


class Finding(msgspec.Struct, frozen=True):
    """A secret in a text: its kind and its place, never the secret itself."""

    kind: str
    start: int
    end: int


def find_secrets(text: str) -> list[Finding]:
    """Return the secrets in a text, in its order; no two of them overlap.

    >>> find_secrets("commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b")
    []
    """
    data = text.encode(errors="replace")
    if not may_hold(data):
        return []
    lower = text.lower()
    if len(lower) != len(text):  # a dotted capital I becomes two letters
        lower = text.replace("İ", "I").lower()
    found: list[Finding] = []
    # One byte for each letter that a finding covers: comparing with the other findings instead
    # would take the square of their number, and a text can hold a hundred thousand.
    covered = bytearray(len(text))
    for rule in candidates(data, lower):
        for match in rule.matches(text, lower):
            start, end = match.span(match.lastindex or 0)
            if covered.find(1, start, end) < 0:
                covered[start:end] = b"\1" * (end - start)
                found.append(Finding(rule.kind, start, end))
    return sorted(found, key=lambda finding: finding.start)
