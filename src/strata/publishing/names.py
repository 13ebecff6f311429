"""Names in public addresses: letters of every script, and nothing that deceives the eye."""

import re
from unicodedata import category, name, normalize
from urllib.parse import quote

from strata.base import limits
from strata.base.errors import InvalidArgument
from strata.base.normal import normal

# Letters and marks that are drawn as nothing: two names could differ by them alone.
_UNSEEN = re.compile(
    r"[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_SHOWN = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Nd"})
# A name is made of how a text begins: of a heading as long as a book the rest is not looked at.
_LOOKED_AT = 1_000
_HYPHENS = re.compile(r"-{2,}")
# Scripts that are written together with Latin letters and have none that look like them.
_BESIDE_LATIN = frozenset({"HANGUL", "CJK", "HIRAGANA", "KATAKANA", "BOPOMOFO"})


def slug_of(text: str) -> str:
    """Return a text as a part of an address; empty if no character of it is allowed there.

    >>> slug_of("  Ship in May! (배포 계획) ")
    'ship-in-may-배포-계획'
    """
    plain = normal("NFKC", normal("NFKC", text[:_LOOKED_AT]).casefold())
    plain = _UNSEEN.sub("", plain)
    kept = "".join(letter if category(letter) in _SHOWN else "-" for letter in plain)
    # A mark needs a letter before it.
    parts = (_led_by_letter(part) for part in _HYPHENS.sub("-", kept).split("-"))
    whole = "-".join(part for part in parts if part)
    return normalize("NFC", whole[: limits.SLUG_CHARACTERS_MAX].strip("-"))


def _led_by_letter(part: str) -> str:
    while part and category(part[0]) in ("Mn", "Mc"):
        part = part[1:]
    return part


def numbered(slug: str, number: int) -> str:
    """Return a slug with a number behind it, no longer than one may be.

    >>> numbered("계획", 2)
    '계획-2'
    """
    ending = f"-{number}"
    return slug[: limits.SLUG_CHARACTERS_MAX - len(ending)].rstrip("-") + ending


def check_profile_name(given: str) -> str:
    """Return the name of a profile as addresses have it, or raise InvalidArgument.

    >>> check_profile_name("김 소연")
    '김-소연'
    """
    found = slug_of(given.removeprefix("@"))
    if not is_profile_name(found):
        raise InvalidArgument(
            f"{given[:100]!r} cannot be the name of a profile.",
            hint="Use 2 to 80 letters, digits and hyphens, and not scripts that look alike.",
            parameter="name",
        )
    return found


def is_profile_name(slug: str) -> bool:
    """Tell whether a part of an address may be the name of a profile.

    >>> is_profile_name("소연"), is_profile_name("\N{CYRILLIC SMALL LETTER A}nn")
    (True, False)
    """
    return len(slug) > 1 and _is_of_one_kind(slug)


def _is_of_one_kind(text: str) -> bool:
    """Tell whether no letters of scripts meet that are easily taken for each other."""
    scripts = {name(letter, "").partition(" ")[0] for letter in text if letter.isalpha()}
    others = scripts - _BESIDE_LATIN
    return len(others) <= 1 and ("LATIN" in others or not (others and scripts & _BESIDE_LATIN))


def path_of(profile: str, slug: str | None = None) -> str:
    """Return the address of a profile or of one of its pages, without the server's.

    >>> path_of("ann", "plan")
    '/@ann/plan'
    """
    home = f"/@{quote(profile, safe='')}"
    return home if slug is None else f"{home}/{quote(slug, safe='')}"
