"""Secrets in JSON values: where they are, and values without them."""

import re
from collections.abc import Container, Iterator
from typing import NamedTuple

import msgspec

from strata.base.values import Json
from strata.secrets.candidates import KINDS, names_one
from strata.secrets.find import Finding, find_secrets

_PLAIN_NAME = r"[^\W\d]\w*"
_MARK = r"\[masked: ([a-z0-9_]+)\]"
_NOTHING: frozenset[str] = frozenset()
# Taking one secret out can bring another to light, but not for ever.
_ROUNDS_MAX = 8


class SecretInValue(msgspec.Struct, frozen=True):
    """A secret in a value: its kind and the path to it, never the secret itself."""

    kind: str
    path: str


class SecretSpot(NamedTuple):
    """A secret with its text, for comparing. It does not leave this package."""

    kind: str
    path: str
    text: str


def find_in(value: Json, *, name: str = "") -> list[SecretInValue]:
    """Return the secrets in a JSON value, in names of members too.

    `name` is what the value is kept under: it may say that a text is a password.

    >>> find_in({"db": {"url": "postgres://app:" + "tr0ub4dor" + "@db/app"}})
    [SecretInValue(kind='url_password', path='$.db.url')]
    """
    return [SecretInValue(spot.kind, spot.path) for spot in spots(value, name=name)]


def mask(
    value: Json, *, name: str = "", known: Container[str] = _NOTHING
) -> tuple[Json, list[SecretInValue]]:
    """Return a value with each secret replaced by a mark, and what was replaced.

    Only the secret part of a text is replaced. What `known` holds is left as it is.

    >>> mask("PGPASSWORD=" + "tr0ub4dor" + " psql")[0]
    'PGPASSWORD=[masked: command_password] psql'
    """
    return _Masking(known).masked(value, name, path="$")


def masks_in(value: Json) -> list[SecretInValue]:
    """Return the marks that masking has left in a value."""
    return [
        SecretInValue(mark[1], path)
        for path, _name, text in _texts(value, "", "$")
        for mark in re.finditer(_MARK, text)
        if mark[1] in KINDS
    ]


def spots(value: Json, *, name: str = "") -> Iterator[SecretSpot]:
    """Yield the secrets of a value with their texts."""
    for path, beside, text in _texts(value, name, "$"):
        for finding in _find_beside(text, beside):
            yield SecretSpot(finding.kind, path, text[finding.start : finding.end])


def _texts(value: Json, name: str, path: str) -> Iterator[tuple[str, str, str]]:
    """Yield path, name and text of every text in a value; a name is a text without a name."""
    if isinstance(value, str):
        yield path, name, value
    elif isinstance(value, dict):
        for member, inner in value.items():
            if not isinstance(member, str):  # pyright: ignore[reportUnnecessaryIsInstance]
                continue  # no JSON; the writer of the value reports it
            yield path, "", member
            yield from _texts(inner, _called(member, value), path + step(member))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _texts(inner, name, f"{path}[{index}]")


def _called(name: str, whole: dict[str, Json]) -> str:
    """Return the name of a member; one of a JSON Web Key says so, or "d" would say nothing."""
    return f'kty": "key", "{name}' if "kty" in whole else name


def step(name: str) -> str:
    """Return the step of a path to a member; a secret in its name is not shown."""
    shown = _without(name, "", _NOTHING)[0].encode(errors="replace").decode()
    if re.fullmatch(_PLAIN_NAME, shown):
        return f".{shown}"
    return f"[{msgspec.json.encode(shown).decode()}]"


def _find_beside(text: str, name: str) -> list[Finding]:
    """Find what is secret in a text, or because of the name it is stored under."""
    found = find_secrets(text)
    if found or not name or not names_one(name.lower().encode(errors="replace")):
        return found
    head = f'"{name}": "'
    return [
        Finding(one.kind, one.start - len(head), one.end - len(head))
        for one in find_secrets(f'{head}{text}"')
        if one.start >= len(head) and one.end <= len(head) + len(text)
    ]


def _without(text: str, name: str, known: Container[str]) -> tuple[str, list[str]]:
    """Return a text without its secrets, and their kinds."""
    kinds: list[str] = []
    for _round in range(_ROUNDS_MAX):
        found = [one for one in _find_beside(text, name) if text[one.start : one.end] not in known]
        if not found:
            break
        text = _replace_findings(text, found)
        kinds += [finding.kind for finding in found]
    return text, kinds


def _replace_findings(text: str, found: list[Finding]) -> str:
    """Return a text with a mark in the place of each finding; they come in the text's order."""
    parts: list[str] = []
    end = 0
    for finding in found:
        parts += text[end : finding.start], f"[masked: {finding.kind}]"
        end = finding.end
    return "".join([*parts, text[end:]])


class _Masking:
    """One walk through a value that leaves marks where secrets were."""

    def __init__(self, known: Container[str]) -> None:
        self._known = known

    def masked(self, value: Json, name: str, *, path: str) -> tuple[Json, list[SecretInValue]]:
        if isinstance(value, str):
            text, kinds = _without(value, name, self._known)
            return text, [SecretInValue(kind, path) for kind in kinds]
        if isinstance(value, dict):
            return self._members(value, path)
        if isinstance(value, list):
            parts = [
                self.masked(inner, name, path=f"{path}[{index}]")
                for index, inner in enumerate(value)
            ]
            return [part for part, _found in parts], [
                one for _part, found in parts for one in found
            ]
        return value, []

    def _members(self, value: dict[str, Json], path: str) -> tuple[Json, list[SecretInValue]]:
        clean: dict[str, Json] = {}
        found: list[SecretInValue] = []
        for name, inner in value.items():
            shown, kinds = _without(name, "", self._known)
            while shown in clean:  # two secret names must not become one
                shown += "'"
            called = _called(name, value)
            clean[shown], below = self.masked(inner, called, path=path + step(name))
            found += [*(SecretInValue(kind, path) for kind in kinds), *below]
        return clean, found
