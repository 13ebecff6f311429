"""The seventy-four tools as data: what each takes, a right call with its answer, a wrong call.

Parameters are written `name* type`, with the star on those that must be given. A shape says of
every field what it holds; a question mark marks a field that may be left out.
"""

from typing import Any, NamedTuple


class Null(NamedTuple):
    """Either what it holds, or a null result."""

    shape: Any


class Many(NamedTuple):
    """A list under a name at the root."""

    name: str
    shape: Any


class Row(NamedTuple):
    """One tool."""

    name: str
    takes: str
    arguments: dict[str, Any]
    shape: Any
    wrong: dict[str, Any]
    code: str
    before: tuple[tuple[str, dict[str, Any]], ...] = ()


ANY = object
WRITTEN = {"version": int}
VALUE = {"value": ANY, "version": int, "timestamp": int}
PAST = {**VALUE, "state?": str}
CELL = {**VALUE, "counter": int, "state?": str}
CELL_WRITTEN = {"version": int, "counter": int}
EVENT = {**VALUE, "event_type": str, "store_version": int}
BRANCH = {
    "id": str,
    "status": str,
    "created_at": int,
    "updated_at": int,
    "parent_id": (str, None),
    "version": int,
    "metadata?": ANY,
}
DIFFERENCE = {"key": str, "primitive": str, "space": str, "value_a": ANY, "value_b": ANY}
COLLECTION = {
    "name": str,
    "dimension": int,
    "metric": str,
    "count": int,
    "index_type": str,
    "memory_bytes": int,
}
MODEL = {
    "name": str,
    "task": str,
    "architecture": (str, None),
    "default_quant": (str, None),
    "embedding_dim": (int, None),
    "is_local": bool,
    "size_bytes": (int, None),
}
NOTHING = {"result": None}
NOBODY = {"branch": "nobody"}
BEGUN = (("strata_txn_begin", {}),)

