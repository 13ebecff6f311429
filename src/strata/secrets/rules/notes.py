"""Passwords as users write them down: in notes, messages, commands and addresses."""

import re

from strata.secrets.rules.literals import (
    is_key,
    is_spoken_password,
    stands_for_one,
)
from strata.secrets.rules.rule import Rule, is_letter

# What a user writes behind a label: one word, perhaps in quotes or in bold.
_OPEN = r"[\"'`*_]{0,2}"
_WORD = r"([^\s\"'`<>,;()\[\]{}|\\가-힣]{6,128}+)(?![(\[{])"
_SIGN = r"[\"'`*]{0,2}\s{0,3}[:=：][*]{0,2}\s{0,3}"
_KOREAN = ("비밀번호", "암호", "비번", "패스워드")
_ACCOUNTS = ("login", "creds", "credentials", "계정", "로그인", "아이디")
_URL_NAMES = (
    "api_key",
    "apikey",
    "api-key",
    "access_token",
    "auth_token",
    "client_secret",
    "refresh_token",
    "private_token",
    "access_key",
)
_PHRASES = (
    "seed phrase",
    "seed words",
    "recovery phrase",
    "mnemonic",
    "passphrase",
    "시드 구문",
    "복구 구문",
    "니모닉",
)
# What the documentation of every such program shows.
_OTP_EXAMPLE = "JBSWY3DPEHPK3PXP"
_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_SEED_WORDS_MIN = 12
_PHRASE_WORDS_MIN = 4
# Words that a sentence needs, and that no list for passphrases has.
_SENTENCE = frozenset(
    "the and for you your are was will can must may not with this that from has have used use "
    "when where which then than into only all any each enter type choose set should would could "
    "does its".split()
)
_HASHES = ("$apr1$", "$2a$", "$2b$", "$2y$", "$5$", "$6$", "$y$", "{sha}", "{ssha}")


def _is_spoken(match: "re.Match[str]") -> bool:
    return _begins_word(match) and is_spoken_password(match[match.lastindex or 0])


def _is_short_named(match: "re.Match[str]") -> bool:
    """Whether `pw` is set to a password, and not to a name: in code it may be a width."""
    text = match[1].rstrip(".?!:")
    is_name = re.fullmatch(r"[A-Za-z_]+\d{0,2}|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+", text)
    return not is_name and _is_spoken(match)


def _begins_word(match: "re.Match[str]") -> bool:
    start = match.start()
    before = match.string[start - 1] if start else " "
    return not is_letter(before) and before not in "_-."


def _is_otp(match: "re.Match[str]") -> bool:
    return match[1] != _OTP_EXAMPLE and not stands_for_one(match[1])


def _is_in_address(match: "re.Match[str]") -> bool:
    start = match.start()
    return start > 0 and match.string[start - 1] in "?&" and is_key(match[1])


def _is_session(match: "re.Match[str]") -> bool:
    name = match[1].lower()
    return "csrf" not in name and "xsrf" not in name and is_key(match[2])


def _is_filled(match: "re.Match[str]") -> bool:
    return len(set(match[1])) > 6


def _is_naver(match: "re.Match[str]") -> bool:
    text = match[1]
    return not stands_for_one(text) and len(set(text)) > 4 and not text.islower()


def _is_phrase(match: "re.Match[str]") -> bool:
    """Whether words behind a label are a phrase that dice chose: no sentence uses them."""
    words = re.split(r"[ \t-]+", match[1])
    is_seed = len(words) >= _SEED_WORDS_MIN and len(words) % 3 == 0
    is_chosen = match[0].lower().startswith("passphrase") and len(words) >= _PHRASE_WORDS_MIN
    return (is_seed or is_chosen) and len(set(words)) > 3 and not _SENTENCE.intersection(words)


def _is_hash_of_login(match: "re.Match[str]") -> bool:
    """Whether a hash follows a name at the beginning of a line, as in a file of logins."""
    line = match.string[max(0, match.start() - 80) : match.start()].rpartition("\n")[2]
    return bool(re.fullmatch(r"[\w.@-]{1,64}:", line)) and len(set(match[0])) > 8


