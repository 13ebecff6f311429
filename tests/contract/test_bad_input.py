"""A wrong call is refused by name, with a stable code and a way out, and changes nothing."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, NamedTuple

import pytest

import strata
from strata import StrataError, Workspace

CODES: dict[type[StrataError], str] = {
    strata.AlreadyExists: "already_exists",
    strata.BranchNotFound: "not_found",
    strata.CollectionNotFound: "not_found",
    strata.CommitNotFound: "not_found",
    strata.DimensionMismatch: "dimension_mismatch",
    strata.InvalidArgument: "invalid_input",
    strata.InvalidKey: "invalid_key",
    strata.InvalidPath: "invalid_path",
    strata.InvalidTime: "invalid_time",
    strata.LimitExceeded: "limit_exceeded",
    strata.NotAllowed: "not_allowed",
    strata.NotFound: "not_found",
    strata.ReadOnly: "access_denied",
    strata.SpaceNotFound: "not_found",
    strata.TagNotFound: "not_found",
    strata.VersionConflict: "version_conflict",
    strata.WrongType: "wrong_type",
}


class Wrong(NamedTuple):
    """A wrong call: what it does, the error it meets, and words of its message and hint."""

    name: str
    call: Callable[[Any], object]
    error: type[StrataError]
    says: str
    hints: str | None = None


def nested(depth: int) -> Any:
    value: Any = "바닥"
    for _ in range(depth):
        value = [value]
    return value


MIB = 1024 * 1024
ONE = [1.0, 0.0]

KEYS = [
    Wrong("empty key", lambda db: db.kv.put("", 1), strata.InvalidKey, "''", "1 to 1024 bytes"),
    Wrong("NUL in a key", lambda db: db.kv.put("a\0b", 1), strata.InvalidKey, "a\\x00b", "NUL"),
    Wrong("NUL in Korean", lambda db: db.kv.get("가\0"), strata.InvalidKey, "가", "NUL"),
    Wrong("half a pair", lambda db: db.kv.put("\ud83d", 1), strata.InvalidKey, "surrogate", "text"),
    Wrong("number as key", lambda db: db.kv.put(7, 1), strata.InvalidKey, "7", "text"),
    Wrong("None as key", lambda db: db.kv.get(None), strata.InvalidKey, "None", "text"),
    Wrong("bytes as key", lambda db: db.json.get(b"doc"), strata.InvalidKey, "b'doc'", "text"),
    Wrong("number as cell", lambda db: db.state.set(7, 1), strata.InvalidKey, "7 cannot be a cell"),
    Wrong("key too long", lambda db: db.kv.put("k" * 1025, 1), strata.LimitExceeded, "1,025"),
    Wrong(
        "key too long in Korean",
        lambda db: db.kv.put("가" * 342, 1),
        strata.LimitExceeded,
        "1,026 bytes of UTF-8; the limit is 1,024",
        "shorter",
    ),
    Wrong(
        "vector key too long",
        lambda db: db.vectors.upsert("벡터", "k" * 1020, ONE),
        strata.LimitExceeded,
        "the limit is 1,024",
    ),
    Wrong(
        "one bad key of many",
        lambda db: db.kv.put_many({"good": 1, "": 2}),
        strata.InvalidKey,
        "''",
    ),
    Wrong("keys as one text", lambda db: db.kv.delete_many("키"), strata.InvalidArgument, "키"),
    Wrong("keys as one text, read", lambda db: db.kv.get_many("키"), strata.InvalidArgument, "키"),
    Wrong("prefix a number", lambda db: db.kv.list(7), strata.InvalidArgument, "7"),
    Wrong("prefix half a pair", lambda db: db.kv.list("\ud800"), strata.InvalidArgument, "prefix"),
    Wrong("after a number", lambda db: db.kv.list(after=7), strata.InvalidArgument, "7"),
]
VALUES = [
    Wrong(
        "NaN",
        lambda db: db.kv.put("k", {"온도": [1, float("nan")]}),
        strata.WrongType,
        "at $.온도[1], nan",
        "numbers",
    ),
    Wrong(
        "infinity",
        lambda db: db.json.set("문서", "$.a", float("-inf")),
        strata.WrongType,
        "-inf",
        "numbers",
    ),
    Wrong(
        "bytes",
        lambda db: db.kv.put("k", {"그림": b"png"}),
        strata.WrongType,
        "at $.그림, b'png' is of type bytes",
    ),
    Wrong(
        "datetime",
        lambda db: db.state.set("c", [datetime(2026, 1, 1, tzinfo=UTC)]),
        strata.WrongType,
        "at $[0], datetime.datetime",
    ),
    Wrong("a set", lambda db: db.events.append("x", {"s": {1}}), strata.WrongType, "at $.s"),
    Wrong(
        "a number as member name",
        lambda db: db.kv.put("k", {"a": {1: 2}}),
        strata.WrongType,
        "at $.a, 1 is a key, and keys must be text",
        "text keys",
    ),
    Wrong(
        "half a pair in a value", lambda db: db.kv.put("k", ["\ud83d"]), strata.WrongType, "at $[0]"
    ),
    Wrong(
        "half a pair in a name",
        lambda db: db.kv.put("k", {"\ud83d": 1}),
        strata.WrongType,
        "surrogate",
    ),
    Wrong(
        "value too large",
        lambda db: db.kv.put("k", "x" * (16 * MIB)),
        strata.LimitExceeded,
        "16,777,218 bytes; the limit is 16,777,216",
        "Split",
    ),
    Wrong(
        "Korean value too large",
        lambda db: db.kv.put("k", "가" * (6 * MIB)),
        strata.LimitExceeded,
        "18,874,370",
        "Split",
    ),
    Wrong("nested 513 deep", lambda db: db.kv.put("k", nested(513)), strata.LimitExceeded, "512"),
    Wrong(
        "nested 5,000 deep", lambda db: db.kv.put("k", nested(5000)), strata.LimitExceeded, "512"
    ),
    Wrong(
        "metadata no JSON",
        lambda db: db.vectors.upsert("벡터", "k", ONE, metadata={"a": b""}),
        strata.WrongType,
        "$.metadata.a",
    ),
    Wrong(
        "branch metadata no JSON",
        lambda db: db.branches.create_empty("새", metadata={"a": {1}}),
        strata.WrongType,
        "$.a",
    ),
    Wrong(
        "branch metadata NaN",
        lambda db: db.branches.fork("새", metadata=float("nan")),
        strata.WrongType,
        "nan",
    ),
    Wrong(
        "tags as one text",
        lambda db: db.kv.put("k", 1, tags="꼬리표"),
        strata.InvalidArgument,
        "꼬리표",
    ),
    Wrong("tags a number", lambda db: db.kv.put("k", 1, tags=7), strata.InvalidArgument, "7"),
    Wrong(
        "a number among tags",
        lambda db: db.kv.put("k", 1, tags=["a", 7]),
        strata.InvalidArgument,
        "7 cannot be a tag",
        "text",
    ),
    Wrong(
        "a list among tags",
        lambda db: db.kv.put("k", 1, tags=[["a"]]),
        strata.InvalidArgument,
        "cannot be a tag",
    ),
    Wrong(
        "half a pair as tag",
        lambda db: db.kv.put("k", 1, tags=["\ud800"]),
        strata.InvalidArgument,
        "cannot be a tag",
    ),
    Wrong("empty tag", lambda db: db.kv.put("k", 1, tags=[""]), strata.InvalidArgument, "''"),
    Wrong(
        "long tag", lambda db: db.kv.put("k", 1, tags=["가" * 201]), strata.InvalidArgument, "가"
    ),
    Wrong(
        "65 tags",
        lambda db: db.kv.put("k", 1, tags=map(str, range(65))),
        strata.LimitExceeded,
        "64 tags; 65",
    ),
    Wrong(
        "too many items",
        lambda db: db.kv.put_many((str(n), n) for n in range(100_001)),
        strata.LimitExceeded,
        "100,000 items; 100,001",
        "several calls",
    ),
    Wrong("items as one text", lambda db: db.kv.put_many("가나"), strata.InvalidArgument, "가"),
    Wrong(
        "if_version text",
        lambda db: db.kv.put("k", 1, if_version="x"),
        strata.InvalidArgument,
        "if_version",
    ),
    Wrong(
        "if_version False",
        lambda db: db.kv.put("new", 1, if_version=False),
        strata.InvalidArgument,
        "if_version",
    ),
    Wrong(
        "if_version outdated",
        lambda db: db.kv.put("k", 1, if_version=99),
        strata.VersionConflict,
        "'k' has version 1, not 99",
        "Decide anew",
    ),
]
NUMBERS = [
    Wrong("limit 0", lambda db: db.kv.list(limit=0), strata.InvalidArgument, "limit"),
    Wrong("limit text", lambda db: db.kv.items(limit="10"), strata.InvalidArgument, "'10'"),
    Wrong("limit True", lambda db: db.events.list(limit=True), strata.InvalidArgument, "True"),
    Wrong("limit 2.5", lambda db: db.kv.history("k", limit=2.5), strata.InvalidArgument, "2.5"),
    Wrong("limit too large", lambda db: db.kv.list(limit=10_001), strata.LimitExceeded, "10,000"),
    Wrong("limit of log", lambda db: db.log(limit="all"), strata.InvalidArgument, "'all'"),
    Wrong("limit of log past SQL", lambda db: db.log(limit=2**64), strata.StrataError, "limit"),
    Wrong("limit of changes", lambda db: db.changes(0, limit=-1), strata.InvalidArgument, "limit"),
    Wrong("before text", lambda db: db.log(before="x"), strata.InvalidArgument, "before"),
    Wrong("after text", lambda db: db.changes("x"), strata.InvalidArgument, "after"),
    Wrong("after past SQL", lambda db: db.changes(2**64), strata.StrataError, "after"),
    Wrong("version text", lambda db: db.show("x"), strata.InvalidArgument, "x"),
    Wrong("version past SQL", lambda db: db.show(2**63), strata.CommitNotFound, str(2**63)),
    Wrong("version nobody wrote", lambda db: db.revert(999), strata.CommitNotFound, "999", "log"),
    Wrong("cherry-pick of nothing", lambda db: db.cherry_pick(0), strata.CommitNotFound, "0"),
    Wrong("event 0", lambda db: db.events.get(0), strata.InvalidArgument, "sequence"),
    Wrong("event text", lambda db: db.events.get("1"), strata.InvalidArgument, "'1'"),
    Wrong("after of events", lambda db: db.events.list(after=-1), strata.InvalidArgument, "after"),
    Wrong(
        "order of events",
        lambda db: db.events.list(order="size"),
        strata.InvalidArgument,
        "size",
        "sequence or time",
    ),
    Wrong("event type empty", lambda db: db.events.append("", 1), strata.InvalidArgument, "''"),
    Wrong("event type a number", lambda db: db.events.append(7, 1), strata.InvalidArgument, "7"),
    Wrong(
        "event type half a pair",
        lambda db: db.events.append("\ud800", 1),
        strata.InvalidArgument,
        "type",
    ),
    Wrong(
        "expected text", lambda db: db.state.cas("셀", 1, "1"), strata.InvalidArgument, "expected"
    ),
    Wrong("expected -1", lambda db: db.state.cas("셀", 1, -1), strata.InvalidArgument, "expected"),
    Wrong(
        "expected True", lambda db: db.state.cas("셀", 2, True), strata.InvalidArgument, "expected"
    ),
    Wrong(
        "vector limit 0",
        lambda db: db.vectors.search("벡터", ONE, limit=0),
        strata.InvalidArgument,
        "limit must",
    ),
    Wrong(
        "vector limit text",
        lambda db: db.vectors.search("벡터", ONE, limit="3"),
        strata.InvalidArgument,
        "'3'",
    ),
    Wrong(
        "vector limit too large",
        lambda db: db.vectors.search("벡터", ONE, limit=10_001),
        strata.LimitExceeded,
        "10,000",
    ),
    Wrong(
        "attempts 0",
        lambda db: db.transact(lambda tx: None, attempts=0),
        strata.InvalidArgument,
        "attempts",
    ),
    Wrong(
        "attempts text",
        lambda db: db.transact(lambda tx: None, attempts="x"),
        strata.InvalidArgument,
        "attempts",
    ),
    Wrong(
        "max_versions 0",
        lambda db: db.retention.set(max_versions=0),
        strata.InvalidArgument,
        "max_versions",
    ),
    Wrong(
        "max_age a word",
        lambda db: db.retention.set(max_age="곧"),
        strata.InvalidArgument,
        "곧",
        "30d",
    ),
    Wrong(
        "policy without limit",
        lambda db: db.retention.set(kind="kv"),
        strata.InvalidArgument,
        "limit",
        "max_age",
    ),
    Wrong(
        "lease of no length",
        lambda db: db.leases.acquire("일", seconds=0),
        strata.InvalidArgument,
        "lease",
    ),
    Wrong(
        "lease of words",
        lambda db: db.leases.acquire("일", seconds="1h"),
        strata.InvalidArgument,
        "lease",
    ),
]
PATHS = [
    Wrong(
        f"path {path!r}",
        lambda db, path=path: db.json.set("문서", path, 1),
        strata.InvalidPath,
        says,
        hints,
    )
    for path, says, hints in [
        ("", "empty", "Write $"),
        ("$.", "'.'", "Write $"),
        ("$.a[", "'['", "Write $"),
        ("$[01]", "01", "Write $"),
        ("$['a", "'a", "Write $"),
        ("$.a b", "' b'", "Write $"),
        ("$..이름", "several places", "Name one place"),
        ("$.*", "several places", "Name one place"),
        ("$[*]", "several places", "Name one place"),
        ("$[0:2]", "several places", "Name one place"),
        ("$[0,1]", "several places", "Name one place"),
        ("$[?(@.a)]", "several places", "Name one place"),
        ("$.이름.성", "$.이름 is text, not an object", "Read $.이름"),
        ("$.목록[7]", "has 2 items", "Read $.목록"),
        ("$.목록.첫째", "$.목록 is a list", "Read $.목록"),
    ]
] + [
    Wrong("path None", lambda db: db.json.get("문서", None), strata.InvalidPath, "None"),
    Wrong("path a number", lambda db: db.json.delete("문서", 7), strata.InvalidPath, "7"),
    Wrong(
        "path too long",
        lambda db: db.json.get("문서", "$" + ".가" * 3000),
        strata.LimitExceeded,
        "4,096",
    ),
    Wrong(
        "path too deep", lambda db: db.json.get("문서", "$" + ".a" * 65), strata.LimitExceeded, "64"
    ),
]
TIMES = [
    Wrong(f"time {when!r}", lambda db, when=when: db.at(when), strata.InvalidTime, says, "ISO 8601")
    for when, says in [
        ("soonish", "soonish"),
        ("언젠가", "언젠가"),
        ("2026-13-01", "2026-13-01"),
        ("2026-02-30T00:00Z", "02-30"),
        ("", "''"),
        ("tag:", "tag:"),
        (-1, "-1"),
        (1.5, "1.5"),
        (True, "True"),
        (None, "None"),
        ([1], "[1]"),
        (float("nan"), "nan"),
        (10**30, "10"),
    ]
]
NAMES = [
    Wrong(
        "branch misspelled", lambda db: db.on("연습장"), strata.BranchNotFound, "'연습장'", "'연습'"
    ),
    Wrong(
        "default misspelled",
        lambda db: db.on("defualt"),
        strata.BranchNotFound,
        "defualt",
        "'default'",
    ),
    Wrong("branch a number", lambda db: db.on(7), strata.StrataError, "7"),
    Wrong("branch None", lambda db: db.branches.merge(None), strata.StrataError, "None"),
    Wrong(
        "diff with nobody",
        lambda db: db.branches.diff("default", "zzz"),
        strata.BranchNotFound,
        "'zzz'",
        "db.branches.list()",
    ),
    Wrong("merge of nobody", lambda db: db.branches.merge("연스"), strata.BranchNotFound, "연스"),
    Wrong(
        "merge into nobody",
        lambda db: db.branches.merge("연습", into="어디"),
        strata.BranchNotFound,
        "어디",
    ),
    Wrong(
        "fork of nobody", lambda db: db.branches.fork("a", source="b"), strata.BranchNotFound, "'b'"
    ),
    Wrong(
        "export of nobody",
        lambda db: db.bundles.export("unwritten", branch="b"),
        strata.BranchNotFound,
        "'b'",
    ),
    Wrong(
        "restore of nobody",
        lambda db: db.branches.restore("연습"),
        strata.BranchNotFound,
        "연습",
        "deleted=True",
    ),
    Wrong(
        "branch twice",
        lambda db: db.branches.fork("연습"),
        strata.AlreadyExists,
        "연습",
        "another name",
    ),
    Wrong(
        "rename onto another",
        lambda db: db.branches.rename("연습", "default"),
        strata.AlreadyExists,
        "default",
    ),
    Wrong(
        "rename of default",
        lambda db: db.branches.rename("default", "m"),
        strata.NotAllowed,
        "default",
        "Fork",
    ),
    Wrong(
        "delete of default",
        lambda db: db.branches.delete("default", force=True),
        strata.NotAllowed,
        "default",
        "Every store",
    ),
    Wrong(
        "delete of unmerged work",
        lambda db: db.branches.delete("연습"),
        strata.NotAllowed,
        "연습",
        "force",
    ),
    Wrong(
        "merge into itself",
        lambda db: db.branches.merge("연습", into="연습"),
        strata.InvalidArgument,
        "연습",
    ),
    Wrong(
        "unknown strategy",
        lambda db: db.branches.merge("연습", strategy="ours"),
        strata.InvalidArgument,
        "'ours'",
        "source_wins",
    ),
    Wrong(
        "unknown strategy of revert",
        lambda db: db.revert(1, strategy="x"),
        strata.InvalidArgument,
        "'x'",
        "strict",
    ),
    Wrong(
        "branch with a hyphen",
        lambda db: db.branches.create_empty("-f"),
        strata.InvalidArgument,
        "-f",
        "hyphen",
    ),
    Wrong(
        "branch with a newline",
        lambda db: db.branches.create_empty("a\nb"),
        strata.InvalidArgument,
        "a\\nb",
        "printable",
    ),
    Wrong(
        "branch of 201 letters",
        lambda db: db.branches.create_empty("가" * 201),
        strata.InvalidArgument,
        "가",
        "1 to 200",
    ),
    Wrong("space without a name", lambda db: db.space(""), strata.InvalidArgument, "''"),
    Wrong("space a number", lambda db: db.spaces.create(7), strata.InvalidArgument, "7"),
    Wrong(
        "unknown space",
        lambda db: db.spaces.delete("없음"),
        strata.SpaceNotFound,
        "없음",
        "db.spaces.list()",
    ),
    Wrong(
        "the default space", lambda db: db.spaces.delete("default"), strata.NotAllowed, "default"
    ),
    Wrong(
        "space with keys", lambda db: db.spaces.delete("방"), strata.NotAllowed, "1 key", "force"
    ),
    Wrong("unknown tag", lambda db: db.at("tag:없음"), strata.TagNotFound, "없음", "db.tags"),
    Wrong("tag twice", lambda db: db.tags.create("첫판"), strata.AlreadyExists, "첫판", "Delete"),
    Wrong("tag of a bad time", lambda db: db.tags.create("x", at="??"), strata.InvalidTime, "??"),
    Wrong(
        "unknown setting",
        lambda db: db.settings.set("timezon", "UTC"),
        strata.InvalidArgument,
        "timezon",
        "'timezone'",
    ),
    Wrong("setting a number", lambda db: db.settings.get(7), strata.InvalidArgument, "7"),
    Wrong(
        "actor setting a number",
        lambda db: db.settings.set("actor", 7),
        strata.InvalidArgument,
        "actor",
    ),
    Wrong(
        "unknown timezone",
        lambda db: db.settings.set("timezone", "Asia/서울"),
        strata.InvalidArgument,
        "Asia/서울",
        "IANA",
    ),
    Wrong("actor too long", lambda db: db.as_actor("가" * 201), strata.LimitExceeded, "201"),
    Wrong("actor a number", lambda db: db.as_actor(7), strata.InvalidArgument, "actor"),
    Wrong(
        "actor half a pair",
        lambda db: db.as_actor("\ud800").kv.put("a", 1),
        strata.InvalidArgument,
        "actor",
    ),
    Wrong(
        "message too long",
        lambda db: db.branches.merge("연습", message="가" * 4001),
        strata.LimitExceeded,
        "4,001 characters; the limit is 4,000",
    ),
    Wrong(
        "message of a tag too long",
        lambda db: db.tags.create("x", message="가" * 4001),
        strata.LimitExceeded,
        "4,001",
    ),
    Wrong("message a number", lambda db: db.undo(message=7), strata.InvalidArgument, "message"),
    Wrong("purge of nothing", lambda db: db.purge("없음"), strata.NotFound, "없음", "kind"),
    Wrong("purge in a wrong kind", lambda db: db.purge("k", kind="json"), strata.NotFound, "'k'"),
]
VECTORS = [
    Wrong(
        "unknown collection",
        lambda db: db.vectors.search("없음", ONE),
        strata.CollectionNotFound,
        "없음",
        "create()",
    ),
    Wrong(
        "collection twice",
        lambda db: db.vectors.create("벡터", 2),
        strata.AlreadyExists,
        "벡터",
        "drop",
    ),
    Wrong(
        "collection with a slash",
        lambda db: db.vectors.create("a/b", 2),
        strata.InvalidArgument,
        "a/b",
    ),
    Wrong("dimension 0", lambda db: db.vectors.create("c", 0), strata.InvalidArgument, "dimension"),
    Wrong("dimension text", lambda db: db.vectors.create("c", "2"), strata.InvalidArgument, "'2'"),
    Wrong(
        "dimension too large",
        lambda db: db.vectors.create("c", 8193),
        strata.LimitExceeded,
        "8,192",
    ),
    Wrong(
        "unknown metric",
        lambda db: db.vectors.create("c", 2, "manhattan"),
        strata.InvalidArgument,
        "manhattan",
        "cosine",
    ),
    Wrong(
        "unknown metric of a search",
        lambda db: db.vectors.search("벡터", ONE, metric="l1"),
        strata.InvalidArgument,
        "l1",
        "euclidean",
    ),
    Wrong(
        "wrong dimension",
        lambda db: db.vectors.upsert("벡터", "x", [1, 2, 3]),
        strata.DimensionMismatch,
        "dimension 3; the collection's is 2",
        "model",
    ),
    Wrong(
        "wrong dimension of a query",
        lambda db: db.vectors.search("벡터", [1]),
        strata.DimensionMismatch,
        "dimension 1",
    ),
    Wrong(
        "a table for a vector",
        lambda db: db.vectors.upsert("벡터", "x", [[1, 2]]),
        strata.DimensionMismatch,
        "[1, 2]",
    ),
    Wrong(
        "NaN in a vector",
        lambda db: db.vectors.upsert("벡터", "x", [float("nan"), 0]),
        strata.WrongType,
        "finite",
    ),
    Wrong(
        "too large for float32",
        lambda db: db.vectors.upsert("벡터", "x", [1e39, 0]),
        strata.WrongType,
        "finite",
    ),
    Wrong(
        "words in a vector",
        lambda db: db.vectors.upsert("벡터", "x", ["하나", 2]),
        strata.WrongType,
        "numbers",
    ),
    Wrong(
        "digits as text in a vector",
        lambda db: db.vectors.upsert("벡터", "x", ["1", "2"]),
        strata.WrongType,
        "numbers",
    ),
    Wrong(
        "no vector",
        lambda db: db.vectors.upsert("벡터", "x", None),
        strata.InvalidArgument,
        "vector",
    ),
    Wrong(
        "one bad entry of many",
        lambda db: db.vectors.upsert_many(
            "벡터", [{"key": "a", "vector": ONE}, {"key": "b", "vector": [1]}]
        ),
        strata.DimensionMismatch,
        "dimension 1",
    ),
    Wrong(
        "entry without key",
        lambda db: db.vectors.upsert_many("벡터", [{"vector": ONE}]),
        strata.InvalidKey,
        "''",
    ),
    Wrong(
        "entry no object",
        lambda db: db.vectors.upsert_many("벡터", ["x"]),
        strata.InvalidArgument,
        "x",
    ),
    Wrong(
        "filter a number",
        lambda db: db.vectors.search("벡터", ONE, filter=7),
        strata.InvalidArgument,
        "7",
    ),
    Wrong(
        "filter without field",
        lambda db: db.vectors.search("벡터", ONE, filter=[{"value": 1}]),
        strata.InvalidArgument,
        "field",
        "eq",
    ),
    Wrong(
        "filter of an unknown operator",
        lambda db: db.vectors.search(
            "벡터", ONE, filter=[{"field": "a", "op": "like", "value": 1}]
        ),
        strata.InvalidArgument,
        "like",
        "contains",
    ),
    Wrong(
        "filter of an unknown member",
        lambda db: db.vectors.search("벡터", ONE, filter=[{"field": "a", "value": 1, "not": 1}]),
        strata.InvalidArgument,
        "not",
        "op",
    ),
    Wrong(
        "in without a list",
        lambda db: db.vectors.search(
            "벡터", ONE, filter=[{"field": "a", "op": "in", "value": "가나"}]
        ),
        strata.InvalidArgument,
        "가나",
    ),
]
TABLE = [*KEYS, *VALUES, *NUMBERS, *PATHS, *TIMES, *NAMES, *VECTORS]


@pytest.fixture
def furnished(db: Workspace) -> Workspace:
    """A store with one of everything that the table speaks of."""
    db.kv.put("k", {"값": 1}, tags=["처음"])
    db.json.set("문서", "$", {"이름": "하나", "목록": [1, 2]})
    db.state.set("셀", 1)
    db.events.append("시작", {"n": 1})
    db.vectors.create("벡터", 2)
    db.vectors.upsert("벡터", "가", [1, 0], metadata={"a": 1})
    db.space("방").kv.put("k", 1)
    db.tags.create("첫판")
    db.branches.fork("연습")
    db.on("연습").kv.put("k", {"값": 2})
    return db


@pytest.mark.parametrize("wrong", TABLE, ids=lambda wrong: wrong.name)
def test_a_wrong_call_is_refused_and_changes_nothing(
    furnished: Workspace, unchanged: Any, wrong: Wrong
) -> None:
    with unchanged(furnished), pytest.raises(wrong.error, match=re.escape(wrong.says)) as caught:
        wrong.call(furnished)
    error = caught.value
    assert error.code == CODES.get(type(error), error.code) != "internal"
    assert error.message[0] != "<"
    assert error.message.endswith(".")
    if wrong.hints is not None:
        assert error.hint is not None
        assert wrong.hints in error.hint


def test_names_in_the_table_are_all_different() -> None:
    assert len({wrong.name for wrong in TABLE}) == len(TABLE)


def test_what_lies_just_within_the_limits_is_taken(db: Workspace) -> None:
    longest = "가" * 341 + "a"
    assert len(longest.encode()) == 1024
    db.kv.put(longest, nested(512), tags=[str(number) for number in range(64)])
    db.kv.put("large", "x" * (16 * MIB - 2))
    found = db.kv.get("large")
    assert db.kv.list() == ["large", longest]
    assert found is not None
    assert found.value == "x" * (16 * MIB - 2)
    with db.as_actor("가" * 200).transaction(message="가" * 4000) as tx:
        tx.kv.put("note", 2**63)
    assert db.log(limit=1)[0].message == "가" * 4000
    assert db.verify().ok
