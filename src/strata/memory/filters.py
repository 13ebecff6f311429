"""Filters on metadata: field, operator, value. All of several must hold."""

import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypeAlias, cast

import msgspec

from strata.base.checks import check_many
from strata.base.errors import InvalidArgument
from strata.base.values import Json, equal

Filter: TypeAlias = Mapping[str, Json]
# Metadata is the caller's own JSON; what a field holds is only known when it is compared.
Test: TypeAlias = Callable[[Any], bool]
_ABSENT = object()


class Condition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One comparison of a field, named plainly or by a dotted path."""

    field: str
    value: Any  # compared with metadata, which may be anything
    op: Literal["eq", "ne", "gt", "gte", "lt", "lte", "in", "contains"] = "eq"


def compile_filter(conditions: Iterable[Filter] | None) -> Test | None:
    """Return a test of metadata, or None when there is nothing to test."""
    given = () if conditions is None else check_many(conditions, name="filter")
    tests = [_compile(condition) for condition in given]
    if not tests:
        return None
    return lambda metadata: all(test(metadata) for test in tests)


def _compile(given: Filter) -> Test:
    try:
        condition = msgspec.convert(given, Condition)
    except msgspec.ValidationError as error:
        raise InvalidArgument(
            f"{given!r} is not a filter: {error}.",
            hint='Use {"field": …, "op": …, "value": …} with one of ' + ", ".join(_OPERATORS) + ".",
            parameter="filter",
        ) from error
    if condition.op == "in" and not isinstance(condition.value, (list, tuple)):
        raise InvalidArgument(
            f"The operator in needs a list, not {condition.value!r}.", parameter="filter"
        )
    compare = _OPERATORS[condition.op]
    return lambda metadata: compare(_look_up(metadata, condition.field), condition.value)


def _look_up(metadata: Any, field: str) -> Any:
    """Return a field by its name, or by its dotted path when no field is called so."""
    known = _members(metadata)
    if field in known:
        return known[field]
    first, dot, rest = field.partition(".")
    return _look_up(known[first], rest) if dot and first in known else _ABSENT


def _members(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _ordered(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    """Compare numbers with numbers and text with text; anything else does not fit."""

    def test(found: Any, value: Any) -> bool:
        for kind in ((int, float), (str,)):
            if isinstance(found, kind) and isinstance(value, kind):
                return bool not in (type(found), type(value)) and compare(found, value)
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
    return isinstance(value, str) and value in _members(found)


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
