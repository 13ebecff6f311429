"""The lines between `---` at the head of a Markdown file: a name and a JSON value each.

JSON is also YAML, so other programs read them as front matter. Read here is no more than such
lines: no anchors, no types, no nesting beyond what one line of JSON holds.
"""

import re
from typing import cast

import msgspec

from strata.base import limits
from strata.base.values import Json, decode

_FENCE = "---\n"
# What an editor, a merge or git itself could change or misread.
FRAGILE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]")
_NAME = re.compile(r"[a-z][a-z0-9_]*")


def write_front_matter(members: dict[str, Json], body: str) -> str:
    """Return a file: the members that are not None, in their order, and the body."""
    lines = [f"{name}: {_json(value)}\n" for name, value in members.items() if value is not None]
    return "".join([_FENCE, *lines, _FENCE, body])


def _json(value: Json) -> str:
    return exact(msgspec.json.encode(value, order="sorted"))


def exact(data: bytes) -> str:
    """Return JSON in which nothing can get lost on the way."""
    return FRAGILE.sub(lambda found: f"\\u{ord(found[0]):04x}", data.decode())


def split_front_matter(text: str) -> tuple[dict[str, Json], str]:
    """Return the members and the body of a file; raise ValueError for what cannot be read.

    A file without front matter is all body. A value that is no JSON is taken as plain text, as
    people write it.
    """
    if not text.startswith(_FENCE):
        return {}, text
    end = text.find(f"\n{_FENCE}", len(_FENCE) - 1)
    if end < 0:
        raise ValueError("its front matter has no end")
    if end > limits.GIT_FRONT_MATTER_BYTES:
        raise ValueError("its front matter is too long")
    members: dict[str, Json] = {}
    for line in text[len(_FENCE) : end].split("\n"):
        name, colon, value = line.partition(":")
        if not colon or _NAME.fullmatch(name) is None:
            raise ValueError(f"its front matter has a line without a name: {line[:40]!r}")
        if name in members:
            raise ValueError(f"its front matter says {name} twice")
        members[name] = _value(value.strip())
    return members, text[end + 1 + len(_FENCE) :]


def _value(text: str) -> Json:
    try:
        return cast("Json", decode(text))
    except (ValueError, RecursionError) as error:
        if text[:1] in ("{", "[", '"', "&", "*", "!", "|", ">"):
            raise ValueError(f"its front matter has no JSON in {text[:40]!r}") from error
        return text