TABLE = [
    # database
    Row("strata_db_ping", "", {}, {"pong": bool, "version": str}, NOBODY, "invalid_input"),
    Row(
        "strata_db_info",
        "",
        {},
        {"version": str, "uptime_secs": int, "branch_count": int, "total_keys": int},
        {"verbose": True},
        "invalid_input",
    ),
    Row("strata_db_flush", "", {}, NOTHING, {"now": 1}, "invalid_input"),
    Row("strata_db_compact", "", {}, NOTHING, NOBODY, "invalid_input"),
    Row(
        "strata_db_time_range",
        "",
        {},
        {"oldest_ts": (int, None), "latest_ts": (int, None)},
        NOBODY,
        "not_found",
    ),
    # kv
    Row(
        "strata_kv_put",
        "key* string, value* any",
        {"key": "새 키", "value": {"a": [1, None]}},
        WRITTEN,
        {"key": "", "value": 1},
        "invalid_key",
    ),
    Row(
        "strata_kv_get",
        "key* string, as_of time",
        {"key": "인사"},
        Null(VALUE),
        {"key": "인사", "as_of": "the day before the flood"},
        "invalid_input",
    ),
    Row("strata_kv_delete", "key* string", {"key": "인사"}, {"result": bool}, {}, "invalid_input"),
    Row(
        "strata_kv_list",
        "prefix string, cursor string, limit int, as_of time",
        {"limit": 1},
        {"keys": [str], "cursor?": str},
        {"limit": 0},
        "invalid_input",
    ),
    Row(
        "strata_kv_history",
        "key* string, as_of time",
        {"key": "인사"},
        Null(Many("versions", PAST)),
        {"key": "x" * 2000},
        "limit_exceeded",
    ),
    Row(
        "strata_kv_put_many",
        "items* object[]",
        {"items": [{"key": "하나", "value": 1}, {"key": "둘", "value": "2"}]},
        Many("results", WRITTEN),
        {"items": [{"key": "no value"}]},
        "invalid_input",
    ),
    Row(
        "strata_kv_get_many",
        "keys* string[]",
        {"keys": ["인사", "nobody"]},
        Many("results", (VALUE, None)),
        {"keys": {}},
        "invalid_input",
    ),
    Row(
        "strata_kv_delete_many",
        "keys* string[]",
        {"keys": ["인사", "nobody"]},
        Many("results", bool),
        {"keys": ["인사", ""]},
        "invalid_key",
    ),
    # state
    Row(
        "strata_state_set",
        "cell* string, value* any",
        {"cell": "leader", "value": None},
        CELL_WRITTEN,
        {"cell": "leader"},
        "invalid_input",
    ),
    Row(
        "strata_state_get",
        "cell* string, as_of time",
        {"cell": "leader"},
        Null(CELL),
        {"cell": ""},
        "invalid_key",
    ),
    Row(
        "strata_state_delete",
        "cell* string",
        {"cell": "leader"},
        {"result": bool},
        {},
        "invalid_input",
    ),
    Row(
        "strata_state_init",
        "cell* string, value* any",
        {"cell": "once", "value": 1},
        CELL_WRITTEN,
        {"value": 1},
        "invalid_input",
    ),
    Row(
        "strata_state_cas",
        "cell* string, value* any, expected_counter int",
        {"cell": "leader", "value": "박", "expected_counter": 2},
        {"result": (int, None), "counter?": int},
        {"cell": "leader", "value": 1, "expected_counter": -1},
        "invalid_input",
    ),
    Row(
        "strata_state_list",
        "prefix string, as_of time",
        {"prefix": "lead"},
        Many("keys", str),
        {"as_of": "x/y"},
        "invalid_input",
    ),
    Row(
        "strata_state_history",
        "cell* string, as_of time",
        {"cell": "leader"},
        Null(Many("versions", CELL)),
        {},
        "invalid_input",
    ),
    # event
    Row(
        "strata_event_append",
        "event_type* string, payload* any",
        {"event_type": "deploy", "payload": {"환경": "운영"}},
        {"version": int, "store_version": int},
        {"event_type": "deploy", "payload": "no object"},
        "invalid_input",
    ),
    Row(
        "strata_event_get",
        "sequence* int, as_of time",
        {"sequence": 1},
        Null(EVENT),
        {"sequence": 0},
        "invalid_input",
    ),
    Row(
        "strata_event_list",
        "event_type* string, limit int, after_sequence int, as_of time",
        {"event_type": "deploy"},
        Many("events", EVENT),
        {"limit": 3},
        "invalid_input",
    ),
    Row("strata_event_len", "", {}, {"result": int}, {"event_type": "deploy"}, "invalid_input"),
    # json
    Row(
        "strata_json_set",
        "key* string, path* string, value* any",
        {"key": "plan", "path": "$.steps[0]", "value": "build"},
        WRITTEN,
        {"key": "plan", "path": "steps..", "value": 1},
        "invalid_path",
    ),
    Row(
        "strata_json_get",
        "key* string, path* string, as_of time",
        {"key": "plan", "path": "$"},
        Null(VALUE),
        {"key": "plan"},
        "invalid_input",
    ),
    Row(
        "strata_json_delete",
        "key* string, path* string",
        {"key": "plan", "path": "$.steps"},
        {"result": int},
        {"key": "plan", "path": "$["},
        "invalid_path",
    ),
    Row(
        "strata_json_list",
        "prefix string, cursor string, limit int, as_of time",
        {"prefix": "pl"},
        {"keys": [str], "cursor?": str},
        {"limit": "many"},
        "invalid_input",
    ),
    Row(
        "strata_json_history",
        "key* string, as_of time",
        {"key": "plan"},
        Null(Many("versions", PAST)),
        {"key": "plan", "as_of": True},
        "invalid_input",
    ),
    # space
    Row("strata_space_list", "", {}, Many("results", str), NOBODY, "not_found"),
    Row(
        "strata_space_create",
        "space* string",
        {"space": "메모"},
        NOTHING,
        {"space": " "},
        "invalid_input",
    ),
    Row(
        "strata_space_exists",
        "space* string",
        {"space": "notes"},
        {"result": bool},
        {},
        "invalid_input",
    ),
    Row(
        "strata_space_delete",
        "space* string, force bool",
        {"space": "notes", "force": True},
        NOTHING,
        {"space": "notes"},
        "access_denied",
    ),
    Row(
        "strata_space_switch",
        "space* string",
        {"space": "notes"},
        {"switched": bool, "space": str},
        {"space": "-notes"},
        "invalid_input",
    ),
    # branch
    Row(
        "strata_branch_create",
        "branch_id string, metadata any",
        {"branch_id": "빈", "metadata": {"for": "test"}},
        BRANCH,
        {"branch_id": "try"},
        "already_exists",
    ),
    Row(
        "strata_branch_get", "branch* string", {"branch": "try"}, Null(BRANCH), {}, "invalid_input"
    ),
    Row(
        "strata_branch_list",
        "limit int, offset int",
        {"limit": 1, "offset": 1},
        Many("branches", BRANCH),
        {"offset": -1},
        "invalid_input",
    ),
    Row(
        "strata_branch_exists",
        "branch* string",
        {"branch": "try"},
        {"result": bool},
        {},
        "invalid_input",
    ),
    Row(
        "strata_branch_delete",
        "branch* string",
        {"branch": "try"},
        NOTHING,
        {"branch": "default"},
        "access_denied",
    ),
    Row(
        "strata_branch_fork",
        "destination* string",
        {"destination": "other"},
        {"source": str, "destination": str, "keys_copied": int},
        {"destination": "try"},
        "already_exists",
    ),
    Row(
        "strata_branch_diff",
        "branch_a* string, branch_b* string, two_sided bool, space string",
        {"branch_a": "default", "branch_b": "try"},
        {
            "branch_a": str,
            "branch_b": str,
            "summary": {"total_added": int, "total_removed": int, "total_modified": int},
            "spaces": [
                {
                    "space": str,
                    "added": [DIFFERENCE],
                    "removed": [DIFFERENCE],
                    "modified": [DIFFERENCE],
                }
            ],
        },
        {"branch_a": "default", "branch_b": "nobody"},
        "not_found",
    ),
    Row(
        "strata_branch_merge",
        "source* string, strategy last_writer_wins|strict",
        {"source": "try"},
        {
            "keys_applied": int,
            "spaces_merged": int,
            "conflicts": [
                {
                    "key": str,
                    "primitive": str,
                    "space": str,
                    "source_value": ANY,
                    "target_value": ANY,
                }
            ],
            "suggestions": [ANY],
        },
        {"source": "try", "strategy": "strict"},
        "conflict",
    ),
    Row(
        "strata_branch_switch",
        "branch* string",
        {"branch": "try"},
        {"switched": bool, "branch": str},
        {"branch": "nobody"},
        "not_found",
    ),
    # vector
    Row(
        "strata_vector_upsert",
        "collection* string, key* string, vector* number[], metadata any",
        {"collection": "c", "key": "new", "vector": [1, 0.5], "metadata": {"언어": "ko"}},
        WRITTEN,
        {"collection": "c", "key": "new", "vector": [1]},
        "dimension_mismatch",
    ),
    Row(
        "strata_vector_get",
        "collection* string, key* string, as_of time",
        {"collection": "c", "key": "east"},
        Null({"key": str, "embedding": [float], "metadata": ANY, "version": int, "timestamp": int}),
        {"collection": "nobody", "key": "east"},
        "not_found",
    ),
    Row(
        "strata_vector_delete",
        "collection* string, key* string",
        {"collection": "c", "key": "east"},
        {"result": bool},
        {"collection": "c"},
        "invalid_input",
    ),
    Row(
        "strata_vector_search",
        "collection* string, query* number[], k* int, filter object[], "
        "metric cosine|euclidean|dot_product, as_of time",
        {
            "collection": "c",
            "query": [1, 0],
            "k": 1,
            "filter": [{"field": "n", "op": "gte", "value": 2}],
        },
        Many("results", {"key": str, "score": float, "metadata": ANY}),
        {"collection": "c", "query": [1, 0], "k": 1, "metric": "manhattan"},
        "invalid_input",
    ),
    Row(
        "strata_vector_create_collection",
        "collection* string, dimension* int, metric cosine|euclidean|dot_product",
        {"collection": "새", "dimension": 3},
        WRITTEN,
        {"collection": "c", "dimension": 3},
        "already_exists",
    ),
    Row(
        "strata_vector_delete_collection",
        "collection* string",
        {"collection": "c"},
        {"result": bool},
        {"collection": "a/b"},
        "invalid_input",
    ),
    Row("strata_vector_list_collections", "", {}, Many("results", COLLECTION), NOBODY, "not_found"),
    Row(
        "strata_vector_stats",
        "collection* string",
        {"collection": "c"},
        COLLECTION,
        {"collection": "nobody"},
        "not_found",
    ),
    Row(
        "strata_vector_batch_upsert",
        "collection* string, entries* object[]",
        {
            "collection": "c",
            "entries": [
                {"key": "a", "vector": [1, 2]},
                {"key": "b", "vector": [2, 1], "metadata": {"n": 1}},
            ],
        },
        Many("versions", int),
        {"collection": "c", "entries": [{"key": "a", "vector": ["x", 2]}]},
        "invalid_input",
    ),
    # txn
    Row(
        "strata_txn_begin",
        "read_only bool",
        {},
        {"status": "begun"},
        {"read_only": "perhaps"},
        "invalid_input",
    ),
    Row(
        "strata_txn_commit",
        "",
        {},
        {"status": "committed", "version": (int, None)},
        {},
        "txn_not_active",
        BEGUN,
    ),
    Row("strata_txn_rollback", "", {}, {"status": "aborted"}, {}, "txn_not_active", BEGUN),
    Row(
        "strata_txn_info",
        "",
        {},
        Null({"id": str, "status": str, "started_at": int}),
        {"id": 1},
        "invalid_input",
        BEGUN,
    ),
    Row("strata_txn_active", "", {}, {"result": bool}, {"id": 1}, "invalid_input", BEGUN),
    # search
    Row(
        "strata_search",
        "query* string, k int, primitives string[], time_range object, mode keyword|hybrid, "
        "expand bool, rerank bool, strict bool, tags string[], namespace string, kinds string[], "
        "since time, until time, as_of time, space string",
        {
            "query": "안녕",
            "mode": "keyword",
            "primitives": ["kv"],
            "time_range": {"start": "yesterday"},
        },
        {
            "results": [
                {
                    "key": str,
                    "namespace": str,
                    "kind": str,
                    "value": ANY,
                    "score": float,
                    "relevance": float,
                    "rank": int,
                    "snippet": str,
                    "entity": str,
                    "primitive": str,
                    "version": int,
                    "timestamp": int,
                    "tags?": [str],
                    "value_truncated?": bool,
                }
            ],
            "mode": str,
            "notes?": [str],
        },
        {"query": " "},
        "invalid_input",
    ),
    # bundle
    Row(
        "strata_bundle_export",
        "branch* string, path* string, force bool",
        {"branch": "default", "path": "{folder}/new.bundle"},
        {"branch_id": str, "path": str, "entry_count": int, "bundle_size": int},
        {"branch": "default", "path": "{folder}/old.bundle"},
        "already_exists",
    ),
    Row(
        "strata_bundle_import",
        "path* string, name string",
        {"path": "{folder}/old.bundle"},
        {"branch_id": str, "transactions_applied": int, "keys_written": int, "outcome": str},
        {"path": "{folder}/torn.bundle"},
        "invalid_input",
    ),
    Row(
        "strata_bundle_validate",
        "path* string",
        {"path": "{folder}/old.bundle"},
        {"branch_id": str, "format_version": int, "entry_count": int, "checksums_valid": bool},
        {"path": "{folder}/torn.bundle"},
        "invalid_input",
    ),
    # retention
    Row("strata_retention_apply", "", {}, NOTHING, {"preview": True}, "invalid_input"),
    # config
    Row(
        "strata_configure_model",
        "endpoint* string, model* string, api_key string, timeout_ms int",
        {"endpoint": "{url}", "model": "writer", "timeout_ms": 9000},
        {"status": "ok"},
        {"endpoint": "ftp://nowhere", "model": "writer"},
        "invalid_input",
    ),
    # embed
    Row(
        "strata_embed",
        "text* string",
        {"text": "배포는 금요일에 하지 않는다"},
        {"result": [float]},
        {},
        "invalid_input",
    ),
    Row(
        "strata_embed_batch",
        "texts* string[]",
        {"texts": ["one", "둘"]},
        Many("results", [float]),
        {"texts": [["one"]]},
        "invalid_input",
    ),
    Row(
        "strata_embed_status",
        "",
        {},
        {
            "auto_embed": bool,
            "batch_size": int,
            "pending": int,
            "total_queued": int,
            "total_embedded": int,
            "total_failed": int,
            "scheduler_queue_depth": int,
            "scheduler_active_tasks": int,
            "is_idle": bool,
        },
        {"model": "minilm"},
        "invalid_input",
    ),
    # inference
    Row(
        "strata_generate",
        "model* string, prompt* string, max_tokens int, temperature num, top_k int, top_p num, "
        "seed int, stop_tokens int[]",
        {
            "model": "writer",
            "prompt": "인사해 줘",
            "max_tokens": 9,
            "temperature": 0.5,
            "top_k": 4,
            "top_p": 0.9,
            "seed": 7,
            "stop_tokens": [2, 3],
        },
        {
            "text": str,
            "stop_reason": str,
            "prompt_tokens": (int, None),
            "completion_tokens": (int, None),
            "model": str,
        },
        {"model": "unknown", "prompt": "인사해 줘"},
        "not_found",
    ),
    Row(
        "strata_tokenize",
        "model* string, text* string, add_special_tokens bool",
        {"model": "minilm", "text": "Hello, world"},
        {"ids": [int], "count": int, "model": str},
        {"model": "writer", "text": "Hello"},
        "invalid_input",
    ),
    Row(
        "strata_detokenize",
        "model* string, ids* int[]",
        {"model": "multilingual", "ids": [1, 14845, 2]},
        {"text": str},
        {"model": "minilm", "ids": [10**9]},
        "invalid_input",
    ),
    Row(
        "strata_generate_unload",
        "model* string",
        {"model": "minilm"},
        {"result": bool},
        {},
        "invalid_input",
    ),
    # models
    Row("strata_models_list", "", {}, Many("results", MODEL), {"task": "embed"}, "invalid_input"),
    Row(
        "strata_models_pull",
        "name* string",
        {"name": "minilm"},
        {"name": str, "path": str},
        {"name": "fastembed:nobody/nothing"},
        "unavailable",
    ),
    Row("strata_models_local", "", {}, Many("results", MODEL), NOBODY, "invalid_input"),
    # durability
    Row(
        "strata_durability_counters",
        "",
        {},
        {"wal_appends": int, "sync_calls": int, "bytes_written": int, "sync_nanos": int},
        {"since": 0},
        "invalid_input",
    ),
]

CODES = {
    "not_found",
    "wrong_type",
    "invalid_key",
    "invalid_path",
    "invalid_input",
    "version_conflict",
    "conflict",
    "already_exists",
    "dimension_mismatch",
    "history_trimmed",
    "access_denied",
    "txn_not_active",
    "txn_already_active",
    "txn_conflict",
    "limit_exceeded",
    "unavailable",
    "internal",
}
