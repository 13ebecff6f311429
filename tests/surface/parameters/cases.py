"""For every parameter of every tool and action: two calls that differ in it alone.

`CASES["tool.action"]` has a call that works and, for each parameter, a value that changes what the
call answers or leaves behind. `On` has a call of its own, for a parameter that means nothing beside
the usual ones; `Instead` has all other arguments too, for one that stands in the place of another.
Texts such as "{plan}" are names of the world.
"""

from typing import Any, NamedTuple


class On(NamedTuple):
    """A parameter tried on another call than the usual one."""

    call: dict[str, Any]
    value: Any


class Instead(NamedTuple):
    """A parameter that takes the place of others."""

    call: dict[str, Any]


class Case(NamedTuple):
    """A call, what is called before and after it, and a value for each parameter."""

    call: dict[str, Any]
    values: dict[str, Any]
    before: tuple[tuple[str, dict[str, Any]], ...] = ()
    after: tuple[tuple[str, dict[str, Any]], ...] = ()


def case(call: dict[str, Any], /, first: Any = (), then: Any = (), **values: Any) -> Case:
    return Case(call, values, tuple(first), tuple(then))


PLACE = {"branch": "곁", "space": "팀"}
SECRET = "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYzQ8mVnT2pL"
EARLY = "{early}"

MEMORY = {
    "strata_store": case(
        {"key": "k", "value": {"n": 1}},
        key="new",
        value="other",
        tags=["t"],
        namespace="팀",
        branch="곁",
        path=On({"key": "fresh", "value": {"n": 1}}, "$.deep"),
        if_version=0,
        replaces=["a/0"],
        items=Instead({"items": [{"key": "i", "value": 1}]}),
        allow_secrets=On({"key": "k", "value": SECRET}, True),
    ),
    "strata_recall": case(
        {"key": "k"},
        key="a/0",
        keys=Instead({"keys": ["a/0", "a/1"]}),
        prefix=Instead({"prefix": "a/"}),
        namespace="팀",
        as_of=EARLY,
        branch="곁",
        offset=3,
        after=On({"prefix": "a/"}, "a/0"),
        limit=On({"prefix": "a/"}, 1),
    ),
    "strata_search": case(
        {"query": "cache"},
        query="Ship",
        k=1,
        tags=["ops"],
        namespace="팀",
        as_of=EARLY,
        since="1 day after",
        until="2020-01-01",
        kinds=["event"],
        offset=2,
        branch="곁",
        strict=On({"query": "cache zebra purple ocean winter violin glacier"}, False),
        expired=On({"query": "lighthouse keeper"}, True),
    ),
    "strata_forget": case(
        {"key": "k"}, key="a/0", keys=Instead({"keys": ["a/0", "a/1"]}), namespace="팀", branch="곁"
    ),
    "strata_log": case(
        {"event": "e", "data": {"n": 1}},
        event="other",
        data={"n": 2},
        time="2026-01-02T03:04:05Z",
        branch="곁",
        allow_secrets=On({"event": "e", "data": SECRET}, True),
    ),
    "strata_branch.create": case({"name": "new"}, name="newer"),
    "strata_branch.fork": case(
        {"name": "new"},
        name="newer",
        source="일",
        at=EARLY,
        branch="곁",
    ),
    "strata_branch.switch": case({"name": "곁"}, name="일"),
    "strata_branch.list": case({}, deleted=True, offset=1, limit=1),
    "strata_branch.merge": case(
        {"source": "일", "strategy": "newest"},
        source="곁",
        strategy="source_wins",
        preview=True,
        choices={"k": "theirs"},
        name=Instead({"name": "곁", "strategy": "newest"}),
        branch="곁",
    ),
    "strata_branch.diff": case(
        {"compare": "일"},
        compare="곁",
        two_sided=True,
        namespace="팀",
        offset=1,
        limit=1,
        branch="곁",
    ),
    "strata_branch.delete": case({"name": "곁"}, name="일", force=On({"name": "일"}, True)),
    "strata_branch.restore": case({"name": "옛"}, name="nobody"),
    "strata_branch.log": case({}, version="{last}", limit=1, branch="곁"),
    "strata_branch.revert": case(
        {"version": "{last}"},
        version="{before_last}",
        versions=["{before_last}"],
        strategy=On({"version": "{changed_since}"}, "source_wins"),
        preview=True,
        branch="곁",
    ),
    "strata_history": case(
        {"key": "k"},
        key="a/0",
        namespace="팀",
        event=Instead({"event": "deploy"}),
        after=EARLY,
        as_of=EARLY,
        limit=1,
        why=True,
        branch="곁",
    ),
    "strata_status": case({}, branch="곁"),
}

