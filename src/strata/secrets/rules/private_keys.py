"""Private keys and signed tokens: what is recognised by its armour or its header."""

import re
from binascii import a2b_base64
from hashlib import sha256

import msgspec

from strata.secrets.rules.rule import Rule

# The lines of a key may be in a string, with their ends written as \n.
_BODY = r"(?:[A-Za-z0-9+/=]|\s|\\[nr])"
_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def _is_signed(match: "re.Match[str]") -> bool:
    """Whether the first part of a token is the header of a JSON Web Token."""
    head = match[0].partition(".")[0].translate({ord("-"): "+", ord("_"): "/"})
    try:
        return bool(_decode_header(a2b_base64(head + "=" * (-len(head) % 4))).alg)
    except (ValueError, msgspec.MsgspecError):
        return False


class _Header(msgspec.Struct):
    """What every JSON Web Token says of itself."""

    alg: str


_decode_header = msgspec.json.Decoder(_Header).decode


def _has_base58_checksum(match: "re.Match[str]") -> bool:
    """Whether an extended private key of a wallet ends with its checksum."""
    number = 0
    for letter in match[0]:
        number = number * 58 + _BASE58.index(letter)
    if number >= 1 << 656:
        return False
    data = number.to_bytes(82, "big")
    return sha256(sha256(data[:-4]).digest()).digest()[:4] == data[-4:]


def _is_identity(match: "re.Match[str]") -> bool:
    """Whether an age identity is more than filling."""
    # Its checksum does not count: one with a letter mistyped tells nearly all of the key.
    return len(set(match[0][16:])) > 8


def _armoured(kind: str, name: str) -> Rule:
    """Return the rule for a key between dashes; its header alone is no secret."""
    end_of_line = r"(?:\s|\\[nr]){0,4}"
    headers = rf"(?:[A-Za-z-]{{1,40}}: [^\n\\]{{0,200}}(?=[\n\\]){end_of_line}){{0,9}}"
    lines = rf"{end_of_line}{headers}{_BODY}{{40,}}"
    end = rf"(?:-----END {name}-----)?"
    return Rule(kind, rf"-----BEGIN {name}-----{lines}{end}", marks=("-----begin ",))


RULES = (
    _armoured("openssh_private_key", "OPENSSH PRIVATE KEY"),
    _armoured("pgp_private_key", "PGP PRIVATE KEY BLOCK"),
    _armoured("encrypted_private_key", "ENCRYPTED PRIVATE KEY"),
    _armoured("private_key", r"(?:[A-Z0-9]+ )?PRIVATE KEY"),
    Rule(
        "putty_private_key",
        r"PuTTY-User-Key-File-\d[^\0]{0,4000}?Private-Lines: \d+"
        r"((?:\s{1,2}[A-Za-z0-9+/=]{16,80}(?![\w-]))+)",
        marks=("putty-user-key-file",),
    ),
    Rule(
        "jwt",
        r"(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]{8,}\.[\w-]{8,})?",
        heads=("eyJ",),
        check=_is_signed,
    ),
    Rule(
        "age_secret_key",
        r"AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}",
        heads=("AGE-SECRET-KEY-",),
        check=_is_identity,
    ),
    Rule(
        "wallet_private_key",
        r"(?<![A-Za-z0-9])[xyz]prv[1-9A-HJ-NP-Za-km-z]{107}(?![A-Za-z0-9])",
        heads=("xprv", "yprv", "zprv"),
        check=_has_base58_checksum,
    ),
    Rule(
        "wireguard_private_key",
        r"(?i:Private_?Key|PresharedKey)\s*=\s*([A-Za-z0-9+/]{43}=)",
        marks=("privatekey", "private_key", "presharedkey"),
    ),
    Rule(
        "jwk_private_key",
        r"\"kty\"[^{}]{0,2000}?\"d\"\s*:\s*\"([\w-]{32,})\"|\"d\"\s*:\s*\"([\w-]{32,})\"[^{}]{0,2000}?\"kty\"",
        marks=('"kty"',),
    ),
)
