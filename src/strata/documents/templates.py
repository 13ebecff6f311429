"""Templates: documents whose frontmatter declares variables that are in their text."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import cast

import msgspec

from strata.base import limits
from strata.base.errors import InvalidArgument, LimitExceeded
from strata.base.results import Result
from strata.base.values import Json
from strata.documents.markdown import frontmatter

_PLACEHOLDER = re.compile(r"\{\{\s*([^\s{}]+)\s*\}\}")
# What frontmatter says about the template itself; a document made from it says none of this.
_OF_TEMPLATE = ("name", "description", "variables")
# How many names that do not fit an error lists, and how much of each.
_TOLD, _TOLD_CHARACTERS = 50, 80


class Variable(Result, frozen=True):
    """Something to be filled in; one with a default may be left out."""

    name: str
    description: str = ""
    default: str | None = None


class Template(Result, frozen=True):
    """What a template says about itself."""

    name: str
    description: str
    variables: tuple[Variable, ...]


def read(text: str) -> Template:
    """Return what a template declares; raise InvalidArgument for what cannot be read."""
    found = frontmatter(text)
    if found.error is not None:
        raise InvalidArgument(
            f"The template's frontmatter cannot be read: {found.error}.",
            hint="Mend the lines between the two --- at its top.",
        )
    values = found.values
    return Template(
        str(values.get("name") or ""),
        str(values.get("description") or ""),
        tuple(_variables(values.get("variables"))),
    )


def _variables(declared: Json) -> list[Variable]:
    """Return variables however they are written: as names, as objects, or as a mapping."""
    if isinstance(declared, dict):
        declared = [
            (value | {"name": name})
            if isinstance(value, dict)
            else {"name": name, "description": value}
            for name, value in declared.items()
        ]
    if declared is None:
        return []
    if not isinstance(declared, list):
        raise _unnamed(declared)
    return [_variable(one) for one in declared]


def _variable(declared: Json) -> Variable:
    if not isinstance(declared, dict):
        return Variable(str(declared))
    name = declared.get("name") or declared.get("key")
    if name is None or isinstance(name, dict | list):
        raise _unnamed(declared)
    default = "" if declared.get("required") is False else None
    default = declared.get("default", default)
    described = declared.get("description")
    return Variable(
        str(name),
        "" if described is None else str(described),
        None if default is None else str(default),
    )


def _unnamed(declared: Json) -> InvalidArgument:
    shown = msgspec.json.encode(declared).decode()[:_TOLD_CHARACTERS]
    return InvalidArgument(
        f"The template declares a variable without a name: {shown}.",
        hint="Mend its frontmatter: `variables: [project, owner]`, or a list of objects that each"
        " have a `name` (or `key`). Nothing was made.",
        parameter="template",
    )


def fill(text: str, given: Mapping[str, object]) -> str:
    """Return a template's text with its variables filled in, without what is about itself."""
    template = read(text)
    values = _checked(template, given)
    bare = _without_declarations(text)
    _check_size(bare, values)
    return _PLACEHOLDER.sub(lambda match: values.get(match[1], match[0]), bare)


def _check_size(text: str, values: Mapping[str, str]) -> None:
    """Refuse a text that would not fit into a document, before it fills the memory instead."""
    used = Counter(match[1] for match in _PLACEHOLDER.finditer(text))
    sizes = {name: len(value.encode("utf-8", "surrogatepass")) for name, value in values.items()}
    size = sum(count * sizes.get(name, 0) for name, count in used.items())
    if size > limits.DOCUMENT_BYTES_MAX:
        raise LimitExceeded(
            f"The variables alone would fill {size:,} bytes; a document may have "
            f"{limits.DOCUMENT_BYTES_MAX:,}.",
            hint="Send shorter values.",
            limit=limits.DOCUMENT_BYTES_MAX,
            size=size,
        )


def _checked(template: Template, given: Mapping[str, object]) -> dict[str, str]:
    declared = {variable.name: variable for variable in template.variables}
    unknown = [name for name in given if name not in declared]
    missing = [
        name
        for name, variable in declared.items()
        if name not in given and variable.default is None
    ]
    if unknown or missing:
        missing, unknown = _named(missing), _named(unknown)
        told = [f"missing: {', '.join(missing)}"] if missing else []
        told += [f"unknown: {', '.join(unknown)}"] if unknown else []
        names = ", ".join(_named(declared)) or "none"
        raise InvalidArgument(
            f"The template's variables do not fit: {'; '.join(told)}.",
            hint=f"It declares: {names}. Nothing was made.",
            parameter="variables",
            missing=missing,
            unknown=unknown,
        )
    filled = {name: variable.default or "" for name, variable in declared.items()}
    return filled | {name: _as_text(value) for name, value in given.items()}


def _named(names: Iterable[str]) -> list[str]:
    """Return names to be told; of many the first, and of long ones the beginning."""
    return [name[:_TOLD_CHARACTERS] for name in islice(names, _TOLD)]


def _as_text(value: object) -> str:
    if isinstance(value, str):
        return value
    return msgspec.json.encode(cast("Json", value)).decode()


def _without_declarations(text: str) -> str:
    """Drop the template's own entries from the frontmatter, and the rest byte for byte as is."""
    end = frontmatter(text).end
    if not end:
        return text
    lines = text[:end].splitlines(keepends=True)
    kept: list[str] = []
    drops = False
    for line in lines[1:-1]:
        if line[:1].strip() and not line.startswith(("#", "-", "}", "]")):
            drops = line.split(":", 1)[0].strip().strip("\"'") in _OF_TEMPLATE
        if not drops:
            kept.append(line)
    body = text[end:]
    if not any(line.strip() for line in kept):
        return body.lstrip("\r\n")
    return "".join([lines[0], *kept, lines[-1]]) + body