PLAN = {"documentId": "{plan}"}
COMMENT = {**PLAN, "body": "왜?", "quotedText": "June"}
CORE = {
    "find": case(
        {"intent": "search", "query": "Ship"},
        intent="list",
        scope={"type": "folder", "id": "{briefs}"},
        query="words",
        filters={"status": ["template"]},
        limit=1,
        tokenBudget=1,
        asOf=EARLY,
        branch="곁",
        nextToken=On({"intent": "list", "limit": 1}, "{token}"),
    ),
    "read_document": case(
        PLAN,
        documentId="{other}",
        sections=["목표 > 일정"],
        maxTokens=1,
        includeComments=True,
        commentFormat=On({**PLAN, "includeComments": True}, "structured"),
        includeSuggestions=True,
        asOf=EARLY,
        branch="곁",
        outlineFrom=On({"documentId": "{long}", "maxTokens": 0}, 3),
    ),
    "edit_document.create": case(
        {"title": "New", "content": "글"},
        first=[
            (
                "edit_document",
                {"action": "create", "title": "New", "content": "글", "idempotencyKey": "r1"},
            )
        ],
        title="Newer",
        content="다른 글",
        folderId="{briefs}",
        idempotencyKey="r1",
        branch="곁",
    ),
    "edit_document.createFromTemplate": case(
        {"templateDocumentId": "{template}", "title": "New", "variables": {"project": "한"}},
        first=[
            (
                "edit_document",
                {
                    "action": "createFromTemplate",
                    "title": "New",
                    "templateDocumentId": "{template}",
                    "variables": {"project": "한"},
                    "idempotencyKey": "r1",
                },
            )
        ],
        templateDocumentId="{retro}",
        title="Newer",
        variables={"project": "강"},
        folderId="{briefs}",
        idempotencyKey="r1",
        branch="곁",
    ),
    "edit_document.edit": case(
        {"documentId": "{other}", "oldString": "Ship in May", "newString": "Go"},
        first=[
            (
                "edit_document",
                {
                    "action": "edit",
                    "documentId": "{other}",
                    "oldString": "See",
                    "newString": "Look at",
                    "idempotencyKey": "r1",
                },
            )
        ],
        documentId="{long}",
        oldString="Ship",
        newString="Stop",
        replaceAll=On({**PLAN, "oldString": "Ship in", "newString": "Go in"}, True),
        baseVersion=On({**PLAN, "oldString": "Ship in June", "newString": "Go"}, "{early}"),
        idempotencyKey="r1",
        branch="곁",
    ),
    "edit_document.write": case(
        {**PLAN, "newContent": "# 새\n"},
        first=[
            (
                "edit_document",
                {
                    "action": "write",
                    "documentId": "{shared}",
                    "newContent": "y",
                    "idempotencyKey": "r1",
                },
            )
        ],
        documentId="{other}",
        newContent="# 딴\n",
        baseVersion="{early}",
        idempotencyKey="r1",
        branch="곁",
    ),
    "edit_document.move": case(
        {**PLAN, "folderId": "{briefs}"},
        documentId="{other}",
        folderId="folder_nobody",
        branch="nowhere",
    ),
    "edit_document.share": case(
        {**PLAN, "email": "ann@example.com", "role": "viewer"},
        documentId="{other}",
        email="bob@example.com",
        role="editor",
        branch="nowhere",
    ),
    "edit_document.unshare": case(
        {"documentId": "{shared}", "targetUserId": "ann@example.com"},
        documentId="{plan}",
        targetUserId="nobody@example.com",
        branch="nowhere",
    ),
    "edit_document.presignUpload": case(
        {"contentLength": 3, "title": "Up"},
        contentLength=4,
        title="Other",
        folderId="folder_nobody",
        contentType=On({"contentLength": 3, "documentId": "{plan}"}, "image/png"),
        documentId=Instead({"contentLength": 3, "documentId": "{plan}"}),
        branch="곁",
    ),
    "edit_document.finalizeUpload": case(
        {"uploadId": "{upload}"}, uploadId="upload_nobody", branch="nowhere"
    ),
    "get_document_graph": case(
        PLAN,
        documentId="{long}",
        maxNodes=1,
        asOf=EARLY,
        branch="곁",
        depth=On({"documentId": "{late}"}, 1),
    ),
    "get_image": case(
        {**PLAN, "imageId": "{image}"},
        documentId="{other}",
        imageId="{drawing}",
        maxWidth=8,
        asOf=1,
        branch="nowhere",
    ),
    "app_get_section_content": case(
        {**PLAN, "chunkId": "{chunk}"},
        documentId="{other}",
        chunkId="{next_chunk}",
        asOf=1,
        branch="nowhere",
    ),
    "get_presence": case(PLAN, documentId="doc_nobody", branch="nowhere"),
}

