"""JSON schemas from Python types: flat, without references, in the forms every client accepts."""

from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin

import msgspec

from strata.base.values import Json

# Any: what stands in annotations, and schemas themselves, have no narrower type.
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
}
_BOUNDS = {"ge": "minimum", "le": "maximum", "min_length": "minLength", "max_length": "maxLength"}


def about(annotation: Any) -> tuple[Any, str, dict[str, Any]]:
    """Split `Annotated[T, …]` into T, its description and its bounds."""
    if get_origin(annotation) is not Annotated:
        return annotation, "", {}
    kind, note, *_rest = get_args(annotation)
    if isinstance(note, str):
        return kind, note, {}
    assert isinstance(note, msgspec.Meta), f"{note!r} describes nothing"
    bounds = {name: getattr(note, name) for name in _BOUNDS if getattr(note, name) is not None}
    return kind, note.description or "", bounds


def schema_of(annotation: Any) -> Schema:
    """Return the schema of a type, its description and bounds included."""
    kind, description, bounds = about(annotation)
    schema = dict(_bare(kind))
    for name, value in bounds.items():
        if name == "max_length" and schema.get("type") == "array":
            schema["maxItems"] = value
        else:
            schema[_BOUNDS[name]] = value
    if description:
        schema["description"] = description
    return schema


def _bare(kind: Any) -> Schema:
    if kind is Any:
        return {}
    if kind in _PLAIN:
        return _PLAIN[kind]
    if is_json(kind):
        return {"type": ANY_JSON, "items": {}}
    if is_when(kind):
        return {"type": ["string", "integer"]}
    origin = get_origin(kind)
    if origin is Literal:
        return {"type": "string", "enum": list(get_args(kind))}
    if origin in (list, tuple):
        return {"type": "array", "items": schema_of(get_args(kind)[0])}
    if origin is dict:
        return {"type": "object"}
    if origin in (Union, UnionType):
        return _union([part for part in get_args(kind) if part is not msgspec.UnsetType])
    assert isinstance(kind, type) and issubclass(kind, msgspec.Struct), f"no schema for {kind!r}"
    return struct_schema(kind)


def _union(parts: list[Any]) -> Schema:
    """Join simple types by listing them: combinators are refused by some clients."""
    if Any in parts:
        return {}
    if len(parts) == 1:
        return schema_of(parts[0])
    schemas = [schema_of(part) for part in parts]
    merged: Schema = {}
    for schema in schemas:
        merged |= schema
    types = [kind for schema in schemas for kind in _types(schema)]
    return merged | {"type": list(dict.fromkeys(types))}


def _types(schema: Schema) -> list[str]:
    kind = schema["type"]
    return kind if isinstance(kind, list) else [kind]


def struct_schema(struct: type[msgspec.Struct]) -> Schema:
    """Return the schema of a struct, with everything inside it written out."""
    fields = fields_of(struct)
    schema: Schema = {
        "type": "object",
        "properties": {name: schema_of(kind) for name, kind, _needed in fields},
    }
    required = [name for name, _kind, needed in fields if needed]
    return schema | {"required": required} if required else schema


def fields_of(struct: type[msgspec.Struct]) -> list[tuple[str, Any, bool]]:
    """Return (name on the wire, type, whether it is always there) of each field."""
    config = struct.__struct_config__
    names, wire = struct.__struct_fields__, struct.__struct_encode_fields__
    defaults = len(names) - len(struct.__struct_defaults__)
    kinds: dict[str, Any] = {}
    for base in reversed(struct.__mro__):
        kinds |= base.__dict__.get("__annotations__", {})
    return [
        (wire[index], kinds[name], index < defaults or not _may_be_left_out(kinds[name], config))
        for index, name in enumerate(names)
    ]


def _may_be_left_out(kind: Any, config: Any) -> bool:
    return bool(config.omit_defaults) or msgspec.UnsetType in get_args(about(kind)[0])


def is_json(kind: Any) -> bool:
    """Tell whether a type is any JSON value; the alias is kept as text."""
    return kind == Json or getattr(kind, "__forward_arg__", None) == Json


def is_when(kind: Any) -> bool:
    """Tell whether a type is a time."""
    return kind == When


def without_none(kind: Any) -> Any:
    """Return T of `T | None`."""
    if get_origin(kind) not in (Union, UnionType):
        return kind
    parts = tuple(part for part in get_args(kind) if part is not NoneType)
    if len(parts) == len(get_args(kind)):
        return kind
    return parts[0] if len(parts) == 1 else Union[parts]  # noqa: UP007  (made at run time)
