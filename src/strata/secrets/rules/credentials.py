"""Passwords where they are used: in addresses, headers, files of logins and assignments."""

import re
from binascii import a2b_base64

from strata.secrets.rules.literals import (
    is_example,
    is_key,
    is_password,
    names_secret,
    stands_for_one,
)
from strata.secrets.rules.rule import Rule, is_letter

# Words at which a name of a secret is looked for; the rest of the name is around them.
NAME_MARKS = ("pass", "pwd", "secret", "token", "key", "cred")
_NAME_END = r"[A-Za-z0-9_-]{0,24}"
_NAME_LETTERS_MAX = 64
_QUOTE = r"\\?[\"'`]"
# In code a type may be between the name and the sign, in XML the word value.
_SIGN = (
    r"(?:\s{0,4}:\s{0,4}[A-Za-z][\w.\[\]| ]{0,30}?\s{0,4}=|\s{0,9}(?:=>|:=|==|=|:)"
    r"|\s{1,4}value\s{0,2}=)"
)
# For a line in small letters.
_SERVER = r"(?:server|host|data source|user id|uid|user|dbname|database|endpoint|driver)\s*="


def is_login(text: str) -> bool:
    """Whether a text is user and password in base64."""
    try:
        user, colon, password = a2b_base64(text, strict_mode=True).decode().partition(":")
    except ValueError:
        return False
    is_plain = user.isprintable() and password.isprintable()
    return bool(colon and is_plain and len(password) >= 4 and not is_example(password))


def _is_url_password(match: "re.Match[str]") -> bool:
    user, password, start = match[1], match[2], match.start()
    if start == 0 or not is_letter(match.string[start - 1]):
        return False
    if is_example(password) or password.lower() == user.lower():
        return False
    is_variable = re.fullmatch(r"[A-Z]+(?:_[A-Z]+)*", password)
    return len(set(password)) > 1 and not is_variable and not _is_template(password)


def _is_template(text: str) -> bool:
    return bool(
        re.search(r"^[$<{\[%(*](?!\d)|\$\{|\{\{|\{\w*\}|\.\.\.|…|\*\*\*|xxx|XXX|\[masked", text)
    )


def _is_given(match: "re.Match[str]") -> bool:
    """Whether a word in the place of a password is one; any will do, examples aside."""
    text = match[match.lastindex or 0]
    return not is_example(text) and not stands_for_one(text)


def _is_connection(match: "re.Match[str]") -> bool:
    """Whether a server or a user is named before the password, on the same line."""
    line = match.string[max(0, match.start() - 400) : match.start()].rpartition("\n")[2]
    # Behind a comma it is an argument of a call, and what follows is a name.
    is_argument = line.rstrip().endswith(",") or match[1].endswith("[")
    return not is_argument and bool(re.search(_SERVER, line.lower())) and _is_given(match)


def _is_option(match: "re.Match[str]") -> bool:
    return not match[1].isalpha() and _is_given(match)


def _is_bearer(match: "re.Match[str]") -> bool:
    return is_key(match[1])


def _is_basic(match: "re.Match[str]") -> bool:
    return is_login(match[1])


def _name(match: "re.Match[str]") -> str:
    """Return the whole name of which a match begins somewhere inside."""
    text, start = match.string, match.start()
    first = start
    while first > max(0, start - _NAME_LETTERS_MAX) and (
        is_letter(text[first - 1]) or text[first - 1] in "_.-"
    ):
        first -= 1
    return text[first : match.end(1)]


def _is_assigned(match: "re.Match[str]") -> bool:
    meant, text = names_secret(_name(match)), match[match.lastindex or 0]
    return is_password(text) if meant == "password" else meant == "key" and is_key(text)


def _is_set(match: "re.Match[str]") -> bool:
    """A bare word behind a sign may be a name in code; only what cannot be one is a secret."""
    text = match[2]
    is_name = re.fullmatch(r"[A-Za-z_]+\d{0,2}|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?:\(.*)?", text)
    # Reports of tests write PASS: NAME.
    is_result = _name(match) == "PASS" and "=" not in match[0]
    return not is_name and not is_result and _begins_line(match) and _is_assigned(match)


def _begins_line(match: "re.Match[str]") -> bool:
    line = match.string[max(0, match.start() - 120) : match.start()].rpartition("\n")[2]
    return bool(re.fullmatch(r"[ \t>+-]*(?:(?:export|set|ENV|ARG)[ \t]+)?[A-Za-z0-9_.-]*", line))


