"""Arguments as models send them, made into what a tool's function takes.

Lenient in form: numbers, lists and objects may come as text, names in either case. Strict in
names: an unknown parameter is an error that names the nearest right one.
"""

from collections.abc import Callable, Mapping, Sequence
from types import UnionType
from typing import Any, Literal, Union, cast, get_args, get_origin

import msgspec

from strata.base.errors import InvalidArgument
from strata.tools.declare import SHARED, Parameter
from strata.tools.schema import about, fields_of, is_json, is_when, without_none

_WORDS = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}
_MISSING = object()


def convert(parameters: Sequence[Parameter], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments by their Python names; raise InvalidArgument for what does not fit."""
    given = _by_name(arguments, [parameter.name for parameter in parameters])
    found: dict[str, Any] = {}
    missing: list[str] = []
    for parameter in parameters:
        value = given.get(parameter.name, _MISSING)
        if value is None and not is_json(parameter.kind):
            value = _MISSING  # models write null for what they leave out
        if value is not _MISSING:
            found[parameter.python] = _checked(parameter, value)
        elif parameter.required:
            missing.append(parameter.name)
    if missing:
        raise InvalidArgument(
            f"{' and '.join(missing)} must be given.", parameter=missing[0], missing=missing
        )
    return found


def _by_name(arguments: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    if all(name in names for name in arguments):
        return dict(arguments)
    known = {plain(name): name for name in names}
    found: dict[str, Any] = {}
    for name, value in arguments.items():
        right = name if name in names else known.get(plain(name))
        if right is None:
            raise _unknown(name, names)
        found[right] = value
    return found


def plain(name: str) -> str:
    """Return a name as names are compared: in either case, with or without separators."""
    return name.replace("_", "").replace("-", "").lower()


def nearest(name: str, names: Sequence[str]) -> str | None:
    """Return the name that was probably meant, if one is near."""
    from difflib import get_close_matches  # noqa: PLC0415  (needed for errors only)

    close = get_close_matches(name, names, n=1)
    return close[0] if close else None


def _unknown(name: str, names: Sequence[str]) -> InvalidArgument:
    if name in SHARED:
        return InvalidArgument(
            f"There is no parameter {name!r}.",
            parameter=name,
            hint=f"This tool does the same whatever the {name}, and for all of them: leave it out.",
        )
    close = nearest(name, names)
    takes = f"It takes {', '.join(names)}." if names else "It takes no parameters."
    hint = f"Did you mean {close!r}? {takes}" if close else takes
    return InvalidArgument(
        f"There is no parameter {name[:100]!r}.", hint=hint, parameter=name[:100]
    )


def _checked(parameter: Parameter, value: Any) -> Any:
    made = _made(parameter.kind, value, parameter.name)
    schema = parameter.schema
    least, most = schema.get("minimum"), schema.get("maximum")
    if least is None and isinstance(made, int) and not isinstance(made, bool):
        least = 0  # nothing here is counted below zero
    if (least is not None and made < least) or (most is not None and made > most):
        between = f"from {least} to {most}" if most is not None else f"at least {least}"
        raise InvalidArgument(
            f"{parameter.name} is {made}; it must be {between}.", parameter=parameter.name
        )
    return made


def _made(kind: Any, value: Any, place: str) -> Any:
    """Return a value as its parameter's type, at a place that an error can name."""
    if is_json(kind):
        return value
    if kind in _PLAIN:
        return _PLAIN[kind](value, place)
    if is_when(kind):
        return _time(value, place)
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        # A text or a list of texts: whichever the model sent.
        found = _decoded(value)
        return _list(str, found, place) if isinstance(found, list) else _text(found, place)
    if origin is Literal:
        return _one_of(get_args(kind), value, place)
    if origin in (list, tuple):
        return _list(get_args(kind)[0], value, place)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return _struct(kind, value, place)
    return _object(value, place)


def _text(value: Any, place: str) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    raise _wrong(place, _WORDS[str], value)


def _integer(value: Any, place: str) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and value.strip().lstrip("+-").isdecimal() and len(value) < 25:
        return int(value)
    raise _wrong(place, _WORDS[int], value)


def _number(value: Any, place: str) -> float:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            pass
    raise _wrong(place, _WORDS[float], value)


def _boolean(value: Any, place: str) -> bool:
    if isinstance(value, bool):
        return value
    words = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
    if isinstance(value, (str, int)) and str(value).strip().lower() in words:
        return words[str(value).strip().lower()]
    raise _wrong(place, _WORDS[bool], value)


_PLAIN: dict[Any, Callable[[Any, str], Any]] = {
    str: _text,
    int: _integer,
    float: _number,
    bool: _boolean,
}


def _time(value: Any, place: str) -> str | int | float:
    if isinstance(value, (str, int, float)) and not isinstance(value, bool):
        return value
    raise _wrong(place, 'a time such as "1h ago", or a version', value)


def _one_of(choices: tuple[str, ...], value: Any, place: str) -> str:
    text = value.strip().lower() if isinstance(value, str) else value
    for choice in choices:
        if choice == value or choice.lower() == text:
            return choice
    raise InvalidArgument(
        f"{place} cannot be {_brief(value)}.",
        hint=f"Use {', '.join(choices)}.",
        parameter=place.partition("[")[0].partition(".")[0],
    )


def _list(kind: Any, value: Any, place: str) -> list[Any]:
    found = _decoded(value)
    if not isinstance(found, list):
        if not isinstance(found, (str, int, float, dict)):
            raise _wrong(place, "a list", found)
        found = cast("list[Any]", [found])  # one instead of a list of one
    bare, items = about(kind)[0], cast("list[Any]", found)
    return [_made(bare, item, f"{place}[{index}]") for index, item in enumerate(items)]


def _object(value: Any, place: str) -> dict[str, Any]:
    found = _decoded(value)
    if not isinstance(found, dict):
        raise _wrong(place, "an object", found)
    return cast("dict[str, Any]", found)


def _struct(kind: type[msgspec.Struct], value: Any, place: str) -> Any:
    fields = fields_of(kind)
    given = _by_name(_object(value, place), [field.name for field in fields])
    lacking = [field.name for field in fields if field.is_needed and field.name not in given]
    if lacking:
        raise InvalidArgument(
            f"{place} lacks {' and '.join(lacking)}.", parameter=place.partition("[")[0]
        )
    made = {
        field.python: _made(
            without_none(about(field.kind)[0]), given[field.name], f"{place}.{field.name}"
        )
        for field in fields
        if field.name in given and not (given[field.name] is None and not field.is_needed)
    }
    return kind(**made)


def _decoded(value: Any) -> Any:
    """Return what a text of JSON holds, if it is a list or an object."""
    if not isinstance(value, str) or not value.lstrip().startswith(("[", "{")):
        return value
    try:
        return msgspec.json.decode(value)
    except msgspec.DecodeError:
        return value


def _wrong(place: str, wanted: str, value: Any) -> InvalidArgument:
    parameter = place.partition("[")[0].partition(".")[0]
    return InvalidArgument(f"{place} must be {wanted}, not {_brief(value)}.", parameter=parameter)


def _brief(value: Any) -> str:
    """Show what was given, shortly: it may be huge, and it may be a secret."""
    if isinstance(value, str):
        return f"{value[:40]!r}" if len(value) <= 40 else f"a text of {len(value):,} characters"
    if isinstance(value, (list, dict)):
        return "a list" if isinstance(value, list) else "an object"
    return "null" if value is None else str(value)[:40].lower()
