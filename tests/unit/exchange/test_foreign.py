"""Files of other memories: what becomes of them, and that nothing of them is lost."""

from io import BytesIO
from typing import Any

import msgspec
import pytest

from strata import Unusable, Workspace
from strata.base import limits
from strata.exchange import import_file

# As the memory server writes its memory.jsonl: entities first, then relations, no last newline.
GRAPH: list[dict[str, Any]] = [
    {
        "type": "entity",
        "name": "김하나",
        "entityType": "person",
        "observations": ["서울에 산다", "speaks Korean"],
    },
    {"type": "entity", "name": "CI/CD 50%", "entityType": "system", "observations": []},
    {"type": "relation", "from": "김하나", "to": "CI/CD 50%", "relationType": "maintains"},
]
# As mem0 answers get_all, of the platform and of the open-source library.
MEMORIES: list[dict[str, Any]] = [
    {
        "id": "f4cbdb08-7062-4f3e-8eb2-9f5c80dfe64c",
        "memory": "알렉스는 채식 식당을 좋아한다",
        "user_id": "alex",
        "hash": "9f2a",
        "metadata": {"source": "chat"},
        "categories": ["food", "preferences"],
        "created_at": "2026-07-01T12:00:00Z",
        "updated_at": "2026-07-05T15:30:00Z",
        "score": 0.83,
        "expiration_date": None,
    },
    {"id": "2", "memory": "Deploys happen on Mondays", "agent_id": "ops", "run_id": "r1"},
    {"memory": "한 줄뿐"},
]


def as_lines(objects: list[dict[str, Any]]) -> BytesIO:
    return BytesIO(b"\n".join(msgspec.json.encode(one) for one in objects))


def as_document(document: object, *, indent: int = 2) -> BytesIO:
    return BytesIO(msgspec.json.format(msgspec.json.encode(document), indent=indent))


def facts(db: Workspace) -> dict[str, Any]:
    return {key: found.value for key, found in db.kv.scan()}


def test_the_file_of_the_memory_server_becomes_facts(db: Workspace) -> None:
    found = import_file(db, as_lines(GRAPH))
    assert (found.format, found.written) == ("memory-server", {"kv": 3})
    assert facts(db) == {
        "entity/김하나": {name: GRAPH[0][name] for name in ("name", "entityType", "observations")},
        "entity/CI%2FCD 50%25": {"name": "CI/CD 50%", "entityType": "system", "observations": []},
        "relation/김하나/maintains/CI%2FCD 50%25": {
            "from": "김하나",
            "to": "CI/CD 50%",
            "relationType": "maintains",
        },
    }
    assert db.kv.list(tags=["entity", "person"]) == ["entity/김하나"]
    assert db.kv.list(tags=["maintains"]) == ["relation/김하나/maintains/CI%2FCD 50%25"]
    assert import_file(db, as_lines(GRAPH)).commits == 0


def test_what_newer_memory_servers_add_is_kept(db: Workspace) -> None:
    import_file(db, as_lines([GRAPH[0] | {"createdAt": "2026-08-31"}]))
    assert facts(db)["entity/김하나"]["createdAt"] == "2026-08-31"


def test_the_graph_as_the_memory_server_shows_it_is_taken_too(db: Workspace) -> None:
    bare = [{name: part for name, part in one.items() if name != "type"} for one in GRAPH]
    import_file(db, as_lines(GRAPH))
    shown = as_document({"entities": bare[:2], "relations": bare[2:]})
    found = import_file(db, shown)
    assert (found.format, found.unchanged, found.commits) == ("memory-server", 3, 0)