REVIEW = {
    "manage_comments.create": case(
        COMMENT,
        first=[
            (
                "manage_comments",
                {"action": "create", **COMMENT, "quotedText": "목표", "idempotencyKey": "r1"},
            )
        ],
        documentId="{other}",
        body="다른 말",
        quotedText="다섯째",
        headingContext=On({**PLAN, "body": "왜?", "quotedText": "Ship in"}, ["일정"]),
        start=On({**PLAN, "body": "왜?", "quotedText": "Ship in"}, 30),
        idempotencyKey="r1",
        branch="곁",
    ),
    "manage_comments.reply": case(
        {**PLAN, "parentCommentId": "{thread}", "body": "네"},
        first=[
            (
                "manage_comments",
                {
                    "action": "reply",
                    **PLAN,
                    "parentCommentId": "{thread}",
                    "body": "x",
                    "idempotencyKey": "r1",
                },
            )
        ],
        documentId="{other}",
        parentCommentId="{done}",
        body="아니요",
        idempotencyKey="r1",
        branch="곁",
    ),
    "manage_comments.edit": case(
        {**PLAN, "commentId": "{thread}", "body": "왜 5월?"},
        first=[
            (
                "manage_comments",
                {
                    "action": "edit",
                    **PLAN,
                    "commentId": "{thread}",
                    "body": "x",
                    "idempotencyKey": "r1",
                },
            )
        ],
        documentId="{other}",
        commentId="{done}",
        body="아니요",
        idempotencyKey="r1",
        branch="곁",
    ),
    "manage_comments.delete": case(
        {**PLAN, "commentId": "{thread}"},
        first=[
            (
                "manage_comments",
                {"action": "delete", **PLAN, "commentId": "{done}", "idempotencyKey": "r1"},
            )
        ],
        documentId="{other}",
        commentId="{done}",
        idempotencyKey="r1",
        branch="곁",
    ),
    "manage_comments.resolve": case(
        {**PLAN, "commentId": "{thread}"},
        first=[
            (
                "manage_comments",
                {"action": "resolve", **PLAN, "commentId": "{done}", "idempotencyKey": "r1"},
            )
        ],
        documentId="{other}",
        commentId="{done}",
        idempotencyKey="r1",
        branch="곁",
    ),
    "manage_comments.reopen": case(
        {**PLAN, "commentId": "{done}"},
        first=[
            (
                "manage_comments",
                {"action": "reopen", **PLAN, "commentId": "{thread}", "idempotencyKey": "r1"},
            )
        ],
        documentId="{other}",
        commentId="{thread}",
        idempotencyKey="r1",
        branch="곁",
    ),
    "manage_comments.list": case(
        PLAN,
        documentId="{other}",
        status="resolved",
        after="{thread}",
        asOf=EARLY,
        branch="곁",
    ),
    "manage_suggestions.propose": case(
        {**PLAN, "originalText": "다섯째", "replacementText": "일곱째"},
        first=[
            (
                "manage_suggestions",
                {
                    "action": "propose",
                    **PLAN,
                    "originalText": "달",
                    "replacementText": "월",
                    "idempotencyKey": "r1",
                },
            )
        ],
        documentId="{other}",
        originalText="June",
        replacementText="여덟째",
        severity="error",
        confidence=0.5,
        rationale="늦다",
        idempotencyKey="r1",
        branch="곁",
        headingContext=On({**PLAN, "originalText": "Ship in", "replacementText": "Go"}, ["일정"]),
        start=On({**PLAN, "originalText": "Ship in", "replacementText": "Go"}, 30),
    ),
    **{
        f"manage_suggestions.{action}": case(
            {**PLAN, "suggestionId": "{suggestion}"},
            first=[
                (
                    "manage_suggestions",
                    {"action": action, **PLAN, "suggestionId": "{second}", "idempotencyKey": "r1"},
                )
            ],
            documentId="{other}",
            suggestionId="sug_nobody",
            branch="곁",
            idempotencyKey="r1",
        )
        for action in ("accept", "reject", "withdraw")
    },
    "manage_suggestions.list": case(
        PLAN, documentId="{other}", after="{suggestion}", asOf=EARLY, branch="곁"
    ),
    "get_publish_status": case(PLAN, documentId="{other}", branch="nowhere"),
    "publish_document": case(PLAN, documentId="{long}", pinToProfile=True, branch="곁"),
    "unpublish_document": case({"documentId": "{other}"}, documentId="{plan}", branch="nowhere"),
    "invoke_agent": case(
        {"agentName": "linker"},
        first=[("invoke_agent", {"agentName": "linker", "idempotencyKey": "r1"})],
        agentId=Instead({"agentId": "{outliner}"}),
        agentName="outliner",
        documentId="{plan}",
        instruction="at most 5",
        idempotencyKey="r1",
        branch="곁",
    ),
    "get_agent_status": case({"taskId": "{task}"}, taskId="task_nobody"),
}

