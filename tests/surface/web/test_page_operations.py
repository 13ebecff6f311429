"""What only pages ask for, by every kind of user; which operations there are is declared."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import httpx2
import pytest

import strata
from strata.documents.log import entries_of
from strata.documents.records import SPACE, TEXT
from strata.mcp.encode import tool_entries
from strata.tasks import Definition
from strata.tools import PAGE_GROUP, Tool, expose, registry
from tests.surface.web.conftest import Browser, Serve, Served, serving_at
from tests.unit.documents.office import pdf

SECRET = "비밀스러운"
OPERATIONS = registry().tools(PAGE_GROUP)
every_operation = pytest.mark.parametrize("tool", OPERATIONS, ids=lambda tool: tool.name)


class World(NamedTuple):
    """A store in which every kind of thing says the secret word, and who visits it."""

    served: Served
    document: str
    shared: str
    owner: Browser
    stranger: Browser
    viewer: Browser
    given: dict[str, Any]


def filled(db: strata.Workspace) -> tuple[str, str, dict[str, Any]]:
    """Fill a store; return a hidden document, a shared one, and what operations are asked about."""
    made = db.documents.create(f"{SECRET} 계획", f"# {SECRET}\n\nShip in May, {SECRET}.\n")
    hidden = made.document
    asked = db.review.comment(hidden, f"{SECRET} 댓글", quote="Ship in May").comment
    proposed = db.review.propose(hidden, "May", f"{SECRET} 6월")
    shared = db.documents.create("함께", "Everybody may read this.\n").document
    fact = db.kv.put(f"{SECRET}/키", f"{SECRET} 값", tags=["ops"])
    db.events.append(f"{SECRET}.일", {"word": SECRET})
    db.decisions.save(f"{SECRET}/주제", f"{SECRET} 결정", reasoning=f"{SECRET} 까닭")
    db.branches.fork(f"{SECRET}-가지")
    db.on(f"{SECRET}-가지").kv.put(f"{SECRET}/가지", f"{SECRET} 값")
    db.on(f"{SECRET}-가지").documents.edit(hidden, "Ship", "Sail")
    file = db.documents.attach_file(hidden, pdf([SECRET.encode().hex()]), name=f"{SECRET}.pdf")
    link = db.share_links.invite(hidden, "viewer").link
    outer, inner = (db.folders.add(f"{SECRET} {name}") for name in ("위", "아래"))
    space = db.document_spaces.add(f"{SECRET} 모음")
    trashed = db.documents.create(f"{SECRET} 버린 글", SECRET).document
    db.documents.trash(trashed)
    task = db.agents.invoke("linker", document=hidden, instruction=f"{SECRET} 일")
    agent = db.agents.define(f"{SECRET} 도우미", Definition(instructions=f"{SECRET} 할 일"))
    db.publishing.publish(hidden)
    db.as_actor(SECRET).proposing().kv.put_many({f"{SECRET}/제안": SECRET, "rejected": SECRET})
    cleared = db.proposals.reject("rejected").cleared
    return (
        hidden,
        shared,
        {
            "documentId": hidden,
            "documentIds": [trashed],
            "folderId": inner.id,
            "parentId": outer.id,
            "spaceId": space.id,
            "documentVersion": made.version,
            "commentId": asked.id,
            "suggestionId": proposed.suggestion.id,
            "key": f"{SECRET}/키",
            "topic": f"{SECRET}/주제",
            "name": f"{SECRET}-가지",
            "source": f"{SECRET}-가지",
            "branch": f"{SECRET}-가지",
            "query": SECRET,
            "prefix": "",
            "version": fact.version,
            "versions": [fact.version],
            "taskId": task.id,
            "agentId": agent.id,
            "linkId": link.id,
            "fileId": file.id,
            "client": writer_of(db, hidden),
            "clock": 0,
            "proposalId": db.proposals.get(f"{SECRET}/제안").id,
            "cleared": list(cleared),
        },
    )


def writer_of(db: strata.Workspace, document: str) -> int:
    """Return the id of the replica that wrote the first text of a document."""
    rows = db._view.snapshot.history(SPACE, TEXT, document, limit=100)
    return entries_of(rows[-1])[0].client


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """Give the world to those who change nothing in it."""
    with serving_at(tmp_path_factory.mktemp("world") / "세계.db") as serve:
        yield peopled(serve())


def peopled(served: Served) -> World:
    """Return a served store with its visitors."""
    hidden, shared, given = filled(served.db)
    for name in ("stranger", "viewer"):
        served.db.users.add(f"{name}@example.com", name)
    served.db.shares.share(shared, "viewer@example.com", "viewer")
    people = [served.signed_in(who) for who in (None, "stranger@example.com", "viewer@example.com")]
    owner, stranger, viewer = people
    given |= account_of(served.db, "viewer@example.com")
    return World(served, hidden, shared, owner, stranger, viewer, given)


def account_of(db: strata.Workspace, email: str) -> dict[str, Any]:
    """Return what operations on accounts are asked about: a user, their team, a browser."""
    team = db.teams.add("팀")
    db.teams.set_member(team.id, email, "viewer")
    spare = db.sign_ins.open(db.sign_ins.create_code(email).secret).browser
    return {
        "personId": db.users.require(email).id,
        "teamId": team.id,
        "browserId": spare.id,
        "tokenId": db.tokens.create("열쇠").token.id,
    }


def arguments_of(tool: Tool, given: dict[str, Any]) -> list[dict[str, Any]]:
    """Return calls of an operation about the secret, from its examples."""
    examples = [tool.example, *tool.examples.values()]
    return [{name: given.get(name, value) for name, value in one.items()} for one in examples]


@every_operation
def test_the_owner_may_call_it(serve: Serve, world: World, tool: Tool) -> None:
    if not tool.reads_only:
        world = peopled(serve())
    assert tool.name in world.owner.get("/api/me").json()["tools"]
    for arguments in arguments_of(tool, world.given):
        answer = world.owner.call(tool.name, **arguments)
        assert answer.status_code == 200, answer.text


@every_operation
def test_a_stranger_learns_nothing_and_changes_nothing(world: World, tool: Tool) -> None:
    before = world.served.db.info().versions
    for arguments in arguments_of(tool, world.given):
        answer = world.stranger.call(tool.name, **arguments)
        assert answer.status_code in (200, 403, 404), answer.text
        said = answer.text
        for value in arguments.values():  # an error may repeat what it was sent
            said = said.replace(value, "") if isinstance(value, str) and value else said
        assert SECRET not in said
        assert world.document not in said
        may = tool.name in world.stranger.get("/api/me").json()["tools"]
        assert may or answer.status_code == 403
    assert tool.reads_only or world.served.db.info().versions == before


@every_operation
def test_a_viewer_changes_nothing(world: World, tool: Tool) -> None:
    before = world.served.db.info().versions
    for arguments in arguments_of(tool, world.given | {"documentId": world.shared}):
        answer = world.viewer.call(tool.name, **arguments)
        assert answer.status_code in (200, 403, 404, 409), answer.text
        assert SECRET not in answer.text.replace(SECRET + "-가지", "")
    assert world.served.db.info().versions == before


def test_a_revoked_user_is_answered_nothing(serve: Serve) -> None:
    world = peopled(serve())
    world.served.db.sign_ins.close_all("viewer@example.com")
    world.served.db.users.remove("stranger@example.com")
    for browser in (world.viewer, world.stranger):
        for tool in OPERATIONS:
            for arguments in arguments_of(tool, world.given):
                answer = browser.call(tool.name, **arguments)
                assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in")


@every_operation
def test_only_readers_are_served_in_the_past(world: World, tool: Tool) -> None:
    at = world.served.db.info().versions
    for arguments in arguments_of(tool, world.given):
        answer = world.owner.post(f"/api/tools/{tool.name}?at={at}", json=arguments)
        assert answer.status_code == (200 if tool.reads_only else 403), answer.text


@every_operation
def test_no_client_sees_or_calls_it(tool: Tool) -> None:
    assert registry().find(tool.name) is None
    assert not [one for one in registry().all() if one.group == PAGE_GROUP]
    for groups in ("all", "page", "core page", tool.name):
        exposed = expose(groups, tool.name)
        assert exposed.find(tool.name) is None
        assert tool.name not in str(tool_entries(exposed))


def test_the_protocol_has_no_such_tool(world: World) -> None:
    token = world.served.db.tokens.create("all", groups=["all"]).secret
    headers = {
        "Authorization": f"Bearer {token}",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "tools/call",
        "Mcp-Name": "page_memory",
        "X-Strata-Tool-Groups": "all,page",
    }
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "x", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"name": "page_memory", "arguments": {}, "_meta": meta}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    answer = httpx2.post(f"{world.served.base}/mcp", headers=headers, json=body, timeout=30)
    assert SECRET not in answer.text
    assert '"error"' in answer.text or '"isError":true' in answer.text.replace(" ", "")


def test_a_token_for_one_group_shows_that_group(serve: Serve) -> None:
    served = serve()
    filled(served.db)
    browser = served.browser()
    browser.sign_in(served.db.tokens.create("t", groups=["core"]).secret)
    answer = browser.call("page_memory")
    assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")
    assert "page_memory" not in browser.get("/api/me").json()["tools"]


def test_the_inbox_has_what_waits_for_each(serve: Serve) -> None:
    served = serve()
    db = served.db
    ann, bora = (db.users.add(f"{name}@example.com", name.title()) for name in ("ann", "bora"))
    plan = db.documents.create("계획", "Ship in May.\n").document
    db.shares.share(plan, "ann@example.com", "editor")
    db.shares.share(plan, "bora@example.com", "commenter")
    bora_db = db.as_user(bora.id)
    bora_db.review.propose(plan, "May", "유월", rationale="봄은 이르다")
    bora_db.review.comment(plan, "@Ann 어떻게 생각해?", quote="Ship")
    people = {name: served.signed_in(f"{name}@example.com") for name in ("ann", "bora")}
    owner = served.signed_in().ok("page_inbox")
    assert owner["counts"]["suggestion"] == 1
    assert [one["meant"] for one in owner["items"] if one["kind"] == "comment"] == ["document"]
    mine = people["ann"].ok("page_inbox")
    suggestion, comment = mine["items"]
    assert (suggestion["before"], suggestion["after"]) == ("May", "유월")
    assert suggestion["who"]["person"] == "Bora"
    assert suggestion["can"] == ["accept", "reject", "edit", "open"]
    assert (comment["meant"], comment["title"]) == ("mention", "계획")
    assert people["bora"].ok("page_inbox")["items"] == []
    db.as_user(ann.id).review.reply(plan, comment["commentId"], "좋아")
    assert people["ann"].ok("page_inbox")["counts"]["comment"] == 0
    [replied] = people["bora"].ok("page_inbox")["items"]
    assert (replied["meant"], replied["body"]) == ("reply", "좋아")
    assert [one["title"] for one in mine["recent"]] == ["계획"]


def test_an_edit_that_a_merge_filed_is_a_conflict_in_the_inbox(serve: Serve) -> None:
    served = serve()
    plan = served.db.documents.create("계획", "We ship in late spring.\n").document
    served.db.branches.fork("초안")
    served.db.on("초안").documents.edit(plan, "late spring", "autumn")
    served.db.documents.edit(plan, "late spring", "early May")
    served.db.branches.merge("초안", into="default")
    found = served.signed_in().ok("page_inbox")
    assert found["counts"]["conflict"] == 1
    assert "autumn" in found["items"][0]["after"]


def test_finding_says_why_and_where_and_is_honest(serve: Serve) -> None:
    served = serve()
    served.db.documents.create("배포 계획", "# 규칙\n\n금요일에는 배포하지 않는다 🚀.\n")
    served.db.kv.put("deploy/day", "🚀 금요일에는 배포하지 않는다")
    browser = served.signed_in()
    hits = browser.ok("page_find", query="금요일 배포")["hits"]
    assert {hit["kind"] for hit in hits} == {"document", "fact"}
    fact = next(hit for hit in hits if hit["kind"] == "fact")
    assert (fact["id"], fact["place"], fact["why"]) == ("default/deploy/day", "default", "words")
    units = fact["snippet"].encode("utf-16-le")
    first, last = fact["marks"][0]
    assert units[2 * first : 2 * last].decode("utf-16-le").startswith("금요일")
    only = browser.ok("page_find", query="금요일 배포", kinds=["document"])["hits"]
    assert [hit["title"] for hit in only] == ["배포 계획"]
    nothing = browser.ok("page_find", query="zzzxqqq quantum")
    assert (nothing["hits"], nothing["known"]) == ([], False)
    assert browser.ok("page_find", query="  ")["hits"] == []


def test_a_heading_is_said_once_of_what_is_found(serve: Serve) -> None:
    served = serve()
    served.db.documents.create(
        "배포 계획", "# 배포 계획\n\n금요일에는 쉰다.\n\n## 예외\n\n급한 수정\n"
    )
    browser = served.signed_in()
    [whole] = browser.ok("page_find", query="금요일")["hits"]
    [part] = browser.ok("page_find", query="급한 수정")["hits"]
    assert (whole["title"], whole["place"]) == ("배포 계획", "")
    assert part["place"] == "배포 계획 > 예외"
    assert [whole["snippet"], part["snippet"]] == ["금요일에는 쉰다.", "급한 수정"]
    [first, last] = whole["marks"][0]
    assert whole["snippet"][first:last] == "금요일"
    [named] = browser.ok("page_find", query="예외")["hits"]
    assert named["snippet"].endswith("예외  급한 수정")


def test_pages_of_hits_follow_each_other(serve: Serve) -> None:
    served = serve()
    for number in range(7):
        served.db.kv.put(f"price/{number}", f"The price list {number} is cached")
    browser = served.signed_in()
    first = browser.ok("page_find", query="cached price list", limit=4)
    rest = browser.ok("page_find", query="cached price list", limit=4, cursor=first["next"])
    assert len({hit["id"] for hit in first["hits"] + rest["hits"]}) == 7
    assert rest["next"] is None
    assert browser.call("page_find", query="x", cursor="-1").status_code == 400


def test_recent_things_of_every_kind_come_newest_first(serve: Serve) -> None:
    served = serve()
    served.db.documents.create("먼저", "x")
    served.db.kv.put("그다음", 1)
    served.db.decisions.save("주제", "마지막", "까닭")
    lines = served.signed_in().ok("page_recent")["items"]
    assert [line["kind"] for line in lines] == ["decision", "fact", "document"]
    assert lines[1]["id"] == "default/그다음"


def test_a_decision_of_another_branch_is_compared_in_words(serve: Serve) -> None:
    served = serve()
    served.db.branches.fork("초안")
    served.db.on("초안").decisions.save("캐시", "한 시간 둔다.", "가격이 바뀐다.", confidence=0.9)
    found = served.signed_in().ok("page_compare", source="초안", target="default")
    [change] = found["changes"]
    assert change["title"] == "캐시: 한 시간 둔다."
    assert change["after"] == "한 시간 둔다.\n\n가격이 바뀐다.\n\nconfidence: 0.9"
