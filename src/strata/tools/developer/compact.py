"""Three tools in place of seventy-four: search them, describe one, call one.

For models that a long list of tools would swamp; all of them can be called either way.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct

from strata.base.errors import NotFound, StrataError
from strata.tools.arguments import nearest
from strata.tools.call import call_tool
from strata.tools.declare import Tool, ToolGroup
from strata.tools.developer.categories import CATEGORIES
from strata.tools.session import Call

compact = ToolGroup("developer_compact", pattern="strata_tools_{}", shared=())
TOOL_GROUPS = (compact,)


class Summary(Struct, frozen=True):
    """A tool in one line; parameters in brackets may be left out."""

    name: str
    category: str
    summary: str
    parameters: str


class ToolDescription(Struct, frozen=True):
    """Everything about one tool."""

    name: str
    category: str
    description: str
    reads_only: bool
    input_schema: dict[str, Any]
    output_schema: dict[str, Any]
    example: dict[str, Any]


@compact.reads(lists="results", example={"query": "compare two branches"})
def search(
    call: Call,
    *,
    query: Annotated[str | None, "What you want to do, or part of a tool's name"] = None,
    category: Annotated[str | None, f"Only this category: {', '.join(CATEGORIES)}"] = None,
    limit: Annotated[int, Meta(description="Tools at most", ge=1, le=74)] = 10,
) -> list[Summary]:
    """Find the right one of the 74 developer tools.

    Answers {results}, best first; without a query all of a category, or the first ones of all. Then
    strata_tools_call calls one, and strata_tools_describe tells its parameters exactly.
    """
    del call
    found = [(name, tool) for name, tool in _all() if category in (None, name)]
    if not found:
        raise NotFound(
            f"There is no category {category!r}.", hint=f"There are {', '.join(CATEGORIES)}."
        )
    words = _words(query or "")
    scored = zip(_scores(words, found), found, strict=True)
    best = sorted((one for one in scored if one[0] or not words), key=lambda one: -one[0])
    return [_summary(category, tool) for _score, (category, tool) in best[:limit]]


@compact.reads(example={"name": "strata_branch_diff"})
def describe(call: Call, *, name: Annotated[str, "Name of the tool"]) -> ToolDescription:
    """Describe one of the 74 developer tools.

    Its parameters as a JSON schema, what it answers, and an example.
    """
    del call
    category, tool = _required(name)
    return ToolDescription(
        tool.name,
        category,
        tool.description,
        tool.reads_only,
        tool.input_schema,
        tool.output_schema or {},
        dict(tool.example),
    )


@compact.writes(
    name="call",
    destructive=True,
    open_world=True,
    delegates=True,
    example={"name": "strata_kv_get", "arguments": {"key": "deploy/target"}},
)
def call_one(
    call: Call,
    *,
    name: Annotated[str, "Name of the tool"],
    arguments: Annotated[
        dict[str, Any] | None, "Its arguments, as strata_tools_describe says"
    ] = None,
) -> dict[str, Any]:
    """Call one of the 74 developer tools.

    Answers {result} with what the tool answers; its errors are this tool's errors.
    """
    _category, tool = _required(name)
    outcome = call_tool(call.session, tool, arguments or {}, progress=call.progress)
    if outcome.is_error:
        raise _Failed(outcome.value)
    return outcome.value


class _Failed(StrataError):
    """An error that a called tool has explained already."""

    def __init__(self, value: dict[str, Any]) -> None:
        rest = {key: value[key] for key in value if key not in ("code", "message", "hint")}
        super().__init__(value["message"], hint=value.get("hint"), **rest)
        # Its own class is not known any more, its code is what counts.
        self.code = value["code"]  # pyright: ignore[reportAttributeAccessIssue]


def _all() -> Iterable[tuple[str, Tool]]:
    return ((name, tool) for name, group in CATEGORIES.items() for tool in group.tools)


def _required(name: str) -> tuple[str, Tool]:
    for category, tool in _all():
        if tool.name == name:
            return category, tool
    # What all names begin with says nothing about which one was meant.
    names = [tool.name.removeprefix("strata_") for _category, tool in _all()]
    close = nearest(name.removeprefix("strata_"), names)
    hint = f"Did you mean strata_{close}?" if close else "strata_tools_search finds them."
    raise NotFound(f"There is no developer tool {name[:100]!r}.", hint=hint)


def _summary(category: str, tool: Tool) -> Summary:
    names = [one.name if one.required else f"[{one.name}]" for one in tool.parameters]
    first, stop, _rest = tool.description.partition(". ")
    return Summary(tool.name, category, first + stop.strip(), ", ".join(names))


# Words that people use for what the names of the tools say, in English and Korean.
_MEANINGS = {
    "cell": "state",
    "atomic": "many batch txn cas",
    "compare and set": "cas",
    "compare-and-set": "cas",
    "compare and swap": "cas",
    "compare-and-swap": "cas",
    "optimistic": "cas",
    "only if": "cas",
    "counter": "state",
    "nearest": "vector search",
    "compare": "diff",
    "copy": "fork",
    "difference": "diff",
    "document": "json",
    "fetch": "get",
    "load": "get",
    "lock": "cas",
    "log": "event",
    "namespace": "space",
    "past": "history",
    "read": "get",
    "remove": "delete",
    "save": "put",
    "store": "put",
    "write": "put set",
    "similar": "vector search",
    "undo": "rollback",
    "transaction": "txn",
    "many": "batch many",
    "llm": "generate",
    "트랜잭션": "txn",
    "브랜치": "branch",
    "가지": "branch",
    "벡터": "vector",
    "임베딩": "embed",
    "이벤트": "event",
    "검색": "search",
    "찾": "search",
    "문서": "json",
    "공간": "space",
    "모델": "models",
    "비교": "diff",
    "병합": "merge",
    "합치": "merge",
    "삭제": "delete",
    "지우": "delete",
    "목록": "list",
    "저장": "put set",
    "쓰기": "put set",
    "읽": "get",
    "가져오": "get import",
    "내보내": "export",
    "기록": "history event",
    "이력": "history",
    "되돌": "rollback",
    "커밋": "commit",
    "상태": "state status",
    "셀": "state",
    "키": "kv",
    "값": "kv",
    "전환": "switch",
    "여러": "many batch",
    "토큰": "tokenize",
    "생성": "create generate",
    "만들": "create",
    "보존": "retention",
    "정리": "compact",
    "통계": "stats",
}


def _words(query: str) -> list[str]:
    """Return what a query asks for, in the words of the tools' names."""
    found: list[str] = []
    asked = query.lower().replace("_", " ")
    for phrase, names in _MEANINGS.items():
        if not phrase.isalpha() and phrase in asked:  # several words that mean one thing
            asked = asked.replace(phrase, f" {names} ")
    for word in re.findall(r"\w+", asked):
        if word in ("strata", "tool", "a", "the", "of", "to", "in", "is", "and", "for"):
            continue
        meant = [names for said, names in _MEANINGS.items() if word.startswith(said)]
        found += [word, *" ".join(meant).split()]
    return found


def _scores(words: list[str], tools: Sequence[tuple[str, Tool]]) -> list[float]:
    """Score how well each tool fits; a word that many tools have says little."""
    scores = [0.0] * len(tools)
    for word in words:
        found = [_fit(word, category, tool) for category, tool in tools]
        weight = 1 / max(sum(one > 1 for one in found), 1) ** 0.5
        scores = [score + weight * one for score, one in zip(scores, found, strict=True)]
    return scores


def _fit(word: str, category: str, tool: Tool) -> int:
    """Score one word: the tool's name counts most, then its category, then its text."""
    score = 6 * any(_is_like(word, part) for part in tool.name.split("_"))
    score += 3 * _is_like(word, category)
    return score + bool(re.search(rf"\b{re.escape(word)}", tool.description.lower()))


def _is_like(word: str, part: str) -> bool:
    """Tell whether two words are the same but for their endings."""
    shorter = min(word, part, key=len)
    return word == part or (len(shorter) >= 3 and word[: len(shorter)] == part[: len(shorter)])
