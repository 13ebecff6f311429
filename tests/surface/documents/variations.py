"""Many calls of every tool, made from what it says it takes."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from strata.tools import Tool, registry
from tests.surface.documents.two_worlds import BOB, BRANCHES, CANARIES, EMAIL, World

# They know nothing of the store; what they need is a model, or a way out of this machine.
WITHOUT_STORE = frozenset(
    "strata_generate strata_generate_unload strata_models_pull strata_models_list "
    "strata_models_local strata_configure_model strata_embed strata_embed_batch strata_tokenize "
    "strata_detokenize strata_tools_search strata_tools_describe".split()
)


def tools() -> list[Tool]:
    """Return every tool of every group that can tell anything of a store."""
    return [tool for tool in registry().all() if tool.name not in WITHOUT_STORE]


def calls(tool: Tool, here: World, hidden: dict[str, str]) -> Iterator[dict[str, Any]]:
    """Yield arguments for a tool: what is needed, and each thing that may be added to it.

    `hidden` are ids of the first world, which both worlds are asked for.
    """
    known = _values(here, hidden)
    for name, action in (tool.actions or {"": tool}).items():
        given = {"action": name} if name else {}
        parameters = [one for one in action.parameters if one.name != "action"]
        needed = [one for one in parameters if one.required]
        options = {one.name: _choices(tool, one, known) for one in parameters}
        first = {one.name: options[one.name][0] for one in needed}
        yield {**given, **first}
        for one in parameters:
            for value in options[one.name]:
                yield {**given, **first, one.name: value}
        yield from _together(given, first, options)


def _together(
    given: dict[str, Any], first: dict[str, Any], options: dict[str, list[Any]]
) -> Iterator[dict[str, Any]]:
    """Yield pairs of what decides most: where, when, and how much."""
    pairs = [
        ("branch", "as_of"), ("branch", "asOf"), ("branch", "after"), ("branch", "limit"),
        ("branch", "query"), ("documentId", "branch"), ("documentId", "asOf"), ("key", "namespace"),
        ("key", "space"), ("key", "branch"), ("prefix", "namespace"), ("prefix", "space"),
        ("source", "strategy"), ("source", "preview"), ("source", "branch"), ("compare", "branch"),
        ("intent", "scope"), ("intent", "filters"), ("intent", "query"), ("intent", "branch"),
        ("documentId", "oldString"), ("documentId", "folderId"), ("documentId", "imageId"),
        ("documentId", "chunkId"), ("documentId", "quotedText"), ("documentId", "originalText"),
        ("agentName", "documentId"), ("agentId", "documentId"), ("agentId", "agentName"),
        ("agentName", "idempotencyKey"), ("documentId", "commentId"),
        ("documentId", "suggestionId"), ("name", "force"), ("branch_a", "branch_b"),
        ("space", "force"), ("name", "source"), ("name", "at"), ("query", "kinds"),
        ("query", "as_of"),
    ]  # fmt: skip
    for one, other in pairs:
        if one in options and other in options:
            for a in options[one]:
                yield from ({**given, **first, one: a, other: b} for b in options[other])


def _choices(tool: Tool, parameter: Any, known: dict[str, list[Any]]) -> list[Any]:
    schema, name = parameter.schema, parameter.name
    specific = known.get(f"{tool.name}.{name}")
    if specific is not None:
        return specific
    if "enum" in schema:
        return list(schema["enum"])
    if name in known:
        return known[name]
    kind = schema.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    inner = schema.get("items", {})
    if kind == "array" and "enum" in inner:
        return [[value] for value in inner["enum"]]
    examples: dict[Any, list[Any]] = {
        "string": ["x"], "integer": [1], "number": [0.5], "boolean": [True, False],
        "array": [[]], "object": [{}],
    }  # fmt: skip
    return examples.get(kind, ["x"])


def _values(here: World, hidden: dict[str, str]) -> dict[str, list[Any]]:
    """Return plausible values by the name of a parameter, the plainest first."""
    documents = [hidden[name] for name in ("doc", "trashed", "teams", "owners", "branchdoc")]
    ours = [here.own, here.shared]
    moments = [*here.moments.values(), "now"]
    words = [*list(CANARIES.values())[:6], EMAIL, "titlequartz", "quartz", "deploy cluster", "배포"]
    keys = ["deploy/target", "both", *documents[:2], f"{hidden['doc']}/{hidden['chunk']}"]
    places = ["default", "documents", "decisions"]
    items = [{"key": documents[0], "value": 1}]
    scopes = [
        {"type": "all"}, {"type": "document", "id": documents[0]},
        {"type": "folder", "id": hidden["folder"]}, {"type": "folder", "id": hidden["home"]},
        {"type": "folders"}, {"type": "spaces"}, {"type": "space", "id": hidden["space"]},
    ]  # fmt: skip
    filters = [
        {"status": "trashed"}, {"status": "draft"}, {"status": "published"}, {"owner": "me"},
        {"owner": hidden["user"]}, {"owner": EMAIL}, {"includeShared": True},
        {"updatedAfter": "1d ago"}, {"direction": "both"}, {"sinceDays": 7},
    ]  # fmt: skip
    return {
        "key": keys, "keys": [keys], "cell": keys, "prefix": ["", "doc_"], "namespace": places,
        "space": places, "branch": BRANCHES, "name": ["new", *BRANCHES[1:]], "items": [items],
        "source": BRANCHES[1:], "compare": BRANCHES[1:], "branch_a": BRANCHES,
        "branch_b": BRANCHES[::-1], "destination": ["new", "try"], "branch_id": ["fresh"],
        "as_of": moments, "asOf": moments, "at": moments, "since": ["1d ago"], "until": ["now"],
        "after": [0, here.moments["first"]], "after_sequence": [0], "sequence": [1, 2],
        "version": [here.written], "limit": [1, 1000], "offset": [0, 1], "query": words,
        "user_question": words, "userQuestion": words, "k": [1, 50], "event": ["*", "deploy"],
        "event_type": ["deploy"], "topic": ["auth", CANARIES["title"]], "tags": [["ops"]],
        "id": ["decision_1", *documents[:1]], "decisionId": ["decision_1"], "value": ["x"],
        "path": ["$"], "collection": ["docs", "documents"], "dimension": [2], "vector": [[0.1, 1]],
        "force": [True, False], "preview": [True, False], "documentId": [*documents, *ours],
        "templateDocumentId": [documents[0], here.shared], "chunkId": [hidden["chunk"]],
        "imageId": [hidden["image"]], "folderId": [hidden["folder"], hidden["home"]],
        "email": [BOB, EMAIL], "targetUserId": [hidden["user"], EMAIL], "role": ["viewer"],
        "oldString": ["newer", "Rye"], "newString": ["other"], "newContent": ["all new"],
        "content": ["# New"], "title": ["New", CANARIES["title"]], "baseVersion": [here.written],
        "intent": ["search", "list", "recent", "related", "info"], "scope": scopes,
        "filters": filters, "depth": [1, 5], "maxNodes": [200], "uploadId": [hidden["sug"]],
        "contentLength": [5], "contentType": ["text/markdown"], "nextToken": ["x"],
        "sections": [["Rules"]], "idempotencyKey": ["once"], "arguments": [{}],
        "strata_tools_call.name": ["strata_db_info", "strata_space_list", "strata_embed_status"],
        "strata_bundle_export.path": ["out.bundle"], "strata_bundle_import.path": ["no.bundle"],
        "strata_bundle_validate.path": ["no.bundle"],
        "entries": [[{"key": "a", "vector": [0.1, 1]}]], "outcome": ["SUCCESS"],
        "agentName": ["linker", hidden["agentname"], "none"], "taskId": [hidden["task"], "task_x"],
        "agentId": ["agent_linker", hidden["agent"]], "instruction": ["at most 5", "only folder X"],
        "body": ["Why?"], "quotedText": ["newer", "Rye"], "originalText": ["newer", "Rye", "Rules"],
        "replacementText": ["other"], "headingContext": [["Bread"]], "commentId": [hidden["cmt"]],
        "parentCommentId": [hidden["cmt"]], "suggestionId": [hidden["sug"]],
    }  # fmt: skip


def given_words(arguments: object) -> str:
    """Return everything that a call was told: an answer may say it again."""
    if isinstance(arguments, dict):
        return " ".join(given_words(value) for value in chain(arguments, arguments.values()))
    if isinstance(arguments, list):
        return " ".join(map(given_words, arguments))
    return str(arguments)
