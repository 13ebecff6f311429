"""Documents of others over HTTP: whoever may not read them cannot tell that they are there."""

from typing import Any

import anyio
import pytest

from strata.base.ids import new_id
from tests.surface.http.conftest import ERAS, Running, Serve

SECRET = "quartzpebble칡"
GROUPS = ["memory", "core", "decisions", "developer"]
ASKED = f"?groups={','.join(GROUPS)}"
# Calls that span kinds, and some that name a document: X is an id.
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("strata_history", {"after": 0, "limit": 1000}),
    ("strata_branch", {"action": "log", "limit": 1000}),
    ("strata_branch", {"action": "diff", "compare": "try"}),
    ("strata_branch", {"action": "merge", "source": "try", "preview": True}),
    ("strata_branch_diff", {"branch_a": "default", "branch_b": "try"}),
    ("strata_space_list", {}),
    ("strata_search", {"query": "pebble"}),
    ("find", {"intent": "search", "query": "pebble"}),
    ("find", {"intent": "list"}),
    ("read_document", {"documentId": "X"}),
    ("get_document_graph", {"documentId": "X"}),
    ("edit_document", {"action": "edit", "documentId": "X", "oldString": "a", "newString": "b"}),
    ("edit_document", {"action": "share", "documentId": "X", "email": "a@b.de", "role": "viewer"}),
    ("strata_kv_get", {"key": "X", "space": "documents"}),
    ("strata_bundle_export", {"branch": "default", "path": "out.bundle"}),
]


def prepared(serve: Serve) -> tuple[Running, str, str]:
    """Return a server with a document of ann's, its id, and a token of bob's for everything."""
    running = serve(no_auth=False)
    db = running.db
    ann, bob = (db.users.add(f"{name}@example.com") for name in ("ann", "bob"))
    db.kv.put("deploy", "파란 pebble")
    made = db.as_user(ann.id).documents.create(f"Title {SECRET}", f"# {SECRET}\n\nrounded pebble")
    db.branches.fork("try")
    db.on("try").as_user(ann.id).documents.edit(made.document, "rounded", f"rounded {SECRET}")
    return running, made.document, running.token(user=bob.id, groups=GROUPS)


async def answers(running: Running, era: str, token: str, document: str) -> list[str]:
    found: list[str] = []
    async with running.client(era, token=token, query=ASKED) as client:
        for name, arguments in CALLS:
            given = {key: document if value == "X" else value for key, value in arguments.items()}
            result = await client.call_tool(name, given)
            found.append(f"{name}: {result.is_error} {result.structured_content} {result.content}")
    return found


@ERAS
def test_a_token_of_somebody_else_meets_nothing_of_a_document(serve: Serve, era: str) -> None:
    running, document, token = prepared(serve)
    found = anyio.run(answers, running, era, token, document)
    assert not [text for text in found if SECRET in text]
    # An id is told to whoever has sent it, and to nobody else.
    assert not [text for text in found if document in text and "X" not in str(_call_of(text))]


@ERAS
def test_the_answer_is_that_for_a_document_that_never_was(serve: Serve, era: str) -> None:
    running, document, token = prepared(serve)
    never = new_id("doc")
    there = anyio.run(answers, running, era, token, document)
    nowhere = anyio.run(answers, running, era, token, never)
    assert [text.replace(document, never) for text in there] == nowhere


def test_the_owners_token_meets_what_is_the_owners_alone(serve: Serve) -> None:
    running, _document, _token = prepared(serve)
    made = running.db.documents.create("Mine", "# 내 글\n")
    found = anyio.run(answers, running, "legacy", running.token(groups=GROUPS), made.document)
    assert any("내 글" in text for text in found)
    assert not [text for text in found if SECRET in text]


def _call_of(text: str) -> list[dict[str, Any]]:
    return [arguments for name, arguments in CALLS if text.startswith(f"{name}: ")]


def test_every_group_that_is_called_is_one_that_a_token_can_have() -> None:
    from strata.tools import registry

    tools = [registry().find(name) for name, _arguments in CALLS]
    assert {tool.group for tool in tools if tool is not None} <= set(GROUPS)
    assert all(tools) or pytest.fail("a tool that is called is not there")
