"""English words: their stems, so that `caches`, `cached` and `caching` meet, and the commonest.

The rules are those of Porter's second English stemmer, as Snowball has them today. A word is cut
in steps, and most steps look only into one of two regions, so that short words keep their ending:
the first begins behind the first consonant that follows a vowel, the second finds such a place
again inside the first.
"""

import re
from functools import cache

from strata.base.memo import remembered


@remembered(2_048)  # Words come inside ever new names: `item-48121`, `item-48122`.
def stem(word: str) -> str:
    """Return the stem of one English word, given in lower-case ASCII letters."""
    if len(word) <= 2:
        return word
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    word = _with_consonant_y(word)
    first = _first_region(word)
    second = _region(word, first)
    word = _past_or_gerund(_plural(word), first)
    word = _end_in_i(word)
    word = _replace_ending(word, first, _FIRST_ENDINGS)
    word = _replace_ending(word, first, _SECOND_ENDINGS, inner=second)
    word = _drop_ending(word, second)
    return _drop_last_letter(word, first, second).replace("Y", "y")


# Too common to say anything.
STOP_WORDS = frozenset(
    # articles, pronouns, possessives
    "a an the i me my mine myself you your yours yourself yourselves he him his himself she her "
    "hers herself it its itself we us our ours ourselves they them their theirs themselves "
    "this that these those someone something anyone anything "
    # forms of the verbs that help others
    "am is are was were be been being do does did doing done have has had having "
    "will would shall should can could may might must im ive "
    "dont doesnt didnt isnt arent wasnt werent cant couldnt wont wouldnt shouldnt havent hasnt "
    # words that ask
    "what when where who whom whose which why how "
    # words that join, point and place
    "and or but nor not no if then than so as because while until though although since "
    "of in on at to for from with without by about into onto out up down over under off "
    "between through during before after above below against among within "
    "there here again once also too very just only even still yet "
    "all any both each few more most other another some such own same "
    # what an apostrophe leaves behind
    "s t d m ll re ve".split()
)


# ---------------------------------------------------------------- letters and regions

_VOWELS = "aeiouy"
_DOUBLES = ("bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt")
# Behind these the first region begins at once; else `universe` and `university` would meet.
_PREFIXES = "arsen commun emerg gener inter later organ past univers".split()
_IRREGULAR = {word: word for word in "sky news howe atlas cosmos bias andes".split()} | {
    "skis": "ski",
    "skies": "sky",
    "idly": "idl",
    "gently": "gentl",
    "ugly": "ugli",
    "early": "earli",
    "only": "onli",
    "singly": "singl",
}


@cache
def _pattern(expression: str) -> re.Pattern[str]:
    """Compile when first needed: the program starts without paying for it."""
    return re.compile(expression)


def _with_consonant_y(word: str) -> str:
    """Write a y that sounds as a consonant as Y: in front of a word and behind a vowel."""
    return _pattern("(^|[aeiouy])y").sub(r"\1Y", word) if "y" in word else word


def _first_region(word: str) -> int:
    for prefix in _PREFIXES:
        if word.startswith(prefix):
            return len(prefix)
    return _region(word, 0)


def _region(word: str, start: int) -> int:
    """Return where the part behind the next vowel and consonant begins."""
    found = _pattern("[aeiouy][^aeiouy]").search(word, start)
    return found.end() if found else len(word)


def _has_vowel(part: str) -> bool:
    return _pattern("[aeiouy]").search(part) is not None


def _ends_in_short_syllable(word: str) -> bool:
    """Tell whether a word ends in a short vowel and a consonant, as `hop` does and `beat` not."""
    found = _pattern("(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy]|past)$").search(word)
    return found is not None


# ---------------------------------------------------------------- plurals and tenses


def _plural(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith(("ied", "ies")):
        return word[:-2] if len(word) > 4 else word[:-1]
    if word.endswith(("us", "ss")) or not word.endswith("s"):
        return word
    return word[:-1] if _has_vowel(word[:-2]) else word


# These end in -ing and -eed but are no form of a shorter word.
_NO_GERUNDS = ("inning", "outing", "canning", "herring", "earring", "evening")
_NO_PAST = ("proc", "exc", "succ")


def _past_or_gerund(word: str, first: int) -> str:
    for ending in ("eedly", "ingly", "edly", "eed", "ing", "ed"):
        if word.endswith(ending):
            break
    else:
        return word
    part = word[: -len(ending)]
    if ending.startswith("eed"):
        in_region = len(part) >= first and part not in _NO_PAST
        return part + "ee" if in_region else word
    if ending == "ing" and word in _NO_GERUNDS:
        return word
    if ending == "ing" and _pattern("^[^aeiouy]y$").match(part):
        return part[0] + "ie"
    return _mended(part, first) if _has_vowel(part) else word


def _mended(part: str, first: int) -> str:
    """Give a verb back the letter that -ed or -ing took from it, or take the one it added."""
    if part.endswith(("at", "bl", "iz")):
        return part + "e"
    if part.endswith(_DOUBLES):
        return part if len(part) == 3 and part[0] in "aeo" else part[:-1]
    return part + "e" if len(part) <= first and _ends_in_short_syllable(part) else part


def _end_in_i(word: str) -> str:
    if len(word) > 2 and word[-1] in "yY" and word[-2] not in _VOWELS:
        return word[:-1] + "i"
    return word


# ---------------------------------------------------------------- derived words


def _endings(table: str) -> dict[str, str]:
    """Read `short:long,long` entries: the short form of each long ending."""
    return {
        ending: short
        for short, _, endings in (entry.partition(":") for entry in table.split())
        for ending in endings.split(",")
    }


_FIRST_ENDINGS = _endings(
    "tion:tional ence:enci ance:anci able:abli ent:entli ize:izer,ization "
    "ate:ational,ation,ator al:alism,aliti,alli ful:fulness,fulli ous:ousli,ousness "
    "ive:iveness,iviti ble:biliti,bli og:ogi,ogist less:lessli :li"
)
_SECOND_ENDINGS = _endings("tion:tional ate:ational al:alize ic:icate,iciti,ical :ful,ness,ative")
_LAST_ENDINGS = tuple(
    "ement ance ence able ible ment ant ent ism ate iti ous ive ize ion al er ic".split()
)


def _replace_ending(word: str, first: int, endings: dict[str, str], *, inner: int = 0) -> str:
    """Replace the longest ending of the table, if it lies in the first region."""
    for length in range(min(7, len(word)), 1, -1):
        ending = word[-length:]
        if ending in endings:
            break
    else:
        return word
    part = word[:-length]
    if len(part) < first or not _may_replace(part, ending, inner):
        return word
    return part + endings[ending]


def _may_replace(part: str, ending: str, inner: int) -> bool:
    if ending == "li":
        return part.endswith(tuple("cdeghkmnrt"))
    if ending == "ogi":
        return part.endswith("l")
    return ending != "ative" or len(part) >= inner


def _drop_ending(word: str, second: int) -> str:
    for ending in _LAST_ENDINGS:
        if word.endswith(ending):
            part = word[: -len(ending)]
            is_bound = ending == "ion" and not part.endswith(("s", "t"))
            return word if len(part) < second or is_bound else part
    return word


def _drop_last_letter(word: str, first: int, second: int) -> str:
    part = word[:-1]
    if word.endswith("e"):
        goes = len(part) >= second or (len(part) >= first and not _ends_in_short_syllable(part))
        return part if goes else word
    return part if word.endswith("ll") and len(part) >= second else word