CHOICE = {"topic": "auth", "decision": "Use passkeys", "reasoning": "no passwords"}
LOGIN = {"userQuestion": "JWT tokens for login sessions"}
DECISIONS = {
    "save_decision": case(
        CHOICE,
        topic="other",
        decision="Use cookies",
        reasoning="simple",
        confidence=0.1,
        supersedes="none",
        implements="{other_decision}",
        links=[{"to_id": "{other_decision}", "relationship": "motivated_by"}],
        type="user_decision",
        outcome="SUCCESS",
        branch="곁",
        allow_secrets=On({**CHOICE, "reasoning": SECRET}, True),
    ),
    "save_checkpoint": case(
        {"summary": "일이 된다"},
        summary="다른 일",
        open_files=["a.py"],
        next_steps="go on",
        status="archived",
        branch="곁",
        allow_secrets=On({"summary": SECRET}, True),
    ),
    "save_insight": case(
        {"insight": "배운 것"},
        insight="다른 것",
        category="performance",
        tags=["t"],
        source="log",
        topic="auth",
        links=[{"to_id": "{other_decision}", "relationship": "about"}],
        branch="곁",
        allow_secrets=On({"insight": SECRET}, True),
    ),
    "load_checkpoint": case({}, id="{checkpoint}", as_of=EARLY, branch="곁"),
    "load_context": case(
        {"topic": "auth"},
        id=Instead({"id": "{other_decision}"}),
        topic="cache",
        as_of=EARLY,
        offset=0,
        branch="곁",
        depth=On({"id": "{far}"}, 1),
    ),
    "search_by_topic": case({"topic": "auth"}, topic="cache", as_of=EARLY, branch="곁"),
    "search_by_context": case(
        {"query": "auth tokens cache"},
        query="캐시",
        limit=1,
        types=["insight"],
        min_confidence=0.8,
        as_of=EARLY,
        branch="곁",
    ),
    "search_recent": case(
        {}, limit=1, types=["insight"], since="2100-01-01", as_of=EARLY, offset=1, branch="곁"
    ),
    "evolve_outcome": case(
        {"outcome": "PARTIAL", "topic": "auth", "reason": "slow"},
        outcome="SUCCESS",
        topic="cache",
        reason="costly",
        limitation="not on phones",
        branch="곁",
        id=Instead({"outcome": "PARTIAL", "id": "{other_decision}", "reason": "slow"}),
        allow_secrets=On({"outcome": "FAILED", "topic": "auth", "reason": SECRET}, True),
    ),
    "evolve_supersede": case(
        CHOICE,
        decision="Use cookies",
        reasoning="simple",
        topic="cache",
        confidence=0.1,
        branch="곁",
        id=Instead({"decision": "Use passkeys", "reasoning": "no", "id": "{other_decision}"}),
        allow_secrets=On({**CHOICE, "reasoning": SECRET}, True),
    ),
    "recall_decision": case({"topic": "auth"}, topic="cache", branch="곁"),
    "suggest_decision": case(
        {**LOGIN, "recencyWeight": 0.9},
        userQuestion="zebra",
        branch="빈",
        recencyWeight=0.0,
        recencyScale=10_000.0,
        recencyDecay=1.0,
        disableRecency=True,
    ),
    "list_decisions": case({}, limit=1, branch="곁"),
    "update_outcome": case(
        {"topic": "auth", "outcome": "FAILED", "failureReason": "slow"},
        decisionId=Instead(
            {"decisionId": "{other_decision}", "outcome": "FAILED", "failureReason": "slow"}
        ),
        topic="cache",
        outcome="PARTIAL",
        failureReason="costly",
        limitation="phones",
        branch="곁",
    ),
}

