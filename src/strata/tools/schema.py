"""JSON schemas from Python types: flat, without references, in the forms every client accepts."""

from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin

import msgspec

from strata.base.values import Json

# Any: annotations, and schemas themselves, have no narrower type.
Schema: TypeAlias = dict[str, Any]

# A time, in any of the forms that `strata.base.clock` reads.
When: TypeAlias = str | int | float

ANY_JSON = ["string", "number", "boolean", "object", "array", "null"]
_PLAIN: dict[Any, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    NoneType: {"type": "null"},
    None: {"type": "null"},  # as functions that return nothing are annotated
}
_BOUNDS = {"ge": "minimum", "le": "maximum"}

# Marks a parameter or a member in `Annotated[T, "what it is", HIDDEN]`: it is taken, or may be
# there, but lists of tools, which a model reads with every prompt, do without it.
HIDDEN = "hidden"
# What a schema is for: what may be given, what comes back, and the short form of that in lists.
Form: TypeAlias = Literal["input", "output", "listed"]


class Field(msgspec.Struct, frozen=True):
    """A field of a struct, and whether it must be given or is always there."""

    name: str
    python: str
    kind: Any
    is_needed: bool
    is_there: bool
    is_hidden: bool


def about(annotation: Any) -> tuple[Any, str, dict[str, Any]]:
    """Split `Annotated[T, …]` into T, its description and its bounds."""
    if get_origin(annotation) is not Annotated:
        return annotation, "", {}
    kind, note, *_rest = get_args(annotation)
    if isinstance(note, str):
        return kind, "" if note == HIDDEN else note, {}
    assert isinstance(note, msgspec.Meta), f"{note!r} describes nothing"
    bounds = {name: getattr(note, name) for name in _BOUNDS if getattr(note, name) is not None}
    return kind, note.description or "", bounds


def schema_of(annotation: Any, form: Form = "output") -> Schema:
    """Return the schema of a type, its description and bounds included."""
    kind, description, bounds = about(annotation)
    schema = dict(_bare(without_none(kind) if form == "input" else kind, form))
    schema |= {_BOUNDS[name]: value for name, value in bounds.items()}
    return schema | {"description": description} if description else schema


def _bare(kind: Any, form: Form) -> Schema:
    if kind is Any:
        return {}
    if kind in _PLAIN:
        return _PLAIN[kind]
    if is_json(kind):
        return {"type": ANY_JSON, "items": {}}
    if is_when(kind):
        return {"type": ["string", "integer"]}
    if is_struct(kind):
        return struct_schema(kind, form)
    return _made_of(kind, get_origin(kind), form)


def _made_of(kind: Any, origin: Any, form: Form) -> Schema:
    parts = get_args(kind)
    if origin is Literal:
        return {"type": "string", "enum": list(parts)}
    if origin in (list, tuple):
        return {"type": "array", "items": schema_of(parts[0], form)}
    if origin is dict:
        return {"type": "object"}
    assert origin in (Union, UnionType), f"no schema for {kind!r}"
    return _union([part for part in parts if part is not msgspec.UnsetType], form)


def _union(parts: list[Any], form: Form) -> Schema:
    """Join simple types by listing them: combinators are refused by some clients."""
    if Any in parts:
        return {}
    if len(parts) == 1:
        return schema_of(parts[0], form)
    merged: Schema = {}
    types: list[str] = []
    for schema in (schema_of(part, form) for part in parts):
        kind = schema["type"]
        types += kind if isinstance(kind, list) else [kind]
        merged |= schema
    return merged | {"type": list(dict.fromkeys(types))}


def struct_schema(struct: type[msgspec.Struct], form: Form = "output") -> Schema:
    """Return the schema of a struct, with everything inside it written out."""
    fields = fields_of(struct)
    if form != "output":
        fields = [field for field in fields if not field.is_hidden]
    properties = {field.name: schema_of(field.kind, form) for field in fields}
    schema: Schema = {"type": "object", "properties": properties}
    # What has a default may be left out of an input, but is there in an output.
    always = {"input": "is_needed", "output": "is_there"}.get(form)
    required = [field.name for field in fields if always and getattr(field, always)]
    return schema | {"required": required} if required else schema


def fields_of(struct: type[msgspec.Struct]) -> list[Field]:
    """Return the fields of a struct under their names on the wire."""
    names, wire = struct.__struct_fields__, struct.__struct_encode_fields__
    needed = _needed(struct)
    kinds: dict[str, Any] = {}
    for base in reversed(struct.__mro__):
        # Not by `inspect`, which takes longer to load than everything here to run.
        kinds |= base.__dict__.get("__annotations__", {})  # noqa: RUF063
    omits = bool(struct.__struct_config__.omit_defaults)
    return [
        Field(
            wire[index],
            name,
            kinds[name],
            name in needed,
            name in needed or not (omits or msgspec.UnsetType in get_args(about(kinds[name])[0])),
            HIDDEN in get_args(kinds[name]),
        )
        for index, name in enumerate(names)
    ]


def _needed(struct: type[msgspec.Struct]) -> set[str]:
    """Return the fields without a default; keyword-only ones may be in any order."""
    defaults = struct.__struct_defaults__
    with_default = struct.__struct_fields__[len(struct.__struct_fields__) - len(defaults) :]
    pairs = zip(with_default, defaults, strict=True)
    return set(struct.__struct_fields__) - {
        name for name, default in pairs if default is not msgspec.NODEFAULT
    }


def is_json(kind: Any) -> bool:
    """Tell whether a type is any JSON value, with or without null."""
    return {*get_args(kind), NoneType} - {msgspec.UnsetType} == set(get_args(Json))


def is_when(kind: Any) -> bool:
    """Tell whether a type is a time."""
    return kind == When


def is_struct(kind: Any) -> bool:
    """Tell whether a type is a struct."""
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def without_none(kind: Any) -> Any:
    """Return T of `T | None`."""
    if get_origin(kind) not in (Union, UnionType):
        return kind
    parts = tuple(part for part in get_args(kind) if part is not NoneType)
    if len(parts) == len(get_args(kind)):
        return kind
    return parts[0] if len(parts) == 1 else Union[parts]  # noqa: UP007  (made at run time)