def _is_aws_secret(match: "re.Match[str]") -> bool:
    """Whether forty letters of base64 are Amazon's: capitals, others and digits."""
    text, name = match[2], _name(match).lower()
    is_mixed = all(re.search(sort, text) for sort in ("[A-Z]", "[a-z]", r"\d"))
    is_named = "secret" in name and ("key" in name or "aws" in name)
    return is_mixed and is_named and "EXAMPLE" not in text


RULES = (
    Rule(
        "url_password",
        r"://([^\s:@/?#\"'<>`]*):([^\s:@/\"'<>`\\]{4,256})@(?=[\w\[{$%])",
        marks=("://",),
        check=_is_url_password,
    ),
    Rule(
        "connection_password",
        r"(?i:password|pwd)\s{0,2}=\s{0,2}([^;&\s\"',(]{3,256}+(?:&(?!\w+=)[^;&\s\"',(]*)*)(?!\()",
        marks=("password", "pwd"),
        at_marks=True,
        check=_is_connection,
    ),
    Rule(
        "basic_authorization",
        r"(?i:authorization)[\"']?\s{0,4}[:=,]\s{0,4}[\"'`]?(?i:basic)\s{1,4}([A-Za-z0-9+/]{8,}={0,2})",
        marks=("authorization",),
        at_marks=True,
        check=_is_basic,
    ),
    Rule(
        "bearer_authorization",
        r"(?i:bearer|ssws)\s{1,4}([A-Za-z0-9._~+/-]{20,500}=*)",
        marks=("bearer ", "ssws "),
        at_marks=True,
        check=_is_bearer,
    ),
    Rule(
        "docker_login",
        r"\"auth\"\s{0,4}:\s{0,4}\"([A-Za-z0-9+/]{8,}={0,2})\"",
        marks=('"auth"',),
        check=_is_basic,
    ),
    Rule(
        "netrc_password",
        r"machine\s{1,9}\S{1,200}\s{1,9}login\s{1,9}\S{1,200}\s{1,9}password\s{1,9}(\S{4,256})",
        marks=("machine",),
        at_marks=True,
        check=_is_given,
    ),
    Rule(
        "npmrc_token",
        r":_(?:authToken|password|auth)\s{0,4}=\s{0,4}([^\s\"'$()\\]{8,512})",
        marks=(":_auth", ":_password"),
        check=_is_given,
    ),
    Rule(
        "command_password",
        r"(?:curl\s[^\n|]{0,200}?(?:-u|--user)[ =]?[\"']?[^\s:\"'/]{1,100}:|sshpass\s+-p\s*[\"']?"
        r"|--(?:http-)?password[ =][\"']?|(?:PGPASSWORD|MYSQL_PWD|REDISCLI_AUTH|SSHPASS)=[\"']?)"
        r"([^\s\"'$<{(\[,;`)]{4,256})",
        marks=(
            "curl ",
            "sshpass",
            "--password",
            "--http-password",
            "pgpassword",
            "mysql_pwd",
            "rediscli_auth",
        ),
        at_marks=True,
        check=_is_option,
    ),
    Rule(
        "aws_secret_key",
        rf"({_NAME_END})[\"'\]]{{0,2}}\s{{0,9}}(?:=>|:=|=|:)\s{{0,9}}[\"']?([A-Za-z0-9/+]{{40}})(?![A-Za-z0-9/+=])",
        marks=("secret",),
        at_marks=True,
        check=_is_aws_secret,
    ),
    # In code: a name, a sign, and a text in quotes.
    Rule(
        "assigned_secret",
        rf"({_NAME_END})(?:{_QUOTE}\]?|\])?{_SIGN}\s{{0,9}}[rbuf]{{0,2}}\\?"
        r"(?:\"([^\s\\\"]{8,512}+)\\?\"|'([^\s\\']{8,512}+)\\?'|`([^\s\\`]{8,512}+)\\?`)",
        marks=NAME_MARKS,
        at_marks=True,
        check=_is_assigned,
    ),
    # In files of settings: one on a line, without quotes.
    Rule(
        "setting_secret",
        rf"({_NAME_END})[ \t]{{0,9}}[=:][ \t]{{0,9}}([^\s\"'`,;(){{}}<>\[\]$\\]{{8,512}}+)"
        r"[ \t]{0,9}(?:#[^\n]*)?\r?(?![^\n])",
        marks=NAME_MARKS,
        at_marks=True,
        check=_is_set,
    ),
)