RULES = (
    Rule(
        "noted_password",
        rf"(?:비밀번호|암호|비번|패스워드)(?:{_SIGN}|[는은]\s{{1,3}}){_OPEN}{_WORD}",
        marks=_KOREAN,
        at_marks=True,
        check=_is_spoken,
    ),
    Rule(
        "noted_password",
        rf"(?i:password|passwd|passcode|pwd)\s(?:is|was)\s{{1,2}}{_OPEN}{_WORD}",
        marks=("password is", "password was", "passwd is", "passcode is", "pwd is"),
        at_marks=True,
        check=_is_spoken,
    ),
    Rule(
        "noted_password",
        rf"(?i:pw){_SIGN}{_OPEN}{_WORD}",
        marks=("pw=", "pw:", "pw ", 'pw"'),
        at_marks=True,
        check=_is_short_named,
    ),
    Rule(
        "noted_login",
        rf"(?i:login|creds|credentials|계정|로그인|아이디){_SIGN}{_OPEN}[\w.@+-]{{1,64}}"
        rf"(?:\s{{1,2}}/\s{{1,2}}|:){_OPEN}{_WORD}",
        marks=_ACCOUNTS,
        at_marks=True,
        check=_is_spoken,
    ),
    Rule(
        "otp_secret",
        r"otpauth://[^\s\"'<>]{1,300}?[?&]secret=([A-Za-z2-7]{16,128})",
        marks=("otpauth://",),
        at_marks=True,
        check=_is_otp,
    ),
    Rule(
        "url_token",
        rf"(?i:{'|'.join(_URL_NAMES)})=([A-Za-z0-9._~+/%-]{{16,512}})",
        marks=_URL_NAMES,
        at_marks=True,
        check=_is_in_address,
    ),
    Rule(
        "session_cookie",
        r"(?i:cookie)[\"']?\s{0,3}:\s{0,3}[\"']?(?:[\w.-]{1,60}+=[^;\n]{0,200}+;\s?){0,9}?"
        r"(?=[\w.-]{0,60}?(?i:sess|sid|auth|token))([\w.-]{1,60}+)=([^;\s\"',]{16,512})",
        marks=("cookie",),
        at_marks=True,
        check=_is_session,
    ),
    Rule(
        "setting_secret",
        rf"(?i:api[_-]?key){_SIGN}{_OPEN}((?i:{_UUID}))(?![\w-])",
        marks=("api_key", "apikey", "api-key"),
        at_marks=True,
        check=_is_filled,
    ),
    Rule(
        "session_cookie",
        r"(strata_session)=([\w.-]{20,512})",
        marks=("strata_session=",),
        at_marks=True,
        check=_is_session,
    ),
    Rule(
        "command_password",
        rf"(?i:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump)\s(?:[^\n|;]{{0,200}}?\s)?-p{_WORD}",
        marks=("mysql", "mariadb"),
        at_marks=True,
        check=_is_spoken,
    ),
    Rule(
        "naver_client_secret",
        r"(?i:naver[_-]?client[_-]?secret)[\"']?\s{0,3}[:=,]\s{0,3}[\"']?([A-Za-z0-9_]{8,64})",
        marks=("naver",),
        at_marks=True,
        check=_is_naver,
    ),
    Rule(
        "seed_phrase",
        rf"(?i:{'|'.join(_PHRASES)})(?:\s(?:is|was)\s|{_SIGN}){_OPEN}"
        r"([a-z]{3,12}(?:[ \t-][a-z]{3,12}){3,23})(?=[\"'`*]{0,2}[.]?[ \t]{0,9}(?:\r?\n|\Z))",
        marks=_PHRASES,
        at_marks=True,
        check=_is_phrase,
    ),
    Rule(
        "password_hash",
        r"\$apr1\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}|\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}"
        r"|\$[56y]\$[./A-Za-z0-9$=]{20,200}|(?i:\{S?SHA\})[A-Za-z0-9+/]{27,60}={0,2}",
        marks=_HASHES,
        at_marks=True,
        check=_is_hash_of_login,
    ),
)