EAST = {"collection": "c", "key": "east"}
DEVELOPER = {
    "strata_db_info": case({}, branch="곁"),
    "strata_db_time_range": case({}, branch="빈"),
    "strata_kv_put": case({"key": "k", "value": 1}, key="z", value=2, **PLACE),
    "strata_kv_get": case({"key": "k"}, key="a/0", as_of=EARLY, **PLACE),
    "strata_kv_delete": case({"key": "k"}, key="a/0", **PLACE),
    "strata_kv_list": case({}, prefix="a/", cursor="a/1", limit=1, as_of=EARLY, **PLACE),
    "strata_kv_history": case({"key": "k"}, key="a/0", as_of=EARLY, **PLACE),
    "strata_kv_put_many": case(
        {"items": [{"key": "k", "value": 1}]}, items=[{"key": "z", "value": 2}], **PLACE
    ),
    "strata_kv_get_many": case({"keys": ["k"]}, keys=["a/0"], **PLACE),
    "strata_kv_delete_many": case({"keys": ["k"]}, keys=["a/0"], **PLACE),
    "strata_state_set": case({"cell": "cell", "value": 1}, cell="z", value=2, **PLACE),
    "strata_state_get": case({"cell": "cell"}, cell="a/0", as_of=EARLY, **PLACE),
    "strata_state_delete": case({"cell": "cell"}, cell="a/0", **PLACE),
    "strata_state_init": case({"cell": "z", "value": 1}, cell="y", value=2, **PLACE),
    "strata_state_cas": case(
        {"cell": "cell", "value": 1, "expected_counter": 2},
        cell="a/0",
        value=2,
        expected_counter=1,
        **PLACE,
    ),
    "strata_state_list": case({}, prefix="a/", as_of=EARLY, **PLACE),
    "strata_state_history": case({"cell": "cell"}, cell="a/0", as_of=EARLY, **PLACE),
    "strata_event_append": case(
        {"event_type": "e", "payload": {"n": 1}},
        event_type="f",
        payload={"n": 2},
        time="2020-01-01",
        **PLACE,
    ),
    "strata_event_get": case({"sequence": 1}, sequence=2, as_of=1, branch="nowhere", space="팀"),
    "strata_event_list": case(
        {"event_type": "deploy"},
        event_type="other",
        limit=1,
        after_sequence=1,
        as_of=EARLY,
        since="2099-01-01",
        until="2020-01-01",
        **PLACE,
    ),
    "strata_event_len": case({}, branch="곁", space="나중"),
    "strata_json_set": case(
        {"key": "plan", "path": "$.n", "value": 1}, key="z", path="$.m", value=2, **PLACE
    ),
    "strata_json_get": case(
        {"key": "plan", "path": "$"},
        key="a/0",
        path="$.steps",
        as_of=EARLY,
        branch="곁",
        space="나중",
    ),
    "strata_json_delete": case({"key": "plan", "path": "$.steps"}, key="a/0", path="$", **PLACE),
    "strata_json_list": case({}, prefix="a/", cursor="a/1", limit=1, as_of=EARLY, **PLACE),
    "strata_json_history": case({"key": "plan"}, key="a/0", as_of=EARLY, **PLACE),
    "strata_space_list": case({}, branch="곁"),
    "strata_space_create": case({"space": "z"}, space="y", branch="곁"),
    "strata_space_exists": case({"space": "나중"}, space="nowhere", branch="곁"),
    "strata_space_delete": case(
        {"space": "팀", "force": True}, space="나중", branch="곁", force=On({"space": "팀"}, True)
    ),
    "strata_space_switch": case({"space": "팀"}, space="z"),
    "strata_branch_create": case({"branch_id": "z"}, branch_id="y", metadata={"for": "test"}),
    "strata_branch_get": case({"branch": "곁"}, branch="일"),
    "strata_branch_list": case({}, limit=1, offset=1),
    "strata_branch_exists": case({"branch": "곁"}, branch="nowhere"),
    "strata_branch_delete": case({"branch": "곁"}, branch="일"),
    "strata_branch_fork": case({"destination": "z"}, destination="y", branch="곁"),
    "strata_branch_diff": case(
        {"branch_a": "default", "branch_b": "일"},
        branch_a="곁",
        branch_b="곁",
        two_sided=True,
        space="팀",
    ),
    "strata_branch_merge": case({"source": "일"}, source="곁", strategy="strict", branch="곁"),
    "strata_branch_switch": case({"branch": "곁"}, branch="일"),
    "strata_vector_upsert": case(
        {**EAST, "vector": [1, 1]},
        collection="late",
        key="z",
        vector=[0, 1],
        metadata={"n": 7},
        **PLACE,
    ),
    "strata_vector_get": case(
        EAST, collection="late", key="north", as_of=EARLY, branch="곁", space="나중"
    ),
    "strata_vector_delete": case(EAST, collection="late", key="north", **PLACE),
    "strata_vector_search": case(
        {"collection": "c", "query": [1, 0], "k": 2},
        collection="late",
        query=[0, 1],
        k=1,
        filter=[{"field": "n", "value": 2}],
        metric="euclidean",
        as_of=EARLY,
        branch="곁",
        space="나중",
    ),
    "strata_vector_create_collection": case(
        {"collection": "z", "dimension": 2},
        collection="y",
        dimension=3,
        metric="euclidean",
        **PLACE,
    ),
    "strata_vector_delete_collection": case({"collection": "c"}, collection="late", **PLACE),
    "strata_vector_list_collections": case({}, branch="곁", space="나중"),
    "strata_vector_stats": case(
        {"collection": "c"}, collection="late", branch="nowhere", space="나중"
    ),
    "strata_vector_batch_upsert": case(
        {"collection": "c", "entries": [{"key": "z", "vector": [1, 1]}]},
        collection="late",
        entries=[{"key": "y", "vector": [0, 1]}],
        **PLACE,
    ),
    "strata_txn_begin": case({}, read_only=True, branch="곁"),
    "developer:strata_search": case(
        {"query": "cache"},
        query="Ship",
        k=1,
        primitives=["event"],
        time_range={"end": "2020-01-01"},
        mode="hybrid",
        expand=True,
        rerank=True,
        tags=["ops"],
        namespace="팀",
        kinds=["event"],
        since="2100-01-01",
        until="2020-01-01",
        as_of=EARLY,
        space="팀",
        branch="곁",
        strict=On({"query": "cache zebra purple ocean winter violin glacier"}, False),
    ),
    "strata_bundle_export": case(
        {"branch": "곁", "path": "out.bundle"},
        branch="일",
        path="other.bundle",
        force=On({"branch": "일", "path": "곁.bundle"}, True),
    ),
    "strata_bundle_import": case(
        {"path": "새.bundle", "name": "들어온"},
        path="nowhere.bundle",
        name="다른 이름",
    ),
    "strata_bundle_validate": case({"path": "곁.bundle"}, path="일.bundle"),
    "strata_configure_model": case(
        {"endpoint": "{url}", "model": "writer"},
        then=[("strata_generate", {"model": "writer", "prompt": "안녕"})],
        endpoint="{url}x",
        model="other",
        api_key="key-of-mine",
        timeout_ms=5_000,
    ),
    "strata_embed": case({"text": "하나"}, text="둘"),
    "strata_embed_batch": case({"texts": ["하나"]}, texts=["둘"]),
    "strata_generate": case(
        {"model": "writer", "prompt": "안녕"},
        model="other",
        prompt="hello",
        max_tokens=5,
        temperature=0.5,
        top_k=3,
        top_p=0.5,
        seed=1,
        stop_tokens=[1],
    ),
    "strata_tokenize": case(
        {"model": "minilm", "text": "hello"},
        model="multilingual",
        text="world",
        add_special_tokens=False,
    ),
    "strata_detokenize": case({"model": "minilm", "ids": [7592]}, model="multilingual", ids=[2088]),
    "strata_generate_unload": case(
        {"model": "minilm"},
        first=[("strata_tokenize", {"model": "minilm", "text": "x"})],
        model="nobody",
    ),
    "strata_models_pull": case({"name": "minilm"}, name="multilingual"),
    "strata_tools_search": case({"query": "merge"}, query="vector", category="branch", limit=1),
    "strata_tools_describe": case({"name": "strata_kv_get"}, name="strata_kv_put"),
    "strata_tools_call": case(
        {"name": "strata_kv_get", "arguments": {"key": "k"}},
        name="strata_kv_history",
        arguments={"key": "a/0"},
    ),
}

CASES: dict[str, Case] = {**MEMORY, **CORE, **REVIEW, **DECISIONS, **DEVELOPER}
