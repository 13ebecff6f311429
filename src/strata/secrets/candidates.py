"""Seeing quickly that there is no secret: nearly every text is passed here."""

from strata.secrets.rules import (
    cloud,
    code,
    commerce,
    credentials,
    language_models,
    notes,
    private_keys,
)
from strata.secrets.rules.rule import HEAD_LETTERS, Rule

# The first of two that match the same place names it, so the narrower ones come first.
RULES: tuple[Rule, ...] = (
    *private_keys.RULES,
    *language_models.RULES,
    *code.RULES,
    *cloud.RULES,
    *commerce.RULES,
    *credentials.RULES,
    *notes.RULES,
)
KINDS: tuple[str, ...] = tuple(dict.fromkeys(rule.kind for rule in RULES))

# Programs make long words; no natural language has many of this length.
_LONG = 16
_IN_WORDS = bytes(code for code in range(128) if chr(code).isalnum() or chr(code) in "_-")
_AS_RUN = bytes(ord("a") if code in _IN_WORDS else ord(" ") for code in range(256))
_AS_WORDS = bytes(code if code in _IN_WORDS else ord(" ") for code in range(256))
_RUN = b"a" * _LONG
_ASCII = bytes(range(128))
# Labels in Korean, as their bytes read in Latin-1.
_PASSWORD, _PASSWORD_SHORT, _PASSWORD_LOAN, _CIPHER, _ACCOUNT, _LOGIN, _ID, _PHRASE, _MNEMONIC = (
    word.encode().decode("latin-1")
    for word in (
        "비밀번호",
        "비번",
        "패스워드",
        "암호",
        "계정",
        "로그인",
        "아이디",
        "구문",
        "니모닉",
    )
)


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
    # Not `in` on bytes: inside CPython it raises and drops an error before it searches, which
    # takes longer than the search. On text it does not.
    if data.translate(_AS_RUN).find(_RUN) >= 0:
        return True
    text = data.decode("latin-1")
    if (
        ":" not in text
        and "=" not in text
        and "pass" not in text
        and "earer " not in text
        and " -p" not in text
        and _PASSWORD not in text
        and _PASSWORD_SHORT not in text
        and _PASSWORD_LOAN not in text
        and _CIPHER not in text
    ):
        return False  # nothing is assigned here, and no login is described
    if "@" in text and "://" in text:
        return True
    return names_one(data.lower())


def names_one(lower: bytes) -> bool:
    """Whether the text has one of the words that occur beside a password that a user chose."""
    # Written out, because a loop takes three times as long, and this is part of every put. One
    # letter is found many times as quickly as a word, and a short text often lacks the rare ones.
    text = lower.decode("latin-1")
    return (
        "pass" in text
        or "secret" in text
        or "cred" in text
        or "auth" in text
        or "curl" in text
        or "login" in text
        or " phrase" in text
        or "mnemonic" in text
        or ("k" in text and ("key" in text or "token" in text or "cookie" in text))
        or ("w" in text and ("pw" in text or "seed words" in text))
        or ("b" in text and ("bearer" in text or "mariadb" in text))
        or ("q" in text and "mysql" in text)
        or ("_" in text and "_session" in text)
    ) or (not lower.isascii() and _names_one_in_korean(lower))


def _names_one_in_korean(lower: bytes) -> bool:
    # Most of JSON is ASCII, in a text in Korean too, and no word of these has any.
    text = lower.translate(None, _ASCII).decode("latin-1")
    return (
        _PASSWORD in text
        or _PASSWORD_SHORT in text
        or _PASSWORD_LOAN in text
        or _CIPHER in text
        or _ACCOUNT in text
        or _LOGIN in text
        or _ID in text
        or _PHRASE in text
        or _MNEMONIC in text
    )


def fits_a_rule(data: bytes) -> bool:
    """Whether a rule may find something in JSON, without decoding it; False is certain.

    Long words are common (a slug, a hash, the digits of a float), and walking through a value for
    each of them would take most of a put. Escaped text is not what the rules look for.
    """
    return data.find(b"\\") >= 0 or bool(candidates(data, data.decode(errors="replace").lower()))


def candidates(data: bytes, lower: str) -> list[Rule]:
    """Return the rules that may find something in a text, in their order."""
    numbers = {number for mark, rules in _MARKS if mark in lower for number in rules}
    for word in data.translate(_AS_WORDS).split():
        if len(word) >= _LONG:
            numbers.update(_HEADS.get(word.lstrip(b"_-")[:HEAD_LETTERS], ()))
    return [RULES[number] for number in sorted(numbers)]
