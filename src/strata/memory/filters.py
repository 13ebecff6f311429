"""Filters on metadata: field, operator, value. All of several must hold."""

import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias, cast

from strata.base.errors import InvalidArgument
from strata.base.values import Json, equal

Filter: TypeAlias = Mapping[str, Json]
# Metadata is the caller's own JSON; what a field holds is only known when it is compared.
Test: TypeAlias = Callable[[Any], bool]
_ABSENT = object()


def compile_filter(conditions: Iterable[Filter] | None) -> Test | None:
    """Return a test of metadata, or None when there is nothing to test."""
    tests = [_compile(condition) for condition in conditions or ()]
    if not tests:
        return None
    return lambda metadata: all(test(metadata) for test in tests)


def _compile(condition: Filter) -> Test:
    if not isinstance(condition, Mapping) or not {"field", "op", "value"} >= condition.keys():
        raise _unusable(condition)
    field, name, value = condition.get("field"), condition.get("op", "eq"), condition.get("value")
    if not isinstance(field, str) or not isinstance(name, str) or name not in _OPERATORS:
        raise _unusable(condition)
    if name == "in" and not isinstance(value, (list, tuple)):
        raise InvalidArgument(
            f"The operator in needs a list, not {value!r}.", parameter="filter"
        )
    compare = _OPERATORS[name]
    parts = field.split(".")

    def test(metadata: Any) -> bool:
        found = _look_up(metadata, field, parts)
        return compare(found, value)

    return test


def _look_up(metadata: Any, field: str, parts: list[str]) -> Any:
    """Return a field by its name, or by its dotted path when no field is called so."""
    if isinstance(metadata, dict) and field in metadata:
        return cast("dict[str, Any]", metadata)[field]
    place: Any = metadata
    for part in parts:
        if not isinstance(place, dict) or part not in place:
            return _ABSENT
        place = cast("dict[str, Any]", place)[part]
    return place


def _ordered(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    """Compare numbers with numbers and text with text; anything else does not fit."""

    def test(found: Any, value: Any) -> bool:
        for kind in ((int, float), (str,)):
            if isinstance(found, kind) and isinstance(value, kind):
                return not isinstance(found, bool) and compare(found, value)
        return False

    return test


def _same(found: Any, value: Any) -> bool:
    if isinstance(found, (int, float)) and isinstance(value, (int, float)):
        return found == value and isinstance(found, bool) == isinstance(value, bool)
    return found is not _ABSENT and equal(found, value)


def _contains(found: Any, value: Any) -> bool:
    if isinstance(found, str):
        return isinstance(value, str) and value in found
    if isinstance(found, list):
        return any(_same(item, value) for item in cast("list[Any]", found))
    return isinstance(found, dict) and value in found


_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "eq": _same,
    "ne": lambda found, value: not _same(found, value),
    "gt": _ordered(operator.gt),
    "gte": _ordered(operator.ge),
    "lt": _ordered(operator.lt),
    "lte": _ordered(operator.le),
    "in": lambda found, value: any(_same(found, item) for item in value),
    "contains": _contains,
}


def _unusable(condition: object) -> InvalidArgument:
    return InvalidArgument(
        f"{condition!r} is not a filter.",
        hint='Use {"field": …, "op": …, "value": …} with one of ' + ", ".join(_OPERATORS) + ".",
        parameter="filter",
    )
