"""Text cut into the terms that a search compares.

A text is seen as chunks: a word or identifier with its inner dots and hyphens, a run of letters
of a script that is written without blanks, or an emoji. What a chunk means is worked out once and
remembered, so that a text in everyday words costs little more than finding its chunks.

    The caches are cold      the · cach · are · cold
    getUserById              get · user · by · id · getuserbyid
    self.max_retry           self · max · retri · maxretri · selfmaxretri
    v1.2.7                   1 · 1.2 · 1.2.7
    데이터를                 데이 · 이터 · 터를

The whole of an identifier is written like any word, so that `GitHub` and `github`, `e-mail` and
`email`, `get_user_by_id` and `getUserByID` meet. Of a name with dots, each part of several words
is such a whole too.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache
from itertools import accumulate, chain, islice, pairwise
from math import log
from typing import Literal, TypeAlias, TypeVar
from unicodedata import category, is_normalized, normalize

from msgspec import Struct

from strata.base.memo import on_purge
from strata.search.stemming import STOP_WORDS, stem

# Longer ones are no words; what lies behind is cut off.
TERM_CHARACTERS_MAX = 64
# Enough for questions and what they find, in about a MiB.
_MEMO_CHUNKS_MAX = 4_096
# Longer words, and longer runs without blanks, hardly come again.
_MEMO_WORD_MAX, _MEMO_RUN_MAX = 32, 9
# More than all the letters that one language uses; two MiB.
_SHAPES_MAX = 16_384
# A longer run of signs above and below one letter is no text, and to put it in order takes time
# by the square of its length.
_MARKS_MAX = 24
# A number of more parts is no date, version or address.
_NUMBER_PARTS_MAX = 8
# Each is completed to many words.
_PREFIXES_MAX = 16
# Words that a user may type the beginning of.
_SURFACE_CHARACTERS = range(3, 33)
_HANGUL_CHARACTERS = range(2, 13)

_Terms: TypeAlias = tuple[str, ...]
_Value = TypeVar("_Value")


class Analysis(Struct, frozen=True):
    """The terms of a text, in order and with repetition."""

    terms: list[str]
    length: int  # how many of them are not stop words
    is_foreign: bool  # more letters of other scripts than Latin ones


class Question(Struct, frozen=True):
    """What a question asks for."""

    terms: _Terms  # distinct, in order; stop words only where there is nothing else
    prefixes: _Terms  # words typed with a star behind them, not stemmed; they are terms too
    last: str  # the word at the very end, which may be unfinished, not stemmed; or nothing
    has_stop_words_only: bool
    cjk: int  # letters that are indexed as bigrams
    hangul: int  # those of them that are Korean syllables
    latin: int
    other: int  # letters of other scripts, such as Cyrillic and Arabic


def analyse(text: str) -> Analysis:
    """Return every term of a text."""
    text, chunks = cut(text)
    terms = list(chain.from_iterable(map(_MEMO.__getitem__, chunks)))
    length = len(terms) - sum(map(STOP_WORDS.__contains__, terms))
    return Analysis(terms, length, not text.isascii() and foreignness(text) > 0)


def question(text: str) -> Question:
    """Return what to look for, given a question. Nothing in it is an operator but a star."""
    text, shape = _prepared(text)
    terms = dict.fromkeys(chain.from_iterable(map(_MEMO.__getitem__, _chunks(text, shape))))
    wanted = tuple(term for term in terms if term not in STOP_WORDS)
    return Question(
        terms=wanted or tuple(terms),
        prefixes=tuple(dict.fromkeys(islice(_starred(text), _PREFIXES_MAX))),
        last=_unfinished(text),
        has_stop_words_only=bool(terms) and not wanted,
        cjk=shape.count(_WIDE),
        hangul=0 if shape is text else sum(map(_is_hangul, text)),
        latin=sum(map(str.isalpha, text)) if shape is text else shape.count(_LATIN),
        other=0 if shape is text else shape.count(_OTHER),
    )


def surface(text: str) -> list[str]:
    """Return the distinct words of a text that a typed beginning can be completed to."""
    words = map(surface_words, dict.fromkeys(cut(text)[1]))
    return list(dict.fromkeys(chain.from_iterable(words)))


def is_stop(word: str) -> bool:
    """Tell whether a lower-case word is too common in English to say anything."""
    return word in STOP_WORDS


def composed(text: str) -> str:
    """Return a text with one sign for a letter and its marks, wherever Unicode has it."""
    return _normalized("NFC", text)


# ---------------------------------------------------------------- chunks

# The shape of a text has one of these signs for each character. ASCII text is its own shape:
# the pattern of a chunk reads both.
_LATIN, _OTHER, _DIGIT, _GAP = "a", "o", "0", " "
_WIDE, _MARK, _EMOJI, _FLAG = "字", "´", "☺", "⚑"

# Scripts written without blanks between words; Hangul too, whose words carry particles.
_WIDE_SCRIPTS = (
    (0x0E00, 0x109F),
    (0xAA60, 0xAA7F),  # Thai, Lao, Tibetan, Myanmar
    (0x1100, 0x11FF),
    (0xA960, 0xA97F),
    (0xAC00, 0xD7FF),  # Hangul
    (0x1780, 0x17FF),
    (0x1950, 0x19FF),
    (0x1A20, 0x1AAF),  # Khmer, Tai
    (0x2E80, 0xA4CF),  # Han, kana, bopomofo, Yi
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),  # Han
    (0xFF66, 0xFFDC),
    (0x1AFF0, 0x1B16F),  # kana, and Hangul of half width
)
_LATIN_SCRIPT = ((0x00, 0x24F), (0x1E00, 0x1EFF), (0x2C60, 0x2C7F), (0xA720, 0xA7FF))
_EMOJI_BLOCKS = ((0x2300, 0x23FF), (0x2600, 0x27BF), (0x2B00, 0x2BFF), (0x1F000, 0x1FAFF))
_FLAG_LETTERS = ((0x1F1E6, 0x1F1FF),)
# Half-width voicing signs count as letters in Unicode, but are marks.
_MORE_MARKS = ((0xFF9E, 0xFF9F),)
_HYPHENS_AND_APOSTROPHES = {"\u2010": "-", "\u2011": "-", "\u2019": "'"}
# Invisible inside a word: soft hyphens, joiners, directions, variants and tones of emoji.
_IGNORABLE = (
    "[\u00ad\u034f\u061c\u180b-\u180f\u200c-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\U0001f3fb-\U0001f3ff\U000e0000-\U000e0fff]"
)


def _sign(character: str) -> str:
    """Return the sign of a character in a shape."""
    if character in "-.'_":
        return character
    if _is_in(character, _MORE_MARKS) or _pattern(_IGNORABLE).match(character):
        return _MARK
    if _is_in(character, _FLAG_LETTERS):
        return _FLAG
    # Signs such as ㎏ and ½ count as what they are written for.
    plain = normalize("NFKC", character)[:1]
    character = plain if plain.isalnum() else character
    kind = category(character)
    if kind[0] == "M":
        return _MARK
    if kind[0] not in "LN":
        # An emoji that this Python does not know yet is unassigned.
        is_emoji = kind in ("So", "Cn") and _is_in(character, _EMOJI_BLOCKS)
        return _EMOJI if is_emoji else _HYPHENS_AND_APOSTROPHES.get(character, _GAP)
    if _is_in(character, _WIDE_SCRIPTS):
        return _WIDE
    if kind[0] == "N":
        return _DIGIT
    return _LATIN if _is_in(character, _LATIN_SCRIPT) else _OTHER


def _is_in(character: str, blocks: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= ord(character) <= last for first, last in blocks)


class _Shapes(dict[int, str]):
    """The signs of the characters seen so far, for `str.translate`."""

    def __missing__(self, code: int) -> str:
        sign = _sign(chr(code))
        if len(self) < _SHAPES_MAX:
            self[code] = sign
        return sign


_SHAPES = _Shapes()


@cache
def _pattern(expression: str) -> re.Pattern[str]:
    """Compile when first needed: the program starts without paying for it."""
    return re.compile(expression)


def cut(text: str) -> tuple[str, list[str]]:
    """Return a text in normal form, and its chunks in order."""
    if text.isascii():
        return text, _pattern(_PLAIN_CHUNK).findall(text)
    if _pattern(_EVERYDAY).fullmatch(text):
        return text, _pattern(_EVERYDAY_CHUNK).findall(text)
    text, shape = _prepared(text)
    return text, _chunks(text, shape)


_PLAIN_CHUNK = r"(?a)\w++(?:[-.']\w++)*+"
# Letters and signs that most texts get along with. They are in normal form side by side, so that
# such a text needs no shape: cutting it takes a third of the time.
_WORD_LETTERS = "0-9A-Za-z_À-ÖØ-öø-ıĴ-ľŁ-ňŊ-žА-яЁё"
_RUN_LETTERS = "가-힣ぁ-ゖァ-ヺー一-龥"
_EVERYDAY = rf"[\x00-\x7f{_WORD_LETTERS}{_RUN_LETTERS}–—“”‘’·•×→°€£₩、。「」]*+"
_EVERYDAY_CHUNK = rf"[{_WORD_LETTERS}]++(?:[-.'’][{_WORD_LETTERS}]++)*+|[{_RUN_LETTERS}]++"


@cache
def _chunk_pattern() -> re.Pattern[str]:
    word = rf"\w[\w{_MARK}]*"
    return re.compile(
        rf"{word}(?:[-.']{word})*|{_WIDE}[{_WIDE}{_MARK}]*|{_EMOJI}|{_FLAG}{_FLAG}?", re.ASCII
    )


def _prepared(text: str) -> tuple[str, str]:
    """Return a text in normal form, and its shape."""
    if text.isascii():
        return text, text
    text = _normalized("NFKC", text)
    shape = text.translate(_SHAPES)
    if _MARK * (_MARKS_MAX + 1) in shape:
        text = _with_few_marks(text)
        shape = text.translate(_SHAPES)
    return text, shape


def _normalized(form: Literal["NFC", "NFKC"], text: str) -> str:
    return text if is_normalized(form, text) else normalize(form, _with_few_marks(text))


def _with_few_marks(text: str) -> str:
    """Cut off what no reader would see, before a normal form is asked for it."""
    runs = _pattern(f"{_MARK}{{{_MARKS_MAX + 1},}}").finditer(text.translate(_SHAPES))
    borders = [border for run in runs for border in (run.start() + _MARKS_MAX, run.end())]
    starts, ends = [0, *borders[1::2]], [*borders[0::2], len(text)]
    return "".join(text[start:end] for start, end in zip(starts, ends, strict=True))


def _chunks(text: str, shape: str) -> list[str]:
    return [text[slice(*match.span())] for match in _chunk_pattern().finditer(shape)]


def foreignness(text: str) -> int:
    """Return how many more letters of other scripts a text has than Latin ones."""
    if text.isascii():
        return -sum(map(str.isalpha, text))
    shape = text.translate(_SHAPES)
    return shape.count(_WIDE) + shape.count(_OTHER) - shape.count(_LATIN)


# ---------------------------------------------------------------- terms of a chunk


class Memo(dict[str, _Value]):
    """What was worked out for the chunks seen lately, at most so many.

    Half of them are the older ones, from which comes back what is still in use. Safe from
    several threads: at worst something is worked out twice.
    """

    def __init__(self, work: Callable[[str], _Value], chunks_max: int) -> None:
        super().__init__()
        self._work = work
        self._half = chunks_max // 2
        self._older: dict[str, _Value] = {}
        on_purge(self.forget)

    def forget(self) -> None:
        """Drop everything, after a purge."""
        self._older = {}
        self.clear()

    def __missing__(self, chunk: str) -> _Value:
        older = self._older
        found = older[chunk] if chunk in older else self._work(chunk)
        if is_short(chunk):
            if len(self) >= self._half:
                self._older = self.copy()
                self.clear()
            self[chunk] = found
        return found


def is_short(chunk: str) -> bool:
    """Tell whether a chunk is short enough to come again, and to be kept in memory."""
    is_run = not chunk.isascii() and _SHAPES[ord(chunk[0])] == _WIDE
    return len(chunk) <= (_MEMO_RUN_MAX if is_run else _MEMO_WORD_MAX)


def terms_of(chunk: str) -> _Terms:
    """Return the terms of one chunk."""
    if chunk.isascii():
        if chunk.isalpha() and chunk[1:].islower():
            return (_term(chunk.lower()),)
        if chunk.count(".") < _NUMBER_PARTS_MAX and chunk.replace(".", "").isdigit():
            return tuple(_beginnings(chunk.split(".")))
    else:
        if not is_normalized("NFKC", chunk):
            return tuple(analyse(chunk).terms)
        sign = _SHAPES[ord(chunk[0])]
        if sign == _WIDE:
            return _bigrams(chunk)
        if sign in (_EMOJI, _FLAG):
            return (chunk,)
    number, rest = _split_number(_without_clitic(chunk))
    parts = _parts(rest)
    terms = [*number, *(_term(word) for part in parts for word in _with_whole(part, parts))]
    words = list(chain.from_iterable(parts))
    if len(words) > 1 or (number and not all(map(str.isdigit, words))):
        terms.append(_term("".join([*number[-1:], *words]).replace(".", "")))
    return tuple(terms)


_MEMO = Memo(terms_of, _MEMO_CHUNKS_MAX)


_PARTICLES = frozenset("은는이가을를의에도로와과만")


def _bigrams(run: str) -> _Terms:
    """Return each two neighbouring letters of a run, with the marks they carry."""
    units: str | list[str] = run
    if _MARK in run.translate(_SHAPES):
        run = _pattern(_IGNORABLE).sub("", run)
        letters = _pattern(f"{_WIDE}{_MARK}*").finditer(run.translate(_SHAPES))
        units = [run[slice(*letter.span())] for letter in letters]
    terms = tuple(map("".join, pairwise(units)))
    if len(units) == 2 and units[1] in _PARTICLES:
        # A word of one syllable would be lost in front of its particle: 책이, 책을.
        return (*terms, units[0])
    return terms or tuple(units)


def _without_clitic(chunk: str) -> str:
    """Take off what English hangs onto a word: `Ann's` is about Ann, and `don't` says not."""
    if "'" not in chunk and "’" not in chunk:
        return chunk
    if chunk.lower().endswith(("n't", "n’t")):
        return "not"
    return _pattern("(?i)['’](?:s|ll|re|ve|d|m)$").sub("", chunk)


def _split_number(chunk: str) -> tuple[list[str], str]:
    """Split off a number of several parts: it is found by any of its beginnings."""
    found = _pattern(r"[vV]?([0-9]+(?:[-.‐][0-9]+)+)(?:T(?=[0-9]{2}))?").match(chunk)
    if not found:
        return [], chunk
    parts = found[1].replace("-", ".").replace("‐", ".").split(".")
    rest = "_".join([*parts[_NUMBER_PARTS_MAX:], chunk[found.end() :]])
    return _beginnings(parts[:_NUMBER_PARTS_MAX]), rest


def _beginnings(parts: list[str]) -> list[str]:
    """Return the beginnings of a number: 1 · 1.2 · 1.2.7."""
    found = accumulate(parts, "{}.{}".format)
    return [beginning[:TERM_CHARACTERS_MAX] for beginning in found]


def _parts(chunk: str) -> list[list[str]]:
    """Return the words of each part of a name with dots, such as `self.max_retry`."""
    return [words for part in chunk.split(".") if (words := _words(part))]


def _with_whole(part: list[str], parts: list[list[str]]) -> list[str]:
    """Return the words of a part and, where it is one of several, their whole."""
    return [*part, "".join(part)] if len(part) > 1 < len(parts) else part


def _words(chunk: str) -> list[str]:
    """Return the parts of an identifier as words, or a word alone."""
    border = _pattern("[-.'_‐’]+" if chunk.islower() else _BORDER)
    return [word for part in border.split(chunk) if (word := _folded(part))]


_BORDER = (
    "[-.'_‐’]+|(?<=[a-z])(?=[A-Z])"
    # `URLs` and `IDs` are plurals, not an R and a word that begins with L.
    "|(?<=[A-Z0-9])(?=[A-Z][a-z])(?![A-Z]s(?![a-z]))"
)


def _term(word: str) -> str:
    word = word[:TERM_CHARACTERS_MAX]
    is_english = word.isascii() and word.isalpha() and word not in STOP_WORDS
    return stem(word) if is_english else word


# Letters that carry their accent inside, and how they are written without it.
_PLAIN_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ŧ": "t"}
)
# Accents of Latin letters, and the vowel signs that Hebrew and Arabic mostly leave out.
_LEFT_OUT = "(?<=[a-z])[\u0300-\u036f]+|[\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u0652\u0670]"


def _folded(word: str) -> str:
    """Return a word in lower case, without accents on Latin letters."""
    if word.isascii():
        return word.lower()
    word = _pattern(_IGNORABLE).sub("", word)
    word = normalize("NFD", word.casefold()).translate(_PLAIN_LETTERS)
    return normalize("NFKC", _pattern(_LEFT_OUT).sub("", word))


def rarity(texts: int, holders: float) -> float:
    """Return how much a term tells that so many of the texts hold."""
    return log(1 + (texts - holders + 0.5) / (holders + 0.5))


# ---------------------------------------------------------------- terms in their places


# A stem begins as its words do, at least so far.
_STEMMED_FROM = 2


class Finder(dict[str, _Terms]):
    """Finds the places of the wanted terms, and remembers which of them each chunk has."""

    def __init__(self, wanted: Collection[str]) -> None:
        super().__init__()
        self._wanted = frozenset(wanted)
        self._wide = [term for term in wanted if _SHAPES[ord(term[0])] == _WIDE]
        # How the words begin that may have one of the terms as their stem.
        self._beginnings = frozenset(term[:_STEMMED_FROM] for term in wanted)

    def places(self, text: str) -> Iterator[tuple[int, int, _Terms]]:
        """Yield where chunks with wanted terms begin and end, and which terms those are.

        In a run without blanks each term has its own place. The text is taken as it is, so that
        places are right; `composed` text has the terms that `analyse` finds.
        """
        is_plain = text.isascii()
        shape = text if is_plain else text.translate(_SHAPES)
        pattern = _pattern(_PLAIN_CHUNK) if is_plain else _chunk_pattern()
        for match in pattern.finditer(shape):
            start, end = match.span()
            if not (found := self[text[start:end]]):
                continue
            if shape[start] == _WIDE:
                yield from _places_in_run(text[start:end], start, found)
            else:
                yield start, end, found

    def __missing__(self, chunk: str) -> _Terms:
        if _SHAPES[ord(chunk[0])] == _WIDE and is_normalized("NFKC", chunk):
            # Looking for a few terms is quicker than making all bigrams of a long run.
            found = tuple(term for term in self._wide if term in chunk)
        elif self._is_other(chunk):
            found = ()
        else:
            found = tuple(term for term in _MEMO[chunk] if term in self._wanted)
        self[chunk] = found
        return found

    def _is_other(self, chunk: str) -> bool:
        """Tell, without finding its stem, that a plain English word has none of the terms."""
        is_plain = chunk.isascii() and chunk.isalpha() and chunk[1:].islower()
        return is_plain and chunk[:_STEMMED_FROM].lower() not in self._beginnings


def _places_in_run(run: str, offset: int, terms: _Terms) -> Iterator[tuple[int, int, _Terms]]:
    """Yield the places of terms in order; the whole run if it spells them in another way."""
    any_term = "|".join(map(re.escape, sorted(set(terms), key=len, reverse=True)))
    is_found = False
    # Looking ahead, because bigrams overlap.
    for match in re.finditer(f"(?=({any_term}))", run):
        is_found = True
        yield offset + match.start(), offset + match.end(1), (match[1],)
    if not is_found:
        yield offset, offset + len(run), terms


# ---------------------------------------------------------------- words as they were typed


def surface_words(chunk: str) -> Iterable[str]:
    """Return the words of one chunk that a typed beginning can be completed to."""
    if chunk.isascii() and chunk.isalpha() and chunk[1:].islower():
        word = chunk.lower()
        return (word,) if len(word) in _SURFACE_CHARACTERS and word not in STOP_WORDS else ()
    if _is_hangul(chunk):
        return (chunk,) if len(chunk) in _HANGUL_CHARACTERS else ()
    if _SHAPES[ord(chunk[0])] in (_WIDE, _EMOJI, _FLAG):
        return ()
    if chunk.upper() == chunk.lower() and chunk.isascii():
        return ()  # a number
    parts = _parts(_without_clitic(chunk))
    words = [word for part in parts for word in _with_whole(part, parts)]
    # `plan-17` and `plan-18` are found by `plan`; a list of all such would have no end.
    if len(words) > 1 and not any(map(str.isdigit, words)):
        words.append("".join(chain.from_iterable(parts)))
    return [word for word in words if _is_worth_keeping(word)]


def _is_worth_keeping(word: str) -> bool:
    """Tell words from numbers, scraps and keys: those are typed whole or not at all."""
    return (
        len(word) in _SURFACE_CHARACTERS
        and word not in STOP_WORDS
        and sum(map(str.isdigit, word)) * 2 < len(word)
    )


def _is_hangul(chunk: str) -> bool:
    return "가" <= chunk[0] <= "힣" and "가" <= chunk[-1] <= "힣"


def _starred(text: str) -> Iterator[str]:
    """Yield the words that have a star behind them; between two words it means times."""
    for piece, following in pairwise(text.split("*")):
        if not following[:1].isalnum() and (word := _unfinished(piece)):
            yield word


def _unfinished(text: str) -> str:
    """Return the word at the very end of a text as the surface has it, or nothing."""
    tail = text[-TERM_CHARACTERS_MAX:]
    chunks = _chunks(tail, tail if tail.isascii() else tail.translate(_SHAPES))
    if not chunks or not tail.endswith(chunks[-1]):
        return ""
    chunk = chunks[-1]
    is_word = _is_hangul(chunk) or _sign(chunk[0]) in (_LATIN, _OTHER, _DIGIT, "_")
    return "".join(_words(chunk)) if is_word else ""
