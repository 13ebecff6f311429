"""Models by the developer tools: an endpoint on the loopback, the shipped ones, their tokens."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import strata
from tests.databases import IS_POSTGRES
from tests.surface.developer.loopback import Endpoint, Wire

Use = Callable[..., dict[str, Any]]
KEY = "sk-" + "7f3a" * 8


def test_every_wish_reaches_the_endpoint(use: Use, endpoint: Endpoint) -> None:
    use("configure_model", endpoint=endpoint.url, model="writer")
    made = use(
        "generate",
        model="writer",
        prompt="인사해 줘",
        max_tokens=9,
        temperature=0,
        top_k=4,
        top_p=0.5,
        seed=7,
        stop_tokens=[2, 3],
    )
    assert made == {
        "text": "답: 인사해 줘",
        "stop_reason": "length",
        "prompt_tokens": 5,
        "completion_tokens": 3,
        "model": "writer",
    }
    assert endpoint.asked == [
        {
            "model": "writer",
            "messages": [{"role": "user", "content": "인사해 줘"}],
            "stream": False,
            "max_tokens": 9,
            "temperature": 0,
            "top_k": 4,
            "top_p": 0.5,
            "seed": 7,
            "stop_token_ids": [2, 3],
        }
    ]
    use("generate", model="writer", prompt="그리고")
    assert set(endpoint.asked[-1]) == {"model", "messages", "stream"}


def test_another_server_can_be_named_in_the_call(use: Use, endpoint: Endpoint) -> None:
    made = use("generate", model=f"endpoint:{endpoint.url}#writer", prompt="거기")
    assert made["text"] == "답: 거기"


def test_without_a_model_the_error_says_how_to_name_one(refused: Use) -> None:
    error = refused("generate", model="writer", prompt="x")
    assert error["code"] == "unavailable"
    assert "strata_configure_model" in error["hint"]
    assert refused("generate", model="minilm", prompt="x")["code"] == "invalid_input"


def test_a_key_is_sent_but_never_stored(
    use: Use, endpoint: Endpoint, db: strata.Workspace, tmp_path: Path
) -> None:
    use("configure_model", endpoint=endpoint.url, model="writer", api_key=KEY)
    use("generate", model="writer", prompt="x")
    assert endpoint.keys == [f"Bearer {KEY}"]
    use("db_flush")
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(path.read_bytes() for path in files)
    assert not [path for path in files if KEY.encode() in path.read_bytes()]
    assert KEY not in str(db.settings.list())


def test_a_key_goes_to_no_other_endpoint(use: Use, endpoint: Endpoint) -> None:
    other = Endpoint()
    use("configure_model", endpoint=endpoint.url, model="writer", api_key=KEY)
    use("configure_model", endpoint=other.url, model="writer")
    use("generate", model="writer", prompt="x")
    other.close()
    assert other.keys == [None]


def test_an_endpoint_has_so_much_time(use: Use, refused: Use, endpoint: Endpoint) -> None:
    use("configure_model", endpoint=endpoint.url, model="writer", timeout_ms=50)
    endpoint.pause_s = 1.0
    error = refused("generate", model="writer", prompt="x")
    assert error["code"] == "unavailable"
    assert "0.05 s" in error["message"]
    endpoint.pause_s = 0.0
    use("configure_model", endpoint=endpoint.url, model="writer")
    assert use("generate", model="writer", prompt="x")["text"] == "답: x"


def test_a_search_is_widened_and_put_in_order_by_the_model(
    use: Use, endpoint: Endpoint, db: strata.Workspace
) -> None:
    db.kv.put("a", "Prices are cached for sixty seconds")
    db.kv.put("b", "The cache of images is never emptied")
    use("configure_model", endpoint=endpoint.url, model="writer")

    def answer(prompt: str) -> str:
        """Prefer the note about images, and ask for images in other words."""
        lines = [line for line in prompt.splitlines() if "images" in line]
        return lines[0][:1] if lines else "pictures of it"

    endpoint.answer = answer
    plain = use("search", query="cached prices", mode="keyword")
    assert next(hit["key"] for hit in plain["results"]) == "a"
    found = use("search", query="cached prices", mode="keyword", expand=True, rerank=True)
    assert [hit["key"] for hit in found["results"]] == ["b", "a"]
    assert "notes" not in found
    assert len(endpoint.asked) == 2


def test_texts_become_vectors_of_length_one(use: Use) -> None:
    one = use("embed", text="How do we deploy?")["result"]
    many = use("embed_batch", texts=["How do we deploy?", "고양이"])["results"]
    assert len(one) == 384
    assert math.isclose(sum(n * n for n in one), 1, rel_tol=1e-5)
    assert many[0] == one
    assert many[1] != one


def test_tokens_go_there_and_back(use: Use) -> None:
    found = use("tokenize", model="minilm", text="Hello, wörld of tokenization")
    assert found["ids"][0] == 101
    assert found["ids"][-1] == 102
    assert found["count"] == len(found["ids"])
    bare = use("tokenize", model="minilm", text="Hello", add_special_tokens=False)
    assert bare["ids"] == [7592]
    text = use("detokenize", model="minilm", ids=found["ids"])["text"]
    assert text == "hello , world of tokenization"
    for text in ("배포는 금요일에 하지 않는다", "データを保存する", "Straße nach Zürich"):
        ids = use("tokenize", model="multilingual", text=text)["ids"]
        assert use("detokenize", model="multilingual", ids=ids)["text"] == text
    assert use("tokenize", model="multilingual", text="", add_special_tokens=False)["ids"] == []


def test_a_model_behind_an_endpoint_shows_no_tokens(use: Use, refused: Use) -> None:
    error = refused("tokenize", model="gpt", text="x")
    assert error["parameter"] == "model"
    assert "minilm" in error["hint"]
    assert refused("detokenize", model="gpt", ids=[1])["parameter"] == "model"


def test_memory_is_given_back_once(use: Use) -> None:
    use("tokenize", model="multilingual", text="x")
    assert use("generate_unload", model="multilingual") == {"result": True}
    assert use("generate_unload", model="multilingual") == {"result": False}
    assert use("generate_unload", model="gpt") == {"result": False}


def test_the_models_are_listed_with_what_is_known_of_them(use: Use, endpoint: Endpoint) -> None:
    local = use("models_local")["results"]
    assert [one["name"] for one in local] == ["minilm", "multilingual", "judge"]
    assert [one["embedding_dim"] for one in local] == [384, 512, None]
    assert all(one["is_local"] and one["size_bytes"] > 10**6 for one in local)
    use("configure_model", endpoint=endpoint.url, model="writer")
    listed = use("models_list")["results"]
    assert listed[-1]["name"] == "writer"
    assert listed[-1]["task"] == "generate"
    assert not listed[-1]["is_local"]
    assert not endpoint.asked


def test_a_pull_says_where_the_files_lie_or_what_is_missing(use: Use, refused: Use) -> None:
    assert (Path(use("models_pull", name="minilm")["path"]) / "model.onnx").is_file()
    assert refused("models_pull", name="nobody")["code"] == "not_found"
    error = refused("models_pull", name="fastembed:BAAI/bge-small-en-v1.5")
    assert error["code"] == "unavailable"


def test_the_status_counts_what_waits(use: Use, db: strata.Workspace) -> None:
    assert use("embed_status")["is_idle"]
    db.kv.put("k", "a text that can be embedded")
    waiting = use("embed_status")
    assert (waiting["pending"], waiting["is_idle"], waiting["auto_embed"]) == (1, False, False)
    assert waiting["total_queued"] == 1
    db.embeddings.wait()
    done = use("embed_status")
    assert (done["pending"], done["total_embedded"], done["auto_embed"]) == (0, 1, True)


def test_long_work_tells_how_far_it_is(wire: Wire, full: dict[str, str]) -> None:
    for name, arguments in (
        ("strata_db_flush", {}),
        *(() if IS_POSTGRES else (("strata_db_compact", {}),)),
        ("strata_retention_apply", {}),
        ("strata_bundle_export", {"branch": "try", "path": f"{full['folder']}/try.bundle"}),
        ("strata_models_pull", {"name": "minilm"}),
    ):
        wire.notices.clear()
        assert not wire.call(name, arguments, progressToken="t")["isError"]
        told = [one["params"] for one in wire.notices if "progress" in one["method"]]
        assert told, name
        assert told[-1]["progressToken"] == "t"
        assert told[-1]["progress"] == told[-1]["total"]
