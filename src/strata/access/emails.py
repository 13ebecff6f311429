"""Emails: what can be one, and when two are the same."""

import re
from unicodedata import normalize

from strata.base import limits
from strata.base.checks import is_text
from strata.base.errors import InvalidArgument

# One @, something before it, a name with a dot behind it, and nothing that mail programs
# take for a border. Letters of every script may stand in both halves.
_FORM = re.compile(r"""[^\s@<>()\[\],;:\\"]+@([^\s@<>()\[\],;:\\".]+\.)+[^\s@<>()\[\],;:\\".]+""")
_LOCAL = "@localhost"


def check_email(email: object) -> str:
    """Return an email in composed form, or raise InvalidArgument for what cannot be one.

    >>> check_email("소연@예시.한국")
    '소연@예시.한국'
    """
    text = normalize("NFC", str(email)) if is_text(email) else ""
    form = text.removesuffix(_LOCAL) + "@local.host" if text.endswith(_LOCAL) else text
    if (
        len(text) > limits.EMAIL_CHARACTERS_MAX
        or not text.isprintable()
        or not _FORM.fullmatch(form)
    ):
        raise InvalidArgument(
            f"{str(email)[:200]!r} is no email.", hint="Such as ann@example.com.", parameter="email"
        )
    return text


def match_of(email: str) -> str:
    """Return the form in which emails are compared: composed, without case.

    >>> match_of("Ann@Example.COM") == match_of("ann@example.com")
    True
    """
    return normalize("NFC", normalize("NFC", email).casefold())
