"""Answers that a model can read: about eight thousand tokens, and the call for the rest."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

import msgspec

from strata.base import limits

if TYPE_CHECKING:
    from strata.tools.declare import Tool

T = TypeVar("T")
# Members of an answer's items that hold stored values.
_VALUES = ("value", "data", "before", "after", "base", "source", "target")
# Members of an answer that are lists but not what was asked for: they are never cut.
_WHOLE = (*_VALUES, "tags", "similar")
_encode = msgspec.json.Encoder().encode


def tokens(value: Any) -> int:
    """Estimate the tokens of a value as JSON: four Latin letters, or about one of other scripts.

    Three bytes of UTF-8 make a letter of Korean, Chinese or Japanese, and those take about one
    token each; so bytes divided by three is near for them and a little high for English.
    """
    return _tokens_of(_encode(value))


def _tokens_of(data: bytes) -> int:
    plain = len(data.decode("utf-8", "replace"))
    return (len(data) - plain) // 2 + plain // 4


def fit(
    answer: dict[str, Any], tool: "Tool", arguments: Mapping[str, Any], *, most: int | None
) -> dict[str, Any]:
    """Cut the answer's list to the budget, and to `most`; add the call for the rest.

    Tools fetch one more than they were asked for, so that the end of a list can be told.
    """
    assert tool.resume is not None
    name = max(
        (name for name, value in answer.items() if isinstance(value, list) and name not in _WHOLE),
        key=lambda name: len(answer[name]),
        default=None,
    )
    if name is None:
        return answer
    items: list[Any] = answer[name][:most]
    data = _encode(answer)
    if len(data) > limits.ANSWER_TOKENS_MAX * 2 and _tokens_of(data) > limits.ANSWER_TOKENS_MAX:
        rest = limits.ANSWER_TOKENS_MAX - tokens({**answer, name: []})
        items = that_fit([shortened(item) for item in items], rest)
    if len(items) == len(answer[name]):
        return {**answer, name: items}
    cut_short = {**answer, name: items, "truncated": True}
    # Where nothing was kept there is nothing to go on behind.
    rest_of_it = tool.resume(dict(arguments), items) if items else None
    if rest_of_it is None:
        return cut_short
    return {**cut_short, "next": {"tool": tool.name, "arguments": rest_of_it}}


def that_fit(items: Sequence[T], budget: int, *, beside: int = 0) -> list[T]:
    """Return the first items that fit into so many tokens, each with so many beside it.

    One is kept at least, so that reading goes on.
    """
    kept: list[T] = []
    for item in items:
        budget -= tokens(item) + beside
        if budget < 0 and kept:
            break
        kept.append(item)
    return kept


def skip_listed(arguments: dict[str, Any], shown: list[Any]) -> dict[str, Any]:
    """Return the arguments that go on behind what was shown of a list with an offset."""
    return arguments | {"offset": int(arguments.get("offset") or 0) + len(shown)}


def shortened(item: Any) -> Any:
    """Cut values so long that they would fill the answer alone; `recall` gives them whole."""
    if not isinstance(item, dict):
        return item
    members = cast("dict[str, Any]", item)
    most = limits.ANSWER_VALUE_TOKENS_MAX
    long = [name for name in _VALUES if name in members and tokens(members[name]) > most]
    parts = {name: cut(as_text(members[name]), most) for name in long}
    return {**members, **parts, "value_truncated": True} if long else members


def as_text(value: Any) -> str:
    """Return a text as it is, and any other value as JSON."""
    return value if isinstance(value, str) else _encode(value).decode()


def cut(text: str, budget: int) -> str:
    """Return the beginning of a text that takes at most so many tokens."""
    low, high = 0, min(len(text), (budget + 1) * 4)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if tokens(text[:middle]) <= budget else (low, middle - 1)
    return text[:low]