SHAPES = {
    "a list": as_document(MEMORIES),
    "a list on one line": as_document(MEMORIES, indent=0),
    "results": as_document({"count": 3, "next": None, "results": MEMORIES, "other": [1]}),
    "memories": as_document({"memories": MEMORIES}),
    "lines": as_lines(MEMORIES),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_of_a_mem0_export_becomes_the_same_facts(db: Workspace, shape: str) -> None:
    found = import_file(db, SHAPES[shape])
    assert (found.format, found.written) == ("mem0", {"kv": 3})
    key = "memory/alex/f4cbdb08-7062-4f3e-8eb2-9f5c80dfe64c"
    left_out = ("score", "expiration_date")
    kept = {name: part for name, part in MEMORIES[0].items() if name not in left_out}
    assert facts(db)[key] == kept
    memory = db.kv.get(key)
    assert memory is not None
    assert memory.tags == ("memory", "food", "preferences", "user:alex")
    assert db.kv.list("memory/ops/", tags=["run:r1"]) == ["memory/ops/2"]
    assert len(db.kv.list("memory/everyone/")) == 1
    assert import_file(db, SHAPES[shape]).commits == 0


def test_relations_of_mem0_come_with_its_memories(db: Workspace) -> None:
    edge = {"source": "알렉스", "relationship": "likes", "target": "김치"}
    old = {"source": "a", "relationship": "knows", "destination": "b"}
    import_file(db, as_document({"results": MEMORIES, "relations": [edge, old]}))
    assert facts(db)["relation/알렉스/likes/김치"] == edge
    assert facts(db)["relation/a/knows/b"] == old


def test_long_and_odd_names_make_keys_of_their_own(db: Workspace) -> None:
    names = ["긴" * 600, "긴" * 599 + "끝", "a/b", "a%2Fb", "널\0"]
    import_file(db, as_lines([{"name": name, "entityType": "t"} for name in names]))
    assert {value["name"] for value in facts(db).values()} == set(names)


BAD: dict[str, tuple[object, str]] = {
    "no name": ({"name": None, "entityType": "t"}, "name"),
    "no type": ({"name": "a", "entityType": 1}, "entityType"),
    "no list": ({"name": "a", "entityType": "t", "observations": "x"}, "observations"),
    "no text": ({"memory": 5}, "memory"),
    "no end": ({"source": "a", "relationship": "b"}, "name"),
    "something else": ({"type": "observation"}, "neither"),
    "no object": ("text", "object"),
}


@pytest.mark.parametrize("name", BAD)
def test_an_object_that_cannot_be_used_is_named(db: Workspace, name: str) -> None:
    bad, reason = BAD[name]
    for file in (
        BytesIO(as_lines(MEMORIES).getvalue() + b"\n" + msgspec.json.encode(bad)),
        as_document([*MEMORIES, bad]),
    ):
        with pytest.raises(Unusable, match=reason) as caught:
            import_file(db, file)
        assert isinstance(caught.value.details["line"], int)
        assert db.log() == []
        assert import_file(db, file, lenient=True, preview=True).flaw_count == 1


def test_the_line_of_a_flaw_in_a_document_is_the_one_where_it_begins(db: Workspace) -> None:
    with pytest.raises(Unusable) as caught:
        import_file(db, BytesIO(b'[\n {"memory": "a"},\n\n {"memory":\n  5}\n]'))
    assert caught.value.details["line"] == 4


@pytest.mark.parametrize(
    "rest", [b"", b"]]", b",]", b" {}]", b", NaN]", b"] x", b', "\xff"]', b", " + b"[" * 100_000]
)
def test_a_document_that_is_no_json_is_refused_whole(db: Workspace, rest: bytes) -> None:
    with pytest.raises(Unusable):
        import_file(db, BytesIO(b'[{"memory": "a"}' + rest), lenient=True)
    assert db.log() == []


@pytest.mark.slow
def test_a_document_is_read_piece_by_piece(db: Workspace) -> None:
    class Watched(BytesIO):
        most = 0

        def read(self, size: int | None = -1) -> bytes:
            Watched.most = max(Watched.most, size or 0)
            return super().read(size)

    many = [{"id": str(n), "memory": "기억 " * 100} for n in range(5000)]
    file = Watched(as_document({"count": 123456789, "results": many}, indent=2).getvalue())
    assert import_file(db, file).written == {"kv": 5000}
    assert Watched.most < len(file.getvalue()) / 4


def test_an_element_that_never_ends_is_refused(
    db: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "EXCHANGE_LINE_BYTES_MAX", 300_000)
    with pytest.raises(Unusable, match="an element has more than"):
        import_file(db, BytesIO(b'[{"memory": "' + b"a" * 2_000_000))


def test_a_document_on_one_line_is_recognised_by_its_beginning(
    db: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Watched(BytesIO):
        by_line = 0

        def readline(self, size: int | None = -1) -> bytes:
            line = super().readline(size)
            Watched.by_line += len(line)
            return line

    monkeypatch.setattr(limits, "VALUE_BYTES_MAX", 100_000)
    many = [{"id": str(n), "memory": "기억 " * 100} for n in range(1000)]
    file = Watched(msgspec.json.encode({"results": many}))
    assert import_file(db, file).written == {"kv": 1000}
    assert Watched.by_line <= 100_000 < len(file.getvalue())
