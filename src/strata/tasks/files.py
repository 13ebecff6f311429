"""Agents defined by files: markdown with fields in front, or TOML."""

import tomllib
from pathlib import Path
from typing import Any

import msgspec

from strata.base.errors import InvalidArgument, NotFound
from strata.tasks.records import Definition, Thinking

_FIELDS = frozenset({"name", "shared", *Definition.__struct_fields__}) - {"thinking"}
_THINKING = {
    "endpoint": "endpoint",
    "base_url": "endpoint",
    "model": "model",
    "kind": "kind",
    "key_variable": "key_variable",
    "api_key_env": "key_variable",
}
_SECRET = ("api_key", "key", "token", "secret", "password")


def definitions_in(place: Path) -> list[Path]:
    """Return the files that a path names: itself, or the .md and .toml files of a folder."""
    if place.is_dir():
        return sorted(one for one in place.iterdir() if one.suffix in (".md", ".toml"))
    if not place.exists():
        raise NotFound(f"There is no file {place}.", hint="Name a .md or .toml file, or a folder.")
    return [place]


def read_definition(file: Path) -> tuple[str, Definition, bool]:
    """Return an agent's name, what it is, and whether it is for everybody, from a file."""
    text = file.read_text(encoding="utf-8")
    try:
        fields = tomllib.loads(text) if file.suffix == ".toml" else _of_markdown(text)
        return _read(fields, file.stem)
    except InvalidArgument:
        raise
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, TypeError, ValueError) as error:
        raise InvalidArgument(
            f"{file.name} defines no agent: {error}.",
            hint="docs/how-to/agents.md shows one.",
            parameter="file",
        ) from error


def _of_markdown(text: str) -> dict[str, Any]:
    from strata.documents import frontmatter  # noqa: PLC0415  (a queue needs no documents)

    found = frontmatter(text)
    if found.error is not None or not found.end:
        raise ValueError(found.error or "there are no fields between two lines of ---")
    return {**found.values, "instructions": text[found.end :].strip()}


def _read(fields: dict[str, Any], default: str) -> tuple[str, Definition, bool]:
    secret = next((name for name in fields if name.lower() in _SECRET), None)
    if secret is not None:
        raise InvalidArgument(
            f"A definition holds no {secret}: it would be kept in plain text.",
            hint="Name the variable that has it: key_variable.",
            parameter=secret,
        )
    odd = sorted(fields.keys() - _FIELDS - _THINKING.keys())
    if odd:
        known = ", ".join(sorted(_FIELDS | _THINKING.keys()))
        raise InvalidArgument(f"There is no field {odd[0]!r}.", hint=f"There are {known}.")
    about = {to: str(fields.pop(name)) for name, to in _THINKING.items() if name in fields}
    name, shared = str(fields.pop("name", default)), bool(fields.pop("shared", False))
    given = {key: _listed(key, value) for key, value in fields.items()}
    thinking = msgspec.convert(about, Thinking)
    return name, msgspec.convert(given | {"thinking": thinking}, Definition), shared


def _listed(name: str, value: object) -> object:
    """Return a field; several words may be in one text."""
    if name in ("groups", "allow") and isinstance(value, str):
        return value.replace(",", " ").split()
    return value
